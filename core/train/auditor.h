// SPDX-License-Identifier: GPL-3.0-or-later
// auditTraining()'s inside: what it computes, piece by piece. Shared by auditor.cpp (the windows of the loop) and
// auditor_comparison.cpp (what they are held against). Not for others.
#pragma once

#include "core/analysis/gradient_diagnosis.h"
#include "core/engine/engine_trial.h"
#include "core/train/audit.h"
#include "core/train/audit_gradients.h"
#include "core/train/audit_plan.h"

#include <memory>
#include <optional>
#include <vector>

namespace accumulus {

/// A closed window of a trial.
struct TrialGradient {
    NamedGradients tensors;
    WindowGradient window;
};

/// All that is computed, piece by piece.
class Auditor {
public:
    explicit Auditor(const AuditSetup& setup) : m_setup(setup), m_base(setup.engine), m_clean(setup.engine) {}

    Result<GradientAudit> run() {
        ACCUMULUS_TRY(prepare());
        ACCUMULUS_TRY(computeMicroGradients());
        ACCUMULUS_TRY(accumulateWindows());
        m_diagnosis = diagnose(m_evidence);
        ACCUMULUS_TRY(compareWithLargeBatch());
        ACCUMULUS_TRY(explainExcess());
        ACCUMULUS_TRY(computeSplits());
        ACCUMULUS_TRY(computeUpdates());
        describe();
        return std::move(m_audit);
    }

private:
    using Trial = std::unique_ptr<EngineTrial>;

    Status prepare();
    Status computeMicroGradients();
    Status accumulateWindows();
    Status compareWithLargeBatch();
    Status explainExcess();
    Status computeSplits();
    Status computeUpdates();
    Status makeUpdates();
    void describe();

    [[nodiscard]] Status tell(double share, Message what) const {
        if (m_setup.stop.stop_requested())
            return failure("audit.cancelled");
        if (m_setup.progress)
            m_setup.progress(share, what);
        return {};
    }
    /// What a trial, or the reference, may take.
    [[nodiscard]] Result<std::int64_t> memoryLimit() const;
    [[nodiscard]] Result<Trial> trialOf(const EngineSetup& setup, std::int64_t micro, LanePlan lanes) const;
    [[nodiscard]] EngineSetup largeSetup(std::int64_t ghost) const;
    [[nodiscard]] Result<Trial> largeTrial(std::int64_t samples, std::int64_t ghost = 0) const {
        return trialOf(largeSetup(ghost), samples, {1, m_setup.cores});
    }
    [[nodiscard]] static Result<TrialGradient> gradientOf(EngineTrial& trial, const EngineTrial::Window& window);
    [[nodiscard]] const AuditWindowPlan& judged() const { return m_plan.windows[m_diagnosis.judgedWindow]; }
    /// Accumulation and large batch in fp64. Nothing where it cannot be computed.
    [[nodiscard]] Result<std::optional<bool>> agreesInFp64(std::int64_t ghost);
    [[nodiscard]] Result<bool> comparedInFp64(std::int64_t ghost);
    [[nodiscard]] Result<NamedGradients> loopInFp64() const;
    [[nodiscard]] Result<NamedGradients> referenceOf(const EngineTrial& trial);
    [[nodiscard]] bool mixesSamples(const Model& model) const {
        return model.hasBatchNorm() && m_clean.config.numerics.batchNorm != BatchNormMode::Frozen;
    }

    const AuditSetup& m_setup;
    EngineSetup m_base;  ///< through which the loop accumulates, with its fault
    EngineSetup m_clean; ///< the same without
    AuditPlan m_plan;
    GradientAudit m_audit;
    GradientEvidence m_evidence;
    GradientDiagnosis m_diagnosis;
    AuditFacts m_facts;
    std::optional<ElementChoice> m_choice;
    std::vector<std::vector<double>> m_floors; ///< [window][tensor]
    std::vector<NamedGradients> m_accumulated; ///< [window]; empty where it made no update
    NamedGradients m_large, m_permuted, m_reference;
    bool m_clipsEach = false, m_couples = false;
    bool m_inFp64 = true; ///< the network can compute in it
    double m_largeSeconds = 0.0;
};

} // namespace accumulus
