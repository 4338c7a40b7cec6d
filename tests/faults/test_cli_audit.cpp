// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli audit: exit codes that a job can gate on, one JSON object, runs and their checkpoints, what the library
// keeps, and what it says of files that hold no gradients.
#include "core/run/gradient_audits.h"
#include "core/run/stored_audits.h"
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>

namespace test_cli_audit {
using namespace accumulus;
using namespace accumulus::test;

namespace {

const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 64
test_limit = 16
[model]
name = "mlp"
[batch]
effective = 16
micro = 4
[train]
length = "3 updates"
[device]
kind = "cpu"
threads = 1
)";

/// A safetensors file of fp64 or int64 lists.
void writeTensors(const QString& file, const std::map<QString, std::vector<double>>& reals,
                  const std::map<QString, std::vector<qint64>>& integers = {}) {
    QStringList header;
    QByteArray body;
    const auto add = [&](const QString& name, const char* type, const auto& values) {
        const auto bytes = static_cast<qsizetype>(values.size() * sizeof(values.front()));
        header << QString(R"("%1":{"dtype":"%2","shape":[%3],"data_offsets":[%4,%5]})")
                      .arg(name, type)
                      .arg(values.size())
                      .arg(body.size())
                      .arg(body.size() + bytes);
        body.append(reinterpret_cast<const char*>(values.data()), bytes);
    };
    for (const auto& [name, values] : reals)
        add(name, "F64", values);
    for (const auto& [name, values] : integers)
        add(name, "I64", values);
    const QByteArray head = "{" + header.join(',').toUtf8() + "}";
    const auto length = static_cast<quint64>(head.size());
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out.write(head);
    out.write(body);
}

} // namespace

