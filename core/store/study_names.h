// SPDX-License-Identifier: GPL-3.0-or-later
// Another name for a study that is there. Thread rules are those of RunStore.
#pragma once

#include "core/base/result.h"

#include <string>

namespace accumulus {

class RunStore;

/// One transaction. Its runs that are named after it and their seed ("digits, accumulated, seed 0") follow; a name that
/// a person gave to a run stays. Error "library.no-study".
[[nodiscard]] Status renameStudy(RunStore& store, const std::string& study, const std::string& name);

} // namespace accumulus
