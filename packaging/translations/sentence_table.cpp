// SPDX-License-Identifier: GPL-3.0-or-later
// sentence_table TRANSLATIONS.ts TABLE.cpp: the sentences that the core says, in another language, as a source file for
// core/report/sentence_table.h. Runs in the build, so that the translations stand in one file and the core needs no Qt.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// From `open` to `close`, beginning at `at`, which goes behind it; false where there is none.
bool next(std::string_view text, std::size_t& at, std::string_view open, std::string_view close,
          std::string_view& found) {
    const auto first = text.find(open, at);
    const auto last = first == std::string_view::npos ? first : text.find(close, first + open.size());
    if (last == std::string_view::npos)
        return false;
    found = text.substr(first + open.size(), last - first - open.size());
    at = last + close.size();
    return true;
}

/// What stands in the first element of that name; nothing where there is none.
std::string_view contentOf(std::string_view text, const std::string& element) {
    std::size_t at = 0;
    std::string_view found;
    return next(text, at, "<" + element + ">", "</" + element + ">", found) ? found : std::string_view();
}

std::string plainText(std::string_view xml) {
    static constexpr std::pair<std::string_view, char> entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
    std::string text;
    while (!xml.empty()) {
        if (xml.front() == '<')
            throw std::runtime_error("an element within a sentence: " + std::string(xml));
        if (xml.front() != '&') {
            text += xml.front();
            xml.remove_prefix(1);
            continue;
        }
        bool known = false;
        for (const auto& [entity, character] : entities)
            if (!known && xml.starts_with(entity)) {
                text += character;
                xml.remove_prefix(entity.size());
                known = true;
            }
        if (!known)
            throw std::runtime_error("an entity that is not known: " + std::string(xml));
    }
    return text;
}

std::string literal(std::string_view text) {
    std::string quoted = "\"";
    for (const char byte : text) {
        if (byte == '"' || byte == '\\')
            quoted += '\\';
        if (byte == '\n')
            quoted += "\\n";
        else
            quoted += byte;
    }
    return quoted + '"';
}

/// Adds what the context says, except what is there already.
void take(std::string_view file, std::string_view wanted, std::map<std::string, std::string>& sentences) {
    std::string_view context, message;
    for (std::size_t at = 0; next(file, at, "<context>", "</context>", context);) {
        if (contentOf(context, "name") != wanted)
            continue;
        // A translation that is not finished or has several forms has attributes, and is not found.
        for (std::size_t in = 0; next(context, in, "<message>", "</message>", message);) {
            const std::string translation = plainText(contentOf(message, "translation"));
            if (!translation.empty() && message.find("<comment>") == std::string_view::npos)
                sentences.emplace(plainText(contentOf(message, "source")), translation);
        }
    }
}

void write(const std::map<std::string, std::string>& sentences, const char* path) {
    std::ofstream table(path, std::ios::binary);
    table << "// Made by the build from the file of translations.\n#include \"core/report/sentence_table.h\"\n\n"
             "namespace accumulus {\n\nstd::span<const TranslatedSentence> chineseSentences() {\n"
             "    static constexpr TranslatedSentence sentences[] = {\n";
    for (const auto& [english, translation] : sentences)
        table << "        {" << literal(english) << ", " << literal(translation) << "},\n";
    table << "    };\n    return sentences;\n}\n\n} // namespace accumulus\n";
    if (!table.flush())
        throw std::runtime_error(std::string("cannot write ") + path);
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 3)
            throw std::runtime_error("sentence_table TRANSLATIONS.ts TABLE.cpp");
        std::ifstream stream(argv[1], std::ios::binary);
        const std::string file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        std::map<std::string, std::string> sentences; // sorted by bytes, as the table is searched
        for (const char* context : {"reports", "messages", "choices", "fields"})
            take(file, context, sentences);
        if (sentences.empty())
            throw std::runtime_error(std::string("no translations in ") + argv[1]);
        write(sentences, argv[2]);
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 1;
    }
}
