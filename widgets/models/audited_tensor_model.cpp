// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/audited_tensor_model.h"

#include "widgets/style/format.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

namespace accumulus::ui {
namespace {

constexpr int digits = 3;

bool isText(int column) { return column == AuditedTensorModel::Name || column == AuditedTensorModel::Shape; }

double elements(const AuditedTensor& tensor) {
    double product = 1.0;
    for (const std::int64_t extent : tensor.shape)
        product *= static_cast<double>(extent);
    return product;
}

/// What the column sorts by; NaN where there is nothing. A tensor that failed comes before one that passed.
double number(const AuditedTensor& tensor, int column) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    switch (column) {
    case AuditedTensorModel::Result:
        return tensor.passed ? 1.0 : 0.0;
    case AuditedTensorModel::Error:
        return tensor.error;
    case AuditedTensorModel::Tolerance:
        return tensor.tolerance;
    case AuditedTensorModel::NoiseFloor:
        return tensor.noiseFloor.value_or(none);
    case AuditedTensorModel::LargestError:
        return tensor.largestError;
    case AuditedTensorModel::Cosine:
        return tensor.cosine;
    case AuditedTensorModel::Norm:
        return tensor.norm;
    case AuditedTensorModel::ReferenceNorm:
        return tensor.referenceNorm;
    case AuditedTensorModel::ErrorFp64:
        return tensor.errorFp64.value_or(none);
    case AuditedTensorModel::ReferenceErrorFp64:
        return tensor.referenceErrorFp64.value_or(none);
    case AuditedTensorModel::Shape:
        return elements(tensor);
    default:
        return none;
    }
}

/// Nothing sorts below everything.
bool numberLess(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && !std::isnan(b);
    return a < b;
}

QString shapeText(const AuditedTensor& tensor) {
    QStringList extents;
    for (const std::int64_t extent : tensor.shape)
        extents << format::count(extent);
    return extents.isEmpty() ? QStringLiteral("–") : extents.join(QStringLiteral(" × "));
}

} // namespace

void AuditedTensorModel::setTensors(std::vector<AuditedTensor> tensors, AuditVerdict verdict) {
    beginResetModel();
    m_tensors = std::move(tensors);
    m_verdict = verdict;
    refill();
    endResetModel();
}

void AuditedTensorModel::setFailedOnly(bool on) {
    beginResetModel();
    m_failedOnly = on;
    refill();
    endResetModel();
}

void AuditedTensorModel::setFilter(const QString& text) {
    beginResetModel();
    m_filter = text.trimmed();
    refill();
    endResetModel();
}

std::size_t AuditedTensorModel::failedCount() const {
    return static_cast<std::size_t>(std::ranges::count(m_tensors, false, &AuditedTensor::passed));
}

void AuditedTensorModel::refill() {
    m_visible.clear();
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
        if ((!m_failedOnly || !m_tensors[i].passed) &&
            format::fromUtf8(m_tensors[i].name).contains(m_filter, Qt::CaseInsensitive))
            m_visible.push_back(i);
    if (m_sortColumn < 0)
        return;
    const auto less = [this](std::size_t a, std::size_t b) {
        if (m_sortColumn == Name)
            return m_tensors[a].name < m_tensors[b].name;
        return numberLess(number(m_tensors[a], m_sortColumn), number(m_tensors[b], m_sortColumn));
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::ranges::stable_sort(m_visible, less);
    else
        std::ranges::stable_sort(m_visible, [&](std::size_t a, std::size_t b) { return less(b, a); });
}

void AuditedTensorModel::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const std::vector<std::size_t> before = m_visible;
    refill();
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    to.reserve(from.size());
    for (const QModelIndex& old : from) {
        const auto row = std::ranges::find(m_visible, before[static_cast<std::size_t>(old.row())]);
        to << index(static_cast<int>(row - m_visible.begin()), old.column());
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int AuditedTensorModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_visible.size());
}

int AuditedTensorModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString AuditedTensorModel::text(const AuditedTensor& tensor, int column) const {
    switch (column) {
    case Name:
        return format::fromUtf8(tensor.name);
    case Shape:
        return shapeText(tensor);
    case Result:
        if (tensor.passed)
            return tr("passed");
        return m_verdict == AuditVerdict::Expected ? tr("expected") : tr("failed");
    case Cosine:
        return std::isnan(tensor.cosine) ? QStringLiteral("–") : format::number(tensor.cosine, 6);
    default:
        const double value = number(tensor, column);
        return std::isnan(value) ? QStringLiteral("–") : format::number(value, digits);
    }
}

QVariant AuditedTensorModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const AuditedTensor& shown = tensor(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, column);
    case Qt::ToolTipRole:
        return column == Name ? QVariant(text(shown, Name)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((isText(column) || column == Result ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case PassedRole:
        return shown.passed;
    case SortRole:
        return column == Name ? QVariant(text(shown, Name)) : QVariant(number(shown, column));
    default:
        return {};
    }
}

QVariant AuditedTensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isText(section) || section == Result ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    struct Words {
        QString title, help;
    };
    const auto words = [&]() -> Words {
        switch (section) {
        case Name:
            return {tr("Tensor"), tr("Name of the parameter")};
        case Shape:
            return {tr("Shape"), {}};
        case Result:
            return {tr("Result"), tr("Is the error within the tolerance?")};
        case Error:
            return {tr("Error"), tr("Distance between the accumulated gradient and the large batch's, relative to the "
                                    "norm of the latter")};
        case Tolerance:
            return {tr("Tolerance"), tr("Largest error that counts as rounding")};
        case NoiseFloor:
            return {tr("Noise floor"),
                    tr("Distance between the large batch's gradients for two orders of its samples")};
        case LargestError:
            return {tr("Largest"), tr("Largest error of a single element, absolute")};
        case Cosine:
            return {tr("Cosine"), tr("1: both gradients point in the same direction")};
        case Norm:
            return {tr("Norm"), tr("Norm of the accumulated gradient")};
        case ReferenceNorm:
            return {tr("Norm, large"), tr("Norm of the large batch's gradient")};
        case ErrorFp64:
            return {tr("To fp64"), tr("Distance from the accumulated gradient to the fp64 reference")};
        default:
            return {tr("Large to fp64"), tr("Distance from the large batch's gradient to the fp64 reference")};
        }
    }();
    if (role == Qt::DisplayRole)
        return words.title;
    return role == Qt::ToolTipRole && !words.help.isEmpty() ? QVariant(words.help) : QVariant();
}

} // namespace accumulus::ui
