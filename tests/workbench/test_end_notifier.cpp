// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop is asked to do when training ends or fails while the person looks elsewhere.
#include "app/workbench/end_notifier.h"
#include "tests/workbench/workbench_fixture.h"

#include <QAction>

namespace test_end_notifier {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// Writes down what it is asked for.
class WrittenAttention final : public DesktopAttention {
public:
    explicit WrittenAttention(QStringList& asked) : m_asked(asked) {}
    void alert(QWidget& window) override { m_asked << QStringLiteral("alert ") + window.objectName(); }
    void showMessage(const QString& title, const QString&, bool failure) override {
        m_asked << (failure ? QStringLiteral("warn: ") : QStringLiteral("tell: ")) + title;
    }

private:
    QStringList& m_asked;
};

struct Notified {
    Notified() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
        QSettings().clear();
        window.setObjectName(QStringLiteral("window"));
        auto made = std::make_unique<WrittenAttention>(asked);
        attention = made.get();
        notifier = new EndNotifier(runs, ends, failures, window, std::move(made));
    }
    void lookAt(QWidget& widget) {
        widget.show();
        widget.activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(widget.isActiveWindow(), patience);
    }

    QTemporaryDir folder;
    RunController runs{folder.filePath(QStringLiteral("library.sqlite")).toStdString()};
    QAction ends, failures;
    QStringList asked;
    QWidget window, other;
    DesktopAttention* attention = nullptr;
    EndNotifier* notifier = nullptr;
};

const Error failed{"training.nonfinite", {}};

} // namespace

class TestEndNotifier : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoSeesItIsNotTold() {
        Notified desk;
        desk.lookAt(desk.window);
        Q_EMIT desk.runs.failed(failed);
        Q_EMIT desk.runs.studyFinished({}, true);
        QCOMPARE(desk.asked, QStringList());
    }

    void aFailureAlertsAndWarns() {
        Notified desk;
        desk.lookAt(desk.other);
        Q_EMIT desk.runs.failed(failed);
        Q_EMIT desk.runs.studyFinished({}, true);
        QCOMPARE(desk.asked, (QStringList{QStringLiteral("alert window"), QStringLiteral("warn: Training failed")}));
    }

    void anEndIsToldOnDemand() {
        Notified desk;
        desk.lookAt(desk.other);
        Q_EMIT desk.runs.studyFinished({}, false);
        QCOMPARE(desk.asked, QStringList());
        desk.ends.setChecked(true);
        Q_EMIT desk.runs.studyFinished({}, true); // who stops it knows
        QCOMPARE(desk.asked, QStringList());
        Q_EMIT desk.runs.studyFinished({}, false);
        QCOMPARE(desk.asked, (QStringList{QStringLiteral("alert window"), QStringLiteral("tell: Training has ended")}));
    }

    void aFailureIsNotToldTwice() {
        Notified desk;
        desk.ends.setChecked(true);
        desk.failures.setChecked(false);
        desk.lookAt(desk.other);
        Q_EMIT desk.runs.failed(failed);
        Q_EMIT desk.runs.studyFinished({}, false);
        QCOMPARE(desk.asked, QStringList());
    }

    void aClickOnTheMessageBringsTheWindow() {
        Notified desk;
        desk.lookAt(desk.window);
        desk.lookAt(desk.other);
        Q_EMIT desk.attention->messageClicked();
        QTRY_VERIFY_WITH_TIMEOUT(desk.window.isActiveWindow(), patience);
    }
};

QTEST_MAIN(TestEndNotifier)
} // namespace test_end_notifier
#include "test_end_notifier.moc"
