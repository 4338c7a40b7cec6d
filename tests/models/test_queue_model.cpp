// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of the queue says of the studies that wait.
#include "core/base/clock.h"
#include "widgets/models/queue_model.h"

#include <QTemporaryDir>
#include <QTest>

namespace test_queue_model {
using namespace accumulus;
using namespace accumulus::ui;

class TestQueueModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The one that the queue would take.
    void nextIsWhoseTimeHasCome() {
        const QTemporaryDir folder;
        LibraryGateway library;
        RunController runs(folder.filePath(QStringLiteral("library.db")).toStdString());
        runs.setMayTrain(false); // else it would begin
        const QueueModel model(runs, library);
        for (const double notBefore : {unixTime() + 3600.0, 0.0, 0.0}) {
            QueuedStudy study;
            study.notBefore = notBefore;
            runs.queue().add(study);
        }
        const auto starts = [&model](int row) { return model.index(row, QueueModel::Starts).data().toString(); };
        QVERIFY2(starts(0).startsWith("not before"), qPrintable(starts(0)));
        QCOMPARE(starts(1), QString("next"));
        QCOMPARE(starts(2), QString());
    }
};

QTEST_MAIN(TestQueueModel)
} // namespace test_queue_model
#include "test_queue_model.moc"
