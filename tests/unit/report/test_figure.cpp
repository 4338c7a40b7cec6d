// SPDX-License-Identifier: GPL-3.0-or-later
// Every figure is well-formed XML of SVG Tiny, draws inside its frame, and survives hostile text and broken numbers.
#include "core/report/axis.h"
#include "core/report/figure.h"
#include "core/report/free_corner.h"
#include "core/report/small_figures.h"
#include "tests/support/numeric.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace test_figure {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareRel;

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Element {
    QString name;
    QXmlStreamAttributes attributes;
    QString text;
    [[nodiscard]] double number(const char* key) const { return attributes.value(QLatin1String(key)).toDouble(); }
    [[nodiscard]] QString value(const char* key) const { return attributes.value(QLatin1String(key)).toString(); }
};

/// All elements of a well-formed drawing; none of a broken one.
QList<Element> parse(const std::string& svg) {
    QList<Element> elements;
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement())
            elements.append({reader.name().toString(), reader.attributes(), {}});
        else if (reader.isCharacters() && !reader.isWhitespace() && !elements.isEmpty())
            elements.last().text += reader.text();
    }
    return reader.hasError() ? QList<Element>() : elements;
}

QList<Element> named(const QList<Element>& elements, const char* name) {
    QList<Element> found;
    std::copy_if(elements.begin(), elements.end(), std::back_inserter(found),
                 [&](const Element& element) { return element.name == QLatin1String(name); });
    return found;
}

/// The frame: the one rectangle without filling.
QRectF plotArea(const QList<Element>& elements) {
    for (const Element& rect : named(elements, "rect"))
        if (rect.value("fill") == QLatin1String("none"))
            return {rect.number("x"), rect.number("y"), rect.number("width"), rect.number("height")};
    return {};
}

QList<QPointF> pointsOf(const Element& element) {
    QList<QPointF> points;
    for (const QString& pair : element.value("points").split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QStringList xy = pair.split(QLatin1Char(','));
        points.append({xy.value(0).toDouble(), xy.value(1).toDouble()});
    }
    return points;
}

/// Points of the curves with this colour, without the legend's two-point samples (those have no data behind them).
QList<QPointF> curvePoints(const QList<Element>& elements, const char* colour) {
    QList<QPointF> points;
    for (const Element& line : named(elements, "polyline"))
        if (line.value("stroke") == QLatin1String(colour))
            points += pointsOf(line);
    return points;
}

QStringList texts(const QList<Element>& elements) {
    QStringList all;
    for (const Element& text : named(elements, "text"))
        all.append(text.text);
    return all;
}

FigureSpec decay(bool logarithmic) {
    FigureSpec figure;
    figure.title = "Training loss";
    figure.xTitle = "Training samples seen";
    figure.yTitle = "Loss per sample";
    figure.description = "A falling curve";
    figure.logY = logarithmic;
    Series series;
    FigureBand band;
    for (int i = 1; i <= 5000; ++i) {
        const double y = 2.0 * std::exp(-i / 800.0) + 0.01;
        series.x.push_back(36.0 * i);
        series.y.push_back(y);
        band.x.push_back(36.0 * i);
        band.lower.push_back(0.8 * y);
        band.upper.push_back(1.2 * y);
    }
    figure.bands = {band};
    figure.curves = {{"accumulated", "#0072B2", false, 1.0, 1.5, series}};
    return figure;
}

} // namespace

class TestFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// One evaluation at 60 000 samples: its axis says how many, not a range around it.
    void anAxisOfOneEvaluationBeginsAtZero() {
        FigureSpec figure;
        figure.xTitle = "Training samples seen";
        figure.curves = {{"accumulated", "#0072B2", false, 1.0, 1.5, {{60000.0}, {97.6}}}};
        const std::string svg = figureSvg(figure);
        QVERIFY(svg.find(">54\u00a0000<") == std::string::npos);
        QVERIFY(svg.find(">0<") != std::string::npos && svg.find(">60\u00a0000<") != std::string::npos);
    }

    void figuresAreWellFormedSvgTiny() {
        // SVG Tiny 1.2 has no class, style, clip-path, foreignObject; what QSvgRenderer does not know is not used
        // either.
        const std::set<QString> known{QStringLiteral("svg"),      QStringLiteral("desc"),    QStringLiteral("rect"),
                                      QStringLiteral("line"),     QStringLiteral("circle"),  QStringLiteral("path"),
                                      QStringLiteral("polyline"), QStringLiteral("polygon"), QStringLiteral("text")};
        FigureSpec difference = decay(false);
        difference.zeroLine = 0.0;
        difference.marginBand = 0.5;
        std::vector<std::string> figures{figureSvg(decay(true)), figureSvg(decay(false)), figureSvg(difference),
                                         batchBarSvg({32, 32, 16}, 2), intervalSvg(-0.1, 0.02, 0.14, 0.5)};
        for (const Verdict verdict : {Verdict::Equivalent, Verdict::Different, Verdict::DifferentWithinMargin,
                                      Verdict::WithinMarginOtherMethod, Verdict::Inconclusive, Verdict::NotEnoughSeeds})
            figures.push_back(verdictIconSvg(verdict));
        for (const std::string& svg : figures) {
            const QList<Element> elements = parse(svg);
            QVERIFY(elements.size() > 2);
            QCOMPARE(elements.first().value("baseProfile"), QStringLiteral("tiny"));
            for (const Element& element : elements) {
                QVERIFY2(known.contains(element.name), qPrintable(element.name));
                for (const char* forbidden : {"class", "style", "clip-path", "opacity", "id"})
                    QVERIFY(!element.attributes.hasAttribute(QLatin1String(forbidden)));
            }
        }
    }

    void everythingLiesInsideThePlotArea() {
        for (const bool logarithmic : {false, true}) {
            const QList<Element> elements = parse(figureSvg(decay(logarithmic)));
            const QRectF area = plotArea(elements).adjusted(-0.01, -0.01, 0.01, 0.01); // two decimals are written
            QVERIFY(area.width() > 500.0 && area.height() > 200.0);
            int checked = 0;
            for (const char* kind : {"polyline", "polygon"})
                for (const Element& line : named(elements, kind))
                    for (const QPointF& point : pointsOf(line)) {
                        QVERIFY(area.contains(point));
                        ++checked;
                    }
            QVERIFY(checked > 1000);
            const Element svg = elements.first();
            for (const Element& text : named(elements, "text")) {
                const QRectF page(0.0, 0.0, svg.number("width"), svg.number("height"));
                QVERIFY(page.contains(QPointF(text.number("x"), text.number("y"))));
            }
        }
    }

    void placesAreThoseOfTheAxes() {
        // A straight line from (0, 0) to (100, 10): the curve must run from corner to corner but for the padding.
        FigureSpec figure;
        figure.curves = {{"", "#112233", false, 1.0, 1.0, {{0.0, 50.0, 100.0}, {0.0, 5.0, 10.0}}}};
        const QList<Element> elements = parse(figureSvg(figure));
        const QRectF area = plotArea(elements);
        const QList<QPointF> points = curvePoints(elements, "#112233");
        QCOMPARE(points.size(), 3);
        // The y axis is widened by 5 % of 10 on both sides: 0 lies at 0.5 / 11 of the height. Two decimals are written.
        QVERIFY(compareAbs(points[0].x(), area.left(), 0.011) && compareAbs(points[2].x(), area.right(), 0.011));
        QVERIFY(compareAbs(points[0].y(), area.bottom() - area.height() * 0.5 / 11.0, 0.02));
        QVERIFY(compareAbs(points[1].y(), area.center().y(), 0.02));
        QVERIFY(compareAbs(points[2].y(), area.top() + area.height() * 0.5 / 11.0, 0.02));
    }

    void aSpikeIsDrawn() {
        FigureSpec figure;
        Series series;
        for (int i = 0; i < 1000000; ++i) {
            series.x.push_back(i);
            series.y.push_back(std::sin(i * 0.7));
        }
        series.y[654321] = 100.0;
        figure.curves = {{"", "#112233", false, 1.0, 1.0, series}};
        const std::string svg = figureSvg(figure);
        const QList<Element> elements = parse(svg);
        const QRectF area = plotArea(elements);
        const QList<QPointF> points = curvePoints(elements, "#112233");
        const auto top = std::min_element(points.begin(), points.end(), [](auto a, auto b) { return a.y() < b.y(); });
        QVERIFY(top->y() < area.top() + 0.1 * area.height());
        QVERIFY(compareAbs(top->x(), area.left() + 0.654321 * area.width(), 0.1));
        QVERIFY2(svg.size() < 100000, "a thinned figure stays small");
    }

    void aLogAxisHidesWhatIsNotPositive() {
        FigureSpec figure;
        figure.logY = true;
        figure.zeroLine = 0.0;
        figure.marginBand = 1.0;
        figure.curves = {{"", "#112233", false, 1.0, 1.0, {{1, 2, 3, 4, 5, 6}, {0.01, 0.1, 0.0, -5.0, 1.0, 10.0}}}};
        const QList<Element> elements = parse(figureSvg(figure));
        QCOMPARE(curvePoints(elements, "#112233").size(), 4); // two pieces of two points
        QCOMPARE(named(elements, "polyline").size(), 2);
        const QStringList labels = texts(elements);
        for (const char* decade : {"0.01", "0.1", "1", "10"})
            QVERIFY2(labels.contains(QLatin1String(decade)), decade);
    }

    void gapsSplitTheCurve() {
        FigureSpec figure;
        const Series broken{{1, 2, 3, 4, 5, 6, infinity}, {1, 2, gap, 4, infinity, 6, 7}};
        figure.curves = {{"", "#112233", false, 1.0, 1.0, broken}};
        figure.bands = {{"#112233", {1, 2, 3, 4}, {0, 1, gap, 3}, {2, 3, 4, infinity}}};
        const std::string svg = figureSvg(figure);
        const QList<Element> elements = parse(svg);
        QCOMPARE(named(elements, "polyline").size(), 1);
        QCOMPARE(named(elements, "circle").size(), 4); // points 1, 2 and the single points 4 and 6
        QVERIFY(svg.find("nan") == std::string::npos && svg.find("inf") == std::string::npos);
    }

    void emptyFiguresSayNoData() {
        FigureSpec empty;
        FigureSpec nothingFinite;
        nothingFinite.curves = {{"x", "#112233", false, 1.0, 1.0, {{1, 2}, {gap, gap}}}};
        FigureSpec negativeOnLog = nothingFinite;
        negativeOnLog.logY = true;
        negativeOnLog.curves[0].points.y = {-1.0, 0.0};
        for (const FigureSpec& figure : {empty, nothingFinite, negativeOnLog})
            QVERIFY(texts(parse(figureSvg(figure))).contains(QStringLiteral("No data")));
        FigureSpec uneven;
        uneven.curves = {{"", "#112233", false, 1.0, 1.0, {{1, 2, 3}, {1}}}};
        QVERIFY(!parse(figureSvg(uneven)).isEmpty());
    }

    void hostileTextIsEscaped() {
        FigureSpec figure = decay(false);
        const std::string hostile = "<script>alert(\"1\")</script> & ]]> \x01\xff";
        figure.title = figure.xTitle = figure.yTitle = figure.description = hostile;
        figure.curves[0].label = hostile;
        figure.curves[0].colour = "\"/><script>";
        const std::string svg = figureSvg(figure);
        const QList<Element> elements = parse(svg);
        QVERIFY(!elements.isEmpty());
        QVERIFY(named(elements, "script").isEmpty());
        QVERIFY(svg.find("<script") == std::string::npos);
        QVERIFY(texts(elements).contains(QStringLiteral("<script>alert(\"1\")</script> & ]]> \uFFFD\uFFFD")));
    }

    void markupIsEscaped() {
        QCOMPARE(QString::fromStdString(escapeMarkup("a<b>&\"c\"")), QStringLiteral("a&lt;b&gt;&amp;&quot;c&quot;"));
        QCOMPARE(QString::fromStdString(escapeMarkup("批次 ±")), QStringLiteral("批次 ±"));
        // A lone continuation byte, an overlong slash, a surrogate, a cut sequence and U+FFFE.
        for (const char* broken : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xE6\x89", "\xEF\xBF\xBE"}) {
            const std::string svg = "<a>" + escapeMarkup(broken) + "</a>";
            QVERIFY(!parse(svg).isEmpty());
            QVERIFY(svg.find("\uFFFD") != std::string::npos);
        }
    }

    void theLegendCoversNoCurve() {
        // Curves in all four corners: the legend needs a row of its own above them.
        FigureSpec figure;
        figure.curves = {{"first curve", "#112233", false, 1.0, 1.0, {{0, 1, 2, 3}, {0, 1, 0, 1}}},
                         {"second curve", "#445566", true, 1.0, 1.0, {{0, 1, 2, 3}, {1, 0, 1, 0}}}};
        for (const bool crowded : {false, true}) {
            FigureSpec shown = figure;
            if (!crowded)
                shown.curves = {{"first curve", "#112233", false, 1.0, 1.0, {{0, 1, 2, 3}, {0, 0, 0, 1}}}};
            const QList<Element> elements = parse(figureSvg(shown));
            QRectF legend;
            for (const Element& rect : named(elements, "rect"))
                if (rect.attributes.hasAttribute(QLatin1String("rx")))
                    legend = {rect.number("x"), rect.number("y"), rect.number("width"), rect.number("height")};
            QVERIFY(legend.isValid() && plotArea(elements).contains(legend));
            const Box box{legend.x(), legend.y(), legend.width(), legend.height()};
            for (const Element& line : named(elements, "polyline")) {
                const QList<QPointF> points = pointsOf(line);
                for (qsizetype i = 1; points.size() > 2 && i < points.size();
                     ++i) // two points: the legend's own samples
                    QVERIFY(!crosses(box, {{points[i - 1].x(), points[i - 1].y()}, {points[i].x(), points[i].y()}}));
            }
        }
    }

    void theLegendCoversNoBandOfFewPoints() {
        // A band over the whole plot, of two points only: nothing is free, so the legend gets headroom above the band.
        FigureSpec figure;
        figure.curves = {{"mean", "#112233", false, 1.0, 1.0, {{0, 1}, {0, 0}}}};
        figure.bands = {{"#112233", {0, 1}, {-1, -1}, {1, 1}}};
        const QList<Element> elements = parse(figureSvg(figure));
        double bandTop = 1e9;
        for (const QPointF& point : pointsOf(named(elements, "polygon").value(0)))
            bandTop = std::min(bandTop, point.y());
        for (const Element& rect : named(elements, "rect"))
            if (rect.attributes.hasAttribute(QLatin1String("rx")))
                QVERIFY(rect.number("y") + rect.number("height") <= bandTop);
    }

    void obstaclesAreFound() {
        const Box box{10.0, 10.0, 20.0, 10.0};
        QVERIFY(crosses(box, {{0.0, 15.0}, {50.0, 15.0}}));  // right through, no end inside
        QVERIFY(crosses(box, {{15.0, 15.0}, {16.0, 16.0}})); // inside
        QVERIFY(crosses(box, {{0.0, 5.0}, {40.0, 25.0}}));
        QVERIFY(!crosses(box, {{0.0, 5.0}, {50.0, 5.0}}));
        QVERIFY(!crosses(box, {{0.0, 20.0}, {9.0, 12.0}}));
        QVERIFY(!crosses(box, {{0.0, 15.0}, {5.0, 15.0}}));
    }

    void ticksAreNice() {
        Axis axis = makeAxis(0.0, 180000.0, false, 0.0);
        setTicks(axis, 6, true);
        QStringList labels;
        for (const Tick& tick : axis.ticks)
            labels.append(QString::fromStdString(tick.label));
        QCOMPARE(labels, (QStringList{QStringLiteral("0"), QStringLiteral("50\u00a0000"),
                                      QStringLiteral("100\u00a0000"), QStringLiteral("150\u00a0000")}));
        Axis millions = makeAxis(0.0, 3e6, false, 0.0);
        setTicks(millions, 6, true);
        QCOMPARE(QString::fromStdString(millions.ticks[1].label), QStringLiteral("0.5\u00a0M"));
        Axis tiny = makeAxis(-3e-7, 3e-7, false, 0.0);
        setTicks(tiny, 6, false);
        QCOMPARE(QString::fromStdString(tiny.factor), QStringLiteral("×10⁻⁷"));
        QCOMPARE(QString::fromStdString(tiny.ticks.front().label), QStringLiteral("−3"));
        Axis wide = makeAxis(1e-9, 1e3, true, 0.0);
        setTicks(wide, 6, false);
        QVERIFY(wide.ticks.size() >= 4 && wide.ticks.size() <= 8);
        Axis narrow = makeAxis(0.031, 0.034, true, 0.05);
        setTicks(narrow, 6, false);
        QVERIFY(narrow.ticks.size() >= 2);
        Axis flat = makeAxis(5.0, 5.0, false, 0.05);
        setTicks(flat, 5, false);
        QVERIFY(flat.lower < 5.0 && flat.upper > 5.0 && flat.ticks.size() >= 2);
        QVERIFY(compareRel(makeAxis(0.01, 100.0, true, 0.0).position(1.0), 0.5, 1e-12));
    }

    void theBatchBarShowsBlocksAndProgress() {
        const auto blocks = [](const std::string& svg, bool filled) {
            QList<double> widths;
            for (const Element& rect : named(parse(svg), "rect"))
                if (rect.value("fill") == QLatin1String("#0072B2") && rect.value("fill-opacity").isEmpty() == filled)
                    widths.append(rect.number("width"));
            return widths;
        };
        const std::string bar = batchBarSvg({32, 32, 16}, 2);
        const QList<double> filled = blocks(bar, true);
        QCOMPARE(filled.size(), 2);
        QVERIFY(compareAbs(filled[0], filled[1], 0.011));
        const QList<double> open = blocks(bar, false);
        QCOMPARE(open.size(), 1);
        QVERIFY(compareAbs(open[0], filled[0] / 2.0, 0.011)); // two decimals are written
        const QList<double> dense = blocks(batchBarSvg(std::vector<std::int64_t>(1000, 1), 250), true);
        QCOMPARE(dense.size(), 1);
        QVERIFY(compareRel(dense[0], 0.25 * (480.0 - 14.0), 0.001));
        QVERIFY(!parse(batchBarSvg({}, 3)).isEmpty());
        QVERIFY(!parse(batchBarSvg({0, 0}, 1)).isEmpty());
        QVERIFY(blocks(batchBarSvg({4}, 99), true).size() == 1);
    }

    void intervalsSurviveEverything() {
        for (const auto& [lower, mean, upper, margin] :
             std::vector<std::array<double, 4>>{{-infinity, 0.1, infinity, 0.5},
                                                {gap, gap, gap, 0.5},
                                                {0, 0, 0, 0},
                                                {4.9, 4.96, 5.0, 0.01},
                                                {-1e-9, 0, 1e-9, 0.2},
                                                {-80, 5, 90, 0.2}}) {
            const std::string svg = intervalSvg(lower, mean, upper, margin);
            QVERIFY(!parse(svg).isEmpty());
            QVERIFY(svg.find("nan") == std::string::npos && svg.find("\"inf") == std::string::npos);
            for (const Element& line : named(parse(svg), "line"))
                for (const char* key : {"x1", "x2"})
                    QVERIFY(line.number(key) >= 0.0 && line.number(key) <= 480.0);
        }
        const QStringList shown = texts(parse(intervalSvg(-0.09, 0.03, 0.15, 0.5, 480.0, 72.0, " points")));
        QVERIFY(shown.contains(QStringLiteral("+0.03 points (90 % interval −0.09 to +0.15)")));
        QVERIFY(shown.contains(QStringLiteral("−0.5")) && shown.contains(QStringLiteral("+0.5")));
        QVERIFY(texts(parse(intervalSvg(-infinity, 0.1, infinity, 0.5)))
                    .join(QLatin1Char(' '))
                    .contains(QLatin1String("no interval")));
    }
};

QTEST_APPLESS_MAIN(TestFigure)
} // namespace test_figure
#include "test_figure.moc"
