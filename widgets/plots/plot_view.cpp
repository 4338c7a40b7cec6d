// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_view.h"

#include "widgets/plots/plot_view_impl.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QEvent>
#include <QFileInfo>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus::ui {

namespace {

QAccessibleInterface* plotInterface(const QString& className, QObject* object) {
    if (className != QLatin1String(PlotView::staticMetaObject.className()) || !object->isWidgetType())
        return nullptr;
    return new QAccessibleWidget(static_cast<QWidget*>(object), QAccessible::Chart);
}

} // namespace

PlotView::Impl::Impl(PlotView& owner, const Theme& ownerTheme)
    : view(owner), theme(ownerTheme), canvas(&owner), overlay(ownerTheme, model, canvas, &owner), outlierBadge(&owner),
      hiddenBadge(&owner), savingBadge(&owner), doneBadge(&owner), group(std::make_shared<PlotGroup>()) {
    outlierBadge.setObjectName(QStringLiteral("plotOutlierBadge"));
    hiddenBadge.setObjectName(QStringLiteral("plotHiddenBadge"));
    savingBadge.setObjectName(QStringLiteral("plotSavingBadge"));
    doneBadge.setObjectName(QStringLiteral("plotDoneBadge"));
    forgetDone.setSingleShot(true);
    for (QToolButton* badge : badges()) {
        badge->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        badge->setIconSize(QSize(14, 14));
        badge->setAutoRaise(true);
        badge->hide();
    }
    QObject::connect(&outlierBadge, &QToolButton::clicked, &view, [this] { view.setShowAll(true); });
    QObject::connect(&hiddenBadge, &QToolButton::clicked, &view, [this] { showHidden(); });
    QObject::connect(&savingBadge, &QToolButton::clicked, &view, [this] { view.cancelSaving(); });
    QObject::connect(&theme, &Theme::changed, &view, [this] { applyStyle(); });
    QObject::connect(&work, &NewestWork::idle, &view, [this] { settle(); });
    QObject::connect(&files, &FileWriter::changed, &view, [this] { updateSaving(); });
    QObject::connect(&doneBadge, &QToolButton::clicked, &doneBadge, &QToolButton::hide);
    QObject::connect(&forgetDone, &QTimer::timeout, &doneBadge, &QToolButton::hide);
    QObject::connect(&files, &FileWriter::written, &view, &PlotView::exportFinished);
    QObject::connect(&view, &PlotView::exportFinished, &view, [this](const QString& file) {
        confirm(PlotView::tr("Saved %1").arg(QFileInfo(file).fileName()));
    });
    QObject::connect(&files, &FileWriter::failed, &view, &PlotView::exportFailed);
    group->add(this);
    applyStyle();
}

PlotView::Impl::~Impl() { group->remove(this); }

/// Of curves that go there is no extent any more: the range is that of the panels which have theirs already.
AxisRange PlotView::Impl::dataExtent() const { return builder ? AxisRange() : xExtent(model); }

bool PlotView::Impl::onScreen() const { return view.isVisible(); }

void PlotView::Impl::applyStyle() {
    CanvasStyle style;
    style.colors = theme.colors();
    style.title = theme.numberFont();
    style.title.setWeight(QFont::DemiBold);
    style.label = theme.captionFont();
    style.tick = theme.captionFont();
    style.compactX = compactX;
    canvas.setStyle(style);
    canvas.setLeftMarginRule([this](int own) { return group->sharedLeftMargin(this, own); });
    for (QToolButton* badge : badges()) {
        badge->setFont(theme.captionFont());
        badge->setIcon(icon(QStringLiteral("info"), theme.colors().warning));
        QPalette palette;
        palette.setColor(QPalette::ButtonText, theme.colors().warning);
        badge->setPalette(palette);
    }
    QPalette quiet;
    quiet.setColor(QPalette::ButtonText, theme.colors().secondary);
    doneBadge.setPalette(quiet);
    doneBadge.setIcon({});
    group->interacted();
}

void PlotView::Impl::draw() {
    if (builder && !model.curves.empty()) { // the picture stays as it is, its axes with its curves
        if (!canvas.fits())
            canvas.replot();
        return;
    }
    model.logX = group->logX();
    model.guides = group->guides();
    const AxisRange& x = group->x();
    yFit = fitY(model, x, showAll);
    y = manualY.value_or(yFit.range);
    if (model.logY && y.lower <= 0.0)
        y = yFit.range;
    canvas.show(model, x, y);
    canvas.replot();
    overlay.fit = manualY ? YFit{} : yFit;
    overlay.update();
    updateBadges();
    updateWords();
    if (!(announcedX == x)) {
        announcedX = x;
        Q_EMIT view.rangeChanged(x.lower, x.upper);
    }
}

