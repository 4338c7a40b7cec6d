// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_import.h"

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/event_file.h"
#include "core/base/input_file.h"
#include "core/base/message.h"
#include "core/run/imported_run.h"
#include "core/store/library_merge.h"

#include <algorithm>
#include <cstring>
#include <variant>

namespace accumulus {
namespace {

constexpr std::uintmax_t largestFile = std::uintmax_t{1} << 30; ///< of what is read into memory
constexpr const char* importedTag = "imported";

enum class Kind { Library, Csv, Json, Events };

Result<Kind> kindOf(const std::filesystem::path& file) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code))
        return failure("file.open", {{"file", file.string()},
                                     {"reason", std::filesystem::is_directory(file, code) ? "reason.is-folder"
                                                                                          : "reason.no-such-file"}});
    InputFile input(file);
    const std::uint64_t size = input.size();
    std::string beginning(std::min<std::uint64_t>(4096, size), '\0');
    if (input.problem() != 0 || !input.read(0, beginning))
        return failure("file.open", {{"file", file.string()}, {"reason", std::strerror(input.problem())}});
    if (beginning.starts_with("SQLite format 3"))
        return Kind::Library;
    if (size > largestFile)
        return failure(
            "import.too-large",
            {{"file", file.string()}, {"bytes", std::to_string(size)}, {"limit", std::to_string(largestFile)}});
    if (looksLikeEventFile(beginning))
        return Kind::Events;
    if (file.filename().string().find("tfevents") != std::string::npos)
        return Kind::Events; // damaged in its first bytes: said as such
    const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != std::string::npos && beginning[first] == '{')
        return Kind::Json;
    const std::string line = beginning.substr(0, beginning.find('\n'));
    if (beginning.find('\0') == std::string::npos && line.find_first_of(",;\t") != std::string::npos)
        return Kind::Csv;
    return failure("import.kind", {{"file", file.string()}});
}

using FileRuns = std::variant<ImportedRun, OtherLibrary>;

Result<FileRuns> read(const std::filesystem::path& file, const std::filesystem::path& library,
                      const ImportOptions& options, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto kind, kindOf(file));
    if (kind == Kind::Library) {
        ACCUMULUS_TRY_ASSIGN(auto other, OtherLibrary::read(file, library, stop));
        return other;
    }
    if (kind == Kind::Json) {
        ACCUMULUS_TRY_ASSIGN(auto run, importedJson(file, stop));
        return run;
    }
    if (kind == Kind::Csv) {
        ACCUMULUS_TRY_ASSIGN(auto run, importedCsv(file));
        return run;
    }
    ACCUMULUS_TRY_ASSIGN(const auto content, readFile(file, largestFile));
    ACCUMULUS_TRY_ASSIGN(auto run, importedEvents(content, file, options));
    return run;
}

/// Where a run came from, for people and for RunStore::claim.
Status mark(RunStore& store, const std::string& run, std::vector<std::string> tags, const std::filesystem::path& file) {
    std::error_code ignored;
    const auto full = std::filesystem::absolute(file, ignored);
    const Message imported{importedEvent, {{"file", full.string()}}};
    const EventRecord event{unixTime(), "info", imported.code, messageText(imported), 0, imported.arguments};
    ACCUMULUS_TRY(store.addEvents(run, {&event, 1}));
    tags.emplace_back(importedTag);
    std::ranges::sort(tags);
    const auto twice = std::ranges::unique(tags);
    tags.erase(twice.begin(), twice.end());
    return store.setTags(run, tags);
}

bool isOver(RunState state) { return state == RunState::Completed || isResumable(state); }

/// What the file does not tell of the study stays unknown: nothing says when its margin was fixed. Runs of one study
/// meet in it again, whatever their order.
Status addStudyOf(RunStore& store, ImportedRun& imported) {
    RunRecord& run = imported.run;
    if (run.study.empty())
        run.study = run.id; // one of its own
    if (imported.study)
        return store.takeStudy(*imported.study);
    StudyRecord study;
    study.id = run.study;
    study.name = run.name.substr(0, run.name.find(", ")); // "study, accumulated, seed 0"
    study.config.name = study.name;
    study.config.seeds = {run.seed};
    return store.takeStudy(study);
}

