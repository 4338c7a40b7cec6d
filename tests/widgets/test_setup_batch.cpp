// SPDX-License-Identifier: GPL-3.0-or-later
// The batch in the form of Set up: what is computed and repaired while a person types, ramps and devices, learning
// rates for another batch, and room for all of it.
#include "tests/support/numeric.h"
#include "tests/widgets/screenshot.h"
#include "tests/widgets/setup_form.h"
#include "widgets/pages/setup/batch_triple.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/pages/setup/setup_sections.h"
#include "widgets/style/number_box.h"

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QtTest>

namespace test_setup_batch {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupBatch : public QObject, protected SetupForm {
    Q_OBJECT
private:
    /// Chosen by keyboard.
    void compute(BatchTriple::Factor factor) {
        auto* choice = find<QComboBox>("setup.batch.computed");
        choice->setFocus();
        for (int way = choice->findData(factor) - choice->currentIndex(); way != 0; way += way > 0 ? -1 : 1)
            QTest::keyClick(choice, way > 0 ? Qt::Key_Down : Qt::Key_Up);
    }

private Q_SLOTS:
    void initTestCase() { useTheme(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void aRampIsTypedAndSaid() {
        type("setup.batch.ramp", QStringLiteral("300: 512"));
        QCOMPARE(
            text("setup.batch.line"),
            QStringLiteral("micro-batch 32 × accumulation 8 × 1 device = 256 samples per update, from update 300 on "
                           "32 × 16 = 512"));
        QCOMPARE(text("setup.epoch.line"), QStringLiteral("235 update(s) in the first epoch"));
        QCOMPARE(text("setup.summary.batch").replace(QChar(0x00A0), QLatin1Char(' ')),
                 QStringLiteral("32 × 8 = 256 → 512 and 256 × 1 → 512 × 1"));
        QVERIFY(find<QWidget>("setup.batch.laterBar")->accessibleName().contains(QStringLiteral("512 samples in 16")));
        // The first epoch ends with the batch of the ramp.
        type("setup.batch.ramp", QStringLiteral("100: 64"));
        QCOMPARE(text("setup.epoch.line"), QStringLiteral("641 update(s) in the first epoch"));
        QVERIFY2(text("setup.finding.B04").contains(QStringLiteral("32 of 64 samples")),
                 qPrintable(text("setup.finding.B04")));
        type("setup.batch.ramp", QStringLiteral("300: 5"));
        QVERIFY(!startEnabled()); // 5 is no multiple of 32
        type("setup.batch.ramp", QStringLiteral("300"));
        QVERIFY(shows("setup.batch.ramp.problem"));
    }

    void tabPassesOverWhatIsComputed() {
        find<QWidget>("setup.batch.micro")->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("setup.batch.devices"));
        compute(BatchTriple::Micro);
        find<QWidget>("setup.batch.steps")->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
        QVERIFY(QApplication::focusWidget()->objectName() != QLatin1String("setup.batch.micro"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("setup.batch.steps"));
    }

    // A3, by keyboard.
    void effectiveBatchIsDerivedAndRepaired() {
        type("setup.batch.micro", QStringLiteral("32"));
        type("setup.batch.effective", QStringLiteral("256"));
        QCOMPARE(text("setup.batch.line"),
                 QStringLiteral("micro-batch 32 × accumulation 8 × 1 device = 256 samples per update"));
        QCOMPARE(text("setup.epoch.line"), QStringLiteral("235 update(s) per epoch, last window 96 samples"));
        auto* steps = find<NumberBox>("setup.batch.steps");
        QCOMPARE(steps->text(), QStringLiteral("8"));
        QVERIFY(steps->isReadOnly());
        QVERIFY(steps->accessibleName().contains(QStringLiteral("computed")));
        QVERIFY(shows("setup.batch.steps.computed"));
        QVERIFY(!shows("setup.batch.micro.computed"));
        QVERIFY(startEnabled());

        type("setup.batch.effective", QStringLiteral("250"));
        // At once: nothing here waits for a timer.
        QVERIFY(shows("setup.finding.B01"));
        QVERIFY(text("setup.finding.B01").contains(QStringLiteral("250")));
        QVERIFY(text("setup.finding.B01").contains(QStringLiteral("32")));
        QVERIFY(shows("setup.summary.B01"));
        QVERIFY(!startEnabled());
        QVERIFY(!m_page->canStart());
        QCOMPARE(find<QPushButton>("setup.finding.B01.use-upper")->text(), QStringLiteral("Use 256"));
        QCOMPARE(find<QPushButton>("setup.finding.B01.use-lower")->text(), QStringLiteral("Use 224"));

        QTest::keyClick(find<QPushButton>("setup.finding.B01.use-upper"), Qt::Key_Space);
        QVERIFY(!shows("setup.finding.B01"));
        QVERIFY(startEnabled());
        QCOMPARE(text("setup.batch.line"),
                 QStringLiteral("micro-batch 32 × accumulation 8 × 1 device = 256 samples per update"));
        QCOMPARE(find<NumberBox>("setup.batch.effective")->text(), QStringLiteral("256"));
    }

    // Two devices take half of the micro-steps each; what ranks do then appears.
    void devicesAreTyped() {
        QVERIFY(!shows("setup.parallel.mode") && !shows("setup.parallel.order"));
        type("setup.batch.effective", QStringLiteral("256"));
        type("setup.batch.devices", QStringLiteral("2"));
        QCOMPARE(m_page->experiment().run.batch.devices, std::int64_t{2});
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("4"));
        QCOMPARE(text("setup.batch.line"),
                 QStringLiteral("micro-batch 32 × accumulation 4 × 2 devices = 256 samples per update"));
        QVERIFY(shows("setup.parallel.mode") && shows("setup.parallel.order"));
        type("setup.batch.devices", QStringLiteral("0"));
        QVERIFY(shows("setup.batch.devices.problem"));
        QVERIFY(!startEnabled());
        QCOMPARE(m_page->experiment().run.batch.devices, std::int64_t{2});
        type("setup.batch.devices", QStringLiteral("3"));
        QVERIFY(!shows("setup.batch.devices.problem"));
        QVERIFY(shows("setup.finding.B01")); // 256 is no multiple of 96
        compute(BatchTriple::Effective);
        type("setup.batch.steps", QStringLiteral("4"));
        QCOMPARE(find<NumberBox>("setup.batch.effective")->text(), QStringLiteral("384"));
        m_page->undo();
        m_page->undo();
        QCOMPARE(m_page->experiment().run.batch.devices, std::int64_t{3});
        click("setup.section.batch.reset");
        QCOMPARE(m_page->experiment().run.batch.devices, std::int64_t{1});
        QCOMPARE(find<NumberBox>("setup.batch.devices")->text(), QStringLiteral("1"));
    }

    void raggedIsTheThirdWayOut() {
        type("setup.batch.effective", QStringLiteral("250"));
        click("setup.summary.B01.allow-ragged");
        QVERIFY(startEnabled());
        QCOMPARE(m_page->experiment().run.batch.effective, std::int64_t{250});
        QVERIFY(m_page->experiment().run.batch.ragged == RaggedPolicy::Weight);
        QCOMPARE(text("setup.batch.line"), QStringLiteral("micro-batch 32 × 7 and one of 26 = 250 samples per update"));
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("8"));
    }

