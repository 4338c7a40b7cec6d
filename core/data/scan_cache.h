// SPDX-License-Identifier: GPL-3.0-or-later
// What was found by looking through a whole file is kept for the next time: a form asks again after every change. Any
// thread.
#pragma once

#include "core/data/mapped_file.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace accumulus {

/// The last `Size` files. Of each what was found when it was read in one way (`how`: a width, a limit).
template <class Found, std::size_t Size>
class ScanCache {
public:
    [[nodiscard]] std::optional<Found> find(const MappedFile& file, std::int64_t how) const {
        const std::lock_guard lock(m_mutex);
        for (const Entry& entry : m_entries)
            if (entry.file == file.identity() && entry.how == how)
                return entry.found;
        return std::nullopt;
    }
    /// Unless the file could be written again without looking younger.
    void keep(const MappedFile& file, std::int64_t how, const Found& found) {
        if (!file.isUnchanged() || !file.isOld())
            return;
        const std::lock_guard lock(m_mutex);
        m_entries.push_front({file.identity(), how, found});
        if (m_entries.size() > Size)
            m_entries.pop_back();
    }

private:
    struct Entry {
        MappedFile::Identity file;
        std::int64_t how;
        Found found;
    };
    mutable std::mutex m_mutex;
    std::deque<Entry> m_entries;
};

} // namespace accumulus
