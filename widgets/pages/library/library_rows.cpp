// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_rows.h"

#include "widgets/models/run_baseline.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <unordered_map>

namespace accumulus::ui {
namespace {

Status readInto(LibraryRows& rows, RunReader& reader, RowMemory& memory) {
    ACCUMULUS_TRY_ASSIGN(auto known, reader.audits(false));
    memory.audits.setAudits(std::move(known));
    ACCUMULUS_TRY_ASSIGN(const auto studies, reader.studies());
    std::unordered_map<std::string, QString> names;
    for (const StudyRecord& study : studies)
        names.emplace(study.id, format::fromUtf8(study.name));
    ACCUMULUS_TRY_ASSIGN(const auto baseline, reader.note(baselineNote));
    rows.baseline = QString::fromStdString(baseline);
    for (const bool trashed : {false, true}) {
        ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs({trashed, {}}));
        if (!trashed)
            memory.verdicts.judge(runs, studies);
        auto made = std::make_shared<std::vector<RunRow>>();
        made->reserve(runs.size());
        for (RunRecord& run : runs) {
            const AuditRecord* audit = memory.audits.of(run);
            const RunConfiguration& configuration = memory.configurations.of(run);
            RunContext context;
            if (audit) {
                context.audit = audit->verdict;
                context.ofSetup = audit->run.empty();
            }
            if (!trashed)
                context.verdict = memory.verdicts.of(run.study);
            if (const auto name = names.find(run.study); name != names.end())
                context.study = name->second;
            made->push_back(makeRunRow(std::move(run), context, configuration));
        }
        (trashed ? rows.trashed : rows.kept) = std::move(made);
    }
    return {};
}

} // namespace

LibraryRows readRows(RunReader& reader, RowMemory& memory) {
    LibraryRows rows;
    if (const Status read = readInto(rows, reader, memory); !read)
        rows.error = read.error();
    return rows;
}

qint64 RunFiles::bytes() const {
    return std::accumulate(files.begin(), files.end(), qint64{0},
                           [](qint64 sum, const File& file) { return sum + file.bytes; });
}

std::vector<RunFiles> filesOf(RunReader& reader, const std::vector<RunRecord>& runs) {
    std::vector<RunFiles> found;
    for (const RunRecord& run : runs) {
        RunFiles& here = found.emplace_back(RunFiles{run});
        const std::filesystem::path folder = reader.library().runFolder(run.id);
        std::error_code error;
        for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error))
            if (at->is_regular_file(error))
                here.files.push_back({format::fromUtf8(at->path().lexically_relative(folder).string()),
                                      static_cast<qint64>(at->file_size(error))});
        std::ranges::sort(here.files, {}, &RunFiles::File::name);
    }
    return found;
}

} // namespace accumulus::ui
