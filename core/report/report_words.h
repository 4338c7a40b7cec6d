// SPDX-License-Identifier: GPL-3.0-or-later
// The language of a report, which need not be that of the window: what is made on this thread while a ReportLanguage
// lives is said in it. English without one. Every sentence stands in reportWords(), from which the workbench translates
// them; a test compares the list with the sources.
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// Sets the language of this thread's reports, and puts back the one before.
class ReportLanguage {
public:
    /// `language` outlives this.
    /// `tag`: as HTML names it, "zh-CN".
    ReportLanguage(const Language& language, std::string tag);
    ~ReportLanguage();
    ReportLanguage(const ReportLanguage&) = delete;
    ReportLanguage& operator=(const ReportLanguage&) = delete;

private:
    const Language* m_before;
    std::string m_tagBefore;
};

[[nodiscard]] const Language& reportLanguage();
[[nodiscard]] const std::string& reportTag(); ///< "en" without a ReportLanguage
/// `words` in the report's language, its {} filled in as by fmt.
template <class... Values>
[[nodiscard]] std::string say(std::string_view words, const Values&... values) {
    return fmt::format(fmt::runtime(reportLanguage().translate(words)), values...);
}

/// `one` for 1, else `many`; {} is the number.
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// Sentences of the message catalogue, in the report's language.
[[nodiscard]] std::string said(const Message& message);
[[nodiscard]] std::vector<std::string> said(const std::vector<Message>& messages);
/// The sentence of a code.
[[nodiscard]] std::string saidOf(std::string_view code);

/// What numberText, signedText or shortText made: the words for a value that is no number in the report's language.
[[nodiscard]] std::string saidNumber(std::string text);

/// All that say() is given.
[[nodiscard]] std::span<const std::string_view> reportWords();

} // namespace accumulus
