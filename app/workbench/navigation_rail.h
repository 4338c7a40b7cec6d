// SPDX-License-Identifier: GPL-3.0-or-later
// The left rail: one entry per page, icon and text. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QWidget>
#include <vector>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace accumulus::ui {

class NavigationRail : public QWidget {
    Q_OBJECT
public:
    explicit NavigationRail(const Theme& theme, QWidget* parent = nullptr);

    /// Entries get the numbers 0, 1, ... in the order of their addition.
    void addEntry(const QString& iconName, const QString& text, const QString& name, const QString& keys);
    void setCurrent(int entry);

Q_SIGNALS:
    void chosen(int entry);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void recolor();
    struct Entry {
        QToolButton* button;
        QString iconName;
    };
    const Theme& m_theme;
    QButtonGroup* m_group;
    QVBoxLayout* m_column;
    std::vector<Entry> m_entries;
};

} // namespace accumulus::ui
