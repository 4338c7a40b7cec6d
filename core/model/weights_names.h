// SPDX-License-Identifier: GPL-3.0-or-later
// What other programs call a model's parameters. Pure.
#pragma once

#include "core/base/message.h"

#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace accumulus {

/// Wrappers put a name before all others: "module." of DataParallel, "_orig_mod." of compiled modules, "model." of
/// trainers.
struct NamePrefixes {
    std::string inFile;  ///< that the file's names have and the model's lack
    std::string inModel; ///< the other way round

    /// What the file calls a parameter of the model.
    [[nodiscard]] std::string inFileOf(const std::string& name) const;
};

/// The prefixes under which most of the model's names are found in the file; none where the names agree as they are. A
/// reason of the catalogue where two do equally well.
[[nodiscard]] tl::expected<NamePrefixes, Message> findPrefixes(const std::vector<std::string>& model,
                                                               const std::set<std::string>& file);

} // namespace accumulus
