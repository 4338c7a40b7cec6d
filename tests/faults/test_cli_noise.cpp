// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli noise: one JSON object of a run or a study, the same in words, by parameter at a checkpoint, and what
// it says where there is nothing to say.
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"

#include <QTemporaryDir>
#include <QTest>

namespace test_cli_noise {
using namespace accumulus::test;

namespace {

/// 2 seeds, both arms: four runs of 40 updates. The learning rate is small: the gradient's mean
/// stays far from 0.
const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 640
test_limit = 40
[model]
name = "mlp"
[batch]
effective = 64
micro = 16
[optimizer]
lr = 0.01
momentum = 0.0
[train]
length = "40 updates"
[evaluate]
every = "0 epochs"
[checkpoint]
every = "0 epochs"
[device]
kind = "cpu"
lanes = 1
threads = 1
[study]
seeds = [0, 1]
large_batch = true
)";

} // namespace

class TestCliNoise : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QStringList m_accumulated, m_large;
    QString m_study;

    [[nodiscard]] CliResult noise(const QStringList& arguments) const {
        return runCli(QStringList{"noise"} + arguments + QStringList{"--library", "noise.sqlite"}, m_folder.path());
    }
    [[nodiscard]] QJsonObject json(const QStringList& arguments) const {
        const CliResult result = noise(arguments + QStringList{"--json"});
        const auto lines = result.jsonLines();
        if (result.exitCode != 0 || lines.size() != 1)
            qWarning().noquote() << result.all();
        return lines.size() == 1 ? lines.front() : QJsonObject();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(writeText(m_folder.path(), "small.toml", experiment));
        const CliResult run = runCli({"run", "small.toml", "--library", "noise.sqlite", "--json"}, m_folder.path());
        QVERIFY2(run.exitCode == 0, qPrintable(run.all()));
        for (const QJsonObject& started : run.events("run-started")) {
            m_study = started["study"].toString();
            (started["arm"].toString() == "accumulated" ? m_accumulated : m_large) << started["run"].toString();
        }
        QCOMPARE(m_accumulated.size(), 2);
        QCOMPARE(m_large.size(), 2);
    }

    void aRunIsOneObject() {
        const QJsonObject noise = json({m_accumulated[0]});
        QCOMPARE(noise["run"].toString(), m_accumulated[0]);
        QCOMPARE(noise["windows"].toInt(), 20); // the second half of 40
        QCOMPARE(noise["unit"].toString(), QString("samples"));
        QCOMPARE(noise["b"].toDouble(), 64.0);
        QVERIFY(noise["identified"].toBool());
        const double value = noise["b_simple"].toDouble();
        QVERIFY(noise["low"].toDouble() < value && value < noise["high"].toDouble());
        QVERIFY(compareRel(value, noise["s"].toDouble() / noise["g2"].toDouble(), 1e-12));
        QVERIFY(compareRel(noise["samples_multiplier"].toDouble(), 1.0 + 64.0 / value, 1e-12));
        QVERIFY(compareRel(noise["updates_multiplier"].toDouble(), 1.0 + value / 64.0, 1e-12));
        QCOMPARE(noise["start"]["windows"].toInt(), 20);
        QCOMPARE(noise["average"]["parts"].toInt(), 2); // parts of 20 windows
        QVERIFY(noise["average"]["least"].toDouble() <= noise["average"]["most"].toDouble());
    }

    void wordsSayThatItIsAnOrderOfMagnitude() {
        const CliResult result = noise({m_accumulated[0].left(8)});
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(result.output.contains("an order of magnitude"), qPrintable(result.output));
        QVERIFY2(result.output.contains("at B = 64: "), qPrintable(result.output));
    }

    void aStudyPoolsItsAccumulatedRuns() {
        const QJsonObject noise = json({m_study});
        QCOMPARE(noise["study"].toString(), m_study);
        QCOMPARE(noise["windows"].toInt(), 40);
        const QJsonArray runs = noise["runs"].toArray();
        QCOMPARE(runs.size(), 4);
        double s = 0.0;
        int empty = 0;
        for (const auto& value : runs) {
            const QJsonObject run = value.toObject();
            if (run["arm"].toString() == "accumulated") {
                s += run["s"].toDouble() / 2.0; // equally many windows
                continue;
            }
            ++empty;
            QVERIFY(run["b_simple"].isNull() && run["low"].isNull() && run["s"].isNull());
            QVERIFY(!run["identified"].toBool());
            QCOMPARE(run["missing"].toString(), QString("reason.noise-one-micro-batch"));
        }
        QCOMPARE(empty, 2);
        QVERIFY(compareRel(noise["s"].toDouble(), s, 1e-12));
        QVERIFY(this->noise({m_study}).output.contains("all accumulated runs together"));
    }

    void aLargeBatchSaysWhyItHasNone() {
        const CliResult result = noise({m_large[0], "--json"});
        QCOMPARE(result.exitCode, 5);
        QVERIFY(result.output.isEmpty());
        QVERIFY2(result.errors.contains("one micro-batch (K = 1)") && result.errors.contains("--by-layer"),
                 qPrintable(result.errors));
        QCOMPARE(noise({"no-such-run"}).exitCode, 5);
    }

    // tr Sigma and |G|^2 are sums over parameters, and so are the means of their estimates. fp32 gradients: the norms
    // are summed in fp64 here and as the training sums them there, 1e-6 apart; A - Q loses up to two digits.
    void parametersAddUp_data() {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<bool>("large");
        QTest::newRow("last") << "last" << false;
        QTest::newRow("initial, drawn again") << "initial" << false;
        QTest::newRow("the large batch's last") << "last" << true;
    }
    void parametersAddUp() {
        QFETCH(QString, checkpoint);
        QFETCH(bool, large);
        const QJsonObject noise =
            json({large ? m_large[0] : m_accumulated[0], "--by-layer", "--checkpoint", checkpoint, "--windows", "6"});
        const QJsonObject layers = noise["layers"].toObject();
        QCOMPARE(layers["windows"].toInt(), 6);
        QCOMPARE(layers["update"].toInt(), checkpoint == "last" ? 40 : 0);
        QCOMPARE(layers["micro"].toInt(), 16);
        QCOMPARE(layers["steps"].toInt(), 4);
        const QJsonArray tensors = layers["tensors"].toArray();
        QCOMPARE(tensors.size(), 6); // weight and bias of three layers
        double s = 0.0;
        double g2 = 0.0;
        for (const auto& value : tensors) {
            const QJsonObject tensor = value.toObject();
            QVERIFY(!tensor["name"].toString().isEmpty() && !tensor["shape"].toArray().isEmpty());
            s += tensor["s"].toDouble();
            g2 += tensor["g2"].toDouble();
        }
        QVERIFY(layers["s"].toDouble() > 0.0);
        QVERIFY(compareRel(s, layers["s"].toDouble(), 1e-4));
        QVERIFY(std::abs(g2 - layers["g2"].toDouble()) < 1e-4 * layers["s"].toDouble());
    }

    void layersInWords() {
        const CliResult result = noise({m_accumulated[0], "--by-layer", "--windows", "4"});
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(result.output.contains("by parameter, at the last weights (update 40), 4 windows of 64"),
                 qPrintable(result.output));
    }

    void mistakesAreRefused() {
        QCOMPARE(noise({m_accumulated[0], "--by-layer", "--checkpoint", "middle"}).exitCode, 2);
        QCOMPARE(noise({m_accumulated[0], "--by-layer", "--windows", "1"}).exitCode, 2);
        const CliResult study = noise({m_study, "--by-layer"});
        QCOMPARE(study.exitCode, 2);
        QVERIFY2(study.errors.contains("4 runs") && study.errors.contains("--library "), qPrintable(study.errors));
        const CliResult best = noise({m_accumulated[0], "--by-layer", "--checkpoint", "best"});
        QVERIFY2(best.exitCode == 3, qPrintable(best.all())); // none was kept
    }

    void meanOfMeansHasNone() {
        const CliResult run =
            runCli({"run", "small.toml", "--library", "means.sqlite", "--json", "--set", "loss.normalise=mean-of-means",
                    "--set", "study.large_batch=false", "--set", "study.seeds=[0]", "--set", "train.length=2 updates"},
                   m_folder.path());
        QVERIFY2(run.exitCode == 0, qPrintable(run.all()));
        const QString id = run.events("run-started").front()["run"].toString();
        const CliResult result = runCli({"noise", id, "--library", "means.sqlite"}, m_folder.path());
        QCOMPARE(result.exitCode, 5);
        QVERIFY2(result.errors.contains("loss.normalise"), qPrintable(result.errors));
    }
};

QTEST_GUILESS_MAIN(TestCliNoise)
} // namespace test_cli_noise
#include "test_cli_noise.moc"
