// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a person brings: looked at on a thread of its own, because disks may be slow, and put into words. GUI
// thread.
#pragma once

#include "core/run/file_settings.h"

#include <QMetaType>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

namespace accumulus::ui {

[[nodiscard]] std::filesystem::path toPath(const QString& file);
[[nodiscard]] QString fromPath(const std::filesystem::path& file);

/// "net.pt: a TorchScript module, as the network"
[[nodiscard]] QString fileWords(const FileKind& kind);
/// One line for each file.
[[nodiscard]] QString fileWords(const FileSettings& settings);

class BroughtFiles : public QObject {
    Q_OBJECT
public:
    explicit BroughtFiles(QObject* parent = nullptr);
    ~BroughtFiles() override; ///< waits for the look that is being taken

    /// answered() follows, unless another question comes first.
    void ask(const QStringList& files);
    void forget(); ///< what was asked is not answered any more

Q_SIGNALS:
    void answered(const accumulus::Result<accumulus::FileSettings>& settings);

private:
    QThreadPool m_pool;
    quint64 m_question = 0;
};

} // namespace accumulus::ui
