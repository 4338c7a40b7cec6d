// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the whole window for human eyes, light and dark, small and large: only where ACCUMULUS_SCREENSHOT_DIR is
// set.
#pragma once

#include "tests/widgets/screenshot.h"
#include "tests/workbench/workbench_fixture.h"

namespace accumulus::ui {

inline void takePictures(WorkbenchFixture& fixture, const QString& name) {
    if (qEnvironmentVariableIsEmpty("ACCUMULUS_SCREENSHOT_DIR"))
        return;
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)})
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            fixture.workbench().theme().setMode(mode);
            fixture.window().resize(size);
            QTest::qWait(400); // plots draw at most ten times a second
            test::saveScreenshot(fixture.window(),
                                 QStringLiteral("%1-%2-%3")
                                     .arg(name)
                                     .arg(size.width())
                                     .arg(mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light")));
        }
    fixture.workbench().theme().setMode(ThemeMode::Light);
}

} // namespace accumulus::ui
