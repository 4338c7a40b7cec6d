// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/setup_page.h"

#include "core/analysis/lr_rules.h"
#include "core/base/atomic_file.h"
#include "core/config/config_check.h"
#include "core/config/experiment_file.h"
#include "core/config/memory_check.h"
#include "core/launch/launch_command.h"
#include "core/launch/remote_command.h"
#include "core/run/fact_findings.h"
#include "widgets/models/brought_files.h"
#include "widgets/models/field_words.h"
#include "widgets/models/recent_files.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/setup/setup_view.h"
#include "widgets/style/format.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>

namespace accumulus::ui {

namespace {

/// A path is typed letter by letter: the file system is asked when the typing rests.
constexpr int askDelay = 120;

bool isUndo(const QKeyEvent& event) { return event.matches(QKeySequence::Undo); }
bool isRedo(const QKeyEvent& event) {
    return event.matches(QKeySequence::Redo) ||
           (event.key() == Qt::Key_Z && event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier));
}
bool isStart(const QKeyEvent& event) { return event.key() == Qt::Key_F5 && event.modifiers() == Qt::NoModifier; }

} // namespace

struct SetupPage::Impl {
    Impl(SetupPage& owner, Services given, SetupQueries queries)
        : page(owner), services(given), form(newExperiment()), tuned(form.config().run),
          memory(given.library, queries.memory), facts(std::move(queries)) {}

    void build();
    void connectSummary();
    void refresh();
    [[nodiscard]] std::vector<Finding> refusals() const;
    [[nodiscard]] QString blockedBy(const std::vector<Finding>& findings) const;
    void applyFix(const Finding& finding, const Fix& fix);
    void chooseSave();
    void chooseLoad();
    void report(const Status& status);
    void useFiles(const Result<FileSettings>& brought);
    [[nodiscard]] Status applyFiles(const FileSettings& brought);

    SetupPage& page;
    Services services;
    ConfigForm form;
    RunConfig tuned; ///< the learning rate belongs to its batch: what was loaded, or what the person confirmed
    SetupMemory memory;
    SetupFacts facts;
    BroughtFiles files;
    QString offeredLibrary;
    MachineFeatures machine = launchingFeatures();
    QTimer askTimer;
    SetupView* view = nullptr;
    QString blocked;
};

void SetupPage::Impl::build() {
    delete view;
    view = new SetupView(services.theme, form, &page);
    page.layout()->addWidget(view);
    view->show(); // a layout would show it only with the next event
    for (QWidget* edit : view->findChildren<QWidget*>())
        if (qobject_cast<QComboBox*>(edit)) // takes Ctrl+Z for a letter to look for
            edit->installEventFilter(&page);
        else if (qobject_cast<QLineEdit*>(edit) || qobject_cast<QAbstractSpinBox*>(edit)) {
            edit->installEventFilter(&page);
            edit->setAcceptDrops(false); // a file dropped on a field is for the page, not a text for the field
        }
    connectSummary();
    refresh();
}

void SetupPage::Impl::connectSummary() {
    SetupSummary* summary = &view->summary();
    QObject::connect(summary, &SetupSummary::startClicked, &page, &SetupPage::start);
    QObject::connect(summary, &SetupSummary::auditClicked, &page,
                     [this] { Q_EMIT page.auditRequested(page.experiment()); });
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
    QObject::connect(view, &SetupView::fileChosen, &page, [this](const QString& file) { page.openFiles({file}); });
    QObject::connect(&view->notice(), &NoticeBar::actionTriggered, &page, [this] {
        view->notice().clear();
        Q_EMIT page.openLibraryRequested(offeredLibrary);
    });
    QObject::connect(view, &SetupView::fixChosen, &page,
                     [this](const Finding& finding, const Fix& fix) { applyFix(finding, fix); });
}

void SetupPage::Impl::refresh() {
    const bool here = !view->summary().place();
    std::vector<Finding> findings =
        checkConfig(form.config(), facts.trainSamples(), here ? machine : featuresElsewhere());
    // Here several devices are no mistake: what is missing to start them is told instead.
    if (const auto single = std::ranges::find(findings, "D04", &Finding::id); single != findings.end())
        if (const auto command = localRanksCommand(form.config().run.batch.devices, {}); !command)
            single->message = command.error();
    if (auto lr = checkLrOfBatch(tuned, form.config().run)) {
        const auto infos = std::ranges::find(findings, FindingLevel::Info, &Finding::level);
        findings.insert(infos, *std::move(lr));
    }
    if (here) {
        std::ranges::move(checkFacts(form.config(), facts.data(), facts.model()), std::back_inserter(findings));
        std::ranges::move(checkMemory(form.config(), memory.facts()), std::back_inserter(findings));
        std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::level);
    }
    view->showState(form.config(), facts, memory, findings, refusals());
    blocked = blockedBy(findings);
    view->summary().setBlocked(blocked);
    view->summary().setQueues(services.runs.busy());
}

