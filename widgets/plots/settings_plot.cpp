// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/settings_plot.h"

#include "widgets/models/setting_run_model.h"
#include "widgets/plots/painted_picture.h"
#include "widgets/plots/plot_file.h"
#include "widgets/plots/plot_table.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QFileInfo>
#include <QImage>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <QTableView>
#include <algorithm>
#include <memory>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr QSize kSmallestPicture(720, 400);

QAccessibleInterface* chartInterface(const QString& className, QObject* object) {
    if (className != QLatin1String(SettingsPlot::staticMetaObject.className()) || !object->isWidgetType())
        return nullptr;
    return new QAccessibleWidget(static_cast<QWidget*>(object), QAccessible::Chart);
}

SettingsStyle styleOf(const Theme& theme, const ThemeColors& colors, const QPaintDevice* device) {
    SettingsStyle style{colors, theme.numberFont(), theme.captionFont(), device};
    style.title.setWeight(QFont::DemiBold);
    return style;
}

bool isSaveKey(const QKeyEvent& key) { return key.key() == Qt::Key_E && key.modifiers() == Qt::ControlModifier; }

} // namespace

SettingsPlot::SettingsPlot(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    static const bool told = (QAccessible::installFactory(chartInterface), true);
    Q_UNUSED(told)
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
    updateWords();
}

QSize SettingsPlot::sizeHint() const {
    const int line = QFontMetrics(m_theme.captionFont()).height();
    return {36 * line, 22 * line};
}

QSize SettingsPlot::minimumSizeHint() const {
    const int line = QFontMetrics(m_theme.captionFont()).height();
    return {18 * line, 22 * line};
}

std::optional<std::size_t> SettingsPlot::find(const MeasuredRun& run) const {
    const auto& runs = m_figure.axes.runs;
    const auto found =
        std::ranges::find_if(runs, [&](const MeasuredRun& one) { return one.id == run.id && one.group == run.group; });
    return found == runs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - runs.begin()));
}

void SettingsPlot::setFigure(SettingsFigure figure) {
    const SettingsFigure before = std::exchange(m_figure, std::move(figure));
    for (auto* run : {&m_chosen, &m_hovered})
        if (*run)
            *run = find(before.axes.runs[**run]);
    setAccessibleName(figureTitle(m_figure));
    showHighlight();
}

/// By a key, a click or a row of the table: where the pointer rests does not matter then.
void SettingsPlot::choose(std::optional<std::size_t> run) {
    m_chosen = run;
    m_hovered.reset();
    showHighlight();
}

void SettingsPlot::chooseRun(const QString& id) {
    const auto& runs = m_figure.axes.runs;
    const auto found = std::ranges::find(runs, id.toStdString(), &MeasuredRun::id);
    if (found != runs.end())
        choose(static_cast<std::size_t>(found - runs.begin()));
}

QString SettingsPlot::chosenRun() const {
    return m_chosen ? QString::fromStdString(m_figure.axes.runs[*m_chosen].id) : QString();
}

void SettingsPlot::showHighlight() {
    m_figure.highlighted = highlighted();
    updateWords();
    update();
}

void SettingsPlot::hover(std::optional<std::size_t> run) {
    if (run == m_hovered)
        return;
    m_hovered = run;
    showHighlight();
}

/// While keys go from run to run, a screen reader hears each of them.
void SettingsPlot::updateWords() {
    const QString words = hasFocus() && m_chosen && !m_figure.empty() ? runSummary(m_figure, *m_chosen) : summaryText();
    if (accessibleDescription() != words)
        setAccessibleDescription(words);
}

SettingsPicture SettingsPlot::picture() const {
    return {m_figure, styleOf(m_theme, m_theme.colors(), this), QSizeF(size())};
}

void SettingsPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    picture().paint(painter);
    if (!m_framed)
        return;
    painter.setPen(QPen(m_theme.colors().accent, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

void SettingsPlot::mouseMoveEvent(QMouseEvent* event) { hover(picture().runAt(event->position())); }

void SettingsPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const auto run = picture().runAt(event->position());
    choose(run == m_chosen ? std::nullopt : run);
}

void SettingsPlot::leaveEvent(QEvent*) { hover({}); }

void SettingsPlot::step(int runs) {
    const std::vector<std::size_t> order = runOrder(m_figure);
    if (order.empty())
        return;
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    const auto here = m_chosen ? std::ranges::find(order, *m_chosen) : order.end();
    const std::ptrdiff_t at = here != order.end() ? std::clamp<std::ptrdiff_t>(here - order.begin() + runs, 0, last)
                              : runs > 0          ? 0
                                                  : last;
    choose(order[static_cast<std::size_t>(at)]);
}

void SettingsPlot::stepToEnd(bool last) {
    m_chosen.reset();
    step(last ? -1 : 1);
}

void SettingsPlot::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const int key = event->key();
    if (plain && (key == Qt::Key_Right || key == Qt::Key_Up))
        step(1);
    else if (plain && (key == Qt::Key_Left || key == Qt::Key_Down))
        step(-1);
    else if (plain && (key == Qt::Key_Home || key == Qt::Key_End))
        stepToEnd(key == Qt::Key_End);
    else if (plain && key == Qt::Key_T)
        showTable();
    else if (key == Qt::Key_Escape && m_chosen)
        choose({});
    else if (isSaveKey(*event))
        exportWithDialog();
    else
        return QWidget::keyPressEvent(event);
    event->accept();
}

bool SettingsPlot::event(QEvent* event) {
    // A plot with the focus saves itself; the window has the same key for its export.
    if (event->type() == QEvent::ShortcutOverride && isSaveKey(*static_cast<const QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void SettingsPlot::focusInEvent(QFocusEvent* event) {
    m_framed = event->reason() != Qt::MouseFocusReason;
    QWidget::focusInEvent(event);
    updateWords();
}

void SettingsPlot::focusOutEvent(QFocusEvent* event) {
    m_framed = false;
    QWidget::focusOutEvent(event);
    updateWords();
}

void SettingsPlot::contextMenuEvent(QContextMenuEvent* event) {
    showMenu(event->reason() == QContextMenuEvent::Keyboard ? mapToGlobal(rect().center()) : event->globalPos());
    event->accept();
}

void SettingsPlot::showMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("plotMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& name, const QString& text, auto&& act) {
        QAction* action = menu->addAction(text);
        action->setObjectName(name);
        action->setEnabled(!m_figure.empty());
        connect(action, &QAction::triggered, this, act);
    };
    const auto withKeys = [](const QString& text, const QString& keys) { return text + QLatin1Char('\t') + keys; };
    add(QStringLiteral("plotTableAction"), withKeys(PlotView::tr("Show as table"), PlotView::tr("T")),
        [this] { showTable(); });
    add(QStringLiteral("plotCopy"), PlotView::tr("Copy picture"), [this] { copyToClipboard(); });
    add(QStringLiteral("plotExport"), withKeys(PlotView::tr("Save as PNG, SVG, PDF or CSV…"), PlotView::tr("Ctrl+E")),
        [this] { exportWithDialog(); });
    menu->popup(at);
}

void SettingsPlot::showTable() {
    if (m_figure.empty())
        return;
    auto* model = new SettingRunModel(m_figure.axes);
    const QTableView* table = showTableWindow(
        figureTitle(m_figure), model, [text = model->text()](const auto&) { return text; }, this); // a few runs
    if (m_chosen)
        table->selectionModel()->setCurrentIndex(model->index(static_cast<int>(*m_chosen), 0),
                                                 QItemSelectionModel::SelectCurrent | QItemSelectionModel::Rows);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, model](const QModelIndex& current) {
                if (current.isValid())
                    choose(find(model->run(current.row())));
            });
}

/// In light colours, at least as large as a page has room for.
PaintedPicture SettingsPlot::forPaper() const {
    const auto probe = std::make_shared<QImage>(pictureProbe());
    const QSize size = this->size().expandedTo(kSmallestPicture);
    return {size, figureTitle(m_figure), summaryText(), [this, probe, size](QPainter& painter) {
                SettingsPicture(m_figure, styleOf(m_theme, lightColors(), probe.get()), size).paint(painter);
            }};
}

void SettingsPlot::copyToClipboard() const { copyPicture(forPaper()); }

void SettingsPlot::exportWithDialog() {
    if (m_figure.empty())
        return;
    if (const auto wanted = askForPlotFile(this, figureTitle(m_figure), false))
        saveAs(wanted->file, wanted->format);
}

bool SettingsPlot::saveCsv(const QString& file) const {
    const QByteArray text = QByteArray::fromStdString(settingsCsv(m_figure.axes));
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.commit();
}

bool SettingsPlot::saveAs(QString file, const PlotFormat& format) {
    file = withPlotEnding(file, format);
    const bool numbers = QFileInfo(file).suffix().toLower() == QLatin1String("csv");
    const bool saved = numbers ? saveCsv(file) : savePicture(forPaper(), file, format.scale);
    if (!saved)
        Q_EMIT exportFailed(file);
    return saved;
}

} // namespace accumulus::ui
