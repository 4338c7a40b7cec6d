// SPDX-License-Identifier: GPL-3.0-or-later
// Set up while something cannot be used: figures that nobody can tell are dashes, a number of seeds that was meant
// otherwise, files that are no experiments, and a summary that shows whole checks in a low window.
#include "tests/widgets/setup_form.h"
#include "widgets/plots/plot_view.h"

#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QScrollArea>

namespace test_setup_refused {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupRefused : public QObject, protected SetupForm {
    Q_OBJECT
private:
    QString write(const QString& name, const QByteArray& content) {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qWarning("no file");
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase() { useTheme(); }
    void init() { openPage(); }
    void cleanup() { closePage(); }

    void whatFollowsFromARefusedBatchIsADash() {
        QVERIFY(shows("setup.summary.B04"));
        type("setup.batch.micro", QStringLiteral("abc"));
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QString());
        QCOMPARE(find<NumberBox>("setup.batch.steps")->findChild<QLineEdit*>()->placeholderText(), QStringLiteral("–"));
        QCOMPARE(text("setup.summary.updates"), QStringLiteral("–"));
        QVERIFY(!shows("setup.summary.B04") && !shows("setup.finding.B04")); // "96 of 256 samples"
        QVERIFY(shows("setup.summary.refused.batch.micro"));
        type("setup.batch.micro", QStringLiteral("16"));
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("16"));
        QVERIFY(shows("setup.summary.B04"));
    }

