// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says of one run, as rows of name and value. Pure functions; GUI thread, for they translate.
#pragma once

#include "core/base/message.h"
#include "core/store/run_records.h"

#include <QString>
#include <optional>
#include <utility>
#include <vector>

namespace accumulus::ui {

/// A row without value is a heading.
using InspectorRows = std::vector<std::pair<QString, QString>>;

/// State, results, cost and identity, and what it ran on. `noise`: the sentence on its noise scale, once it is known.
[[nodiscard]] InspectorRows overviewRows(const RunRecord& run, const std::optional<Message>& noise);

/// Every setting that applies to the run.
[[nodiscard]] InspectorRows settingRows(const RunRecord& run);

} // namespace accumulus::ui
