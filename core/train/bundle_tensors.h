// SPDX-License-Identifier: GPL-3.0-or-later
// The flat tensors of a resume bundle: moments of the optimizer, and what the ranks had added to an open window. Files
// hold them in row-major order, the arena in its own (ParameterLayout). A rank reads the part that it keeps, in place:
// beside it memory holds copies of one parameter at a time, no more than three (for a GPU also the part itself).
#pragma once

#include "core/base/result.h"
#include "core/model/parameter_arena.h"
#include "core/model/safetensors.h"
#include "core/window/shards.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace accumulus {

[[nodiscard]] tl::unexpected<Error> bundleMismatch(const std::filesystem::path& file, const std::string& reason,
                                                   const std::string& parameter = {});

/// What rank `rank` had added to an open window; the first is what a single rank writes.
[[nodiscard]] std::string accumulatorName(std::size_t rank);

/// Any thread, one at a time.
class BundleTensors {
public:
    /// Of a file that lives longer. `isRowMajor`: bundles of early versions are in the arena's order.
    BundleTensors(const SafetensorsFile& content, const ParameterLayout& layout, bool isRowMajor)
        : m_content(content), m_layout(layout), m_isRowMajor(isRowMajor) {}

    /// Elements `range` of the arena into `target`, of as many. Errors "checkpoint.mismatch" (not there, of another
    /// size or type) and those of SafetensorsFile.
    [[nodiscard]] Status read(const std::string& name, FlatRange range, at::Tensor target) const;

    /// How many ranks have kept what they had added to the open window.
    [[nodiscard]] std::size_t accumulators() const;
    /// The same of these: of rank `rank`, or the sum of all.
    [[nodiscard]] Status readAccumulator(std::optional<std::size_t> rank, FlatRange range, at::Tensor target) const;

private:
    [[nodiscard]] Status reorder(const SafetensorsFile::Place& place, FlatRange range, at::Tensor& target) const;

    const SafetensorsFile& m_content;
    const ParameterLayout& m_layout;
    bool m_isRowMajor;
};

} // namespace accumulus
