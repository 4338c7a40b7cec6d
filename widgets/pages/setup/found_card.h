// SPDX-License-Identifier: GPL-3.0-or-later
// What was found of the chosen data and network, before anything starts: their facts, how much of the network trains,
// and the first samples. It shows what it is given. GUI thread.
#pragma once

#include "widgets/models/setup_facts.h"
#include "widgets/style/controls.h"

class QTableWidget;

namespace accumulus::ui {

class SampleStrip;

class FoundCard : public Card {
    Q_OBJECT
public:
    explicit FoundCard(const Theme& theme, QWidget* parent = nullptr);
    void showFacts(const SetupFacts& facts, const DataConfig& config);

private:
    [[nodiscard]] RoleLabel* addLine(const QString& caption, const char* name);
    void showPreview(const SetupFacts& facts, const DataConfig& config);
    void showRows(const SamplePreview& preview, const DataConfig& config);

    const Theme& m_theme;
    QGridLayout* m_lines;
    RoleLabel* m_data;
    RoleLabel* m_network;
    RoleLabel* m_parameters;
    RoleLabel* m_note;
    SampleStrip* m_strip;
    QTableWidget* m_rows;
    SamplePreview m_shownRows;
};

} // namespace accumulus::ui
