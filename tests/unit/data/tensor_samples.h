// SPDX-License-Identifier: GPL-3.0-or-later
// Small sets of inputs and targets in files of every format, and what becomes of them.
#pragma once

#include "core/data/dataset.h"
#include "tests/unit/data/tensor_bytes.h"

#include <QString>

namespace accumulus::test {

inline DataConfig configOf(const std::filesystem::path& path, std::int64_t validation = 0) {
    DataConfig config;
    config.dataset = "tensors";
    config.path = path.string();
    config.validation = validation;
    return config;
}

inline std::string floats(int count, float first = 0.0F) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i)
        values.push_back(first + 0.5F * static_cast<float>(i));
    return bytesOf(values);
}

/// `count` samples [2, 3] of floats.
inline std::string inputsNpy(int count, float first = 0.0F) {
    return npyBytes("<f4", "(" + std::to_string(count) + ", 2, 3)", floats(6 * count, first));
}
/// Labels 0, 1, 2, 0, ... as int64.
inline std::string labels(int count) {
    std::vector<std::int64_t> values;
    for (int i = 0; i < count; ++i)
        values.push_back(i % 3);
    return bytesOf(values);
}
inline std::string targetsNpy(int count) { return npyBytes("<i8", "(" + std::to_string(count) + ",)", labels(count)); }

/// Nine training and four test samples.
inline std::string goodNpz(bool deflated = false) {
    return zipBytes({{"inputs.npy", inputsNpy(9), deflated},
                     {"targets.npy", targetsNpy(9), deflated},
                     {"test_inputs.npy", inputsNpy(4, 100.0F), deflated},
                     {"test_targets.npy", targetsNpy(4), deflated}});
}
inline std::string goodSafetensors() {
    return safetensorsBytes({{"inputs", "F32", "[9,2,3]", floats(54)},
                             {"targets", "I64", "[9]", labels(9)},
                             {"test_inputs", "F32", "[4,2,3]", floats(24, 100.0F)},
                             {"test_targets", "I64", "[4]", labels(4)}});
}

inline std::shared_ptr<const Dataset> loaded(const DataConfig& config) {
    auto data = loadDataset(config, {});
    if (!data)
        qFatal("%s", describe(data.error()).c_str());
    return *data;
}

inline std::vector<double> valuesOf(const TensorColumn& column, std::int64_t count, const TensorScale& scale = {}) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
    std::iota(ids.begin(), ids.end(), 0);
    std::vector<double> values(static_cast<std::size_t>(count * column.elements()));
    gatherTensors(column, ids, scale, values.data());
    return values;
}

/// Of an error: its code and, where it has one, its reason.
inline QString problemOf(const DataConfig& config) {
    const auto inspected = inspectDataset(config, {});
    const auto data = loadDataset(config, {});
    if (inspected && data)
        return "read";
    const Error& error = data ? inspected.error() : data.error();
    for (const std::string& sentence : errorSentences(error))
        if (sentence.empty() || sentence.find('{') != std::string::npos || sentence.find("reason.") == 0)
            return "words: " + QString::fromStdString(sentence);
    const std::string& reason = error.argument("reason");
    return QString::fromStdString(error.code.substr(5) + (reason.empty() ? "" : " " + reason));
}

} // namespace accumulus::test