    void anyOfTheThreeMayBeDerived() {
        compute(BatchTriple::Effective);
        QVERIFY(shows("setup.batch.effective.computed"));
        QVERIFY(!shows("setup.batch.steps.computed"));
        QVERIFY(find<NumberBox>("setup.batch.effective")->isReadOnly());
        QVERIFY(!find<NumberBox>("setup.batch.steps")->isReadOnly());
        type("setup.batch.steps", QStringLiteral("4"));
        QCOMPARE(find<NumberBox>("setup.batch.effective")->text(), QStringLiteral("128"));
        QCOMPARE(m_page->experiment().run.batch.effective, std::int64_t{0});
        QCOMPARE(text("setup.batch.line"),
                 QStringLiteral("micro-batch 32 × accumulation 4 × 1 device = 128 samples per update"));

        compute(BatchTriple::Micro);
        type("setup.batch.effective", QStringLiteral("512"));
        QCOMPARE(find<NumberBox>("setup.batch.micro")->text(), QStringLiteral("128"));
        QCOMPARE(m_page->experiment().run.batch.micro, std::int64_t{128});
        QVERIFY(startEnabled());
        // 514 is no multiple of 4: the check speaks, the typed 4 stays.
        type("setup.batch.effective", QStringLiteral("514"));
        QVERIFY(!startEnabled());
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("4"));
        type("setup.batch.effective", QStringLiteral("516"));
        QCOMPARE(find<NumberBox>("setup.batch.micro")->text(), QStringLiteral("129"));
        QVERIFY(startEnabled());
    }

