// SPDX-License-Identifier: GPL-3.0-or-later
// Writes runs to files through core/run/run_export, the same functions as the command line's. One run asks for a file,
// several for a folder. The writing is a long job of the gateway, which can be cancelled; it outlives the page that
// asked, and whichever page is there then tells what came of it. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"

#include <QObject>
#include <QStringList>
#include <functional>
#include <map>
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
/// A name that every file system takes, unlike that of any other run or kind; of TensorBoard's with a folder.
[[nodiscard]] QString exportName(const RunRecord& run, ExportKind kind);
/// In pieces: weights may be larger than what is free of the memory. Any thread.
[[nodiscard]] Status copyWeights(const std::string& from, const std::string& to, const std::stop_token& stop);

class RunExports : public QObject {
    Q_OBJECT
public:
    explicit RunExports(LibraryGateway& library, QObject* parent = nullptr);

    void ask(QWidget& over, const std::vector<RunRecord>& runs, ExportKind kind);              ///< dialogs over this
    void write(const std::vector<RunRecord>& runs, ExportKind kind, const QStringList& files); ///< one file per run
    void cancel();                   ///< all that are not written yet
    [[nodiscard]] int files() const; ///< on their way

Q_SIGNALS:
    void running(int files); ///< so many are on their way; 0: none
    void cancelled();
    void written(const QStringList& files);
    void failed(const accumulus::Error& error);

private:
    struct Job {
        std::stop_source stop;
        int files = 0;
    };
    void askToReplace(QWidget& over, QStringList there, const std::function<void()>& replace); ///< files of a folder

    LibraryGateway& m_library;
    std::map<int, Job> m_running; ///< by their order
    int m_begun = 0;
};

} // namespace accumulus::ui
