// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_data.h"

#include "core/data/dataset_hash.h"

namespace accumulus {

Status checkRunData(const RunRecord& run, const Dataset& data) {
    // Libraries of before version 4 know a checksum of pixels, labels and tokens only.
    const bool complete = !run.datasetHash.empty();
    const std::string stored = complete ? run.datasetHash : run.environment.data;
    std::string found = data.checksum;
    if (complete) {
        ACCUMULUS_TRY_ASSIGN(found, readDatasetHash(data));
    }
    if (stored.empty() || stored == found)
        return {};
    return failure("run.data-changed",
                   {{"run", run.id}, {"dataset", run.config.data.dataset}, {"stored", stored}, {"found", found}});
}

Status requireRunData(const RunRecord& run, const Dataset& data) {
    Status status = checkRunData(run, data);
    if (!status && status.error().code == "run.data-changed")
        status.error().code = "run.data-differ";
    return status;
}

} // namespace accumulus
