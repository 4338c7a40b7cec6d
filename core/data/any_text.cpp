// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/any_text.h"

#include "core/data/character_text.h"
#include "core/data/reason.h"
#include "core/data/token_files.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

tl::unexpected<Error> missing(const std::filesystem::path& path, Message reason) {
    return failureBecause("data.text.missing", {{"path", path.string()}}, std::move(reason));
}

bool isFile(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

bool holdsTokens(const std::filesystem::path& file) { return file.extension() == ".bin"; }

/// Files of the folder that end so.
Result<std::vector<std::filesystem::path>> filesEndingIn(const std::filesystem::path& folder,
                                                         std::string_view extension) {
    std::vector<std::filesystem::path> found;
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem))
        if (entry->path().extension() == extension && isFile(entry->path()))
            found.push_back(entry->path());
    if (problem)
        return missing(folder, said(problem.message()));
    return found;
}

Result<TextFiles> filesOfFolder(const std::filesystem::path& folder) {
    for (const std::string extension : {".bin", ".txt"}) {
        TextFiles files{folder / ("train" + extension), {}};
        if (!isFile(files.train))
            continue;
        for (const char* name : {"val", "test"}) // test comes before val where both are there
            if (isFile(folder / (name + extension)))
                files.test = folder / (name + extension);
        return files;
    }
    for (const char* extension : {".txt", ".bin"}) {
        ACCUMULUS_TRY_ASSIGN(const auto found, filesEndingIn(folder, extension));
        if (found.size() == 1)
            return TextFiles{found.front(), {}};
        if (found.size() > 1)
            return missing(folder,
                           {"reason.many-texts", {{"files", std::to_string(found.size())}, {"kind", extension}}});
    }
    return missing(folder, {"reason.no-texts", {}});
}

Result<TextFiles> locate(const DataConfig& config) {
    const auto path = pathOfText(config.path);
    std::error_code ignored;
    TextFiles files;
    if (path.empty())
        return missing(path, {"reason.no-path-text", {}});
    if (std::filesystem::is_directory(path, ignored)) {
        ACCUMULUS_TRY_ASSIGN(files, filesOfFolder(path));
    } else if (isFile(path)) {
        files.train = path;
    } else {
        return missing(path, {"reason.no-file-or-folder", {}});
    }
    if (!config.testPath.empty())
        files.test = pathOfText(config.testPath);
    if (files.test.empty())
        return files;
    if (!isFile(files.test))
        return missing(files.test, {"reason.no-such-file", {}});
    if (holdsTokens(files.test) != holdsTokens(files.train))
        return missing(files.test, {"reason.text-and-tokens", {{"other", files.train.string()}}});
    return files;
}

} // namespace

Result<DataSource> openAnyText(const DataConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto files, locate(config));
    ACCUMULUS_TRY_ASSIGN(auto parts,
                         holdsTokens(files.train) ? readTokenFiles(config, files) : readCharacters(config, files));
    parts.facts.push_back({"fact.block", {{"block", std::to_string(config.block)}}});
    parts.facts.push_back({"fact.place", {{"path", files.train.string()}}});
    if (!files.test.empty())
        parts.facts.push_back({"fact.test-file", {{"path", files.test.string()}}});
    return sourceOfTokens(config, std::move(parts));
}

} // namespace accumulus
