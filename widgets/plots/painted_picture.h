// SPDX-License-Identifier: GPL-3.0-or-later
// A picture that is painted, as a file or on the clipboard: 96 dots per inch in every kind of file, so that all of them
// are laid out alike; on the card colour of the light theme. GUI thread.
#pragma once

#include <QSize>
#include <QString>
#include <functional>

class QImage;
class QPainter;
class QPaintDevice;

namespace accumulus::ui {

struct PaintedPicture {
    QSize size;
    QString title, description; ///< of an SVG; a PDF has the title
    std::function<void(QPainter&)> paint;
};

/// As PNG, SVG or PDF by the name's ending; `scale`: of a PNG. False: it could not be written.
[[nodiscard]] bool savePicture(const PaintedPicture& picture, const QString& file, double scale = 2.0);
void copyPicture(const PaintedPicture& picture, double scale = 2.0);
/// One pixel with the resolution of the files, to measure texts on.
[[nodiscard]] QImage pictureProbe();

} // namespace accumulus::ui
