// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a person brings: looked at on a thread of its own, because disks may be slow, and put into words. GUI
// thread.
#pragma once

#include "core/run/file_settings.h"
#include "widgets/bridge/look_ups.h"

#include <QMetaType>
#include <QObject>
#include <QStringList>
#include <functional>
#include <vector>

namespace accumulus::ui {

[[nodiscard]] std::filesystem::path toPath(const QString& file);
[[nodiscard]] QString fromPath(const std::filesystem::path& file);

/// Without their folders.
[[nodiscard]] QStringList fileNames(const QStringList& files);
/// "net.pt: a TorchScript module, as the network"
[[nodiscard]] QString fileWords(const FileKind& kind);
/// One line for each file.
[[nodiscard]] QString fileWords(const FileSettings& settings);

class BroughtFiles : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// answered() follows, unless another question comes first. lookAt: without settings, soon whatever the size.
    void lookAt(const QStringList& files);
    void ask(const QStringList& files, const RunConfig& current);
    void forget(); ///< what was asked is not answered any more

Q_SIGNALS:
    void answered(const accumulus::Result<accumulus::FileSettings>& settings);

private:
    using Question = std::function<Result<FileSettings>(const std::vector<std::filesystem::path>&)>;
    void inBackground(const QStringList& files, Question question);

    LookUps m_lookUps;
    quint64 m_question = 0;
};

} // namespace accumulus::ui
