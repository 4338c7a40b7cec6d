// SPDX-License-Identifier: GPL-3.0-or-later
// The real workbench on a library of its own, driven by object names as a person drives it.
#pragma once

#include "app/workbench/application.h"
#include "tests/workbench/read_hints.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace accumulus::ui {

inline constexpr int runTimeout = 120'000; ///< ms, of a study that takes seconds

[[nodiscard]] inline QStringList listOf(const std::vector<std::string>& ids) {
    QStringList list;
    for (const std::string& id : ids)
        list << QString::fromStdString(id);
    return list;
}

constexpr int patience = 30'000; ///< ms, for what a busy machine may take its time for

/// Settings go into the fixture's folder, never into the person's.
class WorkbenchFixture {
public:
    WorkbenchFixture() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QSettings().clear();
        QSettings().setValue(QStringLiteral("view/language"), QStringLiteral("en"));
        QSettings().setValue(QStringLiteral("library/grouping"), 0); // each run a row, as a person may choose
        readHints();
        open();
    }

    /// `files`: as on the command line.
    void open(const QStringList& files = {}) {
        m_workbench = std::make_unique<Application>(*qApp, ApplicationOptions{library(), false, files});
        m_workbench->start();
        QTRY_VERIFY_WITH_TIMEOUT(m_workbench->library().isOpen(), patience);
    }
    void quit() { m_workbench.reset(); }
    /// As quitting and starting again without a library on the command line.
    void startAgain() {
        m_workbench.reset();
        m_workbench = std::make_unique<Application>(*qApp, ApplicationOptions{});
        m_workbench->start();
        QTRY_VERIFY_WITH_TIMEOUT(m_workbench->library().isOpen(), patience);
    }
    /// As quitting and starting again.
    void reopen(const QStringList& files = {}) {
        m_workbench.reset();
        open(files);
    }

    [[nodiscard]] std::filesystem::path library() const {
        return m_folder.filePath(QStringLiteral("library.sqlite")).toStdString();
    }
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] Application& workbench() { return *m_workbench; }
    [[nodiscard]] MainWindow& window() { return m_workbench->window(); }

    /// Until the window in that language is there.
    void setLanguage(const QString& language) {
        if (m_workbench->language() == language)
            return;
        const MainWindow* before = &window();
        m_workbench->setLanguage(language);
        QTRY_VERIFY_WITH_TIMEOUT(&window() != before, patience);
    }

    template <class Widget>
    [[nodiscard]] Widget* find(const char* name) {
        auto* widget = window().findChild<Widget*>(QString::fromLatin1(name));
        if (!widget)
            qWarning("no widget named %s", name);
        return widget;
    }

    void click(const char* name) {
        auto* widget = find<QWidget>(name);
        QVERIFY2(widget && widget->isVisible() && widget->isEnabled(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }

    /// Until all queries have answered, and plots have drawn what they told.
    void settle() {
        constexpr int drawn = 250; // ms; plots draw at most ten times a second
        for (int round = 0; round < 2; ++round) {
            QTRY_VERIFY_WITH_TIMEOUT(m_workbench->library().idle(), patience);
            QTest::qWait(drawn);
        }
    }

    /// Waits while the event loop turns.
    void waitUntilIdle(int milliseconds) { QTRY_VERIFY_WITH_TIMEOUT(!m_workbench->runs().busy(), milliseconds); }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Application> m_workbench;
};

/// MNIST's first samples, the smallest network: a run of a second or two.
[[nodiscard]] inline ExperimentConfig tinyExperiment() {
    ExperimentConfig experiment;
    experiment.run.data.trainLimit = 1000;
    experiment.run.data.testLimit = 500;
    experiment.run.model.name = "mlp";
    experiment.run.batch.effective = 256;
    experiment.run.batch.micro = 32;
    experiment.run.train.length = {2, Extent::Unit::Epochs};
    experiment.study.name = "tiny";
    experiment.study.seeds = {0};
    return experiment;
}

} // namespace accumulus::ui
