// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/event_file.h"
#include "core/run/imported_run.h"
#include "core/run/measured_parse.h"
#include "core/run/run_export.h"
#include "core/run/run_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace accumulus {
namespace {

constexpr std::array<std::string_view, 2> splits{"test", "validation"};

tl::unexpected<Error> wrong(const std::filesystem::path& file, const char* reason) {
    return failure("import.events", {{"file", file.string()}, {"reason", reason}});
}

/// A float that was a value of a record: counters are whole again.
template <class Record>
void setFromFloat(Record& record, const MeasuredValue<Record>& value, double number) {
    std::visit(
        [&]<class Type>(Type Record::*member) {
            if constexpr (std::is_same_v<Type, bool>)
                record.*member = number != 0.0;
            else if constexpr (std::is_same_v<Type, std::int64_t> || std::is_same_v<Type, std::optional<std::int64_t>>)
                record.*member = std::abs(number) < 0x1p53 ? std::llround(number) - value.countedFrom : -1;
            else if constexpr (!std::is_same_v<Type, std::string>)
                record.*member = number;
        },
        value.member);
}

/// Our own files: the run is in them, and each window and evaluation is one group of scalars.
class OwnReader {
public:
    OwnReader(const EventFile& file, bool stepIsUpdates, ImportedRun& into)
        : m_file(file), m_updates(stepIsUpdates), m_into(into) {
        for (const WindowValue& value : windowValues())
            m_windows.emplace(eventTag(value.name), &value);
    }

    void read() {
        for (const ReadScalar& scalar : m_file.scalars) {
            const std::string& tag = m_file.tags[scalar.tag];
            if (const auto window = m_windows.find(tag); window != m_windows.end())
                readWindow(scalar, *window->second);
            else
                readEvaluation(scalar, tag);
        }
    }

private:
    void readWindow(const ReadScalar& scalar, const WindowValue& value) {
        if (value.name == "window") // the first of each group
            m_into.windows.emplace_back().wallTime = scalar.wallTime;
        if (m_into.windows.empty())
            return;
        WindowRecord& window = m_into.windows.back();
        setFromFloat(window, value, scalar.value);
        // The step is exact where a float is not.
        if (m_updates && value.name == "update")
            window.update = scalar.step;
        if (!m_updates && value.name == "samples")
            window.samples = scalar.step;
    }

    void readEvaluation(const ReadScalar& scalar, const std::string& tag) {
        for (const std::string_view split : splits) {
            if (!tag.starts_with(split) || tag.size() <= split.size() || tag[split.size()] != '/')
                continue;
            const auto* value = valueNamed(evaluationValues(), std::string_view(tag).substr(split.size() + 1));
            if (!value)
                continue;
            if (value->name == "count") { // likewise
                EvaluationRecord& evaluation = m_into.evaluations.emplace_back();
                evaluation.split = split;
                evaluation.wallTime = scalar.wallTime;
                place(evaluation, scalar.step);
            }
            if (!m_into.evaluations.empty())
                setFromFloat(m_into.evaluations.back(), *value, scalar.value);
        }
    }

    /// The other counter is that of the last window so far.
    void place(EvaluationRecord& evaluation, std::int64_t step) const {
        const WindowRecord* last = m_into.windows.empty() ? nullptr : &m_into.windows.back();
        std::int64_t updates = 0;
        for (auto window = m_into.windows.rbegin(); window != m_into.windows.rend() && updates == 0; ++window)
            updates = window->update.value_or(0);
        evaluation.update = m_updates ? step : updates;
        evaluation.samples = m_updates ? (last ? last->samples : 0) : step;
        evaluation.epochPosition = last ? last->epochPosition : 0.0;
    }

    const EventFile& m_file;
    bool m_updates;
    ImportedRun& m_into;
    std::map<std::string, const WindowValue*, std::less<>> m_windows;
};

/// False where the file names no run of ours.
bool readRun(const EventFile& file, ImportedRun& into, bool& stepIsUpdates) {
    const auto text = file.texts.find(eventRunTag);
    if (text == file.texts.end())
        return false;
    const auto first = text->second.find('{');
    const auto last = text->second.rfind('}');
    if (first == std::string::npos || last == std::string::npos || last < first)
        return false;
    const auto json = shallowJson(std::string_view(text->second).substr(first, last - first + 1));
    auto run = json ? runFromJson(*json) : std::nullopt;
    if (!run)
        return false;
    const auto step = json->find("step");
    stepIsUpdates = step == json->end() || !step->is_string() || step->get_ref<const std::string&>() == "updates";
    into.run = std::move(*run);
    into.study = studyFromJson(*json);
    return true;
}

/// What a tag of another program's file is for us.
struct Meaning {
    enum What { Loss, Accuracy, LearningRate, GradNorm } what = Loss;
    std::string_view split; ///< empty: training
    bool operator<(const Meaning& other) const { return std::pair(what, split) < std::pair(other.what, other.split); }
};

std::set<std::string> wordsOf(const std::string& tag) {
    std::set<std::string> words;
    std::string word;
    for (const char byte : tag + '/') {
        if (std::isalnum(static_cast<unsigned char>(byte)) != 0) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
        } else if (!word.empty()) {
            words.insert(std::move(word));
            word.clear();
        }
    }
    return words;
}

