// SPDX-License-Identifier: GPL-3.0-or-later
// The translation files against the sources of today: nothing unfinished, nothing missing, the same placeholders. A new
// sentence fails here until packaging/translations.sh was run and the sentence translated.
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "core/run/study_runner.h"
#include "widgets/style/field_titles.h"
#include "widgets/style/format.h"

#include <QBuffer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>
#include <vector>

namespace test_translations {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

struct Translated {
    QString context, source, state; ///< state: attribute "type", empty when finished
    bool plural = false;
    QStringList translations; ///< one, or one for each plural form
};

Translated readMessage(QXmlStreamReader& xml, const QString& context) {
    Translated message;
    message.context = context;
    message.plural = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
    while (xml.readNextStartElement()) {
        if (xml.name() == QLatin1String("source")) {
            message.source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            message.state = xml.attributes().value(QLatin1String("type")).toString();
            if (!message.plural) {
                message.translations << xml.readElementText();
                continue;
            }
            while (xml.readNextStartElement())
                message.translations << xml.readElementText();
        } else {
            xml.skipCurrentElement();
        }
    }
    return message;
}

std::vector<Translated> readMessages(QIODevice& file) {
    std::vector<Translated> messages;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("message"))
            messages.push_back(readMessage(xml, context));
    }
    return xml.hasError() ? std::vector<Translated>{} : messages;
}

/// %1 … %9, %n, %Ln, {name}, {#name}, {~name} and {@name}, sorted; the name of a key press or a format is none of them.
/// In reports every pair of braces is one: {}, {:.1f}.
QStringList placeholders(const QString& text, bool report) {
    static const QRegularExpression named(QStringLiteral("%L?[1-9n]|\\{[@#~]?[A-Za-z0-9]+\\}"));
    static const QRegularExpression any(QStringLiteral("%L?[1-9n]|\\{[^{}]*\\}"));
    const QRegularExpression& pattern = report ? any : named;
    QStringList found;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        found << match.next().captured();
    found.sort();
    return found;
}

/// What is wrong with a message; empty when nothing is.
QString problemOf(const Translated& message, qsizetype pluralForms) {
    if (!message.state.isEmpty())
        return message.state;
    if (message.translations.size() != (message.plural ? pluralForms : 1))
        return QStringLiteral("%1 forms").arg(message.translations.size());
    const bool report = message.context == QLatin1String("reports");
    for (const QString& translation : message.translations) {
        if (translation.trimmed().isEmpty())
            return QStringLiteral("empty");
        if (placeholders(translation, report) != placeholders(message.source, report))
            return QStringLiteral("other placeholders: ") + translation;
    }
    return {};
}

/// Speaks Chinese while it lives.
class Chinese {
public:
    Chinese() {
        QLocale::setDefault(QLocale(QLocale::Chinese, QLocale::China));
        if (m_words.load(QStringLiteral("accumulus_zh_CN"), QStringLiteral(":/i18n")))
            QCoreApplication::installTranslator(&m_words);
    }
    ~Chinese() {
        QCoreApplication::removeTranslator(&m_words);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }
    Q_DISABLE_COPY_MOVE(Chinese)

private:
    QTranslator m_words;
};

