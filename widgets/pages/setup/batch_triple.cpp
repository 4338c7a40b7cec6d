// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/batch_triple.h"

#include "core/config/batch_plan.h"
#include "widgets/models/field_words.h"
#include "widgets/pages/setup/finding_list.h"
#include "widgets/style/workbench_style.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

const char* keyOf(BatchTriple::Factor factor) {
    switch (factor) {
    case BatchTriple::Micro:
        return "batch.micro";
    case BatchTriple::Steps:
        return "batch.steps";
    case BatchTriple::Effective:
        break;
    }
    return "batch.effective";
}

const ConfigField& devicesField() { return *findField("batch.devices"); }
const ConfigField& fieldOf(BatchTriple::Factor factor) { return *findField(keyOf(factor)); }

QString nameOf(BatchTriple::Factor factor) { return QStringLiteral("setup.") + QLatin1String(keyOf(factor)); }

/// In the equation m x K x D = B.
std::size_t positionOf(BatchTriple::Factor factor) {
    return factor == BatchTriple::Micro ? 0 : factor == BatchTriple::Steps ? 1 : 3;
}

constexpr std::size_t devicesPosition = 2;
constexpr int wideGap = space::s, tightGap = space::xs; ///< between numbers and signs, in one line and in two

} // namespace

const std::vector<std::string>& BatchTriple::keys() {
    static const std::vector<std::string> keys = {"batch.micro", "batch.steps", "batch.devices", "batch.effective"};
    return keys;
}

