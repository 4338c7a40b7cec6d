// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_cause.h"
#include "core/base/kept_message.h"
#include "core/base/result.h"

#include <QtTest>
#include <set>

namespace test_error {
using namespace accumulus;

namespace {

Result<int> half(int number) {
    if (number % 2 != 0)
        return failure("config.assignment", {{"text", std::to_string(number)}});
    return number / 2;
}

Status needsEven(int number, bool& reached) {
    ACCUMULUS_TRY(half(number));
    reached = true;
    return {};
}

} // namespace

class TestError : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A rank that runs out of memory ends a program as one without ranks ends.
    void theCauseOnAnotherRankDecidesTheExitCode() {
        const auto failed = [](const std::string& reason) {
            return Error{"ranks.failed", {{"rank", "1"}, {"reason", reason}}};
        };
        const Error memory{"training.memory", {{"reason", "x"}}};
        QCOMPARE(exitCode(failed(messagesArgument({memory}))), exitCode(memory));
        QCOMPARE(exitCode(memory), static_cast<int>(ErrorKind::Device));
        QCOMPARE(exitCode(failed("words of its own")), static_cast<int>(ErrorKind::Training));
        QCOMPARE(causeOf(failed(messagesArgument({memory}))).code, memory.code);
        QCOMPARE(causeOf(memory), memory);
    }

    void everyEntryOfTheCatalogueIsWhole() {
        std::set<std::string_view> codes;
        for (const ErrorWords& words : errorCatalogue()) {
            const std::string code(words.code);
            QVERIFY2(codes.insert(words.code).second, code.c_str());
            QVERIFY2(!words.what.empty() && !words.cure.empty(), code.c_str());
            for (const std::string_view part : {words.what, words.why, words.cure})
                QCOMPARE(std::ranges::count(part, '{'), std::ranges::count(part, '}'));
            QCOMPARE(&errorWords(words.code), &words);
        }
        QCOMPARE(errorCatalogue().front().code, std::string_view("internal.unknown"));
    }

    void argumentsFillTheWords() {
        const Error error{"config.assignment", {{"text", "a{b}c"}, {"empty", ""}}};
        QCOMPARE(fillArguments("{text}, {text}; {absent}{empty}.", error), std::string("a{b}c, a{b}c; ."));
        QCOMPARE(fillArguments("no end {text", error), std::string("no end {text"));
        QCOMPARE(fillArguments("", error), std::string());
        QCOMPARE(error.argument("text"), std::string("a{b}c"));
        QCOMPARE(error.argument("absent"), std::string());
        QVERIFY(describe(error).starts_with("--set a{b}c is not of the form key=value. Write"));
    }

    void anUnknownCodeIsStillNamed() {
        const Error error{"never.heard", {{"reason", "because"}}};
        QVERIFY(describe(error).find("(never.heard)") != std::string::npos);
        QVERIFY(describe(error).find("Because.") != std::string::npos);
        QCOMPARE(exitCode(error), 1);
    }

    void theKindIsTheExitCode() {
        QCOMPARE(exitCode({"config.value", {}}), 2);
        QCOMPARE(exitCode({"file.open", {}}), 3);
        QCOMPARE(exitCode({"file.write", {}}), 5);
        QCOMPARE(static_cast<int>(ErrorKind::Interrupted), 130);
    }

    void tryPassesTheErrorOn() {
        bool reached = false;
        const Status status = needsEven(3, reached);
        QVERIFY(!status && !reached);
        QCOMPARE(status.error(), (Error{"config.assignment", {{"text", "3"}}}));
        QVERIFY(needsEven(4, reached) && reached);
        QCOMPARE(*half(8), 4);
    }
};

QTEST_APPLESS_MAIN(TestError)
} // namespace test_error
#include "test_error.moc"
