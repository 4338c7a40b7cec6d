// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/reports/report_saver.h"

#include "core/base/log.h"
#include "widgets/print/report_pages.h"

#include <QMetaObject>
#include <exception>
#include <utility>

namespace accumulus::ui {
namespace {

using Work = std::function<Status()>;

Work workFor(const ReportDocument& document, const QString& file) {
    if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        return reportPdfWriter(document, file);
    return [document, path = file.toStdString()] { return writeReport(document, path); };
}

Status outcomeOf(const Work& work, const QString& file) {
    try {
        return work();
    } catch (const std::exception& problem) { // no memory
        return failure("file.write", {{"file", file.toStdString()}, {"reason", problem.what()}});
    }
}

} // namespace

ReportSaver::ReportSaver() : m_thread(QStringLiteral("reports")) {}

ReportSaver::~ReportSaver() = default;

void ReportSaver::save(const ReportDocument& document, const QString& file, Done done) {
    ++m_saving;
    m_thread.post([this, work = workFor(document, file), file, done = std::move(done)] {
        const Status status = outcomeOf(work, file);
        if (!status) // also where nobody is left to be told
            logWarning(describe(status.error()));
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
