// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_controls.h"

#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QComboBox>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <chrono>
#include <cmath>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr auto kAxisKey = "live/xAxis";
constexpr auto kSmoothingKey = "live/smoothing";
constexpr auto kSmoothingKindKey = "live/smoothingKind";
constexpr auto kLogXKey = "live/logX";
constexpr auto kLogYKey = "live/logY";
constexpr std::chrono::milliseconds kSaveDelay(500);
constexpr int kSliderSteps = 60;
constexpr int kDefaultSlider = 14; ///< beta 0.8
/// Names in the settings, in the order of LiveAxis.
constexpr const char* kAxisNames[] = {"samples", "updates", "epochs", "wall-time", "active-time"};

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

const QString kEma = QStringLiteral("ema");
const QString kMean = QStringLiteral("mean");

} // namespace

LiveControls::LiveControls(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_axisLabel(new RoleLabel(theme, TextRole::Body)), m_axis(new QComboBox),
      m_logX(new QPushButton), m_logY(new QPushButton), m_smoothingLabel(new RoleLabel(theme, TextRole::Body)),
      m_smoothingKind(new QComboBox), m_smoothing(new QSlider(Qt::Horizontal)),
      m_smoothingValue(new RoleLabel(theme, TextRole::Body)), m_follow(new QPushButton) {
    m_axis->setObjectName(QStringLiteral("liveXAxis"));
    m_logX->setObjectName(QStringLiteral("liveLogX"));
    m_logY->setObjectName(QStringLiteral("liveLogY"));
    m_smoothing->setObjectName(QStringLiteral("liveSmoothing"));
    m_smoothingKind->setObjectName(QStringLiteral("liveSmoothingKind"));
    m_smoothingKind->addItem(QString(), kEma);
    m_smoothingKind->addItem(QString(), kMean);
    m_smoothingValue->setObjectName(QStringLiteral("liveSmoothingValue"));
    m_follow->setObjectName(QStringLiteral("liveFollow"));
    for (RoleLabel* label : {m_axisLabel, m_smoothingLabel, m_smoothingValue})
        label->setWordWrap(false);
    m_axisLabel->setBuddy(m_axis);
    m_smoothingLabel->setBuddy(m_smoothing);
    m_logX->setCheckable(true);
    m_logY->setCheckable(true);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_smoothing->setRange(0, kSliderSteps);
    m_smoothing->setFixedWidth(140);
    m_smoothing->setMinimumHeight(32);
    for (const char* name : kAxisNames)
        m_axis->addItem(QString(), QString::fromLatin1(name));
    const QSettings settings;
    m_axis->setCurrentIndex(
        std::max(0, m_axis->findData(settings.value(QLatin1String(kAxisKey), QStringLiteral("samples")))));
    m_smoothingKind->setCurrentIndex(
        std::max(0, m_smoothingKind->findData(settings.value(QLatin1String(kSmoothingKindKey), kEma))));
    m_smoothing->setValue(settings.value(QLatin1String(kSmoothingKey), kDefaultSlider).toInt());
    m_logX->setChecked(settings.value(QLatin1String(kLogXKey), false).toBool());
    m_logY->setChecked(settings.value(QLatin1String(kLogYKey), false).toBool());

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    row->addWidget(m_axisLabel);
    row->addWidget(m_axis);
    row->addSpacing(space::l);
    row->addWidget(m_smoothingLabel);
    row->addWidget(m_smoothingKind);
    row->addWidget(m_smoothing);
    row->addWidget(m_smoothingValue);
    row->addStretch(1);
    row->addWidget(m_logX);
    row->addWidget(m_logY);
    row->addWidget(m_follow);

    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        QSettings().setValue(QLatin1String(kAxisKey), m_axis->currentData());
        Q_EMIT axisChanged(axis());
    });
    connect(m_smoothingKind, &QComboBox::currentIndexChanged, this, [this] {
        QSettings().setValue(QLatin1String(kSmoothingKindKey), m_smoothingKind->currentData());
        showSmoothing();
        Q_EMIT smoothingChanged(smoothing());
    });
    connect(m_smoothing, &QSlider::valueChanged, this, [this](int value) {
        m_saveSoon.start(); // a drag passes sixty values
        m_unsaved = value;
        showSmoothing();
        Q_EMIT smoothingChanged(smoothing());
    });
    connect(m_logX, &QPushButton::toggled, this, [this](bool on) {
        QSettings().setValue(QLatin1String(kLogXKey), on);
        Q_EMIT logXChanged(on);
    });
    connect(m_logY, &QPushButton::toggled, this, [this](bool on) {
        QSettings().setValue(QLatin1String(kLogYKey), on);
        Q_EMIT logYChanged(on);
    });
    connect(m_follow, &QPushButton::clicked, this, &LiveControls::followChanged);
    connect(&theme, &Theme::changed, this, &LiveControls::recolor);
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(kSaveDelay);
    connect(&m_saveSoon, &QTimer::timeout, this, &LiveControls::saveSmoothing);
    retranslate();
}

