// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/time_split.h"

#include "core/analysis/compare.h"
#include "core/config/byte_size.h"
#include "widgets/plots/rank_line.h"
#include "widgets/style/format.h"

#include <QGridLayout>
#include <QLocale>
#include <QPainter>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int kBarHeight = 16;
constexpr int kSwatch = 10;
constexpr std::size_t kWhole = kTimeParts, kMemory = kWhole + 1, kScale = kMemory + 1, kEvaluationMemory = kScale + 1;

std::array<double, kTimeParts> partsOf(const WindowCost& cost) {
    return {cost.data, cost.forward, cost.backward, cost.commit, cost.waiting, cost.reducing, cost.update};
}

/// One unit and one number of decimals for the whole table, by its longest window: rows can be compared at a glance.
QString timeText(double seconds, double longest) {
    const bool whole = longest >= 1.0;
    const double shown = whole ? seconds : seconds * 1000.0;
    const double scale = whole ? longest : longest * 1000.0;
    const int decimals = scale < 10.0 ? 2 : scale < 100.0 ? 1 : 0;
    return QLocale().toString(shown, 'f', decimals) + QChar(0x00A0) +
           (whole ? TimeSplit::tr("s", "seconds") : TimeSplit::tr("ms"));
}

} // namespace

/// One arm's parts one behind the other; the longest bar fills the width.
class TimeSplit::Bar : public QWidget {
public:
    Bar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFixedHeight(kBarHeight);
    }
    void setCost(const WindowCost& cost, double longest) {
        m_parts = partsOf(cost);
        m_longest = longest;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!(m_longest > 0.0))
            return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const ThemeColors& colors = m_theme.colors();
        painter.setBrush(colors.cardAlternate);
        painter.drawRoundedRect(QRectF(rect()), 3.0, 3.0);
        const double perSecond = width() / m_longest;
        double left = 0.0;
        for (std::size_t part = 0; part < m_parts.size(); ++part) {
            const double length = m_parts[part] * perSecond;
            if (length > 0.0)
                paintTimePart(painter, QRectF(left, 0.0, std::max(0.5, length - 1.0), height()), 0.0, colors, part);
            left += length;
        }
    }

private:
    const Theme& m_theme;
    std::array<double, kTimeParts> m_parts{};
    double m_longest = 0.0;
};

class TimeSplit::Swatch : public QWidget {
public:
    Swatch(const Theme& theme, std::size_t part, QWidget* parent) : QWidget(parent), m_theme(theme), m_part(part) {
        setFixedSize(kSwatch, kSwatch);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        paintTimePart(painter, QRectF(rect()), 2.0, m_theme.colors(), m_part);
    }

private:
    const Theme& m_theme;
    std::size_t m_part;
};

