// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/batch_bar.h"

#include "core/report/small_shapes.h"
#include "widgets/plots/time_parts.h"
#include "widgets/style/format.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <functional>
#include <numeric>

namespace accumulus::ui {

namespace {

constexpr int kBarHeight = 20;
constexpr int kArmEdge = 3; ///< above and below the parts of a block
constexpr int kTickWidth = 3;
constexpr int kTickGap = 6;
constexpr int kTickOverhang = 4; ///< the update's tick stands out above and below the blocks
constexpr float kOpenOnDark = 0.28F;

} // namespace

BatchBar::BatchBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    describe();
}

void BatchBar::setMicroSizes(std::vector<std::int64_t> sizes) {
    if (sizes == m_sizes)
        return;
    m_sizes = std::move(sizes);
    m_filled = std::min(m_filled, m_sizes.size());
    describe();
    update();
}

void BatchBar::setFilled(std::size_t microSteps) {
    microSteps = std::min(microSteps, m_sizes.size());
    if (microSteps == m_filled)
        return;
    m_filled = microSteps;
    describe();
    update();
}

void BatchBar::setParts(std::vector<MicroStepParts> parts) {
    if (parts == m_parts)
        return;
    m_parts = std::move(parts);
    describe();
    update();
}

void BatchBar::setWindowClosed(bool closed) {
    if (closed == m_closed)
        return;
    m_closed = closed;
    update();
}

void BatchBar::setArm(Arm arm) {
    if (arm == m_arm)
        return;
    m_arm = arm;
    update();
}

QSize BatchBar::sizeHint() const { return {360, kBarHeight + 2 * kTickOverhang}; }

QSize BatchBar::minimumSizeHint() const { return {120, kBarHeight + 2 * kTickOverhang}; }

MicroStepParts BatchBar::sumOfParts() const {
    MicroStepParts sum{};
    for (const MicroStepParts& parts : m_parts)
        std::ranges::transform(sum, parts, sum.begin(), std::plus());
    return sum;
}

void BatchBar::describe() {
    const MicroStepParts sum = sumOfParts();
    const double whole = std::accumulate(sum.begin(), sum.end(), 0.0);
    QStringList shares;
    for (std::size_t part = 0; whole > 0.0 && part < sum.size(); ++part)
        shares << QStringLiteral("%1 %2 %").arg(timePartTitle(part),
                                                QLocale().toString(100.0 * sum[part] / whole, 'f', 0));
    const QString words = shares.isEmpty() ? QString() : tr("Time so far: %1").arg(shares.join(QStringLiteral(", ")));
    setToolTip(words);
    setAccessibleDescription(words);
    if (m_sizes.empty()) {
        setAccessibleName(tr("Effective batch: nothing set"));
        return;
    }
    const std::int64_t total = std::accumulate(m_sizes.begin(), m_sizes.end(), std::int64_t{0});
    setAccessibleName(
        tr("Effective batch of %1 samples in %n micro-batch(es) of %2; %3 done", nullptr,
           static_cast<int>(m_sizes.size()))
            .arg(format::count(total), format::count(m_sizes.front()), format::count(static_cast<qint64>(m_filled))));
}

/// Between edges of the arm's colour, which tell the arm.
void BatchBar::paintParts(QPainter& painter, const QRectF& block, const MicroStepParts& parts) const {
    const double whole = std::accumulate(parts.begin(), parts.end(), 0.0);
    if (!(whole > 0.0))
        return;
    const QRectF inside = block.adjusted(0.0, kArmEdge, 0.0, -kArmEdge);
    qreal bottom = inside.bottom();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const qreal partHeight = inside.height() * parts[part] / whole;
        if (partHeight > 0.0)
            paintTimePart(painter, QRectF(inside.left(), bottom - partHeight, inside.width(), partHeight), 0.0,
                          m_theme.colors(), part);
        bottom -= partHeight;
    }
}

void BatchBar::paintEvent(QPaintEvent*) {
    const QRectF bar(0.0, (height() - kBarHeight) / 2.0, width() - kTickWidth - kTickGap, kBarHeight);
    const BatchBarShape shape = batchBarShape(m_sizes, m_filled, bar.width());
    if (shape.blocks.empty())
        return;
    const ThemeColors& colors = m_theme.colors();
    QPainter painter(this);
    painter.setPen(Qt::NoPen);
    const QColor full = m_arm == Arm::Accumulated ? colors.accumulated : colors.largeBatch;
    QColor open = full;
    open.setAlphaF(colors.dark ? kOpenOnDark : static_cast<float>(openBlockOpacity));
    // Where blocks touch, soft edges would shine through.
    painter.setRenderHint(QPainter::Antialiasing, shape.radius > 0.0);
    for (std::size_t k = 0; k < shape.blocks.size(); ++k) {
        const BarBlock& block = shape.blocks[k];
        const QRectF place(block.left, bar.top(), block.width, bar.height());
        painter.setBrush(block.filled ? full : open);
        painter.drawRoundedRect(place, shape.radius, shape.radius);
        if (block.filled && k < m_parts.size() && shape.blocks.size() == m_sizes.size()) // not one surface
            paintParts(painter, place, m_parts[k]);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(m_closed ? colors.text : colors.border);
    painter.drawRoundedRect(
        QRectF(width() - kTickWidth, bar.top() - kTickOverhang, kTickWidth, bar.height() + 2.0 * kTickOverhang), 1.5,
        1.5);
}

} // namespace accumulus::ui
