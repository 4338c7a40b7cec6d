// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/settings_card.h"

#include "widgets/models/comparison_text.h"
#include "widgets/models/setting_axis_text.h"
#include "widgets/plots/group_look.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"
#include "widgets/style/wheel_guard.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {

const QString kSeedKey = QStringLiteral("seed");

QString keyOf(const SettingAxis& axis) {
    return axis.subject == SettingAxis::Subject::Seed ? kSeedKey : format::fromUtf8(axis.key);
}

/// Runs that have no place on the axis.
int withoutValue(const SettingAxis& axis) {
    return static_cast<int>(std::ranges::count(axis.values, std::optional<double>()));
}

} // namespace

SettingsCard::SettingsCard(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Settings and metric"), parent), m_views(new QButtonGroup(this)), m_setting(new QComboBox),
      m_settingField(new QWidget(this)), m_plot(new SettingsPlot(theme, this)),
      m_note(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    setObjectName(QStringLiteral("compare.settingsCard"));
    m_plot->setObjectName(QStringLiteral("compare.settingsPlot"));
    m_note->setObjectName(QStringLiteral("compare.settingsNote"));
    build(theme);
    connect(m_views, &QButtonGroup::idClicked, this, &SettingsCard::refresh);
    connect(m_setting, &QComboBox::activated, this, [this] {
        m_chosen = m_setting->currentData().toString();
        refresh();
    });
    refresh();
}

void SettingsCard::build(const Theme& theme) {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(space::l, bar);
    auto* buttons = new QWidget(bar);
    auto* pair = new QHBoxLayout(buttons);
    pair->setContentsMargins(0, 0, 0, 0);
    pair->setSpacing(space::xs);
    const auto add = [&](SettingsView view, const char* name, const QString& text, const QString& tip) {
        auto* button = new QPushButton(text, buttons);
        button->setObjectName(QLatin1String(name));
        button->setToolTip(tip);
        button->setCheckable(true);
        m_views->addButton(button, static_cast<int>(view));
        pair->addWidget(button);
    };
    add(SettingsView::Scatter, "compare.settingsScatter", tr("Scatter plot"),
        tr("Each run as a point: the metric against one setting"));
    add(SettingsView::Parallel, "compare.settingsParallel", tr("Parallel coordinates"),
        tr("Each run as a line over all settings that differ, ending at the metric"));
    m_views->button(static_cast<int>(SettingsView::Scatter))->setChecked(true);

    auto* label = new RoleLabel(theme, TextRole::Body, tr("Setti&ng"), m_settingField);
    label->setWordWrap(false);
    label->setBuddy(m_setting);
    m_setting->setObjectName(QStringLiteral("compare.settingsAxis"));
    m_setting->setAccessibleName(tr("Setting"));
    m_setting->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_setting->setMinimumContentsLength(18);
    auto* field = new QHBoxLayout(m_settingField);
    field->setContentsMargins(0, 0, 0, 0);
    field->setSpacing(space::s);
    field->addWidget(label);
    field->addWidget(m_setting);
    row->addWidget(buttons);
    row->addWidget(m_settingField);
    content()->addWidget(bar);
    content()->addWidget(m_plot);
    content()->addWidget(m_note);
    auto* guard = new WheelGuard(this);
    guard->guard(m_setting);
}

void SettingsCard::setInput(const ComparisonInput& input) {
    m_figure.axes = settingAxes(input);
    m_figure.groups.clear();
    for (std::size_t group = 0; group < groupCount(input); ++group)
        m_figure.groups << comparison_text::groupTitle(groupAt(input, group));
    m_figure.looks = withoutMeasurements(input);
    fillChoices();
    refresh();
    showChosenRun();
}

SettingsCard::Look SettingsCard::look() const {
    return {view(), m_chosen, m_toBeChosen.isEmpty() ? m_plot->chosenRun() : m_toBeChosen};
}

void SettingsCard::setLook(const Look& look) {
    m_views->button(static_cast<int>(look.view))->setChecked(true);
    m_chosen = look.setting;
    m_toBeChosen = look.run;
    fillChoices();
    refresh();
    showChosenRun();
}

void SettingsCard::showChosenRun() {
    if (!m_toBeChosen.isEmpty() && !m_figure.empty())
        m_plot->chooseRun(std::exchange(m_toBeChosen, {}));
}

/// A study that trains is shown again every second: a list that stays as it is keeps its popup.
void SettingsCard::fillChoices() {
    std::vector<std::pair<QString, QString>> wanted;
    for (const SettingAxis& axis : m_figure.axes.axes)
        wanted.emplace_back(keyOf(axis), setting_axis_text::title(m_figure.axes, axis));
    const auto same = [&](int index) {
        const auto& [key, title] = wanted[static_cast<std::size_t>(index)];
        return m_setting->itemData(index).toString() == key && m_setting->itemText(index) == title;
    };
    bool asBefore = m_setting->count() == static_cast<int>(wanted.size());
    for (int index = 0; asBefore && index < m_setting->count(); ++index)
        asBefore = same(index);
    if (!asBefore) {
        m_setting->clear();
        for (const auto& [key, title] : wanted)
            m_setting->addItem(title, key);
    }
    m_setting->setCurrentIndex(wanted.empty() ? -1 : static_cast<int>(chosenAxis()));
}

SettingsView SettingsCard::view() const { return static_cast<SettingsView>(m_views->checkedId()); }

std::size_t SettingsCard::chosenAxis() const {
    const auto& axes = m_figure.axes.axes;
    const auto found = std::ranges::find(axes, m_chosen, keyOf);
    return found == axes.end() ? 0 : static_cast<std::size_t>(found - axes.begin());
}

void SettingsCard::refresh() {
    m_figure.view = view();
    m_figure.x = chosenAxis();
    const bool something = !m_figure.empty();
    m_plot->setFigure(m_figure);
    for (QAbstractButton* button : m_views->buttons())
        button->setEnabled(something);
    m_settingField->setEnabled(something);
    m_settingField->setVisible(m_figure.view == SettingsView::Scatter);
    m_note->setText(noteText());
    m_note->setVisible(!m_note->text().isEmpty());
}

QString SettingsCard::noteText() const {
    QStringList notes;
    if (m_figure.axes.unmeasured > 0)
        notes << tr("%n completed run(s) without a finite value of the metric are left out.", nullptr,
                    static_cast<int>(m_figure.axes.unmeasured));
    if (m_figure.empty())
        return notes.join(QLatin1Char(' '));
    if (m_figure.view == SettingsView::Scatter) {
        if (const int without = withoutValue(m_figure.xAxis()); without > 0)
            notes << tr("For %n run(s) this setting does not matter; they are left out.", nullptr, without);
    } else {
        notes << tr("Each line is a run. It is broken where a setting does not matter.");
        const std::size_t hidden = m_figure.axes.axes.size() - parallelAxes(m_figure.axes).size();
        if (hidden > 0)
            notes << tr("%n more setting(s) differ; the table has them.", nullptr, static_cast<int>(hidden));
    }
    notes << tr("Arrow keys go from run to run, T shows all of them as a table.");
    return notes.join(QLatin1Char(' '));
}

} // namespace accumulus::ui
