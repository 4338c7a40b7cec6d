// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/file_settings.h"

#include "core/base/path_text.h"
#include "core/config/config_fields.h"
#include "core/data/dataset.h"
#include "core/data/table_columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <string_view>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

std::string assignment(const char* key, const std::string& text) {
    return std::string(key) + "=" + fieldText(FieldValue(text));
}

/// Whether one of the words in its name says so: "values.csv" and "latest.csv" have no such word.
bool isTestFile(const fs::path& file) {
    constexpr std::array<std::string_view, 7> words{"test", "tests", "testing", "val", "valid", "validation", "dev"};
    const auto isLetter = [](char sign) { return std::isalpha(static_cast<unsigned char>(sign)) != 0; };
    const std::string name = file.filename().string();
    for (auto begin = name.begin(); begin != name.end();) {
        begin = std::find_if(begin, name.end(), isLetter);
        const auto end = std::find_if_not(begin, name.end(), isLetter);
        std::string word;
        std::transform(begin, end, std::back_inserter(word),
                       [](char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); });
        if (std::ranges::find(words, word) != words.end())
            return true;
        begin = end;
    }
    return false;
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

/// The one data set among the files, and its test file if there is one.
struct ChosenData {
    std::optional<FileKind> data;
    fs::path test;
};

Result<ChosenData> chooseData(const std::vector<FileKind>& kinds) {
    std::vector<FileKind> data = ofRole(kinds, FileRole::Data);
    ChosenData chosen;
    if (data.size() == 2 && data[0].dataset == data[1].dataset &&
        isTestFile(data[0].path) != isTestFile(data[1].path)) {
        if (isTestFile(data[0].path))
            std::swap(data[0], data[1]);
        chosen.test = data[1].path;
        data.pop_back();
    }
    if (data.size() > 1)
        return two(data[0], data[1]);
    if (!data.empty())
        chosen.data = std::move(data[0]);
    return chosen;
}

/// Most tables name what is to be predicted last. Empty where it cannot be read; opening it says why.
std::string lastColumn(const fs::path& path) {
    std::string name;
    if (const auto file = openCsv(path))
        (void)readCsv(*file, [&](const CsvRecord& record) -> Result<bool> {
            if (!record.fields.empty())
                name = trimmedField(record.fields.back());
            return false;
        });
    return name;
}

/// A tenth of the training samples where no others are there to test on. 0 as well where they cannot be read: opening
/// them says why.
std::int64_t heldOut(const DataConfig& data) {
    if (data.dataset != "table" && data.dataset != "tensors")
        return 0;
    const auto sizes = inspectDataset(data, {}); // neither lies among the resources
    const std::string samples = sizes ? std::string() : sizes.error().argument("samples");
    const bool untested = !sizes && sizes.error().code == "data.no-test";
    const std::int64_t count = untested && !samples.empty() ? std::stoll(samples) : 0;
    return count > 1 ? std::max<std::int64_t>(1, count / 10) : 0;
}

void addData(const ChosenData& chosen, const DataConfig& current, std::vector<std::string>& assignments) {
    if (!chosen.data)
        return;
    DataConfig data;
    // Its files are those of MNIST: only the person knows.
    data.dataset =
        chosen.data->dataset == "mnist" && current.dataset == "fashion-mnist" ? current.dataset : chosen.data->dataset;
    data.path = textOfPath(chosen.data->path);
    data.testPath = textOfPath(chosen.test);
    if (data.dataset == "table")
        data.target = lastColumn(chosen.data->path);
    assignments.push_back(assignment("data.dataset", data.dataset));
    assignments.push_back(assignment("data.path", data.path));
    assignments.push_back(assignment("data.test_path", data.testPath));
    assignments.push_back(assignment("data.target", data.target));
    assignments.push_back("data.validation=" + std::to_string(heldOut(data)));
    for (const char* reset : {"data.mean=[]", "data.deviation=[]", "data.vocabulary=0", "data.train_limit=0",
                              "data.test_limit=0", "loss.class_weights=[]"})
        assignments.emplace_back(reset);
}

/// No built-in network but the MLP takes rows.
void addModelOfTable(const std::vector<FileKind>& kinds, const ModelConfig& current,
                     std::vector<std::string>& assignments) {
    const bool table = std::ranges::any_of(ofRole(kinds, FileRole::Data),
                                           [](const FileKind& kind) { return kind.dataset == "table"; });
    if (!table || current.name == "mlp" || current.name == "file" || !ofRole(kinds, FileRole::Model).empty())
        return;
    assignments.emplace_back("model.name=mlp");
    assignments.emplace_back("model.freeze=[]");
    if (ofRole(kinds, FileRole::Weights).empty())
        assignments.emplace_back("model.weights=\"\"");
}

void addNetwork(const std::vector<FileKind>& kinds, std::vector<std::string>& assignments) {
    const auto models = ofRole(kinds, FileRole::Model), weights = ofRole(kinds, FileRole::Weights);
    if (!models.empty()) {
        assignments.emplace_back("model.name=file");
        assignments.push_back(assignment("model.path", textOfPath(models[0].path)));
        assignments.emplace_back("model.freeze=[]");
    }
    if (!models.empty() || !weights.empty())
        assignments.push_back(
            assignment("model.weights", weights.empty() ? std::string() : textOfPath(weights[0].path)));
}

} // namespace

Result<FileSettings> lookAtFiles(const std::vector<fs::path>& files) {
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
    for (const FileRole role : {FileRole::Model, FileRole::Weights})
        if (const auto found = ofRole(settings.kinds, role); found.size() > 1)
            return two(found[0], found[1]);
    ACCUMULUS_TRY(chooseData(settings.kinds));
    return settings;
}

Result<FileSettings> settingsForFiles(const std::vector<fs::path>& files, const RunConfig& current) {
    ACCUMULUS_TRY_ASSIGN(FileSettings settings, lookAtFiles(files));
    ACCUMULUS_TRY_ASSIGN(const ChosenData data, chooseData(settings.kinds));
    addNetwork(settings.kinds, settings.assignments);
    addModelOfTable(settings.kinds, current.model, settings.assignments);
    addData(data, current.data, settings.assignments);
    return settings;
}

} // namespace accumulus
