// SPDX-License-Identifier: GPL-3.0-or-later
// The services a page needs, on a library of its own.
#pragma once

#include "tests/support/synthetic_library.h"
#include "widgets/pages/library_session.h"
#include "widgets/pages/page.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

namespace accumulus::test {

class PageFixture {
public:
    PageFixture() : m_theme(*qApp), m_runs(file()), m_session(m_library, m_runs) {
        QSettings().setValue(QStringLiteral("library/grouping"), 0); // each run a row, as a person may choose
    }

    [[nodiscard]] std::filesystem::path file() const { return path(QStringLiteral("library.sqlite")).toStdString(); }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] ui::Services services() { return {m_theme, m_library, m_runs, m_session}; }
    [[nodiscard]] ui::Theme& theme() { return m_theme; }

    [[nodiscard]] bool open() { return m_library.open(file()).has_value(); }
    /// Adds a study; empty groups when that failed.
    SyntheticRuns add(const SyntheticStudy& study) {
        auto runs = addSyntheticStudy(file(), study);
        if (!runs)
            qWarning("%s", describe(runs.error()).c_str());
        return runs.value_or(SyntheticRuns{});
    }
    /// As training tells of a study that was asked for so.
    void begin(const SyntheticRuns& runs, const StudyConfig& asked) {
        RunReader reader(Library::open(file(), Library::Mode::Read).value());
        StudyRecord study = reader.study(runs.study).value();
        study.config = asked;
        m_session.seeds.started(study, reader.runs({.trashed = false, .study = runs.study}).value());
    }
    /// As a window does; the queue stays paused, so nothing is trained.
    template <class ComparePage>
    void queueSeedsOf(const ComparePage& page) {
        QObject::connect(&page, &ComparePage::moreSeedsRequested, &m_runs, &ui::RunController::enqueue);
    }

private:
    QTemporaryDir m_folder;
    ui::Theme m_theme;
    ui::LibraryGateway m_library;
    ui::RunController m_runs;
    ui::LibrarySession m_session;
};

[[nodiscard]] inline QStringList qtList(const std::vector<std::string>& ids) {
    QStringList list;
    for (const std::string& id : ids)
        list << QString::fromStdString(id);
    return list;
}

/// The one descendant of that name and type.
template <class W>
[[nodiscard]] W* child(const QWidget& page, const char* name) {
    W* found = page.findChild<W*>(QString::fromLatin1(name));
    if (found == nullptr)
        qWarning("There is no %s named %s", W::staticMetaObject.className(), name);
    return found;
}

/// Saves a picture where ACCUMULUS_TEST_PICTURES names a folder: for looking at it, not for judging.
inline void takePicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("ACCUMULUS_TEST_PICTURES");
    if (folder.isEmpty())
        return;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // as it settles, not as it was asked to
    widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

} // namespace accumulus::test
