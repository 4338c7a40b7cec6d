// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/field_editor.h"

#include "widgets/models/field_values.h"
#include "widgets/models/field_words.h"
#include "widgets/pages/setup/path_chooser.h"
#include "widgets/pages/setup/quiet_combo_box.h"
#include "widgets/style/format.h"
#include "widgets/style/number_box.h"
#include "widgets/style/workbench_style.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <type_traits>

namespace accumulus::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("FieldEditor", text); }

QLineEdit* lineEdit(QWidget* parent) {
    auto* edit = new QLineEdit(parent);
    edit->setMinimumHeight(rowHeight);
    edit->setTextMargins(6, 0, 6, 0); // where the text of the other controls begins
    return edit;
}

class TextEditor : public FieldEditor {
public:
    TextEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_edit(lineEdit(this)) {
        row().addWidget(m_edit);
        adopt(m_edit);
        m_edit->setPlaceholderText(emptyMeaning(field));
        connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) { commit(text.toStdString()); });
        if (field.type == FieldType::Path)
            addChooser();
    }

protected:
    void show(const FieldValue& value) override {
        const QString text = QString::fromStdString(std::get<std::string>(value));
        if (m_edit->text() != text)
            m_edit->setText(text);
    }

private:
    void addChooser() {
        auto* choose = new PathChooser(
            field(), [this] { return m_edit->text(); }, this);
        choose->setMinimumHeight(rowHeight);
        row().addWidget(choose);
        connect(choose, &PathChooser::chosen, this, [this](const QString& file) {
            if (roleOfSetting(field()) != FileRole::None) {
                Q_EMIT fileChosen(file);
                return;
            }
            show(file.toStdString());
            commit(file.toStdString());
        });
    }

    QLineEdit* m_edit;
};

class ChoiceEditor : public FieldEditor {
public:
    ChoiceEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_combo(new QuietComboBox(this)) {
        for (const std::string& choice : field.choices)
            m_combo->addItem(choiceTitle(choice), QString::fromStdString(choice));
        row().addWidget(m_combo);
        adopt(m_combo);
        connect(m_combo, &QComboBox::activated, this,
                [this] { commit(m_combo->currentData().toString().toStdString()); });
    }

protected:
    void show(const FieldValue& value) override {
        m_combo->setCurrentIndex(m_combo->findData(QString::fromStdString(std::get<std::string>(value))));
    }

private:
    QuietComboBox* m_combo;
};

class NumberEditor : public FieldEditor {
public:
    NumberEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_integer(field.type == FieldType::Integer),
          m_box(new NumberBox(m_integer ? NumberBox::Kind::Integer : NumberBox::Kind::Real, this)) {
        m_box->setRange(field.minimum, field.maximum);
        row().addWidget(m_box);
        adopt(m_box);
        connect(m_box, &NumberBox::numberEdited, this, [this] {
            if (const auto value = m_box->integer(); m_integer && value)
                commit(*value);
            else if (const auto real = m_box->real(); !m_integer && real)
                commit(*real);
            else
                refuse();
        });
    }

protected:
    void show(const FieldValue& value) override {
        if (m_integer)
            m_box->setInteger(std::get<std::int64_t>(value));
        else
            m_box->setReal(std::get<double>(value));
    }
    void follow(const ExperimentConfig& experiment) override {
        m_box->setUnit(unitInField(field(), experiment), zeroInField(field(), experiment));
    }

private:
    bool m_integer;
    NumberBox* m_box;
};

class BooleanEditor : public FieldEditor {
public:
    BooleanEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_box(new QCheckBox(fieldTitle(field), this)) {
        m_box->setMinimumHeight(rowHeight);
        row().addWidget(m_box);
        adopt(m_box);
        connect(m_box, &QCheckBox::toggled, this, [this](bool on) { commit(on); });
    }

protected:
    void show(const FieldValue& value) override {
        const QSignalBlocker quiet(m_box);
        m_box->setChecked(std::get<bool>(value));
    }

private:
    QCheckBox* m_box;
};

