// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_draft.h"

#include "core/base/atomic_file.h"
#include "core/base/log.h"
#include "core/config/experiment_file.h"

#include <QFileInfo>
#include <QSettings>
#include <chrono>
#include <exception>
#include <utility>

namespace accumulus::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto kLrTunedForKey = "setup/lrTunedFor";

Status writeDraft(const std::filesystem::path& file, ExperimentConfig experiment) try {
    std::error_code none;
    ACCUMULUS_TRY(startPathsAt(experiment, std::filesystem::current_path(none))); // the next session starts elsewhere
    return writeFileAtomically(file, experimentToml(experiment));
} catch (const std::exception& exception) { // no memory
    return failure("file.write", {{"file", file.string()}, {"reason", exception.what()}});
}

} // namespace

std::filesystem::path setupDraftFile() {
    const QString folder = QFileInfo(QSettings().fileName()).absolutePath();
    return std::filesystem::path(folder.toStdString()) / "setup.toml";
}

SetupDraft::SetupDraft(std::filesystem::path file) : m_file(std::move(file)) {
    m_pool.setMaxThreadCount(1); // in the order of the edits
    m_rest.setSingleShot(true);
    m_rest.setInterval(1s);
    QObject::connect(&m_rest, &QTimer::timeout, &m_rest, [this] { write(); });
}

SetupDraft::~SetupDraft() {
    write();
    m_pool.waitForDone();
}

std::optional<ExperimentConfig> SetupDraft::read() const {
    std::error_code none;
    if (!std::filesystem::exists(m_file, none))
        return std::nullopt;
    auto experiment = readExperiment(m_file);
    if (experiment)
        return *std::move(experiment);
    logWarning("The set-up of the last session is not restored: " + describe(experiment.error()));
    return std::nullopt;
}

std::int64_t SetupDraft::lrTunedFor() const { return QSettings().value(kLrTunedForKey, 0).toLongLong(); }

void SetupDraft::keep(const ExperimentConfig& experiment, std::int64_t lrTunedFor) {
    m_waiting = experiment;
    m_lrTunedFor = lrTunedFor;
    m_rest.start();
}

void SetupDraft::write() {
    m_rest.stop();
    if (!m_waiting)
        return;
    QSettings().setValue(kLrTunedForKey, static_cast<qlonglong>(m_lrTunedFor));
    m_pool.start([file = m_file, experiment = *std::exchange(m_waiting, std::nullopt)] {
        if (const Status written = writeDraft(file, experiment); !written)
            logWarning("The set-up is not kept for the next session: " + describe(written.error()));
    });
}

} // namespace accumulus::ui
