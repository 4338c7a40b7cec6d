// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a network from a file before it trains: which of its memory, and whether it has BatchNorm layers.
#include "core/run/micro_planner.h"
#include "core/run/model_facts.h"
#include "tests/support/scripted_nets.h"

#include <QTemporaryDir>
#include <QTest>

namespace test_network_from_file {
using namespace accumulus;
using namespace accumulus::test;

class TestNetworkFromFile : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    [[nodiscard]] RunConfig configOf(const char* name, const char* middle, bool statistics) const {
        RunConfig config;
        config.data.dataset = "digits-generated";
        config.data.trainLimit = 64;
        config.data.testLimit = 16;
        config.model.name = "file";
        config.model.path =
            saveTwoLayers(m_folder.filePath(QLatin1String(name)).toStdString(), 28 * 28, 10, middle, statistics);
        config.batch.effective = 32;
        config.batch.micro = 8;
        config.device.kind = "cpu";
        config.device.lanes = 1;
        config.device.threads = 1;
        return config;
    }

private Q_SLOTS:
    void activationsAreNotMadeUp() {
        RunConfig config = configOf("plain.pt", plainMiddle, false);
        const auto estimate = estimateMemory(config);
        QVERIFY2(estimate.has_value(), estimate ? "" : describe(estimate.error()).c_str());
        QVERIFY(!estimate->complete);
        QCOMPARE(estimate->activations, std::int64_t{0});
        QVERIFY(estimate->parameters >= 4 * (6 * 28 * 28 + 10 * 6));
        config.model.name = "mlp";
        QVERIFY(estimateMemory(config).value().complete);
    }

    void batchNormIsFound() {
        const auto with = inspectModel(configOf("norm.pt", normMiddle, true));
        QVERIFY2(with.has_value(), with ? "" : describe(with.error()).c_str());
        QVERIFY(with->batchNorm);
        QVERIFY(!inspectModel(configOf("plain.pt", plainMiddle, false)).value().batchNorm);
    }
};

QTEST_APPLESS_MAIN(TestNetworkFromFile)
} // namespace test_network_from_file
#include "test_network_from_file.moc"
