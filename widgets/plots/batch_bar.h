// SPDX-License-Identifier: GPL-3.0-or-later
// The program's signature: the effective batch drawn as K blocks of m samples, a ragged block shorter, blocks filling
// while micro-steps complete and a tick when the window closes. On Live a block also tells where its time went. Used by
// Home, Set up, Live and the report (which draws the same picture as SVG). GUI thread.
#pragma once

#include "core/config/experiment_config.h"
#include "widgets/models/open_window.h"
#include "widgets/style/theme.h"

#include <QWidget>
#include <cstdint>
#include <vector>

namespace accumulus::ui {

class BatchBar : public QWidget {
    Q_OBJECT
public:
    explicit BatchBar(const Theme& theme, QWidget* parent = nullptr);
    void setMicroSizes(std::vector<std::int64_t> sizes); ///< of one window; empty: nothing is drawn
    void setFilled(std::size_t microSteps);              ///< completed micro-steps of the open window
    /// Where the time of each completed micro-step went: its block is a stack of these parts from the bottom up, as far
    /// as they are known. For a window whose blocks all have the arm's colour: {}.
    void setParts(std::vector<MicroStepParts> parts);
    void setArm(Arm arm);              ///< colour of the blocks; accumulated by default
    void setWindowClosed(bool closed); ///< draws the update's tick
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] MicroStepParts sumOfParts() const;
    void paintParts(QPainter& painter, const QRectF& block, const MicroStepParts& parts) const;
    void describe(); ///< the same in words, for screen readers
    const Theme& m_theme;
    std::vector<std::int64_t> m_sizes;
    std::size_t m_filled = 0;
    std::vector<MicroStepParts> m_parts;
    bool m_closed = false;
    Arm m_arm = Arm::Accumulated;
};

} // namespace accumulus::ui
