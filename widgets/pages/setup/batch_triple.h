// SPDX-License-Identifier: GPL-3.0-or-later
// The effective batch as the equation it is: m x K x D = B. D is typed, and two of m, K and B; the third, which a
// person chooses, is computed while typing. GUI thread.
#pragma once

#include "widgets/models/config_form.h"
#include "widgets/pages/setup/changed_chip.h"
#include "widgets/style/controls.h"
#include "widgets/style/number_box.h"
#include "widgets/style/wheel_guard.h"

#include <array>

class QComboBox;
class QGridLayout;

namespace accumulus::ui {

class BatchTriple : public QWidget {
    Q_OBJECT
public:
    enum Factor { Micro, Steps, Effective };

    BatchTriple(const Theme& theme, ConfigForm& form, QWidget* parent = nullptr);

    [[nodiscard]] Factor derived() const { return m_derived; }
    /// The numbers shown now stay, as far as they agree.
    void setDerived(Factor factor);
    [[nodiscard]] NumberBox* box(Factor factor) const { return m_boxes[factor]; }
    /// Keys of the field table that this widget edits.
    [[nodiscard]] static const std::vector<std::string>& keys();
    [[nodiscard]] QSize minimumSizeHint() const override; ///< of two lines, m × K and × D = B

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A number of the equation with its title above, whether it is changed and what is wrong with it below.
    struct Place {
        QWidget* head = nullptr;
        NumberBox* box = nullptr;
        ChangedChip* changed = nullptr;
        RoleLabel* problem = nullptr;
        [[nodiscard]] int width() const;
    };
    void addFactor(Factor factor);
    void addHead(Factor factor);
    void addChoice();
    void addDevices();
    void arrange(bool inTwoLines);
    void fit(); ///< in as many lines as the width asks for
    [[nodiscard]] int widthInOneLine() const;
    void typed(Factor factor);
    void store();
    void pull(bool reload);
    [[nodiscard]] double derivedNumber() const; ///< of what is stored; may be none, or no whole one
    void showDerived();
    void markDerived();
    [[nodiscard]] std::int64_t number(Factor factor) const;
    [[nodiscard]] std::int64_t goodNumber(Factor factor) const;

    const Theme& m_theme;
    ConfigForm& m_form;
    WheelGuard m_wheel; ///< the form scrolls under the choice
    Factor m_derived = Steps;
    QGridLayout* m_grid = nullptr;
    std::array<Place, 4> m_places{}; ///< m, K, D, B
    std::array<RoleLabel*, 3> m_signs{};
    bool m_inTwoLines = false;
    std::array<NumberBox*, 3> m_boxes{};
    std::array<RoleLabel*, 3> m_computed{}; ///< marks the one that is
    QWidget* m_choiceRow = nullptr;
    QComboBox* m_choice = nullptr; ///< of the one that is computed
    std::array<RoleLabel*, 3> m_problems{};
    NumberBox* m_devices;
    RoleLabel* m_devicesProblem;
};

} // namespace accumulus::ui
