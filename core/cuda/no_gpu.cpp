// SPDX-License-Identifier: GPL-3.0-or-later
// device.h in a build without CUDA: there is no GPU, so nobody gets as far as to ask about one.
#include "core/cuda/device.h"

#include <stdexcept>

namespace accumulus::gpu {
namespace {

[[noreturn]] void refuse() { throw std::logic_error("this build has no CUDA"); }

} // namespace

int count() { return 0; }
std::string whyNone() { return "this build was made without CUDA"; }
std::string whyNot(int) { refuse(); }
std::string nameOf(int) { refuse(); }
std::string identityOf(int) { refuse(); }
std::string driver() { refuse(); }
Memory memoryOf(at::Device) { refuse(); }
Memory memoryForNextRun(int) { refuse(); }
std::int64_t peakBytes(at::Device) { refuse(); }
void resetPeak(at::Device) { refuse(); }
void limitMemory(at::Device, std::int64_t) { refuse(); }
void releaseUnused(at::Device) { refuse(); }

void forbidWaiting(bool) { refuse(); }

} // namespace accumulus::gpu
