// SPDX-License-Identifier: GPL-3.0-or-later
// More seeds that were asked for on the Compare page, until the groups that asked have them. They belong to the library
// and outlive the page, which is made anew for another language. GUI thread.
#pragma once

#include "core/config/experiment_config.h"
#include "widgets/models/comparison_loader.h"

#include <QObject>
#include <optional>
#include <vector>

namespace accumulus::ui {

class LibraryGateway;

class AwaitedSeeds : public QObject {
    Q_OBJECT
public:
    static AwaitedSeeds& of(LibraryGateway& library);

    /// `by`: the groups that the seeds are for, the accumulated one first.
    void ask(const StudyConfig& study, const PairChoice& by);
    void started(const StudyConfig& config, const QString& study);
    [[nodiscard]] QStringList studies() const; ///< that have begun, the one that was asked for first in front
    /// For whom the study trains, once; empty where nobody waits for it.
    [[nodiscard]] std::optional<PairChoice> take(const QString& study);

private:
    explicit AwaitedSeeds(LibraryGateway& library); // forgets with another library
    struct Asked {
        StudyConfig config;
        PairChoice by;
        QString study; ///< empty until it begins
    };
    std::vector<Asked> m_asked;
};

} // namespace accumulus::ui
