// SPDX-License-Identifier: GPL-3.0-or-later
// A long name gives way to what stands beside it, and is there as a whole for whoever asks.
#include "widgets/style/elided_label.h"

#include <QtTest>

namespace test_elided_label {
using namespace accumulus::ui;

class TestElidedLabel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itEndsWithDotsWhereThereIsNoRoom() {
        const Theme theme(*qApp);
        ElidedLabel label(theme, TextRole::PageTitle);
        const QString whole = QStringLiteral("A study with a name of a good many words");
        label.setWhole(whole);
        label.resize(label.sizeHint());
        label.show();
        QCOMPARE(label.text(), whole);
        QVERIFY(label.toolTip().isEmpty());
        const QSize wanted = label.sizeHint();
        QVERIFY(label.minimumSizeHint().width() < wanted.width() / 2);

        label.resize(wanted.width() / 2, wanted.height());
        QVERIFY(label.text().size() < whole.size() && label.text().endsWith(QChar(0x2026)));
        QVERIFY(label.fontMetrics().horizontalAdvance(label.text()) <= label.width());
        QCOMPARE(label.toolTip(), whole);
        QCOMPARE(label.accessibleName(), whole);
        QCOMPARE(label.sizeHint(), wanted); // it still asks for all of it

        label.resize(wanted);
        QCOMPARE(label.text(), whole);
        label.setWhole(QStringLiteral("short"));
        QVERIFY(label.sizeHint().width() < wanted.width());
        QVERIFY(label.minimumSizeHint().width() <= label.sizeHint().width());
    }
};

QTEST_MAIN(TestElidedLabel)
} // namespace test_elided_label
#include "test_elided_label.moc"
