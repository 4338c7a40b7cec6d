// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/queue/queue_panel.h"

#include "core/base/clock.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"
#include "widgets/style/row_copy.h"
#include "widgets/style/wheel_guard.h"

#include <QAction>
#include <QCheckBox>
#include <QDateTimeEdit>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPointer>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableView>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace accumulus::ui {
namespace {

constexpr int noticeTime = 10'000;   ///< ms
constexpr qint64 defaultWait = 3600; ///< s from now

/// In whole minutes.
double usualTime() { return static_cast<double>((QDateTime::currentSecsSinceEpoch() + defaultWait) / 60 * 60); }

/// The queue goes on by itself, so a step names what it changes and where it was, and changes nothing where that has
/// left the queue.
class QueueEdit : public QUndoCommand {
public:
    using Step = std::function<void(StudyQueue&)>;
    /// `typed`: what is typed into, so that its steps become one; empty: a step of its own.
    QueueEdit(StudyQueue& queue, const QString& text, Step redo, Step undo, const QString& typed = {})
        : QUndoCommand(text), m_queue(&queue), m_redo(std::move(redo)), m_undo(std::move(undo)), m_typed(typed) {}
    void redo() override { run(m_redo); }
    void undo() override { run(m_undo); }
    [[nodiscard]] int id() const override { return m_typed.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* later = dynamic_cast<const QueueEdit*>(next);
        if (!later || later->m_typed != m_typed)
            return false;
        m_redo = later->m_redo;
        return true;
    }

private:
    void run(const Step& step) {
        if (m_queue)
            step(*m_queue);
    }
    QPointer<StudyQueue> m_queue;
    Step m_redo, m_undo;
    QString m_typed;
};

} // namespace