QString problems(const std::vector<Translated>& messages, qsizetype pluralForms) {
    QStringList found;
    for (const Translated& message : messages)
        if (const QString problem = problemOf(message, pluralForms); !problem.isEmpty())
            found << QStringLiteral("%1: %2: %3").arg(message.context, message.source, problem);
    return found.join(QLatin1Char('\n'));
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesFollowTheSources_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("pluralForms");
        QTest::newRow("English plurals") << "en" << QStringList{QStringLiteral("-pluralonly")} << 2;
        QTest::newRow("Simplified Chinese") << "zh_CN" << QStringList{} << 1;
    }

    void filesFollowTheSources() {
        QFETCH(const QString, language);
        QFETCH(const QStringList, options);
        QFETCH(const int, pluralForms);
        const QString root = qEnvironmentVariable("ACCUMULUS_SOURCE");
        QVERIFY2(!root.isEmpty(), "run by ctest");
        const QTemporaryDir folder;
        const QString copy = folder.filePath(language + QStringLiteral(".ts"));
        QVERIFY(QFile::copy(root + QStringLiteral("/resources/translations/accumulus_%1.ts").arg(language), copy));
        QFile(copy).setPermissions(QFile::ReadOwner | QFile::WriteOwner);

        // A run of lupdate marks what is new as unfinished and what is gone as vanished.
        QProcess lupdate;
        lupdate.setWorkingDirectory(root);
        lupdate.start(QStringLiteral(ACCUMULUS_LUPDATE),
                      QStringList{QStringLiteral("app/workbench"), QStringLiteral("widgets"),
                                  QStringLiteral(ACCUMULUS_CORE_SENTENCES), QStringLiteral("-I"), QStringLiteral("."),
                                  QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-silent"),
                                  QStringLiteral("-source-language"), QStringLiteral("en"),
                                  QStringLiteral("-target-language"), language} +
                          options + QStringList{QStringLiteral("-ts"), copy});
        QVERIFY(lupdate.waitForFinished(60'000));
        QCOMPARE(lupdate.exitCode(), 0);

        QFile file(copy);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::vector<Translated> messages = readMessages(file);
        QVERIFY(messages.size() > 5);
        const QString wrong = problems(messages, pluralForms);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    void faultsAreFound_data() {
        QTest::addColumn<QString>("message");
        QTest::addColumn<bool>("good");
        QTest::addColumn<QString>("context");
        const auto row = [](const char* name, bool good, const char* message, const char* context = "c") {
            QTest::newRow(name) << QString::fromUtf8(message) << good << context;
        };
        row("report", true, "<message><source>a {} {:.1f}</source><translation>甲 {} {:.1f}</translation></message>",
            "reports");
        row("report without number", false,
            "<message><source>a {} s</source><translation>甲 秒</translation></message>", "reports");
        row("report in another format", false,
            "<message><source>a {:.6g}</source><translation>甲 {:.1f}</translation></message>", "reports");
        row("finished", true, "<message><source>a %1 {b}</source><translation>甲 {b} %1</translation></message>");
        row("unfinished", false,
            "<message><source>a</source><translation type='unfinished'>甲</translation></message>");
        row("vanished", false, "<message><source>a</source><translation type='vanished'>甲</translation></message>");
        row("empty", false, "<message><source>a</source><translation></translation></message>");
        row("lost argument", false, "<message><source>a %1</source><translation>甲</translation></message>");
        row("other argument", false, "<message><source>a {b}</source><translation>甲 {c}</translation></message>");
        row("doubled argument", false, "<message><source>a %1</source><translation>甲 %1 %1</translation></message>");
        row("plural", true,
            "<message numerus='yes'><source>%n a</source><translation><numerusform>%n 甲</numerusform></translation>"
            "</message>");
        row("plural without number", false,
            "<message numerus='yes'><source>%n a</source><translation><numerusform>甲</numerusform></translation>"
            "</message>");
        row("plural without form", false,
            "<message numerus='yes'><source>%n a</source><translation></translation></message>");
    }

    void faultsAreFound() {
        QFETCH(const QString, message);
        QFETCH(const bool, good);
        QFETCH(const QString, context);
        QBuffer file;
        file.setData(QStringLiteral("<TS><context><name>%1</name>%2</context></TS>").arg(context, message).toUtf8());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::vector<Translated> messages = readMessages(file);
        QCOMPARE(messages.size(), std::size_t{1});
        QCOMPARE(problems(messages, 1).isEmpty(), good);
    }

    void chineseIsBuiltIn() {
        QTranslator words;
        QVERIFY(words.load(QStringLiteral("accumulus_zh_CN"), QStringLiteral(":/i18n")));
        QCOMPARE(words.translate("accumulus::ui::format", "paused"), QStringLiteral("已暂停"));
        QCOMPARE(words.translate("accumulus::ui::LibraryPage", "%n run(s)", nullptr, 3), QStringLiteral("%n 个运行"));
        QCOMPARE(words.translate("messages", "{@reason}."), QStringLiteral("{@reason}。"));
    }

    // Refusals, findings, fixes, facts, notes and verdicts are sentences of the catalogues: under a Chinese window no
    // English word is left in them, but for names and what the operating system says.
    void whatTheCoreSaysIsChinese_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const Chinese chinese;
        const auto row = [](const char* name, const QString& text, const char* expected) {
            QTest::newRow(name) << text << QString::fromUtf8(expected);
        };
        DataConfig data;
        data.dataset = "digits-generated";
        row("facts of a data set", format::facts(inspectData(data, "mlp").value().facts),
            "生成的数字，28x28x1，10 个类别，由程序绘制");
        row("a path stays", format::facts({{"fact.place", {{"path", "/data/10 files, 2 cores"}}}}),
            "/data/10 files, 2 cores");
        row("a number is grouped", format::message({"fact.bytes", {{"bytes", "1115394"}}}), "1,115,394 字节");
        ExperimentConfig config;
        config.run.model.name = "bert-mini";
        const Finding conflict = checkConfig(config, 60000).front();
        row("refusal", format::error(conflict.message),
            QStringLiteral("bert-mini 无法接受图像。 它接受文本。 请设置 “模型” = %1 或 “数据集” = %2。")
                .arg(choiceTitle("lenet5"), choiceTitle("tinyshakespeare"))
                .toUtf8());
        row("fix", format::message(conflict.fixes.front().label), "使用 lenet5");
        ExperimentConfig other;
        const Status value = applyAssignment(other, "batch.micro=0");
        row("value", format::error(value.error()),
            "不允许 “微批次 m” = 0：数值太小。 允许：整数，1 至 1,000,000,000。");
        row("library of another program",
            format::error({"library.not-ours", {{"file", "/x.sqlite"}, {"reason", "reason.foreign-library"}}}),
            "/x.sqlite 不是 Accumulus 的库。 它属于另一个程序。 请选择另一个文件。此文件未被更改。");
        row("note", format::note({"memory.whole", {{"window", "7"}}}), "从窗口 7 起，微批次重新整体计算。");
        row("verdict", format::message({"verdict.equivalent", {{"margin", "0.5"}, {"unit", "unit.points"}}}),
            "在 ±0.5 个百分点以内等价");
    }

    void whatTheCoreSaysIsChinese() {
        QFETCH(const QString, text);
        QFETCH(const QString, expected);
        QCOMPARE(text, expected);
    }
};

QTEST_MAIN(TestTranslations)
} // namespace test_translations
#include "test_translations.moc"
