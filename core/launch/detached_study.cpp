// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/detached_study.h"

#include "core/base/atomic_file.h"
#include "core/base/shell_word.h"
#include "core/launch/child_talk.h"
#include "core/launch/event_stream.h"
#include "core/launch/slurm.h"
#include "core/store/run_reader.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace accumulus {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr auto lookAtPending = std::chrono::seconds(2);
constexpr auto lookAtJob = std::chrono::seconds(10);
// Until what was written elsewhere is seen here, on a file system that machines share.
constexpr auto settlesAfterCode = std::chrono::seconds(2);
constexpr auto settlesAfterJob = std::chrono::seconds(30);
constexpr auto grace = std::chrono::seconds(10);         // from SIGTERM to SIGKILL
constexpr auto lastQuestion = std::chrono::seconds(30);  // for Done
constexpr auto longestTale = std::chrono::seconds(1);    // until the follower is listened to again
constexpr int shellSignal = 128;                         // what a shell adds to a signal in its exit code
constexpr std::string_view launchMark = R"({"launch":)"; // no event begins like that

/// What trains, and says at its end how it ended.
Result<std::string> scriptOf(const Journal& journal, const DetachedTask& task) {
    const std::string cli = findCli();
    if (cli.empty())
        return failure("launch.cli-missing", {});
    std::string command = posixWord(cli);
    command += task.resumes.empty() ? " run -" : " resume " + posixWord(task.resumes);
    command += " --events --commands commands --commands-so-far"; // whoever follows may ask before it listens
    if (!task.library.empty())
        command += " --library " + posixWord(task.library);
    if (task.ranks > 1)
        command += " --ranks " + std::to_string(task.ranks);
    for (const std::string& option : task.options)
        command += " " + posixWord(option);
    command += task.resumes.empty() ? " <experiment.toml" : " </dev/null";
    return "#!/bin/sh\n# Trains a study whose follower may come and go. Its events are appended to a file.\ncd " +
           posixWord(journal.folder().string()) +
           " || exit\nmkdir begun || exit # once only\ntrap : TERM # it waits for who ends in order\n" + command +
           " >>events 2>>log\ncode=$?\necho \"$code\" >exit-code.new && mv exit-code.new exit-code\nexit \"$code\"\n";
}

/// Where the trainer stands, asked again now and then.
class Watch {
public:
    Watch(const Journal& journal, Journal::Trainer trainer) : m_journal(journal), m_trainer(std::move(trainer)) {}

    [[nodiscard]] const slurm::JobState& job() const { return m_job; }
    [[nodiscard]] const Journal::Trainer& trainer() const { return m_trainer; }

    void look() {
        if (m_trainer.job.empty() || Clock::now() < m_nextLook)
            return;
        const slurm::JobState now = slurm::stateOf(m_trainer.job);
        m_job = now.state.empty() ? m_job : now;
        m_nextLook = Clock::now() + (m_job.isPending() ? lookAtPending : lookAtJob);
    }
    [[nodiscard]] bool isOver() {
        if (m_journal.exitCode())
            return true;
        return m_trainer.job.empty() ? Journal::isGone(m_trainer) : m_job.isOver();
    }
    /// It is over, and has been silent for as long as its last words may take to be seen here.
    [[nodiscard]] bool hasSettled() {
        if (!isOver())
            heard();
        else
            m_silentSince = std::min(m_silentSince, Clock::now());
        const bool isKnown = m_trainer.job.empty() || m_journal.exitCode();
        return m_silentSince != Clock::time_point::max() &&
               Clock::now() - m_silentSince > (isKnown ? settlesAfterCode : settlesAfterJob);
    }
    void heard() { m_silentSince = Clock::time_point::max(); }
    void end() {
        if (!m_trainer.job.empty())
            return slurm::cancel(m_trainer.job);
        if (lifeOf(m_trainer.process) != OwnerLife::Alive)
            return;
        signal(m_killAt ? SIGKILL : SIGTERM);
        m_killAt = m_killAt.value_or(Clock::now() + grace);
    }
    void insist() {
        if (m_killAt && Clock::now() > *m_killAt && lifeOf(m_trainer.process) == OwnerLife::Alive)
            signal(SIGKILL);
    }

private:
    /// The whole session's first group: the shell and what it has started.
    void signal(int number) const { ::kill(-static_cast<pid_t>(m_trainer.process.pid), number); }

