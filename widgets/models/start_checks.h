// SPDX-License-Identifier: GPL-3.0-or-later
// What would keep a start from working, asked of the machine again and again: the library's folder, the device. Asked
// on a thread of its own; what stood in an answer stays until the next one. GUI thread.
#pragma once

#include "core/run/start_checks.h"
#include "widgets/bridge/look_ups.h"

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

namespace accumulus::ui {

/// Where the answers come from; called on a worker thread. One that is empty finds nothing wrong.
struct StartQueries {
    std::function<Status(const std::filesystem::path& library)> output{};
    std::function<Status(const DeviceConfig&, const std::filesystem::path& library)> device{};
};

class StartChecks : public QObject {
    Q_OBJECT
public:
    explicit StartChecks(StartQueries queries, QObject* parent = nullptr);

    /// Asks once more; while an answer is awaited, the newest question waits behind it. `library`: the open one; empty:
    /// none. What was found about another library or device counts no more.
    void ask(const DeviceConfig& device, const std::filesystem::path& library);
    /// `here`: this machine trains, so its device matters.
    [[nodiscard]] std::vector<Finding> findings(bool here) const;

Q_SIGNALS:
    void changed();
    void failed(const accumulus::Error& error); ///< what a question has thrown, once while it goes on

private:
    struct Question {
        DeviceConfig device;
        std::filesystem::path library;
        bool operator==(const Question&) const = default;
    };
    struct Answer {
        std::vector<Finding> output, device;
        bool operator==(const Answer&) const = default;
    };
    void askNow();
    void take(const Question& question, const Result<Answer>& answer);

    StartQueries m_queries;
    LookUps m_lookUps;
    Question m_question;
    Answer m_answer;
    bool m_asking = false;
    bool m_again = false;
    std::optional<Error> m_failed; ///< of the last answer
};

} // namespace accumulus::ui
