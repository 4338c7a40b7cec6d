// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a person brought or opened lately, newest first, eight of each kind, kept in QSettings ("recent/...").
// GUI thread.
#pragma once

#include "core/run/file_kind.h"

#include <QStringList>

namespace accumulus::ui {

inline constexpr int keptRecentFiles = 8;

/// Of networks, weights, data and libraries; other roles keep none.
[[nodiscard]] QStringList recentFiles(FileRole role);
void rememberFile(FileRole role, const QString& file);
void forgetRecentFiles(FileRole role);

} // namespace accumulus::ui
