// SPDX-License-Identifier: GPL-3.0-or-later
// Everything without a mouse: set up, start, stop, compare, tag, delete, undo, export; the focus can always be seen;
// the accessibility tree names every control and sums up every plot; "?" lists the keys that worked. Keys go to the
// window, which passes them on as those of a keyboard.
#include "app/workbench/page_table.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/accessibility_tree.h"
#include "tests/workbench/keyboard.h"
#include "tests/workbench/window_by_hand.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/verdict_card.h"
#include "widgets/style/number_box.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QTableView>
#include <QWindow>
#include <set>

namespace acceptance_a20 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// Fewer changed pixels are no frame that a person would notice.
constexpr int smallestFrame = 40;

std::vector<RunRecord> runsOf(WorkbenchFixture& fixture, bool trashed = false) {
    return fixture.workbench().library().reader().runs({trashed, {}}).value();
}

/// Five pairs that were trained before.
void addPairs(WorkbenchFixture& fixture) {
    QVERIFY(test::addSyntheticStudy(fixture.library(), test::studyOf(test::equivalentCase())));
    fixture.reopen();
    fixture.window().resize(1440, 900);
    QTRY_VERIFY_WITH_TIMEOUT(QGuiApplication::focusWindow() != nullptr, patience);
}

int changedPixels(const QImage& a, const QImage& b) {
    int changed = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            changed += distance(a.pixelColor(x, y), b.pixelColor(x, y)) > 24;
    return changed;
}

} // namespace

class AcceptanceA20 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingIsDoneByKeys() {
        WorkbenchFixture fixture;
        addPairs(fixture);
        Keyboard keys(fixture);
        setUpAndTrain(fixture, keys);
        compareAndEdit(fixture, keys);
        exportRun(fixture, keys);
        readPlot(fixture, keys);
        listNamesThem(fixture, keys);
    }

    void theFocusIsAlwaysSeen_data() {
        QTest::addColumn<QString>("page");
        for (const PageEntry& entry : pageTable())
            QTest::addRow("%s", entry.id) << QString::fromLatin1(entry.id);
    }
    void theFocusIsAlwaysSeen() {
        QFETCH(QString, page);
        WorkbenchFixture fixture;
        addPairs(fixture);
        fixture.window().showPage(page);
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            fixture.workbench().theme().setMode(mode);
            fixture.settle();
            tabAround(fixture);
        }
    }

    void theAccessibilityTreeIsComplete() {
        WorkbenchFixture fixture;
        addPairs(fixture);
        ReadTree tree;
        for (const PageEntry& entry : pageTable()) {
            fixture.window().showPage(QLatin1String(entry.id));
            fixture.settle();
            QAccessibleInterface* root = QAccessible::queryAccessibleInterface(&fixture.window());
            QVERIFY(root && root->childCount() > 0);
            read(*root, QLatin1String(entry.id), tree);
        }
        tree.problems.removeDuplicates();
        QVERIFY2(tree.problems.isEmpty(), qPrintable(tree.problems.join(QLatin1Char('\n'))));
        qInfo("%d controls, %d plots", tree.controls, tree.plots);
        QVERIFY(tree.controls > 100 && tree.plots >= 7);
    }

