// SPDX-License-Identifier: GPL-3.0-or-later
// A ResNet-18 with weights, and ten samples for it.
#pragma once

#include "core/model/model.h"
#include "core/model/resnet.h"
#include "tests/unit/model/probes.h"

#include <ATen/CPUGeneratorImpl.h>

#include <memory>
#include <string>

namespace accumulus::test {

inline std::shared_ptr<const Model> resnet(const std::string& name, const std::string& stem = "imagenet",
                                           const std::string& norm = "batch", std::int64_t side = 32,
                                           bool channelsLast = false, double dropout = 0.0) {
    ModelConfig config;
    config.name = name;
    config.stem = stem;
    config.norm = norm;
    config.dropout = dropout;
    return makeModel(config, {3, side, side, 10}, {.channelsLast = channelsLast}).value();
}

inline at::Tensor images(std::int64_t count, std::int64_t side = 32) {
    at::Generator generator = at::detail::createCPUGenerator(11);
    return at::empty({count, 3, side, side}, at::kDouble).normal_(0.0, 1.0, generator);
}

inline at::Tensor labels(std::int64_t count) { return at::arange(count, at::kLong).mul(3).remainder(10); }

struct ResnetCase {
    static constexpr std::int64_t samples = 10;
    /// fp64 sums of up to 1e5 terms, amplified by 18 normalisations; measured 1e-13.
    static constexpr double tolerance = 1e-10;

    Lane lane{resnet("resnet18")};
    const at::Tensor input = images(samples);
    const at::Tensor targets = labels(samples);
};

} // namespace accumulus::test
