// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/setup_page.h"

#include "core/config/experiment_file.h"
#include "core/launch/remote_command.h"
#include "core/store/library.h"
#include "widgets/pages/button_action.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/setup/setup_page_impl.h"
#include "widgets/style/field_titles.h"
#include "widgets/style/format.h"
#include "widgets/style/undo_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>

namespace accumulus::ui {

namespace {

/// A path is typed letter by letter: the file system is asked when the typing rests.
constexpr int askDelay = 120;
/// How often disks and devices are asked again while the page is seen.
constexpr int startPeriod = 5000;

bool isUndo(const QKeyEvent& event) { return event.matches(QKeySequence::Undo); }
bool isStart(const QKeyEvent& event) { return event.key() == Qt::Key_F5 && event.modifiers() == Qt::NoModifier; }

} // namespace

void SetupPage::Impl::build() {
    view = new SetupView(services.theme, form, &page);
    page.layout()->addWidget(view);
    watchFields(view);
    connectSummary();
    const auto tellThrown = [this](const Error& error) { report(failure(error)); };
    QObject::connect(&facts, &SetupFacts::failed, &page, tellThrown);
    QObject::connect(&memory, &SetupMemory::failed, &page, tellThrown);
    QObject::connect(&starts, &StartChecks::failed, &page, tellThrown);
    refresh();
}

void SetupPage::Impl::watchFields(const QWidget* within) {
    for (QWidget* edit : within->findChildren<QWidget*>())
        if (qobject_cast<QComboBox*>(edit)) // takes Ctrl+Z for a letter to look for
            edit->installEventFilter(&page);
        else if (qobject_cast<QLineEdit*>(edit) || qobject_cast<QAbstractSpinBox*>(edit)) {
            edit->installEventFilter(&page);
            edit->setAcceptDrops(false); // a file dropped on a field is for the page, not a text for the field
        }
}

void SetupPage::Impl::connectSummary() {
    SetupSummary* summary = &view->summary();
    QObject::connect(summary, &SetupSummary::startClicked, &page, &SetupPage::start);
    QObject::connect(summary, &SetupSummary::enqueueClicked, &page, &SetupPage::enqueue);
    QObject::connect(summary, &SetupSummary::auditClicked, &page, [this] { requestAudit(); });
    QObject::connect(summary, &SetupSummary::copyClicked, &page, &SetupPage::copyCommand);
    QObject::connect(summary, &SetupSummary::undoClicked, &page, &SetupPage::undo);
    QObject::connect(summary, &SetupSummary::redoClicked, &page, &SetupPage::redo);
    QObject::connect(summary, &SetupSummary::saveClicked, &page, [this] { chooseSave(); });
    QObject::connect(summary, &SetupSummary::loadClicked, &page, [this] { chooseLoad(); });
    QObject::connect(summary, &SetupSummary::placeChanged, &page, [this] { refresh(); });
    QObject::connect(summary, &SetupSummary::planClicked, &page, &SetupPage::planRequested);
    QObject::connect(summary, &SetupSummary::useGeneratedClicked, &page, [this] {
        report(form.apply({"data.dataset=digits-generated", "data.path=\"\""}));
    });
    QObject::connect(view, &SetupView::fieldsMade, &page, [this](const QWidget* fields) { watchFields(fields); });
    QObject::connect(view, &SetupView::presetsClicked, &page, [this] { showPresets(); });
    QObject::connect(view, &SetupView::fileChosen, &page, [this](const QString& file) { page.openFiles({file}); });
    QObject::connect(&view->notice(), &NoticeBar::actionTriggered, &page, [this] {
        view->notice().clear();
        offered();
    });
    QObject::connect(view, &SetupView::fixChosen, &page,
                     [this](const Finding& finding, const Fix& fix) { applyFix(finding, fix); });
}

SetupPage::SetupPage(Services services, QWidget* parent, SetupQueries queries)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services, std::move(queries))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_impl->facts.ask(m_impl->form.config().run);
    m_impl->memory.ask(m_impl->form.config());
    m_impl->build();
    m_impl->askStarts();

    m_impl->startTimer.setInterval(startPeriod);
    connect(&m_impl->startTimer, &QTimer::timeout, this, [this] {
        if (isVisible())
            m_impl->askStarts();
    });
    m_impl->startTimer.start();
    connect(&m_impl->starts, &StartChecks::changed, this, [this] { m_impl->refresh(); });
    m_impl->askTimer.setSingleShot(true);
    m_impl->askTimer.setInterval(askDelay);
    connect(&m_impl->askTimer, &QTimer::timeout, this, [this] {
        m_impl->facts.ask(m_impl->form.config().run);
        m_impl->refresh();
    });
    connect(&m_impl->form, &ConfigForm::changed, this, [this] {
        m_impl->view->notice().clear();            // it spoke of what stood there before
        m_impl->memory.ask(m_impl->form.config()); // before the sentences: none is about the settings of before
        m_impl->askStarts();
        m_impl->refresh();
        m_impl->askTimer.start();
        m_impl->keepDraft();
        Q_EMIT experimentChanged(experiment());
        Q_EMIT historyChanged();
    });
    connect(&services.library, &LibraryGateway::opened, this, [this] {
        m_impl->askStarts();
        m_impl->refresh();
    });
    connect(&services.library, &LibraryGateway::awaiting, this, [this] { m_impl->refresh(); });
    connect(&services.library, &LibraryGateway::openFailed, this, [this] { m_impl->refresh(); });
    connect(&m_impl->facts, &SetupFacts::changed, this, [this] { m_impl->refresh(); });
    connect(&m_impl->memory, &SetupMemory::changed, this, [this] { m_impl->refresh(); });
    connect(&m_impl->time, &SetupTime::changed, this, [this] { m_impl->refresh(); });
    connect(&services.runs, &RunController::studyFinished, this, [this] {
        m_impl->memory.forget();
        m_impl->time.forget();
        m_impl->askStarts();
    });
    connect(&services.runs, &RunController::stateChanged, this, [this] { m_impl->refresh(); });
    connect(&services.runs, &RunController::queueChanged, this, [this] { m_impl->refresh(); });
    connect(&m_impl->files, &BroughtFiles::answered, this,
            [this](const Result<FileSettings>& brought) { m_impl->useFiles(brought); });
    connect(&m_impl->presets, &PresetList::failed, this, [this](const Error& error) {
        if (!m_impl->presetDialog) // else it says so
            m_impl->view->notice().showNotice(NoticeLevel::Error, format::error(error));
    });
    connect(new FileDrop(services.theme, *this), &FileDrop::dropped, this, &SetupPage::openFiles);
    // Leaving a field ends its entry of the history.
    connect(qApp, &QApplication::focusChanged, this, [this] { m_impl->form.closeEdit(); });
    fillMenus();
}