Status add(RunStore& store, ImportedRun imported, const std::filesystem::path& file, ImportOutcome& outcome) {
    RunRecord& run = imported.run;
    ACCUMULUS_TRY_ASSIGN(const RunPlace place, placeOfRun(store, run.id));
    if (place != RunPlace::Nowhere) {
        ++outcome.known;
        outcome.knownInTrash += place == RunPlace::Trash ? 1 : 0;
        return {};
    }
    if (!isOver(run.state)) {
        ++outcome.unfinished;
        return {};
    }
    if (run.createdAt <= 0.0)
        run.createdAt = unixTime();
    ACCUMULUS_TRY(addStudyOf(store, imported));
    const RunSummary summary = std::exchange(run.summary, {}); // the counters go up with the windows
    const RunState state = std::exchange(run.state, RunState::Draft);
    const std::string error = run.error;
    const std::optional<Error> errorMessage = run.errorMessage;
    const double finishedAt = run.finishedAt;
    ACCUMULUS_TRY(store.addRun(run));
    ACCUMULUS_TRY(store.addWindows(run.id, run.attempt, imported.windows));
    ACCUMULUS_TRY(store.addEvaluations(run.id, run.attempt, imported.evaluations));
    ACCUMULUS_TRY(store.addEvents(run.id, imported.events));
    ACCUMULUS_TRY(store.finishRun(run.id, state, summary, finishedAt, error, errorMessage));
    ACCUMULUS_TRY(mark(store, run.id, run.tags, file));
    outcome.added.push_back(run.id);
    return {};
}

Status merge(RunStore& store, const OtherLibrary& library, const std::filesystem::path& file, ImportOutcome& outcome,
             const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto merged, mergeLibrary(store, library, stop));
    for (const MergedRun& run : merged.added) {
        ACCUMULUS_TRY(mark(store, run.id, run.tags, file));
        outcome.added.push_back(run.id);
    }
    outcome.known += merged.known;
    outcome.knownInTrash += merged.knownInTrash;
    outcome.unfinished += merged.unfinished;
    outcome.trashed += merged.trashed;
    return {};
}

/// The open batch of a store: undone unless it was committed, whatever is thrown.
class Batch {
public:
    explicit Batch(RunStore& store) : m_store(store) {}
    ~Batch() { m_store.rollback(); } // nothing where no batch is open
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

private:
    RunStore& m_store;
};

} // namespace

struct RunsToImport::Impl {
    std::vector<std::pair<std::filesystem::path, FileRuns>> files;
};

RunsToImport::RunsToImport() : m_impl(std::make_unique<Impl>()) {}
RunsToImport::RunsToImport(RunsToImport&&) noexcept = default;
RunsToImport& RunsToImport::operator=(RunsToImport&&) noexcept = default;
RunsToImport::~RunsToImport() = default;

Result<RunsToImport> readRuns(std::span<const std::filesystem::path> files, const std::filesystem::path& library,
                              const ImportOptions& options, const std::stop_token& stop) {
    RunsToImport runs;
    for (const std::filesystem::path& file : files) {
        if (stop.stop_requested())
            return failure("library.cancelled");
        ACCUMULUS_TRY_ASSIGN(auto content, read(file, library, options, stop));
        runs.impl().files.emplace_back(file, std::move(content));
    }
    return runs;
}

Result<ImportOutcome> addRuns(RunStore& store, RunsToImport runs, const std::stop_token& stop) {
    ImportOutcome outcome;
    ACCUMULUS_TRY(store.begin());
    const Batch batch(store);
    for (auto& [file, content] : runs.impl().files) {
        if (stop.stop_requested())
            return failure("library.cancelled");
        if (const auto* library = std::get_if<OtherLibrary>(&content))
            ACCUMULUS_TRY(merge(store, *library, file, outcome, stop));
        else
            ACCUMULUS_TRY(add(store, std::get<ImportedRun>(std::move(content)), file, outcome));
    }
    ACCUMULUS_TRY(store.commit());
    return outcome;
}

Result<ImportOutcome> importRuns(RunStore& store, std::span<const std::filesystem::path> files,
                                 const ImportOptions& options, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(auto runs, readRuns(files, store.library().path(), options, stop));
    return addRuns(store, std::move(runs), stop);
}

} // namespace accumulus
