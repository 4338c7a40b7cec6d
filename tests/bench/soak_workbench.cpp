// SPDX-License-Identifier: GPL-3.0-or-later
// Trains in the real window, offscreen, with the plots live, while pages, languages, themes and sizes change. Prints
// memory, stalls and updates every 30 seconds, and at the end how memory grew after the first third and whether every
// row that was told is in the library. Fails where a row is lost, or a limit is exceeded.
//   soak_workbench MINUTES [--still] [--growth=MB_PER_HOUR] [--stall=MILLISECONDS] [KEY=VALUE ...]
// --still: the Live page stays as it is.
#include "app/workbench/application.h"
#include "app/workbench/page_table.h"
#include "core/base/log.h"
#include "core/config/config_fields.h"
#include "tests/bench/offscreen_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QRegularExpression>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace accumulus;
using namespace accumulus::ui;
using namespace std::chrono_literals;

namespace {

constexpr auto turnInterval = 700ms;
constexpr auto reportInterval = 30s;
constexpr int turnsPerTheme = 8, turnsPerLanguage = 20, turnsPerSize = 5;
constexpr QSize narrow(1280, 720);

double residentMegabytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0.0;
    return file.readAll().split(' ').value(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// By the person; nothing: none.
struct Limits {
    std::optional<double> growth, stall;

    /// False: it is no limit.
    bool take(const char* argument) {
        for (const auto& [name, limit] : {std::pair{"--growth=", &growth}, {"--stall=", &stall}})
            if (const std::string_view given(argument); given.starts_with(name))
                return (*limit = std::atof(argument + std::strlen(name))).has_value();
        return false;
    }
};

/// Memory over time; its growth is the slope of the line through the later two thirds.
class Growth {
public:
    void add(double seconds, double megabytes) { m_points.emplace_back(seconds, megabytes); }

    [[nodiscard]] double perHour() const {
        const double warm = m_points.empty() ? 0.0 : m_points.back().first / 3.0;
        double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
        for (const auto& [seconds, megabytes] : m_points)
            if (seconds >= warm) {
                n += 1.0;
                x += seconds;
                y += megabytes;
                xx += seconds * seconds;
                xy += seconds * megabytes;
            }
        const double spread = n * xx - x * x;
        return spread > 0.0 ? 3600.0 * (n * xy - x * y) / spread : 0.0;
    }

private:
    std::vector<std::pair<double, double>> m_points;
};

struct Counted {
    std::size_t windows = 0, evaluations = 0; ///< that the pages were told
};

/// That the window's own watch has written into the log.
struct Stalls {
    std::atomic<int> count = 0, longest = 0; ///< longest in ms
};

/// What the log says of a stall, in the language that the window has just now.
int stallOf(const std::string& message) {
    const QString sentence =
        QCoreApplication::translate("accumulus::ui::StallWatch", "The window did not answer for %1 ms (%2).");
    const QString pattern = QRegularExpression::escape(sentence)
                                .replace(QRegularExpression::escape(QStringLiteral("%1")), QStringLiteral("(\\d+)"))
                                .replace(QRegularExpression::escape(QStringLiteral("%2")), QStringLiteral(".*"));
    return QRegularExpression(pattern).match(QString::fromStdString(message)).captured(1).toInt();
}

/// What a restless person does next: another language, another theme, another size of the window, or another page.
void turn(Application& workbench, int number) {
    if (number % turnsPerLanguage == turnsPerLanguage - 1) {
        workbench.setLanguage(workbench.language() == QLatin1String("en") ? QStringLiteral("zh_CN")
                                                                          : QStringLiteral("en"));
        return;
    }
    if (number % turnsPerTheme == turnsPerTheme - 1) {
        workbench.theme().setMode(workbench.theme().mode() == ThemeMode::Dark ? ThemeMode::Light : ThemeMode::Dark);
        return;
    }
    if (number % turnsPerSize == turnsPerSize - 1) {
        const bool wide = workbench.window().width() > narrow.width();
        workbench.window().resize(wide ? narrow : QSize(1600, 1000));
        return;
    }
    const auto& pages = pageTable();
    // Every other page is Live: its plots are what moves.
    workbench.window().showPage(number % 2
                                    ? QStringLiteral("live")
                                    : QLatin1String(pages[static_cast<std::size_t>(number / 2) % pages.size()].id));
}

/// Rows of all runs in the library.
Counted stored(RunReader& reader) {
    Counted found;
    for (const RunRecord& run : reader.runs().value_or(std::vector<RunRecord>{})) {
        found.windows += reader.windows(run.id).value_or(std::vector<WindowRecord>{}).size();
        found.evaluations += reader.evaluations(run.id).value_or(std::vector<EvaluationRecord>{}).size();
    }
    return found;
}

template <class Condition>
bool waitUntil(Condition condition, std::chrono::milliseconds longest) {
    QElapsedTimer clock;
    clock.start();
    while (!condition() && !clock.hasExpired(longest.count())) {
        QEventLoop loop;
        QTimer::singleShot(20ms, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return condition();
}

} // namespace

int main(int argc, char** argv) {
    const int minutes = argc > 1 ? std::atoi(argv[1]) : 0;
    if (minutes <= 0) {
        std::fprintf(stderr, "usage: soak_workbench MINUTES [--still] [--growth=MB_PER_HOUR] [--stall=MILLISECONDS] "
                             "[KEY=VALUE ...]\n");
        return 2;
    }
    ExperimentConfig experiment;
    experiment.run.data.trainLimit = 10'000;
    experiment.run.data.testLimit = 1'000;
    experiment.run.train.length = {1'000'000, Extent::Unit::Epochs};
    experiment.run.checkpoint.every = {10, Extent::Unit::Epochs};
    experiment.study.seeds = {0};
    Limits limits;
    bool still = false;
    for (int i = 2; i < argc; ++i)
        if (std::string_view(argv[i]) == "--still") {
            still = true;
        } else if (limits.take(argv[i])) {
            continue;
        } else if (const Status set = applyAssignment(experiment, argv[i]); !set) {
            std::fprintf(stderr, "%s\n", describe(set.error()).c_str());
            return 2;
        }
    const test::OffscreenHome home;
    QSettings().setValue(QStringLiteral("view/language"), QStringLiteral("en"));
    QApplication application(argc, argv);
    Application workbench(application, {home.library(), false});
    workbench.start();
    RunController& runs = workbench.runs();
    const auto fail = [](const char* why) {
        std::fprintf(stderr, "%s\n", why);
        return 1;
    };
    if (!waitUntil([&] { return workbench.library().isOpen(); }, 10s))
        return fail("the library does not open");
    Counted counted;
    QObject::connect(&runs, &RunController::eventsArrived, &application, [&](const std::vector<RunEvent>& events) {
        for (const RunEvent& event : events) {
            counted.windows += std::holds_alternative<WindowClosed>(event) ? 1U : 0U;
            counted.evaluations += std::holds_alternative<Evaluated>(event) ? 1U : 0U;
        }
    });
    runs.start(experiment);
    if (!waitUntil([&] { return counted.windows > 0; }, 120s))
        return fail("nothing trains within two minutes");

    const auto stalls = std::make_shared<Stalls>();
    addLogReceiver([stalls](LogLevel, const std::string& message) {
        if (const int milliseconds = stallOf(message); milliseconds > 0) {
            ++stalls->count;
            stalls->longest = std::max<int>(stalls->longest, milliseconds);
        }
    });
    QElapsedTimer clock;
    clock.start();
    Growth growth;
    const auto report = [&] {
        growth.add(static_cast<double>(clock.elapsed()) / 1000.0, residentMegabytes());
        std::printf("%4lld s  %7.1f MB  %8zu updates  %4d stalls above 100 ms, the longest %d ms\n",
                    static_cast<long long>(clock.elapsed() / 1000), residentMegabytes(), counted.windows,
                    stalls->count.load(), stalls->longest.load());
        std::fflush(stdout);
    };
    report();
    int turns = 0;
    QTimer turner, reporter;
    QObject::connect(&turner, &QTimer::timeout, &application, [&] { turn(workbench, turns++); });
    QObject::connect(&reporter, &QTimer::timeout, &application, report);
    if (still)
        turn(workbench, 1); // to the Live page
    else
        turner.start(turnInterval);
    reporter.start(reportInterval);
    const bool ended = waitUntil([&] { return !runs.busy(); }, std::chrono::minutes(minutes));
    turner.stop();
    reporter.stop();
    report();
    runs.stop();
    if (ended || !waitUntil([&] { return !runs.busy(); }, 120s))
        return fail(ended ? "the run ended early" : "the run does not stop");
    const Counted kept = stored(workbench.library().reader());
    std::printf("rows told: %zu updates, %zu evaluations; in the library: %zu and %zu; lost: %zu; %d turns\n",
                counted.windows, counted.evaluations, kept.windows, kept.evaluations,
                counted.windows + counted.evaluations - kept.windows - kept.evaluations, turns);
    std::printf("memory after the first third: %+.1f MB/h; the longest stall: %d ms\n", growth.perHour(),
                stalls->longest.load());
    const bool whole = kept.windows == counted.windows && kept.evaluations == counted.evaluations;
    const bool steady = !limits.growth || growth.perHour() <= *limits.growth;
    const bool answers = !limits.stall || stalls->longest <= *limits.stall;
    if (!steady || !answers)
        std::fprintf(stderr, "%s\n", steady ? "a stall was too long" : "memory grew too fast");
    return whole && steady && answers ? 0 : 1;
}
