// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a checkpoint and its resume bundle hold, to be compared bit by bit.
#pragma once

#include "core/base/training_records.h"
#include "core/model/safetensors.h"

#include <ATen/ATen.h>

#include <map>
#include <string>

namespace accumulus::test {

using CheckpointTensors = std::map<std::string, at::Tensor>;

/// Weights and buffers; moments, counts and sums of an open window.
inline CheckpointTensors tensorsOf(const CheckpointRecord& checkpoint) {
    CheckpointTensors tensors;
    for (const std::string& file : {checkpoint.weightsPath, checkpoint.bundlePath}) {
        const auto content = readSafetensors(file).value();
        for (const auto& [name, tensor] : content.tensors)
            // The count of batches that PyTorch keeps beside the buffers; nothing here reads it.
            if (!name.ends_with("num_batches_tracked"))
                tensors[(file == checkpoint.weightsPath ? "weights: " : "bundle: ") + name] = tensor.clone();
    }
    return tensors;
}

inline bool holds(const CheckpointTensors& tensors, const std::string& part) {
    for (const auto& [name, tensor] : tensors)
        if (name.find(part) != std::string::npos)
            return true;
    return false;
}

/// Name of a tensor that differs in any bit; empty: none. NaN differs from itself.
inline std::string firstDifference(const CheckpointTensors& a, const CheckpointTensors& b) {
    if (a.size() != b.size())
        return "other tensors";
    for (const auto& [name, tensor] : a)
        if (!b.contains(name) || !at::equal(tensor, b.at(name)))
            return name;
    return {};
}

} // namespace accumulus::test