class ExtentEditor : public FieldEditor {
public:
    ExtentEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_count(new NumberBox(NumberBox::Kind::Integer, this)),
          m_unit(new QuietComboBox(this)) {
        m_count->setRange(field.minimum, field.maximum);
        m_count->setUnit({}, zeroMeaning(field));
        for (const auto unit : {Extent::Unit::Updates, Extent::Unit::Samples, Extent::Unit::Epochs})
            m_unit->addItem(extentUnitTitle(unit), static_cast<int>(unit));
        row().addWidget(m_count, 3);
        row().addWidget(m_unit, 2);
        adopt(m_count);
        m_unit->setObjectName(m_count->objectName() + QStringLiteral(".unit"));
        m_unit->setAccessibleName(words(QT_TRANSLATE_NOOP("FieldEditor", "%1, unit")).arg(fieldTitle(field)));
        setRichToolTip(m_unit, m_count->toolTip());
        const auto take = [this] {
            if (const auto count = m_count->integer())
                commit(Extent{*count, static_cast<Extent::Unit>(m_unit->currentData().toInt())});
            else
                refuse();
        };
        connect(m_count, &NumberBox::numberEdited, this, take);
        connect(m_unit, &QComboBox::activated, this, take);
    }

protected:
    void show(const FieldValue& value) override {
        const auto& extent = std::get<Extent>(value);
        m_count->setInteger(extent.count);
        m_unit->setCurrentIndex(m_unit->findData(static_cast<int>(extent.unit)));
    }

private:
    NumberBox* m_count;
    QuietComboBox* m_unit;
};

std::optional<std::int64_t> itemOf(const QString& text, std::int64_t) {
    bool valid = false;
    const qlonglong number = QLocale::c().toLongLong(text, &valid);
    return valid ? std::optional<std::int64_t>(number) : std::nullopt;
}
std::optional<double> itemOf(const QString& text, double) { return parseReal(text, QLocale()); }
std::optional<std::string> itemOf(const QString& text, const std::string&) { return text.toStdString(); }

QString itemText(std::int64_t number) { return QString::number(number); }
QString itemText(double number) { return realText(number, QLocale()); }
QString itemText(const std::string& text) { return format::fromUtf8(text); }

const std::vector<std::int64_t> fiveSeeds{0, 1, 2, 3, 4};

/// Where people write 0,5, a comma between two digits belongs to the number.
template <class Item>
bool commaIsDecimal() {
    return std::is_same_v<Item, double> && QLocale().decimalPoint() == QLatin1String(",");
}

/// "0, 1, 2": separated by commas, semicolons or spaces, as the person's keyboard has them.
template <class Item>
std::optional<std::vector<Item>> parseList(const QString& text) {
    static const QRegularExpression all(QStringLiteral("[\\s,;\u3001]+"));
    static const QRegularExpression outside(QStringLiteral("(?:[\\s;\u3001]|,(?!\\d)|(?<!\\d),)+"));
    std::vector<Item> values;
    const QStringList parts = text.normalized(QString::NormalizationForm_KC)
                                  .split(commaIsDecimal<Item>() ? outside : all, Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        auto value = itemOf(part, Item());
        if (!value)
            return std::nullopt;
        values.push_back(*std::move(value));
    }
    return values;
}

template <class Item>
class ListEditor : public FieldEditor {
public:
    ListEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_edit(lineEdit(this)) {
        row().addWidget(m_edit);
        adopt(m_edit);
        connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
            if (auto values = parseList<Item>(text))
                commit(std::move(*values));
            else
                refuse();
        });
        if (field.key == "study.seeds")
            addHelper();
    }

protected:
    void show(const FieldValue& value) override {
        const auto& values = std::get<std::vector<Item>>(value);
        if (parseList<Item>(m_edit->text()) == values)
            return;
        QStringList parts;
        for (const Item& item : values)
            parts << itemText(item);
        m_edit->setText(parts.join(commaIsDecimal<Item>() ? QStringLiteral("; ") : QStringLiteral(", ")));
        m_edit->setCursorPosition(0);
    }
    /// Too few seeds for a verdict are a finding, whose button does the same.
    void follow(const ExperimentConfig& experiment) override {
        const auto& seeds = experiment.study.seeds;
        const bool told = experiment.study.largeBatch && seeds.size() < seedsForVerdict;
        if (m_five)
            m_five->setVisible(!told && seeds != fiveSeeds);
    }

