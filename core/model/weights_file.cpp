// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights_file.h"

#include "core/base/available_memory.h"
#include "core/base/input_file.h"
#include "core/model/safetensors.h"
#include "core/model/state_dict.h"

#include <ATen/ATen.h>
#include <array>
#include <cstring>
#include <string_view>

namespace accumulus {

Status copyParameters(const SafetensorsFile& content, const ParameterLayout& layout, at::Tensor& flat) {
    const auto mismatch = [&](const char* reason, const std::string& parameter) {
        return failure("checkpoint.mismatch",
                       {{"file", content.path().string()}, {"reason", reason}, {"parameter", parameter}});
    };
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const ParameterSpec& spec = layout.specs()[i];
        const SafetensorsFile::Place* place = content.find(spec.name);
        if (!place)
            return mismatch("reason.no-parameter", spec.name);
        if (place->shape != spec.shape)
            return mismatch("reason.parameter-shape", spec.name);
        ACCUMULUS_TRY(content.readInto(*place, layout.view(flat, i)));
    }
    return {};
}

Result<std::map<std::string, std::string>> loadWeights(const std::filesystem::path& file, const ParameterLayout& layout,
                                                       at::Tensor& parameters, const ParameterLayout& buffers,
                                                       at::Tensor statistics) {
    ACCUMULUS_TRY_ASSIGN(const auto content, SafetensorsFile::open(file));
    ACCUMULUS_TRY(copyParameters(content, layout, parameters));
    ACCUMULUS_TRY(copyParameters(content, buffers, statistics));
    return content.metadata();
}

Result<NamedTensors> readWeightsFile(const std::filesystem::path& file) {
    const auto refused = [&](const char* reason, const std::string& detail = {}) {
        return failure("weights.format", {{"file", file.string()}, {"reason", reason}, {"detail", detail}});
    };
    std::array<char, 9> start{};
    {
        InputFile input(file);
        if (input.problem() != 0)
            return failure("weights.open", {{"file", file.string()}, {"reason", std::strerror(input.problem())}});
        const std::int64_t available = availableMemory(); // 0: not known
        if (available > 0 && input.size() > static_cast<std::uint64_t>(available))
            return refused("reason.weights-memory", std::to_string(input.size() >> 20));
        if (input.size() < start.size() || !input.read(0, start))
            return refused("reason.shorter-than-header");
    }
    const std::string_view head(start.data(), start.size());
    if (head.starts_with("PK"))
        return readStateDict(file);
    if (head[0] == '\x80')
        return refused("reason.weights-legacy");
    if (head.back() != '{')
        return refused("reason.weights-unknown");
    try {
        auto content = readSafetensors(file);
        if (content)
            return content;
        Error error{"weights.format", std::move(content.error().arguments)};
        return failure(std::move(error));
    } catch (const std::exception& problem) {
        return refused("reason.header-invalid", problem.what());
    }
}

} // namespace accumulus
