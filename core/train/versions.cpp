// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/versions.h"

#include <torch/version.h>

namespace accumulus {

std::string libtorchVersion() {
    return std::to_string(TORCH_VERSION_MAJOR) + "." + std::to_string(TORCH_VERSION_MINOR) + "." +
           std::to_string(TORCH_VERSION_PATCH);
}

} // namespace accumulus
