// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pages/page.h"

#include <QStringList>
#include <memory>

namespace accumulus::ui {

/// Preview of a run's or a comparison's report, saved as HTML, PDF or Markdown. Always light colours.
class ReportsPage : public Page {
    Q_OBJECT
public:
    explicit ReportsPage(Services services, QWidget* parent = nullptr);
    ~ReportsPage() override;
    void activated() override;
    void showRun(const QString& run);
    void showComparison(const QStringList& groupA, const QStringList& groupB);

Q_SIGNALS:
    void setupRequested();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui
