// SPDX-License-Identifier: GPL-3.0-or-later
// Presets on the set-up page, as a person uses them: saved under a name, loaded, renamed, overwritten, deleted.
#include "core/base/atomic_file.h"
#include "core/config/preset_folder.h"
#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/setup_machine.h"
#include "widgets/models/preset_list.h"
#include "widgets/pages/setup/preset_dialog.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

namespace test_setup_presets {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestSetupPresets : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_data;
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<SetupPage> m_page;
    QByteArray m_before;

    [[nodiscard]] std::vector<Preset> stored() const {
        return listPresets(presetFolder()).value_or(std::vector<Preset>{});
    }
    [[nodiscard]] PresetDialog* dialog() { return m_page->findChild<PresetDialog*>(); }
    [[nodiscard]] QTableView* table() { return child<QTableView>(*dialog(), "presets.table"); }
    [[nodiscard]] QString cell(int row, int column) {
        return table()->model()->index(row, column).data(Qt::DisplayRole).toString();
    }
    [[nodiscard]] QPushButton* button(const char* name) { return child<QPushButton>(*dialog(), name); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    [[nodiscard]] QString notice() {
        const auto* bar = child<NoticeBar>(*dialog(), "presets.notice");
        QStringList texts;
        if (bar->isVisible())
            for (const QLabel* label : bar->findChildren<QLabel*>())
                texts << label->text();
        return texts.join(QLatin1Char(' '));
    }
    /// The notice's own button.
    void takeOffer(const QString& text) {
        for (QPushButton* button : child<NoticeBar>(*dialog(), "presets.notice")->findChildren<QPushButton*>())
            if (button->text() == text && button->isVisible()) {
                button->click();
                return;
            }
        QFAIL(qPrintable(QStringLiteral("no offer ") + text));
    }
    void open() {
        QTest::mouseClick(child<QPushButton>(*m_page, "setup.presets"), Qt::LeftButton);
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        dialog()->activateWindow();
        QTRY_VERIFY(dialog()->isActiveWindow());
    }
    void close() {
        click("presets.close");
        QTRY_VERIFY(!dialog());
    }
    void save(const QString& name) {
        child<QLineEdit>(*dialog(), "presets.name")->setText(name);
        click("presets.save");
    }
    void setLr(double lr) {
        ExperimentConfig experiment = m_page->experiment();
        experiment.run.optimizer.lr = lr;
        m_page->setExperiment(experiment);
    }

private Q_SLOTS:
    void init() {
        m_data = std::make_unique<QTemporaryDir>();
        m_before = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", m_data->path().toUtf8());
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, madeUpMachine());
        m_page->resize(1120, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
        qputenv("XDG_DATA_HOME", m_before);
    }

    void aFormIsSavedListedAndLoaded() {
        setLr(0.05);
        const ExperimentConfig wanted = m_page->experiment();
        open();
        QVERIFY(child<QWidget>(*dialog(), "presets.empty")->isVisible());
        QVERIFY(!button("presets.save")->isEnabled()); // no name yet
        save(QStringLiteral(" LeNet / 32 × 8 "));
        QTRY_COMPARE(stored().size(), std::size_t{1});
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QCOMPARE(cell(0, PresetList::Name), QStringLiteral("LeNet / 32 × 8"));
        QCOMPARE(cell(0, PresetList::Model), QStringLiteral("LeNet-5"));
        QVERIFY2(cell(0, PresetList::Batch).endsWith(QStringLiteral("256")), qPrintable(cell(0, PresetList::Batch)));
        QCOMPARE(cell(0, PresetList::Runs), QStringLiteral("10"));
        QCOMPARE(cell(0, PresetList::Time), QStringLiteral("–")); // nothing was measured here
        QVERIFY(!cell(0, PresetList::Saved).isEmpty());
        QTRY_VERIFY(notice().contains(QStringLiteral("Saved as")));
        close();

        setLr(0.5);
        open();
        QCOMPARE(child<QLineEdit>(*dialog(), "presets.name")->text(), QStringLiteral("LeNet / 32 × 8"));
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QVERIFY(!button("presets.load")->isEnabled());
        table()->selectRow(0);
        click("presets.load");
        QVERIFY(m_page->experiment() == wanted);
        QTRY_VERIFY(!dialog());
        m_page->undo(); // loading is an edit like any other
        QVERIFY(compareBits(m_page->experiment().run.optimizer.lr, 0.5));
    }

    /// The form can be changed beside the open list; what is saved is what stands in it then.
    void theFormStaysInReach() {
        open();
        QVERIFY(!dialog()->isModal());
        auto* opened = dialog();
        setLr(0.07);
        const ExperimentConfig wanted = m_page->experiment();
        QTest::mouseClick(child<QPushButton>(*m_page, "setup.presets"), Qt::LeftButton);
        QCOMPARE(m_page->findChildren<PresetDialog*>(), QList<PresetDialog*>{opened}); // not a second one
        save(QStringLiteral("late"));
        QTRY_COMPARE(stored().size(), std::size_t{1});
        QVERIFY(stored().front().experiment.value() == wanted);
        close();
    }

    void overwritingIsAsked() {
        open();
        save(QStringLiteral("one"));
        QTRY_COMPARE(stored().size(), std::size_t{1});
        close();
        setLr(0.25);
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        save(QStringLiteral("one"));
        QTRY_VERIFY(notice().contains(QStringLiteral("exists already")));
        QVERIFY(!compareBits(stored().at(0).experiment->run.optimizer.lr, 0.25));
        takeOffer(QStringLiteral("Overwrite"));
        QTRY_VERIFY(compareBits(stored().at(0).experiment->run.optimizer.lr, 0.25));
        QCOMPARE(stored().size(), std::size_t{1});
    }

    void namesAreChanged() {
        QVERIFY(savePreset(presetFolder(), "one", m_page->experiment(), false));
        QVERIFY(savePreset(presetFolder(), "two", m_page->experiment(), false));
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        table()->selectRow(0);
        click("presets.rename");
        auto* editor = table()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->setText(QStringLiteral("three"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(cell(0, PresetList::Name), QStringLiteral("three"));
        QCOMPARE(stored().size(), std::size_t{2});
        // A name that is taken overwrites nothing, and nothing of the kind is offered.
        QVERIFY(table()->model()->setData(table()->model()->index(0, 0), QStringLiteral("two")));
        QTRY_VERIFY(notice().contains(QStringLiteral("exists already")));
        for (const QPushButton* offer : child<NoticeBar>(*dialog(), "presets.notice")->findChildren<QPushButton*>())
            QVERIFY(!offer->isVisible() || offer->text() != QStringLiteral("Overwrite"));
        QCOMPARE(stored().at(0).name, std::string("three"));
    }

    void deletingIsTakenBack() {
        QVERIFY(savePreset(presetFolder(), "one", m_page->experiment(), false));
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        table()->selectRow(0);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Delete);
        QTRY_VERIFY(stored().empty());
        QTRY_VERIFY(notice().contains(QStringLiteral("was deleted")));
        QVERIFY(!button("presets.load")->isEnabled() && !button("presets.delete")->isEnabled());
        takeOffer(QStringLiteral("Undo"));
        QTRY_COMPARE(stored().size(), std::size_t{1});
        QVERIFY(*stored().front().experiment == m_page->experiment());
        QTRY_COMPARE(table()->model()->rowCount(), 1);
    }

    void allThatWasDeletedComesBack() {
        for (const char* name : {"one", "two"})
            QVERIFY(savePreset(presetFolder(), name, m_page->experiment(), false));
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        for (std::size_t left : {1, 0}) {
            table()->selectRow(0);
            click("presets.delete");
            QTRY_COMPARE(stored().size(), left);
            QTRY_COMPARE(table()->model()->rowCount(), static_cast<int>(left));
        }
        click("presets.close");
        QTRY_VERIFY(!dialog());
        open();
        for (std::size_t back : {1, 2}) {
            QTRY_VERIFY(notice().contains(QStringLiteral("was deleted")));
            takeOffer(QStringLiteral("Undo"));
            QTRY_COMPARE(stored().size(), back);
            QTRY_COMPARE(table()->model()->rowCount(), static_cast<int>(back));
        }
        QTRY_VERIFY(!notice().contains(QStringLiteral("was deleted")));
    }

    /// What cannot come back, as its name is taken, is in nobody's way.
    void aNameThatIsTakenKeepsOnlyItsOwnFromComingBack() {
        for (const char* name : {"one", "two"})
            QVERIFY(savePreset(presetFolder(), name, m_page->experiment(), false));
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        for (std::size_t left : {1, 0}) { // "two" goes last
            table()->selectRow(0);
            click("presets.delete");
            QTRY_COMPARE(stored().size(), left);
            QTRY_COMPARE(table()->model()->rowCount(), static_cast<int>(left));
        }
        close();
        setLr(0.5);
        open();
        save(QStringLiteral("two"));
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        close();
        open();
        QTRY_VERIFY2(notice().contains(QStringLiteral("“one”")), qPrintable(notice()));
        takeOffer(QStringLiteral("Undo"));
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        QTRY_VERIFY(!notice().contains(QStringLiteral("was deleted")));
        // The new one goes, too: it comes back first, and the former one waits for ever.
        table()->selectRow(1);
        click("presets.delete");
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QTRY_VERIFY(notice().contains(QStringLiteral("“two”")));
        takeOffer(QStringLiteral("Undo"));
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        QTRY_VERIFY(!notice().contains(QStringLiteral("was deleted")));
        QVERIFY(compareBits(stored().at(1).experiment->run.optimizer.lr, 0.5));
    }

    void brokenFilesSayWhyAndCanGo() {
        QVERIFY(writeFileAtomically(presetFolder() / "broken.toml", "[optimizer]\nlr = \n"));
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QCOMPARE(cell(0, PresetList::Model), QStringLiteral("cannot be used"));
        table()->selectRow(0);
        const auto* reason = child<QLabel>(*dialog(), "presets.reason");
        QVERIFY(reason->isVisible());
        QVERIFY2(reason->text().contains(QStringLiteral("is not valid TOML at line")), qPrintable(reason->text()));
        QVERIFY2(reason->text().contains(QStringLiteral("Correct that line")), qPrintable(reason->text()));
        QVERIFY(!button("presets.load")->isEnabled());
        click("presets.delete");
        QTRY_VERIFY(stored().empty());
    }

    void aFolderThatCannotBeWrittenSaysWhatToDo() {
        // A file stands where the folder should be: not even root can write there.
        std::filesystem::create_directories(presetFolder().parent_path());
        QVERIFY(writeFileAtomically(presetFolder(), "in the way"));
        open();
        save(QStringLiteral("one"));
        QTRY_VERIFY2(notice().contains(QStringLiteral("Ask for write permission there")), qPrintable(notice()));
    }

    void everyControlHasANameAndTheKeyboard() {
        QVERIFY(savePreset(presetFolder(), "one", m_page->experiment(), false));
        open();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QVERIFY(!table()->accessibleName().isEmpty());
        QVERIFY(!child<QLineEdit>(*dialog(), "presets.name")->accessibleName().isEmpty());
        for (const char* name : {"presets.save", "presets.load", "presets.rename", "presets.delete", "presets.close"})
            QVERIFY2(!button(name)->text().isEmpty(), name);
        table()->selectRow(0);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Return); // loads
        QTRY_VERIFY(!dialog());
    }
};

QTEST_MAIN(TestSetupPresets)
} // namespace test_setup_presets
#include "test_setup_presets.moc"
