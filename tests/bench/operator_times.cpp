// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/operator_times.h"

#include <ATen/record_function.h>
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

namespace accumulus {
namespace {

using Clock = std::chrono::steady_clock;

std::mutex mutex;
std::map<std::string, double> totals;

struct Open final : at::ObserverContext {
    Clock::time_point start;
    double children = 0.0; ///< seconds in operators that this one called
    Open* caller = nullptr;
};
thread_local Open* innermost = nullptr;

std::unique_ptr<at::ObserverContext> enter(const at::RecordFunction&) {
    auto open = std::make_unique<Open>();
    open->caller = innermost;
    innermost = open.get();
    open->start = Clock::now();
    return open;
}

void leave(const at::RecordFunction& function, at::ObserverContext* context) {
    auto* open = static_cast<Open*>(context);
    const double seconds = std::chrono::duration<double>(Clock::now() - open->start).count();
    innermost = open->caller;
    if (innermost)
        innermost->children += seconds;
    const std::lock_guard lock(mutex);
    totals[function.name()] += seconds - open->children;
}

} // namespace

OperatorTimes::OperatorTimes(bool watch) : m_watching(watch) {
    if (!watch)
        return;
    totals.clear();
    m_handle = at::addGlobalCallback(at::RecordFunctionCallback(enter, leave)
                                         .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

OperatorTimes::~OperatorTimes() { stop(); }

void OperatorTimes::stop() {
    if (std::exchange(m_watching, false))
        at::removeCallback(m_handle);
}

std::vector<std::pair<std::string, double>> OperatorTimes::selfSeconds() const {
    const std::lock_guard lock(mutex);
    std::vector<std::pair<std::string, double>> result(totals.begin(), totals.end());
    std::ranges::sort(result, [](const auto& a, const auto& b) { return a.second > b.second; });
    return result;
}

} // namespace accumulus
