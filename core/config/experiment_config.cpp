// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/experiment_config.h"

#include <array>

namespace accumulus {

std::string armName(Arm arm) { return arm == Arm::Accumulated ? "accumulated" : "large-batch"; }

std::string extentText(const Extent& extent) {
    static constexpr std::array units = {"update", "sample", "epoch"};
    std::string text = std::to_string(extent.count) + ' ' + units.at(static_cast<std::size_t>(extent.unit));
    return extent.count == 1 ? text : text + 's';
}

} // namespace accumulus
