// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of pages, in the order of the rail: what a page is called, its icon and key, how it is made and connected.
// Rail, menu, keys, window and tests follow from it. GUI thread.
#pragma once

#include "app/workbench/navigator.h"
#include "app/workbench/window_actions.h"
#include "widgets/pages/page.h"

#include <vector>

namespace accumulus::ui {

struct PageEntry {
    const char* id;       ///< object name of the page; "rail-" and "actionPage-" before it are those of its controls
    const char* title;    ///< English, in the translation context of the menus: pageTitle()
    const char* icon;     ///< of the rail
    const char* shortcut; ///< portable text of a QKeySequence
    const char* hint;     ///< for a first visit, one English sentence in the same context: pageHint()
    /// A new page without a parent, its signals connected to the navigator and to the actions that concern it.
    Page* (*make)(const Services& services, Navigator& to, const WindowActions& actions);
};

[[nodiscard]] const std::vector<PageEntry>& pageTable();
/// In the language of the workbench.
[[nodiscard]] QString pageTitle(const PageEntry& entry);
[[nodiscard]] QString pageHint(const PageEntry& entry);

} // namespace accumulus::ui
