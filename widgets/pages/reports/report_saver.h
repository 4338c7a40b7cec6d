// SPDX-License-Identifier: GPL-3.0-or-later
// Writes reports to files on a thread of its own, one after the other. GUI thread.
#pragma once

#include "core/report/report_document.h"
#include "widgets/bridge/work_thread.h"

#include <QObject>
#include <QString>
#include <functional>

namespace accumulus::ui {

class ReportSaver {
public:
    using Done = std::function<void(const QString& file, const Status& status)>;

    ReportSaver();
    ~ReportSaver(); ///< waits until all is written; `done` is not called any more
    ReportSaver(const ReportSaver&) = delete;
    ReportSaver& operator=(const ReportSaver&) = delete;

    /// .html, .pdf or .md decides the format; then `done` on the GUI thread. The file is whole or as it was before.
    /// Errors "report.format", "file.write".
    void save(const ReportDocument& document, const QString& file, Done done);
    [[nodiscard]] bool isSaving() const { return m_saving > 0; }

private:
    int m_saving = 0;
    QObject m_host;      ///< takes the answers
    WorkThread m_thread; ///< goes first
};

} // namespace accumulus::ui
