// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/chinese_letters.h"

#include <QApplication>
#include <QFontMetrics>
#include <algorithm>
#include <string_view>

namespace accumulus::ui {

bool drawsChinese() {
    // Simplified ones, too: a Japanese font alone lacks some of them.
    constexpr std::u32string_view letters = U"梯度累积微批运行设置损失";
    const QFontMetrics metrics(QApplication::font()); // with all that the system falls back to
    return std::ranges::all_of(letters, [&metrics](char32_t letter) { return metrics.inFontUcs4(letter); });
}

} // namespace accumulus::ui
