// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights_file.h"

#include "core/model/safetensors.h"

#include <ATen/ATen.h>

namespace accumulus {

Status copyParameters(const std::filesystem::path& file, const NamedTensors& content, const ParameterLayout& layout,
                      at::Tensor& flat) {
    const auto mismatch = [&](const char* reason, const std::string& parameter) {
        return failure("checkpoint.mismatch", {{"file", file.string()}, {"reason", reason}, {"parameter", parameter}});
    };
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const ParameterSpec& spec = layout.specs()[i];
        const at::Tensor* tensor = content.find(spec.name);
        if (!tensor)
            return mismatch("reason.no-parameter", spec.name);
        if (tensor->sizes() != at::IntArrayRef(spec.shape))
            return mismatch("reason.parameter-shape", spec.name);
        layout.view(flat, i).copy_(*tensor);
    }
    return {};
}

Result<std::map<std::string, std::string>> loadWeights(const std::filesystem::path& file, const ParameterLayout& layout,
                                                       at::Tensor& parameters, const ParameterLayout& buffers,
                                                       at::Tensor statistics) {
    ACCUMULUS_TRY_ASSIGN(auto content, readSafetensors(file));
    ACCUMULUS_TRY(copyParameters(file, content, layout, parameters));
    ACCUMULUS_TRY(copyParameters(file, content, buffers, statistics));
    return std::move(content.metadata);
}

} // namespace accumulus