void SetupPage::fillMenus() {
    m_menus.file << pressing(*this, "setup.presets", tr("Presets…"))
                 << pressing(*this, "setup.experiment.save", tr("Save experiment…"))
                 << pressing(*this, "setup.experiment.load", tr("Load experiment…"));
    m_menus.tools << pressing(*this, "setupAudit", tr("Audit this set-up"))
                  << pressing(*this, "setup.plan", tr("Plan micro-batch"));
}

// The widgets refer to the form, and the focus moves while they go: they are the first to leave.
SetupPage::~SetupPage() {
    qApp->disconnect(this);
    delete m_impl->presetDialog; // which looks at the presets
    delete m_impl->view;
}

void SetupPage::setExperiment(const ExperimentConfig& experiment) {
    m_impl->load({experiment, std::make_shared<FormStart>()});
}

void SetupPage::startFrom(const FormStart& start) {
    m_impl->load({start.experiment, std::make_shared<FormStart>(start)});
}

ExperimentConfig SetupPage::experiment() const { return m_impl->form.config(); }

bool SetupPage::canStart() const { return m_impl->blocked.isEmpty(); }

void SetupPage::activated() {
    m_impl->facts.forgetFailures();
    m_impl->machine = launchingFeatures(); // mpirun may have been installed
    m_impl->facts.ask(m_impl->form.config().run);
    m_impl->memory.forget();
    m_impl->time.forget();
    m_impl->askStarts();
    m_impl->refresh();
}

void SetupPage::start() {
    if (!canStart())
        return;
    if (const auto place = m_impl->view->summary().place())
        Q_EMIT startElsewhereRequested(experiment(), *place);
    else
        Q_EMIT startRequested(experiment());
}

void SetupPage::enqueue() {
    if (!m_impl->queueBlocked.isEmpty())
        return;
    if (m_impl->view->summary().place()) // over there is a queue of its own
        start();
    else
        Q_EMIT queueRequested(experiment());
}

