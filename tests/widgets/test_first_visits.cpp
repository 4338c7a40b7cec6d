// SPDX-License-Identifier: GPL-3.0-or-later
// What Compare and Reports say before the library has answered: nothing that may be false.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/style/controls.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>

namespace test_first_visits {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QString wordsOf(const QWidget& widget) {
    QStringList words;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        words << label->text();
    return words.join(QLatin1Char('\n'));
}

} // namespace

class TestFirstVisits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void compareClaimsNothing() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        fixture.add(studyOf(equivalentCase()));
        ComparePage page(fixture.services());
        const auto* empty = child<EmptyState>(page, "compare.empty");
        const auto* button = child<QPushButton>(*empty, "emptyStateAction");
        page.show();
        page.activated();
        QVERIFY2(!wordsOf(*empty).contains("no such pair"), qPrintable(wordsOf(*empty)));
        QVERIFY(button->isHidden());
        QTRY_VERIFY(button->text().contains("1 found"));
        QVERIFY(!button->isHidden());

        // Another library: it may have pairs as well.
        QVERIFY(fixture.services().library.open(fixture.path("empty.sqlite").toStdString()));
        QVERIFY(!wordsOf(*empty).contains("no such pair"));
        QVERIFY(button->isHidden());
        QTRY_VERIFY(wordsOf(*empty).contains("no such pair"));
    }

    void reportsForgetsTheFormerLibrary() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        fixture.add(studyOf(equivalentCase()));
        ReportsPage page(fixture.services());
        page.show();
        page.activated();
        const auto* list = child<QListWidget>(page, "reports.list");
        const auto* empty = child<EmptyState>(page, "reports.empty");
        QVERIFY(empty->isHidden());
        QTRY_VERIFY(list->count() > 0);
        QVERIFY(fixture.services().library.open(fixture.path("empty.sqlite").toStdString()));
        QCOMPARE(list->count(), 0);
        QVERIFY(empty->isHidden());
        QTRY_VERIFY(!empty->isHidden());
    }
};

QTEST_MAIN(TestFirstVisits)
} // namespace test_first_visits
#include "test_first_visits.moc"
