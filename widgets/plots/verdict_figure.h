// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict card as a figure that leaves the program: sign, word, sentences, interval, margin. Always light colours.
// GUI thread.
#pragma once

#include "core/analysis/statistics.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/theme.h"

#include <QString>
#include <QStringList>

namespace accumulus::ui {

struct VerdictFigure {
    Verdict verdict = Verdict::NotEnoughSeeds;
    QString word;
    QStringList sentences; ///< below each other
    QStringList captions;  ///< small, below the interval
    IntervalPicture interval;
};

/// As PNG, SVG or PDF by the name's ending. False: it could not be written.
[[nodiscard]] bool saveVerdictFigure(const VerdictFigure& figure, const Theme& theme, const QString& file);
void copyVerdictFigure(const VerdictFigure& figure, const Theme& theme);

} // namespace accumulus::ui
