// SPDX-License-Identifier: GPL-3.0-or-later
// What a look at data and network adds to the findings of a set-up.
#include "core/run/fact_findings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace test_fact_findings {
using namespace accumulus;

class TestFactFindings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Told where two arms are compared, and only of a network that draws by itself.
    void randomNumbersOfANetworkFromAFileAreTold() {
        ExperimentConfig config;
        config.study.largeBatch = true;
        ModelFacts facts;
        facts.facts = {{"fact.file-draws", {}}};
        const auto ids = [&] {
            const Result<ModelFacts> model = facts;
            std::vector<std::string> found;
            for (const Finding& finding : checkFacts(config, nullptr, &model))
                found.push_back(finding.id);
            return found;
        };
        QCOMPARE(ids(), std::vector<std::string>{"B07"});
        config.study.largeBatch = false;
        QVERIFY(ids().empty());
        config.study.largeBatch = true;
        facts.facts.clear();
        QVERIFY(ids().empty());
    }

    /// One question mark would make a category of each number.
    void aWordAmongNumbersIsTold() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("rows.csv"));
        for (const bool mistake : {false, true}) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("income,colour,y\n");
            for (int i = 0; i < 100; ++i)
                file.write(QByteArray(mistake && i == 40 ? "?"
                                      : i == 50          ? "#N/A"
                                                         : QByteArray::number(1000 + i)) +
                           (i % 3 ? ",red" : ",blue") + (i % 2 ? ",1\n" : ",0\n"));
            file.close();
            ExperimentConfig config;
            config.run.data.dataset = "table";
            config.run.data.path = file.fileName().toStdString();
            config.run.data.target = "y";
            config.run.data.validation = 10;
            const auto data = inspectData(config.run.data, "mlp");
            QVERIFY(data.has_value());
            const auto findings = checkFacts(config, &data, nullptr);
            QCOMPARE(findings.size(), std::size_t(mistake));
            if (mistake) {
                const std::string said = messageText(findings.front().message);
                QCOMPARE(findings.front().id, std::string("D16"));
                QVERIFY2(said.find("column income") != std::string::npos &&
                             said.find("line 42 ") != std::string::npos && said.find("\"?\"") != std::string::npos,
                         said.c_str());
            }
        }
    }

    /// What no setting mends leads to the setting that it is about; what the data lack is left to who shows them.
    void otherErrorsOfTheNetworkLeadToTheirSetting() {
        ExperimentConfig config;
        config.run.model.weights = "w.pt";
        config.run.model.path = "net.pt";
        const auto keyOf = [&](const Error& problem, const Result<DataSummary>* data = nullptr) {
            const Result<ModelFacts> model = failure(problem);
            const auto found = checkFacts(config, data, &model);
            return found.size() == 1 && found[0].id == "D14" && found[0].level == FindingLevel::Error
                       ? found[0].key
                       : std::to_string(found.size());
        };
        QCOMPARE(keyOf({"weights.mismatch", {{"file", "w.pt"}}}), std::string("model.weights"));
        QCOMPARE(keyOf({"file.open", {{"file", "w.pt"}}}), std::string("model.weights"));
        QCOMPARE(keyOf({"model.file-missing", {{"file", "net.pt"}}}), std::string("model.path"));
        QCOMPARE(keyOf({"model.file-unset", {}}), std::string("model.path"));
        QCOMPARE(keyOf({"loss.class-weights", {}}), std::string("loss.class_weights"));
        QCOMPARE(keyOf({"model.input", {}}), std::string("model.name"));
        const Result<DataSummary> missing = failure("data.missing");
        QCOMPARE(keyOf({"data.missing", {}}, &missing), std::string("0"));
    }
};

QTEST_APPLESS_MAIN(TestFactFindings)
} // namespace test_fact_findings
#include "test_fact_findings.moc"
