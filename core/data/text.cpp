// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text.h"

#include "core/base/atomic_file.h"
#include "core/base/available_memory.h"
#include "core/base/readable_text.h"
#include "core/data/reason.h"

#include <array>
#include <memory>

namespace accumulus {
namespace {

constexpr std::size_t largestFile = std::size_t{1} << 30;

struct Tokens {
    std::vector<std::uint8_t> ids;
    std::string vocabulary;
};

tl::unexpected<Error> missing(const std::filesystem::path& path, Message reason) {
    return failureBecause("data.text.missing", {{"path", path.string()}}, std::move(reason));
}

tl::unexpected<Error> tooShort(const std::filesystem::path& file, const char* cure, Message reason) {
    return failureBecause("data.text.short", {{"file", file.string()}, {"cure", cure}}, std::move(reason));
}

Result<std::filesystem::path> locateText(const std::filesystem::path& path) {
    std::error_code problem;
    if (std::filesystem::is_regular_file(path, problem))
        return path;
    if (!std::filesystem::is_directory(path, problem))
        return missing(path, {"reason.no-file-or-folder", {}});
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator entry(path, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        std::error_code ignored;
        if (entry->path().extension() == ".txt" && entry->is_regular_file(ignored))
            found.push_back(entry->path());
    }
    if (problem)
        return missing(path, said(problem.message()));
    if (found.size() != 1)
        return missing(path, found.empty() ? Message{"reason.no-txt", {}}
                                           : Message{"reason.many-txt", {{"files", std::to_string(found.size())}}});
    return found.front();
}

/// Bytes become ranks.
Result<Tokens> tokenise(const std::filesystem::path& file, const std::string& content) {
    if (content.empty())
        return tooShort(file, "cure.other-file", {"reason.file-empty", {}});
    if (const auto zero = content.find('\0'); zero != std::string::npos)
        return failure("data.text.binary", {{"file", file.string()}, {"offset", std::to_string(zero)}});
    std::array<bool, 256> occurs{};
    for (const char byte : content)
        occurs[static_cast<std::uint8_t>(byte)] = true;
    Tokens tokens;
    std::array<std::uint8_t, 256> rank{};
    for (std::size_t byte = 0; byte < occurs.size(); ++byte) {
        if (!occurs[byte])
            continue;
        rank[byte] = static_cast<std::uint8_t>(tokens.vocabulary.size());
        tokens.vocabulary += static_cast<char>(byte);
    }
    if (tokens.vocabulary.size() < 2)
        return tooShort(file, "cure.other-file", {"reason.one-byte", {}});
    tokens.ids.reserve(content.size());
    for (const char byte : content)
        tokens.ids.push_back(rank[static_cast<std::uint8_t>(byte)]);
    return tokens;
}

/// Samples of a part of `size` tokens.
std::int64_t sampleCount(std::int64_t size, std::int64_t block) { return size > 0 ? (size - 1) / block : 0; }

/// Why a text of `size` tokens whose end is held out is too short.
tl::unexpected<Error> shortFor(const std::filesystem::path& file, std::int64_t block, std::int64_t size) {
    // The held-out part is the shorter one, except in a file of a few bytes.
    const std::int64_t largest = std::min(trainingPart(size), size - trainingPart(size)) - 1;
    return tooShort(file, largest >= 2 ? "cure.smaller-block" : "cure.longer-text",
                    {"reason.text-short",
                     {{"block", std::to_string(block)},
                      {"bytes", std::to_string(block + 1)},
                      {"rest", std::to_string(size - trainingPart(size))},
                      {"size", std::to_string(size)},
                      {"largest", std::to_string(largest)}}});
}

/// The same of a file that is one part.
tl::unexpected<Error> shortPart(const std::filesystem::path& file, std::int64_t block, std::int64_t size) {
    return tooShort(file, size > 2 ? "cure.smaller-block" : "cure.longer-text",
                    {"reason.part-short",
                     {{"block", std::to_string(block)},
                      {"bytes", std::to_string(block + 1)},
                      {"size", std::to_string(size)},
                      {"largest", std::to_string(size - 1)}}});
}

Status checkLengths(const TokenParts& parts, std::int64_t block) {
    const bool trainLongEnough = block >= 1 && sampleCount(parts.train.size(), block) >= 1;
    const bool testLongEnough = block >= 1 && sampleCount(parts.test.size(), block) >= 1;
    if (trainLongEnough && testLongEnough)
        return {};
    if (parts.trainFile == parts.testFile)
        return shortFor(parts.trainFile, block, parts.train.size() + parts.test.size());
    return trainLongEnough ? shortPart(parts.testFile, block, parts.test.size())
                           : shortPart(parts.trainFile, block, parts.train.size());
}

} // namespace

TextSet cutText(const TokenColumn& tokens, std::int64_t block, std::int64_t limit) {
    TextSet set;
    set.block = block;
    set.count = limitedCount(sampleCount(tokens.size(), block), limit);
    set.tokens = tokens.part(0, set.count > 0 ? set.count * block + 1 : 0);
    return set;
}

TextSet sliceText(const TextSet& set, std::int64_t first, std::int64_t count) {
    TextSet part;
    part.block = set.block;
    part.count = count;
    part.tokens = set.tokens.part(first * set.block, count > 0 ? count * set.block + 1 : 0);
    return part;
}

Result<DataSource> sourceOfTokens(const DataConfig& config, TokenParts parts) {
    ACCUMULUS_TRY(checkLengths(parts, config.block));
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.train = limitedCount(sampleCount(parts.train.size(), config.block), config.trainLimit);
    sizes.test = limitedCount(sampleCount(parts.test.size(), config.block), config.testLimit);
    sizes.classes = parts.classes;
    sizes.block = config.block;
    sizes.facts = parts.facts;
    source.read = [config, shared = std::make_shared<const TokenParts>(std::move(parts))](Dataset& set) -> Status {
        set.trainText = cutText(shared->train, config.block, config.trainLimit);
        set.testText = cutText(shared->test, config.block, config.testLimit);
        set.vocabulary = shared->vocabulary;
        return {};
    };
    return source;
}

Result<DataSource> openText(const DataConfig& config, const std::filesystem::path& resources) {
    const bool bundled = config.path.empty();
    ACCUMULUS_TRY_ASSIGN(const auto file, locateText(bundled ? resources / "datasets" / "tinyshakespeare" / "input.txt"
                                                             : pathOfText(config.path)));
    constexpr std::int64_t copies = 2; // the text and its tokens
    std::error_code unknown;
    if (const auto length = std::filesystem::file_size(file, unknown); !unknown && length <= largestFile)
        ACCUMULUS_TRY(checkRoom(config, {"phrase.text-bytes", {{"bytes", std::to_string(length)}}},
                                copies * static_cast<std::int64_t>(length), availableMemory()));
    const auto content = readFile(file, largestFile);
    if (!content)
        return failure("data.text.open", content.error().arguments);
    ACCUMULUS_TRY_ASSIGN(auto tokens, tokenise(file, *content));
    const TokenColumn all = ownedTokens(std::move(tokens.ids));
    const std::int64_t boundary = trainingPart(all.size());
    TokenParts parts;
    parts.train = all.part(0, boundary);
    parts.test = all.part(boundary, all.size() - boundary);
    parts.trainFile = parts.testFile = file;
    parts.classes = std::ssize(tokens.vocabulary);
    parts.vocabulary = std::move(tokens.vocabulary);
    parts.facts = {{bundled ? "fact.tinyshakespeare" : "fact.text", {}},
                   {"fact.bytes", {{"bytes", std::to_string(all.size())}}},
                   {"fact.symbols", {{"symbols", std::to_string(parts.classes)}}},
                   {"fact.block", {{"block", std::to_string(config.block)}}},
                   bundled ? Message{"fact.bundled", {}} : Message{"fact.place", {{"path", file.string()}}}};
    return sourceOfTokens(config, std::move(parts));
}

} // namespace accumulus
