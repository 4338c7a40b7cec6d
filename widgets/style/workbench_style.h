// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion, calmed down: rounded flat buttons and fields, thin scroll bars, an accent focus ring, targets of at least 32
// pixels. Draws only; knows no page. Owned by the application, fed with colours by Theme. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QProxyStyle>

namespace accumulus::ui {

/// Dynamic property (bool) of a QPushButton: fill it with the accent colour.
inline constexpr auto kPrimaryProperty = "accumulusPrimary";
/// Dynamic property (bool) of a checkable QToolButton in the left rail: selected entry as a soft accent surface with a
/// bar at its left.
inline constexpr auto kRailProperty = "accumulusRail";

/// Dynamic property (bool) of a widget whose tooltip the program wrote as rich text; see setRichToolTip().
inline constexpr auto kRichToolTipProperty = "accumulusRichToolTip";

/// For text of our own, with everything from outside escaped. Any other tooltip, of widgets and of items, is plain
/// text.
void setRichToolTip(QWidget* widget, const QString& html);

/// Also the one place that decides how texts are read: tooltips and labels (those of message boxes as well) are plain
/// text unless they ask for something else, so that "<b>" in the name of a run is shown and not obeyed.
class WorkbenchStyle : public QProxyStyle {
    Q_OBJECT
public:
    WorkbenchStyle();
    void setColors(const ThemeColors& colors);
    void setAnimations(bool on); ///< of Qt's own widgets: panels, buttons inside of fields, bars that fade

    void polish(QWidget* widget) override;
    void polish(QApplication* application) override;
    void unpolish(QApplication* application) override;
    using QProxyStyle::polish;
    using QProxyStyle::unpolish;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                       const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                         const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* result) const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the application: whose tooltip comes next

private:
    void paintFitting(ControlElement element, const QStyleOption* option, QPainter* painter,
                      const QWidget* widget) const;
    void paintField(QPainter* painter, const QRect& rect, const QStyleOption* option) const;
    void paintPushButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void paintToolButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void paintIndicator(QPainter* painter, const QStyleOption* option, bool round) const;
    void paintFocusRing(QPainter* painter, const QRect& rect, qreal radius) const;
    void paintFrame(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void paintComboBox(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void paintSpinBox(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void paintSlider(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void paintScrollBar(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void paintProgress(QPainter* painter, const QStyleOption* option) const;
    void paintHeaderSection(QPainter* painter, const QStyleOption* option) const;
    void paintTab(QPainter* painter, const QStyleOption* option) const;

    ThemeColors m_colors;
    bool m_animations = true;
    bool m_richToolTip = false; ///< of the widget that was asked last
};

} // namespace accumulus::ui
