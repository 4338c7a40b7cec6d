// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/format.h"

#include "core/base/printable.h"
#include "core/config/batch_words.h"
#include "widgets/style/field_titles.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace accumulus::ui::format {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::format)
};

QString absent() { return QStringLiteral("–"); }

constexpr QChar kJoin(0x00A0);
constexpr QChar kTimes(0x00B7);

QString joined(const QString& value, const QString& unit) { return value + kJoin + unit; }

QString notFinite(double value) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    return value > 0 ? QStringLiteral("∞") : QStringLiteral("-∞");
}

QString superscript(int number) {
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = number < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(number)))
        text += digits[digit.digitValue()];
    return text;
}

/// `significant` digits in plain notation, in exponent notation far away from 1. Trailing zeros stay: columns line up.
QString significantDigits(double value, int significant) {
    if (!std::isfinite(value))
        return notFinite(value);
    if (value == 0.0)
        return QLocale().toString(0.0, 'f', std::max(0, significant - 1));
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (magnitude < -4 || magnitude >= 9)
        return power(value, significant);
    return QLocale().toString(value, 'f', std::max(0, significant - 1 - magnitude));
}

constexpr double tenthsBelow = 9.95; ///< seconds: "9.9 s", then "10 s"
constexpr qint64 minute = 60, hour = 3600, day = 86400;

/// How many bytes the unit of a size has, and how many decimals stand before it; -1: whole bytes.
struct BytesShown {
    const char* name;
    double unit;
    int decimals;
};

BytesShown bytesShown(double value) {
    static constexpr std::array names{"kB", "MB", "GB", "TB"};
    if (value < 1000.0)
        return {"B", 1.0, -1};
    std::size_t name = 0;
    double unit = 1000.0;
    for (; value / unit >= 999.5 && name + 1 < names.size(); ++name)
        unit *= 1000.0;
    return {names[name], unit, value / unit < 99.95 ? 1 : 0};
}

QString withoutTrailingZeros(QString text) {
    const QString decimalPoint = QLocale().decimalPoint();
    if (!text.contains(decimalPoint) || text.contains(kTimes))
        return text;
    const QString zero = QLocale().zeroDigit();
    while (text.endsWith(zero))
        text.chop(zero.size());
    if (text.endsWith(decimalPoint))
        text.chop(decimalPoint.size());
    return text;
}

} // namespace

QString power(double value, int significant) {
    if (value == 0.0 || !std::isfinite(value))
        return significantDigits(value, significant);
    // Rounded first: 9.9996 with four digits is 10.00, one power higher.
    const QString rounded = QString::number(value, 'e', std::max(0, significant - 1));
    const qsizetype split = rounded.indexOf(QLatin1Char('e'));
    const QString mantissa = QLocale().toString(rounded.left(split).toDouble(), 'g', significant);
    const QString exponent = QStringLiteral("10") + superscript(rounded.mid(split + 1).toInt());
    return mantissa == QLocale().toString(1) ? exponent : mantissa + kTimes + exponent;
}

QString count(qint64 value) { return QLocale().toString(value); }

QString accuracy(std::optional<double> value) {
    if (!value)
        return absent();
    if (!std::isfinite(*value))
        return notFinite(*value);
    return joined(QLocale().toString(*value * 100.0, 'f', 2), QStringLiteral("%"));
}

QString points(double accuracyDifference) {
    if (!std::isfinite(accuracyDifference))
        return notFinite(accuracyDifference);
    QString text = QLocale().toString(std::abs(accuracyDifference) * 100.0, 'f', 2);
    const bool zero = QLocale().toDouble(text) == 0.0;
    if (!zero)
        text.prepend(accuracyDifference < 0 ? QChar(0x2212) : QLatin1Char('+'));
    return joined(text, Words::tr("points", "percentage points of accuracy"));
}

QString loss(std::optional<double> value) { return value ? significantDigits(*value, 4) : absent(); }

QString number(double value, int significant) { return withoutTrailingZeros(significantDigits(value, significant)); }

