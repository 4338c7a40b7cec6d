// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace accumulus {

/// Lets the process keep freed tensors for the next micro-step instead of returning them to the system and faulting
/// them in again: that costs small models up to half of their speed, ResNet-18 a fifth. With mimalloc freed memory goes
/// back after ten seconds without use (its environment variables override this); with glibc's allocator only blocks
/// beyond 256 MB go back at once. Takes effect once; any thread.
void tuneAllocator();

/// Gives what is kept of freed tensors back to the system now, so that it counts as available. Slow; any thread.
void returnFreedMemory();

} // namespace accumulus