QueuePanel::QueuePanel(Services services, QUndoStack& edits, QWidget* parent)
    : QWidget(parent), m_services(services), m_edits(edits),
      m_model(new QueueModel(services.runs, services.library, this)), m_removed(new NoticeBar(services.theme)),
      m_state(new RoleLabel(services.theme, TextRole::Body)), m_table(new QTableView),
      m_problem(new RoleLabel(services.theme, TextRole::Bad)), m_up(new QPushButton), m_down(new QPushButton),
      m_next(new QPushButton), m_remove(new QPushButton), m_again(new QPushButton), m_pause(new QPushButton),
      m_later(new QCheckBox), m_time(new QDateTimeEdit) {
    setObjectName(QStringLiteral("queuePanel"));
    m_removed->setObjectName(QStringLiteral("queueNotice"));
    m_noticeClock.setSingleShot(true);
    m_noticeClock.setInterval(noticeTime);
    connect(&m_noticeClock, &QTimer::timeout, m_removed, &NoticeBar::clear);
    m_state->setObjectName(QStringLiteral("queueState"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::s, space::m, space::s);
    column->setSpacing(space::s);
    auto* head = new QHBoxLayout;
    head->setSpacing(space::m);
    head->addWidget(m_state, 1);
    head->addWidget(m_pause);
    column->addLayout(head);
    column->addWidget(m_removed);
    m_table->setObjectName(QStringLiteral("queueTable"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setDragDropMode(QAbstractItemView::InternalMove);
    m_table->setDragDropOverwriteMode(false);
    m_table->setDropIndicatorShown(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(QueueModel::Study, QHeaderView::Stretch);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    constexpr int leastRows = 4; // with the header
    m_table->setMinimumHeight(leastRows * m_table->verticalHeader()->defaultSectionSize());
    column->addWidget(m_table, 1);
    m_problem->setObjectName(QStringLiteral("queueProblem"));
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    column->addWidget(makeButtons());
    addKeys();

    connect(m_model, &QueueModel::moveRequested, this, &QueuePanel::move);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { select(m_selected); });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &QueuePanel::showSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (row.isValid())
            m_selected = m_model->idAt(row.row());
        showSelected();
    });
    connect(&services.runs.queue(), &StudyQueue::changed, this, &QueuePanel::refresh);
    connect(&services.runs, &RunController::stateChanged, this, &QueuePanel::refresh);
    connect(&services.runs, &RunController::studyFinished, this, &QueuePanel::refresh, Qt::QueuedConnection);
    connect(&services.library, &LibraryGateway::opened, this, &QueuePanel::refresh);
    connect(m_removed, &NoticeBar::actionTriggered, this, [this] {
        m_removed->clear();
        m_edits.undo();
    });
    connect(&m_edits, &QUndoStack::indexChanged, m_removed, &NoticeBar::clear);
    connect(&services.theme, &Theme::changed, this, &QueuePanel::recolor);
    retranslate();
}

QWidget* QueuePanel::makeButtons() {
    auto* row = new QWidget;
    auto* flow = new FlowLayout(space::s, row);
    flow->setContentsMargins(0, 0, 0, 0);
    const std::pair<QPushButton*, const char*> named[] = {{m_up, "queueUp"},        {m_down, "queueDown"},
                                                          {m_next, "queueRunNext"}, {m_remove, "queueRemove"},
                                                          {m_again, "queueAgain"},  {m_pause, "queuePause"}};
    for (const auto& [button, name] : named) {
        button->setObjectName(QLatin1String(name));
        if (button != m_pause)
            flow->addWidget(button);
    }
    m_later->setObjectName(QStringLiteral("queueLater"));
    m_time->setObjectName(QStringLiteral("queueTime"));
    m_time->setCalendarPopup(true);
    m_time->setKeyboardTracking(false);
    m_time->installEventFilter(this);
    (new WheelGuard(this))->guard(m_time);
    flow->addWidget(m_later);
    flow->addWidget(m_time);
    connect(m_up, &QPushButton::clicked, this, [this] { move(selected(), m_table->currentIndex().row() - 1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(selected(), m_table->currentIndex().row() + 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { move(selected(), 0); });
    connect(m_remove, &QPushButton::clicked, this, &QueuePanel::remove);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        StudyQueue& queue = m_services.runs.queue();
        queue.setPaused(!queue.isPaused());
    });
    connect(m_again, &QPushButton::clicked, this, [this] { m_services.runs.queue().tryAgain(selected()); });
    connectTime();
    return row;
}

void QueuePanel::connectTime() {
    connect(m_later, &QCheckBox::toggled, this, [this](bool on) {
        if (m_showing)
            return;
        const auto shown = static_cast<double>(m_time->dateTime().toSecsSinceEpoch());
        setNotBefore(!on ? 0.0 : shown > unixTime() ? shown : usualTime());
    });
    connect(m_time, &QDateTimeEdit::dateTimeChanged, this, [this] { m_typed = m_typed || !m_showing; });
    connect(m_time, &QDateTimeEdit::editingFinished, this, &QueuePanel::applyTime);
}

/// A time that is over would start the study at once.
void QueuePanel::applyTime() {
    if (!std::exchange(m_typed, false))
        return;
    const auto time = static_cast<double>(m_time->dateTime().toSecsSinceEpoch());
    if (time > unixTime())
        return setNotBefore(time);
    restoreTime();
    m_removed->showNotice(NoticeLevel::Warning,
                          tr("%1 is in the past. The study keeps its time.").arg(format::dateTime(time)));
    m_noticeClock.start();
}

void QueuePanel::restoreTime() {
    m_typed = false;
    const int at = m_services.runs.queue().indexOf(m_timed);
    showTime(at < 0 ? nullptr : &m_services.runs.queue().waiting()[static_cast<std::size_t>(at)]);
}

bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_time || event->type() != QEvent::KeyPress ||
        static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QWidget::eventFilter(watched, event);
    restoreTime();
    return true;
}

void QueuePanel::addKeys() {
    const auto add = [this](QPushButton* button, const QKeySequence& keys) {
        auto* action = new QAction(m_table);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, button, [button] { button->click(); });
        m_table->addAction(action);
        m_keys[button] = action;
    };
    add(m_up, QKeySequence(Qt::ALT | Qt::Key_Up));
    add(m_down, QKeySequence(Qt::ALT | Qt::Key_Down));
    add(m_next, QKeySequence(Qt::ALT | Qt::Key_Home));
    add(m_remove, QKeySequence(Qt::Key_Delete));
    addCopy(*m_table); // and all of these in a context menu
}

