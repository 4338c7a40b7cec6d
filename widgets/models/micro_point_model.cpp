// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/micro_point_model.h"

#include "widgets/style/format.h"

#include <QFont>
#include <QLocale>

namespace accumulus::ui {

namespace {

QString absent() { return QStringLiteral("–"); }

/// 0.0432 s reads "43.2 ms".
QString shortTime(double seconds) {
    return seconds < 1.0 ? QStringLiteral("%1 ms").arg(format::number(seconds * 1000.0, 3)) : format::duration(seconds);
}

} // namespace

void MicroPointModel::setPlan(MicroPlan plan, bool whole) {
    m_whole = whole;
    const int before = rowCount();
    const int after = static_cast<int>(plan.points.size());
    bool same = true; // the rows that are there stand for the sizes that they stood for
    for (std::size_t i = 0; i < std::min(plan.points.size(), m_plan.points.size()); ++i)
        same = same && plan.points[i].micro == m_plan.points[i].micro;
    if (!same || after < before) {
        beginResetModel();
        m_plan = std::move(plan);
        endResetModel();
        return;
    }
    if (after > before)
        beginInsertRows({}, before, after - 1);
    m_plan = std::move(plan);
    if (after > before)
        endInsertRows();
    if (before > 0)
        Q_EMIT dataChanged(index(0, 0), index(before - 1, ColumnCount - 1));
}

int MicroPointModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_plan.points.size());
}

int MicroPointModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant MicroPointModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == Result ? QVariant(resultText(row)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(index.column() == Result ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    case Qt::FontRole:
        if (m_whole && m_plan.recommended == row) {
            QFont bold;
            bold.setWeight(QFont::DemiBold);
            return bold;
        }
        return {};
    default:
        return {};
    }
}

QVariant MicroPointModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(section == Result ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Micro:
        return tr("m", "micro-batch");
    case Steps:
        return tr("K", "accumulation steps");
    case Lanes:
        return tr("Lanes");
    case Memory:
        return tr("Peak memory");
    case Speed:
        return tr("Speed");
    case UpdateTime:
        return tr("Time per update");
    case Overhead:
        return tr("Over the best");
    case Result:
        return tr("Result");
    default:
        return {};
    }
}

QString MicroPointModel::text(std::size_t row, int column) const {
    const MicroPoint& point = m_plan.points[row];
    switch (column) {
    case Micro:
        return format::count(point.micro);
    case Steps:
        return format::count(point.steps);
    case Lanes:
        if (point.lanes < 1)
            return absent();
        return point.threads > 1 ? tr("%1, of %2 threads").arg(point.lanes).arg(point.threads)
                                 : format::count(point.lanes);
    case Memory:
        return point.peakBytes ? format::bytes(*point.peakBytes) : absent();
    case Speed:
        return point.samplesPerSecond ? format::rate(*point.samplesPerSecond) : absent();
    case UpdateTime:
        return point.updateSeconds ? shortTime(*point.updateSeconds) : absent();
    case Overhead: {
        const auto overhead = overheadOf(m_plan, point);
        return overhead ? QStringLiteral("+%1 %").arg(QLocale().toString(100.0 * *overhead, 'f', 0)) : absent();
    }
    case Result:
        return resultText(row);
    default:
        return {};
    }
}

QString MicroPointModel::resultText(std::size_t row) const {
    const MicroPoint& point = m_plan.points[row];
    if (!point.fits)
        return QStringLiteral("✕ ") + (point.problem ? format::message(*point.problem) : tr("does not fit"));
    if (m_plan.recommended == row)
        return !m_whole          ? tr("recommended so far")
               : m_plan.verified ? tr("✓ recommended, verified")
                                 : tr("✓ recommended");
    if (kneePoint(m_plan.points) == row)
        return tr("smallest with 95 % of the best speed");
    return tr("fits");
}

} // namespace accumulus::ui
