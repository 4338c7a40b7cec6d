// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/cost_bars.h"

#include "core/analysis/noise_words.h"
#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

namespace accumulus::ui {

namespace {

QString rangeText(const std::vector<ComparedRun>& group) {
    double lowest = 0.0;
    double highest = 0.0;
    for (const ComparedRun& run : group)
        if (run.samplesPerSecond > 0.0) {
            lowest = lowest == 0.0 ? run.samplesPerSecond : std::min(lowest, run.samplesPerSecond);
            highest = std::max(highest, run.samplesPerSecond);
        }
    return CostBars::tr("%1 to %2 over the seeds").arg(format::rate(lowest), format::rate(highest));
}

} // namespace

/// A horizontal bar whose length is its share of the larger group; the large batch is hatched as its curves are dashed.
class CostBars::Bar : public QWidget {
public:
    Bar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFixedHeight(space::l);
    }
    void setShare(double share, Arm arm) {
        m_share = share;
        m_arm = arm;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = m_theme.colors();
        const QColor color = m_arm == Arm::LargeBatch ? colors.largeBatch : colors.accumulated;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.cardAlternate);
        painter.drawRoundedRect(QRectF(rect()), 3.0, 3.0);
        const QRectF filled(0.0, 0.0, width() * m_share, height());
        painter.setBrush(color);
        painter.drawRoundedRect(filled, 3.0, 3.0);
        if (m_arm == Arm::LargeBatch) {
            QColor light = colors.card;
            light.setAlphaF(0.45F);
            painter.setBrush(QBrush(light, Qt::BDiagPattern));
            painter.drawRoundedRect(filled, 3.0, 3.0);
        }
    }

private:
    const Theme& m_theme;
    double m_share = 0.0;
    Arm m_arm = Arm::Accumulated;
};

