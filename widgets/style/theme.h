// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, fonts and spacing of the workbench: Fusion with an own palette pair, no style sheets. GUI thread. One Theme,
// built by the application and handed to whoever paints by constructor reference.
#pragma once

#include "widgets/style/desktop_settings.h"

#include <QColor>
#include <QFont>
#include <QList>
#include <QObject>
#include <QPointer>

class QApplication;

namespace accumulus::ui {

class WorkbenchStyle;

/// Spacing in pixels at 96 dpi; steps of 4.
namespace space {
inline constexpr int xs = 4, s = 8, m = 12, l = 16, xl = 24, xxl = 32;
inline constexpr int pageMargin = 24, cardPadding = 16, fieldGap = 12;
} // namespace space

enum class ThemeMode { System, Light, Dark };

/// Of the text, in percent of the system's size.
namespace text_size {
inline constexpr int smallest = 80, usual = 100, largest = 200;
} // namespace text_size

struct ThemeColors {
    bool dark = false;
    QColor window, card, cardAlternate, border, text, secondary, accent, onAccent;
    QColor good, warning, bad;              ///< text-grade contrast on card
    QColor accumulated, largeBatch;         ///< the two arms
    QColor difference, control;             ///< difference curves, permutation control
    QColor grid, axis;                      ///< plots
    QList<QColor> series;                   ///< further runs, colour-blind safe
    [[nodiscard]] QColor selection() const; ///< surface of a selected row; text keeps its colour on it
};

/// The two palettes. Text roles (text, secondary, accent, good, warning, bad, onAccent on accent) have a contrast of at
/// least 4.5 on window and card, series of at least 3. Figures that leave the program always use lightColors().
[[nodiscard]] ThemeColors lightColors();
[[nodiscard]] ThemeColors darkColors();
/// The same palette for a desktop that asks for more contrast: text roles have at least 7 on window and card, borders
/// and axes at least 4.5.
[[nodiscard]] ThemeColors withMoreContrast(ThemeColors colors);

class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(QApplication& application, QObject* parent = nullptr);
    ~Theme() override;

    [[nodiscard]] ThemeMode mode() const;
    void setMode(ThemeMode mode); ///< applies at once, remembered in QSettings "view/theme"
    [[nodiscard]] const ThemeColors& colors() const;
    /// The desktop has another font now; it calls by itself where the platform announces it.
    void setSystemFont(const QFont& font);
    [[nodiscard]] int textSize() const;
    /// In percent of the system's size, kept within text_size. Applies at once to fonts; what was measured in them is
    /// the listener's. Remembered in QSettings "view/textSize".
    void setTextSize(int percent);

    /// May anything move that only looks better so: panels that slide, a bar that fills? Remembered in QSettings
    /// "view/animations".
    [[nodiscard]] bool animations() const { return m_animations; }
    void setAnimations(bool on);

    [[nodiscard]] QFont pageTitleFont() const; ///< 1.6 x semibold
    [[nodiscard]] QFont cardTitleFont() const; ///< 1.15 x semibold
    [[nodiscard]] QFont captionFont() const;   ///< 0.9 x, drawn in the secondary colour
    [[nodiscard]] QFont numberFont() const;    ///< body with tabular figures

Q_SIGNALS:
    void changed();         ///< colours or fonts are new: repaint
    void textSizeChanged(); ///< after changed()
    void animationsChanged(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    void applyFont();
    void followSystem(); ///< which has announced another look
    [[nodiscard]] bool systemIsDark();
    QApplication& m_application;
    DesktopSettings m_desktop;
    ThemeMode m_mode = ThemeMode::System;
    ThemeColors m_colors;
    int m_textSize = text_size::usual;
    bool m_animations = true;
    QFont m_system;   ///< the application's own font, of usual size
    QFont m_platform; ///< the desktop's, as it was read last
    QFont m_base;
    QPointer<WorkbenchStyle> m_style; ///< owned by the application
};

} // namespace accumulus::ui
