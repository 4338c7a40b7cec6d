// SPDX-License-Identifier: GPL-3.0-or-later
// One sentence for each page, in a bar above it, until a person has read it. GUI thread.
#pragma once

#include "app/workbench/page_table.h"
#include "widgets/style/controls.h"

namespace accumulus::ui {

class PageHints : public QObject {
    Q_OBJECT
public:
    /// Shows them in `bar`, which outlives this.
    explicit PageHints(NoticeBar& bar, QObject* parent = nullptr);
    /// The page that is in front.
    void showFor(const PageEntry& page);
    void showAgain(); ///< those of all pages

private:
    void remember(); ///< that this one was read

    NoticeBar& m_bar;
    const PageEntry* m_page = nullptr;
};

} // namespace accumulus::ui
