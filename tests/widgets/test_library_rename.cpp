// SPDX-License-Identifier: GPL-3.0-or-later
// Other names for runs and studies, in the place where they stand; and what else a run's menu does.
#include "core/config/experiment_file.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QUndoStack>

namespace test_library_rename {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryRename : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        QSettings().clear(); // a new profile: by studies
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        m_study = nameAt(0).section(QStringLiteral(" · "), 0, 0);
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    /// Also where names are a view of their own, kept in sight.
    void aRunIsRenamedAndItsStudyIsNot_data() {
        QTest::addColumn<int>("frozen");
        QTest::newRow("kept in sight") << 1;
        QTest::newRow("scrolling") << 0;
    }
    void aRunIsRenamedAndItsStudyIsNot() {
        QFETCH(const int, frozen);
        table()->setFrozen(frozen);
        openGroup();
        select(3);
        const QString run = table()->selectedRuns().value(0), before = nameAt(3);
        rename(QStringLiteral("Golden run"));
        QTRY_COMPARE(nameOfRun(run), QStringLiteral("Golden run"));
        QTRY_COMPARE(nameAt(3), QStringLiteral("Golden run"));
        QCOMPARE(nameAt(0), m_study + QStringLiteral(" · 10 run(s)"));
        QVERIFY(table()->hasFocus());
        m_page->undoStack().undo();
        QTRY_COMPARE(nameOfRun(run), before);
    }

    void aStudyIsRenamedAndItsRunsFollow() {
        select(0);
        rename(QStringLiteral("Digits by halves"));
        QTRY_COMPARE(nameAt(0), QStringLiteral("Digits by halves · 10 run(s)"));
        QCOMPARE(reader().study(m_runs.study)->name, std::string("Digits by halves"));
        const QString run = QString::fromStdString(m_runs.groupA.front());
        QVERIFY2(nameOfRun(run).startsWith(QStringLiteral("Digits by halves, ")), qPrintable(nameOfRun(run)));
        m_page->undoStack().undo();
        QTRY_COMPARE(nameAt(0), m_study + QStringLiteral(" · 10 run(s)"));
        QVERIFY(nameOfRun(run).startsWith(m_study + QStringLiteral(", ")));
    }

    /// Ctrl and a click take a row out of the selection, and make it the current one.
    void theSelectedOneIsRenamedNotTheCurrentOne() {
        openGroup();
        select(3);
        const QString run = table()->selectedRuns().value(0);
        table()->selectionModel()->setCurrentIndex(table()->model()->index(5, 0), QItemSelectionModel::NoUpdate);
        const QString other = nameAt(5);
        rename(QStringLiteral("Golden run"));
        QTRY_COMPARE(nameOfRun(run), QStringLiteral("Golden run"));
        QTRY_COMPARE(nameAt(3), QStringLiteral("Golden run"));
        QCOMPARE(nameAt(5), other);
    }

    void theRowOfAStudyStaysTheCurrentOne() {
        select(0);
        SyntheticStudy other = studyOf(differentCase());
        other.createdAt += 1000.0;
        m_fixture->add(other);
        m_page->activated();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        QVERIFY(table()->currentIndex().isValid());
        QVERIFY(nameAt(table()->currentIndex().row()).startsWith(m_study));
    }

