// SPDX-License-Identifier: GPL-3.0-or-later
// What the arms cost: samples per second and peak memory of two groups as bars with numbers, and their ratio; where
// runs had several ranks, what these cost; the gradient noise scale of each group and what its batch costs by it. GUI
// thread.
#pragma once

#include "core/analysis/compare.h"
#include "widgets/style/controls.h"

#include <array>

class QGridLayout;
class QHBoxLayout;

namespace accumulus::ui {

class CostBars : public Card {
    Q_OBJECT
public:
    explicit CostBars(const Theme& theme, QWidget* parent = nullptr);
    void setGroups(const std::vector<ComparedRun>& groupA, const std::vector<ComparedRun>& groupB);

private:
    class Bar;
    struct Row {
        QLabel* name = nullptr;
        Bar* bar = nullptr;
        QLabel* value = nullptr;
    };
    void buildRanks();
    void showRanks(const GroupCost& a, const GroupCost& b);
    void buildNoise();
    void showNoise(const std::vector<ComparedRun>& groupA, const std::vector<ComparedRun>& groupB);
    [[nodiscard]] QHBoxLayout* captionRow(QLabel* caption, QLabel* ratio);
    [[nodiscard]] Row addRow(QGridLayout* grid, int line);
    static void showRatio(QLabel* label, double a, double b, const QString& sentence, const QString& nameA,
                          const QString& nameB);
    void fillRow(const Row& row, const std::vector<ComparedRun>& group, double value, double largest,
                 const QString& text);

    const Theme& m_theme;
    Row m_speedA, m_speedB, m_memoryA, m_memoryB;
    QLabel* m_speedRatio;
    QLabel* m_memoryRatio;
    QLabel* m_memoryCaption;
    QWidget* m_memory;
    QWidget* m_ranks;
    QWidget* m_noise;
    std::array<QLabel*, 2> m_noiseLines;               ///< A, B
    std::array<std::array<QLabel*, 3>, 6> m_rankCells; ///< heading and lines: title, A, B
};

} // namespace accumulus::ui
