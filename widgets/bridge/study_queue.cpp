// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/study_queue.h"

#include "core/base/clock.h"
#include "core/base/hash.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

QueuedStudy named(QueuedStudy study) {
    if (study.id.isEmpty())
        study.id = QString::fromStdString(newUuid());
    if (study.addedAt <= 0.0)
        study.addedAt = unixTime();
    return study;
}

} // namespace

int StudyQueue::indexOf(const QString& id) const {
    const auto found = std::ranges::find(m_waiting, id, &QueuedStudy::id);
    return found == m_waiting.end() ? -1 : static_cast<int>(found - m_waiting.begin());
}

std::vector<QueuedStudy> StudyQueue::kept() const {
    std::vector<QueuedStudy> all;
    if (m_beginning)
        all.push_back(*m_beginning);
    all.insert(all.end(), m_waiting.begin(), m_waiting.end());
    return all;
}

double StudyQueue::nextStart(double now) const {
    double next = 0.0;
    for (const QueuedStudy& study : m_waiting)
        if (!study.failed && study.notBefore > now && (next == 0.0 || study.notBefore < next))
            next = study.notBefore;
    return next;
}

bool StudyQueue::goesOn() const {
    return !m_paused && std::ranges::any_of(m_waiting, [](const QueuedStudy& study) { return !study.failed; });
}

void StudyQueue::add(QueuedStudy study) {
    m_waiting.push_back(named(std::move(study)));
    Q_EMIT changed();
}

void StudyQueue::addPaused(QueuedStudy study) {
    m_paused = true;
    add(std::move(study));
}

void StudyQueue::insert(int at, QueuedStudy study, bool pause) {
    if (indexOf(study.id) >= 0)
        return;
    m_paused = m_paused || pause;
    const auto place = std::clamp<std::ptrdiff_t>(at, 0, std::ssize(m_waiting));
    m_waiting.insert(m_waiting.begin() + place, named(std::move(study)));
    Q_EMIT changed();
}

std::optional<QueuedStudy> StudyQueue::remove(const QString& id) {
    const int at = indexOf(id);
    if (at < 0)
        return std::nullopt;
    QueuedStudy removed = std::move(m_waiting[static_cast<std::size_t>(at)]);
    m_waiting.erase(m_waiting.begin() + at);
    Q_EMIT changed();
    return removed;
}

void StudyQueue::move(const QString& id, int to) {
    const int from = indexOf(id);
    to = std::clamp(to, 0, static_cast<int>(m_waiting.size()) - 1);
    if (from < 0 || from == to)
        return;
    const auto begin = m_waiting.begin();
    if (from < to)
        std::rotate(begin + from, begin + from + 1, begin + to + 1);
    else
        std::rotate(begin + to, begin + from, begin + from + 1);
    Q_EMIT changed();
}

void StudyQueue::setNotBefore(const QString& id, double time) {
    const int at = indexOf(id);
    if (at < 0 || std::exchange(m_waiting[static_cast<std::size_t>(at)].notBefore, time) == time)
        return;
    Q_EMIT changed();
}

void StudyQueue::tryAgain(const QString& id) {
    const int at = indexOf(id);
    if (at >= 0 && std::exchange(m_waiting[static_cast<std::size_t>(at)].failed, std::nullopt))
        Q_EMIT changed();
}

void StudyQueue::setPaused(bool on) {
    if (std::exchange(m_paused, on) != on)
        Q_EMIT changed();
}

void StudyQueue::replace(std::vector<QueuedStudy> waiting) {
    m_waiting = std::move(waiting);
    m_paused = !m_waiting.empty();
    Q_EMIT changed();
}

std::optional<QueuedStudy> StudyQueue::take(double now) {
    const auto due = std::ranges::find_if(m_waiting, [now](const QueuedStudy& study) { return study.isDue(now); });
    if (m_paused || due == m_waiting.end())
        return std::nullopt;
    m_beginning = std::move(*due);
    m_waiting.erase(due);
    m_taken = true;
    Q_EMIT changed();
    return m_beginning;
}

void StudyQueue::begin(const QueuedStudy& study) {
    m_beginning = named(study);
    m_taken = false;
    Q_EMIT changed();
}

void StudyQueue::begun() {
    if (std::exchange(m_beginning, std::nullopt))
        Q_EMIT changed();
}

void StudyQueue::putBack(const Error& why) {
    if (m_beginning && m_taken) {
        m_beginning->failed = why;
        const auto place = std::ranges::find_if(m_waiting, [](const QueuedStudy& study) { return !study.failed; });
        m_waiting.insert(place, std::move(*m_beginning));
    }
    begun();
}

} // namespace accumulus::ui
