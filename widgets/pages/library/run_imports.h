// SPDX-License-Identifier: GPL-3.0-or-later
// Brings runs into the library through core/run/run_import, the same function as the command line's: files that are
// chosen, or dropped on the page. What is on its way, and what came of it, stands in a bar of its own. GUI thread.
#pragma once

#include "core/run/run_import.h"
#include "widgets/pages/page.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace accumulus::ui {

class DropFrame;
class ImportJobs;
class NoticeBar;

class RunImports : public QObject {
    Q_OBJECT
public:
    /// `page` takes drops from now on.
    RunImports(Services services, QWidget& page);

    [[nodiscard]] NoticeBar* notice() const { return m_notice; } ///< for the page's layout
    void ask();
    void read(const QStringList& files, const ImportOptions& options = {});

Q_SIGNALS:
    void imported(const QStringList& runs); ///< added ones

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showReading();
    void show(const ImportOutcome& outcome);
    void showError(const Error& error, const QStringList& files);
    [[nodiscard]] bool entered(QEvent& event);

    LibraryGateway& m_library;
    ImportJobs& m_jobs;
    QWidget& m_page;
    NoticeBar* m_notice;
    DropFrame* m_frame;
    QTimer m_noticeEnd;
};

} // namespace accumulus::ui
