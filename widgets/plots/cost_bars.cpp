// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/cost_bars.h"

#include "core/analysis/noise_words.h"
#include "widgets/models/comparison_text.h"
#include "widgets/plots/group_look.h"
#include "widgets/style/format.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>
#include <initializer_list>

namespace accumulus::ui {

/// A horizontal bar whose length is its share of the largest group, in the group's colour and hatching.
class CostBars::Bar : public QWidget {
public:
    Bar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFixedHeight(space::l);
    }
    void setShare(double share) {
        m_share = share;
        update();
    }
    void setLook(const GroupLook& look) {
        m_look = look;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = m_theme.colors();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.cardAlternate);
        painter.drawRoundedRect(QRectF(rect()), 3.0, 3.0);
        const QRectF filled(0.0, 0.0, width() * m_share, height());
        painter.setBrush(m_look.color);
        painter.drawRoundedRect(filled, 3.0, 3.0);
        if (const Qt::BrushStyle pattern = hatching(m_look); pattern != Qt::SolidPattern) {
            QColor light = colors.card;
            light.setAlphaF(0.45F);
            painter.setBrush(QBrush(light, pattern));
            painter.drawRoundedRect(filled, 3.0, 3.0);
        }
    }

private:
    const Theme& m_theme;
    double m_share = 0.0;
    GroupLook m_look;
};

void CostBars::Row::setVisible(bool on) const {
    for (QWidget* part : {static_cast<QWidget*>(name), static_cast<QWidget*>(bar), static_cast<QWidget*>(value),
                          static_cast<QWidget*>(ratio), static_cast<QWidget*>(range)})
        part->setVisible(on);
}

