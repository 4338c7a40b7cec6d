// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_chores.h"

#include "widgets/bridge/library_gateway.h"

#include <memory>
#include <utility>

namespace accumulus::ui {

LibraryChores::LibraryChores(LibraryGateway& library) : m_library(library) {}

void LibraryChores::check() {
    if (std::exchange(m_checking, true))
        return;
    auto health = std::make_shared<LibraryHealth>();
    m_library.start(
        this,
        [health](RunReader& reader, const std::stop_token& stop) -> Status {
            ACCUMULUS_TRY_ASSIGN(*health, checkLibrary(reader.library(), stop));
            return {};
        },
        [this, health](const Status& status) {
            m_checking = false;
            Q_EMIT checked({status ? Result<LibraryHealth>(std::move(*health)) : failure(status.error())});
        });
}

void LibraryChores::backUp(const QString& file) {
    if (m_backup)
        return;
    m_backup = m_library.start(
        this,
        [file](RunReader& reader, const std::stop_token& stop) {
            return backUpLibrary(reader.library(), file.toStdString(), stop);
        },
        [this, file](const Status& status) {
            m_backup.reset();
            Q_EMIT backedUp({file, status});
        });
}

void LibraryChores::cancelBackup() {
    if (m_backup)
        m_backup->request_stop();
}

} // namespace accumulus::ui
