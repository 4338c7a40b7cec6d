// SPDX-License-Identifier: GPL-3.0-or-later
// A person brings files: they are dropped on Set up or Home, said by name, become settings in one edit and are
// remembered.
#include "core/base/atomic_file.h"
#include "tests/widgets/brought_files_fixture.h"
#include "widgets/models/recent_files.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/home/own_network.h"

#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>

namespace test_brought_files {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestBroughtFiles : public QObject, protected BroughtFiles {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void weightsAreOneEdit() {
        const QString file = weights();
        const ExperimentConfig before = m_page->experiment();
        QVERIFY(drop(*m_page, {file}));
        QTRY_COMPARE(run().model.weights, file.toStdString());
        QVERIFY(notice()->isVisible());
        QCOMPARE(notice()->text(),
                 QStringLiteral("weights.safetensors: a safetensors file of weights, as initial weights"));
        m_page->undo();
        QVERIFY(m_page->experiment() == before);
        m_page->redo();
        QCOMPARE(run().model.weights, file.toStdString());
    }

    void aFolderOfImagesAndWeightsTogether() {
        QVERIFY(drop(*m_page, {pictures(), weights()}));
        QTRY_COMPARE(run().data.dataset, std::string("image-folder"));
        QVERIFY(run().model.weights.ends_with("weights.safetensors"));
        m_page->undo(); // both at once
        QCOMPARE(run().data.dataset, std::string("mnist"));
        QVERIFY(run().model.weights.empty());
    }

    void aModuleIsTheNetwork() {
        ExperimentConfig other = m_page->experiment();
        other.run.model.weights = "/of/another/network.pt";
        m_page->setExperiment(other);
        const QString file = write("net.pt", moduleZip());
        QVERIFY(drop(*m_page, {file}));
        QTRY_COMPARE(run().model.name, std::string("file"));
        QCOMPARE(run().model.path, file.toStdString());
        QVERIFY(run().model.weights.empty()); // it brings its own
        QCOMPARE(recentFiles(FileRole::Model), QStringList{file});
        QVERIFY(child<QLineEdit>(*m_page, "setup.model.path")->isVisible());
    }

    void wrongFilesSayWhatTheyAre_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("said");
        QTest::newRow("onnx") << "net.onnx" << QByteArray("\x08\x07\x12\x07pytorch\x1a") << "is an ONNX model";
        QTest::newRow("excel") << "t.xlsx" << QByteArray::fromStdString(zipOf({{"xl/workbook.xml", ""}}))
                               << "is an Excel workbook";
        QTest::newRow("script") << "train.py" << QByteArray("import torch\n") << "is a Python program";
        QTest::newRow("empty") << "w.pt" << QByteArray() << "is an empty file";
        QTest::newRow("cut") << "w.pt" << QByteArray::fromStdString(moduleZip().substr(0, 50)) << "a damaged zip";
    }

