// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workbench/page_table.h"

#include <QSettings>

namespace accumulus::ui {

/// Those of all pages, as after a while; they come with a first visit only.
inline void readHints() {
    QStringList pages;
    for (const PageEntry& page : pageTable())
        pages << QString::fromLatin1(page.id);
    QSettings().setValue(QStringLiteral("hints/read"), pages);
}

} // namespace accumulus::ui
