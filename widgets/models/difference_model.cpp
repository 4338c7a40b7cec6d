// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/difference_model.h"

#include "core/config/batch_plan.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <algorithm>

namespace accumulus::ui {

namespace {

/// An empty setting is a value of its own, not a missing one.
QString shownValue(const std::string& value) {
    return value.empty() || value == "\"\"" ? DifferenceModel::tr("(empty)") : format::fromUtf8(value);
}

/// A setting that does not matter, or a fact that nobody recorded: neither is an empty one.
QString notSet() { return DifferenceModel::tr("(not set)"); }

/// What one setting or fact is in the runs of a group: each value once, in the order of the runs.
struct Values {
    QStringList shown;
    QStringList stored; ///< by which they are judged: a setting that does not matter may still be the same
    void add(const QString& value, const QString& raw) {
        if (!shown.contains(value))
            shown << value;
        if (!stored.contains(raw))
            stored << raw;
    }
    void add(const QString& value) { add(value, value); }
    [[nodiscard]] QString text() const { return shown.isEmpty() ? notSet() : shown.join(QStringLiteral(" / ")); }
};

QString kindTitle(DifferenceKind kind) {
    switch (kind) {
    case DifferenceKind::Unexpected:
        return DifferenceModel::tr("unexpected");
    case DifferenceKind::Mixed:
        return DifferenceModel::tr("differs inside a group");
    case DifferenceKind::Expected:
        return DifferenceModel::tr("differs by design");
    case DifferenceKind::Equal:
        break;
    }
    return DifferenceModel::tr("equal");
}

void addRow(const QString& name, const Values& a, const Values& b, DifferenceKind differing,
            std::vector<DifferenceRow>& rows) {
    const bool mixed = a.stored.size() > 1 || b.stored.size() > 1;
    const DifferenceKind kind = mixed                  ? DifferenceKind::Mixed
                                : a.stored == b.stored ? DifferenceKind::Equal
                                                       : differing;
    rows.push_back({kind, name, a.text(), b.text()});
}

Values settingOf(const ConfigField& field, const std::vector<ComparedRun>& group) {
    Values values;
    for (const ComparedRun& run : group) {
        const ExperimentConfig config{run.config, {}};
        const std::string value = fieldText(field.get(config));
        values.add(field.applies(config) ? shownValue(value) : notSet(), format::fromUtf8(value));
    }
    return values;
}

/// Written out in one arm and derived in the other, an effective batch is still the same.
bool sameEffective(const ComparisonInput& input) {
    for (const auto* group : {&input.groupA, &input.groupB})
        for (const ComparedRun& run : *group)
            if (run.batch.effective != input.groupA.front().batch.effective)
                return false;
    return true;
}

void addSettings(const ComparisonInput& input, std::vector<DifferenceRow>& rows) {
    for (const ConfigField& field : configFields()) {
        if (field.key.starts_with("study."))
            continue;
        const Values a = settingOf(field, input.groupA);
        const Values b = settingOf(field, input.groupB);
        if (a.shown == QStringList{notSet()} && b.shown == a.shown)
            continue; // it matters in no run
        addRow(format::fromUtf8(field.key), a, b,
               field.inPairHash ? DifferenceKind::Unexpected : DifferenceKind::Expected, rows);
        if (field.key == "batch.effective" && sameEffective(input))
            rows.back().kind = DifferenceKind::Equal;
    }
}

/// What follows from the settings and is the point of a pair: the arm, and K where it is derived.
void addDerived(const ComparisonInput& input, std::vector<DifferenceRow>& rows) {
    const auto valuesOf = [](const std::vector<ComparedRun>& group, const auto& value) {
        Values values;
        for (const ComparedRun& run : group)
            values.add(value(run));
        return values;
    };
    const auto arm = [](const ComparedRun& run) { return format::armTitle(run.arm); };
    addRow(DifferenceModel::tr("arm"), valuesOf(input.groupA, arm), valuesOf(input.groupB, arm),
           DifferenceKind::Expected, rows);
    const auto derived = [](const ComparedRun& run) { return run.config.batch.steps == 0; };
    if (std::ranges::none_of(input.groupA, derived) && std::ranges::none_of(input.groupB, derived))
        return;
    const auto steps = [](const ComparedRun& run) { return format::count(run.batch.steps); };
    addRow(DifferenceModel::tr("accumulation steps (derived)"), valuesOf(input.groupA, steps),
           valuesOf(input.groupB, steps), DifferenceKind::Expected, rows);
}

/// Of runs that have not begun nothing is known: they are left out.
void addEnvironment(const ComparisonInput& input, std::vector<DifferenceRow>& rows) {
    const auto begun = [](const ComparedRun& run) { return !run.environment.empty(); };
    if (std::ranges::none_of(input.groupA, begun) || std::ranges::none_of(input.groupB, begun))
        return;
    std::vector<std::string> names;
    for (const auto* group : {&input.groupA, &input.groupB})
        for (const ComparedRun& run : *group)
            for (const auto& fact : run.environment)
                if (std::ranges::find(names, fact.first) == names.end())
                    names.push_back(fact.first);
    for (const std::string& name : names) {
        const auto valuesOf = [&](const std::vector<ComparedRun>& group) {
            Values values;
            for (const ComparedRun& run : group)
                if (begun(run)) {
                    const auto found =
                        std::ranges::find(run.environment, name, &std::pair<std::string, std::string>::first);
                    values.add(found == run.environment.end() ? notSet() : shownValue(found->second));
                }
            return values;
        };
        addRow(format::fromUtf8(name), valuesOf(input.groupA), valuesOf(input.groupB), DifferenceKind::Unexpected,
               rows);
    }
}

} // namespace

std::vector<DifferenceRow> differenceRows(const ComparisonInput& input) {
    std::vector<DifferenceRow> rows;
    if (input.groupA.empty() || input.groupB.empty())
        return rows;
    addDerived(input, rows);
    addSettings(input, rows);
    addEnvironment(input, rows);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const DifferenceRow& one, const DifferenceRow& other) { return one.kind < other.kind; });
    return rows;
}

DifferenceModel::DifferenceModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void DifferenceModel::setRows(std::vector<DifferenceRow> rows) {
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void DifferenceModel::setAllShown(bool on) {
    beginResetModel();
    m_all = on;
    endResetModel();
}

std::size_t DifferenceModel::shown() const {
    if (m_all)
        return m_rows.size();
    return static_cast<std::size_t>(std::count_if(
        m_rows.begin(), m_rows.end(), [](const DifferenceRow& row) { return row.kind != DifferenceKind::Equal; }));
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DifferenceRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool unexpected = row.kind == DifferenceKind::Unexpected || row.kind == DifferenceKind::Mixed;
    if (role == Qt::DecorationRole && index.column() == Kind && unexpected)
        return icon(QStringLiteral("warning"), m_theme.colors().warning);
    if (role == Qt::ForegroundRole && row.kind == DifferenceKind::Equal)
        return m_theme.colors().secondary;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case Setting:
        return row.name;
    case ValueA:
        return row.a;
    case ValueB:
        return row.b;
    case Kind:
        return kindTitle(row.kind);
    default:
        return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Setting:
        return tr("Setting");
    case ValueA:
        return tr("A");
    case ValueB:
        return tr("B");
    case Kind:
        return tr("Kind");
    default:
        return {};
    }
}

} // namespace accumulus::ui
