// SPDX-License-Identifier: GPL-3.0-or-later
// The one final act: what goes is listed with its files, and the number of runs is typed.
#include "core/base/clock.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/trash_dialog.h"

#include <QAbstractButton>
#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>

#include <filesystem>
#include <fstream>

namespace test_empty_trash {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestEmptyTrash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    /// Live would show an empty page.
    void curvesOfRunsInTheTrashAreNotShown() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        {
            RunStore store(Library::open(fixture.file(), Library::Mode::Write).value());
            QVERIFY(store.moveToTrash(std::vector{runs.groupA.at(0)}, unixTime()).has_value());
        }
        LibraryPage page(fixture.services());
        page.show();
        page.activated();
        auto* curves = child<QAction>(page, "libraryCurves");
        auto* report = child<QAction>(page, "libraryReport");
        QTRY_VERIFY(fixture.services().library.idle());
        page.selectRuns(qtList({runs.groupA.at(1)}));
        QTRY_VERIFY(curves->isEnabled());
        child<QAbstractButton>(page, "libraryTrashView")->click();
        page.selectRuns(qtList({runs.groupA.at(0)}));
        QTRY_VERIFY(report->isEnabled());
        QVERIFY(!curves->isEnabled());
        QCOMPARE(curves->toolTip(), QStringLiteral("Curves of runs in the Trash are not shown. Restore them first."));
    }

    void itListsFilesAndAsksForTheNumber() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        const std::string gone = runs.groupA.at(0);
        {
            RunStore store(Library::open(fixture.file(), Library::Mode::Write).value());
            QVERIFY(store.moveToTrash(std::vector{gone, runs.groupA.at(1)}, unixTime()).has_value());
        }
        const std::filesystem::path folder = fixture.services().library.reader().library().runFolder(gone);
        std::filesystem::create_directories(folder / "checkpoints");
        std::ofstream(folder / "checkpoints" / "final.safetensors") << std::string(2000, 'x');
        std::ofstream(folder / "a.log") << std::string(500, 'x');

        LibraryPage page(fixture.services());
        page.resize(1110, 690);
        page.show();
        page.activated();
        child<QAbstractButton>(page, "libraryTrashView")->click();
        auto* empty = child<QAction>(page, "libraryEmptyTrash");
        QTRY_VERIFY(empty->isEnabled());

        bool seen = false;
        const auto answer = [&](const std::function<void(EmptyTrashDialog&)>& act) {
            seen = false;
            auto* wait = new QTimer(&page);
            connect(wait, &QTimer::timeout, &page, [&, wait, act] {
                auto* dialog = page.findChild<EmptyTrashDialog*>();
                if (!dialog || !dialog->isVisible())
                    return;
                wait->deleteLater();
                wait->stop();
                seen = true;
                act(*dialog);
            });
            wait->start(10);
            empty->trigger();
            QTRY_VERIFY(seen && !page.findChild<EmptyTrashDialog*>());
        };
        answer([](EmptyTrashDialog& dialog) {
            takePicture(dialog, QStringLiteral("empty_trash"));
            auto* list = child<QTreeWidget>(dialog, "emptyTrashFiles");
            QCOMPARE(list->topLevelItemCount(), 2);
            QTreeWidgetItem* run =
                list->topLevelItem(0)->childCount() > 0 ? list->topLevelItem(0) : list->topLevelItem(1);
            QCOMPARE(run->childCount(), 2);
            QCOMPARE(run->child(0)->text(0), QString("a.log"));
            QCOMPARE(run->child(1)->text(0), QString("checkpoints/final.safetensors"));
            QVERIFY2(run->text(1).startsWith("2.5"), qPrintable(run->text(1))); // kB
            auto* confirm = child<QPushButton>(dialog, "emptyTrashConfirm");
            QVERIFY(!confirm->isEnabled());
            child<QLineEdit>(dialog, "emptyTrashCount")->setText("3");
            QVERIFY(!confirm->isEnabled());
            dialog.reject();
        });
        QVERIFY(std::filesystem::exists(folder / "a.log"));
        answer([](EmptyTrashDialog& dialog) {
            child<QLineEdit>(dialog, "emptyTrashCount")->setText("2");
            child<QPushButton>(dialog, "emptyTrashConfirm")->click();
        });
        QTRY_VERIFY(!std::filesystem::exists(folder));
        QTRY_COMPARE(fixture.services().library.reader().runs({.trashed = true}).value().size(), std::size_t{0});
        QCOMPARE(fixture.services().library.reader().runs().value().size(),
                 runs.groupA.size() + runs.groupB.size() - 2);
    }
};

QTEST_MAIN(TestEmptyTrash)
} // namespace test_empty_trash
#include "test_empty_trash.moc"
