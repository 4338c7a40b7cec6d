// SPDX-License-Identifier: GPL-3.0-or-later
// What was found in files that a person brings: it is drawn and told before anything starts, and Start follows it.
#include "tests/widgets/brought_files_fixture.h"
#include "widgets/pages/setup/sample_strip.h"

#include <QTableWidget>

namespace test_found_samples {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestFoundSamples : public QObject, protected BroughtFiles {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void weightsOfAnotherNetworkKeepStartDisabled() {
        auto* start = child<QPushButton>(*m_page, "setup.start");
        QTRY_VERIFY(start->isEnabled());
        QVERIFY(drop(*m_page, {weights("other-net.safetensors")}));
        QTRY_VERIFY(!start->isEnabled());
        QTRY_VERIFY2(shownText("setup.found.network").contains(QStringLiteral("weights do not fit")),
                     qPrintable(shownText("setup.found.network")));
        m_page->undo();
        QTRY_VERIFY(start->isEnabled());
    }

    void aTableIsShownInRows() {
        std::string rows = "rooms,\"area, m2\",price\n";
        for (int i = 0; i < 30; ++i)
            rows +=
                std::to_string(1 + i % 5) + ',' + std::to_string(40 + i) + ',' + std::to_string(0.5 + 1000 * i) + '\n';
        QVERIFY(drop(*m_page, {write("houses.csv", rows)}));
        QTRY_COMPARE(run().data.dataset, std::string("table"));
        QCOMPARE(run().data.target, std::string("price"));
        QCOMPARE(run().data.validation, std::int64_t{3});
        auto* table = child<QTableWidget>(*m_page, "setup.found.rows");
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->rowCount(), 10);
        QCOMPARE(table->columnCount(), 3);
        QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("area, m2"));
        QCOMPARE(table->horizontalHeaderItem(2)->text(), QStringLiteral("price (target)"));
        QCOMPARE(table->item(9, 1)->text(), QStringLiteral("49"));
        QVERIFY(!child<SampleStrip>(*m_page, "setup.found.samples")->isVisible());
        QTRY_VERIFY2(shownText("setup.found.data").contains(QStringLiteral("Table")),
                     qPrintable(shownText("setup.found.data")));
        // Every row is inside: none is cut, and the table does not scroll by itself.
        QVERIFY(table->visualItemRect(table->item(9, 0)).bottom() <= table->viewport()->height());
    }

    // As the error says it: data.validation is set, and the network is asked for again.
    void startFollowsWhatTheErrorAsksFor() {
        usePageOf(engineQueries());
        ExperimentConfig experiment;
        experiment.run.data.dataset = "tensors";
        experiment.run.data.path = tensors("classes").toStdString();
        experiment.run.model.name = "mlp";
        experiment.run.batch.effective = experiment.run.batch.micro = 8;
        experiment.study.largeBatch = false;
        m_page->setExperiment(experiment);
        QTRY_VERIFY(!canStart());
        auto* strip = child<SampleStrip>(*m_page, "setup.found.samples");
        QTRY_VERIFY(strip->isVisible());                                    // samples are there all the same
        QVERIFY(!child<QWidget>(*m_page, "setup.data.error")->isVisible()); // said once, with a button
        fix("setup.finding.D11.hold-out");
        QCOMPARE(run().data.validation, std::int64_t{4});
        QTRY_VERIFY(canStart());
        QTRY_VERIFY(shownText("setup.found.network").startsWith(QStringLiteral("MLP")));
        QTRY_VERIFY(shownText("setup.memory.amount").contains(QStringLiteral("formula")));
        QVERIFY(strip->isVisible());
        experiment.run.data.validation = 5; // another number: no samples vanish, and memory stays known
        m_page->setExperiment(experiment);
        QVERIFY(strip->isVisible());
        experiment.run.data.validation = 40; // all of them
        m_page->setExperiment(experiment);
        QTRY_VERIFY(!canStart());
        fix("setup.finding.D11.hold-out");
        QCOMPARE(run().data.validation, std::int64_t{4});
        QTRY_VERIFY(canStart());
    }

    void droppedTensorsLeadToNetworkAndLoss() {
        usePageOf(engineQueries());
        QVERIFY(drop(*m_page, {tensors("real")}));
        QTRY_COMPARE(run().data.dataset, std::string("tensors"));
        QCOMPARE(run().data.validation, std::int64_t{4});
        fix("setup.finding.D12.use-mlp"); // LeNet-5 takes pictures
        fix("setup.finding.D12.use-mse"); // and numbers are no classes
        QTRY_VERIFY(shownText("setup.found.network").startsWith(QStringLiteral("MLP")));
        QTRY_VERIFY(!m_page->findChild<QLabel*>(QStringLiteral("setup.summary.D12")));
        QVERIFY(run().loss.kind == LossKind::Mse);
        for (const char* field : {"setup.loss.kind", "setup.data.test_path", "setup.data.validation"})
            QVERIFY2(child<QWidget>(*m_page, field)->isVisible(), field); // without "More"
    }

    void sortedSamplesAreWarnedOf() {
        QVERIFY(drop(*m_page, {tensors("sorted")}));
        QTRY_VERIFY(m_page->findChild<QLabel*>(QStringLiteral("setup.summary.D13")));
        QVERIFY(shownText("setup.finding.D13").contains(QStringLiteral("All 4 held-out samples are of class 1")));
    }

    void aFileWrittenAnewIsLookedAtAgain() {
        const auto rows = [](int count) {
            std::string text = "x,y\n";
            for (int i = 0; i < count; ++i)
                text += std::to_string(i) + ',' + std::to_string(i % 2) + '\n';
            return text;
        };
        QVERIFY(drop(*m_page, {write("again.csv", rows(20))}));
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("18 training")));
        write("again.csv", rows(50));
        m_page->activated(); // the person comes back from the program that has written it
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("48 training")));
        write("again.csv", rows(80));
        QVERIFY(drop(*m_page, {m_fixture->path(QStringLiteral("again.csv"))}));
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("72 training")));
    }

    void batchNormInAFileIsWarnedOf() {
        SetupQueries queries = fileQueries();
        queries.model = [](const RunConfig& run) -> Result<ModelFacts> {
            return ModelFacts{{}, 1000, 0, run.model.name == "file"};
        };
        usePageOf(std::move(queries));
        QVERIFY(drop(*m_page, {write("net.pt", moduleZip())}));
        QTRY_VERIFY(m_page->findChild<QPushButton*>(QStringLiteral("setup.summary.B03.ghost-control")));
        QVERIFY(!m_page->findChild<QPushButton*>(QStringLiteral("setup.summary.B03.norm-group")));
        fix("setup.summary.B03.norm-frozen");
        QVERIFY(!m_page->findChild<QLabel*>(QStringLiteral("setup.summary.B03")));
        QVERIFY(run().numerics.batchNorm == BatchNormMode::Frozen);
    }

    void whatWasFoundIsDrawn() {
        QVERIFY(drop(*m_page, {pictures()}));
        auto* strip = child<SampleStrip>(*m_page, "setup.found.samples");
        QTRY_VERIFY(strip->accessibleDescription().startsWith(QStringLiteral("blue; red")));
        QTRY_VERIFY(strip->isVisible());
        QCOMPARE(strip->accessibleName(), QStringLiteral("The first 10 sample(s)"));
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("8x8x3")));
        QVERIFY(shownText("setup.found.network").contains(QStringLiteral("takes 3x8x8")));
        QCOMPARE(shownText("setup.found.parameters"), QStringLiteral("1000, 250 of them frozen"));
        QTest::qWait(0); // the layout follows
        for (const bool dark : {false, true}) {
            m_fixture->theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            const QImage drawn = strip->grab().toImage();
            const qreal ratio = drawn.devicePixelRatio();
            const auto colorAt = [&](int tile) {
                const QPointF middle = QPointF(strip->tileRect(tile).topLeft()) + QPointF(30, 30);
                return drawn.pixelColor((middle * ratio).toPoint());
            };
            QCOMPARE(colorAt(0), QColor(0, 0, 255));
            QCOMPARE(colorAt(1), QColor(255, 0, 0));
            QVERIFY(strip->rect().contains(strip->tileRect(9))); // all ten are inside
        }
        m_fixture->theme().setMode(ThemeMode::Light);
        takePicture(*m_page, QStringLiteral("setup-found"));
    }

    void textIsShownAsText() {
        const std::string line = "All the world is a stage, and all the men and women merely players.\n";
        std::string play;
        for (int i = 0; i < 60; ++i)
            play += line;
        QVERIFY(drop(*m_page, {write("play.txt", play)}));
        QTRY_COMPARE(run().data.dataset, std::string("text"));
        auto* strip = child<SampleStrip>(*m_page, "setup.found.samples");
        QTRY_VERIFY(strip->accessibleDescription().startsWith(QStringLiteral("All the world")));
        QTRY_COMPARE(strip->height(), strip->heightForWidth(strip->width()));
    }

    void whatIsMissingIsSaid() {
        ExperimentConfig experiment;
        experiment.run.data.dataset = "image-folder";
        experiment.run.data.path = "/nowhere";
        m_page->setExperiment(experiment);
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("not found")));
        QVERIFY(!child<SampleStrip>(*m_page, "setup.found.samples")->isVisible());
        QVERIFY(!child<QPushButton>(*m_page, "setup.start")->isEnabled());
    }
};

QTEST_MAIN(TestFoundSamples)
} // namespace test_found_samples
#include "test_found_samples.moc"
