// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of config_check where they matter: mark, sentence, buttons that mend it. GUI thread.
#pragma once

#include "core/config/config_check.h"
#include "widgets/style/controls.h"

#include <QWidget>
#include <vector>

namespace accumulus::ui {

/// Labels of the warning and error roles are one line by default, and again after every change of theme; this one
/// wraps.
void keepWrapped(RoleLabel* label, const Theme& theme);

/// Leads to the field of a finding and changes nothing.
[[nodiscard]] Fix fieldLink();

class FindingList : public QWidget {
    Q_OBJECT
public:
    /// Object names: prefix + id of the sentence, prefix + id + "." + fix of a button.
    FindingList(const Theme& theme, QString prefix, QWidget* parent = nullptr);
    void setFindings(std::vector<Finding> findings); ///< keeps the buttons (and the focus) when nothing has changed
    [[nodiscard]] const std::vector<Finding>& findings() const { return m_findings; }

Q_SIGNALS:
    void fixChosen(const accumulus::Finding& finding, const accumulus::Fix& fix);

private:
    [[nodiscard]] QWidget* makeRow(const Finding& finding);

    const Theme& m_theme;
    QString m_prefix;
    std::vector<Finding> m_findings;
    QVBoxLayout* m_rows;
};

} // namespace accumulus::ui
