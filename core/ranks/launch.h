// SPDX-License-Identifier: GPL-3.0-or-later
// Was this process started as one of several ranks, and by whom? MPI is loaded only then.
#pragma once

#include "core/base/result.h"
#include "core/ranks/communicator.h"

#include <memory>
#include <optional>
#include <string>

namespace accumulus {

/// What the environment says of a start by mpirun or srun. Loads nothing.
struct Launch {
    int rank = 0;
    int size = 1;
    std::string by; ///< "mpirun", "srun"
};
/// Nothing where the process was started alone.
[[nodiscard]] std::optional<Launch> launched();

/// The MPI module's file: where ACCUMULUS_MPI_MODULE says, or beside the program, in the build tree or installed. Empty
/// where there is none.
[[nodiscard]] std::string mpiModule();

/// Joins the other ranks: loads the MPI module that lies beside the program (built where MPI was found) and starts MPI.
/// Call once, from the main thread, before other threads are started; MPI is finalised when the object goes. Errors
/// "ranks.no-mpi" (this build has no MPI module; started on several ranks), "ranks.mpi" (it could not be loaded or
/// started).
/// The object goes last: it waits there for the other ranks, unless one was lost.
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinRanks(const Launch& launch);

} // namespace accumulus
