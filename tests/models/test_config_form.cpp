// SPDX-License-Identifier: GPL-3.0-or-later
// The form's model and its editors: every row of the field table has an editor that reads and writes it, numbers
// survive every language, undo.
#include "tests/support/numeric.h"
#include "widgets/models/config_form.h"
#include "widgets/models/field_values.h"
#include "widgets/models/field_words.h"
#include "widgets/models/setup_plan.h"
#include "widgets/pages/setup/field_editor.h"
#include "widgets/style/number_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QtTest>
#include <memory>

namespace test_config_form {
using namespace accumulus;
using namespace accumulus::ui;
using accumulus::test::compareAbs;
using accumulus::test::compareBits;

namespace {

/// A valid value of the field that differs from the one given.
FieldValue another(const ConfigField& field, const FieldValue& value) {
    switch (field.type) {
    case FieldType::Text:
    case FieldType::Path:
        return std::string("other");
    case FieldType::Choice:
        return std::get<std::string>(value) == field.choices.front() ? field.choices.back() : field.choices.front();
    case FieldType::Integer:
        return std::get<std::int64_t>(value) + 8; // image sides start at 8
    case FieldType::Real:
        return field.maximum && *field.maximum <= 1.0 ? 0.125 : 0.375;
    case FieldType::Boolean:
        return !std::get<bool>(value);
    case FieldType::Extent:
        return Extent{17, Extent::Unit::Samples};
    case FieldType::IntegerList:
        return std::vector<std::int64_t>{7, 11};
    case FieldType::RealList:
        return std::vector<double>{0.25, 1.5};
    case FieldType::TextList:
        return std::vector<std::string>{"conv1.*", "layer1.*"};
    case FieldType::Ramp:
        return BatchRamp{{1, 64}, {9, 256}};
    }
    return value;
}

QString withPoint(const ConfigField& field, const QLineEdit& edit) {
    QString text = edit.text();
    if (field.type == FieldType::RealList && text.contains(QLatin1Char(';'))) // "0,25; 1,5"
        return text.replace(QLatin1Char(','), QLatin1Char('.')).replace(QLatin1Char(';'), QLatin1Char(','));
    return field.type == FieldType::Real ? text.replace(QLatin1Char(','), QLatin1Char('.')) : text;
}

/// Types the value as a person would.
void type(QWidget& editor, const FieldValue& value) {
    if (auto* check = editor.findChild<QCheckBox*>()) {
        QTest::keyClick(check, Qt::Key_Space);
        return;
    }
    if (auto* edit = editor.findChild<QLineEdit*>()) {
        QString text = QString::fromStdString(fieldText(value));
        if (const auto* extent = std::get_if<Extent>(&value)) {
            text = QString::number(extent->count);
            auto* unit = editor.findChild<QComboBox*>();
            unit->setCurrentIndex(unit->findData(static_cast<int>(extent->unit)));
        }
        if (const auto* ramp = std::get_if<BatchRamp>(&value))
            text = rampText(*ramp);
        text.remove(QRegularExpression(QStringLiteral("[\\[\\]\"]")));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        return;
    }
    auto* combo = editor.findChild<QComboBox*>();
    const int wanted = combo->findData(QString::fromStdString(std::get<std::string>(value)));
    combo->setFocus();
    const int way = wanted - combo->currentIndex();
    for (int i = 0; i < std::abs(way); ++i)
        QTest::keyClick(combo, way > 0 ? Qt::Key_Down : Qt::Key_Up);
}

} // namespace

class TestConfigForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void everyFieldHasAnEditorThatReadsAndWrites_data() {
        QTest::addColumn<QString>("locale");
        for (const char* locale : {"C", "de_DE", "zh_CN", "fr_FR"})
            QTest::newRow(locale) << QString::fromLatin1(locale);
    }

