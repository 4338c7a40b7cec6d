// SPDX-License-Identifier: GPL-3.0-or-later
// The result of an audit in words: sign, word and colour, one sentence, what was audited, notes. GUI thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "widgets/style/controls.h"

namespace accumulus::ui {

class AuditHeadline : public Card {
    Q_OBJECT
public:
    explicit AuditHeadline(const Theme& theme, QWidget* parent = nullptr);
    void setAudit(const GradientAudit& audit);

private:
    void recolor();

    const Theme& m_theme;
    AuditVerdict m_verdict = AuditVerdict::Equivalent;
    QLabel* m_sign;
    QLabel* m_word;
    RoleLabel* m_sentence;
    RoleLabel* m_circumstances;
    RoleLabel* m_fault;
    RoleLabel* m_notes;
};

} // namespace accumulus::ui
