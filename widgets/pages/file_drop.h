// SPDX-License-Identifier: GPL-3.0-or-later
// Lets a page take dropped files: while they hover, a frame over the page says what they are and what they would
// become. GUI thread.
#pragma once

#include "widgets/models/brought_files.h"
#include "widgets/style/theme.h"

#include <QWidget>

class QDropEvent;

namespace accumulus::ui {

class RoleLabel;

/// The frame, as large as its parent; lets the mouse through.
class DropFrame : public QWidget {
    Q_OBJECT
public:
    DropFrame(const Theme& theme, QWidget* parent);
    void showWords(const QString& words, bool usable);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    RoleLabel* m_title;
    RoleLabel* m_words;
    bool m_usable = true;
};

class FileDrop : public QObject {
    Q_OBJECT
public:
    /// `page` takes drops from now on; it owns the frame, its object name is "dropFrame".
    FileDrop(const Theme& theme, QWidget& page);

Q_SIGNALS:
    void dropped(const QStringList& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool entered(QDropEvent& event);
    void left();

    QWidget& m_page;
    DropFrame* m_frame;
    BroughtFiles m_files;
};

} // namespace accumulus::ui
