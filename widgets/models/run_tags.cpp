// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_tags.h"

namespace accumulus::ui {

QStringList tagsFrom(const QString& line) {
    QStringList tags;
    for (const QString& part : line.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const QString tag = part.trimmed(); !tag.isEmpty() && !tags.contains(tag))
            tags << tag;
    return tags;
}

} // namespace accumulus::ui
