// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_import_words.h"

#include <string>

namespace accumulus {

std::vector<Message> importMessages(const ImportOutcome& outcome) {
    std::vector<Message> messages;
    const auto add = [&](const char* one, const char* many, std::int64_t count) {
        messages.push_back({count == 1 ? one : many, {{"runs", std::to_string(count)}}});
    };
    const auto added = static_cast<std::int64_t>(outcome.added.size());
    add("import.done-one", "import.done", added);
    if (outcome.known > 0)
        add("import.known-one", "import.known", outcome.known);
    if (outcome.knownInTrash > 0)
        add("import.known-trash-one", "import.known-trash", outcome.knownInTrash);
    if (outcome.unfinished > 0)
        add("import.unfinished-one", "import.unfinished", outcome.unfinished);
    if (outcome.trashed > 0)
        add("import.trashed-one", "import.trashed", outcome.trashed);
    return messages;
}

} // namespace accumulus
