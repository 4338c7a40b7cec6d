// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_csv.h"

#include "core/base/atomic_file.h"

#include <QByteArray>
#include <QLocale>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr qsizetype kPiece = 1 << 18; ///< bytes that are written at once

/// Counters stay plain: 100000, not 1e+05.
QByteArray numberText(double value) {
    constexpr double mostPlain = 1e15;
    if (!std::isfinite(value))
        return {};
    if (value == std::floor(value) && std::abs(value) < mostPlain)
        return QByteArray::number(static_cast<qint64>(value));
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

QByteArray quoted(const QString& text) {
    QByteArray utf8 = text.toUtf8();
    if (!utf8.contains(',') && !utf8.contains('"') && !utf8.contains('\n'))
        return utf8;
    utf8.replace("\"", "\"\"");
    return '"' + utf8 + '"';
}

/// Appends the curve's rows; hands them over piece by piece.
Status writeCurve(const CsvCurve& curve, const std::optional<AxisRange>& visible, QByteArray& text,
                  const std::function<Status()>& handOver) {
    const QByteArray name = quoted(curve.name) + ',';
    const Series& raw = curve.data.raw();
    const Series& front = curve.data.front();
    const bool smoothed = curve.data.smoothed();
    const IndexRange rows = visible ? pointsInside(raw, *visible) : IndexRange{0, raw.size()};
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        text += name;
        text += numberText(raw.x[i]);
        text += ',';
        text += numberText(raw.y[i]);
        text += ',';
        if (smoothed)
            text += numberText(front.y[i]);
        text += '\n';
        if (text.size() >= kPiece)
            ACCUMULUS_TRY(handOver());
    }
    return {};
}

} // namespace

Status writePlotCsv(const std::filesystem::path& file, const std::vector<CsvCurve>& curves,
                    const std::optional<AxisRange>& visible, const std::function<bool()>& cancelled,
                    const CsvTitles& titles) {
    return writeFileInPieces(file, [&](const TakePiece& take) -> Status {
        const auto title = [](const QString& named, const char* unnamed) {
            return named.isEmpty() ? QByteArray(unnamed) : quoted(named);
        };
        QByteArray text = "curve," + title(titles.x, "x") + ',' + title(titles.y, "y") + ",smoothed\n";
        const auto handOver = [&]() -> Status {
            if (cancelled && cancelled())
                return failure("library.cancelled");
            ACCUMULUS_TRY(take({text.constData(), static_cast<std::size_t>(text.size())}));
            text.resize(0);
            return {};
        };
        for (const CsvCurve& curve : curves)
            ACCUMULUS_TRY(writeCurve(curve, visible, text, handOver));
        return handOver();
    });
}

} // namespace accumulus::ui
