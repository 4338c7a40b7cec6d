// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/study_names.h"

#include "core/config/experiment_file.h"
#include "core/store/connection.h"
#include "core/store/run_store.h"

namespace accumulus {

Status renameStudy(RunStore& store, const std::string& study, const std::string& name) {
    Library::Connection& connection = store.library().connection();
    return connection.guarded(Access::Write, [&]() -> Status {
        WriteScope scope(connection);
        Query row(connection, "SELECT name, config FROM studies WHERE id = ?", study);
        if (!row.step())
            return failure("library.no-study", {{"study", study}, {"file", connection.path.string()}});
        const std::string before = row.text();
        ACCUMULUS_TRY_ASSIGN(auto config, studyConfigFromJson(row.text()));
        config.name = name;
        Query(connection, "UPDATE studies SET name = ?, config = ? WHERE id = ?", name, studyConfigJson(config), study)
            .run();
        const std::string start = before + ", ";
        Query(connection,
              "UPDATE runs SET name = ? || substr(name, length(?) + 1) WHERE study = ? AND "
              "substr(name, 1, length(?)) = ? AND name LIKE '%, seed ' || seed",
              name + ", ", start, study, start, start)
            .run();
        scope.commit();
        return {};
    });
}

} // namespace accumulus
