// SPDX-License-Identifier: GPL-3.0-or-later
// Linked panels that take long to draw: what a person does comes in between, no panel is left out, and what changes
// meanwhile is drawn, too.
#include "widgets/plots/plot_group.h"

#include <QTest>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace test_plot_group {
using namespace accumulus::ui;

namespace {

/// Takes `milliseconds` to draw, and then may do something.
class Panel final : public PlotGroupMember {
public:
    explicit Panel(PlotGroup& group, unsigned long milliseconds = 0) : m_group(group), m_milliseconds(milliseconds) {
        m_group.add(this);
    }
    ~Panel() override { m_group.remove(this); }

    [[nodiscard]] AxisRange dataExtent() const override { return extent; }
    [[nodiscard]] bool onScreen() const override { return shown; }
    void draw() override {
        QThread::msleep(m_milliseconds);
        ++drawn;
        right = m_group.x().upper;
        leftMargin = m_group.sharedLeftMargin(this, margin);
        if (then)
            std::exchange(then, {})();
    }
    void crosshairMoved() override {}
    void groupStateChanged() override {}
    void finishCurves() override {}

    AxisRange extent{0.0, 1.0};
    bool shown = true;
    int margin = 10;
    std::function<void()> then;
    int drawn = 0;
    int leftMargin = 0;
    double right = 0.0;

private:
    PlotGroup& m_group;
    unsigned long m_milliseconds;
};

struct Panels {
    explicit Panels(unsigned long milliseconds) {
        for (int i = 0; i < 6; ++i)
            panels.push_back(std::make_unique<Panel>(group, milliseconds));
        group.refreshNow();
        for (const auto& panel : panels)
            panel->drawn = 0;
    }
    [[nodiscard]] bool all(const std::function<bool(const Panel&)>& holds) const {
        return std::ranges::all_of(panels, [&](const auto& panel) { return holds(*panel); });
    }
    [[nodiscard]] bool drawnTimes(int count) const {
        return all([count](const Panel& panel) { return panel.drawn == count; });
    }

    PlotGroup group;
    std::vector<std::unique_ptr<Panel>> panels;
};

} // namespace

class TestPlotGroup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // 6 x 25 ms: another timer's turn comes before all of them are drawn.
    void eventsComeInBetween() {
        Panels slow(25);
        int before = -1;
        slow.panels.front()->then = [&] {
            QTimer::singleShot(0, [&] {
                before = 0;
                for (const auto& panel : slow.panels)
                    before += panel->drawn;
            });
        };
        slow.group.interacted();
        QTRY_VERIFY(slow.drawnTimes(1));
        QVERIFY2(before >= 1 && before < 6, qPrintable(QString::number(before)));
        QTest::qWait(150);
        QVERIFY(slow.drawnTimes(1)); // once was enough
    }

    void fastPanelsAreDrawnTogether() {
        int before = 0;
        for (int turn = 0; turn < 10 && before != 1; ++turn) { // a busy machine may take the core away for 30 ms
            Panels fast(0);
            before = -1;
            fast.panels.front()->then = [&] { QTimer::singleShot(0, [&] { before = fast.panels.back()->drawn; }); };
            fast.group.interacted();
            QTRY_VERIFY(before >= 0);
        }
        QCOMPARE(before, 1);
    }

    // Also what comes when a panel has had its turn already, and nothing comes after it.
    void whatChangesMeanwhileIsDrawn_data() {
        QTest::addColumn<bool>("byHand");
        QTest::newRow("data") << false;
        QTest::newRow("by hand") << true;
    }

    void whatChangesMeanwhileIsDrawn() {
        QFETCH(bool, byHand);
        Panels slow(25);
        slow.panels[1]->then = [&] { // the first one has been drawn, and the others wait
            slow.panels.front()->extent.upper = 8.0;
            if (byHand)
                slow.group.interacted();
            else
                slow.group.dataChanged();
        };
        slow.group.interacted();
        QTRY_VERIFY(slow.all([](const Panel& panel) { return panel.right >= 8.0; }));
    }

    // A label that grows moves the left edge of all.
    void panelsStayAligned() {
        Panels slow(25);
        slow.panels.back()->margin = 40;
        slow.group.interacted();
        QTRY_VERIFY(slow.all([](const Panel& panel) { return panel.leftMargin == 40; }));
        slow.panels.back()->margin = 55;
        slow.group.refreshNow();
        QVERIFY(slow.all([](const Panel& panel) { return panel.leftMargin == 55; })); // before it returned
    }

    void aPanelMayGoWhileItWaits() {
        Panels slow(25);
        slow.panels.front()->then = [&] { QTimer::singleShot(0, [&] { slow.panels.pop_back(); }); };
        slow.group.interacted();
        QTRY_VERIFY(slow.panels.size() == 5 && slow.drawnTimes(1));
        slow.panels[3]->shown = false;
        slow.group.interacted();
        QTRY_COMPARE(slow.panels.back()->drawn, 2);
        QCOMPARE(slow.panels[3]->drawn, 1);
    }
};

QTEST_MAIN(TestPlotGroup)
} // namespace test_plot_group
#include "test_plot_group.moc"
