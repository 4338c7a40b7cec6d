// SPDX-License-Identifier: GPL-3.0-or-later
// What a module from a file does with the data, found by running it on made-up samples: nothing in the file says it.
#pragma once

#include "core/base/message.h"
#include "core/model/model.h"
#include "core/model/scripted_module.h"

#include <optional>
#include <vector>

namespace accumulus {

/// Where the classes stand in what the module returns.
enum class ClassPlace { Second, Last };

struct ScriptedTraits {
    std::vector<std::int64_t> output; ///< shape for a single sample
    ClassPlace classes = ClassPlace::Second;
    bool draws = false;           ///< in training: dropout and the like, from a stream
    bool couples = false;         ///< a sample's output depends on other samples, apart from BatchNorm
    bool channelsLast = false;    ///< it can compute in that memory order
    std::int64_t leastArea = 0;   ///< of its BatchNorm layers; 0: there are none
    bool evaluatesAlways = false; ///< it has running statistics or dropout layers that training does not wake: it was
                                  ///< traced in evaluation mode
    std::vector<std::string> unreached{}; ///< trained parameters that no gradient reached
    bool inDouble = true, inFloat = true; ///< the types that it can compute in: one may be written into it
};

/// Runs the module on samples of `input`, in fp64 where it can. Fills `module.norms`.
/// Errors "model.file-forward" (it cannot compute such samples), "model.file-output", "model.file-buffer",
/// "model.file-unrepeatable", "model.file-traced" (it draws or moves statistics in evaluation, too),
/// "model.file-backward" (gradients cannot be computed), "model.file-changes" (it writes to its parameters).
[[nodiscard]] Result<ScriptedTraits> tryScriptedModule(ScriptedModule& module, const InputShape& input,
                                                       ConvolutionChoice convolutions);

} // namespace accumulus