private:
    /// Tab comes to every control and round again, and each shows that it has the focus.
    static void tabAround(WorkbenchFixture& fixture) {
        Keyboard keys(fixture);
        std::set<const QWidget*> seen;
        QStringList hidden;
        for (int tabs = 0; tabs < mostTabs; ++tabs) {
            keys.press(Qt::Key_Tab);
            QWidget* here = QApplication::focusWidget();
            QVERIFY2(here, "Tab leads nowhere");
            if (!seen.insert(here).second)
                break; // once around
            if (!showsFocus(fixture, *here))
                hidden << nameOf(*here);
        }
        QVERIFY2(seen.size() < std::size_t{mostTabs}, "Tab does not come round");
        QStringList missed;
        for (const QWidget* widget : fixture.window().findChildren<QWidget*>()) {
            const bool stop = widget->isVisible() && widget->isEnabled() && !widget->focusProxy() &&
                              (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !isPartOfAnother(*widget);
            if (stop && !seen.contains(widget))
                missed << nameOf(*widget);
        }
        QVERIFY2(hidden.isEmpty() && missed.isEmpty(),
                 qPrintable(QStringLiteral("not seen: %1\nnot reached: %2")
                                .arg(hidden.join(QStringLiteral("; ")), missed.join(QStringLiteral("; ")))));
    }

    static void setUpAndTrain(WorkbenchFixture& fixture, Keyboard& keys) {
        RunController& runs = fixture.workbench().runs();
        keys.press(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        keys.worked(Qt::CTRL | Qt::Key_N);
        const auto* page = fixture.window().findChild<SetupPage*>();
        QVERIFY(keys.tabTo("setup.model.name"));
        for (int tries = 0; page->experiment().run.model.name != "mlp" && tries < 20; ++tries)
            keys.press(tries < 10 ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(page->experiment().run.model.name, std::string("mlp"));
        QVERIFY(keys.tabTo("setup.batch.effective"));
        keys.press(Qt::Key_A, Qt::ControlModifier);
        keys.type(QStringLiteral("512"));
        QCOMPARE(page->experiment().run.batch.effective, 512);
        QVERIFY(keys.tabTo("setup.study.name"));
        keys.press(Qt::Key_A, Qt::ControlModifier);
        keys.type(QStringLiteral("by keys"));
        keys.press(Qt::Key_Z, Qt::ControlModifier); // undone letter by letter or at once, then typed again
        keys.press(Qt::Key_A, Qt::ControlModifier);
        keys.type(QStringLiteral("by keys"));
        QCOMPARE(page->experiment().study.name, std::string("by keys"));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QPushButton>("setup.start")->isEnabled(), 20'000);
        keys.press(Qt::Key_F5);
        QVERIFY(runs.busy());
        keys.worked(Qt::Key_F5);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
        keys.press(Qt::Key_F8);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Paused, runTimeout);
        keys.press(Qt::Key_F8);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
        keys.worked(Qt::Key_F8);
        keys.press(Qt::Key_F5, Qt::ShiftModifier);
        fixture.waitUntilIdle(runTimeout);
        const auto all = runsOf(fixture);
        QVERIFY(std::ranges::any_of(all, [](const RunRecord& run) {
            return run.state == RunState::Stopped && run.config.batch.effective == 512;
        }));
        keys.worked(Qt::SHIFT | Qt::Key_F5);
    }

    /// Arrows alone select where they lead.
    static void chooseOne(const QTableView& table, Keyboard& keys) {
        keys.press(Qt::Key_Down);
        keys.press(Qt::Key_Up);
        QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
    }

    static void compareAndEdit(WorkbenchFixture& fixture, Keyboard& keys) {
        auto* table = fixture.find<QTableView>("runTable");
        keys.press(Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QLineEdit>("libraryFilter")->hasFocus(), patience);
        keys.type(QStringLiteral("status:completed"));
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 10, patience);
        keys.worked(Qt::CTRL | Qt::Key_F);
        QVERIFY(keys.tabTo("runTable"));
        keys.press(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 10);
        keys.press(Qt::Key_Return);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("compare"));
        const auto* verdict = fixture.window().findChild<VerdictCard*>();
        QTRY_VERIFY_WITH_TIMEOUT(verdict->isVisible() && verdict->accessibleName().startsWith("Equivalent"), 20'000);
        keys.worked(Qt::Key_Return);

        keys.press(Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
        keys.worked(Qt::CTRL | Qt::Key_5);
        QTRY_VERIFY_WITH_TIMEOUT(table->hasFocus(), patience);
        chooseOne(*table, keys);
        keys.press(Qt::Key_T);
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget()->objectName(), QStringLiteral("inspectorTags"), patience);
        keys.type(QStringLiteral("paper"));
        keys.press(Qt::Key_Return);
        const auto tagged = [&] {
            return std::ranges::count_if(
                runsOf(fixture), [](const RunRecord& run) { return run.tags == std::vector<std::string>{"paper"}; });
        };
        QTRY_COMPARE_WITH_TIMEOUT(tagged(), 1, patience);
        keys.worked(Qt::Key_T);

        // Two rows, the second one by Space, into the Trash and back.
        keys.press(Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(table->hasFocus(), patience);
        chooseOne(*table, keys);
        keys.press(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        keys.press(Qt::Key_Space);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
        keys.worked(Qt::Key_Space);
        keys.press(Qt::Key_Delete);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(fixture, true).size(), std::size_t{2}, patience);
        keys.worked(Qt::Key_Delete);
        keys.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(fixture, true).size(), std::size_t{0}, patience);
        keys.worked(Qt::CTRL | Qt::Key_Z);
        keys.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(fixture, true).size(), std::size_t{2}, patience);
        keys.worked(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
        keys.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(fixture, true).size(), std::size_t{0}, patience);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 10, patience);
        QCOMPARE(tagged(), 1);
    }

    static void exportRun(WorkbenchFixture& fixture, Keyboard& keys) {
        auto* table = fixture.find<QTableView>("runTable");
        keys.press(Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(table->hasFocus(), patience);
        chooseOne(*table, keys);
        const QString file = fixture.file(QStringLiteral("run.csv"));
        QVERIFY(answerFileDialog(file, [&] {
            QTimer poll; // the menu waits for an answer
            connect(&poll, &QTimer::timeout, &fixture.window(), [&] {
                if (!QApplication::activePopupWidget())
                    return;
                poll.stop();
                keys.press(Qt::Key_Down);
                keys.press(Qt::Key_Return);
            });
            poll.start(50);
            keys.press(Qt::Key_E, Qt::ControlModifier);
        }));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20'000);
        keys.worked(Qt::CTRL | Qt::Key_E);
        keys.returnToWindow();
        QVERIFY(keys.tabTo("runTable"));
        keys.press(Qt::Key_A, Qt::ControlModifier); // both arms are to be read
        QVERIFY(keys.tabTo("libraryCurvesButton"));
        keys.press(Qt::Key_Space);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
    }

    static void readPlot(WorkbenchFixture& fixture, Keyboard& keys) {
        keys.press(Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        auto* plot = fixture.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(plot->summaryText().contains(QStringLiteral("2 curves")), patience);
        QVERIFY(keys.tabTo("liveLoss"));
        const auto check = [&](Qt::Key key, Qt::KeyboardModifiers modifiers, const std::function<bool()>& worked) {
            keys.press(key, modifiers);
            plot->refreshNow();
            QVERIFY2(worked(), qPrintable(QKeySequence(modifiers | key).toString()));
            keys.worked(modifiers | key);
        };
        const bool logY = plot->logY(), logX = plot->logX(), guides = plot->guides(), all = plot->showAll();
        check(Qt::Key_L, Qt::NoModifier, [&] { return plot->logY() != logY; });
        check(Qt::Key_L, Qt::ShiftModifier, [&] { return plot->logX() != logX; });
        check(Qt::Key_G, Qt::NoModifier, [&] { return plot->guides() != guides; });
        check(Qt::Key_O, Qt::NoModifier, [&] { return plot->showAll() != all; });
        const auto* axis = fixture.find<QComboBox>("liveXAxis");
        const QString before = axis->currentText();
        check(Qt::Key_X, Qt::NoModifier, [&] { return axis->currentText() != before; });
        double from = plot->xMin(), to = plot->xMax();
        check(Qt::Key_Plus, Qt::NoModifier, [&] { return plot->xMax() - plot->xMin() < 0.9 * (to - from); });
        const double narrow = plot->xMax() - plot->xMin();
        check(Qt::Key_Minus, Qt::NoModifier, [&] { return plot->xMax() - plot->xMin() > 1.1 * narrow; });
        QTest::qWait(700); // changes closer together are one entry of the zoom history
        keys.press(Qt::Key_Plus);
        check(Qt::Key_Left, Qt::AltModifier, [&] { return plot->xMax() - plot->xMin() > 1.1 * narrow; });
        check(Qt::Key_Right, Qt::AltModifier, [&] { return plot->xMax() - plot->xMin() < 1.1 * narrow; });
        check(Qt::Key_F, Qt::NoModifier, [&] { return plot->follow(); });
        QString said = plot->accessibleDescription();
        check(Qt::Key_Left, Qt::NoModifier, [&] { return plot->accessibleDescription() != said; });
        said = plot->accessibleDescription();
        check(Qt::Key_Right, Qt::NoModifier, [&] { return plot->accessibleDescription() != said; });
        keys.press(Qt::Key_Down, Qt::ControlModifier);
        said = plot->accessibleDescription(); // of the first curve
        check(Qt::Key_Down, Qt::ControlModifier, [&] { return plot->accessibleDescription() != said; });
        check(Qt::Key_Up, Qt::ControlModifier, [&] { return plot->accessibleDescription() == said; });
        check(Qt::Key_Escape, Qt::NoModifier, [&] { return plot->accessibleDescription() == plot->summaryText(); });
        keys.press(Qt::Key_T);
        const auto table = [plot] { return plot->findChild<QDialog*>(QStringLiteral("plotTableDialog")); };
        QTRY_VERIFY_WITH_TIMEOUT(table() && table()->isVisible(), patience);
        keys.worked(Qt::Key_T);
        QTRY_COMPARE_WITH_TIMEOUT(QGuiApplication::focusWindow(), table()->windowHandle(), patience);
        keys.press(Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!table(), patience);
        keys.returnToWindow();
        QVERIFY(keys.tabTo("liveLoss"));
        const QString picture = fixture.file(QStringLiteral("loss.svg"));
        QVERIFY(answerFileDialog(picture, [&] { keys.press(Qt::Key_E, Qt::ControlModifier); }));
        keys.returnToWindow();
        QVERIFY(QFile::exists(picture)); // of the plot: the window's own export would have opened its menu
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        QVERIFY(keys.tabTo("liveLoss"));
        keys.press(Qt::Key_S);
        QCOMPARE(QApplication::focusWidget(), fixture.find<QSlider>("liveSmoothing"));
        const double smoothing = plot->smoothing();
        keys.press(Qt::Key_Right);
        QVERIFY(plot->smoothing() > smoothing);
        keys.worked(Qt::Key_S);
    }

    static void listNamesThem(WorkbenchFixture& fixture, Keyboard& keys) {
        QVERIFY(keys.tabTo("liveLoss"));
        keys.press(Qt::Key_Question);
        const auto* dialog = fixture.window().findChild<QDialog*>(QStringLiteral("keysDialog"));
        QVERIFY(dialog && dialog->isVisible());
        keys.worked(Qt::Key_Question);
        std::set<QString> listed;
        const auto* grid = dialog->findChild<QScrollArea*>()->widget()->layout();
        const auto* rows = qobject_cast<const QGridLayout*>(grid);
        QVERIFY(rows);
        for (int row = 0; row < rows->rowCount(); ++row)
            if (const QLayoutItem* item = rows->itemAtPosition(row, 0))
                for (const QString& key : qobject_cast<QLabel*>(item->widget())->text().split(QStringLiteral(", ")))
                    listed.insert(key);
        QStringList missing;
        for (const QString& key : keys.thatWorked())
            if (!listed.contains(key))
                missing << key;
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral("; "))));
        QVERIFY(!listed.contains(QStringLiteral("F4"))); // the list does not hold everything
        QTRY_COMPARE_WITH_TIMEOUT(QGuiApplication::focusWindow(), dialog->windowHandle(), patience);
        keys.press(Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().findChild<QDialog*>(QStringLiteral("keysDialog")), patience);
    }

    /// Not scrolled away: a part of it lies inside everything that holds it.
    static bool isOnScreen(const QWidget& widget) {
        QRect part = widget.rect();
        for (const QWidget* here = &widget; !here->isWindow() && !part.isEmpty(); here = here->parentWidget())
            part = part.translated(here->pos()) & here->parentWidget()->rect();
        return !part.isEmpty();
    }

    /// The picture around the widget with the focus differs from the same without it.
    static bool showsFocus(WorkbenchFixture& fixture, QWidget& widget) {
        MainWindow& window = fixture.window();
        const QRect around =
            QRect(widget.mapTo(&window, QPoint(0, 0)), widget.size()).adjusted(-4, -4, 4, 4) & window.rect();
        if (around.isEmpty() || !isOnScreen(widget))
            return false; // the focus lies where nobody sees it
        const QImage with = window.grab(around).toImage();
        widget.clearFocus();
        const QImage without = window.grab(around).toImage();
        widget.setFocus(Qt::TabFocusReason);
        return changedPixels(with, without) >= smallestFrame;
    }
};

QTEST_MAIN(AcceptanceA20)
} // namespace acceptance_a20
#include "acceptance_a20.moc"
