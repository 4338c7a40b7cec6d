// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan recommends, in words, with its date and its notes, and the button that takes it over. GUI thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "widgets/style/controls.h"

class QPushButton;

namespace accumulus::ui {

class PlanAdvice : public Card {
    Q_OBJECT
public:
    explicit PlanAdvice(const Theme& theme, QWidget* parent = nullptr);
    /// `running`: more sizes will come, so nothing is recommended yet.
    void showPlan(const MicroPlan& plan, bool running);

Q_SIGNALS:
    void useClicked();

private:
    RoleLabel* m_sentence;
    RoleLabel* m_measured;
    RoleLabel* m_notes;
    QPushButton* m_use;
};

} // namespace accumulus::ui