LiveControls::~LiveControls() { saveSmoothing(); }

void LiveControls::saveSmoothing() {
    if (m_unsaved)
        QSettings().setValue(QLatin1String(kSmoothingKey), *std::exchange(m_unsaved, std::nullopt));
}

LiveAxis LiveControls::axis() const { return static_cast<LiveAxis>(std::max(0, m_axis->currentIndex())); }

Smoothing LiveControls::smoothing() const {
    if (m_smoothingKind->currentData() != kMean)
        return {.beta = betaOf(m_smoothing->value())};
    const std::size_t half = halfOf(m_smoothing->value());
    return {.beta = 0.0, .half = half, .samples = static_cast<std::int64_t>(2 * half + 1) * m_windowSamples};
}

void LiveControls::setWindowSamples(std::int64_t samples) {
    if (samples < 1 || std::exchange(m_windowSamples, samples) == samples)
        return;
    showSmoothing();
    if (smoothing().half > 0)
        Q_EMIT smoothingChanged(smoothing());
}

bool LiveControls::logX() const { return m_logX->isChecked(); }
bool LiveControls::logY() const { return m_logY->isChecked(); }

void LiveControls::cycleAxis() { m_axis->setCurrentIndex((m_axis->currentIndex() + 1) % m_axis->count()); }
void LiveControls::focusSmoothing() { m_smoothing->setFocus(Qt::ShortcutFocusReason); }
void LiveControls::showFollow(bool on) { m_follow->setChecked(on); }
void LiveControls::showLogX(bool on) { m_logX->setChecked(on); }
void LiveControls::showLogY(bool on) { m_logY->setChecked(on); }

void LiveControls::showSmoothing() { m_smoothingValue->setText(smoothingText()); }

QString LiveControls::smoothingText() const {
    const Smoothing shown = smoothing();
    if (shown.half > 0)
        return tr("%1 samples").arg(format::count(shown.samples));
    return shown.any() ? format::number(shown.beta) : tr("none");
}

void LiveControls::retranslate() {
    const QStringList titles{tr("Samples"), tr("Updates"), tr("Epochs"), tr("Wall time"), tr("Active time")};
    for (int i = 0; i < m_axis->count(); ++i)
        m_axis->setItemText(i, titles[i]);
    m_axisLabel->setText(tr("&x axis"));
    m_smoothingLabel->setText(tr("&Smoothing"));
    m_axis->setAccessibleName(tr("x axis"));
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothingKind->setItemText(0, tr("Average of the past"));
    m_smoothingKind->setItemText(1, tr("Centred mean"));
    m_smoothingKind->setAccessibleName(tr("Kind of smoothing"));
    m_smoothingKind->setToolTip(
        tr("Average of the past: exponential, debiased. Centred mean: of the windows before and after "
           "each point"));
    m_smoothing->setToolTip(tr("Over all points; the raw curve stays behind"));
    m_logX->setText(tr("Log x"));
    m_logX->setToolTip(tr("Logarithmic x axis"));
    m_logY->setText(tr("Log y"));
    m_logY->setToolTip(tr("Logarithmic y axis for loss and gradient norm"));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Keep the newest points in view"));
    const QFontMetrics metrics(m_theme.numberFont());
    m_smoothingValue->setMinimumWidth(
        std::max(metrics.horizontalAdvance(format::number(0.888)), metrics.horizontalAdvance(tr("none"))) + space::xs);
    m_smoothingKind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    showSmoothing();
    recolor();
}

void LiveControls::recolor() { m_follow->setIcon(icon(QStringLiteral("follow"), m_theme.colors().text)); }

} // namespace accumulus::ui
