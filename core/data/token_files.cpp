// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/token_files.h"

#include "core/data/column_reader.h"
#include "core/data/reason.h"
#include "core/data/scan_cache.h"
#include "core/data/tensor_elements.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace accumulus {
namespace {

constexpr std::int64_t shortVocabulary = 1 << 16;   ///< what 16 bits can hold
constexpr std::int64_t largestVocabulary = 1 << 24; ///< unless data.vocabulary says otherwise
constexpr std::int64_t largestHighHalf = 16;        ///< of tokens below 1 114 112

using File = std::shared_ptr<const MappedFile>;

/// Of no file: no tokens.
TokenColumn columnOf(const File& file, ElementType type) {
    const auto bytes = file ? file->bytes() : std::span<const std::byte>();
    return {type, std::ssize(bytes) / elementBytes(type), bytes.data(), file, file};
}

/// Read as numbers of 16 bits, every second one is the high half of a token.
bool looksLike32Bits(const File& file) {
    const std::int64_t size = std::ssize(file->bytes());
    constexpr std::int64_t enough = 16; // tokens
    if (size % 4 != 0 || size / 4 < enough)
        return false;
    std::uint16_t low = 0;
    std::uint16_t high = 0;
    forEachBlock(file.get(), file->bytes(), [&](std::span<const std::byte> block) {
        for (std::size_t i = 0; i + 4 <= block.size() && high <= largestHighHalf; i += 4) {
            low = std::max(low, elementAt<std::uint16_t>(&block[i]));
            high = std::max(high, elementAt<std::uint16_t>(&block[i + 2]));
        }
        return high <= largestHighHalf;
    });
    return high == 0 ? low > 0 : high <= largestHighHalf && low > 1 << 10;
}

/// As NumPy writes its usual whole numbers.
bool looksLike64Bits(const File& file) {
    const auto bytes = file->bytes();
    constexpr std::size_t enough = 16; // tokens
    if (bytes.size() % 8 != 0 || bytes.size() / 8 < enough)
        return false;
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    forEachBlock(file.get(), bytes, [&](std::span<const std::byte> block) {
        for (std::size_t i = 0; i + 8 <= block.size() && high == 0; i += 8) {
            low = std::max(low, elementAt<std::uint32_t>(&block[i]));
            high = std::max(high, elementAt<std::uint32_t>(&block[i + 4]));
        }
        return high == 0;
    });
    return high == 0 && low > 0;
}

bool isNumpyFile(const File& file) {
    constexpr std::string_view magic = "\x93NUMPY";
    std::array<std::byte, magic.size()> head{};
    if (file->bytes().size() < head.size())
        return false;
    readBytes(*file, file->bytes().first(head.size()), head.data());
    return std::memcmp(head.data(), magic.data(), magic.size()) == 0;
}

tl::unexpected<Error> otherForm(const std::filesystem::path& file, const char* reason, std::string bits = {},
                                std::string trainBits = {}) {
    return failure(
        "data.tokens.form",
        {{"file", file.string()}, {"reason", reason}, {"bits", std::move(bits)}, {"trainBits", std::move(trainBits)}});
}

/// What is no file of tokens of 16 or 32 bits although it can be read as one.
Status checkForm(const std::filesystem::path& path, const File& file) {
    if (isNumpyFile(file))
        return otherForm(path, "reason.tokens-npy");
    if (looksLike64Bits(file))
        return otherForm(path, "reason.tokens-64");
    return {};
}

Status checkSize(const std::filesystem::path& file, std::int64_t size, ElementType type) {
    const std::int64_t width = elementBytes(type);
    if (size % width == 0)
        return {};
    return failure("data.tokens.size", {{"file", file.string()},
                                        {"size", std::to_string(size)},
                                        {"width", std::to_string(width)},
                                        {"bits", std::to_string(8 * width)}});
}

std::int64_t largestIn(const TokenColumn& column) {
    std::int64_t largest = 0;
    forEachBlock(column.file.get(), column.bytes(), [&](std::span<const std::byte> block) {
        const TokenColumn part{column.type, std::ssize(block) / elementBytes(column.type), block.data(), {}, {}};
        withTokens(part, [&](const auto* tokens) {
            for (std::int64_t i = 0; i < part.count; ++i)
                largest = std::max(largest, static_cast<std::int64_t>(tokens[i]));
        });
        return true;
    });
    return largest;
}

std::int64_t largestOf(const TokenColumn& column) {
    static ScanCache<std::int64_t, 8> known;
    if (!column.file)
        return 0;
    const MappedFile& file = *column.file;
    auto largest = known.find(file, elementBytes(column.type));
    if (!largest) {
        largest = largestIn(column);
        known.keep(file, elementBytes(column.type), *largest);
    }
    if (!file.isSmall())
        file.expectRandomAccess(); // from now on samples are drawn
    return *largest;
}

/// `largest` stands in the column and is beyond `vocabulary`: where the first such token is.
tl::unexpected<Error> beyond(const std::filesystem::path& file, const TokenColumn& column, std::int64_t vocabulary,
                             bool given) {
    const TensorColumn tokens = column.column();
    const std::int64_t place =
        firstWhole(tokens, 0, column.count, [&](std::int64_t token) { return token >= vocabulary; }).value_or(0);
    return failureBecause("data.tokens.vocabulary",
                          {{"file", file.string()},
                           {"token", std::to_string(wholeNumberAt(tokens, place))},
                           {"place", std::to_string(place)},
                           {"offset", std::to_string(place * elementBytes(column.type))},
                           {"vocabulary", std::to_string(vocabulary)},
                           {"bits", std::to_string(8 * elementBytes(column.type))}},
                          {given ? "reason.vocabulary-given" : "reason.vocabulary-largest", {}});
}

} // namespace

