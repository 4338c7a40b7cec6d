// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_exports.h"

#include "core/launch/remote_files.h"
#include "core/run/run_export.h"
#include "widgets/style/format.h"

#include <QDir>
#include <QFileDialog>
#include <QRegularExpression>
#include <QSettings>

namespace accumulus::ui {
namespace {

const QString folderKey = QStringLiteral("library/exportFolder");

QString suffixOf(ExportKind kind) {
    switch (kind) {
    case ExportKind::Csv:
        return QStringLiteral("csv");
    case ExportKind::Json:
        return QStringLiteral("json");
    case ExportKind::WeightsBest:
    case ExportKind::WeightsLast:
    case ExportKind::WeightsInitial:
        return QStringLiteral("safetensors");
    }
    return {};
}

/// A name that every file system takes, unlike any other run's.
QString fileName(const RunRecord& run, ExportKind kind) {
    static const QRegularExpression awkward(QStringLiteral("[^A-Za-z0-9._-]+"));
    QString name = format::fromUtf8(run.name);
    name.replace(awkward, QStringLiteral("-"));
    return QStringLiteral("%1-%2.%3").arg(name, QString::fromStdString(run.id.substr(0, 8)), suffixOf(kind));
}

Status exportOne(RunReader& reader, const std::string& run, ExportKind kind, const std::filesystem::path& file,
                 const std::stop_token& stop) {
    switch (kind) {
    case ExportKind::Csv:
        return exportRunCsv(reader, run, file, stop);
    case ExportKind::Json:
        return exportRunJson(reader, run, file, stop);
    case ExportKind::WeightsBest:
        return exportWeightsFromAnywhere(reader, run, ExportedWeights::Best, file, stop);
    case ExportKind::WeightsLast:
        return exportWeightsFromAnywhere(reader, run, ExportedWeights::Last, file, stop);
    case ExportKind::WeightsInitial:
        return exportWeightsFromAnywhere(reader, run, ExportedWeights::Initial, file, stop);
    }
    return {};
}

} // namespace

RunExports::RunExports(LibraryGateway& library, QWidget* parent)
    : QObject(parent), m_library(library), m_parent(parent) {}

void RunExports::ask(const std::vector<RunRecord>& runs, ExportKind kind) {
    if (runs.empty())
        return;
    const QString folder = QSettings().value(folderKey, QDir::homePath()).toString();
    QStringList files;
    if (runs.size() == 1) {
        const QString file = QFileDialog::getSaveFileName(m_parent, tr("Export run"),
                                                          QDir(folder).filePath(fileName(runs.front(), kind)));
        if (file.isEmpty())
            return;
        files << file;
    } else {
        const QString chosen = QFileDialog::getExistingDirectory(
            m_parent, tr("Folder for %n file(s)", nullptr, static_cast<int>(runs.size())), folder);
        if (chosen.isEmpty())
            return;
        for (const RunRecord& run : runs)
            files << QDir(chosen).filePath(fileName(run, kind));
    }
    QSettings().setValue(folderKey, QFileInfo(files.front()).absolutePath());
    write(runs, kind, files);
}

void RunExports::write(const std::vector<RunRecord>& runs, ExportKind kind, const QStringList& files) {
    std::vector<std::string> ids;
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    Q_EMIT begun(static_cast<int>(files.size()));
    m_running.push_back(m_library.start(
        this,
        [ids, kind, files](RunReader& reader, const std::stop_token& stop) -> Status {
            for (std::size_t i = 0; i < ids.size(); ++i)
                ACCUMULUS_TRY(exportOne(reader, ids[i], kind, files[static_cast<qsizetype>(i)].toStdString(), stop));
            return {};
        },
        [this, files](const Status& status) {
            if (status)
                Q_EMIT written(files);
            else if (status.error().code == "library.cancelled")
                Q_EMIT cancelled();
            else
                Q_EMIT failed(status.error());
        }));
}

void RunExports::cancel() {
    for (std::stop_source& job : m_running)
        job.request_stop();
    m_running.clear();
}

} // namespace accumulus::ui
