// SPDX-License-Identifier: GPL-3.0-or-later
// screenshots FOLDER [--demo | --ranks | --plans | --files]: opens the real window on a fresh library and writes every
// page, empty and full, in light and dark, two sizes and two languages. The study is a short one with both arms; with
// --demo the one-minute demo. With --ranks only what differs on several ranks, with
// --plans only what the planner measures, with --files only what a person brings. Names: home-empty-light-1280.png,
// library-full-dark-1600-zh.png.
#include "app/workbench/application.h"
#include "core/base/log.h"
#include "core/config/experiment_file.h"
#include "core/launch/launch_command.h"
#include "core/run/program.h"
#include "tests/workbench/photographer.h"
#include "tests/workbench/read_hints.h"
#include "widgets/models/train_places.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"
#include "widgets/style/number_box.h"

#include <QApplication>
#include <QDir>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

ExperimentConfig shortStudy() {
    ExperimentConfig experiment =
        readExperiment(resourceFolder("experiments") / "first-comparison.toml").value_or(ExperimentConfig{});
    experiment.run.data.trainLimit = 3000;
    experiment.run.data.testLimit = 1000;
    experiment.study.name = "Short comparison";
    experiment.study.seeds = {0, 1, 2};
    experiment.run.probe.parameter = "conv1.weight";
    return experiment;
}

/// B = 256 with a limit that m = 128 exceeds.
ExperimentConfig limitedStudy() {
    ExperimentConfig experiment = shortStudy();
    experiment.run.batch.micro = 8;
    experiment.run.device.memoryLimit = "10 MB";
    return experiment;
}

/// The same on two ranks, which mpirun starts.
ExperimentConfig sharedStudy() {
    ExperimentConfig experiment = shortStudy();
    experiment.run.batch.devices = 2;
    experiment.run.batch.steps = 0;
    experiment.run.train.length = {30, Extent::Unit::Epochs};
    experiment.study.name = "On two ranks";
    experiment.study.largeBatch = false;
    experiment.study.seeds = {0};
    return experiment;
}

void showResults(Application& workbench) {
    const QString study = workbench.runs().currentStudy();
    MainWindow& window = workbench.window();
    window.findChild<LivePage*>()->showStudy(study);
    window.findChild<ComparePage*>()->compareStudy(study);
    const auto runs = workbench.library().reader().runs().value_or(std::vector<RunRecord>{});
    if (runs.empty())
        return;
    window.findChild<ReportsPage*>()->showRun(QString::fromStdString(runs.front().id));
    window.showPage(QStringLiteral("library"));
    auto* library = window.findChild<LibraryPage*>();
    turnEventLoop(500);
    library->selectRuns({QString::fromStdString(runs.back().id)});
}

