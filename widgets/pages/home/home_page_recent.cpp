// SPDX-License-Identifier: GPL-3.0-or-later
// The latest studies on Home: read when the page is shown, and again while it is seen and the library changes.
#include "widgets/models/comparison_text.h"
#include "widgets/models/pair_brief.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/row_copy.h"

#include <QAction>
#include <QHeaderView>
#include <QTableWidget>
#include <algorithm>
#include <map>

namespace accumulus::ui {
namespace {

constexpr int recentStudies = 6;
constexpr int refreshPause = 2000; // ms: while a run trains the library changes all the time

enum RecentColumn { Study, Completed, Best, Seeds, Word, Date, RecentColumns };

struct RecentStudy {
    StudyRecord study;
    int runs = 0;
    int completed = 0;
    CompareMetric metric = CompareMetric::TestAccuracy; ///< what its loss is judged by
    std::optional<double> best{};
    PairBrief brief{}; ///< of its two arms
};

std::vector<const RunRecord*> runsOf(const std::string& study, const std::vector<RunRecord>& runs) {
    std::vector<const RunRecord*> found;
    for (const RunRecord& run : runs)
        if (run.study == study)
            found.push_back(&run);
    return found;
}

std::vector<RecentStudy> recentOf(RunReader& reader) {
    std::vector<RecentStudy> recent;
    const auto studies = reader.studies();
    const auto runs = reader.runs();
    if (!studies || !runs)
        return recent;
    for (const StudyRecord& study : *studies) {
        RecentStudy entry{.study = study};
        for (const RunRecord& run : *runs) {
            if (run.study != study.id)
                continue;
            ++entry.runs;
            if (study.createdAt <= 0.0) // only runs of it were imported
                entry.study.createdAt = std::max(entry.study.createdAt, run.createdAt);
            entry.completed += run.state == RunState::Completed ? 1 : 0;
            entry.metric = mainMetric(run.config);
            const auto value = metricOf(run.summary, entry.metric);
            if (value && (!entry.best || isBetter(entry.metric, *value, *entry.best)))
                entry.best = value;
        }
        if (entry.runs > 0)
            recent.push_back(std::move(entry));
    }
    std::ranges::sort(recent, std::greater(), [](const RecentStudy& entry) { return entry.study.createdAt; });
    if (recent.size() > recentStudies)
        recent.resize(recentStudies);
    std::map<std::string, StudyRecord> known;
    for (const StudyRecord& study : *studies)
        known.emplace(study.id, study);
    for (RecentStudy& entry : recent)
        entry.brief = briefOfStudy(runsOf(entry.study.id, *runs), known);
    return recent;
}

/// What is selected, and what a screen reader is at, stays.
void setCell(QTableWidget& table, int row, int column, const QString& text) {
    if (QTableWidgetItem* there = table.item(row, column))
        there->setText(text);
    else
        table.setItem(row, column, new QTableWidgetItem(text));
}

} // namespace

void HomePage::followLibrary() {
    connect(&m_services.library, &LibraryGateway::opened, this, [this] {
        showLibrary();
        readRecent();
    });
    connect(&m_services.library, &LibraryGateway::awaiting, this, &HomePage::showLibrary);
    connect(&m_services.library, &LibraryGateway::openFailed, this, &HomePage::showLibrary);
    connect(&m_services.runs, &RunController::studyFinished, this, &HomePage::readRecent);
    m_refreshSoon.setSingleShot(true);
    m_refreshSoon.setInterval(refreshPause);
    connect(&m_refreshSoon, &QTimer::timeout, this, &HomePage::readRecent);
    connect(&m_services.library, &LibraryGateway::changed, this, [this] {
        if (isVisible() && !m_refreshSoon.isActive()) // else activated() reads it
            m_refreshSoon.start();
    });
}

Card* HomePage::recentCard() {
    auto* card = new Card(m_services.theme, tr("Latest studies"));
    m_recent = new QTableWidget(0, RecentColumns);
    m_recent->setObjectName(QStringLiteral("homeRecent"));
    m_recent->setAccessibleName(tr("Latest studies"));
    m_recent->setHorizontalHeaderLabels(
        {tr("Study"), tr("Completed"), tr("Best result"), tr("Seeds"), tr("Verdict"), tr("Date")});
    m_recent->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_recent->setSelectionMode(QAbstractItemView::SingleSelection);
    m_recent->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_recent->setShowGrid(false);
    m_recent->setFrameShape(QFrame::NoFrame);
    m_recent->setTabKeyNavigation(false);
    m_recent->verticalHeader()->hide();
    m_recent->horizontalHeader()->setHighlightSections(false);
    m_recent->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_recent->horizontalHeader()->setSectionResizeMode(Study, QHeaderView::Stretch);
    m_recent->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_recent->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_recent, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* item) {
        Q_EMIT studyRequested(m_recent->item(item->row(), Study)->data(Qt::UserRole).toString());
    });
    auto* curves = new QAction(tr("Show curves"), m_recent);
    connect(curves, &QAction::triggered, this, [this] {
        if (const QTableWidgetItem* item = m_recent->currentItem())
            Q_EMIT m_recent->itemActivated(m_recent->item(item->row(), Study));
    });
    m_recent->addAction(curves);
    addCopy(*m_recent);
    connect(&m_services.theme, &Theme::changed, this, &HomePage::showVerdicts);
    card->content()->addWidget(m_recent);
    card->hide();
    return card;
}

void HomePage::readRecent() {
    if (!m_services.library.isOpen())
        return;
    m_services.library.query<std::vector<RecentStudy>>(
        this, QStringLiteral("recent"), recentOf, [this](const std::vector<RecentStudy>& recent) {
            m_verdicts.clear();
            m_recent->setRowCount(static_cast<int>(recent.size()));
            int row = 0;
            for (const RecentStudy& entry : recent) {
                const QString name = format::fromUtf8(entry.study.name);
                const PairBrief& brief = entry.brief;
                const QStringList texts{name.isEmpty() ? tr("Unnamed study") : name,
                                        tr("%1 of %2", "runs").arg(entry.completed).arg(entry.runs),
                                        comparison_text::result(entry.metric, entry.best),
                                        format::count(brief.seeds),
                                        brief.verdict ? comparison_text::verdictTitle(*brief.verdict) : QString(),
                                        format::dateTime(entry.study.createdAt)};
                for (int column = 0; column < RecentColumns; ++column)
                    setCell(*m_recent, row, column, texts[column]);
                m_recent->item(row, Study)->setData(Qt::UserRole, QString::fromStdString(entry.study.id));
                m_recent->item(row, Study)->setToolTip(tr("Press Enter or double-click to show its curves"));
                m_verdicts.push_back(brief.verdict);
                ++row;
            }
            showVerdicts();
            int height = m_recent->horizontalHeader()->sizeHint().height() + 2 * m_recent->frameWidth();
            for (int i = 0; i < row; ++i)
                height += m_recent->rowHeight(i);
            m_recent->setFixedHeight(height);
            m_recentCard->setVisible(row > 0);
        });
}

void HomePage::showVerdicts() {
    for (int row = 0; row < m_recent->rowCount(); ++row) {
        const auto verdict = m_verdicts[static_cast<std::size_t>(row)];
        m_recent->item(row, Word)->setIcon(verdict ? verdictIcon(m_services.theme.colors(), *verdict) : QIcon());
    }
}

} // namespace accumulus::ui
