// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of widgets for human eyes: written only when ACCUMULUS_SCREENSHOT_DIR is set.
#pragma once

#include <QDir>
#include <QWidget>

namespace accumulus::test {

inline void saveScreenshot(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("ACCUMULUS_SCREENSHOT_DIR");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace accumulus::test
