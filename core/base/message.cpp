// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

#include "core/base/kept_message.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace accumulus {
namespace {

constexpr int maxDepth = 8; ///< sentences within sentences; none is nearly as deep

bool beginsSentence(std::string_view before) {
    return before.empty() || before.ends_with(". ") || before.ends_with("! ") || before.ends_with("? ");
}

/// The length of the full stop that `words` begin with where `text` ends with one.
std::size_t doubledStop(std::string_view text, std::string_view words) {
    constexpr std::array<std::string_view, 2> stops{".", "\u3002"};
    if (std::ranges::none_of(stops, [text](std::string_view stop) { return text.ends_with(stop); }))
        return 0;
    const auto found = std::ranges::find_if(stops, [words](std::string_view stop) { return words.starts_with(stop); });
    return found == stops.end() ? 0 : found->size();
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

/// With a no-break space every three digits: 60 000.
std::string groupedDigits(std::int64_t number) {
    const std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    std::string text = number < 0 ? "\u2212" : "";
    for (std::size_t i = first; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0)
            text += "\u00a0";
        text += digits[i];
    }
    return text;
}

class Filling {
public:
    Filling(const Message& message, const Language& language) : m_message(message), m_language(language) {}

    std::string fill(std::string_view words, int depth) const {
        std::string text;
        for (std::size_t at = 0; at < words.size();) {
            const auto open = words.find('{', at);
            const auto close = open == std::string_view::npos ? open : words.find('}', open);
            if (close == std::string_view::npos)
                return text += words.substr(at);
            text += words.substr(at, open - at);
            const std::string_view name = words.substr(open + 1, close - open - 1);
            text += placeholder(name, beginsSentence(text) && depth == 0, depth);
            at = close + 1;
            if (name.starts_with('@'))
                at += doubledStop(text, words.substr(at));
        }
        return text;
    }

private:
    std::string placeholder(std::string_view name, bool begins, int depth) const {
        if (name.starts_with('#'))
            return count(m_message.argument(name.substr(1)));
        if (name.starts_with('~'))
            return printable(m_language.translate(m_message.argument(name.substr(1))));
        if (!name.starts_with('@'))
            return printable(m_message.argument(name));
        std::string text = m_message.argument(name.substr(1));
        if (const std::vector<KeptMessage> messages = messagesOf(text); !messages.empty())
            return said(messages);
        if (const std::string_view words = messageWords(text); !words.empty() && depth < maxDepth)
            text = fill(m_language.translate(words), depth + 1);
        else
            text = printable(text);
        return begins ? capitalised(std::move(text)) : text;
    }

    std::string said(const std::vector<KeptMessage>& messages) const {
        std::string text;
        for (const auto& [message, english] : messages)
            text += (text.empty() ? "" : " ") + keptText(message, printable(english), m_language);
        return text;
    }

    std::string count(const std::string& digits) const {
        std::int64_t number = 0;
        const char* end = digits.data() + digits.size();
        const auto [stop, problem] = std::from_chars(digits.data(), end, number);
        return problem == std::errc() && stop == end ? m_language.count(number) : digits;
    }

    const Message& m_message;
    const Language& m_language;
};

} // namespace

const Language& english() {
    static const Language language{[](std::string_view words) { return std::string(words); }, groupedDigits};
    return language;
}

std::string_view messageWords(std::string_view code) {
    const auto& sentences = messageCatalogue();
    if (const auto found = std::ranges::find(sentences, code, &Sentence::code); found != sentences.end())
        return found->words;
    const ErrorWords& error = errorWords(code);
    return error.code == code ? error.what : std::string_view();
}

std::string fillArguments(std::string_view words, const Message& message, const Language& language) {
    return Filling(message, language).fill(words, 0);
}

std::string messageText(const Message& message, const Language& language) {
    const std::string_view words = messageWords(message.code);
    return words.empty() ? message.code : fillArguments(language.translate(words), message, language);
}

std::string messagesText(const std::vector<Message>& messages, std::string_view separator, const Language& language) {
    std::string text;
    for (const std::string& sentence : sentencesOf(messages, language))
        text += (text.empty() ? std::string() : std::string(separator)) + sentence;
    return text;
}

std::vector<std::string> sentencesOf(const std::vector<Message>& messages, const Language& language) {
    std::vector<std::string> sentences;
    for (const Message& message : messages)
        sentences.push_back(messageText(message, language));
    return sentences;
}

std::vector<std::string> errorSentences(const Error& error, const Language& language) {
    const ErrorWords& words = errorWords(error.code);
    std::vector<std::string> sentences;
    for (const std::string_view part : {words.what, words.why, words.cure}) {
        if (part.empty())
            continue;
        if (std::string text = fillArguments(language.translate(part), error, language); !text.empty())
            sentences.push_back(std::move(text));
    }
    return sentences;
}

} // namespace accumulus
