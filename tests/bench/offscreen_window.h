// SPDX-License-Identifier: GPL-3.0-or-later
// What a program starts with that measures the real window without a display: names, a home of its own, the log.
#pragma once

#include "core/base/log.h"
#include "core/store/run_store.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

namespace accumulus::test {

/// A person's settings and files, empty at first and gone with the object. Make it before the QApplication.
class OffscreenHome {
public:
    OffscreenHome() {
        if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
        QCoreApplication::setApplicationName(QStringLiteral("Accumulus"));
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        setUpLog();
    }

    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] std::filesystem::path library() const { return file(QStringLiteral("library.sqlite")).toStdString(); }

    /// `add` writes the library. False, with a line on standard error: it could not.
    [[nodiscard]] bool writeLibrary(const std::function<Status(RunStore&)>& add) const {
        const Status written = [&]() -> Status {
            ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library(), Library::Mode::Write));
            RunStore store(std::move(opened));
            return add(store);
        }();
        if (!written)
            std::fprintf(stderr, "%s\n", describe(written.error()).c_str());
        return written.has_value();
    }

private:
    QTemporaryDir m_folder;
};

} // namespace accumulus::test
