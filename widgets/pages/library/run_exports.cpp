// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_exports.h"

#include "core/base/atomic_file.h"
#include "core/launch/remote_files.h"
#include "core/run/run_export.h"
#include "widgets/style/format.h"

#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace accumulus::ui {
namespace {

const QString folderKey = QStringLiteral("library/exportFolder");
constexpr qsizetype listedFiles = 10;
constexpr std::size_t pieceSize = std::size_t{1} << 20; ///< of weights that are copied

QString suffixOf(ExportKind kind) {
    switch (kind) {
    case ExportKind::Csv:
    case ExportKind::WideCsv:
        return QStringLiteral("csv");
    case ExportKind::Json:
        return QStringLiteral("json");
    case ExportKind::EventsByUpdates:
    case ExportKind::EventsBySamples:
        return QStringLiteral("tfevents");
    case ExportKind::WeightsBest:
    case ExportKind::WeightsLast:
    case ExportKind::WeightsInitial:
        return QStringLiteral("safetensors");
    }
    return {};
}

/// What tells a file from the others of its run.
QString partOf(ExportKind kind) {
    switch (kind) {
    case ExportKind::Csv:
    case ExportKind::Json:
    case ExportKind::EventsByUpdates:
        return {};
    case ExportKind::WideCsv:
        return QStringLiteral("-wide");
    case ExportKind::EventsBySamples:
        return QStringLiteral("-samples");
    case ExportKind::WeightsBest:
        return QStringLiteral("-best");
    case ExportKind::WeightsLast:
        return QStringLiteral("-last");
    case ExportKind::WeightsInitial:
        return QStringLiteral("-initial");
    }
    return {};
}

Status statusOf(const Result<std::filesystem::path>& written) { return written ? Status() : failure(written.error()); }

Status exportOne(RunReader& reader, const std::string& run, ExportKind kind, const std::filesystem::path& file,
                 const std::stop_token& stop) {
    switch (kind) {
    case ExportKind::Csv:
        return exportRunCsv(reader, run, file, stop);
    case ExportKind::WideCsv:
        return exportRunWideCsv(reader, run, file, stop);
    case ExportKind::Json:
        return exportRunJson(reader, run, file, stop);
    case ExportKind::EventsByUpdates:
        return statusOf(exportRunEvents(reader, run, ExportedStep::Updates, file, stop));
    case ExportKind::EventsBySamples:
        return statusOf(exportRunEvents(reader, run, ExportedStep::Samples, file, stop));
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

Status copyWeights(const std::string& from, const std::string& to, const std::stop_token& stop) {
    std::ifstream weights(from, std::ios::binary);
    if (!weights)
        return failure("file.open", {{"file", from}, {"reason", std::strerror(errno)}});
    return writeFileInPieces(to, [&](const TakePiece& take) -> Status {
        std::string piece(pieceSize, '\0');
        while (weights) {
            if (stop.stop_requested())
                return failure("library.cancelled");
            weights.read(piece.data(), static_cast<std::streamsize>(piece.size()));
            ACCUMULUS_TRY(take(std::string_view(piece.data(), static_cast<std::size_t>(weights.gcount()))));
        }
        if (weights.bad())
            return failure("file.open", {{"file", from}, {"reason", std::strerror(errno)}});
        return {};
    });
}

bool isWeights(ExportKind kind) { return suffixOf(kind) == QLatin1String("safetensors"); }

QString exportName(const RunRecord& run, ExportKind kind) {
    static const QRegularExpression awkward(QStringLiteral("[^A-Za-z0-9._-]+"));
    QString name = format::fromUtf8(run.name);
    name.replace(awkward, QStringLiteral("-"));
    name += QLatin1Char('-') + QString::fromStdString(run.id.substr(0, 8)) + partOf(kind);
    // TensorBoard finds files by a part of their name, and takes a folder for a run.
    if (suffixOf(kind) == QLatin1String("tfevents"))
        return QStringLiteral("%1/events.out.tfevents.%2.%3")
            .arg(name)
            .arg(static_cast<qint64>(run.createdAt))
            .arg(QString::fromStdString(run.id.substr(0, 8)));
    return name + QLatin1Char('.') + suffixOf(kind);
}

RunExports::RunExports(LibraryGateway& library, QObject* parent) : QObject(parent), m_library(library) {}

void RunExports::ask(QWidget& over, const std::vector<RunRecord>& runs, ExportKind kind) {
    if (runs.empty())
        return;
    const QString folder = QSettings().value(folderKey, QDir::homePath()).toString();
    QStringList files;
    const bool folders = suffixOf(kind) == QLatin1String("tfevents"); // one for each run
    if (runs.size() == 1 && !folders) {
        const QString file = QFileDialog::getSaveFileName(&over, tr("Export run"),
                                                          QDir(folder).filePath(exportName(runs.front(), kind)));
        if (file.isEmpty())
            return;
        files << file;
    } else {
        const QString chosen = QFileDialog::getExistingDirectory(
            &over, tr("Folder for %n file(s)", nullptr, static_cast<int>(runs.size())), folder);
        if (chosen.isEmpty())
            return;
        for (const RunRecord& run : runs)
            files << QDir(chosen).filePath(exportName(run, kind));
    }
    const QDir written = QFileInfo(files.front()).absoluteDir();
    QSettings().setValue(folderKey, folders ? QFileInfo(written.path()).absolutePath() : written.path());
    QStringList there; // the dialog of a single file asks by itself
    if (runs.size() > 1 || folders)
        std::ranges::copy_if(files, std::back_inserter(there), [](const QString& file) { return QFile::exists(file); });
    if (there.isEmpty())
        write(runs, kind, files);
    else
        askToReplace(over, there, [this, runs, kind, files] { write(runs, kind, files); });
}

void RunExports::askToReplace(QWidget& over, QStringList there, const std::function<void()>& replace) {
    for (QString& file : there)
        file = QFileInfo(file).fileName();
    if (there.size() > listedFiles) {
        there.resize(listedFiles);
        there << QStringLiteral("…");
    }
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Replace files"),
                                tr("The folder already has files with these names. Replace them?"),
                                QMessageBox::NoButton, &over);
    box->setObjectName(QStringLiteral("replaceFilesDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(there.join(QLatin1Char('\n')));
    QPushButton* yes = box->addButton(tr("Replace"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("replaceFilesConfirm"));
    box->setDefaultButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, replace);
    box->open();
}

void RunExports::write(const std::vector<RunRecord>& runs, ExportKind kind, const QStringList& files) {
    std::vector<std::string> ids;
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    const std::stop_source job = m_library.start(
        this,
        [ids, kind, files](RunReader& reader, const std::stop_token& stop) -> Status {
            for (std::size_t i = 0; i < ids.size(); ++i)
                ACCUMULUS_TRY(exportOne(reader, ids[i], kind, files[static_cast<qsizetype>(i)].toStdString(), stop));
            return {};
        },
        [this, files, number = ++m_begun](const Status& status) {
            m_running.erase(number);
            Q_EMIT running(this->files());
            if (status)
                Q_EMIT written(files);
            else if (status.error().code == "library.cancelled")
                Q_EMIT cancelled();
            else
                Q_EMIT failed(status.error());
        });
    m_running[m_begun] = {job, static_cast<int>(files.size())};
    Q_EMIT running(this->files());
}

int RunExports::files() const {
    int files = 0;
    for (const auto& [number, job] : m_running)
        files += job.files;
    return files;
}

void RunExports::cancel() {
    for (auto& [number, job] : m_running)
        job.stop.request_stop();
}

} // namespace accumulus::ui