private:
    void addHelper() {
        auto* five = m_five = new QPushButton(words(QT_TRANSLATE_NOOP("FieldEditor", "Use 5 seeds")), this);
        five->setObjectName(m_edit->objectName() + QStringLiteral(".five"));
        five->setToolTip(words(QT_TRANSLATE_NOOP("FieldEditor", "Use the seeds 0, 1, 2, 3, 4")));
        five->setMinimumHeight(rowHeight);
        five->setAutoDefault(false);
        row().addWidget(five);
        connect(five, &QPushButton::clicked, this, [this] {
            const FieldValue seeds = fiveSeeds;
            show(seeds);
            commit(seeds);
        });
    }
    QLineEdit* m_edit;
    QPushButton* m_five = nullptr; ///< of the seeds
};

/// A ramp as "100: 64, 500: 512".
class RampEditor : public FieldEditor {
public:
    RampEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
        : FieldEditor(field, form, parent), m_edit(lineEdit(this)) {
        m_edit->setPlaceholderText(
            words(QT_TRANSLATE_NOOP("FieldEditor", "none; update: batch, as in 100: 64, 500: 512")));
        row().addWidget(m_edit);
        adopt(m_edit);
        connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
            if (const auto ramp = rampFromText(text))
                commit(*ramp);
            else
                refuse();
        });
    }

protected:
    void show(const FieldValue& value) override {
        const auto& ramp = std::get<BatchRamp>(value);
        if (rampFromText(m_edit->text()) == ramp)
            return;
        m_edit->setText(rampText(ramp));
        m_edit->setCursorPosition(0);
    }

private:
    QLineEdit* m_edit;
};

} // namespace

FieldEditor* FieldEditor::create(const ConfigField& field, ConfigForm& form, QWidget* parent) {
    FieldEditor* editor = nullptr;
    switch (field.type) {
    case FieldType::Text:
    case FieldType::Path:
        editor = new TextEditor(field, form, parent);
        break;
    case FieldType::Choice:
        editor = new ChoiceEditor(field, form, parent);
        break;
    case FieldType::Integer:
    case FieldType::Real:
        editor = new NumberEditor(field, form, parent);
        break;
    case FieldType::Boolean:
        editor = new BooleanEditor(field, form, parent);
        break;
    case FieldType::Extent:
        editor = new ExtentEditor(field, form, parent);
        break;
    case FieldType::IntegerList:
        editor = new ListEditor<std::int64_t>(field, form, parent);
        break;
    case FieldType::RealList:
        editor = new ListEditor<double>(field, form, parent);
        break;
    case FieldType::TextList:
        editor = new ListEditor<std::string>(field, form, parent);
        break;
    case FieldType::Ramp:
        editor = new RampEditor(field, form, parent);
        break;
    }
    editor->pull();
    editor->follow(form.config());
    return editor;
}

FieldEditor::FieldEditor(const ConfigField& field, ConfigForm& form, QWidget* parent)
    : QWidget(parent), m_field(field), m_form(form), m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(8);
    connect(&form, &ConfigForm::reloaded, this, &FieldEditor::pull);
    connect(&form, &ConfigForm::changed, this, [this] {
        if (!m_committing && !m_form.problems().contains(m_field.key))
            pull();
        follow(m_form.config());
    });
}

void FieldEditor::adopt(QWidget* control) {
    m_control = control;
    control->setObjectName(QStringLiteral("setup.") + QString::fromStdString(m_field.key));
    control->setAccessibleName(fieldTitle(m_field));
    control->setAccessibleDescription(fieldHelp(m_field));
    setRichToolTip(control, fieldToolTip(m_field));
    setFocusProxy(control);
}

// While a value is on its way into the form, the control keeps the text as typed: "0.10" must not become "0.1" under
// the cursor.
void FieldEditor::commit(const FieldValue& value) {
    m_committing = true;
    const Status status = m_form.edit(m_field.key, value);
    m_committing = false;
    if (!status)
        refuse();
    else
        Q_EMIT edited();
}

void FieldEditor::refuse() { m_form.refuse(m_field.key, allowedValues(m_field)); }

void FieldEditor::pull() { show(m_field.get(m_form.config())); }

} // namespace accumulus::ui
