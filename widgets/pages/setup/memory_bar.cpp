// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/memory_bar.h"

#include "widgets/pages/setup/finding_list.h"
#include "widgets/style/format.h"

#include <QPainter>
#include <algorithm>
#include <array>

namespace accumulus::ui {

namespace {

constexpr int stripHeight = 10;
constexpr double sliver = 4.0;   ///< pixels
constexpr float fadesBy = 0.16F; ///< from part to part

/// Of the need: activations, workspace, optimizer, gradients, parameters.
using Shares = std::array<double, 5>;

QString levelWord(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::Fits:
        return MemoryBar::tr("Memory fits");
    case MemoryLevel::Tight:
        return MemoryBar::tr("Memory is tight");
    case MemoryLevel::Exceeds:
        return MemoryBar::tr("Too much memory");
    case MemoryLevel::Unknown:
        break;
    }
    return MemoryBar::tr("Memory");
}

TextRole roleOf(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::Tight:
        return TextRole::Warning;
    case MemoryLevel::Exceeds:
        return TextRole::Bad;
    case MemoryLevel::Fits:
        return TextRole::Good;
    case MemoryLevel::Unknown:
        break;
    }
    return TextRole::Body;
}

QString sourceText(MemorySource source) {
    const QString name = format::message({memorySourceCode(source), {}});
    return source == MemorySource::Formula ? MemoryBar::tr("%1, ± wide").arg(name) : name;
}

QString amountText(const MemoryFacts& facts, MemoryLevel level) {
    if (!facts.need)
        return QStringLiteral("%1: –").arg(levelWord(level));
    QString text = format::bytes(facts.need->bytes);
    if (facts.free > 0)
        text = (facts.limited ? MemoryBar::tr("%1 of the limit of %2") : MemoryBar::tr("%1 of %2"))
                   .arg(text, format::bytes(facts.free));
    return QStringLiteral("%1: %2 (%3)").arg(levelWord(level), text, sourceText(facts.need->source));
}

Shares sharesOf(const MemoryEstimate& parts) {
    if (parts.total() <= 0)
        return {1.0};
    const auto share = [&](std::int64_t bytes) {
        return static_cast<double>(bytes) / static_cast<double>(parts.total());
    };
    return {share(parts.activations), share(parts.workspace.value_or(0)), share(parts.optimizer),
            share(parts.gradients), share(parts.parameters)};
}

QString partsText(const MemoryEstimate& parts) {
    if (parts.total() <= 0)
        return {};
    const QString activations = parts.complete ? format::bytes(parts.activations) : MemoryBar::tr("not known");
    const QString optimizer = format::bytes(parts.optimizer), gradients = format::bytes(parts.gradients),
                  parameters = format::bytes(parts.parameters);
    if (!parts.workspace)
        return MemoryBar::tr("activations %1, optimizer %2, gradients %3, parameters %4")
            .arg(activations, optimizer, gradients, parameters);
    return MemoryBar::tr("activations %1, workspace and the rest %2, optimizer %3, gradients %4, parameters %5")
        .arg(activations, format::bytes(*parts.workspace), optimizer, gradients, parameters);
}

/// Facts that know the total.
QString deviceText(const MemoryFacts& facts) {
    const QString others = format::bytes(facts.others), total = format::bytes(facts.total);
    if (!facts.gpu)
        return MemoryBar::tr("used by others %1, device %2").arg(others, total);
    return MemoryBar::tr("used by others %1, free %2, GPU %3")
        .arg(others, format::bytes(facts.total - facts.others), total);
}

} // namespace

