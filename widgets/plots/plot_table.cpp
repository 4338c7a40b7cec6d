// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_table.h"

#include "widgets/style/format.h"
#include "widgets/style/theme.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr int shownDigits = 6;
constexpr QSize dialogSize(640, 520);

QString exactText(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest) : QString();
}

QString lineOf(const QStringList& cells) { return cells.join(QLatin1Char('\t')) + QLatin1Char('\n'); }

} // namespace

/// They do not change.
struct PlotTableModel::Numbers {
    struct Column {
        QString title;
        Series points; ///< the visible ones
    };
    QString xTitle;
    std::vector<double> x;
    std::vector<Column> columns;

    Numbers(const PlotModel& plot, const AxisRange& visible);
    [[nodiscard]] std::optional<double> value(std::size_t row, std::size_t column) const;
    [[nodiscard]] QString text(const std::function<bool(double)>& goesOn) const;
};

PlotTableModel::Numbers::Numbers(const PlotModel& plot, const AxisRange& visible) : xTitle(plot.xTitle) {
    for (const ModelCurve& curve : plot.curves) {
        if (!plot.shows(curve))
            continue;
        const Series& raw = curve.data.raw();
        const IndexRange inside = pointsInside(raw, visible);
        const auto part = [&inside](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(inside.begin),
                                       all.begin() + static_cast<std::ptrdiff_t>(inside.end));
        };
        Column& column = columns.emplace_back();
        column.title = curve.look.label.isEmpty() ? curve.look.id : curve.look.label;
        column.points = {part(raw.x), part(raw.y)};
        // Both ascend: of a long curve a sorting of all its x would take too long.
        std::vector<double> merged;
        merged.reserve(std::max(x.size(), column.points.x.size()));
        std::ranges::set_union(x, column.points.x, std::back_inserter(merged));
        x = std::move(merged);
    }
    x.erase(std::ranges::unique(x).begin(), x.end());
}

std::optional<double> PlotTableModel::Numbers::value(std::size_t row, std::size_t column) const {
    if (column == 0)
        return x[row];
    const Series& points = columns[column - 1].points;
    // Of several points at one x the last one counts: an evaluation that was made again after a resume.
    const auto after = std::ranges::upper_bound(points.x, x[row]);
    if (after == points.x.begin() || *(after - 1) < x[row])
        return std::nullopt;
    return points.y[static_cast<std::size_t>(after - points.x.begin()) - 1];
}

QString PlotTableModel::Numbers::text(const std::function<bool(double)>& goesOn) const {
    constexpr std::size_t rowsBetween = 4096;
    QStringList titles{xTitle};
    for (const Column& column : columns)
        titles << column.title;
    QString text = lineOf(titles);
    for (std::size_t row = 0; row < x.size(); ++row) {
        if (row % rowsBetween == 0 && !goesOn(static_cast<double>(row) / static_cast<double>(x.size())))
            return {};
        for (std::size_t column = 0; column <= columns.size(); ++column) {
            if (column > 0)
                text += QLatin1Char('\t');
            if (const auto number = value(row, column))
                text += exactText(*number);
        }
        text += QLatin1Char('\n');
    }
    return text;
}

PlotTableModel::PlotTableModel(const PlotModel& plot, const AxisRange& visible, QObject* parent)
    : QAbstractTableModel(parent), m_numbers(std::make_shared<const Numbers>(plot, visible)) {}

int PlotTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_numbers->x.size());
}

int PlotTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_numbers->columns.size());
}

QVariant PlotTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    const auto number =
        m_numbers->value(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()));
    if (!number || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    return role == Qt::EditRole ? QVariant(*number) : QVariant(format::number(*number, shownDigits));
}

QVariant PlotTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? m_numbers->xTitle : m_numbers->columns[static_cast<std::size_t>(section) - 1].title;
}

TableText PlotTableModel::text() const {
    return [numbers = m_numbers](const std::function<bool(double)>& goesOn) { return numbers->text(goesOn); };
}

QTableView* showTableWindow(const QString& title, QAbstractItemModel* model, TableText text, QWidget* parent) {
    const QString name = QStringLiteral("plotTableDialog");
    if (auto* open = parent->findChild<QDialog*>(name)) {
        open->setObjectName({});
        open->close();
    }
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    model->setParent(dialog);
    auto* table = new QTableView;
    table->setObjectName(QStringLiteral("plotTable"));
    table->setAccessibleName(title);
    table->setModel(model);
    table->setFrameShape(QFrame::NoFrame);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setResizeContentsPrecision(100); // rows looked at; all of a long run would take too long
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setText(PlotView::tr("Close"));
    auto* button = buttons->addButton(PlotView::tr("Copy all"), QDialogButtonBox::ActionRole);
    button->setObjectName(QStringLiteral("plotTableCopy"));
    const qint64 cells = qint64{model->rowCount()} * model->columnCount();
    auto* copy = new TableCopy(cells, std::move(text), button, dialog);
    QObject::connect(dialog, &QDialog::finished, copy, &TableCopy::cancel); // it goes only a little later
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(space::l, space::l, space::l, space::l);
    column->setSpacing(space::m);
    column->addWidget(table, 1);
    column->addWidget(copy);
    column->addWidget(buttons);
    dialog->resize(dialogSize);
    dialog->show();
    return table;
}

void showPlotTable(const PlotModel& plot, const AxisRange& visible, QWidget* parent) {
    auto* model = new PlotTableModel(plot, visible);
    showTableWindow(plot.title, model, model->text(), parent);
}

} // namespace accumulus::ui
