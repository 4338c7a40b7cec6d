// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/inspector_dock.h"

#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QCloseEvent>
#include <QSettings>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto wantedKey = "window/inspector";
constexpr int smallestWidth = 280;
constexpr int usualWidth = 340;
constexpr int largestUsualWidth = 400; // Live has to have room beside it in a window of usual size
constexpr auto readPause = 700ms;      // while a run trains the library changes all the time

/// A dock is as wide as its content asks until a person drags it, and tabs that can scroll ask for hardly anything:
/// wide enough for all of them side by side.
class Content : public QWidget {
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override {
        const QMargins margins = layout()->contentsMargins();
        const auto* tabs = findChild<QTabBar*>();
        const int wanted = margins.left() + margins.right() + (tabs ? tabs->sizeHint().width() : 0);
        return {std::clamp(wanted, usualWidth, largestUsualWidth), QWidget::sizeHint().height()};
    }
};

} // namespace

InspectorDock::InspectorDock(Services services, LibraryEdits& edits, QWidget* parent)
    : QDockWidget(tr("Inspector"), parent), m_services(services), m_inspector(new RunInspector(services, edits)),
      m_wanted(QSettings().value(QLatin1String(wantedKey)).toBool()) {
    setObjectName(QStringLiteral("inspectorDock"));
    setFeatures(DockWidgetClosable);
    setAllowedAreas(Qt::RightDockWidgetArea);
    auto* content = new Content;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(space::m, space::s, space::m, space::s);
    column->addWidget(m_inspector);
    content->setMinimumWidth(smallestWidth);
    setWidget(content);
    m_readSoon.setSingleShot(true);
    m_readSoon.setInterval(readPause);
    connect(&m_readSoon, &QTimer::timeout, this, &InspectorDock::read);
    connect(&m_services.library, &LibraryGateway::opened, this, &InspectorDock::read);
    connect(&m_services.library, &LibraryGateway::changed, this, [this] {
        if (!m_readSoon.isActive())
            m_readSoon.start();
    });
}

void InspectorDock::follow(const Page* page) {
    m_inspector->saveEdits(); // the next page may show the same run
    if (m_page)
        disconnect(m_page, nullptr, this, nullptr);
    m_page = page;
    if (page) {
        connect(page, &Page::inspectedRunChanged, this, &InspectorDock::showState);
        connect(page, &QObject::destroyed, this, [this] { m_page = nullptr; });
    }
    showState();
}

void InspectorDock::setWanted(bool wanted) {
    if (std::exchange(m_wanted, wanted) == wanted)
        return;
    QSettings().setValue(QLatin1String(wantedKey), wanted);
    showState();
}

void InspectorDock::closeEvent(QCloseEvent* event) {
    QDockWidget::closeEvent(event);
    setWanted(false);
}

void InspectorDock::showEvent(QShowEvent* event) {
    QDockWidget::showEvent(event);
    read();
}

void InspectorDock::showState() {
    setVisible(m_wanted && m_page && m_page->inspectedRun());
    Q_EMIT stateChanged();
    read();
}

void InspectorDock::read() {
    if (!isVisible() || !m_page || !m_services.library.isOpen())
        return;
    const QString run = m_page->inspectedRun().value_or(QString());
    if (run.isEmpty())
        return m_inspector->showNothing(0);
    m_services.library.query<Result<RunRecord>>(
        this, QStringLiteral("inspector"), [id = run.toStdString()](RunReader& reader) { return reader.run(id); },
        [this, run](const Result<RunRecord>& read) {
            if (!m_page || m_page->inspectedRun() != run) // another one is on its way
                return;
            if (read)
                m_inspector->showRun(*read);
            else
                m_inspector->showNothing(0);
        },
        [](const Error&) {}); // of another library: read again once that is open
}

} // namespace accumulus::ui
