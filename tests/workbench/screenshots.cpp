// SPDX-License-Identifier: GPL-3.0-or-later
// screenshots FOLDER [--demo | --ranks | --plans | --files]: opens the real window on a fresh library and writes every
// page, empty and full, in light and dark, two sizes and two languages. The study is a short one with both arms; with
// --demo the one-minute demo. With --ranks only what differs on several ranks, with
// --plans only what the planner measures, with --files only what a person brings. Names: home-empty-light-1280.png,
// library-full-dark-1600-zh.png.
#include "app/workbench/application.h"
#include "app/workbench/manual.h"
#include "app/workbench/page_table.h"
#include "core/base/log.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/config/model_rows.h"
#include "core/launch/launched_study.h"
#include "core/run/study_runner.h"
#include "widgets/models/train_places.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/planner/planner_page.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/pages/setup/setup_sections.h"
#include "widgets/style/number_box.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

void turnEventLoop(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

template <class Condition>
bool waitUntil(Condition condition, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < milliseconds)
        turnEventLoop(20);
    return condition();
}

void writeBytes(const QString& file, const QByteArray& bytes) {
    QFile written(file);
    if (!written.open(QIODevice::WriteOnly) || written.write(bytes) != bytes.size())
        std::fprintf(stderr, "%s cannot be written\n", qPrintable(file));
}

void writeRows(const QString& file) {
    QByteArray rows("district,rooms,area in square metres,built,garden,distance to the centre,price\n");
    for (int i = 0; i < 40; ++i)
        rows += QByteArray(i % 3 ? "Old town," : "Harbour,") + QByteArray::number(2 + i % 5) + ',' +
                QByteArray::number(45 + 7 * i % 90) + ',' + QByteArray::number(1920 + 3 * i) +
                (i % 2 ? ",yes," : ",no,") + QByteArray::number(0.4 + i % 7) + ',' +
                QByteArray::number(180000 + 3500 * i) + '\n';
    writeBytes(file, rows);
}

/// A file over the page, before it is dropped.
void hover(QWidget& page, const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent event(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page, &event);
}

class Photographer {
public:
    Photographer(Application& workbench, QDir folder) : m_workbench(workbench), m_folder(std::move(folder)) {}

