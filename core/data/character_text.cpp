// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/character_text.h"

#include "core/base/available_memory.h"
#include "core/base/readable_text.h"
#include "core/data/mapped_file.h"
#include "core/data/reason.h"
#include "core/data/text_window.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

constexpr std::size_t codePoints = 0x110000;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// A valid sequence as its code point.
char32_t codePointOf(std::string_view sequence) {
    constexpr std::array<unsigned, 5> firstBits{0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t point = static_cast<unsigned char>(sequence[0]) & firstBits[sequence.size()];
    for (const char byte : sequence.substr(1))
        point = (point << 6) | (static_cast<unsigned char>(byte) & 0x3FU);
    return point;
}

/// Calls `use` with every code point of a text that was checked before.
template <class Use>
void forEachCharacter(std::string_view text, Use&& use) {
    while (!text.empty()) {
        const std::size_t length =
            static_cast<signed char>(text.front()) >= 0 ? 1 : std::max<std::size_t>(1, utf8Length(text));
        use(codePointOf(text.substr(0, length)));
        text.remove_prefix(length);
    }
}

struct Characters {
    std::vector<std::uint32_t> ids =
        std::vector<std::uint32_t>(codePoints); ///< first: whether it occurs; then its rank
    std::string vocabulary;
    std::int64_t count = 0; ///< different ones
};

/// The piece that begins at `offset`, without the mark that a file may begin with.
std::string_view withoutMark(std::string_view piece, std::size_t offset) {
    return offset == 0 && piece.starts_with(byteOrderMark) ? piece.substr(byteOrderMark.size()) : piece;
}

/// Marks what occurs in a piece of the text. Its length in characters.
Result<std::int64_t> markPiece(const std::filesystem::path& file, std::string_view text, std::size_t offset,
                               Characters& found) {
    std::int64_t length = 0;
    for (std::size_t at = text.size() - withoutMark(text, offset).size(); at < text.size(); ++length) {
        if (text[at] == '\0')
            return failure("data.text.binary", {{"file", file.string()}, {"offset", std::to_string(offset + at)}});
        if (static_cast<signed char>(text[at]) > 0) {
            found.ids[static_cast<unsigned char>(text[at++])] = 1;
            continue;
        }
        const std::size_t bytes = utf8Length(text.substr(at));
        if (bytes == 0)
            return failure("data.text.encoding", {{"file", file.string()}, {"offset", std::to_string(offset + at)}});
        found.ids[codePointOf(text.substr(at, bytes))] = 1;
        at += bytes;
    }
    return length;
}

/// The same of a file; null: of none.
Result<std::int64_t> markCharacters(const MappedFile* file, Characters& found) {
    Result<std::int64_t> length = 0;
    if (file)
        forEachPiece(*file, [&](std::string_view piece, std::size_t offset) {
            const auto more = markPiece(file->path(), piece, offset, found);
            length = more ? *length + *more : more;
            return more.has_value();
        });
    return length;
}

std::string utf8Of(char32_t point) {
    const auto tail = [point](int shift) { return static_cast<char>(0x80U | ((point >> shift) & 0x3FU)); };
    if (point < 0x80)
        return {static_cast<char>(point)};
    if (point < 0x800)
        return {static_cast<char>(0xC0U | (point >> 6)), tail(0)};
    if (point < 0x10000)
        return {static_cast<char>(0xE0U | (point >> 12)), tail(6), tail(0)};
    return {static_cast<char>(0xF0U | (point >> 18)), tail(12), tail(6), tail(0)};
}

void rankCharacters(Characters& found) {
    for (std::size_t point = 0; point < codePoints; ++point)
        if (found.ids[point] != 0) {
            found.ids[point] = static_cast<std::uint32_t>(found.count++);
            found.vocabulary += utf8Of(static_cast<char32_t>(point));
        }
}

template <class Token>
Result<TokenColumn> tokensOf(const MappedFile* file, std::int64_t length, const Characters& found) {
    std::vector<Token> tokens;
    tokens.reserve(static_cast<std::size_t>(length));
    if (!file)
        return ownedTokens(std::move(tokens));
    forEachPiece(*file, [&](std::string_view piece, std::size_t offset) {
        forEachCharacter(withoutMark(piece, offset),
                         [&](char32_t point) { tokens.push_back(static_cast<Token>(found.ids[point])); });
        return true;
    });
    if (!file->isUnchanged()) // it may hold other characters than those that were counted
        return failure("data.changed", {{"file", file->path().string()}, {"reason", "reason.file-changed"}});
    return ownedTokens(std::move(tokens));
}

Result<TokenColumn> narrowestTokens(const MappedFile* file, std::int64_t length, const Characters& found) {
    if (found.count <= 1 << 8)
        return tokensOf<std::uint8_t>(file, length, found);
    if (found.count <= 1 << 16)
        return tokensOf<std::uint16_t>(file, length, found);
    return tokensOf<std::uint32_t>(file, length, found);
}

} // namespace

Result<TokenParts> readCharacters(const DataConfig& config, const TextFiles& files) {
    const std::string family = "data.text";
    ACCUMULUS_TRY_ASSIGN(const auto train, mapFile(files.train, family));
    std::shared_ptr<const MappedFile> test;
    if (!files.test.empty()) {
        ACCUMULUS_TRY_ASSIGN(test, mapFile(files.test, family));
    }
    Characters found;
    ACCUMULUS_TRY_ASSIGN(const auto trainLength, markCharacters(train.get(), found));
    ACCUMULUS_TRY_ASSIGN(const auto testLength, markCharacters(test.get(), found));
    rankCharacters(found);
    if (found.count < 2)
        return failureBecause("data.text.short", {{"file", files.train.string()}, {"cure", "cure.other-file"}},
                              {found.count == 0 ? "reason.file-empty" : "reason.one-character", {}});
    if (config.vocabulary > 0 && found.count > config.vocabulary)
        return failure("data.text.vocabulary", {{"file", files.train.string()},
                                                {"found", std::to_string(found.count)},
                                                {"vocabulary", std::to_string(config.vocabulary)}});
    const std::int64_t width = found.count <= 1 << 8 ? 1 : found.count <= 1 << 16 ? 2 : 4;
    ACCUMULUS_TRY(checkRoom(
        config,
        {"phrase.text-bytes", {{"bytes", std::to_string(train->bytes().size() + (test ? test->bytes().size() : 0))}}},
        (trainLength + testLength) * width, availableMemory()));
    TokenParts parts;
    ACCUMULUS_TRY_ASSIGN(parts.train, narrowestTokens(train.get(), trainLength, found));
    ACCUMULUS_TRY_ASSIGN(parts.test, narrowestTokens(test.get(), testLength, found));
    parts.trainFile = files.train;
    parts.testFile = files.test.empty() ? files.train : files.test;
    if (files.test.empty()) {
        const std::int64_t boundary = trainingPart(trainLength);
        parts.test = parts.train.part(boundary, trainLength - boundary);
        parts.train = parts.train.part(0, boundary);
    }
    parts.vocabulary = std::move(found.vocabulary);
    parts.classes = std::max(found.count, config.vocabulary);
    parts.facts = {{"fact.text", {}},
                   {"fact.characters", {{"characters", std::to_string(trainLength + testLength)}}},
                   {"fact.different-characters", {{"symbols", std::to_string(found.count)}}}};
    return parts;
}

} // namespace accumulus
