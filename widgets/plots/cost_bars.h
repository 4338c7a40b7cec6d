// SPDX-License-Identifier: GPL-3.0-or-later
// What the groups cost: samples per second and peak memory of each as bars with numbers, their range over the runs, and
// their ratio to the reference; a warning where other programs kept the machine busy; where runs had several ranks,
// what these cost; the gradient noise scale of each group and what its batch costs by it. GUI thread.
#pragma once

#include "core/analysis/compare_family.h"
#include "widgets/style/controls.h"

#include <array>
#include <vector>

class QGridLayout;
class QHBoxLayout;

namespace accumulus::ui {

class CostBars : public Card {
    Q_OBJECT
public:
    explicit CostBars(const Theme& theme, QWidget* parent = nullptr);
    /// Two groups have their titles beside the bars and one ratio; more their letters, and each its ratio.
    void setInput(const ComparisonInput& input);

private:
    static constexpr std::size_t rankLines = 6, rankColumns = 3;
    using RankLabels = std::array<QLabel*, rankLines>; ///< heading and lines

    class Bar;
    struct Row {
        QLabel* name = nullptr;
        Bar* bar = nullptr;
        QLabel* value = nullptr;
        QLabel* ratio = nullptr; ///< to the reference; hidden for two groups
        QLabel* range = nullptr; ///< below, where several runs differ
        void setVisible(bool on) const;
    };
    /// A bar for each group.
    struct Bars {
        QString name; ///< of its parts: "speed"
        QGridLayout* grid = nullptr;
        QLabel* ratio = nullptr; ///< of two groups
        std::vector<Row> rows;   ///< as many as there ever were; those too many are hidden
    };
    /// What one set of bars shows.
    struct Measured {
        std::vector<Spread> spreads; ///< of each group
        QString (*text)(double);
        QString sentence; ///< %1 group, %2 ratio, %3 reference
    };
    void buildMemory();
    void buildRanks();
    [[nodiscard]] QLabel* addRankCell(std::size_t line, std::size_t block, std::size_t column, const QString& name);
    void addRankGroup();
    void showRanks(const ComparisonInput& input, const std::vector<GroupCost>& costs);
    void buildNoise();
    void showNoise(const ComparisonInput& input);
    [[nodiscard]] QHBoxLayout* captionRow(QLabel* caption, QLabel* ratio);
    [[nodiscard]] QGridLayout* barGrid();
    void addRow(Bars& bars);
    void fill(Bars& bars, const ComparisonInput& input, const Measured& measured);
    [[nodiscard]] static QStringList ratiosOf(const ComparisonInput& input, const std::vector<Spread>& spreads);
    [[nodiscard]] static QString rangeText(const Spread& spread, QString (*text)(double));
    static void showRatio(QLabel* label, const QString& text, const QString& sentence);
    void recolor();

    const Theme& m_theme;
    Bars m_speed, m_memory;
    ComparisonInput m_looks; ///< withoutMeasurements()
    QLabel* m_memoryCaption;
    QWidget* m_memoryPart;
    RoleLabel* m_busy; ///< the machine was, while the runs trained
    QWidget* m_ranks;
    QGridLayout* m_rankGrid = nullptr;
    QWidget* m_noise;
    std::vector<QLabel*> m_noiseLines;    ///< of each group
    std::vector<RankLabels> m_rankTitles; ///< of each block of rankColumns groups
    std::vector<RankLabels> m_rankCells;  ///< of each group
};

} // namespace accumulus::ui
