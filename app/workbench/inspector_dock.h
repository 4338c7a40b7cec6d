// SPDX-License-Identifier: GPL-3.0-or-later
// All about one run, at the right of the pages that show runs without their details: the run that the page in front is
// about (Page::inspectedRun). Hidden beside other pages, whatever a person has asked for. GUI thread; reads on the
// query thread.
#pragma once

#include "widgets/pages/library/run_inspector.h"

#include <QDockWidget>
#include <QTimer>

namespace accumulus::ui {

class InspectorDock : public QDockWidget {
    Q_OBJECT
public:
    InspectorDock(Services services, LibraryEdits& edits, QWidget* parent = nullptr);

    void follow(const Page* page); ///< the one in front
    void setWanted(bool wanted);   ///< remembered in the settings
    [[nodiscard]] bool isWanted() const { return m_wanted; }
    [[nodiscard]] QVariant state() const { return m_inspector->state(); } ///< for a window in another language
    void setState(const QVariant& state) { m_inspector->setState(state); }
    void saveEdits() { m_inspector->saveEdits(); }
    [[nodiscard]] bool hasUnsaved() const { return m_inspector->hasUnsaved(); }

Q_SIGNALS:
    void stateChanged(); ///< wanted or not, or whether the page has something for it

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void showState();
    void read();

    Services m_services;
    RunInspector* m_inspector;
    const Page* m_page = nullptr;
    QTimer m_readSoon;
    bool m_wanted;
};

} // namespace accumulus::ui
