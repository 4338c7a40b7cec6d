// SPDX-License-Identifier: GPL-3.0-or-later
// Where to train: this computer, or one of the places that the person has named. GUI thread.
#pragma once

#include "core/store/run_records.h"
#include "widgets/style/controls.h"

#include <QDialog>
#include <QPointer>
#include <QWidget>
#include <optional>
#include <vector>

class QComboBox;
class QToolButton;

namespace accumulus::ui {

class PlaceBox : public QWidget {
    Q_OBJECT
public:
    explicit PlaceBox(const Theme& theme, QWidget* parent = nullptr);

    /// Nothing: this computer.
    [[nodiscard]] std::optional<LaunchPlace> place() const;

Q_SIGNALS:
    void placeChanged();

private:
    void fill(int current);
    void chosen(int index);
    void edit(std::optional<std::size_t> known);

    const Theme& m_theme;
    QComboBox* m_box;
    QToolButton* m_edit;
    std::vector<LaunchPlace> m_places;
    int m_current = 0;
    QPointer<QDialog> m_dialog;
};

} // namespace accumulus::ui
