// SPDX-License-Identifier: GPL-3.0-or-later
// The experiments that come with the program, each with the question that it asks. Non-modal. GUI thread.
#pragma once

#include "core/config/example_list.h"
#include "widgets/bridge/look_ups.h"
#include "widgets/style/theme.h"

#include <QDialog>
#include <filesystem>
#include <vector>

class QListWidget;
class QPushButton;

namespace accumulus::ui {

class ExamplesDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder`: of the experiments; it is read on a thread of its own.
    ExamplesDialog(const Theme& theme, const std::filesystem::path& folder, QWidget* parent);

Q_SIGNALS:
    void chosen(const QString& file);

private:
    void fill(const Result<std::vector<Example>>& examples);
    void choose();

    QListWidget* m_list;
    QPushButton* m_open;
    LookUps m_lookUps;
};

} // namespace accumulus::ui
