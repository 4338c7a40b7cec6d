// SPDX-License-Identifier: GPL-3.0-or-later
// Writes runs to files through core/run/run_export, the same functions as the command line's. One run asks for a file,
// several for a folder. The writing is a long job of the gateway, which can be cancelled. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"

#include <QObject>
#include <QStringList>
#include <stop_token>
#include <string>
#include <vector>

class QWidget;

namespace accumulus::ui {

enum class ExportKind {
    Csv,
    WideCsv,
    Json,
    EventsByUpdates, ///< TensorBoard's steps are updates
    EventsBySamples,
    WeightsBest,
    WeightsLast,
    WeightsInitial
};
[[nodiscard]] bool isWeights(ExportKind kind);
/// In pieces: weights may be larger than what is free of the memory. Any thread.
[[nodiscard]] Status copyWeights(const std::string& from, const std::string& to, const std::stop_token& stop);

class RunExports : public QObject {
    Q_OBJECT
public:
    RunExports(LibraryGateway& library, QWidget* parent);

    void ask(const std::vector<RunRecord>& runs, ExportKind kind);
    void write(const std::vector<RunRecord>& runs, ExportKind kind, const QStringList& files); ///< one file per run
    void cancel(); ///< all that are not written yet

Q_SIGNALS:
    void begun(int files);
    void cancelled();
    void written(const QStringList& files);
    void failed(const accumulus::Error& error);

private:
    LibraryGateway& m_library;
    QWidget* m_parent;
    std::vector<std::stop_source> m_running;
};

} // namespace accumulus::ui
