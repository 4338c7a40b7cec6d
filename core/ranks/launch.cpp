// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/launch.h"

#include "core/base/program_folder.h"
#include "core/ranks/mpi_transport.h"
#include "core/ranks/rank_communicator.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace accumulus {
namespace {

/// The whole number in a variable of the environment.
std::optional<long long> numberOf(const char* variable) {
    const char* said = std::getenv(variable);
    if (said == nullptr)
        return std::nullopt;
    long long number = 0;
    const char* end = said + std::strlen(said);
    const auto [stop, problem] = std::from_chars(said, end, number);
    return problem == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::optional<Launch> launchOf(std::optional<long long> rank, std::optional<long long> size, const char* by) {
    if (!rank || !size || *size < 2 || *size > 1'000'000 || *rank < 0 || *rank >= *size)
        return std::nullopt;
    return Launch{static_cast<int>(*rank), static_cast<int>(*size), by};
}

/// The shell of a batch or interactive job is a step as well, with a number from the end of the range; srun's begin at
/// 0.
bool isStepOfSrun() {
    const auto step = numberOf("SLURM_STEP_ID");
    return (step && *step >= 0 && *step < 0xFFFF'FFF0LL) || std::getenv("PMIX_RANK") != nullptr;
}

} // namespace

std::optional<Launch> launched() {
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr)
        return launchOf(numberOf("OMPI_COMM_WORLD_RANK"), numberOf("OMPI_COMM_WORLD_SIZE"), "mpirun");
    if (!isStepOfSrun())
        return std::nullopt;
    const auto ofStep = numberOf("SLURM_STEP_NUM_TASKS");
    return launchOf(numberOf("SLURM_PROCID"), ofStep ? ofStep : numberOf("SLURM_NTASKS"), "srun");
}

std::string mpiModule() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (const char* said = std::getenv("ACCUMULUS_MPI_MODULE"))
        return fs::exists(said, ignored) ? said : std::string();
    const fs::path folder = programFolder();
    for (const char* place : {".", "../bin", ACCUMULUS_MODULE_FOLDER}) {
        const fs::path path = folder / place / "libaccumulus_mpi.so";
        if (fs::exists(path, ignored))
            return path.lexically_normal().string();
    }
    return {};
}

Result<std::unique_ptr<Communicator>> joinRanks(const Launch& launch) {
    const std::string path = mpiModule();
    if (path.empty())
        return failure("ranks.no-mpi", {{"ranks", std::to_string(launch.size)}, {"by", launch.by}});
    const auto broken = [&](std::string reason, std::vector<std::pair<std::string, std::string>> more = {}) {
        more.insert(more.begin(), {{"reason", std::move(reason)}, {"file", path}});
        return failure("ranks.mpi", std::move(more));
    };
    // Global, because MPI loads parts of its own that look for its symbols; for ever, because MPI cannot be unloaded.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr)
        return broken(dlerror());
    const auto start = reinterpret_cast<StartMpi*>(dlsym(module, startMpiName));
    if (start == nullptr)
        return broken("reason.mpi-other-build");
    std::string problem;
    std::unique_ptr<Transport> transport(start(ACCUMULUS_MPI_BUILD, problem));
    if (!transport)
        return broken(std::move(problem));
    if (transport->size() != launch.size || transport->rank() != launch.rank)
        return broken(
            "reason.mpi-other-ranks",
            {{"ranks", std::to_string(launch.size)}, {"found", std::to_string(transport->size())}, {"by", launch.by}});
    try {
        return std::make_unique<RankCommunicator>(std::move(transport));
    } catch (const RankLost& lost) {
        return broken("reason.rank-silent", {{"rank", std::to_string(lost.rank())}});
    }
}

} // namespace accumulus
