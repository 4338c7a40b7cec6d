// SPDX-License-Identifier: GPL-3.0-or-later
// How a network that lives in Python comes here: the lines to copy, the module that they need, the files that come out.
// On Home as a card, in Help as a window. GUI thread.
#pragma once

#include "core/base/result.h"
#include "widgets/style/theme.h"

#include <QWidget>
#include <filesystem>

class QLabel;

namespace accumulus::ui {

class RoleLabel;

/// The lines for Python, as they are copied.
[[nodiscard]] QString exportLines();
/// Writes accumulus_export.py there. Errors "file.open", "file.write".
[[nodiscard]] Status saveExportModule(const std::filesystem::path& file);

/// Buttons: ownNetworkCopy, ownNetworkSave, ownNetworkChoose.
class OwnNetwork : public QWidget {
    Q_OBJECT
public:
    explicit OwnNetwork(const Theme& theme, QWidget* parent = nullptr);
    void tell(const QString& text); ///< a short answer to a click

Q_SIGNALS:
    void filesChosen(const QStringList& files);

private:
    [[nodiscard]] QLabel* codeBlock();
    [[nodiscard]] QLayout* buttons();
    void copyLines();
    void saveModule();
    void chooseFiles();

    const Theme& m_theme;
    RoleLabel* m_told;
};

} // namespace accumulus::ui
