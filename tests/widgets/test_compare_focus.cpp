// SPDX-License-Identifier: GPL-3.0-or-later
// What is in front of a person once a pair is chosen: the keyboard at the list of pairs, whose next one is a key away,
// and the verdict of another pair at the top.
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/saved_comparisons.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

namespace test_compare_focus {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareFocus : public QObject, protected SavedComparisons {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    void theListOfPairsTakesTheFocus_data() {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("key") << true;
        QTest::newRow("mouse") << false;
    }
    void theListOfPairsTakesTheFocus() {
        QFETCH(const bool, byKey);
        start();
        m_fixture->add(studyOf(equivalentCase()));
        SyntheticStudy other = studyOf(differentCase());
        other.learningRate = 0.1; // another family: no partner of the first
        other.createdAt += 1000.0;
        m_fixture->add(other);
        auto* button = child<QPushButton>(*child<EmptyState>(*m_page, "compare.empty"), "emptyStateAction");
        QTRY_COMPARE(button->text(), QString("Suggest pairs (2 found)"));
        if (byKey) {
            button->setFocus();
            QTest::keyClick(button, Qt::Key_Space);
        } else {
            QTest::mouseClick(button, Qt::LeftButton);
        }
        QVERIFY(waitUntilShown(5));
        auto* pairs = child<QComboBox>(*m_page, "compare.pairs");
        QTRY_VERIFY2(pairs->currentText().startsWith("shifted"), qPrintable(pairs->currentText()));
        QVERIFY2(pairs->hasFocus(),
                 qPrintable(m_page->focusWidget() ? m_page->focusWidget()->objectName() : QString("none")));
        QTest::keyClick(m_page->focusWidget(), Qt::Key_Down); // the next pair
        QTRY_COMPARE(text("compare.verdictWord"), QString("Equivalent within ±1 points"));
        QVERIFY(pairs->hasFocus());
    }

    void anotherPairIsShownFromTheTop() {
        start();
        const SyntheticRuns first = m_fixture->add(studyOf(equivalentCase()));
        const SyntheticRuns second = m_fixture->add(studyOf(differentCase()));
        m_page->compareStudy(QString::fromStdString(first.study));
        QVERIFY(waitUntilShown(5));
        QScrollBar* bar = child<QScrollArea>(*m_page, "compare.scroll")->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 200);
        bar->setValue(200);
        const QString word = text("compare.verdictWord");
        QTRY_VERIFY(m_fixture->services().library.idle());
        QSignalSpy again(child<QTableView>(*m_page, "compare.seedTable")->model(), &QAbstractItemModel::dataChanged);
        m_page->compareStudy(QString::fromStdString(first.study)); // the same, read again
        QTRY_VERIFY(!again.isEmpty() && m_fixture->services().library.idle());
        QCOMPARE(bar->value(), 200);
        m_page->compareStudy(QString::fromStdString(second.study));
        QTRY_VERIFY(text("compare.verdictWord") != word);
        QCOMPARE(bar->value(), 0);
    }
};

QTEST_MAIN(TestCompareFocus)
} // namespace test_compare_focus
#include "test_compare_focus.moc"
