// SPDX-License-Identifier: GPL-3.0-or-later
// What the Live page asks the library beside the curves: names, colours and the Trash, which a person may change while
// a study is shown.
#include "widgets/pages/live/live_page_impl.h"

#include <chrono>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto refreshPause = 1s; // while a run trains the library changes all the time

} // namespace

void LivePage::Impl::followLibrary() {
    refreshSoon.setSingleShot(true);
    refreshSoon.setInterval(refreshPause);
    connect(&refreshSoon, &QTimer::timeout, &page, [this] { readRuns(); });
    connect(&services.library, &LibraryGateway::written, &page, [this] { readRuns(); });
    connect(&services.library, &LibraryGateway::changed, &page, [this] {
        if (page.isVisible() && !refreshSoon.isActive()) // else activated() reads it
            refreshSoon.start();
    });
}

void LivePage::Impl::readRuns() {
    if (curves.empty() || !services.library.isOpen())
        return;
    struct Known {
        std::string name; ///< of the study
        std::vector<RunRecord> runs;
    };
    services.library.query<Result<Known>>(
        &page, QStringLiteral("live.runs"),
        [study = curves.study()](RunReader& reader) -> Result<Known> {
            Known known{study.name, {}};
            ACCUMULUS_TRY_ASSIGN(known.runs, reader.runs({.trashed = false, .study = study.id}));
            if (const auto record = reader.study(study.id)) // it goes with its last run
                known.name = record->name;
            return known;
        },
        [this, study = curves.study().id](const Result<Known>& known) {
            if (!known || study != curves.study().id)
                return;
            const bool recoloured = curves.takeColors(known->runs);
            if (curves.takeNames(known->name, known->runs))
                refresh();
            else if (recoloured)
                panels->restyle();
        });
}

void LivePage::Impl::findArenaSize() {
    const RunCurves* shared = curves.shared();
    if (!shared || !services.library.isOpen())
        return;
    using Elements = std::optional<std::int64_t>;
    services.library.query<Elements>(
        &page, QStringLiteral("live.arena"), [config = shared->run.config](RunReader&) { return arenaSizeOf(config); },
        [this, study = curves.study().id](Elements elements) {
            if (study != curves.study().id)
                return;
            curves.setArenaSize(elements);
            panels->detailsChanged();
        });
}

} // namespace accumulus::ui
