// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_exports.h"

#include "core/launch/remote_files.h"
#include "core/run/run_export.h"
#include "widgets/style/format.h"

#include <QDir>
#include <QFileDialog>
#include <QRegularExpression>
#include <QSettings>
#include <optional>

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

Status exportOne(RunReader& reader, const std::string& run, ExportKind kind, const std::filesystem::path& file) {
    switch (kind) {
    case ExportKind::Csv:
        return exportRunCsv(reader, run, file);
    case ExportKind::Json:
        return exportRunJson(reader, run, file);
    case ExportKind::WeightsBest:
        return exportWeightsFromAnywhere(reader, run, ExportedWeights::Best, file);
    case ExportKind::WeightsLast:
        return exportWeightsFromAnywhere(reader, run, ExportedWeights::Last, file);
    case ExportKind::WeightsInitial:
        return exportWeightsFromAnywhere(reader, run, ExportedWeights::Initial, file);
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
    m_library.query<std::optional<Error>>(
        this,
        QStringLiteral("export %1").arg(files.join(QLatin1Char('\n'))), // two exports at once do not cancel each other
        [ids, kind, files](RunReader& reader) -> std::optional<Error> {
            for (std::size_t i = 0; i < ids.size(); ++i) {
                const Status status = exportOne(reader, ids[i], kind, files[static_cast<qsizetype>(i)].toStdString());
                if (!status)
                    return status.error();
            }
            return {};
        },
        [this, files](const std::optional<Error>& error) {
            if (error)
                Q_EMIT failed(*error);
            else
                Q_EMIT written(files);
        });
}

} // namespace accumulus::ui
