// SPDX-License-Identifier: GPL-3.0-or-later
// A choice that is longer than its box keeps both ends, with dots between, and a column's name its beginning; what fits
// is shown as it is.
#include "widgets/style/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QTableWidget>
#include <QTest>

namespace test_cut_texts {
using namespace accumulus::ui;

namespace {

QImage shown(const QString& text, const QIcon& icon, int width = 240) {
    QComboBox box;
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.addItem(icon, text);
    box.resize(width, 32);
    return box.grab().toImage();
}

/// The head of a column that is too narrow for most names; numbers stand at the right.
QImage head(const QString& name, int width = 100) {
    QTableWidget table(0, 2);
    auto* item = new QTableWidgetItem(name);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table.setHorizontalHeaderItem(0, item);
    table.setColumnWidth(0, width);
    table.resize(width + 200, 100);
    return table.horizontalHeader()->grab(QRect(width - 100, 0, 100, table.horizontalHeader()->height())).toImage();
}

int differing(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            count += a.pixel(x, y) != b.pixel(x, y);
    return count;
}

} // namespace

class TestCutTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothEndsStay_data() {
        QTest::addColumn<bool>("withIcon");
        QTest::newRow("words") << false;
        QTest::newRow("with an icon") << true;
    }
    void bothEndsStay() {
        QFETCH(bool, withIcon);
        const Theme theme(*qApp);
        QPixmap square(16, 16);
        square.fill(Qt::red);
        const QIcon icon = withIcon ? QIcon(square) : QIcon();
        const QString end = QStringLiteral("Inconclusive");
        const QString text = QStringLiteral("First comparison, a perceptron on digits, 16 x 4 against 64 x 1, ") + end;
        // A text that ends otherwise looks different: its end is not cut off.
        const QImage whole = shown(text, icon);
        QVERIFY(differing(whole, shown(text.chopped(end.size()) + QStringLiteral("Equivalent"), icon)) > 0);
        QVERIFY(differing(whole, shown(QStringLiteral("Second") + text.mid(5), icon)) > 0);
        QCOMPARE(differing(whole, shown(text.first(40) + text.last(40), icon)), 0);
        // What fits looks as it does where there is more room.
        const QRect beginning(0, 4, 150, 24);
        QCOMPARE(differing(shown(end, icon).copy(beginning), shown(end, icon, 400).copy(beginning)), 0);
    }

    void aColumnKeepsTheBeginningOfItsName() {
        const Theme theme(*qApp);
        const QString name = QStringLiteral("A: accumulated 16 x 4, with warm-up");
        QVERIFY(differing(head(name), head(QStringLiteral("B") + name.mid(1))) > 0);
        QCOMPARE(differing(head(name), head(name + QStringLiteral(" and more"))), 0);
        QCOMPARE(differing(head(QStringLiteral("Seed")), head(QStringLiteral("Seed"), 200)), 0);
    }
};

QTEST_MAIN(TestCutTexts)
} // namespace test_cut_texts
#include "test_cut_texts.moc"