CostBars::CostBars(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Cost"), parent), m_theme(theme),
      m_memoryCaption(new RoleLabel(theme, TextRole::Caption, {}, this)), m_memoryPart(new QWidget(this)),
      m_busy(new RoleLabel(theme, TextRole::Warning, {}, this)), m_ranks(new QWidget(this)),
      m_noise(new QWidget(this)) {
    setObjectName(QStringLiteral("compare.cost"));
    m_memoryCaption->setObjectName(QStringLiteral("compare.memoryCaption"));
    m_busy->setObjectName(QStringLiteral("compare.busy"));
    m_busy->setWordWrap(true);
    m_speed.name = QStringLiteral("speed");
    m_memory.name = QStringLiteral("memory");
    for (Bars* bars : {&m_speed, &m_memory}) {
        bars->ratio = new QLabel(this);
        bars->ratio->setObjectName(QStringLiteral("compare.%1Ratio").arg(bars->name));
        bars->ratio->setFont(theme.numberFont());
        bars->grid = barGrid();
    }
    content()->setSpacing(space::s);
    content()->addLayout(captionRow(
        new RoleLabel(theme, TextRole::Caption, tr("Speed: training samples per second of active time"), this),
        m_speed.ratio));
    content()->addLayout(m_speed.grid);
    content()->addWidget(m_busy);
    buildMemory();
    content()->addWidget(m_memoryPart);
    buildRanks();
    content()->addWidget(m_ranks);
    buildNoise();
    content()->addWidget(m_noise);
    content()->addStretch(1);
    connect(&theme, &Theme::changed, this, &CostBars::recolor);
}

void CostBars::buildMemory() {
    auto* column = new QVBoxLayout(m_memoryPart);
    column->setContentsMargins(0, space::s, 0, 0);
    column->setSpacing(space::s);
    column->addLayout(captionRow(m_memoryCaption, m_memory.ratio));
    column->addLayout(m_memory.grid);
}

/// Lines of rankCostRows(), below a heading.
void CostBars::buildRanks() {
    m_ranks->setObjectName(QStringLiteral("compare.ranks"));
    m_rankGrid = new QGridLayout(m_ranks);
    m_rankGrid->setContentsMargins(0, space::s, 0, 0);
    m_rankGrid->setHorizontalSpacing(space::l);
    m_rankGrid->setVerticalSpacing(2);
    m_rankGrid->setColumnStretch(0, 1);
    for (const int column : {1, 2})
        m_rankGrid->setColumnMinimumWidth(
            column, QFontMetrics(m_theme.numberFont()).horizontalAdvance(QStringLiteral("000 MB")));
    m_ranks->setToolTip(tr("Sent: gradients and weights. Waiting and reducing: share of a window's time, mean over "
                           "ranks. The others wait for the slowest rank, which waits least."));
}

/// Heading or value, below the `lines` of the blocks before.
QLabel* CostBars::addRankCell(std::size_t line, std::size_t block, std::size_t column, const QString& name) {
    QLabel* cell = nullptr;
    if (line == 0) {
        auto* heading = new RoleLabel(m_theme, TextRole::Caption, {}, m_ranks);
        heading->setWordWrap(false);
        cell = heading;
    } else {
        cell = new QLabel(m_ranks);
        cell->setFont(m_theme.numberFont());
    }
    cell->setObjectName(QStringLiteral("compare.ranks.%1.%2").arg(line).arg(name));
    cell->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    m_rankGrid->addWidget(cell, static_cast<int>(block * rankLines + line), static_cast<int>(column));
    return cell;
}

/// The card is narrow: three groups stand side by side, further ones below them under the titles again.
void CostBars::addRankGroup() {
    const std::size_t group = m_rankCells.size();
    const std::size_t block = group / rankColumns;
    const bool titles = group % rankColumns == 0;
    if (titles)
        m_rankTitles.emplace_back();
    m_rankCells.emplace_back();
    for (std::size_t line = 0; line < rankLines; ++line) {
        if (titles)
            m_rankTitles.back()[line] = addRankCell(line, block, 0, QString(static_cast<int>(block) + 1, u'0'));
        m_rankCells.back()[line] = addRankCell(line, block, 1 + group % rankColumns, QString::number(group + 1));
    }
    m_rankCells.back()[0]->setText(comparison_text::groupLetter(group));
    if (titles)
        m_rankTitles.back()[0]->setText(block == 0 ? tr("Several ranks: mean over the runs") : QString());
}

void CostBars::showRanks(const ComparisonInput& input, const std::vector<GroupCost>& costs) {
    const auto any = std::ranges::find_if(costs, [](const GroupCost& cost) { return cost.ranks.has_value(); });
    m_ranks->setVisible(any != costs.end());
    m_memoryCaption->setText(any == costs.end() ? tr("Memory: highest use by tensors")
                                                : tr("Memory: highest use by tensors, of rank 0"));
    if (any == costs.end())
        return;
    while (m_rankCells.size() < costs.size())
        addRankGroup();
    for (std::size_t block = 0; block < m_rankTitles.size(); ++block)
        for (QLabel* title : m_rankTitles[block])
            title->setVisible(block * rankColumns < costs.size());
    for (std::size_t group = 0; group < m_rankCells.size(); ++group) {
        const bool shown = group < costs.size() && !groupAt(input, group).empty();
        for (QLabel* cell : m_rankCells[group])
            cell->setVisible(shown);
        if (!shown)
            continue;
        const std::vector<RankCostRow> rows = rankCostRows(costs[group].ranks, any->ranks);
        for (std::size_t line = 0; line < rows.size() && line + 1 < rankLines; ++line) {
            m_rankTitles[group / rankColumns][line + 1]->setText(format::message({rows[line].title, {}}));
            m_rankCells[group][line + 1]->setText(format::message(rows[line].a));
        }
    }
}

void CostBars::buildNoise() {
    m_noise->setObjectName(QStringLiteral("compare.noise"));
    auto* column = new QVBoxLayout(m_noise);
    column->setContentsMargins(0, space::s, 0, 0);
    column->setSpacing(2);
    column->addWidget(new RoleLabel(m_theme, TextRole::Caption, tr("Gradient noise scale"), m_noise));
    m_noise->setToolTip(tr("B_simple = tr Σ / |G|² (McCandlish et al. 2018) from the second half of each run: about "
                           "the batch size up to which a larger batch pays."));
}

void CostBars::showNoise(const ComparisonInput& input) {
    while (m_noiseLines.size() < groupCount(input)) {
        auto* line = new QLabel(m_noise);
        line->setObjectName(QStringLiteral("compare.noise") + comparison_text::groupLetter(m_noiseLines.size()));
        line->setWordWrap(true);
        m_noise->layout()->addWidget(line);
        m_noiseLines.push_back(line);
    }
    bool some = false;
    for (std::size_t group = 0; group < m_noiseLines.size(); ++group) {
        const bool shown = group < groupCount(input) && !groupAt(input, group).empty();
        m_noiseLines[group]->setVisible(shown);
        if (!shown)
            continue;
        const QString name = comparison_text::groupTitle(input, group);
        const auto noise = groupNoise(groupAt(input, group));
        some = some || noise;
        m_noiseLines[group]->setText(
            noise ? tr("%1: %2", "group, its noise scale")
                        .arg(name, format::message(noiseAdviceMessage(noise->scale, noise->effective, noise->unit)))
                  : tr("%1: none, its windows are one micro-batch.").arg(name));
    }
    m_noise->setVisible(some);
}

QHBoxLayout* CostBars::captionRow(QLabel* caption, QLabel* ratio) {
    auto* row = new QHBoxLayout;
    row->setSpacing(space::m);
    row->addWidget(caption, 1);
    row->addWidget(ratio, 0, Qt::AlignBottom);
    return row;
}

QGridLayout* CostBars::barGrid() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(space::m);
    grid->setVerticalSpacing(space::xs);
    grid->setColumnStretch(1, 1);
    return grid;
}