void QueuePanel::retranslate() {
    m_table->setAccessibleName(tr("Waiting studies"));
    const auto label = [](QPushButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setToolTip(tip);
    };
    label(m_up, tr("Up"), tr("Earlier in the queue (Alt+Up)"));
    label(m_down, tr("Down"), tr("Later in the queue (Alt+Down)"));
    label(m_next, tr("Run next"), tr("To the front of the queue (Alt+Home)"));
    label(m_remove, tr("Remove"), tr("Out of the queue; Undo brings it back (Delete)"));
    label(m_again, tr("Try again"), tr("It could not begin; this gives it another turn"));
    for (auto key = m_keys.begin(); key != m_keys.end(); ++key)
        key.value()->setText(key.key()->text());
    m_later->setText(tr("Not before"));
    m_later->setToolTip(
        tr("Starts at this time or later, while Accumulus is open. Until then the studies behind it may "
           "go first."));
    m_time->setAccessibleName(tr("Start time"));
    m_time->setDisplayFormat(QLocale().dateTimeFormat(QLocale::ShortFormat));
    m_model->retranslate();
    refresh();
    recolor();
}

void QueuePanel::recolor() {
    const QColor color = m_services.theme.colors().text;
    m_up->setIcon(icon(QStringLiteral("chevron-up"), color));
    m_down->setIcon(icon(QStringLiteral("chevron-down"), color));
    m_next->setIcon(icon(QStringLiteral("play"), color));
    m_remove->setIcon(icon(QStringLiteral("close"), color));
    m_pause->setIcon(
        icon(m_services.runs.queue().isPaused() ? QStringLiteral("play") : QStringLiteral("pause"), color));
}

QString QueuePanel::stateText() const {
    const auto waiting = static_cast<int>(m_services.runs.queued());
    const bool busy = m_services.runs.busy();
    if (m_services.library.readOnly())
        return waiting > 0 ? tr("%n study(s) wait in another window; you can only view them here.", nullptr, waiting)
                           : tr("Nothing is waiting. This library cannot be changed here.");
    if (waiting == 0)
        return tr("Nothing is waiting. A study started while another one trains waits here for its turn.");
    if (m_services.runs.queue().isPaused())
        return busy ? tr("%n study(s) wait. After the one that trains now, the queue pauses.", nullptr, waiting)
                    : tr("%n study(s) wait. The queue is paused.", nullptr, waiting);
    return busy ? tr("%n study(s) wait for the one that trains now.", nullptr, waiting)
           : m_services.runs.queue().goesOn()
               ? tr("%n study(s) wait for their time.", nullptr, waiting)
               : tr("%n study(s) could not begin. Try them again, or remove them.", nullptr, waiting);
}

void QueuePanel::refresh() {
    const bool paused = m_services.runs.queue().isPaused();
    const bool waits = m_services.runs.queued() > 0;
    m_state->setText(stateText());
    m_pause->setText(paused                   ? tr("Continue the queue")
                     : m_services.runs.busy() ? tr("Pause after this study")
                                              : tr("Pause the queue"));
    m_pause->setEnabled(!m_services.library.readOnly() && (waits || m_services.runs.busy()));
    recolor();
    showSelected();
}

QString QueuePanel::selected() const { return m_model->idAt(m_table->currentIndex().row()); }

void QueuePanel::select(const QString& id) {
    const int row = m_services.runs.queue().indexOf(id);
    if (row >= 0)
        m_table->selectRow(row);
    showSelected();
}

