// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_table.h"

#include "widgets/style/format.h"
#include "widgets/style/theme.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
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

PlotTableModel::PlotTableModel(const PlotModel& plot, const AxisRange& visible, QObject* parent)
    : QAbstractTableModel(parent), m_xTitle(plot.xTitle) {
    for (const ModelCurve& curve : plot.curves) {
        const Series& raw = curve.data.raw();
        const IndexRange inside = pointsInside(raw, visible);
        const auto part = [&inside](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(inside.begin),
                                       all.begin() + static_cast<std::ptrdiff_t>(inside.end));
        };
        Column& column = m_columns.emplace_back();
        column.title = curve.look.label.isEmpty() ? curve.look.id : curve.look.label;
        column.points = {part(raw.x), part(raw.y)};
        // Both ascend: of a long curve a sorting of all its x would take too long.
        std::vector<double> merged;
        merged.reserve(std::max(m_x.size(), column.points.x.size()));
        std::ranges::set_union(m_x, column.points.x, std::back_inserter(merged));
        m_x = std::move(merged);
    }
    m_x.erase(std::ranges::unique(m_x).begin(), m_x.end());
}

int PlotTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_x.size());
}

int PlotTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_columns.size());
}

std::optional<double> PlotTableModel::value(int row, int column) const {
    const double x = m_x[static_cast<std::size_t>(row)];
    if (column == 0)
        return x;
    const Series& points = m_columns[static_cast<std::size_t>(column) - 1].points;
    // Of several points at one x the last one counts: an evaluation that was made again after a resume.
    const auto after = std::ranges::upper_bound(points.x, x);
    if (after == points.x.begin() || *(after - 1) < x)
        return std::nullopt;
    return points.y[static_cast<std::size_t>(after - points.x.begin()) - 1];
}

QVariant PlotTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    const auto number = value(index.row(), index.column());
    if (!number || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    return role == Qt::EditRole ? QVariant(*number) : QVariant(format::number(*number, shownDigits));
}

QVariant PlotTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? m_xTitle : m_columns[static_cast<std::size_t>(section) - 1].title;
}

QString PlotTableModel::text() const {
    QStringList titles{m_xTitle};
    for (const Column& column : m_columns)
        titles << column.title;
    QString text = lineOf(titles);
    for (int row = 0; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column) {
            const auto number = value(row, column);
            cells << (number ? exactText(*number) : QString());
        }
        text += lineOf(cells);
    }
    return text;
}

QTableView* showTableWindow(const QString& title, QAbstractItemModel* model, std::function<QString()> text,
                            QWidget* parent) {
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
    auto* copy = buttons->addButton(QCoreApplication::translate("accumulus::ui::PlotView", "Copy all"),
                                    QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("plotTableCopy"));
    QObject::connect(copy, &QPushButton::clicked, model,
                     [text = std::move(text)] { QGuiApplication::clipboard()->setText(text()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(space::l, space::l, space::l, space::l);
    column->setSpacing(space::m);
    column->addWidget(table, 1);
    column->addWidget(buttons);
    dialog->resize(dialogSize);
    dialog->show();
    return table;
}

void showPlotTable(const PlotModel& plot, const AxisRange& visible, QWidget* parent) {
    auto* model = new PlotTableModel(plot, visible);
    showTableWindow(
        plot.title, model, [model] { return model->text(); }, parent);
}

} // namespace accumulus::ui
