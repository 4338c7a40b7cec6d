// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/awaited_seeds.h"

#include "widgets/bridge/library_gateway.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {

AwaitedSeeds& AwaitedSeeds::of(LibraryGateway& library) {
    auto* awaited = library.findChild<AwaitedSeeds*>(QString(), Qt::FindDirectChildrenOnly);
    return awaited ? *awaited : *new AwaitedSeeds(library);
}

AwaitedSeeds::AwaitedSeeds(LibraryGateway& library) : QObject(&library) {
    connect(&library, &LibraryGateway::opened, this, [this] { m_asked.clear(); });
}

void AwaitedSeeds::ask(const StudyConfig& study, const PairChoice& by) { m_asked.push_back({study, by, {}}); }

void AwaitedSeeds::started(const StudyConfig& config, const QString& study) {
    if (std::ranges::find(m_asked, study, &Asked::study) != m_asked.end())
        return; // told by two pages, as one takes over from the other
    const auto asked = std::ranges::find_if(
        m_asked, [&config](const Asked& one) { return one.study.isEmpty() && one.config == config; });
    if (asked != m_asked.end())
        asked->study = study;
}

QStringList AwaitedSeeds::studies() const {
    QStringList begun;
    for (const Asked& one : m_asked)
        if (!one.study.isEmpty())
            begun << one.study;
    return begun;
}

std::optional<PairChoice> AwaitedSeeds::take(const QString& study) {
    const auto asked =
        std::ranges::find_if(m_asked, [&study](const Asked& one) { return !study.isEmpty() && one.study == study; });
    if (asked == m_asked.end())
        return std::nullopt;
    PairChoice by = std::move(asked->by);
    m_asked.erase(asked);
    return by;
}

} // namespace accumulus::ui