void QueuePanel::focusTable() {
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->selectRow(0);
    m_table->setFocus(Qt::ShortcutFocusReason);
}

const QueuedStudy* QueuePanel::selectedStudy() const {
    const std::vector<QueuedStudy>& waiting = m_services.runs.queue().waiting();
    const int at = m_services.runs.queue().indexOf(selected());
    return at < 0 ? nullptr : &waiting[static_cast<std::size_t>(at)];
}

void QueuePanel::showSelected() {
    const int row = m_table->currentIndex().row();
    const QueuedStudy* study = selectedStudy();
    const bool can = study && !m_services.library.readOnly();
    m_up->setEnabled(can && row > 0);
    m_next->setEnabled(can && row > 0);
    m_down->setEnabled(can && row + 1 < m_model->rowCount());
    m_remove->setEnabled(can);
    const bool failed = study && study->failed;
    for (auto key = m_keys.begin(); key != m_keys.end(); ++key)
        key.value()->setEnabled(key.key()->isEnabled());
    m_again->setVisible(can && failed);
    m_problem->setVisible(failed);
    m_problem->setText(failed ? format::error(*study->failed) : QString());
    m_later->setEnabled(can);
    m_time->setEnabled(can && study->notBefore > 0.0);
    if (can && study->notBefore > 0.0 && study->id == m_timed && (m_typed || m_time->hasFocus()))
        return; // it is being typed
    showTime(can ? study : nullptr);
}

void QueuePanel::showTime(const QueuedStudy* study) {
    const QScopedValueRollback showing(m_showing, true);
    const double time = study ? study->notBefore : 0.0;
    m_timed = study ? study->id : QString();
    m_typed = false;
    m_later->setChecked(time > 0.0);
    m_time->setDateTime(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(time > 0.0 ? time : usualTime())));
}

void QueuePanel::move(const QString& id, int to) {
    const int from = m_services.runs.queue().indexOf(id);
    if (from < 0 || from == to)
        return;
    m_selected = id;
    m_edits.push(new QueueEdit(
        m_services.runs.queue(), tr("Move in the queue"), [id, to](StudyQueue& queue) { queue.move(id, to); },
        [id, from](StudyQueue& queue) { queue.move(id, from); }));
}

void QueuePanel::remove() {
    StudyQueue& queue = m_services.runs.queue();
    const int at = m_table->currentIndex().row();
    if (at < 0 || at >= m_model->rowCount())
        return;
    const QueuedStudy study = queue.waiting()[static_cast<std::size_t>(at)];
    m_selected = m_model->idAt(at + 1 < m_model->rowCount() ? at + 1 : at - 1);
    const bool pause = queue.isPaused();                                 // an empty queue forgets it
    const auto removed = std::make_shared<std::optional<QueuedStudy>>(); // nothing: it had its turn meanwhile
    m_edits.push(new QueueEdit(
        queue, tr("Remove from the queue"), [removed, id = study.id](StudyQueue& from) { *removed = from.remove(id); },
        [removed, at, pause](StudyQueue& to) {
            if (*removed)
                to.insert(at, **removed, pause);
        }));
    m_removed->showNotice(NoticeLevel::Info, tr("“%1” was removed from the queue.").arg(titleOf(study)), tr("Undo"));
    m_noticeClock.start();
}

void QueuePanel::setNotBefore(double time) {
    const QString id = m_timed;
    const int at = m_services.runs.queue().indexOf(id);
    if (at < 0)
        return;
    const double before = m_services.runs.queue().waiting()[static_cast<std::size_t>(at)].notBefore;
    if (before == time)
        return;
    m_edits.push(new QueueEdit(
        m_services.runs.queue(), tr("Start time"), [id, time](StudyQueue& queue) { queue.setNotBefore(id, time); },
        [id, before](StudyQueue& queue) { queue.setNotBefore(id, before); }, id));
}

} // namespace accumulus::ui
