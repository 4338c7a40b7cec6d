// SPDX-License-Identifier: GPL-3.0-or-later
// What "Copy" takes from a table, a tree and a list, and what else stands in their menus.
#include "widgets/style/row_copy.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

namespace test_row_copy {
using namespace accumulus::ui;

namespace {

QString copied(const QWidget& view) {
    view.actions().first()->trigger();
    return QGuiApplication::clipboard()->text();
}

} // namespace

class TestRowCopy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTableAsItIsShown() {
        QTableWidget table(2, 3);
        table.setHorizontalHeaderLabels({"a", "b", "c"});
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 3; ++column)
                table.setItem(row, column, new QTableWidgetItem(QString("%1\t%2").arg(row).arg(column)));
        addCopy(table);
        table.setColumnHidden(1, true);
        table.horizontalHeader()->moveSection(2, 0);
        QCOMPARE(copied(table), QString("c\ta\n0 2\t0 0\n1 2\t1 0"));
        table.selectRow(1);
        QCOMPARE(copied(table), QString("c\ta\n1 2\t1 0"));
    }

    void aTreeWithWhatIsOpen() {
        QTreeWidget tree;
        tree.setHeaderLabels({"file", "size"});
        auto* first = new QTreeWidgetItem(&tree, {"final", "12 MB"});
        auto* weights = new QTreeWidgetItem(first, {"weights", "8 MB"});
        new QTreeWidgetItem(&tree, {"best", "3 MB"});
        addCopy(tree, CopiedHeads::No);
        QCOMPARE(copied(tree), QString("final\t12 MB\nbest\t3 MB"));
        first->setExpanded(true);
        QCOMPARE(copied(tree), QString("final\t12 MB\nweights\t8 MB\nbest\t3 MB"));
        tree.setCurrentItem(weights);
        QCOMPARE(copied(tree), QString("weights\t8 MB"));
    }

    void aListAndItsButtons() {
        QListWidget list;
        list.addItems({"one\nof two lines", "two"});
        addCopy(list, CopiedHeads::No);
        QPushButton button("Save…");
        const QSignalSpy clicked(&button, &QPushButton::clicked);
        addToMenu(list, button);
        QCOMPARE(copied(list), QString("one of two lines\ntwo"));
        QAction* save = list.actions().last();
        QCOMPARE(save->text(), QString("Save…"));
        save->trigger();
        button.setEnabled(false);
        QVERIFY(!save->isEnabled());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(list.contextMenuPolicy(), Qt::ActionsContextMenu);
    }
};

QTEST_MAIN(TestRowCopy)
} // namespace test_row_copy
#include "test_row_copy.moc"
