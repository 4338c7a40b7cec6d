// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pages/page.h"

#include <QStringList>
#include <memory>

namespace accumulus::ui {

/// All runs: sortable and filterable table, details of the selected run, trash, export.
class LibraryPage : public Page {
    Q_OBJECT
public:
    explicit LibraryPage(Services services, QWidget* parent = nullptr);
    ~LibraryPage() override;
    void activated() override;

Q_SIGNALS:
    void setupRequested();
    void newFromRunRequested(const accumulus::ExperimentConfig& experiment);
    void resumeRequested(const QString& run);
    void compareRequested(const QStringList& groupA, const QStringList& groupB);
    void reportRequested(const QString& run);
    void showCurvesRequested(const QString& study);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui
