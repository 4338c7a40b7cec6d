// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/file_writer.h"

#include "core/base/log.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>
#include <exception>
#include <memory>
#include <utility>

namespace accumulus::ui {

namespace {

Status tried(const FileWriter::Write& write, const FileWriter::Cancelled& cancelled, const QString& file) {
    try {
        return write(cancelled);
    } catch (const std::exception& exception) {
        return failure("file.write", {{"file", file.toStdString()}, {"reason", exception.what()}});
    }
}

} // namespace

void FileWriter::start(const QString& file, Write write) {
    auto promise = std::make_shared<QPromise<Status>>();
    auto* watcher = new QFutureWatcher<Status>(this);
    connect(watcher, &QFutureWatcher<Status>::finished, this, [this, watcher, file] {
        watcher->deleteLater();
        m_files.removeOne(file);
        Q_EMIT changed();
        if (watcher->future().isCanceled())
            return;
        if (watcher->result())
            Q_EMIT written(file);
        else
            Q_EMIT failed(file);
    });
    watcher->setFuture(promise->future());
    m_files << file;
    QThreadPool::globalInstance()->start([promise, file, write = std::move(write)]() mutable {
        promise->start();
        const Status status = tried(
            std::exchange(write, {}), [&promise] { return promise->isCanceled(); }, file);
        if (!status && !promise->isCanceled())
            logWarning(describe(status.error()));
        promise->addResult(status);
        promise->finish();
    });
    Q_EMIT changed();
}

void FileWriter::cancel() {
    for (auto* watcher : findChildren<QFutureWatcherBase*>(QString(), Qt::FindDirectChildrenOnly))
        watcher->cancel();
}

} // namespace accumulus::ui