void PlotView::Impl::updateBadges() {
    const std::size_t outside = view.outliers();
    const std::size_t hidden = view.hiddenValues();
    outlierBadge.setVisible(outside > 0);
    hiddenBadge.setVisible(hidden > 0);
    QStringList words;
    if (yFit.above > 0)
        words << PlotView::tr("%Ln point(s) above", nullptr, static_cast<int>(yFit.above));
    if (yFit.below > 0)
        words << PlotView::tr("%Ln point(s) below", nullptr, static_cast<int>(yFit.below));
    outlierBadge.setText(words.join(QStringLiteral(", ")));
    outlierBadge.setToolTip(PlotView::tr("Show all points"));
    hiddenBadge.setText(PlotView::tr("%Ln value(s) ≤ 0 hidden", nullptr, static_cast<int>(hidden)));
    hiddenBadge.setToolTip(PlotView::tr("A logarithmic axis cannot show them. Click for a linear axis."));
    const QRect area = canvas.plotArea();
    int left = area.left() + space::xs;
    for (QToolButton* badge : badges()) {
        if (badge->isHidden())
            continue;
        badge->adjustSize();
        badge->move(left, area.top() + space::xs);
        badge->raise();
        left += badge->width() + space::xs;
    }
}

/// An axis that hides nothing stays as it is.
void PlotView::Impl::showHidden() {
    const bool byX = std::ranges::any_of(model.curves, [this](const ModelCurve& curve) {
        return model.shows(curve) && curve.data.atNonPositiveX() > 0;
    });
    const bool byY = std::ranges::any_of(
        model.curves, [this](const ModelCurve& curve) { return model.shows(curve) && curve.data.nonPositive() > 0; });
    if (byX)
        view.setLogX(false);
    if (byY)
        view.setLogY(false);
}

void PlotView::Impl::updateWords() {
    if (view.hasFocus() && group->crosshair()) // somebody reads point by point
        return announceCrosshair();
    if (const QString summary = view.summaryText(); view.accessibleDescription() != summary)
        view.setAccessibleDescription(summary);
}

void PlotView::Impl::crosshairMoved() {
    overlay.crosshair = group->crosshair();
    overlay.pin = group->pin();
    overlay.update();
}

void PlotView::Impl::tellRun(double x, std::optional<double> near, std::optional<std::size_t> selected) {
    const std::vector<ReadoutRow> rows = readoutAt(model, canvas, x, near, selected);
    if (!rows.empty() && !rows.front().run.isEmpty())
        Q_EMIT view.runPointedAt(rows.front().run);
}

void PlotView::Impl::groupStateChanged() {
    model.logX = group->logX(); // the range that follows the data is found before anything is drawn
    if (std::exchange(toldFollow, group->follow()) != group->follow())
        Q_EMIT view.followChanged(group->follow());
    if (std::exchange(toldLogX, group->logX()) != group->logX())
        Q_EMIT view.logXChanged(group->logX());
    if (model.hidden == group->hidden())
        return;
    model.hidden = group->hidden();
    if (overlay.selected && *overlay.selected < model.curves.size() && !model.shows(model.curves[*overlay.selected]))
        overlay.selected.reset();
    overlay.update();
    updateWords();
}

void PlotView::Impl::join(const std::shared_ptr<PlotGroup>& other) {
    if (group == other)
        return;
    group->remove(this);
    group = other;
    model.hidden = group->hidden();
    model.logX = group->logX();
    group->add(this);
}

PlotView::PlotView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_impl(std::make_unique<Impl>(*this, theme)) {
    static const bool told = (QAccessible::installFactory(plotInterface), true);
    Q_UNUSED(told)
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_impl->overlay.emptyText = tr("No points yet.");
    m_impl->sinceRemembered.start();
}

PlotView::~PlotView() = default;

void PlotView::setTitle(const QString& title) {
    m_impl->model.title = title;
    setAccessibleName(title);
    m_impl->group->dataChanged();
}

void PlotView::setAxisTitles(const QString& x, const QString& y) {
    m_impl->model.xTitle = x;
    m_impl->model.yTitle = y;
    m_impl->group->dataChanged();
}

void PlotView::setLogX(bool on) { m_impl->group->setLogX(on); }

void PlotView::setLogY(bool on) {
    if (on == m_impl->model.logY)
        return;
    m_impl->model.logY = on;
    m_impl->manualY.reset();
    m_impl->group->interacted();
    Q_EMIT logYChanged(on);
}

