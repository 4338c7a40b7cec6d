// SPDX-License-Identifier: GPL-3.0-or-later
// What Set up makes only when it is opened, the fields under "More" and the lists of its choices, and how wide fields
// are.
#include "tests/widgets/screenshot.h"
#include "tests/widgets/setup_form.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/pages/setup/setup_sections.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QtTest>

namespace test_setup_more {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupMore : public QObject, protected SetupForm {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { useTheme(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void aSettingIsMadeWhenItIsOpened() {
        QVERIFY(!m_page->findChild<QWidget*>(QStringLiteral("setup.optimizer.weight_decay")));
        QVERIFY(shows("setup.section.optimizer.more"));
        m_page->focusSetting(QStringLiteral("optimizer.weight_decay"));
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>("setup.optimizer.weight_decay"));
        QVERIFY(!m_page->findChild<QWidget*>(QStringLiteral("setup.device.threads"))); // of another section
    }

    void aSettingThatWasChangedBeforeShowsItsValue() {
        auto experiment = m_page->experiment();
        experiment.run.data.trainLimit = 1000;
        m_page->setExperiment(experiment);
        QCOMPARE(find<QToolButton>("setup.section.data.more")->text(), QStringLiteral("More · 1 changed"));
        click("setup.section.data.more");
        QCOMPARE(find<NumberBox>("setup.data.train_limit")->integer(), std::optional<std::int64_t>(1000));
        QVERIFY(shows("setup.data.train_limit.changed"));
        click("setup.section.data.reset");
        QCOMPARE(find<NumberBox>("setup.data.train_limit")->integer(), std::optional<std::int64_t>(0));
    }

    /// As NumberBox reads them: where people write 0,5, that is one number.
    void listsHaveTheDecimalsOfTheLocale() {
        auto experiment = m_page->experiment();
        experiment.run.loss.classWeights = {2.125, 1.0};
        QLocale::setDefault(QLocale(QLocale::English, QLocale::Germany));
        m_page->setExperiment(experiment);
        m_page->focusSetting(QStringLiteral("loss.class_weights"));
        auto* edit = find<QLineEdit>("setup.loss.class_weights");
        QCOMPARE(edit->text(), QStringLiteral("2,125; 1"));
        const auto weights = [this] { return m_page->experiment().run.loss.classWeights; };
        for (const char* typed : {"0,5 1,5", "0,5; 1,5", "0,5, 1,5", "0.5, 1.5"}) {
            m_page->setExperiment(experiment);
            type("setup.loss.class_weights", QLatin1String(typed));
            QVERIFY2((weights() == std::vector<double>{0.5, 1.5}), typed);
        }
        m_page->setExperiment(experiment);
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_End);
        QTest::keyClicks(edit, QStringLiteral("; 3"));
        QVERIFY((weights() == std::vector<double>{2.125, 1.0, 3.0}));
        experiment.study.seeds = {5};
        m_page->setExperiment(experiment);
        type("setup.study.seeds", QStringLiteral("0,1,2")); // whole numbers have no decimals
        QVERIFY((m_page->experiment().study.seeds == std::vector<std::int64_t>{0, 1, 2}));
        QLocale::setDefault(QLocale::c());
        type("setup.loss.class_weights", QStringLiteral("0.5,1.5"));
        QVERIFY((weights() == std::vector<double>{0.5, 1.5}));
    }

    void itLeavesTheHistoryAndFilesToThePage() {
        click("setup.section.data.more");
        type("setup.data.train_limit", QStringLiteral("1000"));
        QTest::keyClick(find<QWidget>("setup.data.train_limit"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_page->experiment().run.data.trainLimit, 0);
        QVERIFY(m_page->canRedo()); // the line edit's own history would have typed the old number anew
        click("setup.section.numerics.more");
        QTest::keyClick(find<QWidget>("setup.numerics.nonfinite"), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(m_page->experiment().run.data.trainLimit, 1000);
        QVERIFY(!find<QWidget>("setup.data.train_limit")->acceptDrops());
    }

    // A desktop in Chinese may write everything in a Chinese font, whose average letter is as wide as it is high.
    void aChineseFontLeavesTwoColumns() {
        const QString chinese = QStringLiteral("Noto Sans CJK SC");
        QVERIFY2(QFontDatabase::families().contains(chinese), "the Chinese font is not installed (fonts-noto-cjk)");
        auto* grid = m_page->findChild<FieldGrid*>();
        QFont font = grid->font();
        font.setFamilies({chinese});
        grid->setFont(font);
        constexpr int width = 672;                                                  // in a window of 1280 pixels
        QVERIFY(2 * 32 * QFontMetrics(font).averageCharWidth() + space::l > width); // the mutant: average letters
        grid->resize(width / 2, grid->height());
        grid->resize(width, grid->height());
        const auto* places = qobject_cast<QGridLayout*>(grid->layout());
        int row = 0, column = 0, rows = 0, columns = 0;
        const auto placeOf = [&](const QWidget* cell) {
            places->getItemPosition(places->indexOf(cell), &row, &column, &rows, &columns);
            return std::pair(row, column);
        };
        QCOMPARE(placeOf(grid->cells()[1]), std::pair(0, 1));
        QCOMPARE(placeOf(grid->cells()[2]), std::pair(1, 0));
    }

    // They take as much room as Qt's own policy, which makes the list of each choice before it is opened.
    void aChoiceIsAsWideAsSixLetters() {
        for (const char* name : {"setup.model.name", "setup.optimizer.name", "setup.train.length.unit"}) {
            const auto* combo = find<QComboBox>(name);
            QVERIFY(combo);
            QComboBox usual(combo->parentWidget());
            usual.addItem(QStringLiteral("a choice"));
            usual.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            usual.setMinimumContentsLength(6);
            QCOMPARE(combo->minimumSizeHint(), usual.minimumSizeHint());
            QCOMPARE(combo->sizeHint(), usual.sizeHint());
        }
    }
};

QTEST_MAIN(TestSetupMore)
} // namespace test_setup_more
#include "test_setup_more.moc"