void CostBars::addRow(Bars& bars) {
    const QString letter = comparison_text::groupLetter(bars.rows.size());
    Row row{new QLabel(this), new Bar(m_theme, this), new QLabel(this), new QLabel(this),
            new RoleLabel(m_theme, TextRole::Caption, {}, this)};
    row.name->setObjectName(QStringLiteral("compare.%1Name%2").arg(bars.name, letter));
    row.bar->setObjectName(QStringLiteral("compare.%1Bar%2").arg(bars.name, letter));
    row.value->setObjectName(QStringLiteral("compare.%1%2").arg(bars.name, letter));
    row.ratio->setObjectName(QStringLiteral("compare.%1Ratio%2").arg(bars.name, letter));
    row.range->setObjectName(QStringLiteral("compare.%1Range%2").arg(bars.name, letter));
    const int line = 2 * static_cast<int>(bars.rows.size());
    int column = 0;
    for (QWidget* part : {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.bar),
                          static_cast<QWidget*>(row.value), static_cast<QWidget*>(row.ratio)})
        bars.grid->addWidget(part, line, column++);
    bars.grid->addWidget(row.range, line + 1, 1, 1, column - 1);
    for (QLabel* label : {row.name, row.value, row.ratio})
        label->setFont(m_theme.numberFont());
    for (QLabel* label : {row.value, row.ratio, row.range})
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    bars.rows.push_back(row);
}

/// Of each group's value to the reference's, for one column; empty where one of them is not known.
QStringList CostBars::ratiosOf(const ComparisonInput& input, const std::vector<Spread>& spreads) {
    const Spread& reference = spreads[input.reference];
    const auto isKnown = [&](std::size_t group) {
        return group != input.reference && spreads[group].isKnown() && reference.isKnown();
    };
    std::vector<double> known;
    for (std::size_t group = 0; group < spreads.size(); ++group)
        if (isKnown(group))
            known.push_back(spreads[group].mean / reference.mean);
    const QStringList texts = format::numbers(known, 3);
    QStringList ratios;
    qsizetype next = 0;
    for (std::size_t group = 0; group < spreads.size(); ++group)
        ratios << (isKnown(group) ? texts[next++] : QString());
    return ratios;
}

/// Empty where there is one run, or all read the same.
QString CostBars::rangeText(const Spread& spread, QString (*text)(double)) {
    const QString lowest = text(spread.lowest);
    const QString highest = text(spread.highest);
    return lowest == highest ? QString() : tr("%1 to %2 over the seeds").arg(lowest, highest);
}

