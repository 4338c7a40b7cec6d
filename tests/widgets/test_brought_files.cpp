// SPDX-License-Identifier: GPL-3.0-or-later
// A person brings files: they are dropped on Set up or Home, said by name, become settings in one edit, are remembered,
// and what was found in them is drawn before anything starts.
#include "core/base/atomic_file.h"
#include "core/run/sample_preview.h"
#include "tests/support/brought_files.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/recent_files.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/home/own_network.h"
#include "widgets/pages/setup/sample_strip.h"
#include "widgets/pages/setup/setup_page.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <bit>

using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

/// The real answers where they need no network.
SetupQueries fileQueries() {
    SetupQueries queries;
    queries.data = inspectData;
    queries.parameters = [](const RunConfig&) -> Result<std::int64_t> { return 1000; };
    queries.device = [] { return DeviceSummary{{}, std::nullopt, 2}; };
    queries.model = [](const RunConfig& run) -> Result<ModelFacts> {
        if (run.model.weights.find("other-net") != std::string::npos)
            return failure("file.open", {{"file", run.model.weights}, {"reason", "these weights do not fit"}});
        return ModelFacts{{{"fact.takes", {{"shape", "3x8x8"}}}, {"fact.outputs", {{"outputs", "2"}}}}, 1000, 250};
    };
    queries.preview = [](const DataConfig& data) { return previewSamples(data); };
    return queries;
}

std::unique_ptr<QMimeData> mimeOf(const QStringList& files) {
    auto data = std::make_unique<QMimeData>();
    QList<QUrl> urls;
    for (const QString& file : files)
        urls << QUrl::fromLocalFile(file);
    data->setUrls(urls);
    return data;
}

/// As the window system hands it over; whether it was taken.
bool hover(QWidget& page, const QStringList& files) {
    const auto data = mimeOf(files);
    QDragEnterEvent event(QPoint(40, 40), Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page, &event);
    return event.isAccepted() && event.dropAction() == Qt::CopyAction;
}

bool drop(QWidget& page, const QStringList& files) {
    if (!hover(page, files))
        return false;
    const auto data = mimeOf(files);
    QDropEvent event(QPointF(40, 40), Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page, &event);
    return event.isAccepted();
}

} // namespace

class TestBroughtFiles : public QObject {
    Q_OBJECT
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<SetupPage> m_page;

    QString write(const char* name, const std::string& content) {
        const QString file = m_fixture->path(QString::fromLatin1(name));
        writeFile(file.toStdString(), content);
        return file;
    }
    QString weights(const char* name = "weights.safetensors") {
        return write(name, safetensorsOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4));
    }
    /// 40 samples of 4 numbers, with classes i % 4, or 0 and then 1, or real targets.
    QString tensors(const char* targets) {
        std::string inputs(std::size_t{40} * 4 * 4, '\0'), values;
        const bool real = targets == std::string("real");
        for (int i = 0; i < 40; ++i)
            values += real ? littleEndian(std::bit_cast<std::uint32_t>(0.5F * static_cast<float>(i)), 4)
                           : littleEndian(targets == std::string("sorted") ? i / 30 : i % 4, 8);
        const std::string end = std::to_string(inputs.size() + values.size());
        return write(
            "data.safetensors",
            safetensorsOf(R"({"inputs":{"dtype":"F32","shape":[40,4],"data_offsets":[0,640]},"targets":{"dtype":")" +
                          std::string(real ? "F32" : "I64") + R"(","shape":[40],"data_offsets":[640,)" + end + "]}}") +
                inputs + values);
    }
    /// A page that asks the engine.
    void usePageOf(SetupQueries queries) {
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, std::move(queries));
        m_page->resize(1000, 900);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void fix(const char* name) {
        QTRY_VERIFY2(m_page->findChild<QPushButton*>(QLatin1String(name)), name);
        child<QPushButton>(*m_page, name)->click();
    }
    bool canStart() { return child<QPushButton>(*m_page, "setup.start")->isEnabled(); }
    /// Two classes of pictures of 8 x 8 pixels in one colour each.
    QString pictures() {
        const auto folder = m_fixture->path(QStringLiteral("pictures"));
        for (const auto& [name, color] : {std::pair{"blue", QColor(0, 0, 255)}, {"red", QColor(255, 0, 0)}})
            for (int i = 0; i < 8; ++i) {
                QImage picture(8, 8, QImage::Format_RGB32);
                picture.fill(color);
                QDir().mkpath(folder + '/' + name);
                if (!picture.save(QStringLiteral("%1/%2/%3.png").arg(folder, name).arg(i)))
                    qWarning("no picture");
            }
        return folder;
    }
    [[nodiscard]] QLabel* notice() const { return m_page->findChild<QLabel*>(QStringLiteral("noticeText")); }
    [[nodiscard]] QString shownText(const char* name) const {
        const auto* label = m_page->findChild<QLabel*>(QLatin1String(name));
        return label && label->isVisible() ? label->text() : QString();
    }
    [[nodiscard]] const RunConfig run() const { return m_page->experiment().run; }