QStringList numbers(const std::vector<double>& values, int significant) {
    constexpr qsizetype mostDecimals = 4;
    const QString decimalPoint = QLocale().decimalPoint();
    QStringList texts;
    qsizetype decimals = 0;
    for (const double value : values) {
        texts << number(value, significant);
        if (const qsizetype point = texts.last().indexOf(decimalPoint); point >= 0 && !texts.last().contains(kTimes))
            decimals = std::max(decimals, texts.last().size() - point - decimalPoint.size());
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (QString& text = texts[static_cast<qsizetype>(i)]; std::isfinite(values[i]) && !text.contains(kTimes))
            text = QLocale().toString(values[i], 'f', static_cast<int>(std::min(decimals, mostDecimals)));
    return texts;
}

QString rate(double samplesPerSecond) {
    if (!std::isfinite(samplesPerSecond) || samplesPerSecond < 0)
        return absent();
    // Three digits are what such a measurement is worth: the last ones only flicker.
    double rounded = samplesPerSecond;
    if (rounded >= 1000.0) {
        const double unit = std::pow(10.0, std::floor(std::log10(rounded)) - 2.0);
        rounded = std::round(rounded / unit) * unit;
    }
    const QString value =
        rounded < 10.0 ? QLocale().toString(rounded, 'f', 1) : QLocale().toString(std::llround(rounded));
    return joined(value, Words::tr("samples/s"));
}

QString duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return absent();
    if (seconds < tenthsBelow)
        return joined(QLocale().toString(seconds, 'f', 1), Words::tr("s", "seconds"));
    const qint64 whole = std::llround(seconds);
    if (whole < minute)
        return joined(count(whole), Words::tr("s", "seconds"));
    const QString minutes = joined(count(whole / minute % 60), Words::tr("min", "minutes"));
    if (whole < hour)
        return joined(minutes, joined(count(whole % minute), Words::tr("s", "seconds")));
    if (whole < day)
        return joined(joined(count(whole / hour), Words::tr("h", "hours")), minutes);
    return joined(joined(count(whole / day), Words::tr("d", "days")),
                  joined(count(whole / hour % 24), Words::tr("h", "hours")));
}

QString estimate(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return absent();
    const qint64 whole = std::llround(std::ceil(seconds));
    if (whole < minute)
        return joined(count(whole), Words::tr("s", "seconds"));
    const qint64 minutes = std::max<qint64>(1, std::llround(seconds / static_cast<double>(minute)));
    return minutes * minute < hour ? joined(count(minutes), Words::tr("min", "minutes"))
                                   : duration(static_cast<double>(minutes * minute));
}

double shownDuration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return seconds;
    if (seconds < tenthsBelow)
        return std::round(seconds * 10.0) / 10.0;
    const qint64 whole = std::llround(seconds);
    const qint64 unit = whole < hour ? 1 : whole < day ? minute : hour; // what is less is not shown
    return static_cast<double>(whole / unit * unit);
}

std::vector<std::pair<QString, double>> durationUnits() {
    return {{Words::tr("d", "days"), static_cast<double>(day)},
            {Words::tr("h", "hours"), static_cast<double>(hour)},
            {Words::tr("min", "minutes"), static_cast<double>(minute)},
            {Words::tr("s", "seconds"), 1.0}};
}

QString bytes(qint64 value) {
    const BytesShown shown = bytesShown(static_cast<double>(value));
    return joined(shown.decimals < 0 ? count(value)
                                     : QLocale().toString(static_cast<double>(value) / shown.unit, 'f', shown.decimals),
                  QLatin1String(shown.name));
}

double shownBytes(double value) {
    if (!std::isfinite(value))
        return value;
    const BytesShown shown = bytesShown(std::round(value));
    const double step = shown.decimals > 0 ? shown.unit / 10.0 : shown.unit;
    return std::round(value / step) * step;
}

double shownAccuracy(double value) { return std::round(value * 1e4) / 1e4; }

double shownNumber(double value, int significant) {
    return std::isfinite(value) ? QString::number(value, 'e', std::max(0, significant - 1)).toDouble() : value;
}

QString dateTime(double unixSeconds) {
    if (!std::isfinite(unixSeconds) || unixSeconds <= 0)
        return absent();
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(std::llround(unixSeconds * 1000.0)), QLocale::ShortFormat);
}

QString armTitle(Arm arm) { return arm == Arm::Accumulated ? Words::tr("accumulated") : Words::tr("large batch"); }

