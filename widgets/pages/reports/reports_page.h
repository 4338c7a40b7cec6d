// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/models/comparison_loader.h"
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
    [[nodiscard]] QVariant state() const override; ///< the report that is shown
    void setState(const QVariant& state) override;
    void showRun(const QString& run);
    void showAudit(const QString& audit, const QString& title); ///< its UUID, and how it is called until it is read
    [[nodiscard]] std::optional<QString> inspectedRun() const override; ///< of a report on one run
    /// `metric` empty and `margin` 0: what the study says.
    void showComparison(const ComparisonRequest& request);
    void showComparison(const QStringList& groupA, const QStringList& groupB, const QString& metric = {},
                        double margin = 0.0);

    /// Saves the report that is shown, on a thread of its own; .html, .pdf or .md decides the format. saved() or
    /// notSaved() and the notice bar tell what came of it.
    void saveTo(const QString& file);

Q_SIGNALS:
    void setupRequested();
    void reportShown(); ///< the preview holds what was asked for
    void saved(const QString& file);
    /// Errors "report.none", "report.format", "file.write".
    void notSaved(const QString& file, const accumulus::Error& error);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui
