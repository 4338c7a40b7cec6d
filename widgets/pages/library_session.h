// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs to a library rather than to a window: changes that can be undone, what was compared, seeds that are
// waited for, reports that are being written, checkpoints that are verified, and what is imported, exported, checked
// and backed up. Outlives the pages, which are made anew for another language or text size; the library and the
// training outlive it. GUI thread.
#pragma once

#include "widgets/bridge/run_controller.h"
#include "widgets/pages/compare/awaited_seeds.h"
#include "widgets/pages/compare/compare_history.h"
#include "widgets/pages/library/checkpoint_verifier.h"
#include "widgets/pages/library/import_jobs.h"
#include "widgets/pages/library/library_chores.h"
#include "widgets/pages/library/library_edits.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/reports/report_saver.h"

namespace accumulus::ui {

struct LibrarySession {
    LibrarySession(LibraryGateway& library, RunController& runs)
        : edits(library), compared(library, edits.stack()), seeds(library, runs), verifier(library), imports(library),
          exports(library), chores(library) {
        // It limits and counts the memory of the whole process: a study begins behind it.
        QObject::connect(&verifier, &CheckpointVerifier::changed, &runs,
                         [this, held = &runs] { held->setHeld(&verifier, verifier.verifying() != nullptr); });
    }

    LibraryEdits edits;
    CompareHistory compared;
    AwaitedSeeds seeds;
    ReportSaver reports;
    CheckpointVerifier verifier;
    ImportJobs imports;
    RunExports exports;
    LibraryChores chores;
};

} // namespace accumulus::ui
