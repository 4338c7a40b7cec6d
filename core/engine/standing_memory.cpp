// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/standing_memory.h"

#include "core/base/available_memory.h"
#include "core/base/error_cause.h"
#include "core/config/byte_size.h"
#include "core/engine/memory_counter.h"
#include "core/model/parameter_arena.h"
#include "core/ranks/communicator.h"

#include <algorithm>

namespace accumulus {
namespace {

/// Parts of the optimizer's state, each as large as the parameters.
std::int64_t momentsOf(const OptimizerConfig& optimizer) {
    return optimizer.name == OptimizerKind::Sgd ? (optimizer.momentum != 0.0 ? 1 : 0) : 2;
}

/// Elements that one of several ranks holds.
struct Shares {
    std::int64_t moments = 0, sums = 0;
};

/// With ZeRO the optimizer's state is shared out, and the sums, too, where each micro-gradient goes to its owner.
Shares sharesOf(const RunConfig& config, std::int64_t elements) {
    const std::int64_t ranks = std::max<std::int64_t>(config.batch.devices, 1);
    const std::int64_t shard = (elements + ranks - 1) / ranks;
    const ParallelConfig& parallel = config.parallel;
    const bool scatters = parallel.mode == ParallelMode::Zero2 || parallel.order == ReductionOrder::MicroSteps;
    if (parallel.mode == ParallelMode::Ddp)
        return {elements, elements};
    return {shard, scatters ? shard : elements};
}

bool isSixteenBits(Precision precision) { return precision == Precision::Bf16 || precision == Precision::Fp16; }

/// Is most of the network the layer that has an output for each class?
bool isMostlyClasses(const ParameterLayout& layout, std::int64_t classes) {
    std::int64_t parameters = 0;
    for (const ParameterSpec& spec : layout.specs())
        if (!spec.shape.empty() && spec.shape.front() == classes)
            parameters += spec.count();
    return parameters > layout.parameterCount() / 2;
}

} // namespace

StandingMemory standingMemory(const RunConfig& config, const ArenaSizes& arenas, std::int64_t lanes, bool gpu) {
    const NumericsConfig& numerics = config.numerics;
    const std::int64_t bytes = numerics.precision == Precision::Fp64 ? 8 : 4;
    const bool small = isSixteenBits(numerics.precision);
    const std::int64_t summed = numerics.accumulator == AccumulatorKind::Bf16   ? 2
                                : numerics.accumulator == AccumulatorKind::Fp32 ? 4
                                                                                : bytes;
    // On the CPU a lane's gradients of a built-in model are those of the copy in 16 bits.
    const bool cast = small && config.model.name != "file" && !gpu;
    const Shares shares = sharesOf(config, arenas.gradients);
    StandingMemory memory;
    memory.parameters = arenas.parameters * (bytes + (small ? 2 : 0));
    memory.gradients = shares.sums * summed + (config.batch.lean ? 0 : arenas.gradients * lanes * (cast ? 2 : bytes));
    memory.optimizer = shares.moments * bytes * momentsOf(config.optimizer);
    return memory;
}

MemoryRoom roomOnCpu(const RunConfig& config) {
    const std::int64_t available = availableMemory();
    const auto limit = parseBytes(config.device.memoryLimit);
    if (!limit || *limit <= 0)
        return {available, false};
    const std::int64_t left = std::max<std::int64_t>(1, *limit - MemoryCounter::current());
    return available > 0 && available < left ? MemoryRoom{available, false} : MemoryRoom{left, true};
}

Status checkStandingMemory(const EngineSetup& setup, const ParameterLayout& layout, std::int64_t lanes,
                           const MemoryRoom& room) {
    const ArenaSizes arenas{layout.flatSize(), layout.gradientSize()};
    RunConfig config = setup.config;
    if (setup.ranks)
        config.batch.devices = setup.ranks->size();
    const auto needed = [&](std::int64_t of) { return standingMemory(config, arenas, of, /*gpu=*/false).total(); };
    if (room.bytes <= 0 || needed(lanes) <= room.bytes)
        return {};
    const bool fitsOnce = needed(1) <= room.bytes;
    const std::int64_t classes = setup.config.model.name == "file" ? 0 : setup.data->classes;
    const bool manyClasses = classes > 0 && isMostlyClasses(layout, classes);
    const char* cure = !manyClasses           ? "cure.smaller-network"
                       : setup.data->isText() ? "cure.fewer-tokens"
                                              : "cure.fewer-classes";
    return failure(fitsOnce ? "training.memory" : "model.memory",
                   {{"reason", fitsOnce      ? "reason.memory-of-lanes"
                               : manyClasses ? "reason.memory-of-classes"
                                             : "reason.memory-of-weights"},
                    {"parameters", std::to_string(layout.parameterCount())},
                    {"lanes", std::to_string(lanes)},
                    {"classes", std::to_string(classes)},
                    {"largest", std::to_string(classes - 1)},
                    {"needed", bytesText(needed(fitsOnce ? lanes : 1))},
                    {"room", room.limited ? "phrase.memory-limit" : "phrase.memory-free"},
                    {"free", room.limited ? setup.config.device.memoryLimit : bytesText(room.bytes)},
                    {"cure", cure}});
}

bool isMemoryError(const Error& error) {
    const std::string code = causeOf(error).code;
    return code == "training.memory" || code == "model.memory";
}

} // namespace accumulus
