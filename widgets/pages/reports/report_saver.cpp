// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/reports/report_saver.h"

#include "widgets/print/report_pages.h"

#include <QMetaObject>
#include <exception>
#include <utility>

namespace accumulus::ui {
namespace {

using Work = std::function<Status(const std::stop_token&)>;

Work workFor(const ReportDocument& document, const QString& file) {
    if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        return reportPdfWriter(document, file);
    return [document, path = file.toStdString()](const std::stop_token&) { return writeReport(document, path); };
}

Status outcomeOf(const Work& work, const QString& file, const std::stop_token& stop) {
    if (stop.stop_requested())
        return failure("library.cancelled");
    try {
        return work(stop);
    } catch (const std::exception& problem) { // no memory
        return failure("file.write", {{"file", file.toStdString()}, {"reason", problem.what()}});
    }
}

} // namespace

ReportSaver::ReportSaver() : m_thread(QStringLiteral("reports")) {}

ReportSaver::~ReportSaver() { m_stop.request_stop(); }

void ReportSaver::save(const ReportDocument& document, const QString& file, Done done) {
    ++m_saving;
    m_thread.post([this, work = workFor(document, file), file, done = std::move(done), stop = m_stop.get_token()] {
        const Status status = outcomeOf(work, file, stop);
        QMetaObject::invokeMethod(
            &m_host,
            [this, file, done, status] {
                --m_saving;
                done(file, status);
            },
            Qt::QueuedConnection);
    });
}

} // namespace accumulus::ui
