// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/reports/report_saver.h"

#include "core/base/log.h"
#include "widgets/print/report_pages.h"

#include <QMetaObject>
#include <exception>
#include <utility>

namespace accumulus::ui {
namespace {

ReportSaver::Write writerOf(const ReportDocument& document, const QString& file) {
    if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        return reportPdfWriter(document, file);
    return [document, path = file.toStdString()] { return writeReport(document, path); };
}

Status outcomeOf(const ReportSaver::Write& write, const QString& file) {
    try {
        return write();
    } catch (const std::exception& problem) { // no memory
        return failure("file.write", {{"file", file.toStdString()}, {"reason", problem.what()}});
    }
}

} // namespace

ReportSaver::ReportSaver() : m_thread(QStringLiteral("reports")) {}

ReportSaver::~ReportSaver() = default;

void ReportSaver::save(const ReportDocument& document, const QString& file) { save(file, writerOf(document, file)); }

void ReportSaver::save(const QString& file, Write write) {
    m_files << file;
    m_thread.post([this, file, write = std::move(write)] {
        const Status status = outcomeOf(write, file);
        if (!status) // also where nobody is left to be told
            logWarning(describe(status.error()));
        // The destructor waits for this, so `this` is alive here; what is still queued then is dropped by QObject.
        QMetaObject::invokeMethod(
            this,
            [this, file, status] {
                m_files.removeOne(file);
                Q_EMIT finished({file, status});
            },
            Qt::QueuedConnection);
    });
}

} // namespace accumulus::ui
