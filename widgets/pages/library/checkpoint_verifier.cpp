// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/checkpoint_verifier.h"

#include "core/run/checkpoint_files.h"
#include "widgets/bridge/library_gateway.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {

CheckpointVerifier::CheckpointVerifier(LibraryGateway& library) : m_library(library) {
    connect(&library, &LibraryGateway::opened, this, &CheckpointVerifier::clear);
    connect(&library, &LibraryGateway::replaced, this, &CheckpointVerifier::clear);
}

CheckpointVerifier::~CheckpointVerifier() { cancel(); }

void CheckpointVerifier::verify(const RunRecord& run, const CheckpointRecord& checkpoint) {
    if (m_job)
        return;
    m_results.erase(checkpoint.weightsPath);
    m_job.emplace(Job{checkpoint, {}});
    auto outcome = std::make_shared<std::optional<VerifyOutcome>>();
    m_job->stop = m_library.start(
        this,
        [run, checkpoint, outcome, percent = m_job->percent](RunReader& reader, const std::stop_token& stop) -> Status {
            ACCUMULUS_TRY_ASSIGN(const auto file, weightsFile(reader, run, checkpoint));
            ACCUMULUS_TRY_ASSIGN(*outcome, accumulus::verify(file.string(), {reader.library().path()},
                                                             [&](std::int64_t taken, std::int64_t count) {
                                                                 *percent = static_cast<int>(
                                                                     100 * taken / std::max<std::int64_t>(1, count));
                                                                 return !stop.stop_requested();
                                                             }));
            return {};
        },
        [this, outcome](const Status& status) {
            const std::string weights = std::exchange(m_job, std::nullopt)->checkpoint.weightsPath;
            m_results.insert_or_assign(weights, status ? Verified(std::move(**outcome)) : failure(status.error()));
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void CheckpointVerifier::cancel() {
    if (m_job)
        m_job->stop.request_stop();
}

const CheckpointRecord* CheckpointVerifier::verifying() const { return m_job ? &m_job->checkpoint : nullptr; }

int CheckpointVerifier::percent() const { return m_job ? m_job->percent->load() : 0; }

const CheckpointVerifier::Verified* CheckpointVerifier::resultOf(const std::string& weights) const {
    const auto found = m_results.find(weights);
    return found == m_results.end() ? nullptr : &found->second;
}

void CheckpointVerifier::forget(const std::string& weights) {
    if (m_results.erase(weights) > 0)
        Q_EMIT changed();
}

/// One that is still being verified says for itself that it was cancelled.
void CheckpointVerifier::clear() {
    cancel();
    m_results.clear();
    Q_EMIT changed();
}

} // namespace accumulus::ui
