// SPDX-License-Identifier: GPL-3.0-or-later
// How long the study in the form will train: by the newest plan, as queue and presets have it, else at the speed of
// runs that were trained with the same settings. Those are looked up on the query thread and remembered. GUI thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "widgets/bridge/library_gateway.h"
#include "widgets/models/setup_plan.h"

#include <QObject>
#include <QTimer>
#include <optional>

namespace accumulus::ui {

struct StudyTime {
    enum class Source { Plan, Runs };
    double seconds = 0.0; ///< of training, without set-up, evaluation and checkpoints
    Source source = Source::Plan;
};

class SetupTime : public QObject {
    Q_OBJECT
public:
    explicit SetupTime(LibraryGateway& library, QObject* parent = nullptr);

    /// What follows is about this experiment, each run with so many samples. changed() when an answer has come.
    void ask(const ExperimentConfig& experiment, std::int64_t samples);
    void forget(); ///< runs may have ended: asks once more

    /// Nothing where neither plan nor runs tell.
    [[nodiscard]] std::optional<StudyTime> time(const SetupPlan& setup, const std::optional<MicroPlan>& plan) const;
    [[nodiscard]] bool isSettled() const { return m_settled; } ///< runs have been asked
    /// What a person reads in place of a time that is not known.
    [[nodiscard]] static QString unknownText();

Q_SIGNALS:
    void changed();

private:
    struct Question {
        ExperimentConfig experiment;
        std::int64_t samples = 0; ///< of a run; 0: not known
        bool operator==(const Question&) const = default;
    };
    void askNow();
    void settle(std::optional<double> byRuns);

    LibraryGateway& m_library;
    QTimer m_rest; ///< a number is typed digit by digit
    Question m_question;
    std::optional<double> m_byRuns; ///< seconds
    bool m_settled = false;
};

} // namespace accumulus::ui