/// What was typed and cannot be stored, each with the way to its field.
std::vector<Finding> SetupPage::Impl::refusals() const {
    std::vector<Finding> refused;
    for (const auto& [key, reason] : form.problems()) {
        Finding& finding = refused.emplace_back();
        finding.id = "refused." + key;
        finding.level = FindingLevel::Error;
        finding.key = key;
        finding.message = {QStringLiteral("%1: %2").arg(fieldTitle(*findField(key)), reason).toStdString(), {}};
    }
    return refused;
}

QString SetupPage::Impl::blockedBy(const std::vector<Finding>& findings) const {
    if (!services.library.otherWindow().isEmpty())
        return tr("Another window has this library open.");
    if (services.library.readOnly())
        return tr("This library is read-only.");
    if (!form.problems().empty()) {
        const auto& [key, reason] = *form.problems().begin();
        return QStringLiteral("%1: %2").arg(fieldTitle(*findField(key)), reason);
    }
    const auto error = std::ranges::find(findings, FindingLevel::Error, &Finding::level);
    if (error != findings.end())
        return findingText(*error);
    if (const Result<DataSummary>* data = facts.data(); data && !*data && !view->summary().place())
        return format::error(data->error());
    if (const Result<ModelFacts>* model = facts.model(); model && !*model && !view->summary().place())
        return format::error(model->error());
    return {};
}

void SetupPage::Impl::applyFix(const Finding& finding, const Fix& fix) {
    const std::string key = finding.key;
    if (fix.id == "keep-lr") {
        tuned = form.config().run;
        refresh();
    } else if (fix.id == "start-anyway") {
        memory.accept();
        page.start();
        return;
    } else if (fix.id == "probe") {
        Q_EMIT page.planRequested();
        return;
    } else if (fix.id != fieldLink().id) {
        report(form.apply(fix.assignments));
    }
    view->focusSetting(key);
}

void SetupPage::Impl::chooseSave() {
    const QString file = QFileDialog::getSaveFileName(&page, tr("Save experiment"), tr("experiment.toml"),
                                                      tr("Experiment files (*.toml)"));
    if (!file.isEmpty())
        report(page.saveExperiment(toPath(file)));
}

void SetupPage::Impl::chooseLoad() {
    const QString file =
        QFileDialog::getOpenFileName(&page, tr("Load experiment"), {}, tr("Experiment files (*.toml);;All files (*)"));
    if (!file.isEmpty())
        report(page.loadExperiment(toPath(file)));
}

void SetupPage::Impl::report(const Status& status) {
    if (status)
        view->notice().clear();
    else
        view->notice().showNotice(NoticeLevel::Error, format::error(status.error()));
}

Status SetupPage::Impl::applyFiles(const FileSettings& brought) {
    if (!brought.experiment.empty())
        return page.loadExperiment(brought.experiment);
    ACCUMULUS_TRY(form.apply(brought.assignments));
    for (const FileKind& kind : brought.kinds)
        rememberFile(kind.role, fromPath(kind.path));
    return {};
}

void SetupPage::Impl::useFiles(const Result<FileSettings>& brought) {
    if (!brought)
        return report(failure(brought.error()));
    if (!brought->library.empty()) {
        offeredLibrary = fromPath(brought->library);
        view->notice().showNotice(NoticeLevel::Info, fileWords(*brought), tr("Open library"));
        return;
    }
    if (const Status status = applyFiles(*brought); !status)
        return report(status);
    facts.forgetFailures(); // the same file may have been mended, or written anew
    facts.ask(form.config().run);
    memory.forget();
    view->notice().showNotice(NoticeLevel::Success, fileWords(*brought));
}

