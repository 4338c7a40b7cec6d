// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/compare_plot_controls.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/controls.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/wheel_guard.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>
#include <array>
#include <chrono>

namespace accumulus::ui {

namespace {

constexpr std::array kAxes = {CurveAxis::Samples, CurveAxis::Updates, CurveAxis::Epochs, CurveAxis::WallTime,
                              CurveAxis::ActiveTime};
constexpr std::array kBands = {BandKind::MinMax, BandKind::StandardDeviation, BandKind::StandardError,
                               BandKind::Confidence95};

/// Label and field, kept together where the row wraps.
QWidget* labelled(const Theme& theme, const QString& text, QWidget* field, QWidget* parent) {
    auto* pair = new QWidget(parent);
    auto* label = new RoleLabel(theme, TextRole::Body, text, pair);
    label->setWordWrap(false);
    label->setBuddy(field);
    field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    row->addWidget(label);
    row->addWidget(field);
    return pair;
}

/// All runs are averaged anew: a drag passes sixty values.
constexpr std::chrono::milliseconds kRest(150);

} // namespace

ComparePlotControls::ComparePlotControls(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_axis(new QComboBox(this)), m_band(new QComboBox(this)),
      m_smoothing(new SmoothingChoice(theme, QStringLiteral("compare.smoothing"), this)),
      m_singles(new QCheckBox(tr("&Single seeds"), this)),
      m_logDifferences(new QCheckBox(tr("&Log differences"), this)) {
    m_axis->setObjectName(QStringLiteral("compare.axis"));
    m_band->setObjectName(QStringLiteral("compare.band"));
    for (const CurveAxis axis : kAxes)
        m_axis->addItem(comparison_text::axisTitle(axis), static_cast<int>(axis));
    for (const BandKind kind : kBands)
        m_band->addItem(comparison_text::bandTitle(kind, 0), static_cast<int>(kind));
    m_singles->setObjectName(QStringLiteral("compare.singles"));
    m_singles->setToolTip(tr("Draws each seed as a thin line behind the mean"));
    m_logDifferences->setObjectName(QStringLiteral("compare.logDifferences"));
    m_logDifferences->setToolTip(tr("Symmetric logarithm: linear around zero, logarithmic beyond, for both signs"));

    auto* row = new FlowLayout(space::l, this);
    row->addWidget(labelled(theme, tr("&x axis"), m_axis, this));
    row->addWidget(labelled(theme, tr("&Band"), m_band, this));
    row->addWidget(m_smoothing);
    row->addWidget(m_singles);
    row->addWidget(m_logDifferences);
    auto* guard = new WheelGuard(this);
    guard->guard(m_axis);
    guard->guard(m_band);
    for (QWidget* part : m_smoothing->findChildren<QWidget*>())
        if (part->focusPolicy() != Qt::NoFocus)
            guard->guard(part);
    m_restSoon.setSingleShot(true);
    m_restSoon.setInterval(kRest);
    connect(m_smoothing, &SmoothingChoice::smoothingChanged, &m_restSoon, qOverload<>(&QTimer::start));
    connect(&m_restSoon, &QTimer::timeout, this, [this] {
        const Smoothing chosen = m_smoothing->smoothing();
        Q_EMIT smoothingChosen({chosen.beta, chosen.half});
    });
    connect(m_axis, &QComboBox::activated, this,
            [this] { Q_EMIT axisChosen(static_cast<CurveAxis>(m_axis->currentData().toInt())); });
    connect(m_band, &QComboBox::activated, this,
            [this] { Q_EMIT bandChosen(static_cast<BandKind>(m_band->currentData().toInt())); });
    connect(m_singles, &QCheckBox::toggled, this, &ComparePlotControls::singlesToggled);
    connect(m_logDifferences, &QCheckBox::toggled, this, &ComparePlotControls::logDifferencesToggled);
}

void ComparePlotControls::showAxis(CurveAxis axis) {
    m_axis->setCurrentIndex(std::max(0, m_axis->findData(static_cast<int>(axis))));
}

void ComparePlotControls::showBand(BandKind band) {
    m_band->setCurrentIndex(std::max(0, m_band->findData(static_cast<int>(band))));
}

void ComparePlotControls::showSmoothing(const CurveSmoothing& smoothing) {
    if (!m_restSoon.isActive() && !m_smoothing->isHeld())
        m_smoothing->showSmoothing(smoothing);
}

bool ComparePlotControls::singles() const { return m_singles->isChecked(); }
bool ComparePlotControls::logDifferences() const { return m_logDifferences->isChecked(); }
void ComparePlotControls::setSingles(bool on) { m_singles->setChecked(on); }
void ComparePlotControls::setLogDifferences(bool on) { m_logDifferences->setChecked(on); }

void ComparePlotControls::cycleAxis() {
    m_axis->setCurrentIndex((m_axis->currentIndex() + 1) % m_axis->count());
    Q_EMIT axisChosen(static_cast<CurveAxis>(m_axis->currentData().toInt()));
}

void ComparePlotControls::focusSmoothing() { m_smoothing->takeFocus(); }

} // namespace accumulus::ui
