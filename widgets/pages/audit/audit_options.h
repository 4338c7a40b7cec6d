// SPDX-License-Identifier: GPL-3.0-or-later
// What is audited, and how: the set-up or a run's checkpoint, tolerance, fp64 reference, updates, and a mistake that is
// built in on purpose. GUI thread.
#pragma once

#include "core/run/gradient_audits.h"
#include "core/store/run_records.h"
#include "widgets/style/controls.h"

#include <optional>
#include <string>

class QBoxLayout;
class QCheckBox;
class QComboBox;

namespace accumulus::ui {

class NumberBox;

struct AuditChoice {
    std::optional<ExperimentConfig> setup; ///< of Set up
    std::optional<RunRecord> run;          ///< chosen in the library
    bool ofRun = false;                    ///< which of the two
    bool hasBest = false, hasLast = false; ///< checkpoints of the run
    std::string checkpoint = "initial";
    std::optional<double> tolerance; ///< instead of the precision's
    bool reference = true;
    std::int64_t updates = 0;
    std::optional<std::string> fault;
    [[nodiscard]] bool any() const { return ofRun ? run.has_value() : setup.has_value(); }
};

/// Of the set-up the first seed.
[[nodiscard]] AuditRequest auditRequest(const AuditChoice& choice);
/// The same as a run, by which stored audits are found.
[[nodiscard]] RunRecord auditedRun(const AuditChoice& choice);

class AuditOptions : public QWidget {
    Q_OBJECT
public:
    explicit AuditOptions(const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] const AuditChoice& choice() const { return m_choice; }
    void setChoice(const AuditChoice& choice);
    void setFault(const std::optional<std::string>& fault);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void subjectChanged(); ///< by the person
    void choiceShown();    ///< by whomever

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build(const Theme& theme);
    void show();
    void showSubjects();
    void showCheckpoints();
    void read();

    AuditChoice m_choice;
    QComboBox* m_subject;
    QComboBox* m_checkpoint;
    NumberBox* m_tolerance;
    QCheckBox* m_reference;
    NumberBox* m_updates;
    QComboBox* m_fault;
    QBoxLayout* m_rows; ///< one line, or two where that has no room for what is audited
    bool m_showing = false;
};

} // namespace accumulus::ui