/// Short to read, with the whole sentence for the pointer and the screen reader.
void CostBars::showRatio(QLabel* label, const QString& text, const QString& sentence) {
    label->setText(text);
    label->setToolTip(sentence);
    label->setAccessibleName(sentence);
}

void CostBars::fill(Bars& bars, const ComparisonInput& input, const Measured& measured) {
    const std::size_t count = groupCount(input);
    const bool several = count > 2;
    const double largest = std::ranges::max_element(measured.spreads, {}, &Spread::mean)->mean;
    const Spread& reference = measured.spreads[input.reference];
    const QString referenceTitle = comparison_text::groupTitle(input, input.reference);
    const QStringList ratios = ratiosOf(input, measured.spreads);
    while (bars.rows.size() < count)
        addRow(bars);
    showRatio(bars.ratio, {}, {});
    for (std::size_t group = 0; group < bars.rows.size(); ++group) {
        const Row& row = bars.rows[group];
        const bool shown = group < count && !groupAt(input, group).empty();
        row.setVisible(shown);
        row.ratio->setVisible(shown && several);
        if (!shown)
            continue;
        const Spread& spread = measured.spreads[group];
        const QString title = comparison_text::groupTitle(input, group);
        row.name->setText(several ? comparison_text::groupLetter(group) : title);
        row.name->setAccessibleName(title);
        row.name->setToolTip(several ? title : QString());
        row.bar->setShare(largest > 0.0 ? spread.mean / largest : 0.0);
        row.value->setText(spread.isKnown() ? measured.text(spread.mean) : QStringLiteral("–"));
        row.range->setText(rangeText(spread, measured.text));
        row.range->setVisible(!row.range->text().isEmpty());
        if (group == input.reference) {
            showRatio(row.ratio, {}, {});
            continue;
        }
        const bool known = spread.isKnown() && reference.isKnown();
        const QString ratio = ratios[static_cast<qsizetype>(group)];
        const QString sentence =
            known ? measured.sentence.arg(comparison_text::capitalised(title),
                                          format::number(spread.mean / reference.mean, 3), referenceTitle)
                  : QString();
        if (several)
            showRatio(row.ratio,
                      known ? tr("%1 × %2", "ratio, letter of the reference")
                                  .arg(ratio, comparison_text::groupLetter(input.reference))
                            : QString(),
                      sentence);
        else
            showRatio(bars.ratio, known ? tr("A / B = %1").arg(ratio) : QString(), sentence);
    }
}

void CostBars::setInput(const ComparisonInput& input) {
    std::vector<GroupCost> costs;
    Measured speed{{}, [](double value) { return format::rate(value); }, tr("%1 trains at %2 times the speed of %3.")};
    Measured memory{{},
                    [](double value) { return format::bytes(static_cast<qint64>(value)); },
                    tr("%1 needs %2 times the memory of %3.")};
    for (std::size_t group = 0; group < groupCount(input); ++group) {
        costs.push_back(groupCost(groupAt(input, group)));
        speed.spreads.push_back(costs.back().samplesPerSecond);
        memory.spreads.push_back(costs.back().peakBytes);
    }
    fill(m_speed, input, speed);
    fill(m_memory, input, memory);
    m_memoryPart->setVisible(std::ranges::count_if(memory.spreads, &Spread::isKnown) >= 2);
    const auto busy = busyMachine(costs);
    m_busy->setText(busy ? format::message(*busy) : QString());
    m_busy->setVisible(busy.has_value());
    showRanks(input, costs);
    showNoise(input);
    m_looks = withoutMeasurements(input);
    recolor();
}

void CostBars::recolor() {
    const std::vector<GroupLook> looks = groupLooks(m_theme.colors(), m_looks);
    for (Bars* bars : {&m_speed, &m_memory})
        for (std::size_t group = 0; group < std::min(looks.size(), bars->rows.size()); ++group)
            bars->rows[group].bar->setLook(looks[group]);
}

} // namespace accumulus::ui
