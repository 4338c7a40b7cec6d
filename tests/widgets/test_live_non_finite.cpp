// SPDX-License-Identifier: GPL-3.0-or-later
// Live says at which micro-step and in which layer values became not finite, and marks the gap.
#include "tests/support/overflowing_weights.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/style/controls.h"

#include <QLabel>
#include <QSettings>

using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr int runTimeout = 120'000;

ExperimentConfig breaking(const QString& weights, NonfinitePolicy policy) {
    ExperimentConfig experiment;
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 64;
    experiment.run.data.testLimit = 16;
    experiment.run.model.name = "mlp";
    experiment.run.model.hidden = {64};
    experiment.run.model.weights = weights.toStdString();
    experiment.run.batch.effective = 32;
    experiment.run.batch.micro = 8;
    experiment.run.train.length = {2, Extent::Unit::Epochs};
    experiment.run.numerics.nonfinite = policy;
    experiment.run.device.kind = "cpu";
    experiment.study.name = "breaking";
    experiment.study.seeds = {0};
    experiment.study.largeBatch = false;
    return experiment;
}

} // namespace

class TestLiveNonFinite : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    void train(PageFixture& fixture, NonfinitePolicy policy) {
        RunController& runs = fixture.services().runs;
        runs.start(breaking(m_folder.filePath(QStringLiteral("huge.safetensors")), policy));
        QTRY_VERIFY_WITH_TIMEOUT(runs.busy(), 1000);
        QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), runTimeout);
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(writeOverflowingWeights(m_folder.filePath(QStringLiteral("huge.safetensors")))); }
    void init() {
        QSettings().clear();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

    void aSkippedUpdateIsToldWithItsLayer() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        LivePage page(fixture.services());
        page.resize(1240, 780);
        page.show();
        page.activated();
        train(fixture, NonfinitePolicy::SkipUpdate);
        auto* notice = page.findChild<NoticeBar*>(QStringLiteral("liveNotice"));
        QVERIFY(notice);
        QTRY_VERIFY(notice->isVisible());
        auto* text = notice->findChild<QLabel*>(QStringLiteral("noticeText"));
        QVERIFY(text);
        QTRY_VERIFY2(text->text().endsWith(QStringLiteral("First at micro-step 1 of 4, layer fc2.")),
                     qPrintable(text->text()));
    }

    void aRunThatBrokeDownNamesItsLayer() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        LivePage page(fixture.services());
        page.resize(1240, 780);
        page.show();
        page.activated();
        train(fixture, NonfinitePolicy::Stop);
        auto* text = page.findChild<QLabel*>(QStringLiteral("liveRecoveryText"));
        QVERIFY(text);
        QTRY_VERIFY2(text->text().contains(QStringLiteral("(micro-step 1 of 4, layer fc2)")), qPrintable(text->text()));
        // What the run's details and lists show is what the library holds.
        auto reader = RunReader(Library::open(fixture.file(), Library::Mode::Read).value());
        const RunRecord run = reader.runs().value().front();
        QVERIFY2(run.error.find("layer fc2") != std::string::npos, run.error.c_str());
    }
};

QTEST_MAIN(TestLiveNonFinite)
#include "test_live_non_finite.moc"