private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_brought_files"));
        QLocale::setDefault(QLocale::c());
    }

    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, fileQueries());
        m_page->resize(1000, 640);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }

    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

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

    void weightsOfAnotherNetworkKeepStartDisabled() {
        auto* start = child<QPushButton>(*m_page, "setup.start");
        QTRY_VERIFY(start->isEnabled());
        QVERIFY(drop(*m_page, {weights("other-net.safetensors")}));
        QTRY_VERIFY(!start->isEnabled());
        QTRY_VERIFY2(shownText("setup.found.network").contains(QStringLiteral("weights do not fit")),
                     qPrintable(shownText("setup.found.network")));
        m_page->undo();
        QTRY_VERIFY(start->isEnabled());
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

    void aTableIsShownInRows() {
        std::string rows = "rooms,\"area, m2\",price\n";
        for (int i = 0; i < 30; ++i)
            rows +=
                std::to_string(1 + i % 5) + ',' + std::to_string(40 + i) + ',' + std::to_string(0.5 + 1000 * i) + '\n';
        QVERIFY(drop(*m_page, {write("houses.csv", rows)}));
        QTRY_COMPARE(run().data.dataset, std::string("table"));
        QCOMPARE(run().data.target, std::string("price"));
        QCOMPARE(run().data.validation, std::int64_t{3});
        auto* table = child<QTableWidget>(*m_page, "setup.found.rows");
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->rowCount(), 10);
        QCOMPARE(table->columnCount(), 3);
        QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("area, m2"));
        QCOMPARE(table->horizontalHeaderItem(2)->text(), QStringLiteral("price (target)"));
        QCOMPARE(table->item(9, 1)->text(), QStringLiteral("49"));
        QVERIFY(!child<SampleStrip>(*m_page, "setup.found.samples")->isVisible());
        QTRY_VERIFY2(shownText("setup.found.data").contains(QStringLiteral("Table")),
                     qPrintable(shownText("setup.found.data")));
        // Every row is inside: none is cut, and the table does not scroll by itself.
        QVERIFY(table->visualItemRect(table->item(9, 0)).bottom() <= table->viewport()->height());
    }

    // As the error says it: data.validation is set, and the network is asked for again.
    void startFollowsWhatTheErrorAsksFor() {
        usePageOf(engineQueries());
        ExperimentConfig experiment;
        experiment.run.data.dataset = "tensors";
        experiment.run.data.path = tensors("classes").toStdString();
        experiment.run.model.name = "mlp";
        experiment.run.batch.effective = experiment.run.batch.micro = 8;
        experiment.study.largeBatch = false;
        m_page->setExperiment(experiment);
        QTRY_VERIFY(!canStart());
        auto* strip = child<SampleStrip>(*m_page, "setup.found.samples");
        QTRY_VERIFY(strip->isVisible());                                    // samples are there all the same
        QVERIFY(!child<QWidget>(*m_page, "setup.data.error")->isVisible()); // said once, with a button
        fix("setup.finding.D11.hold-out");
        QCOMPARE(run().data.validation, std::int64_t{4});
        QTRY_VERIFY(canStart());
        QTRY_VERIFY(shownText("setup.found.network").startsWith(QStringLiteral("MLP")));
        QTRY_VERIFY(shownText("setup.memory.amount").contains(QStringLiteral("formula")));
        QVERIFY(strip->isVisible());
        experiment.run.data.validation = 5; // another number: no samples vanish, and memory stays known
        m_page->setExperiment(experiment);
        QVERIFY(strip->isVisible());
        experiment.run.data.validation = 40; // all of them
        m_page->setExperiment(experiment);
        QTRY_VERIFY(!canStart());
        fix("setup.finding.D11.hold-out");
        QCOMPARE(run().data.validation, std::int64_t{4});
        QTRY_VERIFY(canStart());
    }

    void droppedTensorsLeadToNetworkAndLoss() {
        usePageOf(engineQueries());
        QVERIFY(drop(*m_page, {tensors("real")}));
        QTRY_COMPARE(run().data.dataset, std::string("tensors"));
        QCOMPARE(run().data.validation, std::int64_t{4});
        fix("setup.finding.D12.use-mlp"); // LeNet-5 takes pictures
        fix("setup.finding.D12.use-mse"); // and numbers are no classes
        QTRY_VERIFY(shownText("setup.found.network").startsWith(QStringLiteral("MLP")));
        QTRY_VERIFY(!m_page->findChild<QLabel*>(QStringLiteral("setup.summary.D12")));
        QVERIFY(run().loss.kind == LossKind::Mse);
        for (const char* field : {"setup.loss.kind", "setup.data.test_path", "setup.data.validation"})
            QVERIFY2(child<QWidget>(*m_page, field)->isVisible(), field); // without "More"
    }

    void sortedSamplesAreWarnedOf() {
        QVERIFY(drop(*m_page, {tensors("sorted")}));
        QTRY_VERIFY(m_page->findChild<QLabel*>(QStringLiteral("setup.summary.D13")));
        QVERIFY(shownText("setup.finding.D13").contains(QStringLiteral("All 4 held-out samples are of class 1")));
    }

    void aFileWrittenAnewIsLookedAtAgain() {
        const auto rows = [](int count) {
            std::string text = "x,y\n";
            for (int i = 0; i < count; ++i)
                text += std::to_string(i) + ',' + std::to_string(i % 2) + '\n';
            return text;
        };
        QVERIFY(drop(*m_page, {write("again.csv", rows(20))}));
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("18 training")));
        write("again.csv", rows(50));
        m_page->activated(); // the person comes back from the program that has written it
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("48 training")));
        write("again.csv", rows(80));
        QVERIFY(drop(*m_page, {m_fixture->path(QStringLiteral("again.csv"))}));
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("72 training")));
    }

    void batchNormInAFileIsWarnedOf() {
        SetupQueries queries = fileQueries();
        queries.model = [](const RunConfig& run) -> Result<ModelFacts> {
            return ModelFacts{{}, 1000, 0, run.model.name == "file"};
        };
        usePageOf(std::move(queries));
        QVERIFY(drop(*m_page, {write("net.pt", moduleZip())}));
        QTRY_VERIFY(m_page->findChild<QPushButton*>(QStringLiteral("setup.summary.B03.ghost-control")));
        QVERIFY(!m_page->findChild<QPushButton*>(QStringLiteral("setup.summary.B03.norm-group")));
        fix("setup.summary.B03.norm-frozen");
        QVERIFY(!m_page->findChild<QLabel*>(QStringLiteral("setup.summary.B03")));
        QVERIFY(run().numerics.batchNorm == BatchNormMode::Frozen);
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

    void whatWasFoundIsDrawn() {
        QVERIFY(drop(*m_page, {pictures()}));
        auto* strip = child<SampleStrip>(*m_page, "setup.found.samples");
        QTRY_VERIFY(strip->accessibleDescription().startsWith(QStringLiteral("blue; red")));
        QTRY_VERIFY(strip->isVisible());
        QCOMPARE(strip->accessibleName(), QStringLiteral("The first 10 sample(s)"));
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("8x8x3")));
        QVERIFY(shownText("setup.found.network").contains(QStringLiteral("takes 3x8x8")));
        QCOMPARE(shownText("setup.found.parameters"), QStringLiteral("1000, 250 of them frozen"));
        QTest::qWait(0); // the layout follows
        for (const bool dark : {false, true}) {
            m_fixture->theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            const QImage drawn = strip->grab().toImage();
            const qreal ratio = drawn.devicePixelRatio();
            const auto colorAt = [&](int tile) {
                const QPointF middle = QPointF(strip->tileRect(tile).topLeft()) + QPointF(30, 30);
                return drawn.pixelColor((middle * ratio).toPoint());
            };
            QCOMPARE(colorAt(0), QColor(0, 0, 255));
            QCOMPARE(colorAt(1), QColor(255, 0, 0));
            QVERIFY(strip->rect().contains(strip->tileRect(9))); // all ten are inside
        }
        m_fixture->theme().setMode(ThemeMode::Light);
        takePicture(*m_page, QStringLiteral("setup-found"));
    }

    void textIsShownAsText() {
        const std::string line = "All the world is a stage, and all the men and women merely players.\n";
        std::string play;
        for (int i = 0; i < 60; ++i)
            play += line;
        QVERIFY(drop(*m_page, {write("play.txt", play)}));
        QTRY_COMPARE(run().data.dataset, std::string("text"));
        auto* strip = child<SampleStrip>(*m_page, "setup.found.samples");
        QTRY_VERIFY(strip->accessibleDescription().startsWith(QStringLiteral("All the world")));
        QTRY_COMPARE(strip->height(), strip->heightForWidth(strip->width()));
    }

    void whatIsMissingIsSaid() {
        ExperimentConfig experiment;
        experiment.run.data.dataset = "image-folder";
        experiment.run.data.path = "/nowhere";
        m_page->setExperiment(experiment);
        QTRY_VERIFY(shownText("setup.found.data").contains(QStringLiteral("not found")));
        QVERIFY(!child<SampleStrip>(*m_page, "setup.found.samples")->isVisible());
        QVERIFY(!child<QPushButton>(*m_page, "setup.start")->isEnabled());
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
#include "test_brought_files.moc"
