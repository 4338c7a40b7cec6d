// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up page as a person uses it: an offscreen window, keys and clicks, controls found by their object names.
#include "core/config/config_fields.h"
#include "tests/support/numeric.h"
#include "tests/widgets/setup_form.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/pages/setup/setup_sections.h"
#include "widgets/style/number_box.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QProcess>
#include <QScrollArea>
#include <QToolButton>
#include <QtTest>

namespace test_setup_page {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupPage : public QObject, protected SetupForm {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { useTheme(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void settingsAppearWhereTheyApply() {
        const auto choose = [this](const char* name, const char* choice) {
            auto* combo = find<QComboBox>(name);
            const int index = combo->findData(QString::fromLatin1(choice));
            QVERIFY2(index >= 0, choice);
            combo->setCurrentIndex(index);
            Q_EMIT combo->activated(index);
        };
        for (const char* section : {"data", "batch", "plan", "numerics"})
            click(qPrintable(QStringLiteral("setup.section.%1.more").arg(QString::fromLatin1(section))));
        for (const char* name :
             {"setup.model.dropout", "setup.data.drop_last", "setup.data.augment", "setup.batch.ramp",
              "setup.batch.lean", "setup.numerics.accumulator", "setup.numerics.nonfinite", "setup.device.lanes",
              "setup.device.memory_limit", "setup.device.on_oom", "setup.probe.parameter"})
            QVERIFY2(shows(name), name);
        for (const char* name : {"setup.model.stem", "setup.model.norm", "setup.model.layers", "setup.data.block",
                                 "setup.numerics.batch_norm", "setup.numerics.ghost", "setup.numerics.loss_scale",
                                 "setup.data.drop_multiple", "setup.study.ghost"})
            QVERIFY2(!shows(name), name);
        choose("setup.model.name", "resnet18");
        for (const char* name : {"setup.model.stem", "setup.model.norm", "setup.numerics.batch_norm",
                                 "setup.numerics.ghost", "setup.numerics.channels_last", "setup.study.ghost"})
            QVERIFY2(shows(name), name);
        choose("setup.model.norm", "group"); // no layer mixes samples any more
        for (const char* name : {"setup.numerics.batch_norm", "setup.numerics.ghost", "setup.study.ghost"})
            QVERIFY2(!shows(name), name);
        choose("setup.data.dataset", "tinyshakespeare");
        choose("setup.model.name", "char-gpt");
        for (const char* name : {"setup.model.layers", "setup.model.heads", "setup.model.width", "setup.data.block"})
            QVERIFY2(shows(name), name);
        QVERIFY(!shows("setup.data.augment") && !shows("setup.data.resize"));
        QVERIFY(find<QWidget>("setup.data.block")->findChild<QLineEdit*>()); // with its unit inside
        choose("setup.numerics.precision", "fp16");
        QVERIFY(shows("setup.numerics.loss_scale"));
        click("setup.data.drop_last");
        QVERIFY(shows("setup.data.drop_multiple"));
        choose("setup.data.dataset", "textures-generated"); // drawn by the program: there is no folder
        QVERIFY(!shows("setup.data.path"));
    }

    void nonsenseIsRefusedInPlace() {
        type("setup.batch.micro", QStringLiteral("0"));
        QVERIFY(shows("setup.batch.micro.problem"));
        QVERIFY(!startEnabled());
        type("setup.batch.micro", QStringLiteral("16"));
        QVERIFY(!shows("setup.batch.micro.problem"));
        QVERIFY(startEnabled());
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("16"));
        // One refused number does not keep the others from counting.
        type("setup.batch.micro", QStringLiteral("x"));
        type("setup.batch.effective", QStringLiteral("512"));
        QCOMPARE(m_page->experiment().run.batch.effective, std::int64_t{512});
        QCOMPARE(m_page->experiment().run.batch.micro, std::int64_t{16});
        QVERIFY(!startEnabled());
        type("setup.batch.micro", QStringLiteral("16"));
        QVERIFY(startEnabled());
        type("setup.optimizer.lr", QStringLiteral("0"));
        QVERIFY(shows("setup.optimizer.lr.problem"));
        QVERIFY(!startEnabled());
        QTest::keyClick(find<QWidget>("setup.optimizer.lr"), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(startEnabled());
        QCOMPARE(find<NumberBox>("setup.optimizer.lr")->text(), QStringLiteral("0.01"));
    }

    void warmupLongerThanTheRunIsAnError() {
        type("setup.train.length", QStringLiteral("5"));
        type("setup.schedule.warmup", QStringLiteral("2000"));
        QVERIFY(shows("setup.finding.O02"));
        QVERIFY(text("setup.finding.O02").contains(QStringLiteral("1175")));
        QVERIFY(!startEnabled());
        click("setup.finding.O02.warmup-5-percent");
        QVERIFY(startEnabled());
        QCOMPARE(find<QLineEdit>("setup.study.seeds")->text(), QStringLiteral("0, 1, 2, 3, 4"));
    }

    void pairSwitchCountsTheRuns() {
        QCOMPARE(text("setup.pair.line"), QStringLiteral("2 arm(s) × 5 seed(s) = 10 run(s)"));
        click("setup.study.large_batch");
        QCOMPARE(text("setup.pair.line"), QStringLiteral("1 arm(s) × 5 seed(s) = 5 run(s)"));
        click("setup.study.large_batch");
        type("setup.study.seeds", QStringLiteral("3"));
        QCOMPARE(text("setup.summary.runs"), QStringLiteral("2 arm(s) × 1 seed(s) = 2 run(s)"));
        QVERIFY(shows("setup.finding.P01"));
        QVERIFY(startEnabled()); // a warning only
        click("setup.finding.P01.five-seeds");
        QVERIFY(!shows("setup.finding.P01"));
        QVERIFY((m_page->experiment().study.seeds == std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    }

    void undoGoesBackThroughFieldsByKeyboard() {
        type("setup.batch.micro", QStringLiteral("16"));
        type("setup.optimizer.lr", QStringLiteral("0.05"));
        QVERIFY(find<QToolButton>("setup.undo")->isEnabled());
        auto* lr = find<QWidget>("setup.optimizer.lr");
        QTest::keyClick(lr, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(find<NumberBox>("setup.optimizer.lr")->text(), QStringLiteral("0.01"));
        QCOMPARE(find<NumberBox>("setup.batch.micro")->text(), QStringLiteral("16"));
        QTest::keyClick(find<QWidget>("setup.study.name"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(find<NumberBox>("setup.batch.micro")->text(), QStringLiteral("32"));
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("8"));
        QVERIFY(!find<QToolButton>("setup.undo")->isEnabled());
        QTest::keyClick(m_page.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(find<NumberBox>("setup.batch.micro")->text(), QStringLiteral("16"));
        click("setup.redo");
        QVERIFY(compareAbs(m_page->experiment().run.optimizer.lr, 0.05, 0.0));
    }

    void sectionsResetAlone() {
        type("setup.optimizer.lr", QStringLiteral("0.5"));
        type("setup.batch.micro", QStringLiteral("64"));
        QVERIFY(!find<QToolButton>("setup.section.numerics.reset")->isEnabled());
        click("setup.section.batch.reset");
        QCOMPARE(m_page->experiment().run.batch.micro, std::int64_t{32});
        QVERIFY(compareAbs(m_page->experiment().run.optimizer.lr, 0.5, 0.0));
        QTest::keyClick(m_page.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_page->experiment().run.batch.micro, std::int64_t{64});
    }

    void everySettingCanBeReached() {
        QStringList listed;
        for (const SectionPlan& plan : sectionPlans()) {
            find<QToolButton>(qPrintable(QStringLiteral("setup.section.%1.more").arg(plan.id)))->click();
            for (const auto* keys : {&plan.basic, &plan.more, &plan.own})
                for (const std::string& key : *keys)
                    listed << QString::fromStdString(key);
        }
        QCOMPARE(listed.removeDuplicates(), qsizetype{0});
        for (const ConfigField& field : configFields()) {
            QVERIFY2(listed.contains(QString::fromStdString(field.key)), field.key.c_str());
            auto* control = find<QWidget>(("setup." + field.key).c_str());
            QVERIFY2(control, field.key.c_str());
            QVERIFY2(!control->accessibleName().isEmpty(), field.key.c_str());
            QVERIFY2(!control->toolTip().isEmpty(), field.key.c_str());
            QCOMPARE(control->isVisible(), field.applies(m_page->experiment()));
        }
        // What does not matter is not shown, and comes when it does.
        QVERIFY(!shows("setup.optimizer.beta1"));
        auto experiment = m_page->experiment();
        experiment.run.optimizer.name = OptimizerKind::Adam;
        m_page->setExperiment(experiment);
        QVERIFY(shows("setup.optimizer.beta1"));
        QVERIFY(!shows("setup.optimizer.momentum"));
    }

    void anErrorUnderMoreOpensIt() {
        QVERIFY(!shows("setup.data.resize"));
        auto experiment = m_page->experiment();
        experiment.run.data.resize = 20; // not a size LeNet-5 takes
        m_page->setExperiment(experiment);
        QVERIFY(!startEnabled());
        QVERIFY(shows("setup.data.resize"));
        QVERIFY(shows("setup.finding.D02"));
    }

    void copiedCommandGivesTheSameRuns() {
        type("setup.optimizer.lr", QStringLiteral("0.05"));
        type("setup.study.name", QStringLiteral("it's \"mine\" $HOME"));
        click("setup.section.data.more");
        type("setup.data.train_limit", QStringLiteral("1000"));
        type("setup.batch.effective", QStringLiteral("128"));
        click("setup.copy");
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("accumulus-cli run")), qPrintable(command));
        // A real shell takes it apart.
        QProcess shell;
        shell.start(
            QStringLiteral("/bin/sh"),
            {QStringLiteral("-c"),
             QStringLiteral("for a in %1; do printf '%s\\n' \"$a\"; done").replace(QStringLiteral("%1"), command)});
        QVERIFY(shell.waitForFinished());
        const QStringList words = QString::fromUtf8(shell.readAllStandardOutput()).split(QLatin1Char('\n'));
        ExperimentConfig again;
        for (qsizetype i = 0; i + 1 < words.size(); ++i)
            if (words[i] == QStringLiteral("--set"))
                QVERIFY2(applyAssignment(again, words[i + 1].toStdString()), qPrintable(words[i + 1]));
        const ExperimentConfig shown = m_page->experiment();
        QVERIFY(again == shown);
        QCOMPARE(configHash(again.run, 3), configHash(shown.run, 3));
        QVERIFY(configHash(ExperimentConfig{}.run, 3) != configHash(shown.run, 3));
    }

    void presetsGoOutAndIn() {
        type("setup.optimizer.lr", QStringLiteral("0.05"));
        const ExperimentConfig wanted = m_page->experiment();
        const std::filesystem::path file = m_folder->filePath(QStringLiteral("p.toml")).toStdString();
        QVERIFY(m_page->saveExperiment(file));
        type("setup.optimizer.lr", QStringLiteral("0.5"));
        QVERIFY(m_page->loadExperiment(file));
        QVERIFY(m_page->experiment() == wanted);
        QCOMPARE(find<NumberBox>("setup.optimizer.lr")->text(), QStringLiteral("0.05"));
        const Status missing = m_page->loadExperiment(file.string() + ".none");
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, std::string("config.file"));
    }

    void f5StartsOnlyWhatIsRight() {
        QSignalSpy started(m_page.get(), &SetupPage::startRequested);
        QTest::keyClick(find<QWidget>("setup.batch.effective"), Qt::Key_F5);
        QCOMPARE(started.count(), 1);
        QVERIFY(started.front().front().value<ExperimentConfig>() == m_page->experiment());
        type("setup.batch.effective", QStringLiteral("250"));
        QTest::keyClick(find<QWidget>("setup.batch.effective"), Qt::Key_F5);
        QCOMPARE(started.count(), 1);
        type("setup.batch.effective", QStringLiteral("256"));
        click("setup.start");
        QCOMPARE(started.count(), 2);
    }

    void decimalsOfEveryLanguage_data() {
        QTest::addColumn<QString>("locale");
        QTest::newRow("German") << QStringLiteral("de_DE");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void decimalsOfEveryLanguage() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        for (const QString& typed : {QStringLiteral("0,05"), QStringLiteral("0.05")}) {
            type("setup.optimizer.lr", typed);
            QVERIFY(compareAbs(m_page->experiment().run.optimizer.lr, 0.05, 0.0));
            QVERIFY(startEnabled());
        }
        auto experiment = m_page->experiment();
        experiment.run.optimizer.lr = 0.125;
        m_page->setExperiment(experiment);
        const QString shown = find<NumberBox>("setup.optimizer.lr")->text();
        QCOMPARE(shown, locale == QStringLiteral("de_DE") ? QStringLiteral("0,125") : QStringLiteral("0.125"));
        // Typing what is shown changes nothing.
        type("setup.optimizer.lr", shown);
        QVERIFY(compareAbs(m_page->experiment().run.optimizer.lr, 0.125, 0.0));
    }

    void tabWalksTheFormInReadingOrder() {
        find<QWidget>("setup.data.dataset")->setFocus();
        QStringList order;
        for (int i = 0; i < 200; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            const QString name = QApplication::focusWidget()->objectName();
            if (order.contains(name))
                break;
            order << name;
        }
        const char* const wanted[] = {"setup.model.name",
                                      "setup.data.path",
                                      "setup.batch.micro",
                                      "setup.batch.devices",
                                      "setup.batch.effective",
                                      "setup.batch.tail",
                                      "setup.optimizer.name",
                                      "setup.optimizer.lr",
                                      "setup.study.large_batch",
                                      "setup.train.length",
                                      "setup.study.seeds",
                                      "setup.numerics.precision",
                                      "setup.start",
                                      "setup.copy"};
        qsizetype last = -1;
        for (const char* name : wanted) {
            const qsizetype position = order.indexOf(QLatin1String(name));
            QVERIFY2(position > last,
                     qPrintable(QLatin1String(name) + QStringLiteral(" in ") + order.join(QLatin1Char(' '))));
            last = position;
        }
    }

    void whatCannotBeStoredStandsInTheChecks() {
        type("setup.batch.micro", QStringLiteral("3.7"));
        QVERIFY(!startEnabled());
        QVERIFY(shows("setup.summary.refused.batch.micro"));
        QVERIFY(text("setup.summary.refused.batch.micro").contains(QStringLiteral("A whole number from 1")));
        // The 3 of before is drawn nowhere.
        QCOMPARE(text("setup.batch.line"), QStringLiteral("These numbers do not form a valid batch yet."));
        QVERIFY(find<QWidget>("setup.batch.bar")->accessibleName().contains(QStringLiteral("nothing set")));
        find<QWidget>("setup.data.dataset")->setFocus();
        click("setup.summary.refused.batch.micro.show-field");
        QVERIFY(find<NumberBox>("setup.batch.micro")->hasFocus());
        type("setup.batch.micro", QStringLiteral("16"));
        QVERIFY(!shows("setup.summary.refused.batch.micro"));
        QVERIFY(startEnabled());
    }

    void undoWorksFromAComboBox() {
        type("setup.batch.micro", QStringLiteral("16"));
        auto* model = find<QComboBox>("setup.model.name");
        model->setFocus();
        QTest::keyClick(model, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_page->experiment().run.batch.micro, std::int64_t{32});
        QTest::keyClick(model, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_page->experiment().run.batch.micro, std::int64_t{16});
    }

    void batchNormThatIsKeptIsNoWarningAnyMore() {
        ExperimentConfig experiment;
        experiment.run.model.name = "resnet18";
        m_page->setExperiment(experiment);
        QVERIFY(text("setup.summary.B03").endsWith(QStringLiteral("Arms will differ by design.")));
        click("setup.summary.B03.keep-norm");
        QVERIFY(text("setup.summary.B03").contains(QStringLiteral("It is kept")));
        QVERIFY(!m_page->findChild<QPushButton*>(QStringLiteral("setup.summary.B03.keep-norm")));
        QVERIFY(find<QPushButton>("setup.summary.B03.norm-group")); // the others are still to be had
        QVERIFY(m_page->experiment() == experiment);
        experiment.run.batch.micro /= 2; // the same network
        m_page->setExperiment(experiment);
        QVERIFY(text("setup.summary.B03").contains(QStringLiteral("It is kept")));
        experiment.run.model.name = "resnet50";
        m_page->setExperiment(experiment);
        QVERIFY(find<QPushButton>("setup.summary.B03.keep-norm"));
    }

    void undoIsLeftToTheWindowWhereTheFormHasNone() {
        const auto takes = [this](const char* name, Qt::KeyboardModifiers keys) {
            QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_Z, keys);
            key.ignore();
            QApplication::sendEvent(name ? find<QWidget>(name) : m_page.get(), &key);
            return key.isAccepted();
        };
        const char* const places[] = {nullptr, "setup.model.name", "setup.batch.micro", "setup.data.path"};
        QVERIFY(!m_page->canUndo() && !m_page->canRedo());
        for (const char* place : places)
            QVERIFY2(!takes(place, Qt::ControlModifier), place ? place : "the page");
        QSignalSpy told(m_page.get(), &SetupPage::historyChanged);
        type("setup.batch.micro", QStringLiteral("16"));
        QVERIFY(!told.isEmpty() && m_page->canUndo() && !m_page->canRedo());
        for (const char* place : places)
            QVERIFY2(takes(place, Qt::ControlModifier), place ? place : "the page");
        while (m_page->canUndo())
            m_page->undo();
        QVERIFY(m_page->canRedo());
        for (const char* place : places)
            QVERIFY2(!takes(place, Qt::ControlModifier) && takes(place, Qt::ControlModifier | Qt::ShiftModifier),
                     place ? place : "the page");
    }

    void theWheelChangesNoFieldWithTheFocus() {
        for (const char* name : {"setup.batch.micro", "setup.model.name"}) {
            auto* field = find<QWidget>(name);
            field->setFocus();
            const ExperimentConfig before = m_page->experiment();
            const QPointF at = QRectF(field->rect()).center();
            QWheelEvent wheel(at, field->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(field, &wheel);
            QVERIFY(m_page->experiment() == before);
            QVERIFY2(!wheel.isAccepted(), name); // it scrolls the page
        }
    }

    void nothingIsCutInASmallWindow() {
        const auto* form = find<QScrollArea>("setup.form");
        for (const QSize size : {QSize(1090, 600), QSize(780, 520)}) { // the page of 1280 x 720, and of 960 x 600
            m_page->resize(size);
            QTRY_COMPARE(m_page->size(), size);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            QVERIFY(size.width() < 1090 || form->widget()->width() <= form->viewport()->width());
            for (const char* name : {"setup.start", "setup.enqueue", "setup.copy", "setup.experiment.save",
                                     "setup.experiment.load", "setup.undo"}) {
                const auto* widget = find<QWidget>(name);
                const QRect area(widget->mapTo(m_page.get(), QPoint()), widget->size());
                QVERIFY2(m_page->rect().contains(area), name);
                QVERIFY2(widget->width() >= widget->minimumSizeHint().width(), name);
            }
        }
    }
};

QTEST_MAIN(TestSetupPage)
} // namespace test_setup_page
#include "test_setup_page.moc"
