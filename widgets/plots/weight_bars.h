// SPDX-License-Identifier: GPL-3.0-or-later
// The weights with which micro-gradients stand in an accumulated gradient, as bars beside the right ones: a person sees
// at a glance what a loop does. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QWidget>
#include <cstdint>
#include <vector>

namespace accumulus::ui {

/// One window. `earlier`: weights of micro-batches of windows before, the newest last; drawn at the left where they are
/// not negligible.
struct WeightPicture {
    std::vector<double> units;
    std::vector<double> weights, rightWeights, earlier{};
    bool operator==(const WeightPicture&) const = default;
};

/// "fitted 0.25, 0.25, 0.25, 0.25; right 0.286, 0.286, 0.286, 0.143": for screen readers and tool tips.
[[nodiscard]] QString weightSummary(const WeightPicture& picture);

class WeightBars : public QWidget {
    Q_OBJECT
public:
    explicit WeightBars(const Theme& theme, QWidget* parent = nullptr);

    void setPicture(const WeightPicture& picture);
    void setFittedTitle(const QString& title); ///< of the legend
    [[nodiscard]] const WeightPicture& picture() const { return m_picture; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< tool tips of single bars

private:
    /// Where things stand, for this size.
    struct Layout {
        QRectF panel;            ///< of the bars
        double lower = 0.0;      ///< value at the bottom
        double upper = 1.0;      ///< at the top
        double tick = 0.5;       ///< distance of the grid lines
        double slot = 0.0;       ///< width of one micro-batch
        std::size_t earlier = 0; ///< of them at the left
        [[nodiscard]] double y(double value) const;
        [[nodiscard]] double x(std::size_t slotIndex) const { return panel.left() + slot * double(slotIndex); }
    };
    [[nodiscard]] Layout arrange() const;
    void paintAxes(QPainter& painter, const Layout& layout) const;
    void paintBars(QPainter& painter, const Layout& layout) const;
    void paintLegend(QPainter& painter) const;
    void paintLabels(QPainter& painter, const Layout& layout) const;

    const Theme& m_theme;
    WeightPicture m_picture;
    QString m_fitted;
};

} // namespace accumulus::ui
