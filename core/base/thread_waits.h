// SPDX-License-Identifier: GPL-3.0-or-later
// How OpenMP's threads, which LibTorch and its libraries compute with, wait for each other. Before other threads start.
#pragma once

namespace accumulus {

/// GCC's OpenMP lets them spin 300 000 times, for more than 10 ms. Where another program wants a core, they then spin
/// for as long as the scheduler keeps one of them waiting. With 1000 spins, on 2 cores beside two busy programs,
/// LeNet-5 with a batch of 256 and char-gpt with 16 trained 6 to 10 times as fast; on a machine of its own no
/// difference could be measured. OpenMP reads this when it is loaded: what is set here counts for a program that is
/// started afterwards, or in place of this one. Whether something was set: GOMP_SPINCOUNT and OMP_WAIT_POLICY are the
/// user's.
bool limitThreadWaits();

} // namespace accumulus
