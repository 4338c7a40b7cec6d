// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/path_text.h"
#include "core/base/readable_text.h"

#include <QtTest>

namespace test_readable_text {
using namespace accumulus;

class TestReadableText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCanBeReadStays() {
        for (const char* text : {"", "plain",
                                 "donn\xC3\xA9"
                                 "es",
                                 "\xE6\xA2\xAF\xE5\xBA\xA6", "\xF0\x9F\x99\x82", "two\nlines\tand a tab"})
            QCOMPARE(readableText(text), std::string(text));
    }

    void otherBytesAreEscaped() {
        QCOMPARE(readableText("donn\xE9"
                              "es"),
                 std::string("donn\\xE9es"));
        QCOMPARE(readableText("\xC3"), std::string("\\xC3"));                   // cut off
        QCOMPARE(readableText("\xED\xA0\x80"), std::string("\\xED\\xA0\\x80")); // a surrogate
        QCOMPARE(readableText("\xC0\xAF"), std::string("\\xC0\\xAF"));          // overlong
    }

    void pathsAreTextAndBack() {
        for (const char* path : {"/data/mnist",
                                 "relative/donn\xC3\xA9"
                                 "es",
                                 "/data/donn\xE9"
                                 "es 100% sure",
                                 "caf\xE9", "file:odd", "two\x01lines", "%E9"}) {
            const std::string text = textOfPath(path);
            QCOMPARE(readableText(text), text);
            QCOMPARE(pathOfText(text).native(), std::string(path));
        }
        QCOMPARE(textOfPath("/data/mnist"), std::string("/data/mnist"));
        QCOMPARE(textOfPath("caf\xE9"), std::string("file:caf%E9"));
        QCOMPARE(pathOfText("file:///data/caf%e9").native(), std::string("/data/caf\xE9"));
        QCOMPARE(pathOfText("file:half%E").native(), std::string("half%E"));
    }

    void argumentsOfErrorsAreReadable() {
        const Error error{"file.open", {{"file", "/data/\xFF\xFE"}, {"reason", "No such file"}}};
        QCOMPARE(error.argument("file"), std::string("/data/\\xFF\\xFE"));
        QVERIFY(describe(error).find("/data/\\xFF\\xFE") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestReadableText)
} // namespace test_readable_text
#include "test_readable_text.moc"
