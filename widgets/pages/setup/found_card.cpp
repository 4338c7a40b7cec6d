// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/found_card.h"

#include "widgets/pages/setup/sample_strip.h"
#include "widgets/style/format.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableWidget>

namespace accumulus::ui {

FoundCard::FoundCard(const Theme& theme, QWidget* parent)
    : Card(theme, tr("What was found"), parent), m_theme(theme), m_lines(new QGridLayout),
      m_data(addLine(tr("Data"), "data")), m_network(addLine(tr("Network"), "network")),
      m_parameters(addLine(tr("Parameters"), "parameters")), m_note(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_strip(new SampleStrip(theme, this)), m_rows(new QTableWidget(this)) {
    setObjectName(QStringLiteral("setup.found"));
    m_lines->setHorizontalSpacing(space::m);
    m_lines->setVerticalSpacing(space::xs);
    m_lines->setColumnStretch(1, 1);
    m_note->setObjectName(QStringLiteral("setup.found.note"));
    m_strip->setObjectName(QStringLiteral("setup.found.samples"));
    m_rows->setObjectName(QStringLiteral("setup.found.rows"));
    m_rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_rows->setSelectionMode(QAbstractItemView::NoSelection);
    m_rows->setTabKeyNavigation(false);
    m_rows->setFrameShape(QFrame::NoFrame);
    m_rows->setShowGrid(false);
    m_rows->setAlternatingRowColors(true);
    m_rows->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_rows->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_rows->verticalHeader()->hide();
    m_rows->horizontalHeader()->setHighlightSections(false);
    m_rows->horizontalHeader()->setStretchLastSection(true);
    m_rows->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    content()->addLayout(m_lines);
    content()->addWidget(m_note);
    content()->addWidget(m_strip);
    content()->addWidget(m_rows);
}

RoleLabel* FoundCard::addLine(const QString& caption, const char* name) {
    const int row = m_lines->rowCount();
    auto* title = new RoleLabel(m_theme, TextRole::Caption, caption, this);
    title->setWordWrap(false);
    auto* value = new RoleLabel(m_theme, TextRole::Body, {}, this);
    value->setObjectName(QStringLiteral("setup.found.") + QLatin1String(name));
    value->setAccessibleName(caption);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines->addWidget(title, row, 0, Qt::AlignTop);
    m_lines->addWidget(value, row, 1);
    return value;
}

void FoundCard::showFacts(const SetupFacts& facts, const DataConfig& config) {
    const QString looking = tr("looking…");
    const Result<DataSummary>* found = facts.data();
    if (!found)
        m_data->setText(looking);
    else if (!*found)
        m_data->setText(format::message(found->error()));
    else
        m_data->setText(tr("%1 · %2 training, %3 test")
                            .arg(format::facts((*found)->facts), format::count((*found)->trainSamples),
                                 format::count((*found)->testSamples)));
    const Result<ModelFacts>* model = facts.model();
    const bool known = model && *model;
    if (found && !*found) // what the data lack is said once
        m_network->setText(QStringLiteral("–"));
    else
        m_network->setText(!model ? looking : known ? format::facts((*model)->facts) : format::error(model->error()));
    m_parameters->setText(
        !known ? QStringLiteral("–")
               : tr("%1, %2 of them frozen").arg(format::count((*model)->parameters), format::count((*model)->frozen)));
    if (known && (*model)->frozen == 0)
        m_parameters->setText(tr("%1, all of them trained").arg(format::count((*model)->parameters)));
    showPreview(facts, config);
}

void FoundCard::showPreview(const SetupFacts& facts, const DataConfig& config) {
    const Result<SamplePreview>* preview = facts.preview();
    const bool known = preview && *preview;
    const bool rows = known && !(*preview)->columns.empty();
    m_strip->setVisible(known && !rows && !(*preview)->samples.empty());
    m_rows->setVisible(rows);
    if (!known) // what the data lack stands in the first line
        m_note->setText(!preview ? tr("Reading the first samples…") : QString());
    else
        m_note->setText((*preview)->samples.empty() ? tr("There is no sample to show.") : tr("The first samples"));
    m_note->setVisible(!m_note->text().isEmpty());
    if (rows)
        showRows(**preview, config);
    else if (known)
        m_strip->setSamples(**preview);
}

void FoundCard::showRows(const SamplePreview& preview, const DataConfig& config) {
    constexpr int widestColumn = 220;
    if (m_shownRows == preview)
        return;
    m_shownRows = preview;
    m_rows->clear();
    m_rows->setColumnCount(static_cast<int>(preview.columns.size()));
    m_rows->setRowCount(static_cast<int>(preview.samples.size()));
    QStringList titles;
    for (const std::string& column : preview.columns) {
        const QString name = format::fromUtf8(column);
        titles << (column == config.target ? tr("%1 (target)").arg(name) : name);
    }
    m_rows->setHorizontalHeaderLabels(titles);
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const auto& cells = preview.samples[static_cast<std::size_t>(row)].cells;
        for (int column = 0; column < static_cast<int>(cells.size()); ++column)
            m_rows->setItem(row, column,
                            new QTableWidgetItem(format::fromUtf8(cells[static_cast<std::size_t>(column)])));
    }
    m_rows->resizeColumnsToContents();
    for (int column = 0; column < m_rows->columnCount(); ++column)
        m_rows->setColumnWidth(column, std::min(widestColumn, m_rows->columnWidth(column)));
    m_rows->setAccessibleName(tr("The first %n sample(s)", nullptr, m_rows->rowCount()));
    int height = m_rows->horizontalHeader()->sizeHint().height() + m_rows->horizontalScrollBar()->sizeHint().height();
    for (int row = 0; row < m_rows->rowCount(); ++row)
        height += m_rows->rowHeight(row);
    m_rows->setFixedHeight(height + 2 * m_rows->frameWidth());
}

} // namespace accumulus::ui
