// SPDX-License-Identifier: GPL-3.0-or-later
// Paints settings and metric as a scatter plot or as parallel coordinates, and says what lies where. Laid out for one
// size when it is made. settings_picture.cpp has what both share. GUI thread.
#pragma once

#include "widgets/plots/group_look.h"
#include "widgets/plots/settings_figure.h"
#include "widgets/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>

namespace accumulus::ui {

struct SettingsStyle {
    ThemeColors colors;
    QFont title, label;
    const QPaintDevice* device = nullptr; ///< that texts are measured for
};

class SettingsPicture {
public:
    /// The figure must outlive it.
    SettingsPicture(const SettingsFigure& figure, SettingsStyle style, const QSizeF& size);

    void paint(QPainter& painter) const;
    /// The run whose mark or line is nearest, unless all are far away.
    [[nodiscard]] std::optional<std::size_t> runAt(const QPointF& at) const;
    /// Of a run: its mark, or one point on each axis. Nothing on an axis that does not matter for it.
    [[nodiscard]] const std::vector<std::optional<QPointF>>& pointsOf(std::size_t run) const { return m_points[run]; }
    [[nodiscard]] const QRectF& panel() const { return m_panel; } ///< between the ends of the axes

private:
    struct Label {
        double at = 0.0; ///< pixel along the axis
        QString text;
    };
    // Both.
    void paintHead(QPainter& painter) const;
    void paintLegend(QPainter& painter, double top) const;
    [[nodiscard]] std::size_t legendEntries() const;
    [[nodiscard]] bool legendInColumns() const { return m_legend.size() > 2 || legendEntries() > 3; }
    [[nodiscard]] std::size_t legendLines() const;
    void paintOwnColours(QPainter& painter, const QRectF& swatch) const;
    void paintMark(QPainter& painter, const QPointF& at, const GroupLook& look, bool large) const;
    void paintReadout(QPainter& painter, const QPointF& beside, const QStringList& lines) const;
    void paintOnCard(QPainter& painter, const QRectF& box, int flags, const QString& text) const;
    [[nodiscard]] const GroupLook& lookOf(std::size_t group) const { return m_looks[group]; }
    [[nodiscard]] GroupLook lookOfRun(std::size_t run) const; ///< its group's, in the colour that it was given
    [[nodiscard]] bool isHighlighted(std::size_t run) const { return m_figure.highlighted == run; }
    [[nodiscard]] double widthOf(const QString& text) const { return m_metrics.horizontalAdvance(text); }
    [[nodiscard]] QString elided(const QString& text, double width) const;

    // Scatter plot.
    void layOutScatter();
    void layOutScatterLabels();
    void paintScatter(QPainter& painter) const;
    void paintScatterAxes(QPainter& painter) const;
    void paintMeans(QPainter& painter) const;
    void paintCross(QPainter& painter, const QPointF& at) const;
    [[nodiscard]] double xPixel(double value, std::size_t group) const;
    [[nodiscard]] double yPixel(double metric) const;

    // Parallel coordinates.
    void layOutParallel();
    void paintParallel(QPainter& painter) const;
    void paintParallelAxis(QPainter& painter, std::size_t column) const;
    void paintLine(QPainter& painter, std::size_t run) const;
    void paintValues(QPainter& painter, std::size_t run) const;
    [[nodiscard]] double columnX(std::size_t column) const;
    [[nodiscard]] QStringList titleLines(const SettingAxis& axis) const;

    const SettingsFigure& m_figure;
    SettingsStyle m_style;
    std::vector<GroupLook> m_looks;
    std::vector<std::size_t> m_legend; ///< groups that it names
    std::vector<QColor> m_ownColours;  ///< of runs that were given one, each once
    QFontMetricsF m_metrics;           ///< of labels
    QRectF m_whole;                    ///< the picture
    QRectF m_body;                     ///< below title and legend
    QRectF m_panel;
    std::vector<const SettingAxis*> m_columns;
    std::vector<std::vector<std::optional<QPointF>>> m_points; ///< of each run
    std::vector<Label> m_xLabels, m_yLabels;                   ///< of the scatter plot
    double m_slot = 0.0;                                       ///< room of one label on its x axis, or of one column
    double m_titleHeight = 0.0;                                ///< of the columns
};

} // namespace accumulus::ui
