// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit_faults.h"

#include "core/analysis/gradient_audit.h"
#include "core/config/model_rows.h"
#include "core/engine/device_choice.h"
#include "core/engine/engine.h"

#include <ATen/ATen.h>
#include <string>

namespace accumulus {
namespace {

/// Takes the mean over the batch off the logits: each sample's loss depends on the others.
class CoupledModel final : public Model {
public:
    explicit CoupledModel(std::shared_ptr<const Model> inner)
        : Model(inner->layout().specs(), inner->buffers().specs()), m_inner(std::move(inner)) {}
    [[nodiscard]] Task task() const override { return m_inner->task(); }
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return m_inner->leastNormalisedArea(); }
    [[nodiscard]] bool bringsWeights() const override { return m_inner->bringsWeights(); }
    [[nodiscard]] at::Tensor ownWeights(at::ScalarType type) const override { return m_inner->ownWeights(type); }
    [[nodiscard]] at::Tensor ownBuffers() const override { return m_inner->ownBuffers(); }
    [[nodiscard]] bool drawsFromStream() const override { return m_inner->drawsFromStream(); }
    [[nodiscard]] bool couplesSamples() const override { return true; }
    [[nodiscard]] bool countsNormalised() const override { return m_inner->countsNormalised(); }
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> parameters, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const at::Tensor logits = m_inner->forward(parameters, input, context);
        return logits - logits.mean(0, /*keepdim=*/true);
    }

private:
    std::shared_ptr<const Model> m_inner;
};

Error refusedFault(const std::string& fault, const char* reason) {
    return {"audit.fault", {{"fault", "audit.pattern." + fault}, {"reason", reason}}};
}

Status buildDraws(FaultySetup& setup) {
    RunConfig& config = setup.faulty.config;
    if (config.model.dropout == 0.0 && config.data.augment == "none") {
        const bool isLinear = config.model.name == "mlp" && config.model.hidden.empty(); // nothing to drop
        if (hasSetting(config.model, "model.dropout") && !isLinear) {
            config.model.dropout = 0.1;
            setup.notes.push_back({"audit.note.dropout-set", {{"value", "0.1"}}});
        } else if (hasSetting(config.data, "data.augment")) {
            config.data.augment = "crop-flip";
            setup.notes.push_back({"audit.note.augment-set", {}});
        } else {
            return failure(refusedFault("dropout-stream", "reason.fault-draws"));
        }
    }
    setup.clean.config = config;
    setup.faulty.bug = PlantedBug::DrawsByCallOrder;
    return {};
}

Status buildCoupling(FaultySetup& setup) {
    ACCUMULUS_TRY_ASSIGN(auto model, modelOf(setup.faulty, at::kCPU));
    setup.faulty.model = setup.clean.model = std::make_shared<CoupledModel>(std::move(model));
    setup.couplesSamples = true;
    return {};
}

/// Those that a setting or a bug of the engine is enough for. False: it is none of them.
bool buildPlain(const std::string& fault, EngineSetup& setup) {
    RunConfig& config = setup.config;
    if (fault == "mean-of-means")
        config.loss.normalise = Normalise::MeanOfMeans;
    else if (fault == "factor-k")
        config.loss.normalise = Normalise::SumOfMeans;
    else if (fault == "remainder-window")
        config.loss.normalise = Normalise::NominalSteps;
    else if (fault == "divided-twice")
        setup.bug = PlantedBug::DividedTwice;
    else if (fault == "last-micro-batch-lost")
        setup.bug = PlantedBug::LastMicroBatchLost;
    else if (fault == "only-last-kept")
        setup.bug = PlantedBug::OnlyLastKept;
    else if (fault == "geometric-weights")
        setup.bug = PlantedBug::GeometricWeights;
    else if (fault == "rank-normalisation")
        setup.bug = PlantedBug::RanksAveragedAlone;
    else if (fault == "gradients-not-cleared")
        setup.bug = PlantedBug::GradientsNotCleared;
    else if (fault == "clip-per-micro-batch")
        setup.bug = PlantedBug::ClipEachMicroBatch;
    else
        return false;
    return true;
}

} // namespace

Result<FaultySetup> buildIn(const std::string& fault, const EngineSetup& setup) {
    const AuditPattern* pattern = findAuditPattern(fault);
    if (!pattern) {
        std::string all;
        for (const AuditPattern& row : auditPatterns())
            if (row.canPlant)
                all += (all.empty() ? "" : ", ") + std::string(row.code);
        return failure("audit.unknown-fault", {{"fault", fault}, {"faults", all}});
    }
    if (!pattern->canPlant)
        return failure(refusedFault(fault, "reason.fault-not-plantable"));
    ACCUMULUS_TRY_ASSIGN(const auto device, chooseDevice(setup.config.device.kind));
    if (device.isGpu())
        return failure(refusedFault(fault, "reason.fault-on-device"));
    FaultySetup result{setup, setup, {}};
    RunConfig& config = result.faulty.config;
    config.batch.lean = result.clean.config.batch.lean = false; // lean keeps no micro-gradients to give weights to
    if (buildPlain(fault, result.faulty)) {
        result.clipsEach = fault == "clip-per-micro-batch";
        return result;
    }
    if (fault == "dropout-stream") {
        ACCUMULUS_TRY(buildDraws(result));
    } else if (fault == "batch-coupled-loss") {
        ACCUMULUS_TRY(buildCoupling(result));
    } else if (fault == "low-precision-accumulator") {
        if (config.numerics.precision == Precision::Fp64)
            return failure(refusedFault(fault, "reason.fault-not-fp64"));
        config.numerics.accumulator = AccumulatorKind::Bf16;
    } else if (fault == "loss-scale") {
        if (config.numerics.precision != Precision::Fp16)
            return failure(refusedFault(fault, "reason.fault-precision-16"));
        result.faulty.bug = PlantedBug::NotUnscaled;
    }
    return result;
}

} // namespace accumulus
