// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of tables share: settings for a CSV file, and its rows once they are loaded.
#pragma once

#include "core/data/dataset.h"
#include "tests/unit/data/idx_files.h"

namespace accumulus::test::tables {

inline DataConfig configOf(const std::filesystem::path& path, const std::string& target) {
    DataConfig config;
    config.dataset = "table";
    config.path = path.string();
    config.target = target;
    config.validation = 2;
    return config;
}

inline double inputOf(const TensorSet& set, std::int64_t row, std::int64_t column) {
    const void* values = set.inputs.sample(row);
    return static_cast<const double*>(values)[column];
}

inline std::int64_t classOfRow(const TensorSet& set, std::int64_t row) {
    const void* value = set.targets.sample(row);
    return *static_cast<const std::int64_t*>(value);
}

inline std::string wordsOf(const Error& error) { return error.code + ": " + describe(error); }

inline std::shared_ptr<const Dataset> loaded(const DataConfig& config) {
    const auto data = loadDataset(config, {});
    if (!data)
        qFatal("%s", wordsOf(data.error()).c_str());
    return *data;
}

/// Rows of age (18 + i), town (three names, missing in every seventh row), height and the target.
inline std::string people(int rows, const char* separator = ",", const char* lineEnd = "\n") {
    std::string text = std::string("age") + separator + "town" + separator + "height" + separator + "group" + lineEnd;
    const char* towns[] = {"Ulm", "Bonn", "Jena"};
    for (int i = 0; i < rows; ++i)
        text += std::to_string(18 + i) + separator + (i % 7 == 6 ? "" : towns[i % 3]) + separator +
                std::to_string(150 + i * 7 % 40) + ".5" + separator + std::to_string(i % 4) + lineEnd;
    return text;
}

} // namespace accumulus::test::tables
