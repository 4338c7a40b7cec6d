// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/preset_dialog.h"

#include "widgets/style/format.h"
#include "widgets/style/row_copy.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

namespace accumulus::ui {

namespace {

constexpr int dialogWidth = 720;
constexpr int dialogHeight = 460;
constexpr int rowHeight = 30;

QPushButton* named(QPushButton* button, const char* name, const QString& tip) {
    button->setObjectName(QStringLiteral("presets.") + QLatin1String(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

} // namespace

PresetDialog::PresetDialog(const Theme& theme, PresetList& presets, Form form, const QString& name, QWidget* parent)
    : QDialog(parent), m_presets(presets), m_form(std::move(form)), m_table(new QTableView(this)),
      m_empty(new RoleLabel(theme, TextRole::Caption,
                            tr("No preset is saved yet. Give the form a name and save it; it is listed here."), this)),
      m_reason(new RoleLabel(theme, TextRole::Bad, {}, this)), m_notice(new NoticeBar(theme, this)),
      m_name(new QLineEdit(name, this)), m_save(named(new QPushButton(tr("Save"), this), "save", {})),
      m_load(named(primaryButton(theme, tr("Load"), this), "load", tr("Fill the form from the preset (Enter)"))),
      m_rename(named(new QPushButton(tr("Rename"), this), "rename", tr("Change the name of the preset (F2)"))),
      m_remove(named(new QPushButton(tr("Delete"), this), "delete", tr("Delete the preset (Del)"))) {
    setObjectName(QStringLiteral("presetDialog"));
    setWindowTitle(tr("Presets"));
    resize(dialogWidth, dialogHeight);
    m_notice->setObjectName(QStringLiteral("presets.notice"));
    m_empty->setObjectName(QStringLiteral("presets.empty"));
    m_reason->setObjectName(QStringLiteral("presets.reason"));
    m_reason->setWordWrap(true);
    connect(&theme, &Theme::changed, m_reason, [label = m_reason] { label->setWordWrap(true); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::l, space::l, space::l, space::l);
    column->setSpacing(space::m);
    column->addWidget(makeSaveRow());
    column->addWidget(m_notice);
    column->addWidget(m_empty, 1, Qt::AlignTop); // in the place of the table
    column->addWidget(m_table, 1);
    column->addWidget(m_reason);
    column->addWidget(makeTableRow());
    auto* where = new RoleLabel(
        theme, TextRole::Caption,
        tr("Presets are experiment files in %1.").arg(format::fromUtf8(m_presets.folder().string())), this);
    where->setWordWrap(true);
    column->addWidget(where);
    connectTable();
    connectList();
    updateState();
    offerUndo();
    m_presets.refresh();
    m_name->selectAll();
}

QWidget* PresetDialog::makeSaveRow() {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(space::s);
    auto* label = new QLabel(tr("Save the form as"), row);
    label->setBuddy(m_name);
    m_name->setObjectName(QStringLiteral("presets.name"));
    m_name->setAccessibleName(tr("Name of the preset"));
    m_name->setPlaceholderText(tr("LeNet-5, 32 × 8"));
    line->addWidget(label);
    line->addWidget(m_name, 1);
    line->addWidget(m_save);
    connect(m_name, &QLineEdit::textChanged, this, &PresetDialog::updateState);
    connect(m_name, &QLineEdit::returnPressed, this, [this] { save(false); });
    connect(m_save, &QPushButton::clicked, this, [this] { save(false); });
    return row;
}

QWidget* PresetDialog::makeTableRow() {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(space::s);
    for (QPushButton* button : {m_load, m_rename, m_remove})
        line->addWidget(button);
    line->addStretch(1);
    QPushButton* close = named(new QPushButton(tr("Close"), row), "close", {});
    line->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_load, &QPushButton::clicked, this, &PresetDialog::load);
    connect(m_rename, &QPushButton::clicked, this, &PresetDialog::editName);
    connect(m_remove, &QPushButton::clicked, this, &PresetDialog::removeCurrent);
    return row;
}

void PresetDialog::connectTable() {
    m_table->setObjectName(QStringLiteral("presets.table"));
    m_table->setAccessibleName(tr("Presets"));
    m_table->setModel(&m_presets);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(PresetList::Name, QHeaderView::Stretch);
    addCopy(*m_table);
    for (QPushButton* button : {m_load, m_rename, m_remove})
        addToMenu(*m_table, *button);
    connect(m_table, &QTableView::doubleClicked, this, &PresetDialog::load);
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(key, m_table, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
                &PresetDialog::load);
    connect(new QShortcut(Qt::Key_Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
            &PresetDialog::removeCurrent);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (const Preset* preset = current())
            m_selected = QString::fromStdString(preset->name);
        updateState();
    });
    connect(m_notice, &NoticeBar::actionTriggered, this, &PresetDialog::act);
}

void PresetDialog::connectList() {
    connect(&m_presets, &PresetList::listed, this, [this] {
        select(m_selected);
        updateState();
    });
    connect(&m_presets, &PresetList::failed, this, &PresetDialog::showFailure);
    connect(&m_presets, &PresetList::saved, this, [this](const QString& name) {
        m_awaits = false;
        m_offer = Offer::Nothing;
        m_notice->showNotice(NoticeLevel::Success, tr("Saved as %1.").arg(name));
        select(name);
        Q_EMIT saved(name);
    });
    connect(&m_presets, &PresetList::renamed, this, [this](const QString& name) {
        offerUndo();
        select(name);
    });
    connect(&m_presets, &PresetList::removed, this, &PresetDialog::offerUndo);
    connect(&m_presets, &PresetList::broughtBack, this, [this](const QString& name) {
        offerUndo();
        m_selected = name;
    });
}

void PresetDialog::offerUndo() {
    const QString name = m_presets.lastRemoved();
    m_offer = name.isEmpty() ? Offer::Nothing : Offer::Undo;
    if (name.isEmpty())
        m_notice->clear();
    else
        m_notice->showNotice(NoticeLevel::Info, tr("The preset “%1” was deleted.").arg(name), tr("Undo"));
}

const Preset* PresetDialog::current() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : m_presets.at(rows.first());
}

void PresetDialog::select(const QString& name) {
    const int row = m_presets.rowOf(name);
    if (row >= 0 && m_presets.at(m_presets.index(row, 0)) != current())
        m_table->selectRow(row);
}

void PresetDialog::setRefused(const QString& why) {
    m_refused = why;
    updateState();
}

void PresetDialog::save(bool overwrite) {
    const QString name = overwrite ? m_saving : m_name->text().trimmed();
    if (name.isEmpty() || !m_refused.isEmpty())
        return;
    m_saving = name;
    m_awaits = true;
    m_offer = Offer::Nothing;
    m_notice->clear();
    m_presets.save(name, m_form(), overwrite);
}

void PresetDialog::load() {
    const Preset* preset = current();
    if (preset == nullptr || !preset->experiment)
        return;
    Q_EMIT loadRequested(*preset->experiment, QString::fromStdString(preset->name));
    accept();
}

void PresetDialog::editName() {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows(PresetList::Name);
    if (rows.isEmpty())
        return;
    m_table->setCurrentIndex(rows.first());
    m_table->setFocus(Qt::OtherFocusReason);
    m_table->edit(rows.first());
}

void PresetDialog::removeCurrent() {
    const Preset* preset = current();
    if (preset == nullptr)
        return;
    m_presets.remove(*preset);
}

void PresetDialog::showFailure(const Error& error) {
    const bool taken = error.code == "preset.exists" && m_awaits;
    m_awaits = false;
    const bool canUndo = !m_presets.lastRemoved().isEmpty();
    m_offer = taken ? Offer::Overwrite : canUndo ? Offer::Undo : Offer::Nothing;
    m_notice->showNotice(taken ? NoticeLevel::Warning : NoticeLevel::Error, format::error(error),
                         taken     ? tr("Overwrite")
                         : canUndo ? tr("Undo")
                                   : QString());
}

void PresetDialog::act() {
    const Offer offer = m_offer;
    m_offer = Offer::Nothing;
    m_notice->clear();
    if (offer == Offer::Overwrite)
        save(true);
    else if (offer == Offer::Undo)
        m_presets.putBack();
}

void PresetDialog::updateState() {
    const Preset* preset = current();
    const bool usable = preset != nullptr && preset->experiment.has_value();
    m_save->setEnabled(m_refused.isEmpty() && !m_name->text().trimmed().isEmpty());
    m_save->setToolTip(m_refused.isEmpty() ? tr("Save the form under this name") : m_refused);
    m_save->setAccessibleDescription(m_refused);
    m_load->setEnabled(usable);
    m_rename->setEnabled(preset != nullptr);
    m_remove->setEnabled(preset != nullptr);
    m_reason->setText(preset != nullptr && !usable ? format::error(preset->experiment.error()) : QString());
    m_reason->setVisible(!m_reason->text().isEmpty());
    m_empty->setVisible(m_presets.rowCount() == 0);
    m_table->setVisible(m_presets.rowCount() > 0);
}

} // namespace accumulus::ui