/// "train/loss", "Loss/validation", "learning_rate": the words of a value and of a split, and no other word.
std::optional<Meaning> meaningOf(const std::string& tag) {
    static const std::map<std::string, std::string_view> splitWords{{"test", "test"},
                                                                    {"eval", "test"},
                                                                    {"val", "validation"},
                                                                    {"valid", "validation"},
                                                                    {"validation", "validation"}};
    static const std::vector<std::pair<std::set<std::string>, Meaning::What>> values{
        {{"loss"}, Meaning::Loss},
        {{"accuracy"}, Meaning::Accuracy},
        {{"acc"}, Meaning::Accuracy},
        {{"lr"}, Meaning::LearningRate},
        {{"learning", "rate"}, Meaning::LearningRate},
        {{"grad", "norm"}, Meaning::GradNorm},
        {{"gradient", "norm"}, Meaning::GradNorm}};
    std::set<std::string> words = wordsOf(tag);
    Meaning meaning;
    for (const auto& [word, split] : splitWords)
        if (words.erase(word) > 0)
            meaning.split = split;
    words.erase("train");
    words.erase("training");
    const auto value = std::ranges::find(values, words, &std::pair<std::set<std::string>, Meaning::What>::first);
    if (value == values.end())
        return std::nullopt;
    meaning.what = value->second;
    const bool ofTraining = meaning.what == Meaning::LearningRate || meaning.what == Meaning::GradNorm;
    if (ofTraining ? !meaning.split.empty() : meaning.what == Meaning::Accuracy && meaning.split.empty())
        return std::nullopt;
    return meaning;
}

/// The files of other programs: scalars by step, whatever their order; of a step that comes twice the last counts.
class ForeignReader {
public:
    ForeignReader(const EventFile& file, const ImportOptions& options, ImportedRun& into)
        : m_file(file), m_options(options), m_into(into) {}

    /// The code of a reason; null: it went well.
    const char* read() {
        const auto meanings = meaningsOfTags();
        for (const ReadScalar& scalar : m_file.scalars) {
            const auto& meaning = meanings[scalar.tag];
            if (!meaning)
                continue;
            if (scalar.step < 0 || scalar.step > largestStep || !std::isfinite(scalar.wallTime) || scalar.wallTime < 0)
                return "reason.events-step";
            m_offset = m_offset || (meaning->split.empty() && scalar.step == 0);
            if (meaning->split.empty())
                setWindow(m_windows.try_emplace(scalar.step, emptyWindow()).first->second, scalar, meaning->what);
            else
                setEvaluation({scalar.step, meaning->split}, scalar, meaning->what);
        }
        dropWindowsWithoutLoss();
        if (m_windows.empty() && m_evaluations.empty())
            return "reason.events-nothing";
        place();
        return nullptr;
    }

private:
    static constexpr std::int64_t largestStep = std::int64_t{1} << 50;

    /// The first tag of a meaning stands for it. An accuracy in per cent is none of ours.
    [[nodiscard]] std::vector<std::optional<Meaning>> meaningsOfTags() const {
        std::vector<std::optional<Meaning>> meanings;
        std::set<Meaning> taken;
        for (const std::string& tag : m_file.tags) {
            auto meaning = meaningOf(tag);
            if (meaning && !taken.insert(*meaning).second)
                meaning.reset();
            meanings.push_back(meaning);
        }
        for (const ReadScalar& scalar : m_file.scalars)
            if (auto& meaning = meanings[scalar.tag];
                meaning && meaning->what == Meaning::Accuracy && !(scalar.value >= 0.0 && scalar.value <= 1.0))
                meaning.reset();
        return meanings;
    }

    static void setWindow(WindowRecord& window, const ReadScalar& scalar, Meaning::What what) {
        window.wallTime = scalar.wallTime;
        if (what == Meaning::Loss) {
            window.loss = scalar.value;
            window.nonfinite = !std::isfinite(scalar.value);
        } else if (what == Meaning::LearningRate) {
            window.lr = scalar.value;
        } else {
            window.gradNorm = window.clippedNorm = scalar.value;
        }
    }

    /// Of which nothing has been read.
    static WindowRecord emptyWindow() {
        WindowRecord window;
        window.loss = window.lr = window.gradNorm = std::numeric_limits<double>::quiet_NaN();
        return window;
    }

    struct Evaluated {
        EvaluationRecord record;
        bool hasLoss = false; ///< the file holds one
    };
    using Evaluations = std::map<std::pair<std::int64_t, std::string_view>, Evaluated>;

