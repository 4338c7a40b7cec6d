// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/window_trace.h"

#include <ATen/record_function.h>
#include <set>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <utility>

namespace accumulus {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;

constexpr std::int64_t warmUps = 3; ///< windows under the profiler before the one that is shown

std::set<ActivityType> activities(bool onGpu) {
    if (onGpu)
        return {ActivityType::CPU, ActivityType::CUDA};
    return {ActivityType::CPU};
}

} // namespace

WindowTrace::WindowTrace(std::filesystem::path file, std::int64_t updates, bool onGpu)
    : m_file(std::move(file)), m_marked(updates / 2), m_onGpu(onGpu) {}

WindowTrace::~WindowTrace() = default;

void WindowTrace::windowClosed(std::int64_t windows) {
    if (m_file.empty())
        return;
    if (windows == m_marked - warmUps) {
        const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
        profiler::prepareProfiler(config, activities(m_onGpu));
        profiler::enableProfiler(
            config, activities(m_onGpu),
            {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE});
    } else if (windows == m_marked) {
        m_mark = std::make_unique<at::RecordFunction>(at::RecordScope::USER_SCOPE);
        if (m_mark->isActive())
            m_mark->before("accumulation window");
    } else if (windows == m_marked + 1 && m_mark) {
        m_mark.reset();
        profiler::disableProfiler()->save(m_file.string());
    }
}

} // namespace accumulus
