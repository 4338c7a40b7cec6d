// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the library writes and reads windows. Goals: 20 000 rows/s and more while a million are inserted in the
// recorder's batches; an overlay of two runs with 100 000 windows each is read in less than 200 ms. Usage: bench_store
// [FOLDER]   (a folder on the disk to be measured; default: the temporary folder)
#include "core/base/clock.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace accumulus;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t batchRows = 500; // the recorder's
constexpr std::int64_t insertRows = 1'000'000;
constexpr std::int64_t overlayRows = 100'000;
constexpr int listedRuns = 10'000;

std::string runId(int number) { return fmt::format("{:08x}-0000-4000-8000-000000000000", number); }

RunRecord makeRun(int number) {
    RunRecord run;
    run.id = runId(number);
    run.name = fmt::format("run {}", number);
    run.seed = number;
    run.createdAt = 1.7e9 + number;
    return run;
}

/// Values that do not compress into small integers, as measured ones do not.
WindowRecord makeWindow(std::int64_t number) {
    const auto n = static_cast<double>(number);
    WindowRecord window;
    window.window = number;
    window.update = number;
    window.samples = number * 256;
    window.epochPosition = n * 256.0 / 60000.0;
    window.units = 256;
    window.microSteps = 8;
    window.loss = 2.3 * std::exp(-n / 1e5) + 0.01 * std::sin(n);
    window.lr = 0.01 * std::cos(n / 1e6);
    window.gradNorm = 1.0 + 0.1 * std::sin(n * 0.7);
    window.noiseS = 3.0 + std::cos(n);
    window.noiseG2 = 0.1 * std::sin(n);
    window.seconds = 0.0123 + 1e-4 * std::sin(n);
    window.activeSeconds = 0.0123 * n;
    window.wallTime = 1.7e9 + 0.0125 * n;
    window.peakBytes = 123456789;
    return window;
}

void check(bool good, const char* what) {
    if (!good) {
        std::fprintf(stderr, "failed: %s\n", what);
        std::exit(1);
    }
}

void insert(RunStore& store, const std::string& run, std::int64_t count) {
    std::vector<WindowRecord> batch(static_cast<std::size_t>(batchRows));
    for (std::int64_t first = 1; first <= count; first += batchRows) {
        for (std::int64_t i = 0; i < batchRows; ++i)
            batch[static_cast<std::size_t>(i)] = makeWindow(first + i);
        check(store.begin() && store.addWindows(run, 1, batch) && store.heartbeat(run, 1.7e9) && store.commit(),
              "insert");
    }
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void overlay(const fs::path& file, unsigned metrics, const char* name) {
    std::vector<double> milliseconds;
    std::vector<double> processor; // of this process alone: on a busy machine the one that tells
    for (int repeat = 0; repeat < 9; ++repeat) {
        RunReader reader(Library::open(file, Library::Mode::Read).value()); // without a warm page cache of its own
        const Stopwatch stopwatch;
        const std::clock_t before = std::clock();
        const auto a = reader.windowColumns(runId(1), metrics);
        const auto b = reader.windowColumns(runId(2), metrics);
        milliseconds.push_back(stopwatch.seconds() * 1e3);
        processor.push_back(double(std::clock() - before) * 1e3 / CLOCKS_PER_SEC);
        check(a && b && std::int64_t(a->size()) == overlayRows && std::int64_t(b->size()) == overlayRows, "overlay");
    }
    fmt::print("overlay of 2 x {} windows, {}: {:.0f} ms, {:.0f} ms of processor time (medians of 9)\n", overlayRows,
               name, median(milliseconds), median(processor));
}

void list(const fs::path& file) {
    RunReader reader(Library::open(file, Library::Mode::Read).value());
    for (const char* what : {"first", "again"}) {
        const Stopwatch stopwatch;
        const auto runs = reader.runs();
        check(runs && std::int64_t(runs->size()) >= listedRuns, "list");
        fmt::print("list {} runs, {}: {:.0f} ms\n", runs->size(), what, stopwatch.seconds() * 1e3);
    }
}

} // namespace

int main(int count, char** arguments) {
    const fs::path parent = count > 1 ? fs::path(arguments[1]) : fs::temp_directory_path();
    const fs::path folder = parent / fmt::format("accumulus-bench-{}", getpid());
    const fs::path file = folder / "library.sqlite";
    {
        auto opened = Library::open(file, Library::Mode::Write);
        check(opened.has_value(), "open");
        RunStore store(std::move(*opened));
        for (int number = 1; number <= 3; ++number)
            check(store.addRun(makeRun(number)).has_value(), "add a run");
        insert(store, runId(1), overlayRows);
        insert(store, runId(2), overlayRows);
        const Stopwatch stopwatch;
        insert(store, runId(3), insertRows);
        const double seconds = stopwatch.seconds();
        fmt::print("insert {} windows in batches of {}: {:.0f} rows/s, {:.0f} bytes a row\n", insertRows, batchRows,
                   double(insertRows) / seconds, double(fs::file_size(file)) / double(insertRows + 2 * overlayRows));
        check(store.begin().has_value(), "begin");
        for (int number = 4; number <= listedRuns; ++number)
            check(store.addRun(makeRun(number)).has_value(), "add a run");
        check(store.commit().has_value(), "commit");
    }
    overlay(file, MetricLoss, "loss");
    overlay(file, MetricAll, "all metrics");
    list(file);
    fs::remove_all(folder);
    return 0;
}
