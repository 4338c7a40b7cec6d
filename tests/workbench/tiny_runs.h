// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the whole window share: tiny studies that are trained in it, and the runs that its library then
// holds.
#pragma once

#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/setup/setup_page.h"

#include <QPushButton>
#include <QTableView>

namespace accumulus::ui {

inline std::vector<RunRecord> runsOf(WorkbenchFixture& fixture, bool trashed = false) {
    return fixture.workbench().library().reader().runs({trashed, {}}).value();
}

/// Trains the tiny experiment from the Set up page and waits for its end.
inline void trainTiny(WorkbenchFixture& fixture, const ExperimentConfig& experiment = tinyExperiment()) {
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
    auto* start = fixture.find<QPushButton>("setup.start");
    QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), 10'000);
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(fixture.workbench().runs().busy());
    fixture.waitUntilIdle(runTimeout);
}

inline int visibleRows(WorkbenchFixture& fixture) { return fixture.find<QTableView>("runTable")->model()->rowCount(); }

} // namespace accumulus::ui
