// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/smoothing_choice.h"

#include "widgets/style/format.h"

#include <QComboBox>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kSliderSteps = 60;
constexpr int kSliderWidth = 140;
constexpr int kSliderHeight = 32;

/// Each 20 steps multiply the averaged stretch by 10: 0, 0.9 at 20, 0.99 at 40, 0.999 at 60.
double betaOf(int slider) {
    const double beta = 1.0 - std::pow(10.0, -slider / 20.0);
    const double digits = beta < 0.9 ? 100.0 : 1000.0;
    return std::round(beta * digits) / digits;
}

/// The same stretch as odd numbers of windows: 1, 11 at 20, 101 at 40, 1001 at 60.
std::size_t halfOf(int slider) {
    return static_cast<std::size_t>(std::lround((std::pow(10.0, slider / 20.0) - 1.0) / 2.0));
}

/// The first place that averages as much.
int sliderOf(const CurveSmoothing& smoothing) {
    if (smoothing.half == 0)
        return std::clamp(static_cast<int>(std::lround(-20.0 * std::log10(1.0 - smoothing.beta))), 0, kSliderSteps);
    int place = 0;
    while (place < kSliderSteps && halfOf(place) < smoothing.half)
        ++place;
    return place;
}

const QString kEma = QStringLiteral("ema");
const QString kMean = QStringLiteral("mean");

} // namespace

SmoothingChoice::SmoothingChoice(const Theme& theme, const QString& name, QWidget* parent)
    : QWidget(parent), m_kind(new QComboBox(this)), m_slider(new QSlider(Qt::Horizontal, this)),
      m_value(new RoleLabel(theme, TextRole::Body, {}, this)) {
    auto* label = new RoleLabel(theme, TextRole::Body, tr("Smooth&ing"), this);
    label->setWordWrap(false);
    label->setBuddy(m_slider);
    m_slider->setObjectName(name);
    m_slider->setAccessibleName(tr("Smoothing"));
    m_slider->setToolTip(tr("Over all points; the raw curve stays behind"));
    m_slider->setRange(0, kSliderSteps);
    m_slider->setFixedWidth(kSliderWidth);
    m_slider->setMinimumHeight(kSliderHeight);
    m_kind->setObjectName(name + QStringLiteral("Kind"));
    m_kind->setAccessibleName(tr("Kind of smoothing"));
    m_kind->setToolTip(tr("Average of the past: exponential, debiased. Centred mean: of the windows before and after "
                          "each point"));
    m_kind->addItem(tr("Average of the past"), kEma);
    m_kind->addItem(tr("Centred mean"), kMean);
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_value->setObjectName(name + QStringLiteral("Value"));
    m_value->setWordWrap(false);
    const QFontMetrics metrics(theme.numberFont());
    m_value->setMinimumWidth(
        std::max(metrics.horizontalAdvance(format::number(0.888)), metrics.horizontalAdvance(tr("none"))) + space::xs);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(m_kind), static_cast<QWidget*>(m_slider),
                          static_cast<QWidget*>(m_value)})
        row->addWidget(part);

    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        Q_EMIT kindChosen(kind());
        showValue();
        Q_EMIT smoothingChanged(smoothing());
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int strength) {
        Q_EMIT strengthMoved(strength);
        showValue();
        Q_EMIT smoothingChanged(smoothing());
    });
    showValue();
}

QString SmoothingChoice::kind() const { return m_kind->currentData().toString(); }

Smoothing SmoothingChoice::smoothing() const {
    if (kind() != kMean)
        return {.beta = betaOf(m_slider->value())};
    const std::size_t half = halfOf(m_slider->value());
    return {.beta = 0.0, .half = half, .samples = static_cast<std::int64_t>(2 * half + 1) * m_windowSamples};
}

/// Without smoothing any kind is right: that which is there stays.
void SmoothingChoice::showSmoothing(const CurveSmoothing& shown) {
    setPlace(!shown.any() ? kind() : shown.half > 0 ? kMean : kEma, sliderOf(shown));
}

bool SmoothingChoice::isHeld() const { return m_slider->isSliderDown(); }

void SmoothingChoice::setPlace(const QString& kind, int strength) {
    const QSignalBlocker quietKind(m_kind);
    const QSignalBlocker quietSlider(m_slider);
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(kind)));
    m_slider->setValue(strength);
    showValue();
}

void SmoothingChoice::setWindowSamples(std::int64_t samples) {
    if (samples < 0 || std::exchange(m_windowSamples, samples) == samples)
        return;
    showValue();
    if (smoothing().half > 0)
        Q_EMIT smoothingChanged(smoothing());
}

void SmoothingChoice::takeFocus() { m_slider->setFocus(Qt::ShortcutFocusReason); }

void SmoothingChoice::showValue() { m_value->setText(valueText()); }

QString SmoothingChoice::valueText() const {
    const Smoothing shown = smoothing();
    if (shown.half > 0)
        return m_windowSamples > 0 ? tr("%1 samples").arg(format::count(shown.samples))
                                   : tr("%n window(s)", nullptr, static_cast<int>(2 * shown.half + 1));
    return shown.any() ? format::number(shown.beta) : tr("none");
}

} // namespace accumulus::ui