    void everyFieldHasAnEditorThatReadsAndWrites() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        for (const ConfigField& field : configFields()) {
            ConfigForm form{ExperimentConfig{}};
            const std::unique_ptr<FieldEditor> editor(FieldEditor::create(field, form));
            QVERIFY2(editor && editor->control(), field.key.c_str());
            QCOMPARE(editor->control()->objectName(), QStringLiteral("setup.") + QString::fromStdString(field.key));
            QVERIFY2(!editor->control()->accessibleName().isEmpty(), field.key.c_str());
            QVERIFY2(editor->control()->toolTip().contains(QString::fromStdString(field.key)), field.key.c_str());

            // Written: by keys.
            const FieldValue wanted = another(field, field.get(form.config()));
            QVERIFY2(checkFieldValue(field, wanted), field.key.c_str());
            type(*editor, wanted);
            QVERIFY2(form.problems().empty(), field.key.c_str());
            QVERIFY2(field.get(form.config()) == wanted,
                     (field.key + ": " + fieldText(field.get(form.config()))).c_str());

            // Read: an editor of another form shows the value and gives it back unchanged.
            ConfigForm second{ExperimentConfig{}};
            const std::unique_ptr<FieldEditor> reader(FieldEditor::create(field, second));
            second.replace(form.config());
            QVERIFY(second.config() == form.config());
            if (auto* edit = reader->findChild<QLineEdit*>())
                // Typed with a point, shown with the sign of the language.
                QVERIFY2(withPoint(field, *edit) == withPoint(field, *editor->findChild<QLineEdit*>()),
                         field.key.c_str());
            // And the default again.
            second.replace(ExperimentConfig{});
            if (auto* edit = reader->findChild<QLineEdit*>())
                QVERIFY2(edit->text() != editor->findChild<QLineEdit*>()->text(), field.key.c_str());
        }
    }

    void rampsAreTypedAsPairs_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("shown");
        const auto row = [](const QString& typed, const QString& shown) {
            QTest::addRow("%s", qPrintable(typed)) << typed << shown;
        };
        const QString two = QStringLiteral("100: 64, 500: 512");
        row(two, two);
        row(QStringLiteral("100:64 500:512"), two);
        row(QStringLiteral("100：64、500：512"), two); // as a Chinese keyboard types it
        row(QStringLiteral("[[100, 64], [500, 512]]"), two);
        row(QStringLiteral("7 : 8;"), QStringLiteral("7: 8"));
        row(QString(), QString());
        const QString refused = QStringLiteral("refused");
        for (const char* bad : {"100", "100: ", "100 64", "500: 64, 100: 512", "0: 64", "a: b", "100: 64: 2", "[[1]]",
                                "99999999999999999999: 1"})
            row(QString::fromLatin1(bad), refused);
    }

    void rampsAreTypedAsPairs() {
        QFETCH(const QString, typed);
        QFETCH(const QString, shown);
        const auto ramp = rampFromText(typed);
        QCOMPARE(ramp ? rampText(*ramp) : QStringLiteral("refused"), shown);
    }

    void valuesAreShownInWords() {
        ExperimentConfig experiment;
        const auto shown = [&experiment](const char* key) {
            return fieldValueText(*findField(key), experiment).replace(QChar(0x00A0), QLatin1Char(' '));
        };
        QCOMPARE(shown("model.name"), QStringLiteral("LeNet-5"));
        QCOMPARE(shown("batch.micro"), QStringLiteral("32 samples"));
        QCOMPARE(shown("train.length"), QStringLiteral("3 epochs"));
        QCOMPARE(shown("data.train_limit"), QStringLiteral("0 = all"));
        QCOMPARE(shown("batch.ramp"), QStringLiteral("none"));
        experiment.run.batch.ramp = {{100, 512}};
        QCOMPARE(shown("batch.ramp"), QStringLiteral("100: 512"));
        experiment.run.device.kind = "cuda:3";
        QCOMPARE(shown("device.kind"), QStringLiteral("GPU 3"));
        // Every choice has words of its own, every unit too.
        for (const ConfigField& field : configFields()) {
            QVERIFY2(!fieldTitle(field).contains(QLatin1Char('_')), field.key.c_str());
            for (const std::string& choice : field.choices)
                if (choice.find_first_of("-_") != std::string::npos)
                    QVERIFY2(choiceTitle(choice) != QString::fromStdString(choice), choice.c_str());
        }
    }

    void numbersAreReadInEveryLanguage_data() {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("expected");
        const double none = std::numeric_limits<double>::quiet_NaN();
        const auto row = [](const char* locale, const QString& text, double value) {
            QTest::addRow("%s %s", locale, qPrintable(text)) << QString::fromLatin1(locale) << text << value;
        };
        for (const char* locale : {"en_US", "de_DE", "zh_CN", "fr_FR", "C"}) {
            row(locale, QStringLiteral("0.01"), 0.01);
            row(locale, QStringLiteral("0,01"), 0.01);
            row(locale, QStringLiteral("0.001"), 0.001);
            row(locale, QStringLiteral("0,001"), 0.001);
            row(locale, QStringLiteral("1e-8"), 1e-8);
            row(locale, QStringLiteral("-2.5"), -2.5);
            row(locale, QStringLiteral("1.5"), 1.5);
            row(locale, QStringLiteral("1000"), 1000.0);
            row(locale, QStringLiteral("abc"), none);
            row(locale, QStringLiteral("1,000.5"), none);
            row(locale, QStringLiteral(""), none);
            row(locale, QStringLiteral("inf"), none);
        }
        row("zh_CN", QStringLiteral("０．０１"), 0.01);
        row("zh_CN", QStringLiteral("0。01"), 0.01);
        // One or one thousand? Neither is guessed.
        row("de_DE", QStringLiteral("1.000"), none);
        row("en_US", QStringLiteral("1,000"), none);
        row("de_DE", QStringLiteral("1,000"), 1.0);
        row("en_US", QStringLiteral("1.000"), 1.0);
    }

    void numbersAreReadInEveryLanguage() {
        QFETCH(QString, locale);
        QFETCH(QString, text);
        QFETCH(double, expected);
        const std::optional<double> value = parseReal(text, QLocale(locale));
        QCOMPARE(value.has_value(), !std::isnan(expected));
        if (value)
            QVERIFY(compareBits(*value, expected));
    }

    void wholeNumbersMayBeGrouped() {
        for (const char* text : {"60000", "60 000", "60.000", "60,000", "60'000", "６００００"})
            QCOMPARE(parseInteger(QString::fromUtf8(text)), std::optional<std::int64_t>(60000));
        QCOMPARE(parseInteger(QStringLiteral("1.234.567")), std::optional<std::int64_t>(1234567));
        for (const char* text : {"", "6.5", "1.234,567", "12a", "0x10", "60.00"})
            QCOMPARE(parseInteger(QString::fromUtf8(text)), std::optional<std::int64_t>());
    }

    void realTextComesBackToTheBit() {
        for (const char* name : {"C", "de_DE", "zh_CN", "ar_EG", "fa_IR"}) {
            const QLocale locale{QLatin1String(name)};
            for (const double value : {0.1, 1e-8, 0.30000000000000004, 12345.678, 1e22, 0.0, 0.999999}) {
                const QString text = realText(value, locale);
                const std::optional<double> back = parseReal(text, locale);
                QVERIFY2(back && compareBits(*back, value), qPrintable(QLatin1String(name) + QLatin1Char(' ') + text));
            }
        }
    }

    void realTextReadsLikeAPersonWrites() {
        QCOMPARE(realText(0.005), QStringLiteral("0.005"));
        QCOMPARE(realText(1e-8), QStringLiteral("1e-8"));
        QCOMPARE(realText(1000.0), QStringLiteral("1000"));
        QCOMPARE(realText(0.0), QStringLiteral("0"));
    }

    void typedTextIsKeptWhileItMeansTheSame() {
        ConfigForm form{ExperimentConfig{}};
        const std::unique_ptr<FieldEditor> editor(FieldEditor::create(*findField("optimizer.lr"), form));
        auto* edit = editor->findChild<QLineEdit*>();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("0.10"));
        QCOMPARE(edit->text(), QStringLiteral("0.10"));
        QVERIFY(compareAbs(form.config().run.optimizer.lr, 0.1, 0.0));
        // An edit elsewhere does not touch it either.
        QVERIFY(form.edit("train.clip_norm", 1.0));
        QCOMPARE(edit->text(), QStringLiteral("0.10"));
    }

    void refusedTextBlocksAndUndoWithdrawsIt() {
        ConfigForm form{ExperimentConfig{}};
        const std::unique_ptr<FieldEditor> editor(FieldEditor::create(*findField("optimizer.lr"), form));
        auto* edit = editor->findChild<QLineEdit*>();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("-1"));
        QVERIFY(form.problems().contains("optimizer.lr"));
        QVERIFY(compareAbs(form.config().run.optimizer.lr, 0.01, 0.0));
        form.undo();
        QVERIFY(form.problems().empty());
        QCOMPARE(edit->text(), QStringLiteral("0.01"));
        QVERIFY(!form.canUndo());
    }

    void typingIsOneEntryOfTheHistory() {
        ConfigForm form{ExperimentConfig{}};
        const auto typeMicro = [&form](std::int64_t value) { return form.edit("batch.micro", value); };
        QVERIFY(typeMicro(1));
        QVERIFY(typeMicro(16));
        QVERIFY(typeMicro(160));
        QVERIFY(form.edit("optimizer.lr", 0.5));
        form.undo();
        QVERIFY(compareAbs(form.config().run.optimizer.lr, 0.01, 0.0));
        QCOMPARE(form.config().run.batch.micro, std::int64_t{160});
        form.undo();
        QCOMPARE(form.config().run.batch.micro, std::int64_t{32});
        QVERIFY(!form.canUndo());
        form.redo();
        form.redo();
        QVERIFY(compareAbs(form.config().run.optimizer.lr, 0.5, 0.0));
        QVERIFY(!form.canRedo());
        // Leaving the field in between makes two entries.
        QVERIFY(typeMicro(8));
        form.closeEdit();
        QVERIFY(typeMicro(4));
        form.undo();
        QCOMPARE(form.config().run.batch.micro, std::int64_t{8});
    }

    void aFixIsAppliedWholeOrNotAtAll() {
        ConfigForm form{ExperimentConfig{}};
        const ExperimentConfig before = form.config();
        QVERIFY(!form.apply({"batch.effective=512", "batch.micro=minus"}));
        QVERIFY(form.config() == before);
        QVERIFY(form.apply({"batch.effective=512", "batch.micro=64"}));
        QCOMPARE(form.config().run.batch.effective, std::int64_t{512});
        form.undo();
        QVERIFY(form.config() == before);
    }

    void aNewExperimentLeavesTheMarginToItsMetric() {
        // 0.005 would be half a point of an accuracy and nothing at all of an error in dollars.
        QVERIFY(compareAbs(newExperiment().study.margin, 0.0, 0.0));
    }

    void resetReturnsToTheStart() {
        ConfigForm form(newExperiment());
        QVERIFY(form.edit("optimizer.lr", 0.5));
        QVERIFY(form.edit("batch.micro", std::int64_t{8}));
        form.reset({"optimizer.lr", "optimizer.momentum"});
        QVERIFY(compareAbs(form.config().run.optimizer.lr, newExperiment().run.optimizer.lr, 0.0));
        QCOMPARE(form.config().run.batch.micro, std::int64_t{8});
    }

    void everyFieldHasWordsOfItsOwn() {
        QSet<QString> titles;
        for (const ConfigField& field : configFields()) {
            QVERIFY2(!fieldTitle(field).isEmpty(), field.key.c_str());
            QVERIFY2(!titles.contains(fieldTitle(field)), field.key.c_str());
            titles.insert(fieldTitle(field));
        }
    }

    void planCountsWhatWouldRun() {
        ExperimentConfig experiment = newExperiment();
        experiment.run.train.length = {3, Extent::Unit::Epochs};
        const SetupPlan plan = planSetup(experiment, 60000);
        QCOMPARE(plan.runs(), std::int64_t{10});
        QCOMPARE(plan.batch->steps, std::int64_t{8});
        QCOMPARE(plan.epoch->updates, std::int64_t{235}); // ceil(60000 / 256)
        QCOMPARE(plan.epoch->tailSamples, std::int64_t{96});
        QCOMPARE(plan.updates, std::int64_t{705});
        QCOMPARE(plan.samples, std::int64_t{180000});
        experiment.run.batch.tail = TailPolicy::Drop;
        const SetupPlan dropped = planSetup(experiment, 60000);
        QCOMPARE(dropped.updates, std::int64_t{702});
        QCOMPARE(dropped.samples, std::int64_t{702 * 256});
        QVERIFY(!planSetup(experiment, 0).epoch);
        // 2 x 256, then 512 each: 116 x 512 = 59392, 96 left of 60000 - 512.
        experiment.run.batch.tail = TailPolicy::Apply;
        experiment.run.batch.ramp = {{3, 512}};
        experiment.run.train.length = {300, Extent::Unit::Updates};
        const SetupPlan ramped = planSetup(experiment, 60000);
        QCOMPARE(ramped.epoch->updates, std::int64_t{119});
        QCOMPARE(ramped.epoch->tailSamples, std::int64_t{96});
        QCOMPARE(ramped.updates, std::int64_t{300});
        QCOMPARE(ramped.samples,
                 std::int64_t{60000 + 60000 + (300 - 119 - 118) * 512}); // the second epoch: ceil(60000 / 512)
        experiment.run.batch.ramp = {{3, 60416}};
        QVERIFY(!planSetup(experiment, 60000).epoch);
        experiment.run.batch.ramp.clear();
        experiment.run.data.dropLast = true; // 59999 = 1874 x 32 + 31
        QCOMPARE(planSetup(experiment, 59999).epoch->samples, std::int64_t{59968});
        experiment.run.batch.effective = 250;
        QVERIFY(!planSetup(experiment, 60000).batch);
    }

    void previewHasBothEndsAndFewPoints() {
        ExperimentConfig experiment = newExperiment();
        experiment.run.schedule.kind = ScheduleKind::Linear;
        experiment.run.schedule.warmup = {5, Extent::Unit::Updates};
        experiment.run.train.length = {100000, Extent::Unit::Updates};
        const SetupPlan plan = planSetup(experiment, 60000);
        const auto points = previewLr(experiment, plan, 60000);
        QVERIFY(points.size() > 500 && points.size() < 700);
        QCOMPARE(points.front().update, std::int64_t{1});
        QCOMPARE(points.front().samples, std::int64_t{256});
        QVERIFY(compareAbs(points.front().lr, 0.01 / 5.0, 1e-16)); // one rounding of a number near 2e-3
        QCOMPARE(points.back().update, std::int64_t{100000});
        QCOMPARE(points.back().samples, plan.samples);
        for (std::size_t i = 1; i < points.size(); ++i)
            QVERIFY(points[i].update > points[i - 1].update && points[i].samples > points[i - 1].samples);
    }
};

QTEST_MAIN(TestConfigForm)
} // namespace test_config_form
#include "test_config_form.moc"
