// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/home/home_page.h"

#include "tests/widgets/page_fixture.h"

#include <QTableWidget>

using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestHomePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void aStudyShowsTheBestOfItsMetric();
};

void TestHomePage::aStudyShowsTheBestOfItsMetric() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    SyntheticStudy errors = studyOf(equivalentCase());
    errors.name = "errors";
    errors.loss = LossKind::Mse;
    errors.finalB[2] = 0.125; // the smallest error is the best
    errors.createdAt += 1000.0;
    fixture.add(errors);
    SyntheticStudy accuracies = studyOf(equivalentCase());
    accuracies.finalB[2] = 0.99;
    fixture.add(accuracies);

    HomePage page(fixture.services());
    page.activated();
    const auto* recent = child<QTableWidget>(page, "homeRecent");
    QTRY_COMPARE(recent->rowCount(), 2);
    QCOMPARE(recent->horizontalHeaderItem(2)->text(), QStringLiteral("Best result"));
    QCOMPARE(recent->item(0, 2)->text(), QStringLiteral("RMSE") + QChar(0x00A0) + QStringLiteral("0.1250"));
    QVERIFY2(recent->item(1, 2)->text().startsWith(QStringLiteral("99")), qPrintable(recent->item(1, 2)->text()));
}

QTEST_MAIN(TestHomePage)
#include "test_home_page.moc"
