// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/screenshot.h"
#include "widgets/plots/batch_bar.h"

#include <QApplication>
#include <QTest>
#include <QVBoxLayout>

namespace test_batch_bar {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

struct Run {
    int width = 0;
    bool filled = false;
};

/// Blocks along the middle line: runs of one colour between gaps of the page's ground. The tick at the right end is
/// left out.
std::vector<Run> blocks(BatchBar& bar, const Theme& theme) {
    const QImage image = bar.grab().toImage();
    const QColor ground = theme.colors().window;
    std::vector<Run> found;
    bool inside = false;
    for (int x = 0; x < image.width() - 8; ++x) {
        const QColor color = image.pixelColor(x, image.height() / 2);
        const bool block = color != ground;
        if (block && !inside)
            found.push_back({0, color == theme.colors().accumulated});
        if (block) {
            ++found.back().width;
            found.back().filled |= color == theme.colors().accumulated;
        }
        inside = block;
    }
    return found;
}

} // namespace

class TestBatchBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsOneBlockPerMicroBatchTheRaggedOneShorter() {
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        BatchBar bar(theme);
        bar.resize(609, 28);
        bar.setMicroSizes({32, 32, 32, 16});
        bar.setFilled(2);
        const std::vector<Run> found = blocks(bar, theme);
        QCOMPARE(found.size(), 4U);
        QVERIFY(found[0].filled && found[1].filled);
        QVERIFY(!found[2].filled && !found[3].filled);
        QVERIFY(std::abs(found[0].width - found[2].width) <= 1);
        // 16 of 32 samples: half the width, up to the pixel at each edge.
        QVERIFY(std::abs(2 * found[3].width - found[0].width) <= 4);
    }

    void theTickShowsTheUpdate() {
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        BatchBar bar(theme);
        bar.resize(400, 28);
        bar.setMicroSizes({64, 64});
        const QColor open = bar.grab().toImage().pixelColor(398, 14);
        bar.setWindowClosed(true);
        const QColor closed = bar.grab().toImage().pixelColor(398, 14);
        QCOMPARE(closed, theme.colors().text);
        QVERIFY(open != closed);
    }

    void manyMicroBatchesBecomeOneSurface() {
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        BatchBar bar(theme);
        bar.resize(309, 28);
        bar.setMicroSizes(std::vector<std::int64_t>(1000, 1));
        bar.setFilled(500);
        QCOMPARE(blocks(bar, theme).size(), 1U);
        const QImage image = bar.grab().toImage();
        QCOMPARE(image.pixelColor(100, 14), theme.colors().accumulated);
        QVERIFY(image.pixelColor(200, 14) != theme.colors().accumulated);
    }

    void eachArmHasItsColour() {
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        BatchBar bar(theme);
        bar.resize(300, 28);
        bar.setMicroSizes({256});
        bar.setFilled(1);
        QCOMPARE(bar.grab().toImage().pixelColor(100, 14), theme.colors().accumulated);
        bar.setArm(Arm::LargeBatch);
        QCOMPARE(bar.grab().toImage().pixelColor(100, 14), theme.colors().largeBatch);
    }

    void withoutSizesNothingIsDrawnAndWordsSaySo() {
        Theme theme(*qApp);
        BatchBar bar(theme);
        QVERIFY(!bar.accessibleName().isEmpty());
        bar.setMicroSizes({32, 32});
        QVERIFY(bar.accessibleName().contains(QStringLiteral("64")));
    }

    void gallery() {
        Theme theme(*qApp);
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            theme.setMode(mode);
            QWidget page;
            auto* column = new QVBoxLayout(&page);
            const std::vector<std::vector<std::int64_t>> cases{{256},
                                                               std::vector<std::int64_t>(8, 32),
                                                               {32, 32, 32, 32, 4},
                                                               std::vector<std::int64_t>(64, 4),
                                                               std::vector<std::int64_t>(256, 1)};
            for (const auto& sizes : cases) {
                auto* bar = new BatchBar(theme);
                bar->setMicroSizes(sizes);
                bar->setFilled(sizes.size() * 5 / 8);
                bar->setWindowClosed(sizes.size() == 8);
                column->addWidget(bar);
            }
            page.resize(560, 240);
            page.show();
            test::saveScreenshot(page, mode == ThemeMode::Dark ? QStringLiteral("batch_bar_dark")
                                                               : QStringLiteral("batch_bar_light"));
        }
        theme.setMode(ThemeMode::Light);
    }
};

QTEST_MAIN(TestBatchBar)
} // namespace test_batch_bar
#include "test_batch_bar.moc"
