// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of messageCatalogue(): every sentence that is no error, sorted by kind; placeholders as in message.h.
// Internal to core/base.
#pragma once

#include "core/base/message.h"

#include <span>

namespace accumulus {

[[nodiscard]] std::span<const Sentence> auditSentences();
[[nodiscard]] std::span<const Sentence> fileSentences();
[[nodiscard]] std::span<const Sentence> analysisSentences();
[[nodiscard]] std::span<const Sentence> reasonSentences();
[[nodiscard]] std::span<const Sentence> trainingSentences();

} // namespace accumulus
