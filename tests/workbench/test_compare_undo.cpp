// SPDX-License-Identifier: GPL-3.0-or-later
// Undo of the menu on Compare: its own steps with their names, also in a window in another language, and none of them
// on other pages.
#include "tests/support/synthetic_library.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/compare/compare_page.h"

#include <QAction>

namespace test_compare_undo {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareUndo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theMenuTakesTheStepsOfThePage() {
        WorkbenchFixture fixture;
        const SyntheticRuns first = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        const SyntheticRuns second = addSyntheticStudy(fixture.library(), studyOf(differentCase())).value();
        const QList<QStringList> one{listOf(first.groupA), listOf(first.groupB)};
        const QList<QStringList> other{listOf(second.groupA), listOf(second.groupB)};
        auto* compare = fixture.window().findChild<ComparePage*>();
        fixture.window().showPage(QStringLiteral("compare"));
        compare->compareGroups(one[0], one[1]);
        compare->compareGroups(other[0], other[1]);
        auto* undo = fixture.find<QAction>("actionUndo");
        QTRY_COMPARE(undo->text(), QStringLiteral("&Undo: Compare a pair"));
        QVERIFY(undo->isEnabled());

        // Looking at a pair is no edit of the library.
        fixture.window().showPage(QStringLiteral("library"));
        QCOMPARE(undo->text(), QStringLiteral("&Undo"));
        QVERIFY(!undo->isEnabled());

        fixture.window().showPage(QStringLiteral("compare"));
        undo->trigger();
        QTRY_COMPARE(compare->comparedGroups(), one);
        auto* redo = fixture.find<QAction>("actionRedo");
        QCOMPARE(redo->text(), QStringLiteral("&Redo: Compare a pair"));
        redo->trigger();
        QTRY_COMPARE(compare->comparedGroups(), other);

        fixture.setLanguage(QStringLiteral("zh_CN"));
        compare = fixture.window().findChild<ComparePage*>();
        QTRY_COMPARE_WITH_TIMEOUT(compare->comparedGroups(), other, patience);
        undo = fixture.find<QAction>("actionUndo");
        QTRY_VERIFY_WITH_TIMEOUT(undo->isEnabled(), patience);
        undo->trigger();
        QTRY_COMPARE(compare->comparedGroups(), one);
    }
};

QTEST_MAIN(TestCompareUndo)
} // namespace test_compare_undo
#include "test_compare_undo.moc"