class TestCliAudit : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_run;

    [[nodiscard]] CliResult audit(const QStringList& arguments) const {
        return runCli(QStringList{"audit"} + arguments, m_folder.path());
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    /// Micro-gradients of 4, 4 and 2 units, and what a loop makes of them with weights `c`.
    void writeLoop(const std::vector<double>& c) const {
        const std::vector<std::vector<double>> g{{1.0, -2.0, 0.5, 3.0}, {-0.5, 1.0, 2.0, 0.1}, {0.3, 0.7, -1.0, 1.1}};
        const std::vector<double> right{.4, .4, .2};
        std::vector<double> accumulated(4), large(4);
        std::map<QString, std::vector<double>> micro;
        for (std::size_t k = 0; k < g.size(); ++k) {
            for (std::size_t i = 0; i < 4; ++i) {
                accumulated[i] += c[k] * g[k][i];
                large[i] += right[k] * g[k][i];
            }
            micro[QString("%1/w").arg(k)] = g[k];
        }
        writeTensors(path("a.safetensors"), {{"w", accumulated}});
        writeTensors(path("b.safetensors"), {{"w", large}});
        writeTensors(path("m.safetensors"), micro, {{"units", {4, 4, 2}}});
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(writeText(m_folder.path(), "small.toml", experiment));
        const CliResult run = runCli({"run", "small.toml", "--library", "l.sqlite", "--json"}, m_folder.path());
        QVERIFY2(run.exitCode == 0, qPrintable(run.all()));
        m_run = run.events("run-started").front()["run"].toString();
    }

    void exitCodesTellTheVerdict() {
        const CliResult right = audit({"small.toml", "--library", "none.sqlite"});
        QVERIFY2(right.exitCode == 0, qPrintable(right.all()));
        QVERIFY(right.output.contains("Equivalent: worst tensor"));
        const CliResult wrong = audit({"small.toml", "--library", "none.sqlite", "--fault", "factor-k"});
        QCOMPARE(wrong.exitCode, 10);
        QVERIFY(wrong.output.contains("factor 4.00 on all tensors"));
        const CliResult expected = audit({"small.toml", "--library", "none.sqlite", "--fault", "dropout-stream"});
        QCOMPARE(expected.exitCode, 11);
        QVERIFY(!QFile::exists(path("none.sqlite"))); // an audit alone makes no library
    }

    void jsonIsOneObject() {
        const CliResult result = audit({"small.toml", "--library", "none.sqlite", "--fault", "only-last-kept", "--json",
                                        "--set", "numerics.precision=fp64", "--seed", "7"});
        QCOMPARE(result.exitCode, 10);
        const auto lines = result.jsonLines();
        QCOMPARE(lines.size(), std::size_t{1});
        const QJsonObject json = lines.front();
        QCOMPARE(json["verdict"].toString(), QString("not-equivalent"));
        QCOMPARE(json["pattern"].toString(), QString("only-last-kept"));
        QCOMPARE(json["precision"].toString(), QString("fp64"));
        QCOMPARE(json["seed"].toInt(), 7);
        QVERIFY(!json["sentence"].toString().isEmpty() && !json["worst_tensor"].toString().isEmpty());
        QVERIFY(json["worst_error"].toDouble() > json["tolerance"].toDouble());
        QCOMPARE(json["tensors"].toArray().size(), 6);
        const QJsonArray weights = json["weights"].toArray();
        QCOMPARE(weights.size(), 4);
        for (int k = 0; k < 4; ++k)
            QVERIFY(std::abs(weights[k].toDouble() - (k == 3 ? 1.0 : 0.0)) <= 1e-6);
    }

    void aRunIsAuditedAtItsCheckpoints() {
        const auto normAt = [&](const QStringList& more) {
            const CliResult result = audit(QStringList{m_run, "--library", "l.sqlite", "--json"} + more);
            if (result.exitCode != 0)
                qWarning().noquote() << result.all();
            const QJsonObject json = result.jsonLines().front();
            return std::pair{json["checkpoint"].toString(), json["tensors"].toArray()[0].toObject()["norm"].toDouble()};
        };
        const auto last = normAt({});
        const auto initial = normAt({"--checkpoint", "initial"}); // from the seed: the run has not kept it
        QCOMPARE(last.first, QString("last"));
        QCOMPARE(initial.first, QString("initial"));
        QVERIFY(last.second != initial.second);
        QCOMPARE(normAt({"--checkpoint", "last"}).second, last.second);
    }

    void findingsStayWithTheRun() {
        const std::string library = path("l.sqlite").toStdString();
        const auto stored = [&] {
            RunReader reader(Library::open(library, Library::Mode::Read).value());
            return auditsOf(reader, reader.run(m_run.toStdString()).value()).value();
        };
        const auto before = stored().size();
        QCOMPARE(audit({m_run, "--library", "l.sqlite"}).exitCode, 0);
        QCOMPARE(audit({m_run, "--library", "l.sqlite", "--fault", "factor-k"}).exitCode, 10);   // a lesson
        QCOMPARE(audit({m_run, "--library", "l.sqlite", "--set", "batch.micro=2"}).exitCode, 0); // another set-up
        QCOMPARE(audit({"small.toml", "--library", "l.sqlite", "--seed", "9"}).exitCode, 0);     // the same settings
        QCOMPARE(audit({m_run, "--library", "l.sqlite", "--seed", "77"}).exitCode, 0);           // of no run
        QCOMPARE(audit({m_run, "--library", "l.sqlite", "--tolerance", "0.9"}).exitCode, 0);     // proves nothing
        const auto audits = stored();
        QCOMPARE(audits.size(), before + 2);
        QVERIFY(audits[0].run.empty() && audits[0].seed == 9);
        QCOMPARE(QString::fromStdString(audits[1].run), m_run);
        QVERIFY(runCli({"report", m_run, "--library", "l.sqlite", "--out", "r.html"}, m_folder.path()).exitCode == 0);
        QFile report(path("r.html"));
        QVERIFY(report.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(report.readAll());
        QVERIFY(html.contains("Gradient audit") && html.contains("Weights of the micro-batches"));
    }

    void filesOfAnotherProgramAreAudited() {
        const QStringList both{"--accumulated", "a.safetensors", "--reference", "b.safetensors"};
        const QStringList all = both + QStringList{"--micro-gradients", "m.safetensors", "--json"};
        writeLoop({.4, .4, .2});
        QCOMPARE(audit(all).exitCode, 0);
        writeLoop({1.0 / 3, 1.0 / 3, 1.0 / 3});
        const CliResult means = audit(all);
        QCOMPARE(means.exitCode, 10);
        QCOMPARE(means.jsonLines().front()["pattern"].toString(), QString("mean-of-means"));
        writeLoop({1.2, 1.2, .6});
        QCOMPARE(audit(all).jsonLines().front()["pattern"].toString(), QString("factor-k"));
        const CliResult alone = audit(both + QStringList{"--json"}); // without the micro-gradients
        QCOMPARE(alone.exitCode, 10);
        QCOMPARE(alone.jsonLines().front()["pattern"].toString(), QString("factor-k"));
        QVERIFY(alone.jsonLines().front()["weights"].isNull() ||
                alone.jsonLines().front()["weights"].toArray().isEmpty());
    }

    void whatIsNoGradientIsRefused() {
        writeLoop({.4, .4, .2});
        const QStringList a{"--accumulated", "a.safetensors", "--reference"};
        writeTensors(path("other.safetensors"), {{"v", {1, 2, 3, 4}}});
        writeTensors(path("shape.safetensors"), {{"w", {1, 2, 3}}});
        writeTensors(path("integers.safetensors"), {}, {{"w", {1, 2, 3, 4}}});
        writeTensors(path("no-units.safetensors"), {{"0/w", {1, 2, 3, 4}}});
        writeTensors(path("missing.safetensors"), {{"0/w", {1, 2, 3, 4}}}, {{"units", {1, 1}}});
        QVERIFY(writeText(m_folder.path(), "text.safetensors", "no tensors at all"));
        const auto refused = [&](const QStringList& arguments, const char* word) {
            const CliResult result = audit(arguments);
            QVERIFY2(result.exitCode == 3 && result.errors.contains(word), qPrintable(result.all()));
        };
        refused(a + QStringList{"other.safetensors"}, "Its tensors are not those");
        refused(a + QStringList{"shape.safetensors"}, "in another shape");
        refused(a + QStringList{"integers.safetensors"}, "no tensors of floating-point");
        refused(a + QStringList{"text.safetensors"}, "text.safetensors");
        refused(a + QStringList{"nowhere.safetensors"}, "nowhere.safetensors");
        const QStringList b = a + QStringList{"b.safetensors", "--micro-gradients"};
        refused(b + QStringList{"no-units.safetensors"}, "units");
        refused(b + QStringList{"missing.safetensors"}, "1/w");
    }

    void wrongUseIsRefused() {
        for (const QStringList& arguments : {QStringList{},
                                             {"--accumulated", "a.safetensors"},
                                             {"small.toml", "--checkpoint", "best"},
                                             {"small.toml", "--fault", "typo"},
                                             {"small.toml", "--fault", "loss-scale"},
                                             {"small.toml", "--set", "batch.effective=1000"}}) {
            const CliResult result = audit(arguments);
            QVERIFY2(result.exitCode == 2 && !result.errors.isEmpty(), qPrintable(result.all()));
        }
        QCOMPARE(audit({"nothing", "--library", "l.sqlite"}).exitCode, 5);
    }
};

QTEST_GUILESS_MAIN(TestCliAudit)
} // namespace test_cli_audit
#include "test_cli_audit.moc"
