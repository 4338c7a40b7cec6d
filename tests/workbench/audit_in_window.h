// SPDX-License-Identifier: GPL-3.0-or-later
// Audits as a person makes them in the real window.
#pragma once

#include "core/config/config_fields.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace accumulus::ui {

inline constexpr int auditTimeout = 300'000;

/// Presses the button and waits for a result; false, with the page's message as a warning, where none came.
[[nodiscard]] inline bool auditBy(WorkbenchFixture& fixture, const char* button) {
    QSignalSpy shown(fixture.window().findChild<AuditPage*>(), &AuditPage::auditShown);
    fixture.click(button);
    const auto* notice = fixture.find<NoticeBar>("auditNotice");
    QElapsedTimer timer;
    timer.start();
    while (shown.isEmpty() && !notice->isVisible() && timer.elapsed() < auditTimeout)
        QTest::qWait(20);
    if (shown.isEmpty())
        qWarning("%s", qPrintable(notice->accessibleName()));
    return !shown.isEmpty();
}

[[nodiscard]] inline QString labelText(WorkbenchFixture& fixture, const char* name) {
    return fixture.find<QLabel>(name)->text();
}

[[nodiscard]] inline QColor wordColor(WorkbenchFixture& fixture) {
    return fixture.find<QLabel>("auditWord")->palette().color(QPalette::WindowText);
}

} // namespace accumulus::ui