    void batchLargerThanTheDataIsAnError() {
        type("setup.batch.effective", QStringLiteral("70016"));
        QVERIFY(shows("setup.finding.B02"));
        QVERIFY(!startEnabled());
        click("setup.finding.B02.use-training-set");
        QCOMPARE(m_page->experiment().run.batch.effective, mnistTrain);
        QVERIFY(startEnabled());
    }

    // O01: the learning rate belongs to the batch it was loaded with.
    void anotherBatchOffersLearningRates() {
        QVERIFY(!shows("setup.finding.O01"));
        type("setup.batch.effective", QStringLiteral("512"));
        QVERIFY(shows("setup.finding.O01"));
        QCOMPARE(text("setup.finding.O01"),
                 QStringLiteral("The learning rate was tuned for batch 256; the batch is now 512."));
        QVERIFY(startEnabled()); // advice, no error
        QCOMPARE(find<QPushButton>("setup.finding.O01.linear")->text(), QStringLiteral("Linear: 0.02"));
        click("setup.finding.O01.linear");
        QVERIFY(compareBits(m_page->experiment().run.optimizer.lr, 0.02));
        QVERIFY(!shows("setup.finding.O01"));
        m_page->undo();
        QVERIFY(compareBits(m_page->experiment().run.optimizer.lr, 0.01));
        QVERIFY(shows("setup.finding.O01"));
        click("setup.finding.O01.keep-lr"); // 0.01, tuned for 256, is good for 512 as well
        QVERIFY(!shows("setup.finding.O01"));
        QCOMPARE(m_page->experiment().run.batch.effective, std::int64_t{512});
        type("setup.batch.effective", QStringLiteral("256")); // what it was tuned for
        QVERIFY(!shows("setup.finding.O01"));
        type("setup.batch.effective", QStringLiteral("1024"));
        QVERIFY(text("setup.finding.O01").contains(QStringLiteral("tuned for batch 256")));
        // What is loaded brings its own pair of batch and learning rate.
        auto experiment = m_page->experiment();
        experiment.run.batch.effective = 64;
        m_page->setExperiment(experiment);
        QVERIFY(!shows("setup.finding.O01"));
    }

    // What a window of 960 x 600 leaves for the page, and one of 1600 x 1000 with a font of 150 %.
    void theBatchIsNeverCut_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("font");
        QTest::newRow("960 x 600") << QSize(790, 520) << 1.0;
        QTest::newRow("150 %") << QSize(1340, 880) << 1.5;
    }
    void theBatchIsNeverCut() {
        QFETCH(QSize, size);
        QFETCH(double, font);
        const QFont before = qApp->font();
        QFont scaled = before;
        scaled.setPointSizeF(before.pointSizeF() * font);
        qApp->setFont(scaled);
        {
            Theme theme(*qApp);
            SetupPage page(Services{theme, *m_library, *m_runs, *m_session}, nullptr, m_machine.queries());
            page.resize(size);
            page.show();
            QVERIFY(QTest::qWaitForWindowExposed(&page));
            QTest::qWait(100);
            test::saveScreenshot(page, QStringLiteral("setup-small-%1").arg(font));
            auto* form = page.findChild<QScrollArea*>(QStringLiteral("setup.form"));
            QVERIFY2(
                form->widget()->width() <= form->viewport()->width(),
                qPrintable(QStringLiteral("%1 in %2").arg(form->widget()->width()).arg(form->viewport()->width())));
            for (const char* name :
                 {"setup.batch.micro", "setup.batch.steps", "setup.batch.devices", "setup.batch.effective"}) {
                const auto* box = page.findChild<QWidget*>(QLatin1String(name));
                const QRect area(box->mapTo(form->widget(), QPoint()), box->size());
                QVERIFY2(area.left() >= 0 && area.right() < form->viewport()->width(), name);
                QVERIFY2(box->width() >= box->minimumSizeHint().width(), name);
            }
            for (const char* name : {"setup.start", "setup.copy", "setup.experiment.load", "setup.undo"}) {
                const auto* widget = page.findChild<QWidget*>(QLatin1String(name));
                const QRect area(widget->mapTo(&page, QPoint()), widget->size());
                QVERIFY2(page.rect().contains(area), name);
                QVERIFY2(widget->width() >= widget->minimumSizeHint().width(), name);
            }
        }
        qApp->setFont(before);
    }
};

QTEST_MAIN(TestSetupBatch)
} // namespace test_setup_batch
#include "test_setup_batch.moc"
