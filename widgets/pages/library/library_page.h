// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pages/page.h"

#include <QList>
#include <QStringList>
#include <memory>

class QAction;
class QUndoStack;

namespace accumulus::ui {

/// All runs: sortable and filterable table, details of the selected run, trash, export.
class LibraryPage : public Page {
    Q_OBJECT
public:
    explicit LibraryPage(Services services, QWidget* parent = nullptr);
    ~LibraryPage() override;
    void activated() override;

    [[nodiscard]] QUndoStack& undoStack();
    /// What can be done with the selected runs, for menus; enabled as the selection allows.
    [[nodiscard]] QList<QAction*> runActions() const;
    [[nodiscard]] QList<QAction*> exportActions() const;
    void importRuns(); ///< asks for files
    void focusFilter();
    void selectRuns(const QStringList& runs);
    void setFilter(const QString& query);
    void showEvents(const QString& run); ///< selects it, where the filter lets it pass
    /// What Compare shows: decides whether the selected runs can become one more group. None while nothing is compared.
    void setComparedGroups(const QList<QStringList>& groups);
    /// Copies the library to a file, or puts the contents of a copy in its place; how it went stands on the page.
    void backUp(const QString& file);
    void restoreFrom(const QString& file);
    void resetLayout() override;
    [[nodiscard]] QVariant state() const override;
    void setState(const QVariant& state) override;
    void saveEdits() override;
    [[nodiscard]] bool hasUnsaved() const override;
    [[nodiscard]] QUndoStack* edits() override { return &undoStack(); }

Q_SIGNALS:
    void setupRequested();
    void newFromRunRequested(const accumulus::ExperimentConfig& experiment);
    void resumeRequested(const QStringList& runs);
    void compareRequested(const QStringList& groupA, const QStringList& groupB);
    void groupRequested(const QStringList& runs); ///< one more, of what is compared already
    void reportRequested(const QString& run);
    void comparisonReportRequested(const QStringList& groupA, const QStringList& groupB);
    void auditRequested(const QString& run);
    /// `runs`: those of the study that were chosen; none where all of them were.
    void showCurvesRequested(const QString& study, const QStringList& runs);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui
