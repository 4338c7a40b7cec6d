// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the core name settings by their keys; the window shows their titles, in both languages.
#include "core/base/message.h"
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "core/config/memory_check.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <QApplication>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>
#include <memory>

namespace test_setting_titles {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// The first key of the field table in a text; empty: none.
QString keyIn(const QString& text) {
    for (const ConfigField& field : configFields()) {
        const QString key = QString::fromStdString(field.key);
        const QRegularExpression whole(QStringLiteral("(?<![a-z_])%1(?![a-z_])").arg(QRegularExpression::escape(key)),
                                       QRegularExpression::CaseInsensitiveOption);
        if (whole.match(text).hasMatch())
            return key;
    }
    return {};
}

/// Settings that do not go together, each by a rule of its own.
const std::vector<std::vector<std::string>>& brokenSettings() {
    static const std::vector<std::vector<std::string>> all{
        {"batch.micro=32", "batch.effective=250"},
        {"batch.effective=70000"},
        {"batch.micro=512"},
        {"batch.steps=3", "batch.effective=256"},
        {"batch.ramp=[[5, 100]]"},
        {"data.train_limit=100", "data.validation=100"},
        {"data.dataset=tinyshakespeare"},
        {"model.name=char-gpt"},
        {"model.name=char-gpt", "data.dataset=tinyshakespeare", "model.heads=7"},
        {"data.resize=20"},
        {"batch.devices=2"},
        {"batch.devices=2", "batch.lean=true", "parallel.mode=zero2"},
        {"batch.devices=2", "batch.lean=true", "parallel.order=micro-steps"},
        {"numerics.precision=fp64", "numerics.accumulator=fp32"},
        {"numerics.loss_scale=-1"},
        {"device.memory_limit=much"},
        {"device.kind=cuda"},
        {"device.capture=on"},
        {"loss.kind=model"},
        {"loss.kind=mse"},
        {"batch.lean=true", "loss.kind=model"},
        {"study.metric=test_rmse"},
        {"loss.label_smoothing=0.1", "loss.class_weights=[0, 1]"},
        {"schedule.warmup=5000 updates", "train.length=10 updates"},
        {"train.clip_norm=1", "study.seeds=[1]", "study.large_batch=true"},
    };
    return all;
}

} // namespace

class TestSettingTitles : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<QTranslator> m_words;

    void eachLanguage_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void use(const QString& language) {
        m_words = std::make_unique<QTranslator>();
        QVERIFY(m_words->load(QStringLiteral("accumulus_") + language, QStringLiteral(":/i18n")));
        QCoreApplication::installTranslator(m_words.get());
    }

private Q_SLOTS:
    void cleanup() { m_words.reset(); }

    void noSentenceShowsAKey_data() { eachLanguage_data(); }
    void noSentenceShowsAKey() {
        QFETCH(const QString, language);
        use(language);
        for (const Sentence& sentence : messageCatalogue()) {
            const QString text = format::message({std::string(sentence.code), {}});
            QVERIFY2(keyIn(text).isEmpty(), qPrintable(text));
        }
        for (const ErrorWords& words : errorCatalogue()) {
            const QString text = format::error({std::string(words.code), {}});
            if (words.code != "config.assignment") // of the command line: --set batch.micro=16
                QVERIFY2(keyIn(text).isEmpty(), qPrintable(text));
        }
    }

    void noFindingShowsAKey_data() { eachLanguage_data(); }
    void noFindingShowsAKey() {
        QFETCH(const QString, language);
        use(language);
        std::size_t keys = 0;
        for (const auto& settings : brokenSettings()) {
            ExperimentConfig experiment;
            for (const std::string& setting : settings)
                QVERIFY2(applyAssignment(experiment, setting), setting.c_str());
            const auto findings = checkConfig(experiment, 60000);
            QVERIFY2(!findings.empty(), settings.front().c_str());
            for (const Finding& finding : findings) {
                keys += keyIn(QString::fromStdString(messageText(finding.message))).isEmpty() ? 0 : 1;
                for (const QString& text : {findingText(finding), format::note(finding.message)})
                    QVERIFY2(keyIn(text).isEmpty(), qPrintable(text));
                for (const Fix& fix : finding.fixes)
                    QVERIFY2(keyIn(fixLabel(fix)).isEmpty(), qPrintable(fixLabel(fix)));
            }
        }
        QVERIFY(keys > 5); // on the command line they stay keys
    }

    void settingsAndChoicesHaveTheirTitles() {
        QCOMPARE(settingTitles(QStringLiteral("Set data.path, or use data.dataset = \"digits-generated\".")),
                 QStringLiteral("Set “File or folder”, or use “Data set” = %1.").arg(choiceTitle("digits-generated")));
        QCOMPARE(settingTitles(QStringLiteral("batch.lean = true, batch.steps = 0")),
                 QStringLiteral("“Accumulate in place” = yes, “Accumulation steps K” = 0"));
        QCOMPARE(settingTitles(QStringLiteral("Batch.effective is 0 too.")),
                 QStringLiteral("“Effective batch B” is 0 too."));
        for (const char* other : {"/tmp/data.path is no file", "--set batch.micro=16", "data.npz", "data.path.bak"})
            QCOMPARE(settingTitles(QString::fromLatin1(other)), QString::fromLatin1(other));
    }
};

QTEST_MAIN(TestSettingTitles)
} // namespace test_setting_titles
#include "test_setting_titles.moc"
