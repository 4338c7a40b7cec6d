// SPDX-License-Identifier: GPL-3.0-or-later
// Looks things up on a thread of its own, one after the other: disks, drivers and trials of a network may take their
// time, and libraries throw. Each question ends with an answer or an error. Where its owner goes, nobody waits but the
// end of the program: what has begun goes on alone and is not answered. GUI thread.
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

class QThreadPool;

namespace accumulus::ui {

class LookUps {
public:
    enum class AtEnd {
        Drop, ///< what has not begun is not asked any more
        Keep, ///< it is, for questions that write something
    };
    explicit LookUps(AtEnd atEnd = AtEnd::Drop);
    ~LookUps();
    LookUps(const LookUps&) = delete;
    LookUps& operator=(const LookUps&) = delete;

    /// `question` on the other thread, then `answered` here. It holds all that it needs, since its owner may go. What
    /// it throws is an answer, too: an error of which wasThrown() is true.
    template <class T>
    void ask(std::function<Result<T>()> question, std::function<void(Result<T>)> answered) {
        start([question = std::move(question), answered = std::move(answered)]() -> Deliver {
            auto answer = std::make_shared<Result<T>>(outcomeOf(question));
            return [answered, answer] { answered(std::move(*answer)); };
        });
    }
    void clear(); ///< what has not begun is not asked any more

    [[nodiscard]] static bool wasThrown(const Error& error);

private:
    struct Mailbox; ///< shared with the other thread, which may be the last to leave it
    using Deliver = std::function<void()>;
    void start(std::function<Deliver()> work);
    [[nodiscard]] static Error thrown(const char* what);
    template <class T>
    [[nodiscard]] static Result<T> outcomeOf(const std::function<Result<T>()>& question) {
        try {
            return question();
        } catch (const std::exception& exception) {
            return failure(thrown(exception.what()));
        }
    }

    AtEnd m_atEnd;
    QThreadPool* m_pool;
    QObject m_here; ///< what is delivered is an event of it
    std::shared_ptr<Mailbox> m_mailbox;
};

} // namespace accumulus::ui
