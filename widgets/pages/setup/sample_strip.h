// SPDX-License-Identifier: GPL-3.0-or-later
// The first samples of a data set: pictures in tiles that wrap, each with its label below; texts and numbers one a
// line. GUI thread.
#pragma once

#include "core/run/sample_preview.h"
#include "widgets/style/theme.h"

#include <QWidget>

namespace accumulus::ui {

class SampleStrip : public QWidget {
    Q_OBJECT
public:
    explicit SampleStrip(const Theme& theme, QWidget* parent = nullptr);

    void setSamples(const SamplePreview& preview);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Where tile `index` lies; for tests.
    [[nodiscard]] QRect tileRect(int index) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool picturesShown() const;
    [[nodiscard]] int tileWidth() const;
    [[nodiscard]] int tileHeight() const;
    [[nodiscard]] int tilesInARow(int width) const;
    [[nodiscard]] int lineHeight() const;
    void paintTile(QPainter& painter, int index) const;
    void paintLine(QPainter& painter, int index) const;

    const Theme& m_theme;
    std::vector<PreviewSample> m_samples;
    std::vector<QImage> m_pictures; ///< null for a sample that is none
};

} // namespace accumulus::ui
