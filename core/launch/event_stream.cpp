// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/event_stream.h"

#include "core/base/readable_text.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/launch/event_members.h"

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace accumulus {
namespace {

using nlohmann::json;
using namespace eventstream;

/// In the order of RunEvent.
constexpr std::array<std::string_view, std::variant_size_v<RunEvent>> eventNames{
    "study-started", "run-started",      "window-closed",      "micro-step-probed",
    "evaluated",     "checkpoint-saved", "checkpoint-removed", "run-state-changed",
    "run-noted",     "run-finished",     "study-finished"};
static_assert(!eventNames.back().empty());
constexpr const char* nameKey = "event";

// Names of values that have some.
std::string nameOf(Arm arm) { return armName(arm); }
std::string nameOf(RunState state) { return runStateName(state); }
std::string nameOf(CheckpointKind kind) { return checkpointKindName(kind); }
bool fromName(const std::string& name, Arm& arm) {
    arm = name == armName(Arm::LargeBatch) ? Arm::LargeBatch : Arm::Accumulated;
    return name == armName(arm);
}
bool fromName(const std::string& name, RunState& state) {
    const auto known = runStateFromName(name);
    state = known.value_or(RunState::Draft);
    return known.has_value();
}
bool fromName(const std::string& name, CheckpointKind& kind) {
    const auto known = checkpointKindFromName(name);
    kind = known.value_or(CheckpointKind::Periodic);
    return known.has_value();
}

// ---- writing

json jsonOf(bool value) { return value; }
json jsonOf(std::int64_t value) { return value; }
json jsonOf(double value) {
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}
json jsonOf(const std::string& text) {
    if (readableText(text) == text)
        return text;
    std::string hex;
    for (const char c : text) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        hex += {digits[byte >> 4], digits[byte & 15]};
    }
    return {{"hex", hex}};
}
json jsonOf(const RunConfig& config) { return json::parse(runConfigJson(config)); }
json jsonOf(const StudyConfig& config) { return json::parse(studyConfigJson(config)); }
json jsonOf(const Repeated<const std::vector<std::int64_t>>& repeated) {
    json pairs = json::array();
    for (const std::int64_t size : repeated.sizes) {
        if (!pairs.empty() && pairs.back()[0] == size)
            pairs.back()[1] = pairs.back()[1].get<std::int64_t>() + 1;
        else
            pairs.push_back({size, 1});
    }
    return pairs;
}
template <class T>
requires std::is_enum_v<T> json jsonOf(T value) { return nameOf(value); }
template <class A, class B>
json jsonOf(const std::pair<A, B>& pair);
template <class T>
json jsonOf(const std::optional<T>& value);
template <class T>
json jsonOf(const std::vector<T>& values);

template <class T>
requires requires(const T& record) {
    visitMembers(record, [](std::string_view, const auto&) {});
}
json jsonOf(const T& record) {
    json object = json::object();
    visitMembers(record,
                 [&object](std::string_view name, const auto& value) { object[std::string(name)] = jsonOf(value); });
    return object;
}
template <class A, class B>
json jsonOf(const std::pair<A, B>& pair) {
    return json::array({jsonOf(pair.first), jsonOf(pair.second)});
}
template <class T>
json jsonOf(const std::optional<T>& value) {
    return value ? jsonOf(*value) : json();
}
template <class T>
json jsonOf(const std::vector<T>& values) {
    json list = json::array();
    for (const T& value : values)
        list.push_back(jsonOf(value));
    return list;
}

// ---- reading

/// Members that earlier versions of accumulus-cli do not write: what is not told stays as it is.
bool isLater(std::string_view member) {
    return member == "notes" || member == "driver" || member == "others_share" || member.starts_with("validation_") ||
           member == "best_validation_accuracy";
}

constexpr std::size_t longestShown = 60;
constexpr std::int64_t mostMicroBatches = 1'000'000; // resolveBatch allows no more

/// Fills values from JSON and remembers the first thing that is wrong, with the way to it ("run.batch.steps").
class Reader {
public:
    [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

    template <class T>
    requires requires(T& record) {
        visitMembers(record, [](std::string_view, auto&&) {});
    }
    void read(const json& node, T& record) {
        if (!node.is_object())
            return refuse(node);
        visitMembers(record, [&](std::string_view name, auto&& place) {
            const std::size_t length = m_path.size();
            m_path += (m_path.empty() ? "" : ".") + std::string(name);
            if (const auto found = node.find(std::string(name)); m_problem) {
            } else if (found == node.end()) {
                if (!isLater(name))
                    fail("reason.event-missing", {});
            } else {
                read(*found, place);
            }
            m_path.resize(length);
        });
    }

private:
    void fail(std::string reason, std::string value) {
        if (m_problem)
            return;
        m_problem = Error{"launch.event", {{"reason", std::move(reason)}, {"member", m_path}}};
        if (!value.empty())
            m_problem->arguments.emplace_back("value", std::move(value));
    }
    void refuse(const json& node) {
        std::string shown = node.is_structured() ? (node.is_array() ? "[...]" : "{...}")
                                                 : node.dump(-1, ' ', true, json::error_handler_t::replace);
        if (shown.size() > longestShown)
            shown = shown.substr(0, longestShown) + "...";
        fail("reason.event-value", std::move(shown));
    }

    void read(const json& node, bool& value) { node.is_boolean() ? node.get_to(value), void() : refuse(node); }
    void read(const json& node, std::int64_t& value) {
        const bool fits =
            node.is_number_integer() &&
            (!node.is_number_unsigned() ||
             node.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
        fits ? node.get_to(value), void() : refuse(node);
    }
    void read(const json& node, double& value) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (node.is_number())
            node.get_to(value);
        else if (node == "nan")
            value = std::numeric_limits<double>::quiet_NaN();
        else if (node == "inf" || node == "-inf")
            value = node == "inf" ? infinity : -infinity;
        else
            refuse(node);
    }
    void read(const json& node, std::string& text) {
        if (node.is_string()) {
            node.get_to(text);
            return;
        }
        const auto hex = node.is_object() ? node.find("hex") : node.end();
        if (hex == node.end() || !hex->is_string())
            return refuse(node);
        const auto& digits = hex->get_ref<const std::string&>();
        text.clear();
        for (std::size_t at = 0; at < digits.size(); at += 2) {
            unsigned char byte = 0;
            const char* const end = digits.data() + std::min(at + 2, digits.size());
            if (std::from_chars(digits.data() + at, end, byte, 16).ptr != digits.data() + at + 2)
                return refuse(node);
            text += static_cast<char>(byte);
        }
    }
    template <class T>
    requires std::is_enum_v<T>
    void read(const json& node, T& value) {
        if (!node.is_string() || !fromName(node.get<std::string>(), value))
            refuse(node);
    }
    void read(const json& node, RunConfig& config) {
        json known = json::object();
        for (const ConfigField& field : configFields()) { // settings of a newer version are ignored
            const std::size_t dot = field.key.find('.');
            const json::json_pointer place("/" + field.key.substr(0, dot) + "/" + field.key.substr(dot + 1));
            if (!field.key.starts_with("study.") && node.contains(place))
                known[place] = node[place];
        }
        take(node, runConfigFromJson(known.dump()), config);
    }
    void read(const json& node, StudyConfig& config) {
        json known = json::object();
        for (const auto& [name, value] : node.items())
            if (findField("study." + name))
                known[name] = value;
        take(node, studyConfigFromJson(known.dump()), config);
    }
    template <class Config>
    void take(const json& node, Result<Config> read, Config& config) {
        if (!node.is_object())
            return refuse(node);
        if (read) {
            config = std::move(*read);
            return;
        }
        if (const std::string key = read.error().argument("key"); !key.empty())
            m_path += "." + key;
        fail("reason.event-value", read.error().argument("value"));
    }
    void read(const json& node, Repeated<std::vector<std::int64_t>> repeated) {
        std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
        read(node, pairs);
        repeated.sizes.clear();
        for (const auto& [size, count] : pairs) {
            if (count < 1 || count > mostMicroBatches - static_cast<std::int64_t>(repeated.sizes.size()))
                return refuse(node);
            repeated.sizes.insert(repeated.sizes.end(), static_cast<std::size_t>(count), size);
        }
    }
    template <class A, class B>
    void read(const json& node, std::pair<A, B>& pair) {
        if (!node.is_array() || node.size() != 2)
            return refuse(node);
        read(node[0], pair.first);
        read(node[1], pair.second);
    }
    template <class T>
    void read(const json& node, std::optional<T>& value) {
        value.reset();
        if (!node.is_null())
            read(node, value.emplace());
    }
    template <class T>
    void read(const json& node, std::vector<T>& values) {
        if (!node.is_array())
            return refuse(node);
        values.clear();
        for (const json& item : node)
            read(item, values.emplace_back());
    }

    std::string m_path;
    std::optional<Error> m_problem;
};

template <std::size_t I = 0>
RunEvent emptyEvent(std::size_t kind) {
    if constexpr (I + 1 < std::variant_size_v<RunEvent>)
        if (kind != I)
            return emptyEvent<I + 1>(kind);
    return RunEvent(std::in_place_index<I>);
}

} // namespace

std::string eventLine(const RunEvent& event) {
    json object = std::visit([](const auto& happened) { return jsonOf(happened); }, event);
    object[nameKey] = eventNames[event.index()];
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<RunEvent> eventOfLine(std::string_view line) {
    const json object = json::parse(line, nullptr, false);
    if (!object.is_object())
        return failure("launch.event", {{"reason", "reason.event-json"}});
    const auto name = object.find(nameKey);
    if (name == object.end() || !name->is_string())
        return failure("launch.event", {{"reason", "reason.event-missing"}, {"member", nameKey}});
    const auto known = std::ranges::find(eventNames, name->get_ref<const std::string&>());
    if (known == eventNames.end())
        return failure("launch.event", {{"reason", "reason.event-unknown"}, {"value", name->get<std::string>()}});
    RunEvent event = emptyEvent(static_cast<std::size_t>(known - eventNames.begin()));
    Reader reader;
    std::visit([&](auto& happened) { reader.read(object, happened); }, event);
    if (reader.problem())
        return failure(*reader.problem());
    return event;
}

} // namespace accumulus