Result<TokenParts> readTokenFiles(const DataConfig& config, const TextFiles& files) {
    const std::string family = "data.tokens";
    ACCUMULUS_TRY_ASSIGN(const auto train, mapFile(files.train, family));
    File test;
    if (!files.test.empty()) {
        ACCUMULUS_TRY_ASSIGN(test, mapFile(files.test, family));
    }
    ACCUMULUS_TRY(checkForm(files.train, train));
    if (test)
        ACCUMULUS_TRY(checkForm(files.test, test));
    const bool told = config.vocabulary > shortVocabulary;
    const bool wide = told || looksLike32Bits(train);
    constexpr std::size_t enough = 64; // bytes
    if (test && !told && test->bytes().size() >= enough && wide != looksLike32Bits(test))
        return otherForm(files.test, "reason.tokens-two-widths", wide ? "16" : "32", wide ? "32" : "16");
    const ElementType type = wide ? ElementType::UInt32 : ElementType::UInt16;
    TokenParts parts;
    parts.trainFile = files.train;
    parts.testFile = files.test.empty() ? files.train : files.test;
    const std::int64_t vocabulary = config.vocabulary > 0 ? config.vocabulary : largestVocabulary;
    std::int64_t largest = 0;
    for (const auto& [path, file] : {std::pair{&files.train, train}, {&files.test, test}}) {
        const TokenColumn column = columnOf(file, type);
        ACCUMULUS_TRY(checkSize(*path, file ? std::ssize(file->bytes()) : 0, type));
        const std::int64_t here = largestOf(column);
        if (here >= vocabulary)
            return beyond(*path, column, vocabulary, config.vocabulary > 0);
        largest = std::max(largest, here);
    }
    parts.train = columnOf(train, type);
    parts.test = columnOf(test, type);
    const std::int64_t total = parts.train.size() + parts.test.size();
    if (files.test.empty()) {
        const std::int64_t boundary = trainingPart(total);
        parts.test = parts.train.part(boundary, total - boundary);
        parts.train = parts.train.part(0, boundary);
    }
    parts.classes = config.vocabulary > 0 ? config.vocabulary : std::max<std::int64_t>(2, largest + 1);
    parts.facts = {{"fact.token-file", {}},
                   {wide && !told ? "fact.tokens-found-wide" : "fact.tokens",
                    {{"tokens", std::to_string(total)}, {"bits", std::to_string(8 * elementBytes(type))}}},
                   {"fact.vocabulary", {{"vocabulary", std::to_string(parts.classes)}}}};
    return parts;
}

} // namespace accumulus
