// SPDX-License-Identifier: GPL-3.0-or-later
// A new library for each function, filled with made-up studies and read through its views.
#pragma once

#include "core/run/library_views.h"
#include "tests/support/synthetic_library.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <utility>

namespace accumulus::test {

class LibraryViewsFixture {
protected:
    void useNewLibrary() {
        QVERIFY(m_folder.isValid());
        m_file = std::filesystem::path(m_folder.filePath(QString("library-%1.sqlite").arg(++m_count)).toStdString());
    }
    RunReader reader() {
        auto library = Library::open(m_file, Library::Mode::Read);
        if (!library)
            qFatal("%s", describe(library.error()).c_str());
        return RunReader(std::move(*library));
    }
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    SyntheticRuns add(const SyntheticStudy& study) {
        auto runs = addSyntheticStudy(m_file, study);
        if (!runs)
            qFatal("%s", describe(runs.error()).c_str());
        return *runs;
    }

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_file;
    int m_count = 0;
};

} // namespace accumulus::test
