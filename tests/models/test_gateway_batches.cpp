// SPDX-License-Identifier: GPL-3.0-or-later
// An edit that goes wrong in the middle of a batch takes nothing else with it.
#include "tests/support/synthetic_library.h"
#include "widgets/bridge/library_gateway.h"

#include <QTemporaryDir>
#include <QTest>
#include <new>

namespace test_gateway_batches {
using namespace accumulus;
using namespace accumulus::ui;

class TestGatewayBatches : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aBatchThatAnEditLeavesOpenTakesNoOtherWithIt() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("library.sqlite")).toStdString();
        test::SyntheticStudy study;
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.9};
        study.windows = 20;
        const auto runs = test::addSyntheticStudy(file, study);
        QVERIFY(runs.has_value());
        const std::string& run = runs->groupA.front();
        for (const bool throws : {true, false}) {
            {
                LibraryGateway gateway;
                QVERIFY(gateway.open(file));
                gateway.edit(
                    this,
                    [&](RunStore& store) -> Status {
                        ACCUMULUS_TRY(store.begin());
                        ACCUMULUS_TRY(store.setNotes(run, "half"));
                        return throws ? throw std::bad_alloc() : Status();
                    },
                    [](const Status&) {});
                gateway.edit(this, [&](RunStore& store) { return store.rename(run, throws ? "thrown" : "left open"); });
                QTRY_VERIFY(!gateway.writing());
                RunStore other(Library::open(file, Library::Mode::Write).value());
                QVERIFY(other.setTags(run, {"nobody waits"}));
            }
            RunReader reader(Library::open(file, Library::Mode::Read).value());
            QCOMPARE(reader.run(run).value().name, std::string(throws ? "thrown" : "left open"));
            QVERIFY(reader.run(run).value().notes != "half");
        }
    }
};

QTEST_MAIN(TestGatewayBatches)
} // namespace test_gateway_batches
#include "test_gateway_batches.moc"
