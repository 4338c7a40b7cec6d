// SPDX-License-Identifier: GPL-3.0-or-later
// A Chinese window over a library that was written in English: what happened in a run, and why it failed, is Chinese
// where the library keeps the message, and stands as it was told where it keeps the text alone.
#include "core/base/kept_message.h"
#include "tests/workbench/library_in_window.h"
#include "widgets/style/format.h"

#include <QRegularExpression>
#include <QTabWidget>
#include <QTreeWidget>

namespace test_kept_sentences {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

const QString known = QStringLiteral("known"), old = QStringLiteral("old");
constexpr int eventCount = 3; ///< of each

Error failed() { return {"training.all-skipped", {{"windows", "3"}}}; }
Message skipped() { return {"training.skipped", {{"window", "7"}, {"place", ""}}}; }
Error damaged() { return {"checkpoint.format", {{"file", "a.resume"}, {"reason", "reason.not-a-bundle"}}}; }
Message passedOver() {
    return {"run.bundle-passed-over",
            {{"reasons", messagesArgument({damaged()})}, {"file", "b.resume"}, {"update", "20"}}};
}

EventRecord eventOf(const Message& message, const std::string& text) {
    return {1'790'000'003.0, "warning", message.code, text, 2, message.arguments};
}

/// Two failed runs, whose library keeps the messages of the one that is known.
void addRuns(WorkbenchFixture& fixture) {
    RunStore store = storeOf(fixture);
    for (const QString& name : {known, old}) {
        RunRecord run;
        run.id = name.toStdString();
        run.name = run.id;
        run.createdAt = 1'790'000'000.0;
        QVERIFY(store.addRun(run));
        std::vector<EventRecord> events{eventOf(skipped(), messageText(skipped())),
                                        eventOf(passedOver(), messageText(passedOver())),
                                        eventOf({"of.tomorrow", {{"a", "b"}}}, "Said by another version.")};
        if (name == old)
            events.front().arguments.reset();
        QVERIFY(store.addEvents(run.id, events));
        QVERIFY(store.finishRun(run.id, RunState::Failed, {}, 1'790'000'009.0, describe(failed()),
                                name == known ? std::optional(failed()) : std::nullopt));
    }
}

int rowOf(WorkbenchFixture& fixture, const QString& name) {
    const RunListModel& runs = runList(fixture);
    for (int row = 0; row < runs.rowCount(); ++row)
        if (runs.index(row, static_cast<int>(RunColumn::Name)).data().toString() == name)
            return row;
    qWarning("no run %s", qPrintable(name));
    return 0;
}

QStringList valuesOf(const QTreeWidget& tree) {
    QStringList values;
    for (int row = 0; row < tree.topLevelItemCount(); ++row)
        values << tree.topLevelItem(row)->text(1);
    return values;
}

bool isChinese(const QString& text) {
    static const QRegularExpression letters(QStringLiteral("\\p{Han}"));
    return text.contains(letters);
}

} // namespace

class TestKeptSentences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreReadInTheLanguageOfTheWindow() {
        WorkbenchFixture fixture;
        addRuns(fixture);
        fixture.setLanguage(QStringLiteral("zh_CN"));
        showLibrary(fixture, 2);
        const QString english = QString::fromStdString(describe(failed()));

        const int row = rowOf(fixture, known);
        clickRows(fixture, {row});
        auto* events = fixture.find<QTreeWidget>("inspectorEvents");
        QTRY_COMPARE_WITH_TIMEOUT(events->topLevelItemCount(), eventCount, patience);
        const QString happened = valuesOf(*events).front();
        QVERIFY2(isChinese(happened) && happened.contains(QLatin1Char('7')), qPrintable(happened));
        QCOMPARE(happened, format::note(skipped()));
        // What it is about is a message of its own.
        const QString damage = format::error(damaged());
        QVERIFY2(isChinese(damage) && valuesOf(*events).at(1).contains(damage), qPrintable(valuesOf(*events).at(1)));
        QCOMPARE(valuesOf(*events).back(), QStringLiteral("Said by another version."));
        const QString why = format::error(failed());
        QVERIFY2(isChinese(why), qPrintable(why));
        QVERIFY(valuesOf(*fixture.find<QTreeWidget>("inspectorOverview")).contains(why));
        const auto toolTip = [&](int at) {
            return runList(fixture).index(at, static_cast<int>(RunColumn::Status)).data(Qt::ToolTipRole).toString();
        };
        QCOMPARE(toolTip(row), why);

        const int oldRow = rowOf(fixture, old);
        clickRows(fixture, {oldRow});
        QTRY_COMPARE_WITH_TIMEOUT(events->topLevelItemCount(), eventCount, patience);
        QTRY_COMPARE_WITH_TIMEOUT(valuesOf(*events).front(), QString::fromStdString(messageText(skipped())), patience);
        QVERIFY(valuesOf(*fixture.find<QTreeWidget>("inspectorOverview")).contains(english));
        QCOMPARE(toolTip(oldRow), english);
    }

    /// Whoever reads Chinese searches in Chinese.
    void theyAreFoundByWhatIsShown() {
        WorkbenchFixture fixture;
        addRuns(fixture);
        fixture.setLanguage(QStringLiteral("zh_CN"));
        showLibrary(fixture, 2);
        fixture.find<QLineEdit>("libraryFilter")->setText(format::error(failed()).left(6));
        QTRY_COMPARE_WITH_TIMEOUT(runList(fixture).rowCount(), 1, patience);
        QCOMPARE(rowOf(fixture, known), 0);
    }
};

QTEST_MAIN(TestKeptSentences)
} // namespace test_kept_sentences
#include "test_kept_sentences.moc"
