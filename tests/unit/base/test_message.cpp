// SPDX-License-Identifier: GPL-3.0-or-later
// The two catalogues against the sources: every code that is used has words, all words are used, and the sentences that
// they are joined to read as sentences.
#include "core/analysis/gradient_audit.h"
#include "core/base/message.h"
#include "core/config/config_fields.h"
#include "core/config/metric_rows.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>
#include <set>

namespace test_message {
using namespace accumulus;

namespace {

/// All sources of the program but the catalogues, each with its name.
std::vector<std::pair<QString, QString>> sources() {
    std::vector<std::pair<QString, QString>> found;
    const QString root = qEnvironmentVariable("ACCUMULUS_SOURCE");
    for (const char* folder : {"/core", "/app", "/widgets"}) {
        QDirIterator files(root + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.fileName().contains(QLatin1String("_catalogue")) && file.open(QIODevice::ReadOnly))
                found.emplace_back(file.fileName().mid(root.size() + 1), QString::fromUtf8(file.readAll()));
        }
    }
    return found;
}

QStringList captures(const QString& text, const QRegularExpression& pattern) {
    QStringList found;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        found << match.next().captured(1);
    return found;
}

bool hasWords(const QString& code) { return !messageWords(code.toStdString()).empty(); }

/// Where a sentence that is not the first begins with a small letter; empty when none does.
QString smallStart(const QString& text) {
    static const QRegularExpression start(QStringLiteral("[.!?] +([a-z{].{0,30})"));
    return start.match(text).captured(1);
}

std::vector<std::string_view> allWords() {
    std::vector<std::string_view> all;
    for (const ErrorWords& error : errorCatalogue())
        all.insert(all.end(), {error.what, error.why, error.cure});
    for (const Sentence& sentence : messageCatalogue())
        all.push_back(sentence.words);
    return all;
}

/// Every placeholder with a sample: texts and reasons in small letters, as the operating system and paths give them.
Error sampleOf(const ErrorWords& words, const std::string& reason, const std::string& cure) {
    Error error{std::string(words.code), {}};
    static const QRegularExpression name(QStringLiteral("\\{[@#~]?([A-Za-z0-9]+)\\}"));
    for (const std::string_view part : {words.what, words.why, words.cure})
        for (const QString& argument : captures(QString::fromUtf8(part.data(), part.size()), name)) {
            const std::string value = argument == "reason" ? reason : argument == "cure" ? cure : "sample";
            error.arguments.emplace_back(argument.toStdString(), value);
        }
    return error;
}

} // namespace

class TestMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void placeholdersSayWhatTheyAre() {
        const Message message{"fact.bytes", {{"bytes", "1115394"}}};
        QCOMPARE(messageText(message), std::string("1\u00a0115\u00a0394 bytes"));
        const Language german{[](std::string_view words) { return words == "{#bytes} bytes" ? "{#bytes} Byte" : ""; },
                              [](std::int64_t) { return "1.115.394"; }};
        QCOMPARE(messageText(message, german), std::string("1.115.394 Byte"));
        QCOMPARE(messageText({"fact.bytes", {{"bytes", "many"}}}), std::string("many bytes"));
        QCOMPARE(messageText({"fact.place", {{"path", "reason.too-small"}}}), std::string("reason.too-small"));
        QCOMPARE(messageText({"never.heard", {}}), std::string("never.heard"));
        QCOMPARE(messagesText({{"fact.mnist", {}}, {"fact.bundled", {}}}, ", "), std::string("MNIST, bundled copy"));
    }

    void aSentenceWithinASentenceTakesTheSameArguments() {
        const Error error{"config.conflict",
                          {{"key", "model.heads"},
                           {"value", "3"},
                           {"other", "model.width = 8"},
                           {"reason", "reason.heads"},
                           {"cure", "cure.heads"},
                           {"ofWidth", "8"},
                           {"heads", "2"},
                           {"width", "9"}}};
        QCOMPARE(describe(error), std::string("model.heads = 3 cannot be combined with model.width = 8. Every head "
                                              "takes an equal share of the width, which is 8. Set model.heads = 2, or "
                                              "model.width = 9."));
        // Not a code: what somebody else said, as it stands but for the capital.
        QCOMPARE(describe({"config.file", {{"file", "a.toml"}, {"reason", "permission denied"}}}),
                 std::string("The experiment file a.toml cannot be read. Permission denied. Check the path."));
        // A sentence that names itself comes to an end.
        QVERIFY(messageText({"allowed.real", {{"range", "allowed.real"}}}).ends_with("a number, allowed.real"));
    }

    void everyCodeStandsOnce() {
        std::set<std::string_view> codes;
        for (const ErrorWords& error : errorCatalogue())
            QVERIFY2(codes.insert(error.code).second, error.code.data());
        for (const Sentence& sentence : messageCatalogue()) {
            QVERIFY2(codes.insert(sentence.code).second, sentence.code.data());
            QVERIFY2(!sentence.words.empty(), sentence.code.data());
        }
        static const QRegularExpression placeholder(QStringLiteral("\\{[@#~]?[A-Za-z0-9]+\\}"));
        for (const std::string_view words : allWords()) {
            QString rest = QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
            rest.remove(placeholder);
            QVERIFY2(!rest.contains('{') && !rest.contains('}'), words.data());
        }
    }

    /// failure("code"), Error{"code"}, and every literal that begins as the codes of messages do.
    void everyCodeInTheSourcesHasWords() {
        static const QRegularExpression error(QStringLiteral(
            "(?:failure\\(|\\bError ?(?:\\w+)?\\{|return \\{|noted\\(\"\\w+\", \\{)\\s*\"([a-z]+[.][a-z.-]+)\""));
        static const QRegularExpression message(
            QStringLiteral("\"((?:finding|fix|fact|verdict|unit|group|warning|unpaired|allowed|range|phrase|reason|"
                           "cure)\\.[a-z0-9-]*[a-z0-9])\""));
        QStringList missing;
        int seen = 0;
        for (const auto& [file, text] : sources())
            for (const QString& code : captures(text, error) + captures(text, message)) {
                ++seen;
                if (!hasWords(code))
                    missing << file + ": " + code;
            }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
        QVERIFY(seen > 200); // the patterns still find what they look for
        // Codes that are put together from a name.
        for (const std::string& name : findField("data.dataset")->choices)
            QVERIFY2(hasWords(QString::fromStdString("fact." + name)), name.c_str());
        for (const std::string& name : findField("study.metric")->choices)
            QVERIFY2(name == "auto" || hasWords(QString::fromStdString("metric." + name)), name.c_str());
        for (const MetricRow& row : metricRows)
            if (row.fromEvaluations)
                QVERIFY2(hasWords(QString::fromStdString("curve." + std::string(row.name))), row.name.data());
        for (const char* kind : {"initial", "periodic", "best", "last"})
            QVERIFY2(hasWords(QStringLiteral("checkpoint.kind-") + kind), kind);
        for (const AuditPattern& pattern : auditPatterns())
            for (const char* code : {"audit.found.%1", "audit.pattern.%1", "audit.pattern.%1.why"})
                QVERIFY2(hasWords(QString::fromUtf8(code).arg(QString::fromStdString(std::string(pattern.code)))),
                         code);
    }

    void noWordsAreLeftOver() {
        QString all;
        for (const auto& [file, text] : sources())
            all += text;
        QStringList unused;
        const auto check = [&](std::string_view words) {
            const QString code = QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
            const QString name = code.section('.', 1);
            const bool composed = code.startsWith("fact.") || code.startsWith("metric.") ||
                                  code.startsWith("checkpoint.kind-") || code.startsWith("audit.pattern.") ||
                                  findAuditPattern(code.section('.', 2).toStdString()) ||
                                  all.contains(QStringLiteral("\"%1\"").arg(name)) ||      // conflict(..., "name")
                                  all.contains(QStringLiteral("\"%1\"").arg(name.mid(3))); // fix.lr-TITLE
            if (!composed && !all.contains('"' + code + '"'))
                unused << code;
        };
        for (const Sentence& sentence : messageCatalogue())
            check(sentence.code);
        QVERIFY2(unused.isEmpty(), qPrintable(unused.join('\n')));
    }

    /// "... is not an Accumulus library. it belongs to another program." is no English.
    void sentencesThatAreJoinedBeginWithACapital() {
        std::vector<std::string> reasons{"no such file or directory"};
        std::vector<std::string> cures{"use another file"};
        for (const Sentence& sentence : messageCatalogue()) {
            if (sentence.code.starts_with("reason."))
                reasons.emplace_back(sentence.code);
            if (sentence.code.starts_with("cure."))
                cures.emplace_back(sentence.code);
        }
        for (const ErrorWords& words : errorCatalogue()) {
            for (const std::string& reason : reasons) {
                const QString text = QString::fromStdString(describe(sampleOf(words, reason, cures.front())));
                QVERIFY2(smallStart(text).isEmpty(), qPrintable(text));
            }
            for (const std::string& cure : cures) {
                const QString text = QString::fromStdString(describe(sampleOf(words, reasons.front(), cure)));
                QVERIFY2(smallStart(text).isEmpty(), qPrintable(text));
                QVERIFY2(!QString(text).remove("...").contains(".."), qPrintable(text));
            }
        }
        for (const std::string_view words : allWords())
            QVERIFY2(smallStart(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()))).isEmpty(),
                     words.data());
        QCOMPARE(smallStart("Of Accumulus. it belongs"), QString("it belongs"));
        QCOMPARE(smallStart("Of Accumulus. {reason}."), QString("{reason}."));
    }
};

QTEST_APPLESS_MAIN(TestMessage)
} // namespace test_message
#include "test_message.moc"
