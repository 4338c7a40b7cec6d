// SPDX-License-Identifier: GPL-3.0-or-later
// Short operations on one thread.
#pragma once

#include <ATen/Parallel.h>

namespace accumulus {

/// The calling thread's operations on one thread while it lives. OpenMP's threads spin while they wait for each other:
/// where another program wants the same cores, each of thousands of short operations may wait for the scheduler, and a
/// second becomes minutes. (A thread that first computes meanwhile begins with one, too; lanes set their own number.)
class OneThread {
public:
    OneThread() { at::set_num_threads(1); }
    ~OneThread() { at::set_num_threads(m_before); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int m_before = at::get_num_threads();
};

} // namespace accumulus
