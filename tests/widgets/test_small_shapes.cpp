// SPDX-License-Identifier: GPL-3.0-or-later
// The window's drawings and those of reports beside each other: batch bar, sign of a verdict, and their colours.
#include "core/report/small_figures.h"
#include "core/report/svg_canvas.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/plots/verdict_mark.h"

#include <QApplication>
#include <QTest>
#include <QtSvg/QSvgRenderer>

namespace test_small_shapes {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr std::array verdicts{Verdict::Equivalent,     Verdict::Different,
                              Verdict::Inconclusive,   Verdict::DifferentWithinMargin,
                              Verdict::NotEnoughSeeds, Verdict::WithinMarginOtherMethod};

QImage blank(QSize size) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
}

QImage drawn(const std::string& svg, QSize size) {
    QImage image = blank(size);
    QPainter painter(&image);
    QSvgRenderer(QByteArray::fromStdString(svg)).render(&painter);
    return image;
}

QImage signInWindow(Verdict verdict, int size) {
    QImage image = blank({size, size});
    QPainter painter(&image);
    paintVerdictSign(painter, image.rect(), verdict, verdictColor(lightColors(), verdict));
    return image;
}

/// Mean difference of a channel over all pixels, 0 to 255.
double distance(const QImage& a, const QImage& b) {
    double sum = 0.0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QColor one = a.pixelColor(x, y), other = b.pixelColor(x, y);
            sum += std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) +
                   std::abs(one.blue() - other.blue());
        }
    return sum / 3.0 / a.width() / a.height();
}

struct Run {
    int left = 0, width = 0;
    int filled = 0; ///< of the width
};

/// Runs of pixels along a line that are not of the ground, up to the tick.
QList<Run> runsOf(const QImage& image, int y, int left, int width, const QColor& full) {
    const QColor ground = image.pixelColor(0, 0);
    QList<Run> runs;
    bool inside = false;
    for (int x = left; x < left + width; ++x) {
        const QColor colour = image.pixelColor(x, y);
        if (colour != ground && !inside)
            runs.append({x - left, 0, 0});
        inside = colour != ground;
        if (inside) {
            ++runs.back().width;
            runs.back().filled += colour == full ? 1 : 0;
        }
    }
    return runs;
}

} // namespace

class TestSmallShapes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coloursAreThoseOfTheLightTheme() {
        const ThemeColors light = lightColors();
        for (const Verdict verdict : verdicts)
            QCOMPARE(QColor(QString::fromStdString(verdictColour(verdict))), verdictColor(light, verdict));
        QCOMPARE(QColor(colours::accumulated), light.accumulated);
        QCOMPARE(QColor(colours::largeBatch), light.largeBatch);
        QCOMPARE(QColor(colours::difference), light.difference);
        QCOMPARE(QColor(colours::text), light.text);
        QCOMPARE(QColor(colours::secondary), light.secondary);
    }

    void aVerdictHasTheSameSign_data() {
        QTest::addColumn<int>("at");
        for (int at = 0; at < int(verdicts.size()); ++at)
            QTest::newRow(verdictName(verdicts[std::size_t(at)]).c_str()) << at;
    }
    void aVerdictHasTheSameSign() {
        QFETCH(int, at);
        const Verdict verdict = verdicts[std::size_t(at)];
        constexpr int size = 48;
        const QImage window = signInWindow(verdict, size);
        const auto report = [](Verdict other) { return drawn(verdictIconSvg(other, size), {size, size}); };
        // Coordinates are written with two decimals, which moves an edge by less than a hundredth of a pixel: at most
        // 2.55 of 255 in the pixels that an edge crosses, and these are a part of all.
        QVERIFY2(distance(window, report(verdict)) < 2.55,
                 qPrintable(QString::number(distance(window, report(verdict)))));
        const Verdict other = verdict == Verdict::Inconclusive ? Verdict::Different : Verdict::Inconclusive;
        QVERIFY(distance(window, report(other)) > 5.0); // another one is told apart
    }

    void aBatchHasTheSameBlocks_data() {
        QTest::addColumn<QList<int>>("sizes");
        QTest::addColumn<int>("filled");
        QTest::newRow("ragged") << QList<int>{32, 32, 32, 16} << 2;
        QTest::newRow("one") << QList<int>{256} << 1;
        QTest::newRow("one surface") << QList<int>(1000, 1) << 250;
    }
    void aBatchHasTheSameBlocks() {
        QFETCH(QList<int>, sizes);
        QFETCH(int, filled);
        const std::vector<std::int64_t> micro(sizes.begin(), sizes.end());
        constexpr int width =
            600; // of the blocks: 9 pixels are the tick's in the window, 13 in a report, after 1 at left
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        BatchBar bar(theme);
        bar.resize(width + 9, 28);
        bar.setMicroSizes(micro);
        bar.setFilled(std::size_t(filled));
        const QColor full = theme.colors().accumulated;
        const auto window = runsOf(bar.grab().toImage(), 6, 0, width, full); // above the numbers in a report's blocks
        const auto report = runsOf(drawn(batchBarSvg(micro, std::size_t(filled), width + 14.0, 28.0), {width + 14, 28}),
                                   6, 1, width, full);
        QCOMPARE(report.size(), window.size());
        for (qsizetype i = 0; i < window.size(); ++i) {
            QVERIFY(std::abs(report[i].left - window[i].left) <= 1); // soft edges
            QVERIFY(std::abs(report[i].width - window[i].width) <= 2);
            QVERIFY(std::abs(report[i].filled - window[i].filled) <= 2);
        }
    }
};

QTEST_MAIN(TestSmallShapes)
} // namespace test_small_shapes
#include "test_small_shapes.moc"
