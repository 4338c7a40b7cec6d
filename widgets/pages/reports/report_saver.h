// SPDX-License-Identifier: GPL-3.0-or-later
// Writes reports to files on a thread of its own, one after the other. It belongs to the library and outlives the page,
// which is made anew for another language: whichever page is there then tells what came of a file. GUI thread.
#pragma once

#include "core/report/report_document.h"
#include "widgets/bridge/work_thread.h"

#include <QObject>
#include <QStringList>
#include <functional>

namespace accumulus::ui {

/// What came of a file.
struct SavedReport {
    QString file;
    Status status;
};

class ReportSaver : public QObject {
    Q_OBJECT
public:
    ReportSaver();
    ~ReportSaver() override; ///< waits until all is written; finished() is not emitted any more

    /// .html, .pdf or .md decides the format. The file is whole or as it was before. Errors "report.format",
    /// "file.write".
    void save(const ReportDocument& document, const QString& file);
    /// The same by other means; on the saver's thread.
    using Write = std::function<Status()>;
    void save(const QString& file, Write write);
    [[nodiscard]] const QStringList& files() const { return m_files; } ///< that are being written, in their order
    [[nodiscard]] bool isSaving() const { return !m_files.isEmpty(); }

Q_SIGNALS:
    void finished(const accumulus::ui::SavedReport& report);

private:
    QStringList m_files;
    WorkThread m_thread;
};

} // namespace accumulus::ui
