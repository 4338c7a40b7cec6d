// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/brought_files.h"

#include "widgets/style/format.h"

#include <QFile>
#include <QFileInfo>

namespace accumulus::ui {

std::filesystem::path toPath(const QString& file) { return QFile::encodeName(file).toStdString(); }

QString fromPath(const std::filesystem::path& file) {
    return QFile::decodeName(QByteArray::fromStdString(file.string()));
}

QStringList fileNames(const QStringList& files) {
    QStringList names;
    for (const QString& file : files)
        names << QFileInfo(file).fileName();
    return names;
}

QString fileWords(const FileKind& kind) {
    const QString name = format::fromUtf8(kind.path.filename().string());
    const QString what = format::message(kind.what);
    switch (kind.role) {
    case FileRole::Model:
        return BroughtFiles::tr("%1: %2, as the network").arg(name, what);
    case FileRole::Weights:
        return BroughtFiles::tr("%1: %2, as initial weights").arg(name, what);
    case FileRole::Data:
        return BroughtFiles::tr("%1: %2, as data").arg(name, what);
    case FileRole::Experiment:
        return BroughtFiles::tr("%1: %2, fills the form").arg(name, what);
    case FileRole::Library:
    case FileRole::None:
        break;
    }
    return BroughtFiles::tr("%1: %2").arg(name, what);
}

QString fileWords(const FileSettings& settings) {
    QStringList lines;
    for (const FileKind& kind : settings.kinds)
        lines << fileWords(kind);
    lines.removeDuplicates(); // several files of one folder
    return lines.join(QLatin1Char('\n'));
}

void BroughtFiles::lookAt(const QStringList& files) { inBackground(files, lookAtFiles); }

void BroughtFiles::ask(const QStringList& files, const RunConfig& current) {
    inBackground(
        files, [current](const std::vector<std::filesystem::path>& paths) { return settingsForFiles(paths, current); });
}

void BroughtFiles::inBackground(const QStringList& files, Question question) {
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files)
        paths.push_back(toPath(file));
    m_lookUps.clear();
    m_lookUps.ask<FileSettings>([question = std::move(question), paths = std::move(paths)] { return question(paths); },
                                [this, number = ++m_question](const Result<FileSettings>& settings) {
                                    if (number == m_question)
                                        Q_EMIT answered(settings);
                                });
}

void BroughtFiles::forget() { ++m_question; }

} // namespace accumulus::ui
