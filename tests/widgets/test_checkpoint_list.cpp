// SPDX-License-Identifier: GPL-3.0-or-later
// The list of a run's checkpoints: which of them is the last one, and how one leaves the library.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/checkpoint_list.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace test_checkpoint_list {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCheckpointList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_list = std::make_unique<CheckpointList>(m_fixture->services());
        m_run = m_fixture->services().library.reader().runs().value().front();
    }
    void cleanup() {
        m_list.reset();
        m_fixture.reset();
    }

    /// The attempt that was stopped left one, too.
    void onlyTheNewestIsTheLast() {
        m_list->showRun(m_run, {saved(CheckpointKind::Best, 400), saved(CheckpointKind::Last, 1095),
                                saved(CheckpointKind::Last, 1185)});
        QCOMPARE(titles(), QStringList({"best", "before a resume", "last"}));
        m_list->showRun(m_run, {saved(CheckpointKind::Last, 1185)});
        QCOMPARE(titles(), QStringList("last"));
    }

    void theSelectedOneIsExported() {
        const CheckpointFiles last = saved(CheckpointKind::Last, 1185);
        QFile weights(QString::fromStdString(last.record.weightsPath));
        QVERIFY(weights.open(QFile::WriteOnly) && weights.write("tensors") == 7);
        weights.close();
        m_list->showRun(m_run, {last});
        auto* action = child<QAction>(*m_list, "checkpointExport");
        auto* tree = child<QTreeWidget>(*m_list, "inspectorCheckpoints");
        QVERIFY(tree->actions().contains(action)); // of its menu
        QVERIFY(!action->isEnabled());
        tree->setCurrentItem(tree->topLevelItem(0));
        QVERIFY(action->isEnabled());
        QFile copy(m_fixture->path(QStringLiteral("copy.safetensors")));
        m_list->exportWeights(copy.fileName());
        auto* result = child<QLabel>(*m_list, "checkpointResult");
        QTRY_VERIFY(result->text().contains(copy.fileName()));
        QVERIFY(copy.open(QFile::ReadOnly));
        QCOMPARE(copy.readAll(), QByteArray("tensors"));
        // Where it fails, that is said in the same place.
        QVERIFY(weights.remove());
        m_list->exportWeights(m_fixture->path(QStringLiteral("again.safetensors")));
        QTRY_VERIFY(!result->text().contains(QStringLiteral("Saved")));
        QVERIFY(!result->text().isEmpty());
    }

    void howAnExportWentIsToldUntilAnotherIsSelected() {
        m_list->showRun(m_run, {saved(CheckpointKind::Best, 400), saved(CheckpointKind::Last, 1185)});
        auto* tree = child<QTreeWidget>(*m_list, "inspectorCheckpoints");
        const auto* result = child<QLabel>(*m_list, "checkpointResult");
        tree->setCurrentItem(tree->topLevelItem(0));
        m_list->exportWeights(m_fixture->path(QStringLiteral("copy.safetensors"))); // of weights that are not there
        QTRY_VERIFY(!result->text().isEmpty());
        tree->setCurrentItem(tree->topLevelItem(0)->child(0)); // the same one
        QVERIFY(!result->text().isEmpty());
        for (const int other : {1, 0}) {
            tree->setCurrentItem(tree->topLevelItem(other));
            QVERIFY(result->text().isEmpty());
        }
    }

    /// A better one takes its place while a person looks at it.
    void theSelectionFollowsTheKind() {
        m_list->showRun(m_run, {saved(CheckpointKind::Best, 400), saved(CheckpointKind::Last, 450)});
        auto* tree = child<QTreeWidget>(*m_list, "inspectorCheckpoints");
        tree->setCurrentItem(tree->topLevelItem(0));
        m_list->showRun(m_run, {saved(CheckpointKind::Last, 450), saved(CheckpointKind::Best, 500)});
        QCOMPARE(tree->currentItem(), tree->topLevelItem(1));
        QVERIFY(child<QAction>(*m_list, "checkpointExport")->isEnabled());
        // Of another run nothing is selected.
        RunRecord other = m_run;
        other.id = "another";
        m_list->showRun(other, {saved(CheckpointKind::Best, 700)});
        QVERIFY(!tree->currentItem());
    }

    void anExportOfWhatHasGoneIsToldOf() {
        m_list->showRun(m_run, {saved(CheckpointKind::Best, 400)});
        auto* tree = child<QTreeWidget>(*m_list, "inspectorCheckpoints");
        tree->setCurrentItem(tree->topLevelItem(0));
        bool asked = false;
        QTimer hand;
        connect(&hand, &QTimer::timeout, this, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            auto* name = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
            if (!name || std::exchange(asked, true))
                return;
            m_list->showRun(m_run, {saved(CheckpointKind::Last, 500)}); // the weights of 400 are no more
            name->setText(m_fixture->path("copy.safetensors"));
            QTimer::singleShot(0, name, [name] { QTest::keyClick(name, Qt::Key_Return); });
        });
        hand.start(50);
        child<QAction>(*m_list, "checkpointExport")->trigger();
        hand.stop();
        QVERIFY(asked && !tree->currentItem());
        const auto* result = child<QLabel>(*m_list, "checkpointResult");
        QTRY_VERIFY(!result->isHidden() && result->text().contains("400.safetensors"));
    }

    void whatMayBeVerifiedIsKnownAtTheEndOfAStudy() {
        m_list->showRun(m_run, {saved(CheckpointKind::Best, 400)});
        auto* tree = child<QTreeWidget>(*m_list, "inspectorCheckpoints");
        tree->setCurrentItem(tree->topLevelItem(0));
        ExperimentConfig experiment;
        experiment.run.data.dataset = "digits-generated";
        experiment.run.data.trainLimit = experiment.run.data.testLimit = 64;
        experiment.run.model.name = "mlp";
        experiment.run.batch.effective = experiment.run.batch.micro = 64;
        experiment.run.train.length = {2, Extent::Unit::Updates};
        RunController& runs = m_fixture->services().runs;
        runs.start(experiment);
        const auto* verify = child<QPushButton>(*m_list, "checkpointVerify");
        QVERIFY(!verify->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), 60'000);
        QCOMPARE(runs.state(), RunState::Completed); // as that of its last run before
        QVERIFY2(verify->isEnabled(), qPrintable(verify->toolTip()));
    }

private:
    [[nodiscard]] CheckpointFiles saved(CheckpointKind kind, std::int64_t update) const {
        CheckpointFiles files;
        files.record.kind = kind;
        files.record.update = update;
        files.record.wallTime = static_cast<double>(update);
        files.record.weightsPath = m_fixture->path(QStringLiteral("%1.safetensors").arg(update)).toStdString();
        files.record.bytes = files.weightsBytes = 7;
        return files;
    }
    [[nodiscard]] QStringList titles() const {
        const auto* tree = child<QTreeWidget>(*m_list, "inspectorCheckpoints");
        QStringList all;
        for (int i = 0; i < tree->topLevelItemCount(); ++i)
            all << tree->topLevelItem(i)->text(0);
        return all;
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<CheckpointList> m_list;
    RunRecord m_run;
};

QTEST_MAIN(TestCheckpointList)
} // namespace test_checkpoint_list
#include "test_checkpoint_list.moc"
