// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of the groups while the library changes: what is selected stays selected, whatever its row.
#include "widgets/pages/compare/group_editor.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace test_group_editor {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

std::vector<RunRecord> someRuns(int count) {
    std::vector<RunRecord> runs;
    for (int number = 0; number < count; ++number) {
        RunRecord run;
        run.id = "id-" + std::to_string(number);
        run.name = "run " + std::to_string(number);
        run.state = RunState::Running;
        run.createdAt = 1'700'000'000.0 + number;
        runs.push_back(run);
    }
    return runs;
}

} // namespace

class TestGroupEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_theme = std::make_unique<Theme>(*qApp);
        m_editor = std::make_unique<GroupEditor>(*m_theme);
        m_editor->resize(900, 500);
        m_editor->show();
        m_editor->setGroups({{"id-0"}, {}});
        m_editor->setRuns(someRuns(6));
        table()->selectRow(2);
        QCOMPARE(selected(), QStringList("run 4"));
    }
    void cleanup() {
        m_editor.reset();
        m_theme.reset();
    }

    void whileARunTrains() {
        auto runs = someRuns(6);
        runs[1].state = RunState::Completed;
        m_editor->setRuns(runs);
        QCOMPARE(selected(), QStringList("run 4"));
    }

    void whileRunsComeAndGo() {
        auto runs = someRuns(9);
        runs.erase(runs.begin() + 5);
        m_editor->setRuns(runs);
        QCOMPARE(selected(), QStringList("run 4"));
        QCOMPARE(table()->currentIndex().siblingAtColumn(GroupModel::Name).data().toString(), QString("run 4"));
        QVERIFY(intoB()->isEnabled());
        runs.erase(runs.begin() + 4);
        m_editor->setRuns(runs); // it has gone itself
        QCOMPARE(selected(), QStringList());
        QVERIFY(!intoB()->isEnabled());
    }

    void whileAFilterHidesSome() {
        m_editor->findChild<QLineEdit*>("compare.runFilter")->setText("run 4");
        m_editor->setRuns(someRuns(7));
        QCOMPARE(selected(), QStringList("run 4"));
        intoB()->click();
        m_editor->setGroups({{"id-0"}, {"id-4"}, {}});
        QCOMPARE(selected(), QStringList("run 4"));
    }

private:
    [[nodiscard]] QTableView* table() { return m_editor->findChild<QTableView*>("compare.runTable"); }
    [[nodiscard]] QPushButton* intoB() { return m_editor->findChild<QPushButton*>("compare.intoB"); }
    [[nodiscard]] QStringList selected() {
        QStringList names;
        for (const QModelIndex& row : table()->selectionModel()->selectedRows(GroupModel::Name))
            names << row.data().toString();
        return names;
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<GroupEditor> m_editor;
};

QTEST_MAIN(TestGroupEditor)
} // namespace test_group_editor
#include "test_group_editor.moc"