    void wrongFilesSayWhatTheyAre() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, content);
        QFETCH(const QString, said);
        const ExperimentConfig before = m_page->experiment();
        QVERIFY(drop(*m_page, {write(qPrintable(name), content.toStdString())}));
        QCOMPARE(notice()->text(), QStringLiteral("Reading %1…").arg(name)); // a disk may be slow
        QTRY_VERIFY2(notice()->text().contains(said) && notice()->text().contains(name), qPrintable(notice()->text()));
        QVERIFY(notice()->isVisible());
        QVERIFY(m_page->experiment() == before);
        QVERIFY(recentFiles(FileRole::Model).isEmpty());
    }

    void aHoveringFileIsSaid() {
        auto* frame = child<QWidget>(*m_page, "dropFrame");
        auto* said = child<QLabel>(*m_page, "dropFrameWords");
        QVERIFY(!frame->isVisible());
        QVERIFY(hover(*m_page, {weights()}));
        QVERIFY(frame->isVisible());
        QCOMPARE(frame->size(), m_page->size());
        QVERIFY(said->text().contains(QStringLiteral("weights.safetensors"))); // its name at once
        QTRY_VERIFY(said->text().contains(QStringLiteral("as initial weights")));
        takePicture(*m_page, QStringLiteral("setup-drop"));
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(m_page.get(), &leave);
        QVERIFY(!frame->isVisible());
        QVERIFY(hover(*m_page, {write("a.pdf", "%PDF-1.4")}));
        QTRY_VERIFY(said->text().contains(QStringLiteral("is a PDF document")));
        QMimeData text;
        text.setText(QStringLiteral("no file"));
        QDragEnterEvent event(QPoint(4, 4), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_page.get(), &event);
        QVERIFY(!event.isAccepted());
    }

    void fieldsLeaveDropsToThePage() {
        for (const auto* edit : m_page->findChildren<QLineEdit*>())
            QVERIFY2(!edit->acceptDrops(), qPrintable(edit->objectName()));
    }

    void anExperimentFillsTheFormAndALibraryIsOffered() {
        QVERIFY(drop(*m_page, {write("small.toml", "[batch]\nmicro = 8\n")}));
        QTRY_COMPARE(run().batch.micro, std::int64_t{8});
        const QSignalSpy opened(m_page.get(), &SetupPage::openLibraryRequested);
        QVERIFY(m_fixture->open());
        const QString library = QString::fromStdString(m_fixture->file().string());
        QVERIFY(drop(*m_page, {library}));
        auto* offer = child<QPushButton>(*m_page, "noticeAction");
        QTRY_VERIFY(offer->isVisible());
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), library);
    }

    void recentFilesAreListed() {
        const QString file = weights();
        QVERIFY(drop(*m_page, {file}));
        QTRY_COMPARE(recentFiles(FileRole::Weights), QStringList{file});
        for (int i = 0; i < 9; ++i)
            rememberFile(FileRole::Weights, QStringLiteral("/nowhere/%1.pt").arg(i));
        rememberFile(FileRole::Weights, file); // again the newest, not twice
        QCOMPARE(recentFiles(FileRole::Weights).size(), qsizetype{keptRecentFiles});
        m_page->undo();

        auto* menu = m_page->findChild<QMenu*>(QStringLiteral("setup.model.weights.choose.menu"));
        QVERIFY(menu);
        Q_EMIT menu->aboutToShow();
        QList<QAction*> recent;
        for (QAction* action : menu->actions())
            if (action->data().isValid())
                recent << action;
        QCOMPARE(recent.size(), qsizetype{keptRecentFiles});
        QCOMPARE(recent[0]->text(), QStringLiteral("weights.safetensors"));
        recent[1]->trigger(); // it is not there any more: the menu does not ask a disk, which may be slow
        QTRY_VERIFY2(notice()->text().contains(QStringLiteral("/nowhere/8.pt")), qPrintable(notice()->text()));
        QVERIFY(run().model.weights.empty());
        recent[0]->trigger();
        QTRY_COMPARE(run().model.weights, file.toStdString());
        forgetRecentFiles(FileRole::Weights);
        QVERIFY(recentFiles(FileRole::Weights).isEmpty());
    }

    void homeTakesFilesAndGivesTheLines() {
        HomePage home(m_fixture->services());
        home.resize(1000, 640);
        home.show();
        const QSignalSpy brought(&home, &HomePage::filesBrought);
        const QString file = weights();
        QVERIFY(drop(home, {file}));
        QCOMPARE(brought.size(), 1);
        QCOMPARE(brought[0][0].toStringList(), QStringList{file});
        QTest::mouseClick(child<QPushButton>(home, "ownNetworkCopy"), Qt::LeftButton);
        const QString lines = QApplication::clipboard()->text();
        QVERIFY(lines.startsWith(QStringLiteral("from accumulus_export import export")));
        QCOMPARE(lines.count(QLatin1Char('\n')), 3);
        QCOMPARE(child<QLabel>(home, "ownNetworkLines")->text(), lines.trimmed());
        QVERIFY(child<QLabel>(home, "ownNetworkTold")->isVisibleTo(&home));
    }

    void theModuleForPythonIsSaved() {
        const auto file = std::filesystem::path(m_fixture->path(QStringLiteral("a/accumulus_export.py")).toStdString());
        const Status saved = saveExportModule(file);
        QVERIFY2(saved.has_value(), saved ? "" : describe(saved.error()).c_str());
        const auto content = readFile(file);
        QVERIFY(content.has_value());
        QVERIFY(content->find("def export(net, train_set, folder") != std::string::npos);
        QVERIFY(content->find("def load_weights(") != std::string::npos);
        QVERIFY(!saveExportModule("/proc/nowhere/x.py"));
    }
};

QTEST_MAIN(TestBroughtFiles)
} // namespace test_brought_files
#include "test_brought_files.moc"