    void setEvaluation(const Evaluations::key_type& at, const ReadScalar& scalar, Meaning::What what) {
        auto& [evaluation, hasLoss] = m_evaluations[at];
        if (!hasLoss)
            evaluation.loss = std::numeric_limits<double>::quiet_NaN();
        evaluation.wallTime = scalar.wallTime;
        if (what == Meaning::Accuracy) {
            evaluation.accuracy = scalar.value;
            return;
        }
        evaluation.loss = scalar.value;
        hasLoss = true;
    }

    struct Place {
        std::int64_t update, samples;
    };
    /// A file that counts from 0 means the first update by it, or the samples before it.
    [[nodiscard]] Place placeOf(std::int64_t step) const {
        const std::int64_t batch = m_options.effective;
        if (m_options.step == EventStep::Updates) {
            const std::int64_t update = step + (m_offset ? 1 : 0);
            return {update, update * batch};
        }
        const std::int64_t samples = step + (m_offset ? batch : 0);
        return {(samples + batch - 1) / batch, samples};
    }

    /// Of a window that the file names without a loss only the rest counts, for the next one that has one.
    void dropWindowsWithoutLoss() {
        double lr = 0.0, norm = 0.0;
        for (auto at = m_windows.begin(); at != m_windows.end();) {
            WindowRecord& window = at->second;
            lr = window.lr = std::isnan(window.lr) ? lr : window.lr;
            norm = window.gradNorm = window.clippedNorm = std::isnan(window.gradNorm) ? norm : window.gradNorm;
            at = std::isnan(window.loss) && !window.nonfinite ? m_windows.erase(at) : std::next(at);
        }
    }

    /// The time before the first that was logged is that of as many samples later on.
    void timeWindows() {
        if (m_into.windows.size() < 2)
            return;
        const WindowRecord first = m_into.windows.front();
        const WindowRecord& last = m_into.windows.back();
        const double seconds = std::max(0.0, last.wallTime - first.wallTime);
        const double ofSample = seconds / static_cast<double>(last.samples - first.samples);
        const double before = ofSample * static_cast<double>(first.samples);
        for (WindowRecord& window : m_into.windows)
            window.activeSeconds = before + std::max(0.0, window.wallTime - first.wallTime);
    }

    void place() {
        const std::int64_t batch = m_options.effective;
        for (auto& [step, window] : m_windows) {
            const Place at = placeOf(step);
            if (!m_into.windows.empty() && m_into.windows.back().update == at.update)
                m_into.windows.back().update.reset(); // several steps of one update: the last one makes it
            window.update = at.update;
            window.samples = at.samples;
            window.window = static_cast<std::int64_t>(m_into.windows.size()) + 1;
            window.microSteps = 1;
            window.microBatch = window.lastMicroBatch = batch;
            m_into.windows.push_back(window);
        }
        timeWindows();
        Evaluations ofUpdates;
        for (auto& [at, evaluated] : m_evaluations) {
            const Place counted = placeOf(at.first);
            evaluated.record.split = at.second;
            evaluated.record.update = counted.update;
            evaluated.record.samples = counted.samples;
            ofUpdates.insert_or_assign({counted.update, at.second}, evaluated); // of several the last counts
        }
        for (const auto& [at, evaluated] : ofUpdates) {
            if (!evaluated.hasLoss)
                m_into.withoutLoss.insert(m_into.evaluations.size());
            m_into.evaluations.push_back(evaluated.record);
        }
    }

    const EventFile& m_file;
    const ImportOptions& m_options;
    ImportedRun& m_into;
    bool m_offset = false;
    std::map<std::int64_t, WindowRecord> m_windows;
    Evaluations m_evaluations; // by step
};

} // namespace

Result<ImportedRun> importedEvents(std::string_view bytes, const std::filesystem::path& file,
                                   const ImportOptions& options) {
    ACCUMULUS_TRY_ASSIGN(const auto events, parseEventFile(bytes, file));
    const Error otherwise{"import.measured", {{"file", file.string()}}};
    ImportedRun imported;
    bool stepIsUpdates = true;
    if (readRun(events, imported, stepIsUpdates)) {
        OwnReader(events, stepIsUpdates, imported).read();
        takeNonfinite(imported);
        ACCUMULUS_TRY(checkMeasured(imported, otherwise));
        return imported;
    }
    if (events.scalars.empty())
        return wrong(file, "reason.events-nothing");
    if (options.effective <= 0)
        return failure("import.no-batch", {{"file", file.string()}});
    if (const char* reason = ForeignReader(events, options, imported).read())
        return wrong(file, reason);
    ACCUMULUS_TRY(checkMeasured(imported, otherwise));
    describeByMeasured(imported, bytes, file, options.effective);
    return imported;
}

} // namespace accumulus
