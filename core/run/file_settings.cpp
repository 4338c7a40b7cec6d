// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/file_settings.h"

#include "core/base/path_text.h"
#include "core/config/config_fields.h"
#include "core/data/csv_file.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

std::string assignment(const char* key, const std::string& text) {
    return std::string(key) + "=" + fieldText(FieldValue(text));
}

bool isTestFile(const fs::path& file) {
    std::string name = file.filename().string();
    std::ranges::transform(name, name.begin(), [](char letter) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    });
    return std::ranges::any_of(std::array{"test", "val", "dev"},
                               [&](const char* part) { return name.find(part) != std::string::npos; });
}

tl::unexpected<Error> two(const FileKind& one, const FileKind& other) {
    return failure("file.two",
                   {{"first", one.path.filename().string()},
                    {"second", other.path.filename().string()},
                    {"what", one.what.code},
                    {"otherWhat", other.what.code},
                    {"columns", one.what.arguments.empty() ? std::string() : one.what.arguments[0].second}});
}

/// The files of one role, each named once.
std::vector<FileKind> ofRole(const std::vector<FileKind>& kinds, FileRole role) {
    std::vector<FileKind> chosen;
    for (const FileKind& kind : kinds)
        if (kind.role == role && std::ranges::find(chosen, kind.path, &FileKind::path) == chosen.end())
            chosen.push_back(kind);
    return chosen;
}

struct TableShape {
    std::string lastColumn;
    std::int64_t rows = 0;
};

/// What a table needs besides its path: most name what is to be predicted last, and without test rows a tenth is held
/// out. A table that cannot be read has neither; opening it says why.
TableShape shapeOfTable(const fs::path& path) {
    TableShape shape;
    const auto file = openCsv(path);
    if (!file)
        return shape;
    std::int64_t records = 0;
    const Status read = readCsv(*file, [&](const CsvRecord& record) -> Result<bool> {
        if (records == 0 && !record.fields.empty())
            shape.lastColumn = record.fields.back();
        ++records;
        return true;
    });
    shape.rows = read ? records - 1 : 0;
    return shape;
}

Status addData(std::vector<FileKind> data, std::vector<std::string>& assignments) {
    if (data.empty())
        return {};
    fs::path test;
    if (data.size() == 2 && data[0].dataset == data[1].dataset &&
        isTestFile(data[0].path) != isTestFile(data[1].path)) {
        if (isTestFile(data[0].path))
            std::swap(data[0], data[1]);
        test = data[1].path;
        data.pop_back();
    }
    if (data.size() > 1)
        return two(data[0], data[1]);
    assignments.push_back(assignment("data.dataset", data[0].dataset));
    assignments.push_back(assignment("data.path", textOfPath(data[0].path)));
    assignments.push_back(assignment("data.test_path", textOfPath(test)));
    if (data[0].dataset == "table") {
        const TableShape shape = shapeOfTable(data[0].path);
        assignments.push_back(assignment("data.target", shape.lastColumn));
        if (test.empty())
            assignments.push_back("data.validation=" +
                                  std::to_string(std::max<std::int64_t>(shape.rows > 1 ? 1 : 0, shape.rows / 10)));
    } else {
        assignments.emplace_back("data.target=\"\"");
    }
    for (const char* reset : {"data.mean=[]", "data.deviation=[]", "data.vocabulary=0"})
        assignments.emplace_back(reset);
    return {};
}

Status addNetwork(const std::vector<FileKind>& kinds, std::vector<std::string>& assignments) {
    const auto models = ofRole(kinds, FileRole::Model), weights = ofRole(kinds, FileRole::Weights);
    for (const auto& files : {models, weights})
        if (files.size() > 1)
            return two(files[0], files[1]);
    if (!models.empty()) {
        assignments.emplace_back("model.name=file");
        assignments.push_back(assignment("model.path", textOfPath(models[0].path)));
        assignments.emplace_back("model.freeze=[]");
    }
    if (!models.empty() || !weights.empty())
        assignments.push_back(
            assignment("model.weights", weights.empty() ? std::string() : textOfPath(weights[0].path)));
    return {};
}

} // namespace

Result<FileSettings> settingsForFiles(const std::vector<fs::path>& files) {
    FileSettings settings;
    for (const fs::path& file : files) {
        settings.kinds.push_back(kindOfFile(file));
        if (settings.kinds.back().refusal)
            return failure(*settings.kinds.back().refusal);
    }
    for (const FileKind& kind : settings.kinds) {
        const bool experiment = kind.role == FileRole::Experiment;
        if (!experiment && kind.role != FileRole::Library)
            continue;
        if (files.size() > 1)
            return failure("file.alone", {{"file", kind.path.filename().string()}, {"what", kind.what.code}});
        (experiment ? settings.experiment : settings.library) = kind.path;
        return settings;
    }
    ACCUMULUS_TRY(addNetwork(settings.kinds, settings.assignments));
    ACCUMULUS_TRY(addData(ofRole(settings.kinds, FileRole::Data), settings.assignments));
    return settings;
}

} // namespace accumulus