void speak(Application& workbench, const QString& language) {
    const MainWindow* before = &workbench.window();
    workbench.setLanguage(language);
    waitUntil([&] { return &workbench.window() != before; }, 10'000, "the window in another language");
    turnEventLoop(500);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: screenshots FOLDER [--demo | --ranks | --plans | --files]\n");
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", qEnvironmentVariable("QT_QPA_PLATFORM", QStringLiteral("offscreen")).toUtf8());
    QCoreApplication::setApplicationName(QStringLiteral("Accumulus"));
    QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
    const QTemporaryDir home;
    qputenv("HOME", home.path().toUtf8()); // the pictures show no path of the machine that made them
    const QString data = QDir(home.path()).filePath(QStringLiteral(".local/share/accumulus"));
    QDir().mkpath(data);
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    QSettings().setValue(QStringLiteral("view/language"), QStringLiteral("en"));
    readHints();
    setTrainPlaces({{"gpu-box", "accumulus-cli", "", std::nullopt},
                    {"anna@login.cluster", "~/bin/accumulus-cli", "", "--partition=long --time=2:00:00"}});
    setUpLog();
    QApplication application(argc, argv);
    QDir folder(QString::fromLocal8Bit(argv[1]));
    folder.mkpath(QStringLiteral("."));
    const bool demo = argc > 2 && QByteArray(argv[2]) == "--demo";

    Application workbench(application, {QDir(data).filePath(QStringLiteral("library.sqlite")).toStdString(), false});
    workbench.start();
    waitUntil([&] { return workbench.library().isOpen(); }, 5000, "the library");
    turnEventLoop(500);
    Photographer photographer(workbench, folder);
    const auto ends = [&] {
        const bool ended = waitUntil([&] { return !workbench.runs().busy(); }, 300'000, "the end of the study");
        turnEventLoop(500);
        return ended;
    };
    if (argc > 2 && QByteArray(argv[2]) == "--plans") {
        photographer.takePlans(limitedStudy(), {});
        speak(workbench, QStringLiteral("zh_CN"));
        photographer.takePlans(limitedStudy(), QStringLiteral("-zh"));
        return 0;
    }
    if (argc > 2 && QByteArray(argv[2]) == "--files") {
        photographer.takeFiles(QDir(home.path()), {});
        speak(workbench, QStringLiteral("zh_CN"));
        photographer.takeFiles(QDir(home.path()), QStringLiteral("-zh"));
        return 0;
    }
    const bool onlyRanks = argc > 2 && QByteArray(argv[2]) == "--ranks";
    if (!onlyRanks) {
        photographer.takeAll(QStringLiteral("empty"), QStringLiteral("en"));
        workbench.theme().setMode(ThemeMode::Light);
        if (demo)
            workbench.window().runDemo();
        else
            workbench.runs().start(shortStudy());
        workbench.window().showPage(QStringLiteral("live"));
        turnEventLoop(4000);
        photographer.take(QStringLiteral("live-running-light-1600"));
        if (!ends())
            return 1;
        photographer.take(QStringLiteral("after-study-light-1600"));
        workbench.window().findChild<NoticeBar*>(QStringLiteral("finishedNotice"))->clear(); // read, and closed
        photographer.audit([&] {
            auto* updates = workbench.window().findChild<NumberBox*>(QStringLiteral("auditUpdates"));
            updates->setInteger(20);
            Q_EMIT updates->numberEdited();
            workbench.window().findChild<SetupPage*>()->setExperiment(shortStudy()); // the page follows it
            workbench.window().findChild<AuditPage*>()->auditSetup(shortStudy());
        });
        showResults(workbench);
        photographer.takeAll(QStringLiteral("full"), QStringLiteral("en"));
        photographer.takeDetails({});
        photographer.takeAudits({});
        speak(workbench, QStringLiteral("zh_CN"));
        showResults(workbench);
        photographer.takeAll(QStringLiteral("full"), QStringLiteral("zh_CN"));
        photographer.takeDetails(QStringLiteral("-zh"));
        photographer.takeAudits(QStringLiteral("-zh"));
        photographer.takePlans(limitedStudy(), QStringLiteral("-zh"));
        speak(workbench, QStringLiteral("en"));
        photographer.takePlans(limitedStudy(), {});
    }
    photographer.takePlaces({});
    if (!launchingFeatures().launchesRanks)
        return 0;
    workbench.theme().setMode(ThemeMode::Light);
    workbench.window().resize(1280, 720);
    workbench.runs().start(sharedStudy());
    workbench.window().showPage(QStringLiteral("live"));
    waitUntil([&] { return workbench.runs().state() == RunState::Running; }, 60'000, "ranks that train");
    turnEventLoop(2000);
    photographer.take(QStringLiteral("live-ranks-running-light-1280"));
    if (!ends())
        return 1;
    const QString study = workbench.runs().currentStudy();
    photographer.takeRanks(sharedStudy(), study, {});
    speak(workbench, QStringLiteral("zh_CN"));
    photographer.takeRanks(sharedStudy(), study, QStringLiteral("-zh"));
    photographer.takePlaces(QStringLiteral("-zh"));
    return 0;
}
