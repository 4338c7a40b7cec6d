// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/recovery.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <new>
#include <typeinfo>

namespace accumulus {

bool isOutOfMemory(const std::exception_ptr& problem) {
    try {
        std::rethrow_exception(problem);
    } catch (const std::bad_alloc&) { // OutOfMemory, too
        return true;
    } catch (const c10::OutOfMemoryError&) {
        return true;
    } catch (...) {
        return false;
    }
}

std::string reasonOf(const std::exception_ptr& problem) {
    try {
        std::rethrow_exception(problem);
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    } catch (const std::bad_alloc& error) {
        return typeid(error) == typeid(std::bad_alloc) ? "reason.allocation" : error.what();
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "reason.unknown-exception";
    }
}

std::vector<std::int64_t> partsOf(std::int64_t samples, std::int64_t largest, std::int64_t smallest) {
    std::vector<std::int64_t> parts;
    const std::int64_t most = largest > 0 ? std::max(largest, smallest) : samples;
    for (std::int64_t left = samples; left > 0; left -= parts.back()) {
        std::int64_t part = std::min(most, left);
        const std::int64_t rest = left - part;
        if (rest > 0 && rest < smallest) // the last two share what is left, or are one
            part = left - smallest >= smallest ? left - smallest : left;
        parts.push_back(part);
    }
    return parts;
}

Recovery::Attempt Recovery::afterFailure(Attempt attempt, const std::exception_ptr& problem, std::int64_t samples,
                                         Scope scope) {
    const std::lock_guard lock(m_mutex);
    if (isOutOfMemory(problem)) {
        shrink(attempt, problem, samples);
        attempt.alone = true;
        return attempt;
    }
    const int mostFaults = scope == Scope::MicroStep ? 1 : 2;
    if (++attempt.faults > mostFaults)
        std::rethrow_exception(problem);
    m_report.faults.push_back({reasonOf(problem)});
    return attempt;
}

/// Halves the part that was tried, or rethrows where it cannot be halved.
void Recovery::shrink(const Attempt& attempt, const std::exception_ptr& problem, std::int64_t samples) {
    const std::int64_t tried = attempt.part > 0 ? std::min(attempt.part, samples) : samples;
    m_fitted = false;
    if (m_part > 0 && m_part < tried)
        return; // another lane has halved it meanwhile
    const std::int64_t multiple = m_policy.partMultiple;
    const std::int64_t half = ((tried + 1) / 2 + multiple - 1) / multiple * multiple;
    const std::int64_t next = std::max(m_policy.smallestPart, half);
    if (!m_policy.resplit || next >= tried)
        std::rethrow_exception(problem);
    m_part = next;
}

std::optional<Recovery::Attempt> Recovery::afterOverflow(Attempt attempt) {
    const std::lock_guard lock(m_mutex);
    if (!m_policy.lowersScale || attempt.overflows == maxOverflows || attempt.scale <= 1.0) {
        m_report.overflowed = true;
        return std::nullopt;
    }
    ++m_report.overflows;
    ++attempt.overflows;
    attempt.scale /= 2;
    return attempt;
}

void Recovery::beginWindow() {
    const std::lock_guard lock(m_mutex);
    m_report = {};
    m_fitted = true;
}

Recovery::Report Recovery::report() const {
    const std::lock_guard lock(m_mutex);
    Report report = m_report;
    report.part = m_part;
    return report;
}

void Recovery::endWindow(std::int64_t micro) {
    const std::lock_guard lock(m_mutex);
    if (m_part == 0)
        return;
    m_windowsThatFitted = m_fitted ? m_windowsThatFitted + 1 : 0;
    if (m_windowsThatFitted < windowsBeforeGrowth)
        return;
    m_windowsThatFitted = 0;
    m_part = m_part * 2 >= micro ? 0 : m_part * 2;
}

} // namespace accumulus
