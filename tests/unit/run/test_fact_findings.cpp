// SPDX-License-Identifier: GPL-3.0-or-later
// What a look at the network adds to the findings of a set-up.
#include "core/run/fact_findings.h"

#include <QTest>

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
};

QTEST_APPLESS_MAIN(TestFactFindings)
#include "test_fact_findings.moc"
