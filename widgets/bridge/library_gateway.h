// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI's way to the library: short reads on the GUI thread, long ones on a query thread with a connection of its own, edits through a short-lived writer.
// Tells when the library has changed (this process or another). GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <QObject>
#include <QPointer>
#include <QThread>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace accumulus::ui {

class LibraryGateway : public QObject {
    Q_OBJECT
public:
    explicit LibraryGateway(QObject* parent = nullptr);
    ~LibraryGateway() override;

    /// Creates the file when missing. Marks stale runs interrupted and announces them.
    [[nodiscard]] Status open(const std::filesystem::path& file);
    [[nodiscard]] const std::filesystem::path& path() const;
    [[nodiscard]] bool isOpen() const;

    /// Reader of the GUI thread: lists and single runs only (nothing that touches many windows).
    [[nodiscard]] RunReader& reader();

    /// Runs `work` on the query thread and `done` on the GUI thread, unless `context` has gone or a later query of the same `token` was asked.
    template <class R>
    void query(QObject* context, const QString& token, std::function<R(RunReader&)> work, std::function<void(R)> done) {
        post(context, token, [work = std::move(work), done = std::move(done)](RunReader& reader) -> std::function<void()> {
            auto result = std::make_shared<R>(work(reader));
            return [result, done] { done(std::move(*result)); };
        });
    }

    /// Runs `edit` with a writer and announces the change.
    [[nodiscard]] Status edit(const std::function<Status(RunStore&)>& edit);

Q_SIGNALS:
    void opened();
    void changed();                                       ///< rows were committed by someone
    void interruptedRunsFound(const QStringList& runs);   ///< at open

private:
    void post(QObject* context, const QString& token, std::function<std::function<void()>(RunReader&)> work);
    void poll();

    std::filesystem::path m_path;
    std::optional<RunReader> m_reader;
    QThread m_thread;
    QObject* m_queryHost = nullptr; ///< lives in m_thread
    std::shared_ptr<std::optional<RunReader>> m_queryReader;
    QTimer m_timer;
    std::int64_t m_dataVersion = -1;
    std::shared_ptr<std::map<QString, quint64>> m_tokens;
};

} // namespace accumulus::ui
