// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunReader that knows what waits for its turn.
#include "core/store/connection.h"
#include "core/store/run_reader.h"

#include <sstream>

namespace accumulus {

Result<std::vector<QueueRecord>> RunReader::queue() {
    return library().connection().guarded(Access::Read, [&]() -> Result<std::vector<QueueRecord>> {
        std::vector<QueueRecord> queue;
        Query query(library().connection(),
                    "SELECT id, name, experiment, resumes, elsewhere, host, program, library, slurm IS NOT NULL, "
                    "coalesce(slurm, ''), added_at, not_before, smaller_parts FROM queue ORDER BY position");
        while (query.step()) {
            QueueRecord waiting;
            for (std::string* text : {&waiting.id, &waiting.name, &waiting.experiment})
                *text = query.text();
            std::istringstream runs(query.text());
            for (std::string run; runs >> run;)
                waiting.resumes.push_back(run);
            const bool isElsewhere = query.flag();
            LaunchPlace place;
            for (std::string* text : {&place.host, &place.program, &place.library})
                *text = query.text();
            const bool isBatch = query.flag();
            const std::string options = query.text();
            if (isBatch)
                place.slurm = options;
            if (isElsewhere)
                waiting.place = std::move(place);
            waiting.addedAt = query.realOrZero();
            waiting.notBefore = query.realOrZero();
            waiting.smallerParts = query.flag();
            queue.push_back(std::move(waiting));
        }
        return queue;
    });
}

} // namespace accumulus
