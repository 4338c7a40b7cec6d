// SPDX-License-Identifier: GPL-3.0-or-later
// Writes files that take long, on threads of the global pool. They do not depend on their owner: where it goes, or the
// program ends, a file that was begun still becomes whole (QCoreApplication waits for the pool). GUI thread.
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QStringList>
#include <functional>

namespace accumulus::ui {

class FileWriter : public QObject {
    Q_OBJECT
public:
    /// True once nobody wants the file any more.
    using Cancelled = std::function<bool()>;
    /// On the other thread. It holds all that it needs, and leaves a whole file or none; its error goes to the log.
    using Write = std::function<Status(const Cancelled&)>;

    using QObject::QObject;

    void start(const QString& file, Write write);
    void cancel();                                                     ///< all of them
    [[nodiscard]] const QStringList& files() const { return m_files; } ///< that are being written

Q_SIGNALS:
    void changed(); ///< files()
    void written(const QString& file);
    void failed(const QString& file);

private:
    QStringList m_files;
};

} // namespace accumulus::ui
