// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/queue_model.h"

#include "core/base/clock.h"
#include "core/config/batch_plan.h"
#include "widgets/models/field_words.h"
#include "widgets/models/queue_estimate.h"
#include "widgets/models/setup_time.h"
#include "widgets/style/format.h"

#include <QMimeData>
#include <algorithm>

namespace accumulus::ui {
namespace {

const QString rowType = QStringLiteral("application/x-accumulus-queued-study");
constexpr std::size_t listedSeeds = 5;

QString unknown() { return QStringLiteral("–"); }

QString seedsText(const std::vector<std::int64_t>& seeds) {
    QStringList shown;
    for (std::size_t at = 0; at < std::min(seeds.size(), listedSeeds); ++at)
        shown << QString::number(seeds[at]);
    if (seeds.size() > listedSeeds)
        shown.last() = QStringLiteral("… ") + QString::number(seeds.back());
    return shown.join(QStringLiteral(", "));
}

QString batchText(const ExperimentConfig& experiment) {
    const auto batch = resolveBatch(experiment.run.batch);
    if (!batch)
        return unknown();
    const QString split = format::batchSplit(*batch);
    return experiment.study.largeBatch ? QueueModel::tr("%1 and %2 × 1").arg(split).arg(batch->largestEffective())
                                       : split;
}

QString aboutText(double seconds) { return QueueModel::tr("about %1").arg(format::estimate(seconds)); }

} // namespace

QString titleOf(const QueuedStudy& study) {
    if (!study.resumes.empty())
        return QueueModel::tr("%n run(s) that go on", nullptr, static_cast<int>(study.resumes.size()));
    if (!study.follows.empty())
        return QueueModel::tr("a study that is trained elsewhere");
    if (!study.name.isEmpty())
        return format::fromUtf8(study.name.toStdString());
    const RunConfig& run = study.experiment.run;
    return QueueModel::tr("%1 on %2").arg(choiceTitle(run.model.name), choiceTitle(run.data.dataset));
}

QueueModel::QueueModel(RunController& runs, LibraryGateway& library, QObject* parent)
    : QAbstractTableModel(parent), m_runs(runs), m_library(library) {
    connect(&m_runs.queue(), &StudyQueue::changed, this, &QueueModel::update);
    connect(&m_runs, &RunController::stateChanged, this, &QueueModel::retranslate);
    connect(&m_runs, &RunController::studyFinished, this, [this] { askForTimes(true); }); // more is known of speeds
    connect(&m_library, &LibraryGateway::opened, this, [this] { askForTimes(true); });
    update();
}

void QueueModel::update() {
    const std::vector<QueuedStudy>& waiting = m_runs.queue().waiting();
    if (std::ranges::equal(waiting, m_rows, {}, &QueuedStudy::id, &QueuedStudy::id)) {
        m_rows = waiting;
        retranslate();
        return;
    }
    beginResetModel();
    m_rows = waiting;
    endResetModel();
    askForTimes(false);
}

void QueueModel::retranslate() {
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void QueueModel::askForTimes(bool anew) {
    const bool known =
        !anew && std::ranges::all_of(m_rows, [this](const QueuedStudy& row) { return m_seconds.contains(row.id); });
    if (known || m_rows.empty() || !m_library.isOpen())
        return;
    using Times = QHash<QString, double>;
    m_library.query<Times>(
        this, QStringLiteral("queue.times"),
        [rows = m_rows](RunReader& reader) {
            Times times;
            for (const QueuedStudy& row : rows) {
                const auto seconds = !row.follows.empty() || row.place ? std::nullopt
                                     : row.resumes.empty()             ? studySeconds(reader, row.experiment)
                                                                       : remainingSeconds(reader, row.resumes);
                times.insert(row.id, seconds.value_or(-1.0));
            }
            return times;
        },
        [this](const Times& times) {
            m_seconds.insert(times);
            retranslate();
        },
        [](const Error&) {}); // a time that is not known is no failure
}

QString QueueModel::idAt(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].id : QString();
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int QueueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString QueueModel::startText(const QueuedStudy& study, int row) const {
    if (study.failed)
        return tr("could not begin");
    const double now = unixTime();
    if (study.notBefore > now)
        return tr("not before %1").arg(format::dateTime(study.notBefore));
    if (m_runs.queue().isPaused())
        return tr("when the queue goes on");
    const auto next = std::ranges::find_if(m_rows, [now](const QueuedStudy& waiting) { return waiting.isDue(now); });
    return next - m_rows.begin() == row ? tr("next") : QString();
}

QString QueueModel::text(const QueuedStudy& study, int row, int column) const {
    const bool isStudy = study.resumes.empty() && study.follows.empty();
    const auto arms = study.experiment.study.largeBatch ? 2 : 1;
    switch (column) {
    case Study:
        return titleOf(study);
    case Batch:
        return isStudy ? batchText(study.experiment) : unknown();
    case Seeds:
        return isStudy ? seedsText(study.experiment.study.seeds) : unknown();
    case Runs:
        return isStudy                 ? format::count(arms * std::ssize(study.experiment.study.seeds))
               : study.follows.empty() ? format::count(std::ssize(study.resumes))
                                       : unknown();
    case Time:
        return m_seconds.value(study.id, -1.0) > 0.0 ? aboutText(m_seconds.value(study.id)) : unknown();
    case Starts:
        return startText(study, row);
    default:
        return {};
    }
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const QueuedStudy& study = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return text(study, index.row(), index.column());
    if (role == IdRole)
        return study.id;
    if (role == Qt::ToolTipRole && index.column() == Time && m_seconds.value(study.id, -1.0) <= 0.0)
        return SetupTime::unknownText();
    if (role == Qt::ToolTipRole && index.column() == Starts && study.failed)
        return format::error(*study.failed);
    if (role == Qt::ToolTipRole && index.column() == Study)
        return tr("Added %1").arg(format::dateTime(study.addedAt));
    return {};
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return orientation == Qt::Vertical && role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    switch (section) {
    case Study:
        return tr("Study");
    case Batch:
        return tr("m × K");
    case Seeds:
        return tr("Seeds");
    case Runs:
        return tr("Runs");
    case Time:
        return tr("Training time");
    case Starts:
        return tr("Starts");
    default:
        return {};
    }
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) // between the rows
        return m_library.readOnly() ? Qt::NoItemFlags : Qt::ItemIsDropEnabled;
    const Qt::ItemFlags shown = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return m_library.readOnly() ? shown : shown | Qt::ItemIsDragEnabled;
}

Qt::DropActions QueueModel::supportedDropActions() const { return Qt::MoveAction; }

QStringList QueueModel::mimeTypes() const { return {rowType}; }

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(rowType, idAt(indexes.front().row()).toUtf8());
    return data;
}

/// False in any case: the view would remove the row that it thinks was copied.
bool QueueModel::dropMimeData(const QMimeData* data, Qt::DropAction, int row, int, const QModelIndex& parent) {
    if (!data || !data->hasFormat(rowType))
        return false;
    const QString id = QString::fromUtf8(data->data(rowType));
    const int from = m_runs.queue().indexOf(id);
    int to = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    if (row >= 0 && from < row) // the place in front of which it was dropped moves up with it
        --to;
    if (from >= 0 && !m_library.readOnly())
        Q_EMIT moveRequested(id, std::clamp(to, 0, rowCount() - 1));
    return false;
}

} // namespace accumulus::ui
