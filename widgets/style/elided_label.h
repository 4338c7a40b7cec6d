// SPDX-License-Identifier: GPL-3.0-or-later
// A name on one line that ends with dots where there is no room for all of it; the whole of it stands in the tool tip
// and is read to screen readers. It asks for room for all, and does with little. GUI thread.
#pragma once

#include "widgets/style/controls.h"

namespace accumulus::ui {

class ElidedLabel : public RoleLabel {
public:
    ElidedLabel(const Theme& theme, TextRole role, QWidget* parent = nullptr);
    void setWhole(const QString& text); ///< instead of setText()
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showWhatFits();

    QString m_whole;
};

} // namespace accumulus::ui