    const Journal& m_journal;
    Journal::Trainer m_trainer;
    slurm::JobState m_job;
    Clock::time_point m_nextLook{};
    Clock::time_point m_silentSince = Clock::time_point::max();
    std::optional<Clock::time_point> m_killAt;
};

/// Did the study pause last, as far as it was followed?
bool wasPaused(const Journal& journal, std::int64_t until) {
    bool paused = false;
    TailedFile before(journal.events());
    std::int64_t read = 0;
    while (read < until) {
        std::string_view lines = before.read().substr(0, static_cast<std::size_t>(until - read));
        if (lines.empty())
            break;
        read += static_cast<std::int64_t>(lines.size());
        for (std::size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
            const std::string_view line = lines.substr(0, end);
            lines.remove_prefix(end + 1);
            if (line.find("\"run-state-changed\"") == std::string_view::npos)
                continue;
            const auto event = eventOfLine(line);
            if (const auto* changed = event ? std::get_if<RunStateChanged>(&*event) : nullptr)
                paused = changed->state == RunState::Paused;
        }
    }
    return paused;
}

/// Is the end of the study among these lines?
bool holdsEnd(std::string_view lines) {
    const std::size_t last = lines.substr(0, lines.size() - 1).rfind('\n');
    const std::string_view line = lines.substr(last == std::string_view::npos ? 0 : last + 1);
    return line.find("\"event\":\"study-finished\"") != std::string_view::npos;
}

void takeJob(LaunchNews& news, const slurm::JobState& job) {
    news.state = job.state;
    news.reason = job.reason;
    news.nodes = job.nodes;
}

/// A follower notes in its library what it follows: where that stands, both sides would write the same rows.
Status requireOtherLibrary(const std::filesystem::path& library, const std::string& launch) {
    std::error_code unknown;
    if (!std::filesystem::exists(library, unknown))
        return {};
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write)); // it may be of an older version
    ACCUMULUS_TRY_ASSIGN(const auto launches, RunReader(std::move(opened)).launches());
    if (std::ranges::find(launches, launch, &LaunchRecord::id) == launches.end())
        return {};
    return failure("journal.same-library", {{"file", library.string()}});
}

Status start(const Journal& journal, const DetachedTask& task) {
    ACCUMULUS_TRY_ASSIGN(const std::string script, scriptOf(journal, task));
    ACCUMULUS_TRY(writeFileAtomically(journal.experiment(), task.experiment));
    ACCUMULUS_TRY(writeFileAtomically(journal.script(), script));
    if (!task.slurm) {
        ACCUMULUS_TRY_ASSIGN(const auto pid, startDetached({"/bin/sh", journal.script().string()}));
        const Status noted = journal.setTrainer(Journal::trainerHere(pid));
        if (!noted) // nobody could reach it
            endDetached(pid, grace);
        return noted;
    }
    const std::string name = "accumulus-" + journal.folder().filename().string();
    ACCUMULUS_TRY_ASSIGN(const std::string job,
                         slurm::submit(journal.script(), journal.log(), name, task.ranks, *task.slurm));
    const Status noted = journal.setTrainer({{}, {}, job});
    if (!noted)
        slurm::cancel(job);
    return noted;
}

} // namespace

Status beginDetached(const Journal& journal, const DetachedTask& task, const std::filesystem::path& library) {
    std::error_code unknown;
    ACCUMULUS_TRY(requireOtherLibrary(library, journal.folder().filename().string()));
    const bool says = !task.experiment.empty() || !task.resumes.empty();
    if (!says && !std::filesystem::exists(journal.folder(), unknown))
        return failure("journal.unknown", {{"folder", journal.folder().string()}});
    ACCUMULUS_TRY_ASSIGN(const auto lock, journal.lock());
    if (journal.trainer())
        return {};
    if (!says)
        return failure("journal.unknown", {{"folder", journal.folder().string()}});
    journal.removeAbandoned();
    const Status begun = start(journal, task);
    if (!begun)
        journal.remove();
    return begun;
}