    void escapeKeepsTheName() {
        select(0);
        QTest::keyClick(table(), Qt::Key_F2);
        auto* field = table()->findChild<QLineEdit*>(QStringLiteral("runNameEditor"));
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("nothing"));
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY(!table()->findChild<QLineEdit*>(QStringLiteral("runNameEditor")));
        QCOMPARE(m_page->undoStack().count(), 0);
    }

    /// What a person types is not written over when the run is read again.
    void aRunThatTrainsDoesNotTakeTheFieldAway() {
        openGroup();
        select(2);
        QTest::keyClick(table(), Qt::Key_F2);
        auto* field = table()->findChild<QLineEdit*>(QStringLiteral("runNameEditor"));
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("half a na"));
        RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
        QVERIFY(store.setNotes(table()->selectedRuns().value(0).toStdString(), "read again"));
        const int note = static_cast<int>(RunColumn::Note);
        QTRY_VERIFY(!table()->model()->index(2, note).data().toString().isEmpty());
        QCOMPARE(field->text(), QStringLiteral("half a na"));
    }

    /// Other runs come while a person types.
    void whatIsTypedOutlivesNewRows_data() {
        QTest::addColumn<int>("frozen");
        QTest::newRow("kept in sight") << 1;
        QTest::newRow("scrolling") << 0;
    }
    void whatIsTypedOutlivesNewRows() {
        QFETCH(const int, frozen);
        table()->setFrozen(frozen);
        openGroup();
        select(3);
        const QString run = table()->selectedRuns().value(0);
        QTest::keyClick(table(), Qt::Key_F2);
        const auto field = [this] { return table()->findChild<QLineEdit*>(QStringLiteral("runNameEditor")); };
        QVERIFY(field());
        QTest::keyClicks(field(), QStringLiteral("Golden"));
        QTest::keyClick(field(), Qt::Key_Home);
        SyntheticStudy other = studyOf(differentCase());
        other.createdAt += 1000.0;
        m_fixture->add(other);
        QTRY_COMPARE(table()->model()->rowCount(), 12);
        QTRY_COMPARE(table()->findChildren<QLineEdit*>(QStringLiteral("runNameEditor")).size(), 1);
        QVERIFY(field()->isVisible() && field()->hasFocus());
        QCOMPARE(field()->text(), QStringLiteral("Golden"));
        QTest::keyClicks(field(), QStringLiteral("My "));
        QTest::keyClick(field(), Qt::Key_Return);
        QTRY_COMPARE(nameOfRun(run), QStringLiteral("My Golden"));
    }

    /// Also on the name, which is a view of its own.
    void theMenuOfARowIsThereOnItsName() {
        select(0);
        auto* frozen = child<QTableView>(*m_page, "runTableFrozen");
        QVERIFY(frozen->isVisible());
        QStringList entries;
        QTimer::singleShot(200, this, [&entries] { // the menu holds up the event that asks for it
            if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
                for (const QAction* action : menu->actions())
                    entries << action->objectName();
                menu->close();
            }
        });
        const QPoint place = frozen->visualRect(frozen->model()->index(0, static_cast<int>(RunColumn::Name))).center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, place, frozen->viewport()->mapToGlobal(place));
        QApplication::sendEvent(frozen->viewport(), &asked);
        QVERIFY2(entries.contains(QStringLiteral("libraryRename")), qPrintable(entries.join(' ')));
    }

    void aConfigurationHasNoNameOfItsOwn() {
        auto* grouping = child<QComboBox>(*m_page, "libraryGrouping");
        grouping->setCurrentIndex(grouping->findData(static_cast<int>(RunGrouping::Configuration)));
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        select(0);
        QTRY_VERIFY(!child<QAction>(*m_page, "libraryRename")->isEnabled());
        QVERIFY(nameAt(0).startsWith(m_study + QStringLiteral(", ")));
    }

    /// A study's report is that of its comparison.
    void aStudyHasAReport() {
        QSignalSpy compared(m_page.get(), &LibraryPage::comparisonReportRequested);
        QSignalSpy single(m_page.get(), &LibraryPage::reportRequested);
        auto* report = child<QAction>(*m_page, "libraryReport");
        select(0);
        QTRY_VERIFY(report->isEnabled());
        report->trigger();
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared[0][0].toStringList().size(), 5);
        QCOMPARE(compared[0][1].toStringList().size(), 5);
        openGroup();
        select(1);
        report->trigger();
        QCOMPARE(single.size(), 1);
        // Seeds of one arm are no comparison.
        child<QLineEdit>(*m_page, "libraryFilter")->setText(QStringLiteral("arm:accumulated"));
        QTRY_COMPARE(table()->model()->rowCount(), 6);
        select(0);
        QTRY_VERIFY(!report->isEnabled());
    }

    void aRunIsCopiedAsACommand() {
        openGroup();
        select(1);
        auto* copy = child<QAction>(*m_page, "libraryCopyCommand");
        QTRY_VERIFY(copy->isEnabled());
        copy->trigger();
        const QString command = QGuiApplication::clipboard()->text();
        const RunRecord run = reader().run(table()->selectedRuns().value(0).toStdString()).value();
        ExperimentConfig alone{run.config, {}};
        alone.study.seeds = {run.seed};
        alone.study.largeBatch = false;
        QVERIFY2(command.startsWith(QString::fromStdString(commandLine(alone))), qPrintable(command));
    }

private:
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }
    [[nodiscard]] RunReader& reader() { return m_fixture->services().library.reader(); }
    [[nodiscard]] QString nameAt(int row) {
        return table()->model()->index(row, static_cast<int>(RunColumn::Name)).data().toString();
    }
    [[nodiscard]] QString nameOfRun(const QString& run) {
        return QString::fromStdString(reader().run(run.toStdString())->name);
    }
    void openGroup() {
        select(0);
        QTest::keyClick(table(), Qt::Key_Right);
        QCOMPARE(table()->model()->rowCount(), 11);
    }
    void select(int row) {
        table()->selectionModel()->setCurrentIndex(table()->model()->index(row, 0),
                                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        table()->setFocus();
    }
    void rename(const QString& name) {
        QTRY_VERIFY(child<QAction>(*m_page, "libraryRename")->isEnabled());
        QTest::keyClick(table(), Qt::Key_F2);
        auto* field = table()->findChild<QLineEdit*>(QStringLiteral("runNameEditor"));
        QVERIFY(field && field->isVisible());
        QVERIFY(field->hasSelectedText());
        QTest::keyClicks(field, name);
        QTest::keyClick(field, Qt::Key_Return);
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs;
    QString m_study;
};

QTEST_MAIN(TestLibraryRename)
} // namespace test_library_rename
#include "test_library_rename.moc"
