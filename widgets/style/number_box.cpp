// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/number_box.h"

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

namespace accumulus::ui {

namespace {

constexpr int minHeight = 32; ///< as combo boxes and line edits

/// Full-width digits and signs become ASCII, spaces and apostrophes (thousands in many languages) go.
QString plainAscii(const QString& text) {
    QString plain = text.normalized(QString::NormalizationForm_KC);
    plain.replace(QChar(0x3002), QLatin1Char('.')); // the ideographic full stop of a Chinese keyboard
    plain.replace(QChar(0x2212), QLatin1Char('-'));
    plain.replace(QChar(0x066B), QLatin1Char('.')); // Arabic decimal sign
    for (QChar& sign : plain)
        if (sign.isDigit()) // of any script
            sign = QChar(u'0' + static_cast<char16_t>(sign.digitValue()));
    static const QRegularExpression spaces(QStringLiteral("[\\s'\u2019]"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    return plain.remove(spaces);
}

std::optional<double> cReal(const QString& text) {
    bool valid = false;
    const double value = QLocale::c().toDouble(text, &valid);
    return valid && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<double> parseReal(const QString& text, const QLocale& locale) {
    QString plain = plainAscii(text);
    if (plain.count(QLatin1Char('.')) + plain.count(QLatin1Char(',')) > 1)
        return std::nullopt;
    const QString decimal = locale.decimalPoint();
    const QChar other = decimal == QLatin1String(",") ? QLatin1Char('.') : QLatin1Char(',');
    // "1.000" where people write 1,5: one or one thousand? Only a leading zero settles it.
    static const QRegularExpression grouped(QStringLiteral("^[-+]?[1-9]\\d{0,2}[.,]\\d{3}$"));
    if (plain.contains(other) && grouped.match(plain).hasMatch())
        return std::nullopt;
    return cReal(plain.replace(QLatin1Char(','), QLatin1Char('.')));
}

std::optional<std::int64_t> parseInteger(const QString& text, const QLocale& locale) {
    Q_UNUSED(locale)
    QString plain = plainAscii(text);
    static const QRegularExpression grouped(QStringLiteral("^[-+]?\\d{1,3}(?:([.,])\\d{3})(?:\\1\\d{3})*$"));
    if (grouped.match(plain).hasMatch())
        plain.remove(QLatin1Char('.')).remove(QLatin1Char(','));
    bool valid = false;
    const qint64 value = QLocale::c().toLongLong(plain, &valid);
    return valid ? std::optional<std::int64_t>(value) : std::nullopt;
}

QString realText(double value, const QLocale& locale) {
    QLocale plain = QLocale::c();
    plain.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::OmitLeadingZeroInExponent);
    const double size = std::abs(value);
    const bool readable = size == 0.0 || (size >= 1e-4 && size < 1e9);
    QString text = plain.toString(value, readable ? 'f' : 'e', QLocale::FloatingPointShortest);
    if (locale.decimalPoint() == QLatin1String(","))
        text.replace(QLatin1Char('.'), QLatin1Char(','));
    return text;
}

NumberBox::NumberBox(Kind kind, QWidget* parent)
    : QAbstractSpinBox(parent), m_kind(kind), m_unitLabel(new QLabel(lineEdit())) {
    m_unitLabel->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_unitLabel->setForegroundRole(QPalette::PlaceholderText);
    setFocusPolicy(Qt::StrongFocus);
    setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
    connect(lineEdit(), &QLineEdit::textChanged, this, &NumberBox::refreshUnit);
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberBox::numberEdited);
    connect(lineEdit(), &QLineEdit::textChanged, this, [this] {
        QAccessibleValueChangeEvent event(this, shownValue());
        QAccessible::updateAccessibility(&event);
    });
}

void NumberBox::setRange(std::optional<double> minimum, std::optional<double> maximum) {
    m_minimum = minimum;
    m_maximum = maximum;
}

void NumberBox::setUnit(const QString& unit, const QString& zeroMeaning) {
    if (unit == m_unit && zeroMeaning == m_zeroMeaning)
        return; // forms tell it at every change
    m_unit = unit;
    m_zeroMeaning = zeroMeaning;
    refreshUnit();
}

void NumberBox::setInteger(std::int64_t value) {
    if (integer() != value)
        showText(QString::number(value));
}

void NumberBox::setReal(double value) {
    if (real() != value)
        showText(realText(value));
}

std::optional<std::int64_t> NumberBox::integer() const { return parseInteger(text()); }

std::optional<double> NumberBox::real() const { return parseReal(text()); }

double NumberBox::shownValue() const {
    return m_kind == Kind::Integer ? static_cast<double>(integer().value_or(0)) : real().value_or(0.0);
}

void NumberBox::setShownValue(double value) {
    showText(m_kind == Kind::Integer ? QString::number(std::llround(value)) : realText(value));
    Q_EMIT numberEdited();
}

double NumberBox::minimum() const { return m_minimum.value_or(std::numeric_limits<double>::lowest()); }
double NumberBox::maximum() const { return m_maximum.value_or(std::numeric_limits<double>::max()); }

void NumberBox::stepBy(int count) {
    const auto clamp = [this](double value) {
        return std::clamp(value, m_minimum.value_or(value),
                          std::max(m_minimum.value_or(value), m_maximum.value_or(value)));
    };
    if (m_kind == Kind::Integer) {
        const auto value = static_cast<double>(integer().value_or(0)) + count;
        showText(QString::number(static_cast<std::int64_t>(clamp(value))));
    } else {
        // One unit of the second significant digit: 0.01 -> 0.011, 0.9 -> 0.91.
        const double value = real().value_or(0.0);
        const double unit = value == 0.0 ? 0.01 : std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1.0);
        const double next = std::round(value / unit + count) * unit;
        showText(realText(clamp(QString::number(next, 'g', 12).toDouble())));
    }
    selectAll();
    Q_EMIT numberEdited();
}

void NumberBox::clear() { lineEdit()->clear(); }

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const {
    if (isReadOnly())
        return StepNone;
    const std::optional<double> value =
        m_kind == Kind::Integer && integer() ? std::optional(static_cast<double>(*integer())) : real();
    StepEnabled enabled = StepNone;
    if (!value || !m_maximum || *value < *m_maximum)
        enabled |= StepUpEnabled;
    if (!value || !m_minimum || *value > *m_minimum)
        enabled |= StepDownEnabled;
    return enabled;
}

QSize NumberBox::sizeHint() const {
    return {fontMetrics().horizontalAdvance(QLatin1Char('0')) * 8 + m_unitLabel->sizeHint().width() + 40,
            std::max(fontMetrics().height() + 12, minHeight)};
}

QSize NumberBox::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(QLatin1Char('0')) * 4 + m_unitLabel->sizeHint().width() + 28,
            sizeHint().height()};
}

// A form that scrolls under the pointer must not change the numbers it passes, nor the one that was typed last.
void NumberBox::wheelEvent(QWheelEvent* event) { event->ignore(); }

void NumberBox::resizeEvent(QResizeEvent* event) {
    QAbstractSpinBox::resizeEvent(event);
    refreshUnit();
}

void NumberBox::changeEvent(QEvent* event) {
    QAbstractSpinBox::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        refreshUnit();
}

void NumberBox::showText(const QString& text) { lineEdit()->setText(text); }

void NumberBox::refreshUnit() {
    const bool zero = m_kind == Kind::Integer ? integer() == 0 : real() == 0.0;
    m_unitLabel->setText(zero && !m_zeroMeaning.isEmpty() ? m_zeroMeaning : m_unit);
    m_unitLabel->adjustSize();
    const QSize size = m_unitLabel->size();
    QLineEdit& edit = *lineEdit();
    edit.setTextMargins(0, 0, m_unitLabel->text().isEmpty() ? 0 : size.width() + 8, 0);
    m_unitLabel->move(edit.width() - size.width() - 8, (edit.height() - size.height()) / 2);
}

} // namespace accumulus::ui