std::string launchLine(const LaunchNews& news) {
    const json line = {{"program", news.program}, {"files", news.files},    {"paused", news.paused},
                       {"job", news.job},         {"state", news.state},    {"reason", news.reason},
                       {"nodes", news.nodes},     {"ended", news.ended},    {"exit_code", news.exitCode},
                       {"remark", news.remark},   {"follows", news.follows}};
    return std::string(launchMark) + line.dump(-1, ' ', false, json::error_handler_t::replace) + "}\n";
}

std::optional<LaunchNews> launchNewsOf(std::string_view line) {
    if (!line.starts_with(launchMark))
        return std::nullopt;
    const json whole = json::parse(line, nullptr, false);
    if (!whole.is_object() || !whole["launch"].is_object())
        return std::nullopt;
    const json& said = whole["launch"];
    const auto text = [&](const char* name) {
        const auto found = said.find(name);
        return found != said.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto flag = [&](const char* name) { return said.find(name) != said.end() && said[name] == true; };
    LaunchNews news;
    news.program = text("program");
    news.files = text("files");
    news.follows = flag("follows");
    news.paused = flag("paused");
    news.job = text("job");
    news.state = text("state");
    news.reason = text("reason");
    news.nodes = text("nodes");
    news.ended = flag("ended");
    news.remark = text("remark");
    if (const auto code = said.find("exit_code"); code != said.end() && code->is_number_integer())
        news.exitCode = code->get<int>();
    return news;
}

void followJournal(const Journal& journal, std::int64_t after, const std::string& files, const std::string& program,
                   const std::function<bool(std::string_view)>& say,
                   const std::function<std::optional<std::vector<LaunchVerb>>()>& asked) {
    Watch watch(journal, journal.trainer().value_or(Journal::Trainer()));
    LaunchNews news;
    news.program = program;
    news.files = files;
    news.follows = true;
    news.paused = wasPaused(journal, after);
    news.job = watch.trainer().job;
    std::optional<TailedFile> events(std::in_place, journal.events(), after);
    std::vector<LaunchVerb> wishes;
    bool finished = false;
    std::string told;
    std::optional<Clock::time_point> lastChance;
    for (;;) {
        watch.look();
        watch.insist();
        takeJob(news, watch.job());
        if (watch.isOver()) // asked first: what it said before is there then, or will be soon
            events->reopen();
        const auto listensAt = Clock::now() + longestTale; // events may come faster than the connection takes them
        std::string_view lines;
        while (Clock::now() < listensAt && !(lines = events->read()).empty()) {
            if (told.empty() && !say(told = launchLine(news)))
                return;
            if (!say(lines))
                return;
            finished = finished || holdsEnd(lines);
            watch.heard();
        }
        if (!finished && !news.ended && watch.hasSettled()) {
            news.ended = true;
            news.exitCode = journal.exitCode().value_or(shellSignal + SIGKILL);
            news.remark = journal.lastRemark();
        }
        if (const std::string line = launchLine(news); line != told && !say(told = line))
            return;
        if ((finished || news.ended) && !lastChance)
            lastChance = Clock::now() + lastQuestion;
        if (lastChance && Clock::now() > *lastChance)
            return;
        const auto verbs = asked();
        if (!verbs)
            return;
        wishes.insert(wishes.end(), verbs->begin(), verbs->end());
        if (std::ranges::find(wishes, LaunchVerb::Done) != wishes.end()) {
            events.reset(); // a file that is open could not go everywhere
            return lastChance ? journal.remove() : void();
        }
        // What cannot be written now, on a full disk, is tried again.
        std::erase_if(wishes, [&](LaunchVerb verb) {
            const bool stops = verb == LaunchVerb::Stop || verb == LaunchVerb::StopNow;
            if (verb != LaunchVerb::End && !(stops && watch.job().isPending()))
                return journal.ask(launchVerbName(verb)).has_value();
            watch.end();
            return true;
        });
    }
}

} // namespace accumulus
