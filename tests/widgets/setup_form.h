// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of Set up share: the page over a made-up machine, filled in and read as a person does.
#pragma once

#include "tests/widgets/screenshot.h"
#include "widgets/pages/library_session.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/number_box.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include <atomic>
#include <memory>

namespace accumulus::test {

using namespace ui;

inline constexpr std::int64_t mnistTrain = 60000;

/// Data and device of a machine that the test makes up; folders named "missing" are not there.
struct Machine {
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] SetupQueries queries() const {
        return {[asked = asked](const DataConfig& data, const std::string&) -> Result<DataSummary> {
                    ++*asked;
                    if (data.path.find("missing") != std::string::npos || data.dataset == "cifar10")
                        return failure("data.cifar.missing", {{"reason", "there is no folder " + data.path}});
                    if (data.path.find("broken") != std::string::npos)
                        return failure("file.open", {{"file", data.path}, {"reason", "no rights"}});
                    return DataSummary{mnistTrain, 10000, {{"fact.mnist", {}}, {"fact.bundled", {}}}};
                },
                [](const RunConfig&) -> Result<std::int64_t> { return 61706; },
                [] {
                    return DeviceSummary{{{"fact.cpu", {{"name", "test"}}}, {"fact.cores", {{"cores", "2"}}}},
                                         Message{"device.cpu-only", {}},
                                         2};
                }};
    }
};

/// A page of its own for each function.
class SetupForm {
protected:
    template <class T>
    T* find(const char* name) {
        T* found = m_page->findChild<T*>(QLatin1String(name));
        if (!found)
            qWarning("no %s", name);
        return found;
    }

    QString text(const char* name) {
        auto* label = m_page->findChild<QLabel*>(QLatin1String(name));
        return label ? label->text() : QStringLiteral("(no such label)");
    }

    bool shows(const char* name) {
        const auto* widget = m_page->findChild<QWidget*>(QLatin1String(name));
        return widget && widget->isVisible();
    }

    /// Selects the field's text and types over it.
    void type(const char* name, const QString& text) {
        auto* widget = find<QWidget>(name);
        QVERIFY(widget);
        widget->setFocus();
        QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(widget, text);
    }

    void click(const char* name) {
        auto* button = find<QAbstractButton>(name);
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    bool startEnabled() { return find<QPushButton>("setup.start")->isEnabled(); }

    void useTheme() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_setup_page"));
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>(*qApp);
    }

    void openPage() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_library = std::make_unique<LibraryGateway>();
        m_runs = std::make_unique<RunController>(
            std::filesystem::path(m_folder->filePath(QStringLiteral("l.db")).toStdString()));
        m_session = std::make_unique<LibrarySession>(*m_library, *m_runs);
        m_machine = {};
        m_page = std::make_unique<SetupPage>(Services{*m_theme, *m_library, *m_runs, *m_session}, nullptr,
                                             m_machine.queries());
        m_page->resize(1120, 640);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_page->activateWindow();
        QTRY_COMPARE(text("setup.epoch.line"), QStringLiteral("235 update(s) per epoch, last window 96 samples"));
    }

    void closePage() {
        m_page.reset();
        m_session.reset();
        m_runs.reset();
        m_library.reset();
        QLocale::setDefault(QLocale::c());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<LibraryGateway> m_library;
    std::unique_ptr<RunController> m_runs;
    std::unique_ptr<LibrarySession> m_session;
    std::unique_ptr<SetupPage> m_page;
    Machine m_machine;
};

} // namespace accumulus::test
