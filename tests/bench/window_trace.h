// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline of one window of training by LibTorch's own profiler (Kineto), in Chrome's trace format: operators of the
// trainer's thread and, on a GPU, kernels and copies, those of graphs one by one. Looking costs time: what it shows is
// where a window's time goes, not how long it takes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace at {
struct RecordFunction;
}

namespace accumulus {

/// Of the thread that trains. The window is marked by a span named "accumulation window" (trace_summary.py).
class WindowTrace {
public:
    static constexpr std::int64_t leastUpdates = 10;

    /// Traces the window in the middle of `updates` of them, at least so many; none with an empty file.
    WindowTrace(std::filesystem::path file, std::int64_t updates, bool onGpu);
    ~WindowTrace();
    WindowTrace(const WindowTrace&) = delete;
    WindowTrace& operator=(const WindowTrace&) = delete;

    /// So many windows have been closed, and the device has no work of the next one yet.
    void windowClosed(std::int64_t windows);

private:
    std::filesystem::path m_file;
    std::int64_t m_marked; ///< closed before the one that is shown
    bool m_onGpu;
    std::unique_ptr<at::RecordFunction> m_mark;
};

} // namespace accumulus
