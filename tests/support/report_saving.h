// SPDX-License-Identifier: GPL-3.0-or-later
// The Reports page saves on a thread of its own: what waits for it.
#pragma once

#include "widgets/pages/reports/reports_page.h"

#include <QTest>

#include <optional>

namespace accumulus::test {

/// Saves the report that is shown, and what came of it.
inline Status savedBy(ui::ReportsPage& page, const QString& file) {
    std::optional<Status> outcome;
    const QObject context;
    QObject::connect(&page, &ui::ReportsPage::saved, &context, [&](const QString& saved) {
        if (saved == file)
            outcome = Status();
    });
    QObject::connect(&page, &ui::ReportsPage::notSaved, &context, [&](const QString& refused, const Error& error) {
        if (refused == file)
            outcome = failure(error);
    });
    page.saveTo(file);
    if (!QTest::qWaitFor([&] { return outcome.has_value(); }, 60'000))
        qWarning("The report was neither saved nor refused");
    return outcome ? *outcome : Status(failure("report.none"));
}

} // namespace accumulus::test
