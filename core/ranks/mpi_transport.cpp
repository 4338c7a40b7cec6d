// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/mpi_transport.h"

#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <stdexcept>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace accumulus {
namespace {

/// MPI's own words.
std::string wordsOf(int error) {
    char words[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(error, words, &length);
    return {words, static_cast<std::size_t>(length)};
}

/// Open MPI reads large messages right from the other process's memory. Containers may forbid the call, and then it
/// complains at every message; what is forbidden between processes is so within one, too.
bool readsOtherProcesses() {
    char from = 1, to = 0;
    const iovec place{&to, 1}, source{&from, 1};
    return process_vm_readv(getpid(), &place, 1, &source, 1, 0) == 1;
}

class MpiTransport final : public Transport {
public:
    MpiTransport() {
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_size);
    }

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_size; }

    [[nodiscard]] Request startSend(int to, int tag, std::span<const std::byte> bytes) override {
        const Request request = freePlace(to);
        check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
                        &m_requests[request].request),
              to);
        return request;
    }

    [[nodiscard]] Request startReceive(int from, int tag, std::span<std::byte> place) override {
        const Request request = freePlace(from);
        check(MPI_Irecv(place.data(), static_cast<int>(place.size()), MPI_BYTE, from, tag, MPI_COMM_WORLD,
                        &m_requests[request].request),
              from);
        return request;
    }

    [[nodiscard]] std::optional<std::size_t> test(Request request) override {
        Place& place = m_requests[request];
        int done = 0, bytes = 0;
        MPI_Status status;
        check(MPI_Test(&place.request, &done, &status), place.peer);
        if (done == 0)
            return std::nullopt;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        m_free.push_back(request);
        return static_cast<std::size_t>(bytes);
    }

    [[nodiscard]] std::optional<Arrival> probe(int tag) override {
        int there = 0, bytes = 0;
        MPI_Status status;
        if (MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || there == 0)
            return std::nullopt;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        return Arrival{status.MPI_SOURCE, static_cast<std::size_t>(bytes)};
    }

    void receive(int from, int tag, std::span<std::byte> place) override {
        check(MPI_Recv(place.data(), static_cast<int>(place.size()), MPI_BYTE, from, tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE),
              from);
    }

    void finish() noexcept override { MPI_Finalize(); }

    [[noreturn]] void abort(int code) noexcept override {
        alarm(10); // where even this hangs
        MPI_Abort(MPI_COMM_WORLD, code);
        std::_Exit(code);
    }

private:
    struct Place {
        MPI_Request request = MPI_REQUEST_NULL;
        int peer = 0;
    };

    Request freePlace(int peer) {
        if (m_free.empty()) {
            m_free.push_back(m_requests.size());
            m_requests.emplace_back();
        }
        const Request request = m_free.back();
        m_free.pop_back();
        m_requests[request].peer = peer;
        return request;
    }

    static void check(int error, int peer) {
        if (error == MPI_SUCCESS)
            return;
        int kind = 0;
        MPI_Error_class(error, &kind);
        if (kind == MPI_ERR_TRUNCATE || kind == MPI_ERR_COUNT || kind == MPI_ERR_RANK)
            throw std::logic_error(wordsOf(error));
        throw RankLost(peer);
    }

    int m_rank = 0;
    int m_size = 1;
    std::vector<Place> m_requests;
    std::vector<Request> m_free;
};

} // namespace
} // namespace accumulus

extern "C" __attribute__((visibility("default"))) accumulus::Transport* accumulusStartMpi(const char* build,
                                                                                          std::string& problem) {
    static_assert(std::is_same_v<decltype(accumulusStartMpi), accumulus::StartMpi>);
    if (std::strcmp(build, ACCUMULUS_MPI_BUILD) != 0) {
        problem = "reason.mpi-other-build";
        return nullptr;
    }
    if (!accumulus::readsOtherProcesses())
        setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    // The environment is changed and MPI started in the main thread, before there are others.
    int threads = 0;
    if (const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads); error != MPI_SUCCESS) {
        problem = accumulus::wordsOf(error);
        return nullptr;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (threads < MPI_THREAD_SERIALIZED) {
        problem = "reason.mpi-one-thread";
        return nullptr;
    }
    return new accumulus::MpiTransport;
}
