// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/library_rights.h"

#include "widgets/bridge/library_gateway.h"

#include <QCoreApplication>

namespace accumulus::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::library_rights)
};

} // namespace

QString whyNoWriting(const LibraryGateway& library) {
    if (!library.awaited().empty())
        return Words::tr("Another library is being opened.");
    if (!library.otherWindow().isEmpty())
        return Words::tr("Another window has this library open.");
    return library.readOnly() ? Words::tr("This library is read-only.") : QString();
}

} // namespace accumulus::ui
