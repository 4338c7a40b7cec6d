// SPDX-License-Identifier: GPL-3.0-or-later
// The Library page of the real window beside the library's file, asked in SQL by a connection of its own.
#pragma once

#include "core/store/run_store.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/models/run_list_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <SQLiteCpp/SQLiteCpp.h>

namespace accumulus::ui {

/// Milliseconds that a connection of SQLite's own waits for the window's.
inline constexpr int sqlPatience = 5000;

/// The number that a query gives.
[[nodiscard]] inline int askSql(const std::filesystem::path& library, const std::string& sql) {
    SQLite::Database database(library.string(), SQLite::OPEN_READONLY, sqlPatience);
    return database.execAndGet(sql).getInt();
}

/// "5 runs"; "5 run(s)" where the plural is not translated yet.
[[nodiscard]] inline bool saysPlural(const QString& text, const QString& before, const QString& word) {
    return text == before + word + QLatin1Char('s') || text == before + word + QStringLiteral("(s)");
}

[[nodiscard]] inline RunStore storeOf(const WorkbenchFixture& fixture) {
    return RunStore(Library::open(fixture.library(), Library::Mode::Write).value());
}

[[nodiscard]] inline RunListModel& runList(WorkbenchFixture& fixture) {
    return *qobject_cast<RunListModel*>(fixture.find<QTableView>("runTable")->model());
}

inline void showLibrary(WorkbenchFixture& fixture, int rows) {
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE_WITH_TIMEOUT(runList(fixture).rowCount(), rows, patience);
}

/// Clicks the rows as a person does, the second and later ones with Ctrl.
inline void clickRows(WorkbenchFixture& fixture, const QList<int>& rows) {
    auto* table = fixture.find<QTableView>("runTable");
    for (const int row : rows) {
        const QModelIndex index = table->model()->index(row, static_cast<int>(RunColumn::Name));
        table->scrollTo(index);
        const QRect cell = table->visualRect(index);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, row == rows.front() ? Qt::NoModifier : Qt::ControlModifier,
                          QPoint(cell.left() + cell.width() / 2, cell.center().y()));
    }
    QCOMPARE(table->selectionModel()->selectedRows().size(), rows.size());
}

inline void clickHeader(WorkbenchFixture& fixture, RunColumn column, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    auto* table = fixture.find<QTableView>("runTable");
    table->scrollTo(table->model()->index(0, static_cast<int>(column)));
    const QHeaderView* header = table->horizontalHeader();
    const int middle =
        header->sectionViewportPosition(static_cast<int>(column)) + header->sectionSize(static_cast<int>(column)) / 2;
    QTest::mouseClick(header->viewport(), Qt::LeftButton, keys, QPoint(middle, header->height() / 2));
}

} // namespace accumulus::ui
