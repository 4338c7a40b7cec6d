// SPDX-License-Identifier: GPL-3.0-or-later
// The mistakes that accumulation loops make, each with where it was shipped, its formula, its thread and a picture of
// its weights. GUI thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "widgets/plots/weight_bars.h"
#include "widgets/style/controls.h"

#include <QString>

class QListWidget;
class QPushButton;
class QScrollArea;

namespace accumulus::ui {

class AuditGallery : public QWidget {
    Q_OBJECT
public:
    explicit AuditGallery(const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] QString current() const; ///< code of the pattern that is shown
    void setCurrent(const QString& code);
    /// Nothing is being audited or trained; `why`: else, where a person cannot see it.
    void setShowPossible(bool possible, const QString& why = {});

Q_SIGNALS:
    /// The audit of the current subject with this mistake built in.
    void showRequested(const QString& code);

private:
    [[nodiscard]] QWidget* buildDetail();
    void fillList();
    void showPattern();

    const Theme& m_theme;
    QListWidget* m_list;
    RoleLabel* m_title;
    RoleLabel* m_shipped;
    RoleLabel* m_why;
    QWidget* m_formulaRow;
    RoleLabel* m_formula;
    QPushButton* m_thread;
    WeightBars* m_picture;
    RoleLabel* m_pictureNote;
    QPushButton* m_show;
    bool m_possible = true;
    QString m_whyNot;
};

} // namespace accumulus::ui
