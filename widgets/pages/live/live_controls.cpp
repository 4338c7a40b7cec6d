// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_controls.h"

#include "widgets/style/flow_layout.h"
#include "widgets/style/icons.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr auto kAxisKey = "live/xAxis";
constexpr auto kSmoothingKey = "live/smoothing";
constexpr auto kSmoothingKindKey = "live/smoothingKind";
constexpr auto kLogXKey = "live/logX";
constexpr auto kLogYKey = "live/logY";
constexpr std::chrono::milliseconds kSaveDelay(500);
constexpr int kDefaultSlider = 14; ///< beta 0.8
/// Names in the settings, in the order of LiveAxis.
constexpr const char* kAxisNames[] = {"samples", "updates", "epochs", "wall-time", "active-time"};

/// Kept together where the row wraps.
QWidget* together(std::initializer_list<QWidget*> widgets) {
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    return group;
}

} // namespace

LiveControls::LiveControls(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_axisLabel(new RoleLabel(theme, TextRole::Body)), m_axis(new QComboBox),
      m_logX(new QPushButton), m_logY(new QPushButton),
      m_smoothing(new SmoothingChoice(theme, QStringLiteral("liveSmoothing"))), m_follow(new QPushButton) {
    m_axis->setObjectName(QStringLiteral("liveXAxis"));
    m_logX->setObjectName(QStringLiteral("liveLogX"));
    m_logY->setObjectName(QStringLiteral("liveLogY"));
    m_follow->setObjectName(QStringLiteral("liveFollow"));
    m_axisLabel->setWordWrap(false);
    m_axisLabel->setBuddy(m_axis);
    m_smoothing->setWindowSamples(1); // until a run is there
    m_logX->setCheckable(true);
    m_logY->setCheckable(true);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    for (const char* name : kAxisNames)
        m_axis->addItem(QString(), QString::fromLatin1(name));
    const QSettings settings;
    m_axis->setCurrentIndex(
        std::max(0, m_axis->findData(settings.value(QLatin1String(kAxisKey), QStringLiteral("samples")))));
    m_smoothing->setPlace(settings.value(QLatin1String(kSmoothingKindKey)).toString(),
                          settings.value(QLatin1String(kSmoothingKey), kDefaultSlider).toInt());
    m_logX->setChecked(settings.value(QLatin1String(kLogXKey), false).toBool());
    m_logY->setChecked(settings.value(QLatin1String(kLogYKey), false).toBool());

    auto* row = new FlowLayout(space::m, this);
    row->addWidget(together({m_axisLabel, m_axis}));
    row->addWidget(m_smoothing);
    row->addWidget(together({m_logX, m_logY, m_follow}));

    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        QSettings().setValue(QLatin1String(kAxisKey), m_axis->currentData());
        Q_EMIT axisChanged(axis());
    });
    connect(m_smoothing, &SmoothingChoice::kindChosen, this,
            [](const QString& kind) { QSettings().setValue(QLatin1String(kSmoothingKindKey), kind); });
    connect(m_smoothing, &SmoothingChoice::strengthMoved, this, [this](int strength) {
        m_saveSoon.start(); // a drag passes sixty values
        m_unsaved = strength;
    });
    connect(m_smoothing, &SmoothingChoice::smoothingChanged, this, &LiveControls::smoothingChanged);
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

Smoothing LiveControls::smoothing() const { return m_smoothing->smoothing(); }

void LiveControls::setWindowSamples(std::int64_t samples) {
    if (samples > 0)
        m_smoothing->setWindowSamples(samples);
}

bool LiveControls::logX() const { return m_logX->isChecked(); }
bool LiveControls::logY() const { return m_logY->isChecked(); }

void LiveControls::cycleAxis() { m_axis->setCurrentIndex((m_axis->currentIndex() + 1) % m_axis->count()); }
void LiveControls::focusSmoothing() { m_smoothing->takeFocus(); }
void LiveControls::showFollow(bool on) { m_follow->setChecked(on); }
void LiveControls::showLogX(bool on) { m_logX->setChecked(on); }
void LiveControls::showLogY(bool on) { m_logY->setChecked(on); }

void LiveControls::retranslate() {
    const QStringList titles{tr("Samples"), tr("Updates"), tr("Epochs"), tr("Wall time"), tr("Active time")};
    for (int i = 0; i < m_axis->count(); ++i)
        m_axis->setItemText(i, titles[i]);
    m_axisLabel->setText(tr("&x axis"));
    m_axis->setAccessibleName(tr("x axis"));
    m_logX->setText(tr("Log x"));
    m_logX->setToolTip(tr("Logarithmic x axis"));
    m_logY->setText(tr("Log y"));
    m_logY->setToolTip(tr("Logarithmic y axis for loss and gradient norm"));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Keep the newest points in view"));
    recolor();
}

void LiveControls::recolor() { m_follow->setIcon(icon(QStringLiteral("follow"), m_theme.colors().text)); }

} // namespace accumulus::ui
