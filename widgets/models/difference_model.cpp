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

void addSettings(const RunConfig& a, const RunConfig& b, std::vector<DifferenceRow>& rows) {
    ExperimentConfig inA;
    inA.run = a;
    ExperimentConfig inB;
    inB.run = b;
    for (const FieldDifference& difference : configDifferences(a, b))
        rows.push_back({difference.expected ? DifferenceKind::Expected : DifferenceKind::Unexpected,
                        format::fromUtf8(difference.key), shownValue(difference.a), shownValue(difference.b)});
    const std::size_t differing = rows.size();
    for (const ConfigField& field : configFields()) {
        const QString key = format::fromUtf8(field.key);
        const bool listed = std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(differing),
                                        [&key](const DifferenceRow& row) { return row.name == key; });
        if (listed || field.key.starts_with("study.") || !(field.applies(inA) || field.applies(inB)))
            continue;
        rows.push_back(
            {DifferenceKind::Equal, key, shownValue(fieldText(field.get(inA))), shownValue(fieldText(field.get(inB)))});
    }
}

/// What follows from the settings and is the point of a pair: the arm, and K where it is derived.
void addDerived(const ComparedRun& a, const ComparedRun& b, std::vector<DifferenceRow>& rows) {
    const auto add = [&rows](const QString& name, const QString& inA, const QString& inB) {
        rows.push_back({inA == inB ? DifferenceKind::Equal : DifferenceKind::Expected, name, inA, inB});
    };
    add(DifferenceModel::tr("arm"), format::armTitle(a.arm), format::armTitle(b.arm));
    if (a.config.batch.steps == 0 || b.config.batch.steps == 0)
        add(DifferenceModel::tr("accumulation steps (derived)"), format::count(a.batch.steps),
            format::count(b.batch.steps));
}

/// Of runs that have not begun nothing is known.
const ComparedRun& begunRun(const std::vector<ComparedRun>& group) {
    const auto found = std::ranges::find_if(group, [](const ComparedRun& run) { return !run.environment.empty(); });
    return found == group.end() ? group.front() : *found;
}

void addEnvironment(const ComparedRun& a, const ComparedRun& b, std::vector<DifferenceRow>& rows) {
    if (a.environment.empty() || b.environment.empty())
        return;
    const auto find = [](const ComparedRun& run, const std::string& name) {
        const auto found = std::find_if(run.environment.begin(), run.environment.end(),
                                        [&name](const auto& fact) { return fact.first == name; });
        return found == run.environment.end() ? std::string() : found->second;
    };
    std::vector<std::string> names;
    for (const ComparedRun* run : {&a, &b})
        for (const auto& fact : run->environment)
            if (std::find(names.begin(), names.end(), fact.first) == names.end())
                names.push_back(fact.first);
    for (const std::string& name : names) {
        const std::string inA = find(a, name);
        const std::string inB = find(b, name);
        rows.push_back({inA == inB ? DifferenceKind::Equal : DifferenceKind::Unexpected, format::fromUtf8(name),
                        shownValue(inA), shownValue(inB)});
    }
}

} // namespace

std::vector<DifferenceRow> differenceRows(const ComparisonInput& input) {
    std::vector<DifferenceRow> rows;
    if (input.groupA.empty() || input.groupB.empty())
        return rows;
    addDerived(input.groupA.front(), input.groupB.front(), rows);
    addSettings(input.groupA.front().config, input.groupB.front().config, rows);
    addEnvironment(begunRun(input.groupA), begunRun(input.groupB), rows);
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
    const bool unexpected = row.kind == DifferenceKind::Unexpected;
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
        return unexpected                             ? tr("unexpected")
               : row.kind == DifferenceKind::Expected ? tr("differs by design")
                                                      : tr("equal");
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
