// SPDX-License-Identifier: GPL-3.0-or-later
// The experiments that come with the program are found in the window, and open in Set up.
#include "core/config/experiment_file.h"
#include "core/run/program.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/setup/setup_page.h"

#include <QAction>
#include <QDialog>
#include <QListWidget>
#include <QPushButton>

namespace test_examples {
using namespace accumulus;
using namespace accumulus::ui;

class TestExamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachIsListedWithItsQuestion() {
        WorkbenchFixture fixture;
        fixture.find<QAction>("actionExamples")->trigger();
        auto* list = fixture.find<QListWidget>("examples.list");
        QVERIFY(list != nullptr);
        int files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(resourceFolder("experiments")))
            files += entry.path().extension() == ".toml" ? 1 : 0;
        QVERIFY(files > 1);
        QTRY_COMPARE(list->count(), files);
        for (int row = 0; row < files; ++row)
            QVERIFY2(list->item(row)->text().endsWith(QLatin1Char('?')), qPrintable(list->item(row)->text()));
        fixture.find<QAction>("actionExamples")->trigger(); // there is one dialog
        QCOMPARE(fixture.window().findChildren<QDialog*>(QStringLiteral("examples")).size(), 1);
    }

    void oneOpensInSetUp() {
        WorkbenchFixture fixture;
        fixture.click("homeExamplesButton");
        auto* list = fixture.find<QListWidget>("examples.list");
        QVERIFY(list != nullptr);
        QTRY_VERIFY(list->count() > 0);
        const auto found = list->findItems(QStringLiteral("MindSpore: perceptron"), Qt::MatchStartsWith);
        QCOMPARE(found.size(), 1);
        list->setCurrentItem(found.front());
        fixture.find<QPushButton>("examples.open")->click();
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        const auto expected = readExperiment(resourceFolder("experiments") / "mindspore-mlp-mnist.toml");
        QVERIFY(expected.has_value());
        const auto* setup = fixture.window().findChild<SetupPage*>();
        QTRY_COMPARE(setup->experiment().study.name, expected->study.name);
        QCOMPARE(setup->experiment(), *expected);
        QTRY_VERIFY(!fixture.window().findChild<QDialog*>(QStringLiteral("examples")));
    }
};

QTEST_MAIN(TestExamples)
} // namespace test_examples
#include "test_examples.moc"