QString stateTitle(RunState state) {
    switch (state) {
    case RunState::Draft:
        return Words::tr("draft");
    case RunState::Queued:
        return Words::tr("queued");
    case RunState::Starting:
        return Words::tr("starting");
    case RunState::Running:
        return Words::tr("running");
    case RunState::Paused:
        return Words::tr("paused");
    case RunState::Stopping:
        return Words::tr("stopping");
    case RunState::Completed:
        return Words::tr("completed");
    case RunState::Stopped:
        return Words::tr("stopped");
    case RunState::Failed:
        return Words::tr("failed");
    case RunState::Interrupted:
        return Words::tr("interrupted");
    }
    return {};
}

QString stateTitle(const RunRecord& run) {
    return neverStarted(run) ? Words::tr("not started") : stateTitle(run.state);
}

constexpr int maxChanges = 3; ///< of a ramp, told one by one

static QString windowInWords(const BatchPlan& batch) {
    const QString effective = count(batch.effective);
    if (batch.ragged() && batch.microSizes.size() > 1) {
        const QString rest = count(batch.microSizes.back());
        const auto whole = static_cast<qint64>(batch.microSizes.size()) - 1;
        if (batch.devices > 1)
            return Words::tr("micro-batch %1 × %2 and one of %3 on %4 devices = %5 samples per update")
                .arg(count(batch.micro), count(whole), rest, count(batch.devices), effective);
        return whole == 1 ? Words::tr("micro-batch %1 and one of %2 = %3 samples per update")
                                .arg(count(batch.micro), rest, effective)
                          : Words::tr("micro-batch %1 × %2 and one of %3 = %4 samples per update")
                                .arg(count(batch.micro), count(whole), rest, effective);
    }
    const QString devices =
        batch.devices == 1 ? Words::tr("1 device") : Words::tr("%1 devices").arg(count(batch.devices));
    return Words::tr("micro-batch %1 × accumulation %2 × %3 = %4 samples per update")
        .arg(count(std::min(batch.micro, batch.effective)), count(batch.steps), devices, effective);
}

QString batchSummary(const BatchPlan& batch) {
    QString text = windowInWords(batch);
    const std::size_t told = std::min<std::size_t>(batch.ramp.size(), maxChanges);
    for (std::size_t i = 0; i < told; ++i)
        text = Words::tr("%1, from update %2 on %3 = %4")
                   .arg(text, count(batch.ramp[i].update),
                        fromUtf8(windowSplit(batch, batch.ramp[i].effective, fineSigns())),
                        count(batch.ramp[i].effective));
    if (told < batch.ramp.size())
        text = Words::tr("%1, and %2 more changes").arg(text, count(static_cast<qint64>(batch.ramp.size() - told)));
    return text;
}

QString batchEquation(const BatchPlan& batch) { return fromUtf8(accumulus::batchEquation(batch, fineSigns())); }

QString batchSplit(const BatchPlan& batch) { return fromUtf8(splitText(batch, fineSigns())); }

const Language& language() {
    static const Language current{[](std::string_view words) {
                                      const std::string english(words);
                                      for (const char* context : {"messages", "choices"}) // sentences, titles
                                          if (const QString found =
                                                  QCoreApplication::translate(context, english.c_str());
                                              found.toStdString() != english)
                                              return found.toStdString();
                                      return english;
                                  },
                                  [](std::int64_t number) { return count(number).toStdString(); }};
    return current;
}

QString message(const Message& message) { return settingTitles(fromUtf8(messageText(message, language()))); }

QString error(const Error& error) {
    QStringList sentences;
    for (const std::string& sentence : errorSentences(error, language()))
        sentences << settingTitles(fromUtf8(sentence));
    return sentences.join(QLatin1Char(' '));
}

QString note(const Message& note) {
    const bool isError = errorWords(note.code).code == note.code;
    return isError ? error(note) : message(note);
}

QString event(const EventRecord& event) {
    const QString text = fromUtf8(eventText(event, language()));
    return event.arguments ? settingTitles(text) : text; // what is known as a text alone stays as it was told
}

QString runError(const RunRecord& run) {
    const QString text = fromUtf8(runErrorText(run, language()));
    return run.errorMessage ? settingTitles(text) : text;
}

QString facts(const std::vector<Message>& facts) {
    return fromUtf8(messagesText(facts, Words::tr(", ", "between facts").toStdString(), language()));
}

QString fromUtf8(const std::string& text) { return QString::fromStdString(printable(text)); }

QString linesFromUtf8(const std::string& text) { return QString::fromStdString(printable(text, LineBreaks::Keep)); }

} // namespace accumulus::ui::format
