// SPDX-License-Identifier: GPL-3.0-or-later
// What the MPI module (libaccumulus_mpi.so) exports: one function. The module is loaded only into a process that is one
// of several ranks, so that no other process needs MPI.
#pragma once

#include "core/ranks/transport.h"

#include <string>

namespace accumulus {

/// Starts MPI, once a process, from the main thread. `build` is that of the program (ACCUMULUS_MPI_BUILD: version,
/// compiler and the headers of both sides). Null, with the reason in `problem`, where the module is of another build or
/// MPI cannot be started.
using StartMpi = Transport*(const char* build, std::string& problem);
inline constexpr const char* startMpiName = "accumulusStartMpi";

} // namespace accumulus
