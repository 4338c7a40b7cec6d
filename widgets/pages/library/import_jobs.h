// SPDX-License-Identifier: GPL-3.0-or-later
// Imports on their way: the reading is a long job of the gateway's, the writing an edit. They belong to the library and
// outlive the page that asked, which is made anew for another language: whichever page is there then tells what came of
// them. Values only. GUI thread.
#pragma once

#include "core/run/run_import.h"

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

namespace accumulus::ui {

class LibraryGateway;

class ImportJobs : public QObject {
    Q_OBJECT
public:
    explicit ImportJobs(LibraryGateway& library);
    ~ImportJobs() override; ///< ends what is read

    void read(const QStringList& files, const ImportOptions& options = {});
    void cancel();                   ///< all of them, as far as nothing is written
    [[nodiscard]] int files() const; ///< on their way

Q_SIGNALS:
    void imported(const accumulus::ImportOutcome& outcome);
    /// "library.cancelled" where it was cancelled, or another library was opened meanwhile.
    void failed(const accumulus::Error& error, const QStringList& files);

private:
    struct Job;
    void write(const std::shared_ptr<Job>& job);
    void finish(const std::shared_ptr<Job>& job, const Error& error);

    LibraryGateway& m_library;
    std::vector<std::shared_ptr<Job>> m_jobs;
};

} // namespace accumulus::ui