/// Need as a share of a limit or of what is free, or of all that the device has beside what others use. Parts that are
/// known are told apart by shade.
class MemoryBar::Strip : public QWidget {
public:
    Strip(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setFixedHeight(stripHeight);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }
    void setShares(double others, double need, const Shares& parts, MemoryLevel level) {
        m_others = others;
        m_need = need;
        m_parts = parts;
        m_level = level;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = m_theme.colors();
        const QColor color = m_level == MemoryLevel::Exceeds ? colors.bad
                             : m_level == MemoryLevel::Tight ? colors.warning
                             : m_level == MemoryLevel::Fits  ? colors.good
                                                             : colors.secondary;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.grid);
        const QRectF all(rect());
        painter.drawRoundedRect(all, 3.0, 3.0);
        double left = std::clamp(m_others, 0.0, 1.0) * all.width();
        painter.setBrush(QBrush(colors.secondary, Qt::BDiagPattern)); // not by colour alone
        painter.drawRect(QRectF(0.0, 0.0, left, all.height()));
        // A sliver of what hardly needs anything is still seen.
        left = std::min(left, all.width() - sliver);
        const double filled = m_need > 0.0 ? std::clamp(m_need * all.width(), sliver, all.width() - left) : 0.0;
        float opacity = 1.0F;
        for (const double part : m_parts) {
            QColor shade = color;
            shade.setAlphaF(opacity);
            painter.setBrush(shade);
            painter.drawRect(QRectF(left, 0.0, part * filled, all.height()));
            left += part * filled;
            opacity -= fadesBy;
        }
    }

private:
    const Theme& m_theme;
    double m_others = 0.0;
    double m_need = 0.0;
    Shares m_parts{1.0};
    MemoryLevel m_level = MemoryLevel::Unknown;
};

MemoryBar::MemoryBar(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_strip(new Strip(theme, this)),
      m_amount(new RoleLabel(theme, TextRole::Body, {}, this)),
      m_parts(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_peak(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    setObjectName(QStringLiteral("setup.memory"));
    m_strip->setObjectName(QStringLiteral("setup.memory.bar"));
    m_amount->setObjectName(QStringLiteral("setup.memory.amount"));
    m_parts->setObjectName(QStringLiteral("setup.memory.parts"));
    m_peak->setObjectName(QStringLiteral("setup.memory.peak"));
    m_amount->setAccessibleName(tr("Memory"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addWidget(m_amount);
    column->addWidget(m_strip);
    column->addWidget(m_parts);
    column->addWidget(m_peak);
    for (RoleLabel* label : {m_amount, m_parts, m_peak})
        keepWrapped(label, theme);
    showMemory({}, {}, {});
}

void MemoryBar::setCompact(bool compact) {
    m_compact = compact;
    m_parts->setVisible(!m_parts->text().isEmpty() && !compact);
}

void MemoryBar::showMemory(const MemoryFacts& facts, const std::optional<MemoryEstimate>& parts,
                           std::optional<std::int64_t> lastPeak) {
    m_level = memoryLevel(facts.need, facts.free, facts.limited);
    const QString amount = amountText(facts, m_level);
    m_amount->setRole(roleOf(m_level));
    m_amount->setWordWrap(true);
    m_amount->setText(amount);
    m_amount->setAccessibleDescription(amount);
    const bool ofDevice = facts.total > 0 && !facts.limited; // of a limit nothing is used by others
    const auto whole = static_cast<double>(ofDevice ? facts.total : facts.free);
    const double need = facts.need && whole > 0.0 ? static_cast<double>(facts.need->bytes) / whole : 0.0;
    const double others = ofDevice ? static_cast<double>(facts.others) / whole : 0.0;
    QString split = parts ? partsText(*parts) : QString();
    if (parts && !parts->workspace && facts.need && facts.need->source > MemorySource::Formula)
        split = tr("formula %1: %2").arg(format::bytes(parts->total()), split);
    if (facts.total > 0) {
        const QString device = deviceText(facts);
        split = split.isEmpty() ? device : tr("%1; %2", "parts of a memory").arg(split, device);
    }
    m_strip->setShares(others, need, parts ? sharesOf(*parts) : Shares{1.0}, m_level);
    m_strip->setToolTip(split);
    m_strip->setAccessibleName(amount);
    m_strip->setAccessibleDescription(split);
    m_parts->setText(split);
    m_parts->setVisible(!split.isEmpty() && !m_compact);
    m_peak->setText(lastPeak ? tr("last run of this set-up: %1 by tensors").arg(format::bytes(*lastPeak)) : QString());
    m_peak->setVisible(lastPeak.has_value());
}

} // namespace accumulus::ui