    void theFormerNumberIsKeptWhenAnotherIsComputed() {
        type("setup.batch.micro", QStringLiteral("abc"));
        auto* choice = find<QWidget>("setup.batch.computed");
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Up); // the micro-batch
        QCOMPARE(find<NumberBox>("setup.batch.steps")->text(), QStringLiteral("8"));
        QCOMPARE(find<NumberBox>("setup.batch.micro")->text(), QStringLiteral("32"));
    }

    void runsOfRefusedSeedsAreADash() {
        type("setup.study.seeds", QStringLiteral("three"));
        QCOMPARE(text("setup.summary.runs"), QStringLiteral("Number of runs: –"));
        QCOMPARE(text("setup.pair.line"), QStringLiteral("Number of runs: –"));
        QVERIFY(!shows("setup.summary.time"));
        QCOMPARE(text("setup.study.seeds.problem"),
                 QStringLiteral("Allowed: different whole numbers such as 0, 1, 2, each 0 to 4294967295"));
        QCOMPARE(text("setup.summary.updates"), QStringLiteral("705 per run"));
        type("setup.study.seeds", QStringLiteral("0, 1"));
        QCOMPARE(text("setup.summary.runs"), QStringLiteral("2 arm(s) × 2 seed(s) = 4 run(s)"));
        type("setup.train.length", QStringLiteral("long"));
        QCOMPARE(text("setup.summary.updates"), QStringLiteral("–"));
        QCOMPARE(text("setup.summary.samples"), QStringLiteral("–"));
    }

    /// The form still holds the value of before, which nobody sees.
    void whatIsRefusedGoesNowhere() {
        constexpr std::array takers{"setup.copy", "setup.experiment.save", "setupAudit", "setup.plan"};
        const auto refused = [&](const char* name) {
            const auto* button = find<QPushButton>(name);
            return !button->isEnabled() && button->toolTip().startsWith(QStringLiteral("Learning rate:"));
        };
        click("setup.presets");
        auto* dialog = m_page->findChild<QDialog*>(QStringLiteral("presetDialog"));
        QVERIFY(dialog);
        auto* savePreset = dialog->findChild<QPushButton*>(QStringLiteral("presets.save"));
        dialog->findChild<QLineEdit*>(QStringLiteral("presets.name"))->setText(QStringLiteral("mine"));
        QVERIFY(savePreset->isEnabled());
        type("setup.optimizer.lr", QStringLiteral("0,1e"));
        for (const char* name : takers)
            QVERIFY2(refused(name), name);
        QVERIFY(find<QPushButton>("setup.experiment.load")->isEnabled());
        QVERIFY(!savePreset->isEnabled());
        QApplication::clipboard()->clear();
        m_page->copyCommand();
        QVERIFY(QApplication::clipboard()->text().isEmpty());
        type("setup.optimizer.lr", QStringLiteral("0.1"));
        for (const char* name : takers)
            QVERIFY2(find<QPushButton>(name)->isEnabled(), name);
        QVERIFY(savePreset->isEnabled());
    }

    // Whoever types 3 may mean three seeds.
    void aSingleNumberIsSaidToBeOneSeed() {
        type("setup.study.seeds", QStringLiteral("3"));
        QVERIFY2(text("setup.finding.P01").contains(QStringLiteral("the seed with the number 3")),
                 qPrintable(text("setup.finding.P01")));
        QVERIFY(!shows("setup.study.seeds.five")); // the warning has that button
        QCOMPARE(find<QPushButton>("setup.finding.P01.five-seeds")->text(), QStringLiteral("Use 5 seeds"));
        QCOMPARE(find<QPushButton>("setup.finding.P01.that-many-seeds")->text(), QStringLiteral("Use 3 seeds"));
        click("setup.finding.P01.that-many-seeds");
        QCOMPARE(find<QLineEdit>("setup.study.seeds")->text(), QStringLiteral("0, 1, 2"));
        QVERIFY(shows("setup.study.seeds.five"));
        QCOMPARE(find<QPushButton>("setup.study.seeds.five")->text(), QStringLiteral("Use 5 seeds"));
        click("setup.study.seeds.five");
        QVERIFY(!shows("setup.study.seeds.five"));
        QCOMPARE(m_page->experiment().study.seeds.size(), std::size_t{5});
        type("setup.study.seeds", QStringLiteral("7000"));
        QVERIFY(!m_page->findChild<QPushButton*>(QStringLiteral("setup.finding.P01.that-many-seeds")));
    }

    void aFileThatIsNoExperimentIsToldSo_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("a list of things") << QByteArray("milk\nbread\n");
        QTest::newRow("settings of another program") << QByteArray("[owner]\nname = \"Ann\"\n");
    }
    void aFileThatIsNoExperimentIsToldSo() {
        QFETCH(QByteArray, content);
        const ExperimentConfig before = m_page->experiment();
        m_page->openFiles({write(QStringLiteral("other.toml"), content)});
        const auto* notice = find<QLabel>("noticeText");
        QTRY_VERIFY2(notice->text().startsWith(QStringLiteral("other.toml is not an Accumulus experiment.")),
                     qPrintable(notice->text()));
        QVERIFY(notice->text().endsWith(QStringLiteral("Nothing was changed.")));
        QVERIFY(m_page->experiment() == before);
    }

    // A box within the summary that scrolls by itself showed half a check, or none.
    void theSummaryScrollsAsAWhole() {
        type("setup.study.seeds", QStringLiteral("3"));
        const auto* area = find<QScrollArea>("setup.summary.area");
        QVERIFY(area->findChildren<QScrollArea*>().isEmpty());
        const auto seen = [](const QWidget* widget) {
            return widget->visibleRegion().boundingRect() == widget->rect();
        };
        m_page->resize(900, 480);
        // The checks come first where not all has room.
        QTRY_VERIFY(seen(find<QPushButton>("setup.summary.P01.five-seeds")));
        QVERIFY(!seen(find<QLabel>("setup.summary.updates")));
        auto* last = area->widget()->findChildren<QPushButton*>().back();
        last->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(seen(last));
        m_page->resize(1120, 900);
        QTRY_VERIFY(seen(find<QLabel>("setup.summary.updates")));
        QVERIFY(find<QLabel>("setup.summary.updates")->mapTo(m_page.get(), QPoint()).y() <
                find<QPushButton>("setup.summary.P01.five-seeds")->mapTo(m_page.get(), QPoint()).y());
    }
};

QTEST_MAIN(TestSetupRefused)
} // namespace test_setup_refused
#include "test_setup_refused.moc"
