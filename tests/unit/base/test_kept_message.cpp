// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that are kept: arguments through JSON and back, messages within them too, and the sentence in any language,
// or the text that was kept.
#include "core/base/kept_message.h"

#include <QtTest>

namespace test_kept_message {
using namespace accumulus;

namespace {

Language shouting() {
    return {[](std::string_view words) { return "<" + std::string(words) + ">"; },
            [](std::int64_t number) { return std::to_string(number); }};
}

/// As a study says it: runs that failed, one of them because of two resume bundles.
Error runsFailed() {
    const Error damaged{"checkpoint.format", {{"file", "a.resume"}, {"reason", "reason.not-a-bundle"}}};
    const Error unusable{"run.bundles-unusable",
                         {{"run", "r2"},
                          {"reasons", messagesArgument({damaged, {"run.bundle-missing", {{"file", "b.resume"}}}})},
                          {"folder", "/library"}}};
    const auto of = [](const char* run, const Error& error) {
        return Message{"study.run-failed", {{"run", run}, {"error", messagesArgument({error})}}};
    };
    return {"study.runs-failed",
            {{"failed", "2"},
             {"runs", "4"},
             {"reasons",
              messagesArgument({of("first", {"training.all-skipped", {{"windows", "3"}}}), of("second", unusable)})}}};
}

/// Latin letters of a text in capitals; those of arguments are not.
Language capitals() {
    return {[](std::string_view words) {
                std::string text;
                for (bool inside = false; const char c : words) {
                    inside = c == '{' || (inside && c != '}');
                    text += inside ? c : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
                }
                return text;
            },
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

    /// What happened to each is said with arguments of its own, in the language of the reader.
    void messagesWithinAMessageAreSaidInTheSameLanguage() {
        const std::string text = describe(runsFailed());
        const std::string first = describe({"training.all-skipped", {{"windows", "3"}}});
        QVERIFY2(text.find("2 of 4 runs failed. In detail: first: " + first + " second: Run r2 cannot be resumed") !=
                     std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("a.resume is not a usable safetensors file. It is not a resume bundle. Use") !=
                     std::string::npos,
                 text.c_str());
        QVERIFY2(text.find(" b.resume is missing. Restore a copy of /library") != std::string::npos, text.c_str());

        const auto kept = argumentsFromJson(argumentsJson(runsFailed().arguments));
        QVERIFY(kept && *kept == runsFailed().arguments);
        QString loud = QString::fromStdString(keptText({runsFailed().code, *kept}, "old", capitals()));
        for (const char* name : {"first", "second", "r2", "a.resume", "b.resume", "/library"}) {
            QVERIFY2(loud.contains(name), qPrintable(loud));
            loud.remove(name);
        }
        QCOMPARE(loud, loud.toUpper()); // no English is left
    }

    /// Programs that know no messages within messages find no object of texts, and show the English text.
    void messagesWithinAMessageAreNoTextInTheFile() {
        const std::string json = argumentsJson(runsFailed().arguments);
        QVERIFY2(json.find(R"("reasons":[{"code":"study.run-failed","arguments":{"run":"first","error":[{"code":)") !=
                     std::string::npos,
                 json.c_str());
        QVERIFY(json.find('\\') == std::string::npos);
    }

    /// An older library keeps what happened as an English sentence.
    void aSentenceInAnArgumentStaysAsItIs() {
        const Message old{"run.bundle-passed-over",
                          {{"reasons", "a.resume is missing."}, {"file", "b.resume"}, {"update", "20"}}};
        QVERIFY(messagesOf(old.argument("reasons")).empty());
        const std::string text = messageText(old, capitals());
        QVERIFY2(text.find(": a.resume is missing. THE RUN CONTINUES") != std::string::npos, text.c_str());
    }

    void aCodeOfAnotherVersionWithinAMessageHasItsText() {
        Error error = runsFailed();
        std::string& reasons = error.arguments.back().second;
        const std::string code = "checkpoint.format";
        reasons.replace(reasons.find(code), code.size(), "of.tomorrow");
        const std::string text = keptText(error, "old", capitals());
        QVERIFY2(text.find("second: RUN r2 CANNOT BE RESUMED") != std::string::npos, text.c_str());
        QVERIFY2(text.find("a.resume is not a usable safetensors file. It is not a resume bundle.") !=
                     std::string::npos,
                 text.c_str());
    }

    /// Nothing that looks like messages can do harm: a library may come from anywhere.
    void whatAlmostAreMessagesIsText() {
        for (const char* other : {R"([{"code":)", R"([{"code":1,"arguments":{},"text":"a"}])",
                                  R"([{"code":"a","arguments":[],"text":"b"}])", R"([{"code":"a","arguments":{}}])",
                                  R"([{"code":"a","arguments":{"b":1},"text":"c"}])",
                                  R"([{"code":"a","arguments":{},"text":"b"},1])", "[]", "reason.allocation", ""})
            QVERIFY2(messagesOf(other).empty(), other);
        std::string begin, end;
        for (int level = 0; level < 10'000; ++level) {
            begin += R"([{"code":"a","text":"b","arguments":{"c":)";
            end += "}}]";
        }
        QVERIFY(messagesOf(begin + R"("d")" + end).empty());
        QVERIFY(!argumentsFromJson(R"({"a":)" + begin + R"("d")" + end + "}"));
    }

    void aFullStopIsNotDoubled() {
        const auto failed = [](const std::string& reason) {
            return describe({"ranks.failed", {{"rank", "1"}, {"reason", reason}}});
        };
        const std::string text = failed(messagesArgument({{"training.engine", {{"reason", "a fault"}}}}));
        QVERIFY2(text.find("..") == std::string::npos && text.find("A fault.") != std::string::npos, text.c_str());
        QVERIFY(failed("Something broke.").find("Something broke. The log") != std::string::npos);
        QVERIFY(failed("something broke").find("Something broke. The log") != std::string::npos);
        QCOMPARE(fillArguments("{@reason}\u3002", {"a", {{"reason", "It broke."}}}, english()),
                 std::string("It broke."));
    }

    void aFaultOfARankIsNamed() {
        QCOMPARE(
            messageText(
                {"training.retried",
                 {{"window", "3"}, {"fault", "phrase.rank-fault"}, {"rank", "1"}, {"reason", "reason.allocation"}}}),
            std::string("Part of window 3 failed and was computed again: rank 1: the system refused an "
                        "allocation."));
    }

    void aCodeOfAnotherVersionHasItsText() {
        QCOMPARE(keptText({"training.of-tomorrow", {{"window", "7"}}}, "What was said.", shouting()),
                 std::string("What was said."));
    }
};

QTEST_APPLESS_MAIN(TestKeptMessage)
} // namespace test_kept_message
#include "test_kept_message.moc"