BatchTriple::BatchTriple(const Theme& theme, ConfigForm& form, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_form(form), m_devices(new NumberBox(NumberBox::Kind::Integer, this)),
      m_devicesProblem(new RoleLabel(theme, TextRole::Bad, {}, this)) {
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(space::xs);
    const std::array signs{QStringLiteral("×"), QStringLiteral("×"), QStringLiteral("=")};
    for (std::size_t at = 0; at < signs.size(); ++at) {
        m_signs[at] = new RoleLabel(theme, TextRole::Body, signs[at], this);
        m_signs[at]->setAlignment(Qt::AlignCenter);
    }
    addFactor(Micro);
    addFactor(Steps);
    addDevices();
    addFactor(Effective);
    for (const Factor factor : {Micro, Steps, Effective}) // after the boxes: Tab goes through the numbers first
        addHead(factor);
    addChoice();
    arrange(false);

    connect(&form, &ConfigForm::reloaded, this, [this] { pull(true); });
    connect(&form, &ConfigForm::changed, this, [this] { pull(false); });
    pull(true);
}

void BatchTriple::addFactor(Factor factor) {
    const ConfigField& field = fieldOf(factor);
    const QString name = nameOf(factor);
    auto* box = new NumberBox(NumberBox::Kind::Integer, this);
    box->setObjectName(name);
    setRichToolTip(box, fieldToolTip(field));
    box->setRange(1.0, field.maximum);
    box->findChild<QLineEdit*>()->setPlaceholderText(QStringLiteral("–")); // of one that cannot be computed
    m_boxes[factor] = box;
    auto* problem = new RoleLabel(m_theme, TextRole::Bad, {}, this);
    problem->setObjectName(name + QStringLiteral(".problem"));
    keepWrapped(problem, m_theme);
    problem->hide();
    m_problems[factor] = problem;
    m_places[positionOf(factor)].box = box;
    m_places[positionOf(factor)].changed = new ChangedChip(m_theme, field, m_form, this);
    m_places[positionOf(factor)].problem = problem;
    connect(box, &NumberBox::numberEdited, this, [this, factor] { typed(factor); });
}

void BatchTriple::addDevices() {
    const ConfigField& field = devicesField();
    m_devices->setObjectName(QStringLiteral("setup.batch.devices"));
    m_devices->setAccessibleName(fieldTitle(field));
    setRichToolTip(m_devices, fieldToolTip(field));
    m_devices->setRange(field.minimum.value_or(1.0), field.maximum);
    m_devices->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // two digits mostly: it gives way first
    auto* label = new QLabel(fieldTitle(field), this);
    label->setBuddy(m_devices);
    m_devicesProblem->setObjectName(QStringLiteral("setup.batch.devices.problem"));
    keepWrapped(m_devicesProblem, m_theme);
    m_devicesProblem->hide();
    m_places[devicesPosition] = {label, m_devices, new ChangedChip(m_theme, field, m_form, this), m_devicesProblem};
    connect(m_devices, &NumberBox::numberEdited, this, [this, &field] {
        const std::int64_t value = m_devices->integer().value_or(0);
        const bool good = checkFieldValue(field, value).has_value();
        if (good)
            store();
        m_form.refuse(field.key, good ? QString() : tr("A whole number from 1"));
    });
}

void BatchTriple::addHead(Factor factor) {
    const QString title = fieldTitle(fieldOf(factor));
    auto* label = new QLabel(title, this);
    label->setBuddy(m_boxes[factor]);
    auto* computed = new RoleLabel(m_theme, TextRole::Caption, tr("computed"), this);
    computed->setObjectName(nameOf(factor) + QStringLiteral(".computed"));
    computed->setWordWrap(false);
    m_computed[factor] = computed;
    auto* place = new QWidget(this);
    auto* head = new QHBoxLayout(place);
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(space::xs);
    head->addWidget(label);
    head->addStretch();
    head->addWidget(computed);
    m_places[positionOf(factor)].head = place;
}

void BatchTriple::addChoice() {
    m_choiceRow = new QWidget(this);
    m_choice = new QComboBox(m_choiceRow);
    m_choice->setObjectName(QStringLiteral("setup.batch.computed"));
    m_choice->setAccessibleName(tr("Computed number of the batch"));
    m_choice->setToolTip(tr("Which of the three follows from the other two while you type"));
    for (const Factor factor : {Micro, Steps, Effective})
        m_choice->addItem(fieldTitle(fieldOf(factor)), factor);
    m_wheel.guard(m_choice);
    auto* caption = new RoleLabel(m_theme, TextRole::Caption, tr("Computed"), m_choiceRow);
    caption->setWordWrap(false);
    caption->setBuddy(m_choice);
    auto* row = new QHBoxLayout(m_choiceRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    row->addWidget(caption);
    row->addWidget(m_choice);
    row->addStretch();
    connect(m_choice, &QComboBox::activated, this,
            [this] { setDerived(static_cast<Factor>(m_choice->currentData().toInt())); });
}

int BatchTriple::Place::width() const {
    return std::max(head->minimumSizeHint().width(), box->minimumSizeHint().width());
}

/// In one line or, where that has no room, m × K above × D = B. Each line is four rows of the grid.
void BatchTriple::arrange(bool inTwoLines) {
    m_inTwoLines = inTwoLines;
    m_grid->setHorizontalSpacing(inTwoLines ? tightGap : wideGap);
    while (QLayoutItem* item = m_grid->takeAt(0))
        delete item; // the widgets stay
    for (int column = 0; column < 8; ++column)
        m_grid->setColumnStretch(column, 0);
    for (int at = 0; at < 4; ++at) {
        const Place& place = m_places[static_cast<std::size_t>(at)];
        const int row = inTwoLines && at >= 2 ? 4 : 0;
        const int column = inTwoLines ? 1 + 2 * (at % 2) : 2 * at;
        m_grid->addWidget(place.head, row, column);
        m_grid->addWidget(place.box, row + 1, column);
        m_grid->addWidget(place.changed, row + 2, column);
        m_grid->addWidget(place.problem, row + 3, column);
        m_grid->setColumnStretch(column, 1);
    }
    for (int at = 0; at < 3; ++at) {
        const int row = inTwoLines && at >= 1 ? 5 : 1;
        const int column = !inTwoLines ? 2 * at + 1 : at == 1 ? 0 : 2;
        m_grid->addWidget(m_signs[static_cast<std::size_t>(at)], row, column);
    }
    m_grid->addWidget(m_choiceRow, 8, 0, 1, inTwoLines ? 4 : 7); // not over empty columns, whose gaps would count
    updateGeometry();
}

int BatchTriple::widthInOneLine() const {
    int width = 6 * wideGap;
    for (const Place& place : m_places)
        width += place.width();
    for (const RoleLabel* sign : m_signs)
        width += sign->sizeHint().width();
    return width;
}

QSize BatchTriple::minimumSizeHint() const {
    const int width = std::max(m_places[0].width(), m_places[2].width()) +
                      std::max(m_places[1].width(), m_places[3].width()) + 3 * tightGap +
                      m_signs[0]->sizeHint().width() + m_signs[1]->sizeHint().width();
    return {width, QWidget::minimumSizeHint().height()};
}

void BatchTriple::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void BatchTriple::fit() {
    if (const bool inTwoLines = width() < widthInOneLine(); inTwoLines != m_inTwoLines)
        arrange(inTwoLines);
}

void BatchTriple::setDerived(Factor factor) {
    if (factor != m_derived) {
        // A derived number that was no whole one ("7.81") becomes the next whole one before it is typed on.
        NumberBox& former = *m_boxes[m_derived];
        if (!former.integer()) {
            const double real = former.real().value_or(derivedNumber());
            former.setInteger(std::isfinite(real) && real > 1.0 ? static_cast<std::int64_t>(std::ceil(real)) : 1);
        }
        m_form.closeEdit();
        m_derived = factor;
        store();
        m_form.refuse(keyOf(factor), {});
    }
    markDerived();
    showDerived();
}

std::int64_t BatchTriple::number(Factor factor) const { return m_boxes[factor]->integer().value_or(0); }

/// The typed number, or the last good one while the text is refused.
std::int64_t BatchTriple::goodNumber(Factor factor) const {
    const std::int64_t typedNumber = number(factor);
    if (typedNumber >= 1 && checkFieldValue(fieldOf(factor), typedNumber))
        return typedNumber;
    const FieldValue stored = fieldOf(factor).get(m_form.config());
    return std::max<std::int64_t>(1, std::get<std::int64_t>(stored));
}

void BatchTriple::typed(Factor factor) {
    const ConfigField& field = fieldOf(factor);
    const std::int64_t value = number(factor);
    if (value < 1 || !checkFieldValue(field, value)) {
        m_form.refuse(field.key, tr("A whole number from 1"));
        return;
    }
    store(); // before the refusal is withdrawn: what was typed must not be overwritten in between
    m_form.refuse(field.key, {});
}

void BatchTriple::store() {
    m_form.editTogether("batch", [this](ExperimentConfig& experiment) {
        BatchConfig& batch = experiment.run.batch;
        const std::array<std::int64_t, 3> numbers = {goodNumber(Micro), goodNumber(Steps), goodNumber(Effective)};
        batch.micro = numbers[Micro];
        batch.steps = numbers[Steps];
        batch.effective = numbers[Effective];
        if (const auto devices = m_devices->integer(); devices && checkFieldValue(devicesField(), *devices))
            batch.devices = *devices;
        const std::int64_t perMicroSample = batch.steps * batch.devices;
        switch (m_derived) {
        case Micro:
            batch.micro = (batch.effective + perMicroSample - 1) / perMicroSample;
            // All three are stored where they agree; else the check names the multiples of m near B.
            if (batch.micro * perMicroSample != batch.effective)
                batch.steps = 0;
            break;
        case Steps:
            batch.steps = 0;
            break;
        case Effective:
            batch.effective = 0;
            break;
        }
    });
    showDerived();
}

void BatchTriple::pull(bool reload) {
    const BatchConfig& batch = m_form.config().run.batch;
    // Undo, presets and fixes may bring a triple of another kind than the one being edited.
    if (batch.effective == 0)
        m_derived = Effective;
    else if (m_derived == Effective)
        m_derived = Steps;
    const auto problem = [this](const std::string& key) {
        const auto& problems = m_form.problems();
        const auto found = problems.find(key);
        return found == problems.end() ? QString() : found->second;
    };
    const auto show = [&](Factor factor, std::int64_t value) {
        if (value > 0 && factor != m_derived && (reload || problem(keyOf(factor)).isEmpty()))
            m_boxes[factor]->setInteger(value);
    };
    show(Micro, batch.micro);
    show(Effective, batch.effective);
    show(Steps, batch.steps);
    if (reload && m_derived == Micro && batch.steps == 0) {
        const std::int64_t perStep = std::max<std::int64_t>(1, batch.micro * batch.devices);
        m_boxes[Steps]->setInteger((batch.effective + perStep - 1) / perStep);
    }
    for (const Factor factor : {Micro, Steps, Effective}) {
        m_problems[factor]->setText(problem(keyOf(factor)));
        m_problems[factor]->setVisible(!problem(keyOf(factor)).isEmpty());
    }
    const QString devicesProblem = problem(devicesField().key);
    if (reload || devicesProblem.isEmpty())
        m_devices->setInteger(batch.devices);
    m_devicesProblem->setText(devicesProblem);
    m_devicesProblem->setVisible(!devicesProblem.isEmpty());
    markDerived();
    showDerived();
}

double BatchTriple::derivedNumber() const {
    const BatchConfig& batch = m_form.config().run.batch;
    const auto devices = static_cast<double>(batch.devices);
    switch (m_derived) {
    case Micro:
        return static_cast<double>(number(Effective)) / (static_cast<double>(number(Steps)) * devices);
    case Steps: {
        const double steps = static_cast<double>(batch.effective) / (static_cast<double>(batch.micro) * devices);
        // With ragged micro-batches the last, shorter one counts as a whole micro-step.
        return batch.ragged == RaggedPolicy::Weight ? std::ceil(steps) : steps;
    }
    case Effective:
        break;
    }
    return static_cast<double>(batch.micro) * static_cast<double>(batch.steps) * devices;
}

void BatchTriple::showDerived() {
    NumberBox& box = *m_boxes[m_derived];
    const double value = derivedNumber();
    const bool refused =
        std::ranges::any_of(keys(), [this](const std::string& key) { return m_form.problems().contains(key); });
    if (refused || !std::isfinite(value) || value <= 0.0) // nothing follows from a text that is no number
        box.clear();
    else if (value == std::floor(value))
        box.setInteger(static_cast<std::int64_t>(value));
    else
        box.setReal(std::round(value * 100.0) / 100.0);
}

void BatchTriple::markDerived() {
    for (const Factor factor : {Micro, Steps, Effective}) {
        const bool derived = factor == m_derived;
        const QString title = fieldTitle(fieldOf(factor));
        NumberBox& box = *m_boxes[factor];
        m_computed[factor]->setVisible(derived);
        box.setReadOnly(derived);
        box.setFocusPolicy(derived ? Qt::ClickFocus : Qt::StrongFocus); // Tab goes to what can be typed
        box.setUnit(factor == Steps ? QString() : fieldUnit(fieldOf(factor)));
        box.setAccessibleName(derived ? tr("%1, computed").arg(title) : title);
        box.setFrame(!derived); // a result, not a field
        box.setButtonSymbols(derived ? QAbstractSpinBox::NoButtons : QAbstractSpinBox::UpDownArrows);
    }
    m_choice->setCurrentIndex(m_choice->findData(m_derived));
    fit(); // the mark stands elsewhere
}

} // namespace accumulus::ui
