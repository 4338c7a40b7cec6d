// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/workbench/photographer.h"

#include "app/workbench/manual.h"
#include "app/workbench/page_table.h"
#include "core/config/config_fields.h"
#include "core/config/model_rows.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/planner/planner_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/pages/setup/setup_sections.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <cstdio>
#include <functional>
#include <utility>

namespace accumulus::ui {

namespace {

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

} // namespace

void Photographer::takeAll(const QString& content, const QString& language) {
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

void Photographer::takeDetails(const QString& ending) {
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

void Photographer::takeRanks(const ExperimentConfig& experiment, const QString& study, const QString& ending) {
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

void Photographer::takeAudits(const QString& ending) {
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

void Photographer::audit(const std::function<void()>& begin) {
    bool ended = false;
    MainWindow& window = m_workbench.window();
    const auto shown =
        QObject::connect(window.findChild<AuditPage*>(), &AuditPage::auditShown, &window, [&ended] { ended = true; });
    begin();
    waitUntil([&] { return ended; }, 300'000, "the end of the audit");
    QObject::disconnect(shown);
}

void Photographer::takePlaces(const QString& ending) {
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

void Photographer::takeFiles(const QDir& made, const QString& ending) {
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

void Photographer::takeManual(const QString& look) {
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

void Photographer::takePlans(const ExperimentConfig& experiment, const QString& ending) {
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
            300'000, "rows of the planner");
        turnEventLoop(1200);
        take(QStringLiteral("planner-running-light-1280%1").arg(ending));
        waitUntil([&] { return !planner->busy(); }, 300'000, "the end of the planner's measurements");
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

void Photographer::take(const QString& name) {
    const QString file = m_folder.filePath(name + QStringLiteral(".png"));
    if (!m_workbench.window().grab().save(file))
        std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
}

} // namespace accumulus::ui