void PlotView::setSymmetricLogY(bool on) {
    m_impl->symmetricY = on;
    m_impl->scaleY();
    m_impl->manualY.reset();
    m_impl->group->interacted();
}

bool PlotView::logX() const { return m_impl->group->logX(); }
bool PlotView::logY() const { return m_impl->model.logY; }

void PlotView::setLegendVisible(bool on) {
    m_impl->model.legend = on;
    m_impl->group->dataChanged();
}

void PlotView::setLegendAlignment(Qt::Alignment alignment) {
    m_impl->model.legendAlignment = alignment;
    m_impl->applyStyle();
}

void PlotView::setXAxisCompact(bool on) {
    m_impl->compactX = on;
    m_impl->applyStyle();
}

void PlotView::setBands(std::vector<PlotBand> bands) {
    m_impl->model.bands = std::move(bands);
    for (PlotBand& band : m_impl->model.bands) {
        band.lower.resize(band.x.size(), std::nan(""));
        band.upper.resize(band.x.size(), std::nan(""));
    }
    m_impl->scaleY();
    m_impl->group->dataChanged();
}

void PlotView::setNotes(std::vector<PlotNote> notes) {
    m_impl->model.notes = std::move(notes);
    m_impl->group->dataChanged();
}

void PlotView::setXTicks(std::vector<double> values) {
    m_impl->model.xTicks = std::move(values);
    m_impl->group->dataChanged();
}

void PlotView::setSummary(const QString& summary) {
    m_impl->model.summary = summary;
    m_impl->updateWords();
}

void PlotView::setZeroLine(bool on) {
    m_impl->model.zeroLine = on;
    m_impl->group->dataChanged();
}

void PlotView::setMarginBand(std::optional<double> margin) {
    m_impl->model.margin = margin;
    m_impl->group->dataChanged();
}

void PlotView::setEmptyText(const QString& text) {
    m_impl->overlay.emptyText = text;
    m_impl->overlay.update();
}

void PlotView::setGuides(bool on) { m_impl->group->setGuides(on); }

void PlotView::setCurveHidden(const QString& id, bool hidden) {
    std::set<QString> ids = m_impl->group->hidden();
    if (hidden)
        ids.insert(id);
    else
        ids.erase(id);
    m_impl->group->setHidden(std::move(ids));
}

QStringList PlotView::hiddenCurves() const {
    const std::set<QString>& ids = m_impl->group->hidden();
    return {ids.begin(), ids.end()};
}

void PlotView::showAllCurves() { m_impl->group->setHidden({}); }

bool PlotView::guides() const { return m_impl->group->guides(); }

void PlotView::setFollow(bool on) {
    if (on)
        m_impl->manualY.reset();
    m_impl->group->setFollow(on);
}

bool PlotView::follow() const { return m_impl->group->follow(); }

void PlotView::setShowAll(bool on) {
    m_impl->showAll = on;
    m_impl->manualY.reset();
    m_impl->group->interacted();
}

bool PlotView::showAll() const { return m_impl->showAll; }

void PlotView::linkWith(const std::vector<PlotView*>& others) {
    for (PlotView* other : others)
        other->m_impl->join(m_impl->group);
}

double PlotView::xMin() const { return m_impl->group->x().lower; }
double PlotView::xMax() const { return m_impl->group->x().upper; }
double PlotView::yMin() const { return m_impl->y.lower; }
double PlotView::yMax() const { return m_impl->y.upper; }

std::size_t PlotView::outliers() const { return m_impl->manualY ? 0 : m_impl->yFit.above + m_impl->yFit.below; }

std::size_t PlotView::hiddenValues() const { return hiddenByLog(m_impl->model); }

QString PlotView::summaryText() const { return summaryOf(m_impl->model); }

std::size_t PlotView::curveCount() const { return m_impl->model.curves.size(); }

QSize PlotView::sizeHint() const { return {520, 240}; }

QSize PlotView::minimumSizeHint() const { return {240, std::max(110, 13 * fontMetrics().lineSpacing() / 2)}; }

void PlotView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_impl->canvas.widget()->resize(event->size());
    m_impl->overlay.resize(event->size());
    m_impl->overlay.raise();
    m_impl->group->interacted();
}

void PlotView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_impl->group->interacted();
}

void PlotView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_impl->heldTable = false; // a person has gone on
}

void PlotView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LocaleChange)
        m_impl->applyStyle(); // numbers inside the picture
    QWidget::changeEvent(event);
}

} // namespace accumulus::ui
