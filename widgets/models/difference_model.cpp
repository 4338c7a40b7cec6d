// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/difference_model.h"

#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"
#include "widgets/models/comparison_text.h"
#include "widgets/style/field_titles.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <algorithm>
#include <optional>

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

/// Of groups without runs nothing is known.
using GroupValues = std::vector<std::optional<Values>>;

template <class ValuesOf>
GroupValues valuesOfGroups(const ComparisonInput& input, const ValuesOf& valuesOf) {
    GroupValues values;
    for (std::size_t group = 0; group < groupCount(input); ++group) {
        const std::vector<ComparedRun>& runs = groupAt(input, group);
        values.push_back(runs.empty() ? std::nullopt : std::optional<Values>(valuesOf(runs)));
    }
    return values;
}

void addRow(const QString& name, const GroupValues& groups, DifferenceKind differing,
            std::vector<DifferenceRow>& rows) {
    bool mixed = false;
    bool equal = true;
    QStringList texts;
    for (const auto& values : groups) {
        mixed = mixed || (values && values->stored.size() > 1);
        equal = equal && (!values || values->stored == groups.front()->stored); // A holds runs
        texts << (values ? values->text() : QStringLiteral("–"));
    }
    const DifferenceKind kind = mixed ? DifferenceKind::Mixed : equal ? DifferenceKind::Equal : differing;
    rows.push_back({kind, name, texts.value(0), texts.value(1), texts.mid(2)});
}

template <class Matches>
bool anyRun(const ComparisonInput& input, const Matches& matches) {
    for (std::size_t group = 0; group < groupCount(input); ++group)
        if (std::ranges::any_of(groupAt(input, group), matches))
            return true;
    return false;
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
    return !anyRun(input, [effective = input.groupA.front().batch.effective](const ComparedRun& run) {
        return run.batch.effective != effective;
    });
}

void addSettings(const ComparisonInput& input, std::vector<DifferenceRow>& rows) {
    for (const ConfigField& field : configFields()) {
        if (field.key.starts_with("study."))
            continue;
        const GroupValues values =
            valuesOfGroups(input, [&field](const std::vector<ComparedRun>& runs) { return settingOf(field, runs); });
        if (std::ranges::all_of(values, [](const auto& one) { return !one || one->shown == QStringList{notSet()}; }))
            continue; // it matters in no run
        addRow(format::fromUtf8(field.key), values,
               field.inPairHash ? DifferenceKind::Unexpected : DifferenceKind::Expected, rows);
        if (field.key == "batch.effective" && sameEffective(input))
            rows.back().kind = DifferenceKind::Equal;
    }
}

/// What follows from the settings and is the point of a pair: the arm, and K where it is derived.
void addDerived(const ComparisonInput& input, std::vector<DifferenceRow>& rows) {
    const auto add = [&](const QString& name, const auto& value) {
        const auto valuesOf = [&value](const std::vector<ComparedRun>& runs) {
            Values values;
            for (const ComparedRun& run : runs)
                values.add(value(run));
            return values;
        };
        addRow(name, valuesOfGroups(input, valuesOf), DifferenceKind::Expected, rows);
    };
    add(DifferenceModel::tr("arm"), [](const ComparedRun& run) { return format::armTitle(run.arm); });
    if (anyRun(input, [](const ComparedRun& run) { return run.config.batch.steps == 0; }))
        add(DifferenceModel::tr("accumulation steps (derived)"),
            [](const ComparedRun& run) { return format::count(run.batch.steps); });
}

bool begun(const ComparedRun& run) { return !run.environment.empty(); }

/// Of runs that have not begun nothing is known: they are left out.
void addEnvironment(const ComparisonInput& input, std::vector<DifferenceRow>& rows) {
    if (std::ranges::none_of(input.groupA, begun) || std::ranges::none_of(input.groupB, begun))
        return;
    std::vector<std::string> names;
    for (std::size_t group = 0; group < groupCount(input); ++group)
        for (const ComparedRun& run : groupAt(input, group))
            for (const auto& fact : run.environment)
                if (std::ranges::find(names, fact.first) == names.end())
                    names.push_back(fact.first);
    for (const std::string& name : names) {
        GroupValues values = valuesOfGroups(input, [&name](const std::vector<ComparedRun>& runs) {
            Values ofGroup;
            for (const ComparedRun& run : runs)
                if (begun(run)) {
                    const auto found =
                        std::ranges::find(run.environment, name, &std::pair<std::string, std::string>::first);
                    ofGroup.add(found == run.environment.end() ? notSet() : shownValue(found->second));
                }
            return ofGroup;
        });
        for (auto& ofGroup : values)
            if (ofGroup && ofGroup->stored.isEmpty())
                ofGroup.reset();
        addRow(format::fromUtf8(name), values, DifferenceKind::Unexpected, rows);
    }
}

} // namespace

QString DifferenceRow::title() const {
    const ConfigField* field = findField(name.toStdString());
    return field ? fieldTitle(*field) : name;
}

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
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kindColumn()));
    });
}

void DifferenceModel::setRows(std::vector<DifferenceRow> rows) {
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    m_further = m_rows.empty() ? 0 : static_cast<int>(m_rows.front().further.size());
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

int DifferenceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kindColumn() + 1; }

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DifferenceRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool unexpected = row.kind == DifferenceKind::Unexpected || row.kind == DifferenceKind::Mixed;
    if (role == Qt::DecorationRole && index.column() == kindColumn() && unexpected)
        return icon(QStringLiteral("warning"), m_theme.colors().warning);
    if (role == Qt::ForegroundRole && row.kind == DifferenceKind::Equal)
        return m_theme.colors().secondary;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (index.column() == Setting)
        return role == Qt::DisplayRole ? row.title() : row.name;
    return index.column() == kindColumn() ? kindTitle(row.kind) : row.values().value(index.column() - ValueA);
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    if (section == Setting)
        return tr("Setting");
    return section == kindColumn() ? tr("Kind")
                                   : comparison_text::groupLetter(static_cast<std::size_t>(section - ValueA));
}

} // namespace accumulus::ui
