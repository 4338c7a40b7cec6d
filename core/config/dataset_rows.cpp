// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/dataset_rows.h"

#include <algorithm>

namespace accumulus {

const DatasetRow* findDataset(std::string_view name) {
    const auto row = std::ranges::find(datasetRows, name, &DatasetRow::name);
    return row == datasetRows.end() ? nullptr : &*row;
}

std::string datasetTitle(const DataConfig& data) {
    const DatasetRow* row = findDataset(data.dataset);
    return row ? std::string(row->title) : data.dataset;
}

bool hasSetting(const DataConfig& data, std::string_view key) {
    const DatasetRow* row = findDataset(data.dataset);
    return row && std::ranges::find(row->settings, key) != row->settings.end();
}

} // namespace accumulus
