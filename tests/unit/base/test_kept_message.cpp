// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that are kept: arguments through JSON and back, and the sentence in any language, or the text that was kept.
#include "core/base/kept_message.h"

#include <QtTest>

using namespace accumulus;

namespace {

Language shouting() {
    return {[](std::string_view words) { return "<" + std::string(words) + ">"; },
            [](std::int64_t number) { return std::to_string(number); }};
}

} // namespace

class TestKeptMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void argumentsComeBackInTheirOrder() {
        const MessageArguments arguments{
            {"window", "7"}, {"place", ""}, {"file", "/a \"b\"/批.txt"}, {"a", "line\nline"}};
        QVERIFY(argumentsFromJson(argumentsJson(arguments)) == arguments);
        QCOMPARE(argumentsJson({}), std::string("{}"));
        QVERIFY(argumentsFromJson("{}") == MessageArguments());
    }

    void ofANameThatStandsTwiceTheFirstIsKept() {
        const Message message{"some.code", {{"value", "1"}, {"value", "2"}}};
        const auto kept = argumentsFromJson(argumentsJson(message.arguments));
        QVERIFY(kept.has_value());
        QCOMPARE((Message{message.code, *kept}.argument("value")), message.argument("value"));
    }

    void bytesOfAnyFileNameAreKeptReadable() {
        const Message message{"some.code", {{"file", "caf\xE9"}}};
        const auto kept = argumentsFromJson(argumentsJson(message.arguments));
        QVERIFY(kept.has_value());
        QCOMPARE((Message{message.code, *kept}.argument("file")), message.argument("file"));
    }

    void whatIsNoObjectOfTextsIsNothing() {
        for (const char* other : {"", "null", "[]", "{\"a\": 1}", "{\"a\": {\"b\": \"c\"}}", "{\"a\": \"b\"", "a"})
            QVERIFY2(!argumentsFromJson(other), other);
    }

    void theSentenceIsThatOfTheLanguage() {
        QCOMPARE(keptText({"weights.loaded", {{"count", "12"}, {"file", "w"}}}, "old", shouting()),
                 std::string("<12 parameter tensors start from w.>"));
        // Of an error all sentences.
        const Error error{"training.all-skipped", {{"windows", "3"}}};
        QCOMPARE(keptText(error, "old", english()), describe(error));
        QVERIFY(keptText(error, "old", shouting()).find("> <Skipping no longer helps.> <") != std::string::npos);
    }

    void aCodeOfAnotherVersionHasItsText() {
        QCOMPARE(keptText({"training.of-tomorrow", {{"window", "7"}}}, "What was said.", shouting()),
                 std::string("What was said."));
    }
};

QTEST_APPLESS_MAIN(TestKeptMessage)
#include "test_kept_message.moc"
