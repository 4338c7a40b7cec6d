// SPDX-License-Identifier: GPL-3.0-or-later
// How long the Library of the real window takes with many runs, offscreen: to open, to filter at each key, to group, to
// read again. Median of several rounds, in milliseconds, beside the budgets.
//   bench_library [RUNS]
#include "app/workbench/application.h"
#include "tests/bench/offscreen_window.h"
#include "tests/support/many_runs.h"
#include "widgets/models/run_list_model.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTableView>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int rounds = 5;
constexpr qint64 patience = 60'000; // milliseconds

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0.0 : values[values.size() / 2];
}

/// Turns the event loop until `done`.
void waitFor(const std::function<bool()>& done) {
    QElapsedTimer watch;
    watch.start();
    while (!done() && watch.elapsed() < patience)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
}

void print(const char* what, const std::vector<double>& milliseconds, int budget) {
    std::printf("%-34s %8.1f ms   (budget %d ms)\n", what, median(milliseconds), budget);
}

struct Times {
    std::vector<double> open, show, filter, group, again;
};

void measure(const std::filesystem::path& library, int runs, Times& times) {
    Application workbench(*qApp, {library, false, {}});
    workbench.start();
    waitFor([&] { return workbench.library().isOpen(); });
    QElapsedTimer watch;
    const auto milliseconds = [&watch] { return static_cast<double>(watch.nsecsElapsed()) * 1e-6; };
    auto* table = workbench.window().findChild<QTableView*>(QStringLiteral("runTable"));
    auto* filter = workbench.window().findChild<QLineEdit*>(QStringLiteral("libraryFilter"));
    auto* grouping = workbench.window().findChild<QComboBox*>(QStringLiteral("libraryGrouping"));
    grouping->setCurrentIndex(grouping->findData(static_cast<int>(RunGrouping::None))); // each run a row
    watch.start();
    workbench.window().showPage(QStringLiteral("library"));
    waitFor([&] { return table->model()->rowCount() == runs; });
    table->grab();
    times.open.push_back(milliseconds());

    workbench.window().showPage(QStringLiteral("home"));
    watch.start();
    waitFor([&] { return milliseconds() > 2000.0; }); // what other pages read is done
    watch.start();
    workbench.window().showPage(QStringLiteral("library"));
    workbench.window().grab();
    times.show.push_back(milliseconds());

    const QString query = QStringLiteral("B>=256 tag:paper NOT tag:tmp");
    double slowest = 0.0;
    for (qsizetype length = 1; length <= query.size(); ++length) {
        watch.start();
        filter->setText(query.left(length));
        table->grab();
        slowest = std::max(slowest, milliseconds());
    }
    times.filter.push_back(slowest);
    filter->clear();

    watch.start();
    grouping->setCurrentIndex(grouping->findData(static_cast<int>(RunGrouping::Configuration)));
    table->grab();
    times.group.push_back(milliseconds());
    grouping->setCurrentIndex(0);

    // As when another run has finished: everything is read again.
    const auto* model = qobject_cast<const RunListModel*>(table->model());
    const std::string run = model->record(0).id;
    bool changed = false;
    const auto connection = QObject::connect(model, &QAbstractItemModel::dataChanged, table, [&] { changed = true; });
    RunStore store(Library::open(library, Library::Mode::Write).value());
    const bool noted = store.rename(run, "renamed " + std::to_string(times.again.size())).has_value();
    QObject::connect(&workbench.library(), &LibraryGateway::changed, table, [&] { watch.start(); });
    waitFor([&] { return changed || !noted; });
    times.again.push_back(milliseconds());
    QObject::disconnect(connection);
}

} // namespace

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const test::OffscreenHome home;
    QApplication application(argc, argv);
    if (!home.writeLibrary([&](RunStore& store) { return test::addManyRuns(store, runs); }))
        return 1;
    Times times;
    for (int round = 0; round < rounds; ++round)
        measure(home.library(), runs, times);
    std::printf("%d runs\n", runs);
    print("open at the very start", times.open, 1000);
    print("show the page", times.show, 100);
    print("slowest key of a filter", times.filter, 150);
    print("group by configuration", times.group, 150);
    print("read again", times.again, 1000);
    return 0;
}
