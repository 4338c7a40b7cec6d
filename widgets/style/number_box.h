// SPDX-License-Identifier: GPL-3.0-or-later
// A spin box for whole numbers of 64 bits and for real numbers of any size (1e-8 as well as 1000), with its unit inside
// the field. It reads what people type in any language: 0.01 and 0,01, grouped thousands, full-width digits of a
// Chinese input method. GUI thread.
#pragma once

#include <QAbstractSpinBox>
#include <cstdint>
#include <optional>

class QLabel;

namespace accumulus::ui {

/// What a person typed as a number, or nothing when it is not one or could mean two (1.000 where the decimal sign is a
/// comma).
[[nodiscard]] std::optional<double> parseReal(const QString& text, const QLocale& locale = QLocale());
[[nodiscard]] std::optional<std::int64_t> parseInteger(const QString& text, const QLocale& locale = QLocale());
/// Shortest text that parseReal turns into the same value; no thousands separators.
[[nodiscard]] QString realText(double value, const QLocale& locale = QLocale());

class NumberBox : public QAbstractSpinBox {
    Q_OBJECT
    // What a screen reader asks a spin box for, by these names.
    Q_PROPERTY(double value READ shownValue WRITE setShownValue)
    Q_PROPERTY(double minimum READ minimum)
    Q_PROPERTY(double maximum READ maximum)
public:
    enum class Kind { Integer, Real };
    explicit NumberBox(Kind kind, QWidget* parent = nullptr);

    void setRange(std::optional<double> minimum, std::optional<double> maximum);
    /// Unit behind the number, and what 0 stands for ("all", "automatic") where it is special.
    void setUnit(const QString& unit, const QString& zeroMeaning = {});

    void setInteger(std::int64_t value);
    void setReal(double value);
    /// The typed number, in range or not; nothing when the text is not a number.
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    [[nodiscard]] std::optional<double> real() const;

    [[nodiscard]] double shownValue() const; ///< 0 when the text is not a number
    void setShownValue(double value);        ///< as a person's edit
    [[nodiscard]] double minimum() const;
    [[nodiscard]] double maximum() const;

    void stepBy(int count) override;
    void clear() override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void numberEdited(); ///< by the person, at every key

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showText(const QString& text);
    void refreshUnit();

    Kind m_kind;
    std::optional<double> m_minimum;
    std::optional<double> m_maximum;
    QString m_unit;
    QString m_zeroMeaning;
    QLabel* m_unitLabel;
};

} // namespace accumulus::ui
