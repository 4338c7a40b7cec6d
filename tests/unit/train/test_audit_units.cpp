// SPDX-License-Identifier: GPL-3.0-or-later
// Audits where what is counted decides: samples that bear several units of loss, and losses at the places where their
// formula has a corner.
#include "core/train/audit.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace test_audit_units {
using namespace accumulus;

namespace {

AuditSetup setupOf(const RunConfig& config) {
    AuditSetup setup;
    setup.engine.config = config;
    setup.engine.lanes = {2, 1};
    const std::filesystem::path resources = qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString() + "/resources";
    setup.engine.data = loadDataset(config.data, resources).value();
    return setup;
}

RunConfig textConfig(Normalise normalise) {
    RunConfig config;
    config.data.dataset = "tinyshakespeare";
    config.data.block = 8;
    config.data.trainLimit = 64;
    config.data.testLimit = 10;
    config.model.name = "bert-mini"; // each sample is asked for another number of tokens
    config.model.layers = 1;
    config.model.heads = 1;
    config.model.width = 8;
    config.batch.effective = 16;
    config.batch.micro = 4;
    config.loss.normalise = normalise;
    config.numerics.precision = Precision::Fp64;
    config.device.kind = "cpu";
    config.device.threads = 1;
    return config;
}

} // namespace

class TestAuditUnits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A loop that is built wrong counts tokens, whatever the right one counts.
    void mistakesAreNamedWhateverIsCounted_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault : {"factor-k", "mean-of-means"})
            QTest::newRow(fault) << fault;
    }
    void mistakesAreNamedWhateverIsCounted() {
        QFETCH(QString, fault);
        for (const Normalise normalise : {Normalise::Samples, Normalise::Tokens}) {
            AuditSetup setup = setupOf(textConfig(normalise));
            setup.fault = fault.toStdString();
            const auto audit = auditTraining(setup);
            QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
            QCOMPARE(QString::fromStdString(audit->pattern.value_or("none")), fault);
        }
    }

    /// A perceptron without hidden layers has no dropout: the lesson draws its images instead.
    void aLessonAboutDrawsDraws() {
        RunConfig config = textConfig(Normalise::Samples);
        config.data = {};
        config.data.dataset = "digits-generated";
        config.data.trainLimit = 120;
        config.data.testLimit = 10;
        config.model = {};
        config.model.name = "mlp";
        config.model.hidden = {};
        AuditSetup setup = setupOf(config);
        setup.fault = "dropout-stream";
        const auto audit = auditTraining(setup);
        QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
        QVERIFY(audit->verdict != AuditVerdict::Equivalent);
    }

    /// With its hidden units dropped, a network that begins without bias returns exactly 0: there the gradient of
    /// binary cross-entropy is 0.5 - y.
    void logitsOfZeroAreNoCorner() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("rows.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a,b,y\n");
        for (int i = 0; i < 120; ++i)
            file.write(QByteArray::number(i % 7) + "," + QByteArray::number(i % 5) + (i % 3 == 0 ? ",1\n" : ",0\n"));
        file.close();
        RunConfig config = textConfig(Normalise::Samples);
        config.data = {};
        config.data.dataset = "table";
        config.data.path = file.fileName().toStdString();
        config.data.target = "y";
        config.data.validation = 20;
        config.model = {};
        config.model.name = "mlp";
        config.model.hidden = {4};
        config.model.init = "normal";
        config.model.dropout = 0.9;
        config.loss.kind = LossKind::BceWithLogits;
        const auto audit = auditTraining(setupOf(config));
        QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
        for (const AuditedTensor& tensor : audit->tensors)
            QVERIFY2(tensor.errorFp64.value_or(1.0) < 1e-9, tensor.name.c_str());
    }
};

QTEST_APPLESS_MAIN(TestAuditUnits)
} // namespace test_audit_units
#include "test_audit_units.moc"
