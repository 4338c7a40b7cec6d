// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace accumulus::ui {

/// What a person chose to save as.
struct SaveChoice {
    QString file;   ///< with an ending, and no other file is replaced than the dialog asked about; empty: nothing
    QString filter; ///< one of the filters
};

/// `filters`: "PNG picture (*.png)", each of one ending, which a name gets that has none of `endings`.
[[nodiscard]] SaveChoice askWhereToSave(QWidget* parent, const QString& title, const QString& proposal,
                                        const QStringList& filters, const QStringList& endings);

} // namespace accumulus::ui
