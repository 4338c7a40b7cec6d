// SPDX-License-Identifier: GPL-3.0-or-later
// File > Open recent: the libraries that were opened lately, newest first, and a way to forget them. Whether their
// files are still there is looked up on a thread of its own, since their disks may be slow. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/look_ups.h"

#include <QMenu>

namespace accumulus::ui {

class RecentLibraries : public QMenu {
    Q_OBJECT
public:
    explicit RecentLibraries(const LibraryGateway& library, QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const QString& file);

private:
    void fill();
    void lookFor(const QStringList& files);
    void forget(); ///< all but the one that is open

    const LibraryGateway& m_library;
    LookUps m_lookUps; ///< for files that have gone
};

} // namespace accumulus::ui
