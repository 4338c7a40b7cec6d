// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a network from a file before it trains: which of its memory, and whether it has BatchNorm layers.
#include "core/run/gradient_audits.h"
#include "core/run/micro_planner.h"
#include "core/run/model_facts.h"
#include "core/run/study_runner.h"
#include "tests/support/scripted_nets.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

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

    // A type that is written into it is the only one, and whoever asks for another learns it before anything trains.
    void aTypeThatIsWrittenIntoIt_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<Precision>("good");
        QTest::addColumn<Precision>("bad");
        QTest::newRow("fp32") << "x = torch.relu(x).to(6)" << Precision::Fp32 << Precision::Fp64;
        QTest::newRow("fp64") << "x = torch.relu(x).to(7)" << Precision::Fp64 << Precision::Bf16;
    }
    void aTypeThatIsWrittenIntoIt() {
        QFETCH(QString, middle);
        QFETCH(Precision, good);
        QFETCH(Precision, bad);
        RunConfig config = configOf("typed.pt", middle.toUtf8(), false);
        const std::filesystem::path library = m_folder.filePath("library.sqlite").toStdString();
        config.numerics.precision = bad;
        const auto refused = inspectModel(config);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("model.file-precision"));
        AuditRequest request;
        request.config = config;
        QCOMPARE(auditGradients(request, library).error().code, std::string("model.file-precision"));
        RunControl control;
        const auto run = runStudy({.run = config, .study = {}}, library, control, {});
        const Error problem = run ? run->error.value_or(Error{}) : run.error();
        QCOMPARE(problem.code, std::string("model.file-precision"));

        config.numerics.precision = request.config.numerics.precision = good;
        QVERIFY(inspectModel(config).has_value());
        const auto audit = auditGradients(request, library); // whose reference is in fp64
        QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
        QVERIFY(audit->verdict == AuditVerdict::Equivalent);
        const bool told =
            std::ranges::any_of(audit->notes, [](const Message& note) { return note.code == "audit.note.no-fp64"; });
        QCOMPARE(told, good == Precision::Fp32);
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