SetupPage::SetupPage(Services services, QWidget* parent, SetupQueries queries)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services, std::move(queries))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_impl->facts.ask(m_impl->form.config().run);
    m_impl->memory.ask(m_impl->form.config());
    m_impl->build();

    m_impl->askTimer.setSingleShot(true);
    m_impl->askTimer.setInterval(askDelay);
    connect(&m_impl->askTimer, &QTimer::timeout, this, [this] {
        m_impl->facts.ask(m_impl->form.config().run);
        m_impl->refresh();
    });
    connect(&m_impl->form, &ConfigForm::changed, this, [this] {
        m_impl->view->notice().clear();            // it spoke of what stood there before
        m_impl->memory.ask(m_impl->form.config()); // before the sentences: none is about the settings of before
        m_impl->refresh();
        m_impl->askTimer.start();
        Q_EMIT experimentChanged(experiment());
    });
    connect(&services.library, &LibraryGateway::opened, this, [this] { m_impl->refresh(); });
    connect(&m_impl->facts, &SetupFacts::changed, this, [this] { m_impl->refresh(); });
    connect(&m_impl->memory, &SetupMemory::changed, this, [this] { m_impl->refresh(); });
    connect(&services.runs, &RunController::studyFinished, this, [this] { m_impl->memory.forget(); });
    connect(&services.runs, &RunController::stateChanged, this, [this] { m_impl->refresh(); });
    connect(&services.runs, &RunController::queueChanged, this, [this] { m_impl->refresh(); });
    connect(&m_impl->files, &BroughtFiles::answered, this,
            [this](const Result<FileSettings>& brought) { m_impl->useFiles(brought); });
    connect(new FileDrop(services.theme, *this), &FileDrop::dropped, this, &SetupPage::openFiles);
    // Leaving a field ends its entry of the history.
    connect(qApp, &QApplication::focusChanged, this, [this] { m_impl->form.closeEdit(); });
}

// The widgets refer to the form, and the focus moves while they go: they are the first to leave.
SetupPage::~SetupPage() {
    qApp->disconnect(this);
    delete m_impl->view;
}

void SetupPage::setExperiment(const ExperimentConfig& experiment) {
    m_impl->tuned = experiment.run;
    m_impl->form.replace(experiment);
}

void SetupPage::openFiles(const QStringList& files) {
    const QString names = fileNames(files).join(QStringLiteral(", "));
    m_impl->view->notice().showNotice(NoticeLevel::Info, tr("Reading %1…").arg(names));
    m_impl->files.ask(files, experiment().run);
}

ExperimentConfig SetupPage::experiment() const { return m_impl->form.config(); }

bool SetupPage::canStart() const { return m_impl->blocked.isEmpty(); }

void SetupPage::activated() {
    m_impl->facts.forgetFailures();
    m_impl->machine = launchingFeatures(); // mpirun may have been installed
    m_impl->facts.ask(m_impl->form.config().run);
    m_impl->memory.forget();
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
    if (!canStart())
        return;
    if (m_impl->view->summary().place()) // over there is a queue of its own
        start();
    else
        Q_EMIT queueRequested(experiment());
}

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

void SetupPage::undo() { m_impl->form.undo(); }

void SetupPage::redo() { m_impl->form.redo(); }

QVariant SetupPage::state() const { return QVariant::fromValue(experiment()); }

void SetupPage::setState(const QVariant& state) { setExperiment(state.value<ExperimentConfig>()); }

void SetupPage::copyCommand() {
    const auto place = m_impl->view->summary().place();
    // What the command trains belongs into the library that is open here.
    const std::string command = commandLine(experiment()) + libraryArgument(m_impl->services.library.path());
    QApplication::clipboard()->setText(
        QString::fromStdString(command + (place ? placeArguments(*place) : std::string())));
    m_impl->view->summary().tell(tr("Command copied."));
}

Status SetupPage::saveExperiment(const std::filesystem::path& file) {
    ACCUMULUS_TRY(writeFileAtomically(file, experimentToml(experiment())));
    m_impl->view->summary().tell(tr("Saved as %1.").arg(QString::fromStdU16String(file.filename().u16string())));
    return {};
}

Status SetupPage::loadExperiment(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(auto loaded, readExperiment(file));
    setExperiment(loaded);
    m_impl->view->summary().tell(tr("Loaded %1.").arg(QString::fromStdU16String(file.filename().u16string())));
    return {};
}

// The page's own keys come before the window's shortcuts of the same name, and before the line edits' private undo.
bool SetupPage::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (isUndo(key) || isRedo(key) || isStart(key)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::LanguageChange)
        QTimer::singleShot(0, this, [this] { m_impl->build(); });
    return Page::event(event);
}

void SetupPage::keyPressEvent(QKeyEvent* event) {
    if (isUndo(*event))
        undo();
    else if (isRedo(*event))
        redo();
    else if (isStart(*event))
        start();
    else
        Page::keyPressEvent(event);
}

bool SetupPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        auto& key = static_cast<QKeyEvent&>(*event);
        if (isUndo(key) || isRedo(key)) {
            if (event->type() == QEvent::KeyPress)
                keyPressEvent(&key);
            event->accept();
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

} // namespace accumulus::ui
