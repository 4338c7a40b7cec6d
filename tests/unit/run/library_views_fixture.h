// SPDX-License-Identifier: GPL-3.0-or-later
// A new library for each function, filled with made-up studies and read through its views.
#pragma once

#include "core/run/library_views.h"
#include "core/store/run_store.h"
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
    void noteOn(const std::string& run, const std::string& note) {
        RunStore store(Library::open(m_file, Library::Mode::Write).value());
        if (const auto status = store.setNotes(run, note); !status)
            qFatal("%s", describe(status.error()).c_str());
    }

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_file;
    int m_count = 0;
};

} // namespace accumulus::test
