// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_errors.h"

#include "core/base/kept_message.h"
#include "core/cuda/nccl_group.h"
#include "core/engine/engine.h"
#include "core/engine/graph_executor.h"
#include "core/engine/memory_counter.h"
#include "core/engine/recovery.h"

#include <string>
#include <string_view>
#include <system_error>

namespace accumulus {

Error errorOf(const std::exception_ptr& problem, const Communicator* ranks) {
    try {
        std::rethrow_exception(problem);
    } catch (const RankFailed& failed) {
        if (failed.what()[0] == '\0')
            return {"ranks.failed", {{"rank", std::to_string(failed.rank())}, {"reason", "reason.no-words"}}};
        return {"ranks.failed", {{"rank", std::to_string(failed.rank())}, {"reason", failed.what()}}};
    } catch (const RankLost& lost) {
        const auto rank = static_cast<std::size_t>(lost.rank());
        const Communicator::Peer peer = ranks ? ranks->peers()[rank] : Communicator::Peer{};
        return {"ranks.lost",
                {{"rank", std::to_string(rank)},
                 {"host", peer.host},
                 {"pid", std::to_string(peer.pid)},
                 {"reason", "reason.rank-gone"}}};
    } catch (const WindowBroken& broken) {
        return errorOf(broken.cause(), ranks);
    } catch (const ErrorThrown& thrown) {
        return thrown.error();
    } catch (const std::system_error& error) {
        return {"device.threads", {{"reason", error.what()}}};
    } catch (const gpu::NcclFailed& failed) {
        return {"ranks.nccl", {{"reason", failed.what()}}};
    } catch (const UnusableGraph& error) {
        return {"device.capture", {{"reason", error.what()}}};
    } catch (const std::exception& error) {
        if (std::string_view(error.what()).find("does not have a deterministic implementation") !=
            std::string_view::npos)
            return {"training.not-deterministic", {{"reason", reasonOf(problem)}}};
        return {isOutOfMemory(problem) ? "training.memory" : "training.engine", {{"reason", reasonOf(problem)}}};
    } catch (...) {
        return {"training.engine", {{"reason", reasonOf(problem)}}};
    }
}

void leaveRanks(Communicator& ranks, const Error& error) {
    const std::string reason = messagesArgument({error});
    ranks.leave(reason.size() <= Communicator::longestReason ? reason : describe(error));
}

} // namespace accumulus
