// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_tags.h"

#include <QRegularExpression>

namespace accumulus::ui {

QStringList tagsFrom(const QString& line) {
    static const QRegularExpression separator(QStringLiteral("[,，、]"));
    QStringList tags;
    for (const QString& part : line.split(separator, Qt::SkipEmptyParts))
        if (const QString tag = part.trimmed(); !tag.isEmpty() && !tags.contains(tag))
            tags << tag;
    return tags;
}

} // namespace accumulus::ui
