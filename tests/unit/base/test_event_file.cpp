// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's event files against a reader of the test's own, and against files that are damaged in every place.
#include "core/base/event_file.h"
#include "tests/support/event_records.h"

#include <QTest>

#include <cmath>
#include <limits>

namespace test_event_file {
using namespace accumulus;
using namespace accumulus::test;

namespace {

std::string smallFile() {
    EventFileWriter writer(1'700'000'000.25);
    const std::vector<EventScalar> first{{"train/loss", 0.25F}, {"lr", 1e-3F}};
    const std::vector<EventScalar> second{{"train/loss", std::numeric_limits<float>::quiet_NaN()}};
    writer.addText(1'700'000'000.5, 0, "about", "some *text*");
    writer.addScalars(1'700'000'001.0, 1, first);
    writer.addScalars(1'700'000'002.0, std::int64_t{1} << 40, second);
    return writer.bytes();
}

} // namespace

class TestEventFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// RFC 3720, B.4, and the check value of the catalogue of CRCs.
    void checksumsAreThoseOfTheStandard() {
        QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAu);
        QCOMPARE(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
        QCOMPARE(crc32c("123456789"), 0xE3069283u);
        QCOMPARE(bitwiseCrc32c("123456789"), 0xE3069283u);
        QCOMPARE(maskedCrc32c("123456789"), masked(0xE3069283u));
    }

    void anotherReaderFindsEveryValue() {
        const auto events = eventsOf(smallFile());
        QVERIFY(events.has_value());
        QCOMPARE(events->version, std::string("brain.Event:2"));
        QCOMPARE(events->scalars.size(), std::size_t{3});
        QCOMPARE(events->scalars[0].tag, std::string("train/loss"));
        QCOMPARE(events->scalars[0].value, 0.25F);
        QCOMPARE(events->scalars[0].step, std::int64_t{1});
        QCOMPARE(events->scalars[0].wallTime, 1'700'000'001.0);
        QCOMPARE(events->scalars[1].tag, std::string("lr"));
        QVERIFY(std::isnan(events->scalars[2].value));
        QCOMPARE(events->scalars[2].step, std::int64_t{1} << 40);
        QCOMPARE(events->textTags, std::vector<std::string>{"about"});
    }

    void whatIsWrittenIsReadBack() {
        const auto file = parseEventFile(smallFile(), "file");
        QVERIFY(file.has_value());
        QCOMPARE(file->tags, (std::vector<std::string>{"train/loss", "lr"}));
        QCOMPARE(file->scalars.size(), std::size_t{3});
        QVERIFY(file->scalars[1] == (ReadScalar{1, 1, 1'700'000'001.0, double(1e-3F)}));
        QCOMPARE(file->texts.at("about"), std::string("some *text*"));
    }

    /// tf.summary.scalar writes tensors. An event by hand: wall_time, step, Summary{Value{tag, tensor}}.
    void scalarsInTensorsAreRead_data() {
        QTest::addColumn<QByteArray>("tensor");
        QTest::addColumn<double>("value");
        QTest::newRow("float content") << QByteArray("\x08\x01\x12\x00\x22\x04\x00\x00\x40\x40", 10) << 3.0;
        QTest::newRow("float value") << QByteArray("\x08\x01\x2d\x00\x00\x40\x40", 7) << 3.0;
        QTest::newRow("packed float") << QByteArray("\x08\x01\x2a\x04\x00\x00\x40\x40", 8) << 3.0;
        QTest::newRow("double value") << QByteArray("\x08\x02\x31\x00\x00\x00\x00\x00\x00\x08\x40", 11) << 3.0;
    }
    void scalarsInTensorsAreRead() {
        QFETCH(QByteArray, tensor);
        QFETCH(double, value);
        const QByteArray one = QByteArray("\x0a\x04loss", 6) + "\x42" + char(tensor.size()) + tensor;
        const QByteArray summary = QByteArray("\x0a") + char(one.size()) + one;
        const QByteArray event = QByteArray("\x10\x07\x2a", 3) + char(summary.size()) + summary;
        std::string file;
        const auto add = [&file](auto number) { file.append(reinterpret_cast<const char*>(&number), sizeof number); };
        add(std::uint64_t(event.size()));
        add(masked(bitwiseCrc32c(file)));
        file += event.toStdString();
        add(masked(bitwiseCrc32c(event.toStdString())));
        const auto read = parseEventFile(file, "file");
        QVERIFY(read.has_value());
        QCOMPARE(read->scalars.size(), std::size_t{1});
        QCOMPARE(read->scalars[0].value, value);
        QCOMPARE(read->scalars[0].step, std::int64_t{7});
    }

    void aFileThatIsCutOffIsRefused() {
        const std::string whole = smallFile();
        std::vector<std::size_t> ends{0}; // between records a file is whole
        const auto records = recordsOf(whole).value();
        for (const std::string& record : records)
            ends.push_back(ends.back() + record.size() + 16);
        for (std::size_t size = 1; size < whole.size(); ++size) {
            const auto read = parseEventFile(whole.substr(0, size), "file");
            const bool between = std::find(ends.begin(), ends.end(), size) != ends.end();
            QCOMPARE(read.has_value(), between);
            if (!read)
                QCOMPARE(read.error().argument("reason"), std::string("reason.events-cut"));
        }
    }

    void everyChangedBitIsNoticed() {
        const std::string whole = smallFile();
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (int bit = 0; bit < 8; ++bit) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
                QVERIFY2(!parseEventFile(damaged, "file").has_value(), qPrintable(QString::number(at)));
            }
    }

    /// With right checksums around it: whoever made it meant harm.
    void whatIsNoEventIsRefused() {
        for (const std::string& event :
             {std::string("\xFF"), std::string("\x2a\x7f"), std::string("\x2a\x03\x0a\x7f"), std::string("\x0b"),
              std::string("\x2a\x04\x0a\x02\x42\x7f", 6), std::string(20, '\x80')}) {
            std::string file;
            const auto add = [&file](auto number) {
                file.append(reinterpret_cast<const char*>(&number), sizeof number);
            };
            add(std::uint64_t(event.size()));
            add(masked(bitwiseCrc32c(file)));
            file += event;
            add(masked(bitwiseCrc32c(event)));
            const auto read = parseEventFile(file, "file");
            QVERIFY(!read.has_value());
            QCOMPARE(read.error().argument("reason"), std::string("reason.events-form"));
        }
        // A length that no file holds is not allocated.
        std::string file;
        const std::uint64_t huge = ~std::uint64_t{0};
        file.append(reinterpret_cast<const char*>(&huge), sizeof huge);
        const std::uint32_t crc = masked(bitwiseCrc32c(file));
        file.append(reinterpret_cast<const char*>(&crc), sizeof crc);
        file += "rest of it";
        QVERIFY(!parseEventFile(file, "file").has_value());
    }
};

QTEST_APPLESS_MAIN(TestEventFile)
} // namespace test_event_file
#include "test_event_file.moc"
