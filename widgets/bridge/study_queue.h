// SPDX-License-Identifier: GPL-3.0-or-later
// What waits to be trained, in order, and what has its turn but is not in the library yet. Changed by who shows it;
// taken from by the RunController. Knows no file: the QueueKeeper saves it. GUI thread.
#pragma once

#include "core/base/error.h"
#include "core/config/experiment_config.h"
#include "core/store/run_records.h"

#include <QObject>
#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::ui {

/// One of: a study, runs that go on, what is trained elsewhere and is followed.
struct QueuedStudy {
    QString id; ///< UUID, of no study: that begins later
    QString name;
    ExperimentConfig experiment;
    std::optional<LaunchPlace> place{}; ///< nothing: trained by this process
    std::vector<std::string> resumes{}; ///< runs that go on instead
    bool smallerParts = false;          ///< they go on in parts that fit into memory
    std::string follows{};              ///< launch that is followed instead
    double addedAt = 0.0;               ///< seconds since 1970
    double notBefore = 0.0;             ///< likewise; 0: as soon as its turn comes
    std::optional<Error> failed{};      ///< what kept it from beginning: it waits until it is tried again
    /// Nothing but what is before it holds it up.
    [[nodiscard]] bool isDue(double now) const { return !failed && notBefore <= now; }
    bool operator==(const QueuedStudy&) const = default;
};

class StudyQueue : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] const std::vector<QueuedStudy>& waiting() const { return m_waiting; }
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// -1: it does not wait (any more).
    [[nodiscard]] int indexOf(const QString& id) const;
    /// Those that wait and the one that begins: what must not get lost.
    [[nodiscard]] std::vector<QueuedStudy> kept() const;
    /// The earliest time that something waits for, if it is after `now`; 0: nothing does.
    [[nodiscard]] double nextStart(double now) const;
    [[nodiscard]] bool goesOn() const; ///< something starts by itself, now or later
    [[nodiscard]] bool isSaved() const { return m_saved; }
    void setSaved(bool saved) { m_saved = saved; } ///< by who saves it

    void add(QueuedStudy study);                        ///< to the end; without an id it gets one
    void addPaused(QueuedStudy study);                  ///< the same, and nothing starts until the queue is continued
    void insert(int at, QueuedStudy study, bool pause); ///< where it was; `pause`: and nothing starts meanwhile
    std::optional<QueuedStudy> remove(const QString& id);
    void move(const QString& id, int to); ///< `to`: its index afterwards
    void setNotBefore(const QString& id, double time);
    void tryAgain(const QString& id); ///< what could not begin has its turn again
    void setPaused(bool on);          ///< what trains goes on; nothing else starts
    /// As it was left, or as another window has it: paused unless it is empty.
    void replace(std::vector<QueuedStudy> waiting);

    /// The first whose time has come, unless the queue is paused. It counts as kept until begun().
    [[nodiscard]] std::optional<QueuedStudy> take(double now);
    void begin(const QueuedStudy& study); ///< past the queue
    void begun();                         ///< the library knows it, or it came to nothing
    /// What has its turn and is not in the library goes back to the front, behind what has failed before. Past the
    /// queue it came to nothing.
    void putBack(const Error& why);

Q_SIGNALS:
    void changed();

private:
    std::vector<QueuedStudy> m_waiting;
    std::optional<QueuedStudy> m_beginning;
    bool m_taken = false; ///< what begins has waited
    bool m_paused = false;
    bool m_saved = true;
};

} // namespace accumulus::ui