    void takeAll(const QString& content, const QString& language) {
        for (const bool dark : {false, true}) {
            m_workbench.theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                m_workbench.window().resize(size);
                for (const PageEntry& page : pageTable()) {
                    m_workbench.window().showPage(QLatin1String(page.id));
                    turnEventLoop(350); // queries answer, plots repaint at most ten times a second
                    const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
                    QString file =
                        QStringLiteral("%1-%2-%3-%4").arg(QLatin1String(page.id), content, theme).arg(size.width());
                    if (language != QLatin1String("en"))
                        file += QStringLiteral("-zh");
                    take(file);
                }
            }
        }
    }

    /// What a page shows only when it is asked for: the groups of Live, every setting of Set up.
    void takeDetails(const QString& ending) {
        m_workbench.theme().setMode(ThemeMode::Light);
        MainWindow& window = m_workbench.window();
        window.resize(1280, 720);
        window.showPage(QStringLiteral("live"));
        for (const char* group : {"Cost", "Probe", "Gradient"}) {
            auto* button = window.findChild<QPushButton*>(QStringLiteral("liveGroup") + QLatin1String(group));
            if (!button->isVisible())
                continue;
            button->click();
            turnEventLoop(350);
            take(QStringLiteral("live-%1-light-1280%2").arg(QString::fromLatin1(group).toLower(), ending));
        }
        window.showPage(QStringLiteral("setup"));
        window.resize(1280, 2900);
        auto* page = window.findChild<SetupPage*>();
        const ExperimentConfig before = page->experiment();
        for (const char* assignment : {"model.name=lenet5", "model.name=resnet18", "model.name=char-gpt"}) {
            ExperimentConfig shown = before;
            shown.run.data.dataset = "textures-generated";
            if (!applyAssignment(shown, assignment))
                continue;
            if (hasSetting(shown.run.model, "model.heads"))
                shown.run.data.dataset = "tinyshakespeare";
            shown.run.batch.ramp = {{100, 512}, {300, 1024}};
            shown.run.numerics.precision = Precision::Fp16;
            shown.run.data.dropLast = true;
            page->setExperiment(shown);
            for (SetupSection* section : window.findChildren<SetupSection*>())
                section->showMore(true);
            turnEventLoop(700);
            take(QStringLiteral("setup-all-%1-light-1280%2").arg(QString::fromStdString(shown.run.model.name), ending));
        }
        page->setExperiment(before);
        for (SetupSection* section : window.findChildren<SetupSection*>())
            section->showMore(false);
        window.resize(1280, 720);
    }

    /// Set up with two devices, and Live, Library and the cost of the study that ran on them.
    void takeRanks(const ExperimentConfig& experiment, const QString& study, const QString& ending) {
        MainWindow& window = m_workbench.window();
        window.resize(1280, 720);
        auto* page = window.findChild<SetupPage*>();
        const ExperimentConfig before = page->experiment();
        page->setExperiment(experiment);
        for (const bool dark : {false, true}) {
            m_workbench.theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            const QString look =
                QStringLiteral("%1-1280%2").arg(dark ? QStringLiteral("dark") : QStringLiteral("light"), ending);
            window.showPage(QStringLiteral("setup"));
            window.resize(1280, 1400);
            turnEventLoop(500);
            take(QStringLiteral("setup-ranks-") + look);
            window.resize(1280, 720);
            window.showPage(QStringLiteral("live"));
            window.findChild<LivePage*>()->showStudy(study);
            window.findChild<QPushButton*>(QStringLiteral("liveGroupCost"))->click();
            turnEventLoop(700);
            take(QStringLiteral("live-ranks-") + look);
        }
        page->setExperiment(before);
        window.findChild<QPushButton*>(QStringLiteral("liveGroupGradient"))->click();
    }

    /// Audit with a mistake built in, its second part and its gallery.
    void takeAudits(const QString& ending) {
        MainWindow& window = m_workbench.window();
        window.showPage(QStringLiteral("audit"));
        auto* fault = window.findChild<QComboBox*>(QStringLiteral("auditFault"));
        auto* tabs = window.findChild<QTabBar*>(QStringLiteral("auditTabs"));
        auto* list = window.findChild<QListWidget*>(QStringLiteral("auditGalleryList"));
        fault->setCurrentIndex(fault->findData(QStringLiteral("mean-of-means")));
        audit([&] { window.findChild<QPushButton*>(QStringLiteral("auditStart"))->click(); });
        for (const bool dark : {false, true}) {
            m_workbench.theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                window.resize(size);
                const QString look = QStringLiteral("%1-%2%3")
                                         .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(size.width())
                                         .arg(ending);
                const std::pair<int, const char*> views[] = {{0, "wrong"}, {1, "updates"}, {2, "gallery"}};
                for (const auto& [tab, name] : views) {
                    tabs->setCurrentIndex(tab);
                    list->setCurrentRow(tab == 2 && dark ? 7 : 0);
                    turnEventLoop(350);
                    take(QStringLiteral("audit-%1-%2").arg(QLatin1String(name), look));
                }
            }
        }
        tabs->setCurrentIndex(0);
        window.resize(1280, 1900);
        turnEventLoop(500);
        take(QStringLiteral("audit-long-dark-1280%1").arg(ending));
        window.resize(1280, 720);
        fault->setCurrentIndex(0);
    }

    /// Waits for what `begin` begins.
    void audit(const std::function<void()>& begin) {
        bool ended = false;
        MainWindow& window = m_workbench.window();
        const auto shown = QObject::connect(window.findChild<AuditPage*>(), &AuditPage::auditShown, &window,
                                            [&ended] { ended = true; });
        begin();
        if (!waitUntil([&] { return ended; }, 300'000))
            std::fprintf(stderr, "the audit did not end within 5 minutes\n");
        QObject::disconnect(shown);
    }

    /// Set up with another place to train at, and the dialog that names one.
    void takePlaces(const QString& ending) {
        MainWindow& window = m_workbench.window();
        window.showPage(QStringLiteral("setup"));
        auto* box = window.findChild<QComboBox*>(QStringLiteral("setup.place"));
        Q_EMIT box->activated(1);
        for (const bool dark : {false, true}) {
            m_workbench.theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            const QString look = (dark ? QStringLiteral("dark") : QStringLiteral("light")) + ending;
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                window.resize(size);
                turnEventLoop(400);
                take(QStringLiteral("setup-place-%1-%2").arg(look).arg(size.width()));
            }
            window.findChild<QToolButton*>(QStringLiteral("setup.place.edit"))->click();
            auto* dialog = window.findChild<QDialog*>(QStringLiteral("placeDialog"));
            turnEventLoop(300);
            dialog->grab().save(m_folder.filePath(QStringLiteral("place-dialog-%1.png").arg(look)));
            dialog->close();
            turnEventLoop(100);
        }
        Q_EMIT window.findChild<QComboBox*>(QStringLiteral("setup.place"))->activated(0);
    }

    /// What was found of pictures, text and a table; a file that hovers, one that is refused; Help.
    void takeFiles(const QDir& made, const QString& ending) {
        MainWindow& window = m_workbench.window();
        auto* page = window.findChild<SetupPage*>();
        const ExperimentConfig before = page->experiment();
        const QString table = made.filePath(QStringLiteral("houses.csv")),
                      wrong = made.filePath(QStringLiteral("net.onnx"));
        writeRows(table);
        writeBytes(wrong, "\x08\x07\x12\x07pytorch\x1a");
        for (const bool dark : {false, true})
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                m_workbench.theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
                window.resize(size);
                const QString look = QStringLiteral("%1-%2%3")
                                         .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(size.width())
                                         .arg(ending);
                window.showPage(QStringLiteral("home"));
                turnEventLoop(300);
                take(QStringLiteral("home-own-") + look);
                window.showPage(QStringLiteral("setup"));
                for (const char* set : {"mnist", "textures-generated", "tinyshakespeare", "table"}) {
                    ExperimentConfig shown = before;
                    shown.run.data.dataset = set;
                    shown.run.model.name = shown.run.data.dataset == "tinyshakespeare" ? "char-gpt" : "mlp";
                    if (shown.run.data.dataset == "table") {
                        shown.run.data.path = table.toStdString();
                        shown.run.data.target = "price";
                    }
                    page->setExperiment(shown);
                    turnEventLoop(1500);
                    window.findChild<QScrollArea*>(QStringLiteral("setup.form"))
                        ->ensureWidgetVisible(window.findChild<QWidget*>(QStringLiteral("setup.found")));
                    turnEventLoop(100);
                    take(QStringLiteral("setup-found-%1-%2").arg(QLatin1String(set), look));
                }
                page->setExperiment(before);
                page->openFiles({wrong});
                turnEventLoop(500);
                take(QStringLiteral("setup-wrong-file-") + look);
                hover(*page, table);
                turnEventLoop(500);
                take(QStringLiteral("setup-drop-") + look);
                QDragLeaveEvent leave;
                QCoreApplication::sendEvent(page, &leave);
                window.findChild<QAction*>(QStringLiteral("actionOwnNetwork"))->trigger();
                turnEventLoop(300);
                auto* dialog = window.findChild<QDialog*>(QStringLiteral("ownNetworkDialog"));
                dialog->grab().save(m_folder.filePath(QStringLiteral("own-network-dialog-%1.png").arg(look)));
                dialog->close();
                turnEventLoop(100);
                takeManual(look);
            }
    }

    void takeManual(const QString& look) {
        m_workbench.window().findChild<QAction*>(QStringLiteral("actionManual"))->trigger();
        auto* manual = m_workbench.window().findChild<Manual*>();
        for (const char* page : {"home", "compare", "command-line"}) {
            manual->open(QLatin1String(page));
            turnEventLoop(200);
            manual->grab().save(m_folder.filePath(QStringLiteral("manual-%1-%2.png").arg(QLatin1String(page), look)));
        }
        manual->close();
        turnEventLoop(100);
    }

    /// Planner with a plan, whole and while it is measured, and Set up with the memory bar green and red.
    void takePlans(const ExperimentConfig& experiment, const QString& ending) {
        MainWindow& window = m_workbench.window();
        auto* setup = window.findChild<SetupPage*>();
        auto* planner = window.findChild<PlannerPage*>();
        const ExperimentConfig before = setup->experiment();
        setup->setExperiment(experiment);
        window.resize(1280, 720);
        window.showPage(QStringLiteral("planner"));
        turnEventLoop(1500); // what was planned before is looked up
        if (!window.findChild<QPushButton*>(QStringLiteral("plannerUse"))->isEnabled()) {
            planner->start();
            waitUntil(
                [&] { return window.findChild<QTableView*>(QStringLiteral("plannerTable"))->model()->rowCount() > 5; },
                300'000);
            turnEventLoop(1200);
            take(QStringLiteral("planner-running-light-1280%1").arg(ending));
            waitUntil([&] { return !planner->busy(); }, 300'000);
        }
        ExperimentConfig tight = experiment;
        tight.run.batch.micro = 128;
        for (const bool dark : {false, true}) {
            m_workbench.theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            const QString look = (dark ? QStringLiteral("dark") : QStringLiteral("light")) + ending;
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                window.resize(size);
                const auto shoot = [&](const char* page, const char* name) {
                    window.showPage(QLatin1String(page));
                    turnEventLoop(900);
                    take(QStringLiteral("%1-%2-%3").arg(QLatin1String(name), look).arg(size.width()));
                };
                shoot("planner", "planner-plan");
                setup->setExperiment(experiment);
                shoot("setup", "setup-memory-green");
                setup->setExperiment(tight);
                shoot("setup", "setup-memory-red");
                setup->setExperiment(experiment);
            }
        }
        setup->setExperiment(before);
    }

    void take(const QString& name) {
        const QString file = m_folder.filePath(name + QStringLiteral(".png"));
        if (!m_workbench.window().grab().save(file))
            std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
    }

private:
    Application& m_workbench;
    QDir m_folder;
};

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
    setTrainPlaces({{"gpu-box", "accumulus-cli", "", std::nullopt},
                    {"anna@login.cluster", "~/bin/accumulus-cli", "", "--partition=long --time=2:00:00"}});
    setUpLog();
    QApplication application(argc, argv);
    QDir folder(QString::fromLocal8Bit(argv[1]));
    folder.mkpath(QStringLiteral("."));
    const bool demo = argc > 2 && QByteArray(argv[2]) == "--demo";

    Application workbench(application, {QDir(data).filePath(QStringLiteral("library.sqlite")).toStdString(), false});
    workbench.start();
    waitUntil([&] { return workbench.library().isOpen(); }, 5000);
    turnEventLoop(500);
    Photographer photographer(workbench, folder);
    const auto ends = [&] {
        const bool ended = waitUntil([&] { return !workbench.runs().busy(); }, 300'000);
        if (!ended)
            std::fprintf(stderr, "the study did not end within 5 minutes\n");
        turnEventLoop(500);
        return ended;
    };
    if (argc > 2 && QByteArray(argv[2]) == "--plans") {
        photographer.takePlans(limitedStudy(), {});
        workbench.setLanguage(QStringLiteral("zh_CN"));
        turnEventLoop(500);
        photographer.takePlans(limitedStudy(), QStringLiteral("-zh"));
        return 0;
    }
    if (argc > 2 && QByteArray(argv[2]) == "--files") {
        photographer.takeFiles(QDir(home.path()), {});
        workbench.setLanguage(QStringLiteral("zh_CN"));
        turnEventLoop(500);
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
        workbench.setLanguage(QStringLiteral("zh_CN"));
        turnEventLoop(500);
        showResults(workbench);
        photographer.takeAll(QStringLiteral("full"), QStringLiteral("zh_CN"));
        photographer.takeDetails(QStringLiteral("-zh"));
        photographer.takeAudits(QStringLiteral("-zh"));
        photographer.takePlans(limitedStudy(), QStringLiteral("-zh"));
        workbench.setLanguage(QStringLiteral("en"));
        turnEventLoop(500);
        photographer.takePlans(limitedStudy(), {});
    }
    photographer.takePlaces({});
    if (!launchingFeatures().launchesRanks)
        return 0;
    workbench.theme().setMode(ThemeMode::Light);
    workbench.window().resize(1280, 720);
    workbench.runs().start(sharedStudy());
    workbench.window().showPage(QStringLiteral("live"));
    waitUntil([&] { return workbench.runs().state() == RunState::Running; }, 60'000);
    turnEventLoop(2000);
    photographer.take(QStringLiteral("live-ranks-running-light-1280"));
    if (!ends())
        return 1;
    const QString study = workbench.runs().currentStudy();
    photographer.takeRanks(sharedStudy(), study, {});
    workbench.setLanguage(QStringLiteral("zh_CN"));
    turnEventLoop(500);
    photographer.takeRanks(sharedStudy(), study, QStringLiteral("-zh"));
    photographer.takePlaces(QStringLiteral("-zh"));
    return 0;
}