CostBars::CostBars(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Cost"), parent), m_theme(theme), m_speedRatio(new QLabel(this)), m_memoryRatio(new QLabel(this)),
      m_memoryCaption(new RoleLabel(theme, TextRole::Caption, {}, this)), m_memory(new QWidget(this)),
      m_ranks(new QWidget(this)), m_noise(new QWidget(this)) {
    setObjectName(QStringLiteral("compare.cost"));
    m_speedRatio->setObjectName(QStringLiteral("compare.speedRatio"));
    m_memoryRatio->setObjectName(QStringLiteral("compare.memoryRatio"));
    m_memoryCaption->setObjectName(QStringLiteral("compare.memoryCaption"));
    for (QLabel* ratio : {m_speedRatio, m_memoryRatio})
        ratio->setFont(theme.numberFont());
    auto* speed = new QGridLayout;
    speed->setHorizontalSpacing(space::m);
    speed->setVerticalSpacing(space::xs);
    speed->setColumnStretch(1, 1);
    m_speedA = addRow(speed, 0);
    m_speedB = addRow(speed, 1);
    content()->setSpacing(space::s);
    content()->addLayout(captionRow(
        new RoleLabel(theme, TextRole::Caption, tr("Speed: training samples per second of active time"), this),
        m_speedRatio));
    content()->addLayout(speed);

    auto* column = new QVBoxLayout(m_memory);
    column->setContentsMargins(0, space::s, 0, 0);
    auto* memory = new QGridLayout;
    memory->setHorizontalSpacing(space::m);
    memory->setVerticalSpacing(space::xs);
    memory->setColumnStretch(1, 1);
    m_memoryA = addRow(memory, 0);
    m_memoryB = addRow(memory, 1);
    column->setSpacing(space::s);
    column->addLayout(captionRow(m_memoryCaption, m_memoryRatio));
    column->addLayout(memory);
    content()->addWidget(m_memory);
    buildRanks();
    content()->addWidget(m_ranks);
    buildNoise();
    content()->addWidget(m_noise);
    content()->addStretch(1);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

/// Lines of rankCostRows(), below a heading.
void CostBars::buildRanks() {
    m_ranks->setObjectName(QStringLiteral("compare.ranks"));
    auto* table = new QGridLayout(m_ranks);
    table->setContentsMargins(0, space::s, 0, 0);
    table->setHorizontalSpacing(space::l);
    table->setVerticalSpacing(2);
    table->setColumnStretch(0, 1);
    for (const int side : {1, 2})
        table->setColumnMinimumWidth(side,
                                     QFontMetrics(m_theme.numberFont()).horizontalAdvance(QStringLiteral("000 MB")));
    for (std::size_t line = 0; line < m_rankCells.size(); ++line)
        for (std::size_t column = 0; column < 3; ++column) {
            QLabel*& cell = m_rankCells[line][column];
            if (line == 0) {
                auto* heading = new RoleLabel(m_theme, TextRole::Caption, {}, m_ranks);
                heading->setWordWrap(false);
                cell = heading;
            } else {
                cell = new QLabel(m_ranks);
                cell->setFont(m_theme.numberFont());
            }
            cell->setObjectName(QStringLiteral("compare.ranks.%1.%2").arg(line).arg(column));
            cell->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            table->addWidget(cell, static_cast<int>(line), static_cast<int>(column));
        }
    m_rankCells[0][0]->setText(tr("Several ranks: mean over the runs"));
    m_rankCells[0][1]->setText(tr("A", "name of the first group"));
    m_rankCells[0][2]->setText(tr("B", "name of the second group"));
    m_ranks->setToolTip(tr("Sent: gradients and weights. Waiting and reducing: share of a window's time, mean over "
                           "ranks. The others wait for the slowest rank, which waits least."));
}

void CostBars::showRanks(const GroupCost& a, const GroupCost& b) {
    const std::vector<RankCostRow> rows = rankCostRows(a.ranks, b.ranks);
    m_ranks->setVisible(!rows.empty());
    m_memoryCaption->setText(rows.empty() ? tr("Memory: highest use by tensors")
                                          : tr("Memory: highest use by tensors, of rank 0"));
    for (std::size_t line = 0; line < rows.size() && line + 1 < m_rankCells.size(); ++line) {
        const auto& cells = m_rankCells[line + 1];
        cells[0]->setText(format::message({rows[line].title, {}}));
        cells[1]->setText(format::message(rows[line].a));
        cells[2]->setText(format::message(rows[line].b));
    }
}

void CostBars::buildNoise() {
    m_noise->setObjectName(QStringLiteral("compare.noise"));
    auto* column = new QVBoxLayout(m_noise);
    column->setContentsMargins(0, space::s, 0, 0);
    column->setSpacing(2);
    column->addWidget(new RoleLabel(m_theme, TextRole::Caption, tr("Gradient noise scale"), m_noise));
    for (std::size_t side = 0; side < m_noiseLines.size(); ++side) {
        m_noiseLines[side] = new QLabel(m_noise);
        m_noiseLines[side]->setObjectName(side == 0 ? QStringLiteral("compare.noiseA")
                                                    : QStringLiteral("compare.noiseB"));
        m_noiseLines[side]->setWordWrap(true);
        column->addWidget(m_noiseLines[side]);
    }
    m_noise->setToolTip(tr("B_simple = tr Σ / |G|² (McCandlish et al. 2018) from the second half of each run: about "
                           "the batch size up to which a larger batch pays."));
}

void CostBars::showNoise(const std::vector<ComparedRun>& groupA, const std::vector<ComparedRun>& groupB) {
    const std::array noises{groupNoise(groupA), groupNoise(groupB)};
    const std::array names{comparison_text::groupTitle(groupA), comparison_text::groupTitle(groupB)};
    m_noise->setVisible(noises[0] || noises[1]);
    for (std::size_t side = 0; side < m_noiseLines.size(); ++side) {
        const auto& noise = noises[side];
        m_noiseLines[side]->setText(noise ? tr("%1: %2", "group, its noise scale")
                                                .arg(names[side], format::message(noiseAdviceMessage(
                                                                      noise->scale, noise->effective, noise->unit)))
                                          : tr("%1: none, its windows are one micro-batch.").arg(names[side]));
    }
}

QHBoxLayout* CostBars::captionRow(QLabel* caption, QLabel* ratio) {
    auto* row = new QHBoxLayout;
    row->setSpacing(space::m);
    row->addWidget(caption, 1);
    row->addWidget(ratio, 0, Qt::AlignBottom);
    return row;
}

CostBars::Row CostBars::addRow(QGridLayout* grid, int line) {
    Row row;
    row.name = new QLabel(this);
    row.name->setFont(m_theme.numberFont());
    row.bar = new Bar(m_theme, this);
    row.value = new QLabel(this);
    row.value->setFont(m_theme.numberFont());
    row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(row.name, line, 0);
    grid->addWidget(row.bar, line, 1);
    grid->addWidget(row.value, line, 2);
    return row;
}

void CostBars::fillRow(const Row& row, const std::vector<ComparedRun>& group, double value, double largest,
                       const QString& text) {
    row.name->setText(comparison_text::groupTitle(group));
    row.bar->setShare(largest > 0.0 ? value / largest : 0.0, group.empty() ? Arm::Accumulated : group.front().arm);
    row.value->setText(text);
}

/// Short to read, with the whole sentence for the pointer and the screen reader.
void CostBars::showRatio(QLabel* label, double a, double b, const QString& sentence, const QString& nameA,
                         const QString& nameB) {
    const bool known = a > 0.0 && b > 0.0;
    const QString ratio = known ? format::number(a / b, 3) : QString();
    label->setText(known ? tr("A / B = %1").arg(ratio) : QString());
    const QString text = known ? sentence.arg(comparison_text::capitalised(nameA), ratio, nameB) : QString();
    label->setToolTip(text);
    label->setAccessibleName(text);
}

void CostBars::setGroups(const std::vector<ComparedRun>& groupA, const std::vector<ComparedRun>& groupB) {
    const QString a = comparison_text::groupTitle(groupA);
    const QString b = comparison_text::groupTitle(groupB);
    const GroupCost costA = groupCost(groupA);
    const GroupCost costB = groupCost(groupB);
    const double speedA = costA.samplesPerSecond;
    const double speedB = costB.samplesPerSecond;
    const QString none = QStringLiteral("–");
    fillRow(m_speedA, groupA, speedA, std::max(speedA, speedB), speedA > 0.0 ? format::rate(speedA) : none);
    fillRow(m_speedB, groupB, speedB, std::max(speedA, speedB), speedB > 0.0 ? format::rate(speedB) : none);
    m_speedA.bar->setToolTip(rangeText(groupA));
    m_speedB.bar->setToolTip(rangeText(groupB));
    showRatio(m_speedRatio, speedA, speedB, tr("%1 trains at %2 times the speed of %3."), a, b);

    const double memoryA = costA.peakBytes;
    const double memoryB = costB.peakBytes;
    m_memory->setVisible(memoryA > 0.0 && memoryB > 0.0);
    const auto bytes = [](double value) { return format::bytes(static_cast<qint64>(value)); };
    fillRow(m_memoryA, groupA, memoryA, std::max(memoryA, memoryB), bytes(memoryA));
    fillRow(m_memoryB, groupB, memoryB, std::max(memoryA, memoryB), bytes(memoryB));
    showRatio(m_memoryRatio, memoryA, memoryB, tr("%1 needs %2 times the memory of %3."), a, b);
    showRanks(costA, costB);
    showNoise(groupA, groupB);
}

} // namespace accumulus::ui