void SetupPage::focusSetting(const QString& key) { m_impl->view->focusSetting(key.toStdString()); }

void SetupPage::useMicroBatch(qint64 micro, qint64 steps) {
    const BatchConfig& batch = m_impl->form.config().run.batch;
    const auto plan = resolveBatch(batch);
    const std::int64_t effective = plan ? plan->effective : batch.effective;
    std::vector<std::string> assignments{"batch.micro=" + std::to_string(micro)};
    const bool divides = micro > 0 && effective % (micro * batch.devices) == 0;
    if (batch.effective == 0 && divides) {
        assignments.push_back("batch.steps=" + std::to_string(steps));
    } else {
        assignments.push_back("batch.effective=" + std::to_string(effective));
        assignments.emplace_back("batch.steps=0");
    }
    if (!divides)
        assignments.emplace_back("batch.ragged=weight");
    m_impl->report(m_impl->form.apply(assignments));
}

bool SetupPage::canUndo() const { return m_impl->form.canUndo(); }

bool SetupPage::canRedo() const { return m_impl->form.canRedo(); }

namespace {

/// What a step of the history changes, in words.
QString stepText(const std::vector<std::string>& keys) {
    const ConfigField* first = keys.empty() ? nullptr : findField(keys.front());
    if (!first)
        return {};
    return keys.size() == 1 ? fieldTitle(*first) : SetupPage::tr("%1 and others").arg(fieldTitle(*first));
}

} // namespace

QString SetupPage::undoText() const { return stepText(m_impl->form.undoKeys()); }

QString SetupPage::redoText() const { return stepText(m_impl->form.redoKeys()); }

void SetupPage::undo() {
    const std::vector<std::string> keys = m_impl->form.undoKeys();
    m_impl->form.undo();
    m_impl->view->bringIntoSight(keys);
}

void SetupPage::redo() {
    const std::vector<std::string> keys = m_impl->form.redoKeys();
    m_impl->form.redo();
    m_impl->view->bringIntoSight(keys);
}

QVariant SetupPage::state() const {
    return QVariant::fromValue(SetupPageState{m_impl->form.history(), m_impl->settled, m_impl->keptNorm});
}

void SetupPage::setState(const QVariant& state) {
    const auto kept = state.value<SetupPageState>();
    m_impl->settled = kept.settled;
    m_impl->keptNorm = kept.keptNorm;
    m_impl->form.takeOver(kept.history);
}

void SetupPage::beginSession() {
    const auto kept = m_impl->draft.read();
    if (!kept || *kept == experiment())
        return;
    m_impl->restoreDraft(*kept);
    m_impl->offer(tr("Restored from your last session."), tr("New experiment"),
                  [this] { setExperiment(newExperiment()); });
}

void SetupPage::saveEdits() { m_impl->draft.write(); }

void SetupPage::copyCommand() {
    if (!m_impl->refusedText.isEmpty())
        return m_impl->view->summary().tell(m_impl->refusedText);
    const auto place = m_impl->view->summary().place();
    // What the command trains belongs into the library that is open here.
    const std::string command = commandLine(experiment()) + libraryArgument(m_impl->services.library.path());
    QApplication::clipboard()->setText(
        QString::fromStdString(command + (place ? placeArguments(*place) : std::string())));
    m_impl->view->summary().tell(tr("Command copied."));
}

bool SetupPage::takes(const QKeyEvent& key) const {
    return isUndo(key) ? canUndo() : isRedoKey(key) ? canRedo() : isStart(key);
}

// The page's own keys come before the window's shortcuts of the same name, and before the line edits' private undo.
// With nothing to undo here the window may undo what was done elsewhere.
bool SetupPage::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && takes(static_cast<const QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return Page::event(event);
}

void SetupPage::keyPressEvent(QKeyEvent* event) {
    if (!takes(*event))
        Page::keyPressEvent(event);
    else if (isUndo(*event))
        undo();
    else if (isRedoKey(*event))
        redo();
    else
        start();
}

bool SetupPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        auto& key = static_cast<QKeyEvent&>(*event);
        if (isUndo(key) || isRedoKey(key)) {
            if (event->type() == QEvent::KeyPress)
                keyPressEvent(&key);
            event->setAccepted(event->type() == QEvent::KeyPress || takes(key));
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

} // namespace accumulus::ui
