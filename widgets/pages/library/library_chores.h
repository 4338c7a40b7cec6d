// SPDX-License-Identifier: GPL-3.0-or-later
// Checks and backs up the library: long jobs of the gateway. They belong to the library and outlive the page that
// asked, which is made anew for another language: whichever page is there then tells what came of them. Values only.
// GUI thread.
#pragma once

#include "core/store/library_care.h"

#include <QObject>
#include <QString>
#include <optional>
#include <stop_token>

namespace accumulus::ui {

class LibraryGateway;

/// What came of a check.
struct CheckedLibrary {
    Result<LibraryHealth> health;
};
/// What came of a backup; "library.cancelled" where it was cancelled.
struct WrittenBackup {
    QString file;
    Status status;
};

class LibraryChores : public QObject {
    Q_OBJECT
public:
    explicit LibraryChores(LibraryGateway& library);

    void check(); ///< nothing while it is checked
    [[nodiscard]] bool isChecking() const { return m_checking; }
    void backUp(const QString& file); ///< nothing while another one is written
    void cancelBackup();
    [[nodiscard]] bool isBackingUp() const { return m_backup.has_value(); }

Q_SIGNALS:
    void checked(const accumulus::ui::CheckedLibrary& library);
    void backedUp(const accumulus::ui::WrittenBackup& backup);

private:
    LibraryGateway& m_library;
    bool m_checking = false;
    std::optional<std::stop_source> m_backup; ///< that is being written
};

} // namespace accumulus::ui
