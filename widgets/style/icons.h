// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench's own stroke icons (resources/icons, 24 x 24), painted in any colour and at any size. GUI thread.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace accumulus::ui {

/// Icon `name` ("home", "play", ...) in `color`; drawn paler when disabled. An unknown name gives a null icon.
[[nodiscard]] QIcon icon(const QString& name, const QColor& color);
/// Names of all icons, sorted.
[[nodiscard]] QStringList iconNames();

} // namespace accumulus::ui