TimeSplit::TimeSplit(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_title(new QLabel(this)),
      m_note(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_saving(new RoleLabel(theme, TextRole::Body, {}, this)), m_body(new QWidget(this)) {
    setObjectName(QStringLiteral("liveTimeSplit"));
    m_note->setObjectName(QStringLiteral("liveTimeNote"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::xs, space::m, space::s);
    column->setSpacing(space::s);
    m_saving->setObjectName(QStringLiteral("liveSaving"));
    m_saving->setWordWrap(true);
    column->addWidget(m_saving);
    column->addWidget(m_title);
    column->addWidget(m_body);
    column->addWidget(m_note);
    column->addStretch(1);
    buildTable();
    connect(&theme, &Theme::changed, this, &TimeSplit::restyle);
    restyle();
    retranslate();
}

void TimeSplit::buildTable() {
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::s);
    const auto label = [this](Qt::Alignment alignment) {
        auto* made = new QLabel(m_body);
        made->setFont(m_theme.numberFont());
        made->setAlignment(alignment | Qt::AlignVCenter);
        return made;
    };
    auto* bars = new QGridLayout;
    bars->setHorizontalSpacing(space::m);
    bars->setVerticalSpacing(space::xs);
    bars->setColumnStretch(1, 1);
    for (int arm = 0; arm < 2; ++arm) {
        const auto index = static_cast<std::size_t>(arm);
        m_barNames[index] = label(Qt::AlignLeft);
        m_bars[index] = new Bar(m_theme, m_body);
        m_bars[index]->setObjectName(QStringLiteral("liveTimeBar%1").arg(arm));
        bars->addWidget(m_barNames[index], arm, 0);
        bars->addWidget(m_bars[index], arm, 1);
    }
    column->addLayout(bars);
    for (std::size_t arm = 0; arm < 2; ++arm) {
        m_ranks[arm] = new RankLine(m_theme, m_body);
        m_ranks[arm]->setObjectName(QStringLiteral("liveRanks.%1").arg(arm));
        column->addWidget(m_ranks[arm]);
    }
    auto* table = new QGridLayout;
    table->setHorizontalSpacing(space::l);
    table->setVerticalSpacing(2);
    table->setColumnMinimumWidth(0, kSwatch);
    table->setColumnStretch(1, 1);
    for (int arm = 0; arm < 2; ++arm) {
        m_heads[static_cast<std::size_t>(arm)] = new RoleLabel(m_theme, TextRole::Caption, {}, m_body);
        m_heads[static_cast<std::size_t>(arm)]->setWordWrap(false);
        table->addWidget(m_heads[static_cast<std::size_t>(arm)], 0, 2 + arm, Qt::AlignRight);
    }
    for (std::size_t row = 0; row < kRows; ++row) {
        const int line = static_cast<int>(row) + 1;
        if (row < kTimeParts) {
            m_swatches[row] = new Swatch(m_theme, row, m_body);
            table->addWidget(m_swatches[row], line, 0, Qt::AlignCenter);
        }
        m_names[row] = label(Qt::AlignLeft);
        table->addWidget(m_names[row], line, 1);
        for (std::size_t arm = 0; arm < 2; ++arm) {
            m_values[row][arm] = label(Qt::AlignRight);
            m_values[row][arm]->setObjectName(QStringLiteral("liveTime.%1.%2").arg(row).arg(arm));
            table->addWidget(m_values[row][arm], line, 2 + static_cast<int>(arm));
        }
    }
    column->addLayout(table);
}

/// The title looks as those of the plots beside it.
void TimeSplit::restyle() {
    QFont bold = m_theme.numberFont();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    update();
}

void TimeSplit::retranslate() {
    m_title->setText(tr("Where the time goes"));
    QStringList names;
    for (std::size_t part = 0; part < kTimeParts; ++part)
        names << timePartTitle(part);
    names << tr("whole window") << tr("peak memory, training") << tr("loss scale") << tr("peak memory, evaluations");
    for (std::size_t row = 0; row < kRows; ++row)
        m_names[row]->setText(names[static_cast<int>(row)]);
    m_names[kDataPart]->setToolTip(tr("Gathering, normalising and augmenting the samples of a micro-batch"));
    m_names[kCommitPart]->setToolTip(tr("Adding the gradient of each micro-batch to the window's, in order"));
    m_names[kWaitingPart]->setToolTip(tr("Waiting until slower ranks catch up"));
    m_names[kReducingPart]->setToolTip(tr("Exchanging gradients and weights with the other ranks"));
    m_names[kUpdatePart]->setToolTip(tr("Dividing, clipping and the optimizer, once per window"));
    m_names[kMemory]->setToolTip(tr("Highest use by tensors so far, without evaluations"));
    m_names[kEvaluationMemory]->setToolTip(tr("Highest use by tensors during an evaluation"));
    m_names[kScale]->setToolTip(tr("Factor of the loss under fp16, newest window"));
    refresh();
}

void TimeSplit::setArms(std::vector<ArmCost> arms) {
    std::erase_if(arms, [](const ArmCost& arm) { return !(arm.cost.parts() > 0.0) && arm.cost.peakBytes == 0; });
    if (arms.size() > 2)
        arms.resize(2);
    if (arms == m_arms)
        return;
    m_arms = std::move(arms);
    refresh();
}

void TimeSplit::refresh() {
    m_body->setVisible(!m_arms.empty());
    m_saving->setText(savingText());
    m_saving->setVisible(!m_saving->text().isEmpty());
    if (m_arms.empty()) {
        m_note->setText(tr("Measured from the first update on."));
        return;
    }
    double longest = 0.0;
    for (const ArmCost& arm : m_arms)
        longest = std::max(longest, arm.cost.parts());
    const auto shown = [longest](double seconds) { return timeText(seconds, longest); };
    for (std::size_t i = 0; i < 2; ++i) {
        const bool known = i < m_arms.size();
        const WindowCost cost = known ? m_arms[i].cost : WindowCost();
        const QString name = known ? format::armTitle(m_arms[i].arm) : QString();
        m_barNames[i]->setText(name);
        m_heads[i]->setText(name);
        m_bars[i]->setCost(cost, longest);
        for (QWidget* widget : {static_cast<QWidget*>(m_barNames[i]), static_cast<QWidget*>(m_bars[i]),
                                static_cast<QWidget*>(m_heads[i])})
            widget->setVisible(known);
        const std::array<double, kTimeParts> parts = partsOf(cost);
        QStringList words;
        const bool alone = known && !m_arms[i].rankCost;
        for (std::size_t part = 0; part < kTimeParts; ++part) {
            if (alone && (part == kWaitingPart || part == kReducingPart)) {
                m_values[part][i]->setText(QStringLiteral("–"));
                continue;
            }
            const double share = cost.parts() > 0.0 ? 100.0 * parts[part] / cost.parts() : 0.0;
            m_values[part][i]->setText(
                QStringLiteral("%1  ·  %2 %").arg(shown(parts[part]), QLocale().toString(share, 'f', 0)));
            words << QStringLiteral("%1 %2").arg(m_names[part]->text(), shown(parts[part]));
        }
        m_values[kWhole][i]->setText(shown(cost.whole));
        m_values[kMemory][i]->setText(cost.peakBytes > 0 ? format::bytes(cost.peakBytes) : QStringLiteral("–"));
        const std::int64_t evaluations = known ? m_arms[i].evaluationPeak : 0;
        m_values[kEvaluationMemory][i]->setText(evaluations > 0 ? format::bytes(evaluations) : QStringLiteral("–"));
        m_values[kScale][i]->setText(format::number(cost.lossScale, 6));
        for (std::size_t row = 0; row < kRows; ++row)
            m_values[row][i]->setVisible(known);
        m_bars[i]->setAccessibleName(QStringLiteral("%1: %2").arg(name, words.join(QStringLiteral(", "))));
    }
    showRow(kEvaluationMemory, std::ranges::any_of(m_arms, [](const ArmCost& arm) { return arm.evaluationPeak > 0; }));
    showRow(kScale, std::ranges::any_of(m_arms, [](const ArmCost& arm) { return arm.cost.lossScale != 1.0; }));
    const bool shared = std::ranges::any_of(m_arms, [](const ArmCost& arm) { return arm.rankCost.has_value(); });
    showRow(kWaitingPart, shared);
    showRow(kReducingPart, shared);
    for (std::size_t i = 0; i < 2; ++i) {
        if (i < m_arms.size())
            m_ranks[i]->setCost(m_arms.size() > 1 ? format::armTitle(m_arms[i].arm) : QString(), m_arms[i].ranks,
                                m_arms[i].rankCost, m_arms[i].lanes);
        m_ranks[i]->setVisible(i < m_arms.size() && m_arms[i].rankCost);
    }
    m_note->setText(noteText());
}

void TimeSplit::showRow(std::size_t row, bool shown) {
    if (row < kTimeParts)
        m_swatches[row]->setVisible(shown);
    m_names[row]->setVisible(shown);
    for (std::size_t arm = 0; arm < 2; ++arm)
        m_values[row][arm]->setVisible(shown && arm < m_arms.size());
}

QString TimeSplit::savingText() const {
    std::array<std::int64_t, 2> peaks{};
    std::int64_t evaluation = 0;
    for (const ArmCost& arm : m_arms) {
        if (arm.trainingPeakKnown)
            peaks[arm.arm == Arm::Accumulated ? 0 : 1] = arm.cost.peakBytes;
        if (arm.arm == Arm::Accumulated)
            evaluation = arm.evaluationPeak;
    }
    if (peaks[0] <= 0 || peaks[1] <= 0)
        return {};
    QStringList sentences{format::message(memorySaving(static_cast<double>(peaks[0]), static_cast<double>(peaks[1])))};
    if (evaluation > peaks[0])
        sentences << format::message({"cost.evaluation-memory", {{"evaluation", bytesText(evaluation)}}});
    return sentences.join(QLatin1Char(' '));
}

QString TimeSplit::noteText() const {
    std::int64_t lanes = 1;
    std::int64_t ranks = 1;
    for (const ArmCost& arm : m_arms) {
        lanes = std::max(lanes, arm.lanes);
        if (arm.rankCost)
            ranks = std::max(ranks, arm.rankCost->ranks);
    }
    QString windows = tr("Mean of the newest %n window(s).", nullptr, static_cast<int>(m_arms.front().cost.windows));
    if (ranks > 1)
        windows = tr("%1 Bars and table show rank 0 of %2.").arg(windows, format::count(ranks));
    return lanes > 1 ? tr("%1 The parts are summed over up to %2 lanes, which work at the same time: together they may "
                          "exceed the window.")
                           .arg(windows, format::count(lanes))
                     : windows;
}

} // namespace accumulus::ui
