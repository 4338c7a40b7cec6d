// SPDX-License-Identifier: GPL-3.0-or-later
// Set up looks at files, network and machine on other threads. What one of these look-ups throws is told on the page,
// which goes on; and a page that goes waits for none of them.
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/setup_machine.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QThreadPool>
#include <memory>
#include <new>
#include <stdexcept>

namespace test_setup_thrown {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// As memory that has run out, or a library's own exception.
template <class Answer>
Answer thrown() {
    throw std::runtime_error("made up by the test");
}

SetupQueries queriesOf(const QString& name) {
    SetupQueries queries = madeUpMachine();
    if (name == QStringLiteral("data"))
        queries.data = [](const DataConfig&, const std::string&) { return thrown<Result<DataSummary>>(); };
    else if (name == QStringLiteral("parameters"))
        queries.parameters = [](const RunConfig&) { return thrown<Result<std::int64_t>>(); };
    else if (name == QStringLiteral("device"))
        queries.device = [] { return thrown<DeviceSummary>(); };
    else if (name == QStringLiteral("model"))
        queries.model = [](const RunConfig&) { return thrown<Result<ModelFacts>>(); };
    else if (name == QStringLiteral("preview"))
        queries.preview = [](const DataConfig&) { return thrown<Result<SamplePreview>>(); };
    else if (name == QStringLiteral("memory"))
        queries.memory.estimate = [](const RunConfig&) { return thrown<Result<MemoryEstimate>>(); };
    else if (name == QStringLiteral("room"))
        queries.memory.room = [](const DeviceConfig&) { return thrown<DeviceRoom>(); };
    else if (name == QStringLiteral("start"))
        queries.start.device = [](const DeviceConfig&, const std::filesystem::path&) { return thrown<Status>(); };
    return queries;
}

} // namespace

class TestSetupThrown : public QObject {
    Q_OBJECT

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<SetupPage> m_page;

    void open(SetupQueries queries) {
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, std::move(queries));
        m_page->resize(1132, 900);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    [[nodiscard]] QString notice() const {
        const auto* text = m_page->findChild<QLabel*>(QStringLiteral("noticeText"));
        return text && text->isVisible() ? text->text() : QString();
    }

private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_setup_thrown"));
        QLocale::setDefault(QLocale::c());
    }
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void itIsToldAndTheRestGoesOn_data() {
        QTest::addColumn<bool>("starts"); // nobody trains on data that could not be read
        for (const char* name : {"data", "parameters", "device", "model", "preview", "memory", "room", "start"})
            QTest::newRow(name) << (name != std::string_view("data") && name != std::string_view("model"));
    }
    void itIsToldAndTheRestGoesOn() {
        QFETCH(const bool, starts);
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        open(queriesOf(name));
        QTRY_VERIFY2(notice().contains(QStringLiteral("Made up by the test.")), qPrintable(notice()));
        if (name != QStringLiteral("device"))
            QTRY_COMPARE(child<QLabel>(*m_page, "setup.summary.device")->text(), QStringLiteral("CPU: test"));
        QTRY_COMPARE(child<QPushButton>(*m_page, "setup.start")->isEnabled(), starts);
        QVERIFY(child<QLabel>(*m_page, "setup.summary.device")->text() != QStringLiteral("looking…"));
        takePicture(*m_page, QStringLiteral("setup-thrown-") + name);
    }

    void theNextPageDoesNotWait() {
        struct Gate {
            QSemaphore begun, open;
        };
        const auto gate = std::make_shared<Gate>(); // the look-up may be the last to have it
        const auto release = qScopeGuard([&gate] { gate->open.release(10); });
        SetupQueries queries = madeUpMachine();
        queries.data = [gate](const DataConfig&, const std::string&) -> Result<DataSummary> {
            gate->begun.release();
            gate->open.tryAcquire(1, 10'000); // a disk that sleeps
            return DataSummary{};
        };
        open(queries);
        QTRY_VERIFY(gate->begun.available() > 0);
        QElapsedTimer clock;
        clock.start();
        m_page.reset();
        QVERIFY2(clock.elapsed() < 5'000, qPrintable(QString::number(clock.elapsed())));
        gate->open.release(10);
        QTRY_COMPARE(qApp->findChildren<QThreadPool*>().size(), 0);
    }
};

QTEST_MAIN(TestSetupThrown)
} // namespace test_setup_thrown
#include "test_setup_thrown.moc"
