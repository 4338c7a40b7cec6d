// SPDX-License-Identifier: GPL-3.0-or-later
// A person's keyboard before the real window: keys go to the window with the focus, which passes them on.
#pragma once

#include "tests/workbench/workbench_fixture.h"

#include <QKeySequence>
#include <QWindow>
#include <set>

namespace accumulus::ui {

inline constexpr int mostTabs = 300;

/// A keyboard, and nothing else. Remembers the keys that a check has seen to work.
class Keyboard {
public:
    explicit Keyboard(WorkbenchFixture& fixture) : m_fixture(fixture) {}

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWindow* window = QGuiApplication::focusWindow();
        QTest::keyClick(window ? window : m_fixture.window().windowHandle(), key, modifiers);
    }
    void type(const QString& text) {
        for (const QChar letter : text)
            QTest::keyClick(QGuiApplication::focusWindow(), letter.toLatin1());
    }
    /// Tab until the widget of that name has the focus.
    [[nodiscard]] bool tabTo(const char* name) {
        for (int tabs = 0; tabs < mostTabs; ++tabs) {
            const QWidget* here = QApplication::focusWidget();
            if (here && here->objectName() == QLatin1String(name))
                return true;
            press(Qt::Key_Tab);
        }
        qWarning("Tab does not reach %s", name);
        return false;
    }
    /// After a dialog: a window manager gives the focus back, the offscreen platform does not always.
    void returnToWindow() {
        m_fixture.window().activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(QGuiApplication::focusWindow(), m_fixture.window().windowHandle(), 20'000);
    }
    void worked(QKeyCombination keys) { m_worked.insert(QKeySequence(keys).toString(QKeySequence::NativeText)); }
    [[nodiscard]] const std::set<QString>& thatWorked() const { return m_worked; }

private:
    WorkbenchFixture& m_fixture;
    std::set<QString> m_worked;
};

} // namespace accumulus::ui
