// SPDX-License-Identifier: GPL-3.0-or-later
// Names in a library that somebody sent, in the window: shown as they are written, never obeyed, never changed by being
// looked at.
#include "core/base/printable.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/style/format.h"
#include "widgets/style/workbench_style.h"

#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTableView>
#include <QToolTip>
#include <QUndoStack>

namespace test_foreign_text {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

const QString markup = QStringLiteral("<b>bold</b> &amp; <img src='x'>");

/// The label that Qt shows as a tooltip, asked for as the mouse does.
QLabel* toolTipOf(QWidget& widget, const QPoint& at) {
    QToolTip::hideText();
    QHelpEvent asked(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &asked);
    for (QWidget* window : QApplication::topLevelWidgets())
        if (window->inherits("QTipLabel") && window->isVisible())
            return qobject_cast<QLabel*>(window);
    return nullptr;
}

} // namespace

class TestForeignText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tooltipsArePlainTextUnlessTheyAreOurs() {
        Theme theme(*qApp);
        QWidget window;
        auto* plain = new QLabel(QStringLiteral("plain"), &window);
        auto* rich = new QLabel(QStringLiteral("rich"), &window);
        rich->move(0, 60);
        plain->setToolTip(markup);
        setRichToolTip(rich, QStringLiteral("<p><b>Help</b></p>"));
        window.resize(200, 100);
        window.show();
        for (int round = 0; round < 2; ++round) { // the label is used again
            const QLabel* shown = toolTipOf(*plain, QPoint(2, 2));
            QVERIFY(shown);
            QCOMPARE(shown->text(), markup);
            QCOMPARE(shown->textFormat(), Qt::PlainText);
            shown = toolTipOf(*rich, QPoint(2, 2));
            QVERIFY(shown);
            QCOMPARE(shown->textFormat(), Qt::RichText);
        }
    }

    void tooltipsOfItemsArePlainText() {
        Theme theme(*qApp);
        QListWidget list;
        auto* item = new QListWidgetItem(QStringLiteral("a run"), &list);
        item->setToolTip(markup);
        list.show();
        const QLabel* shown = toolTipOf(*list.viewport(), list.visualItemRect(item).center());
        QVERIFY(shown);
        QCOMPARE(shown->text(), markup);
        QCOMPARE(shown->textFormat(), Qt::PlainText);
    }

    void labelsAndMessagesArePlainText() {
        Theme theme(*qApp);
        QLabel label(markup);
        label.ensurePolished();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QMessageBox box(QMessageBox::Question, QStringLiteral("Delete"), markup);
        box.ensurePolished();
        for (QLabel* part : box.findChildren<QLabel*>()) {
            part->ensurePolished();
            QVERIFY2(part->textFormat() == Qt::PlainText, qPrintable(part->objectName()));
        }
        QLabel asked(markup);
        asked.setTextFormat(Qt::RichText);
        asked.ensurePolished();
        QCOMPARE(asked.textFormat(), Qt::RichText);
    }

    void controlsAppearAsEscapes() {
        QCOMPARE(format::fromUtf8("a\x1b[31m\n\u202Eb"), QStringLiteral("a\\u001b[31m\\n\\u202eb"));
        QCOMPARE(format::linesFromUtf8("a\n\x1b"), QStringLiteral("a\n\\u001b"));
        const QString said = format::error({"library.no-run", {{"run", "x\n\u202Ey"}}});
        QVERIFY2(said.contains(QStringLiteral("x\\n\\u202ey")), qPrintable(said));
    }

    void lookingAtARunChangesNoName() {
        PageFixture fixture;
        SyntheticStudy study = studyOf(equivalentCase());
        study.name = "evil\x1b[2J\n\u202Ename";
        study.windows = 20;
        const SyntheticRuns runs = fixture.add(study);
        QVERIFY(fixture.open());
        LibraryPage page(fixture.services());
        page.resize(1280, 720);
        page.show();
        page.activated();
        auto* table = page.findChild<QTableView*>();
        QTRY_VERIFY(table && table->model()->rowCount() > 1);
        const auto nameOf = [&](const std::string& run) { return fixture.services().library.reader().run(run)->name; };
        const std::string before = nameOf(runs.groupA[0]);
        QVERIFY(before.find('\x1b') != std::string::npos);
        page.selectRuns({QString::fromStdString(runs.groupA[0])});
        auto* name = child<QLineEdit>(page, "inspectorName");
        const QString shown = QString::fromStdString(printable(before));
        QTRY_COMPARE(name->text(), shown);
        page.selectRuns({QString::fromStdString(runs.groupB[1])}); // leaving a run saves what was edited
        QTRY_VERIFY(name->text() != shown);
        QCOMPARE(nameOf(runs.groupA[0]), before);
        QVERIFY(!page.undoStack().canUndo());
        for (int row = 0; row < table->model()->rowCount(); ++row)
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                const QModelIndex index = table->model()->index(row, column);
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole}) {
                    const QString text = index.data(role).toString();
                    QVERIFY2(!text.contains(QChar(0x1B)) && !text.contains(QChar(0x202E)), qPrintable(text));
                }
            }
    }
};

QTEST_MAIN(TestForeignText)
} // namespace test_foreign_text
#include "test_foreign_text.moc"
