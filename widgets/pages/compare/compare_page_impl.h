// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of ComparePage, shared by compare_page.cpp (what is compared), compare_page_build.cpp (its widgets),
// compare_page_groups.cpp (groups that come and go) and compare_page_saved.cpp (what outlives it).
#pragma once

#include "widgets/pages/compare/compare_fields.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/compare/compare_view.h"
#include "widgets/pages/compare/group_editor.h"
#include "widgets/pages/compare/saved_list.h"
#include "widgets/pages/library_session.h"

#include <QTimer>

class QPushButton;
class QStackedWidget;

namespace accumulus::ui {

/// What the page of another window takes over.
struct ComparePageState {
    ComparisonRequest request;
    CompareView::Look look;
    bool savedShown = false, runsShown = false; ///< one of them instead of the comparison
    std::size_t member = 0;                     ///< of the family, whose verdict is on the card
    QString run{};                              ///< as inspectedRun()
};

struct ComparePage::Impl {
    Impl(ComparePage& owner, Services given) : page(owner), services(given) {}

    // Widgets.
    void build();
    QLayout* buildTitle();
    void connectAll();
    void connectFields();
    void connectParts();
    void connectToast();
    void showFace();
    void updateButtons();
    void tellGroups(); ///< where they are others than before

    // What is compared.
    void libraryOpened();
    void libraryChanged();
    void loadChoices();
    void showChoices(Result<std::vector<PairChoice>> loaded);
    void choose(const QStringList& a, const QStringList& b);
    void compareAgain(const ComparisonRequest& wanted);
    void load();
    void read(bool outline); ///< of the curves of long runs at first
    void show(Result<LoadedComparison> loaded, const ComparisonRequest& wanted);
    void showFailure(const Error& error);
    void present(); ///< what is shown, on all parts of the page
    /// Colours that a person has given them meanwhile; runs that went to the Trash, or came back, are compared anew.
    void readRuns();
    void showBanner();
    void clearBars();
    void showSavedMargin();
    void swap();
    void take(const CompareHistory::Step& step);
    void undoOrRedo(bool redo);
    /// Null: none, or one of the library's comes first. While an edit is on its way, it is not known yet.
    [[nodiscard]] const CompareHistory::Step* nextStep(bool redo);
    [[nodiscard]] Compared now() const { return {request, savedMargin, savedMarginSetAt}; }
    void showSuggestions();
    void askForSeeds();
    void takeSeedsOf(const QString& study);
    /// False: none of the groups wants them.
    bool takeSeeds(const SeedArms& arms, const PairChoice& asking);

    // Groups that come and go; each step can be undone.
    void addGroup(const QStringList& runs);
    void removeGroup(std::size_t group);
    void chooseReference(std::size_t group);
    void changeGroups(const QString& text, const QList<QStringList>& groups, std::size_t reference);
    /// `otherQuestion`: metrics, margin and what was saved are those of `wanted`, and stay with its groups.
    void change(const QString& text, const Compared& wanted, bool otherQuestion);
    [[nodiscard]] std::optional<std::size_t> currentIndex(std::size_t shownGroup) const;
    void loadRuns();
    void compareStudy(const QString& study);
    void takeMoreSeeds();

    // What outlives it.
    void restoreLast();
    void loadSaved();
    void save();
    void open(const ComparisonRecord& record);
    void rename(const ComparisonRecord& record, const QString& name);
    void remove(const ComparisonRecord& record);

    [[nodiscard]] bool hasGroups() const { return request.isComparable(); }
    /// What is on screen is what was asked for.
    [[nodiscard]] bool isCurrent() const { return shown && hasGroups() && request == shownRequest; }
    [[nodiscard]] LibraryGateway& library() { return services.library; }
    [[nodiscard]] LibraryEdits& edits() { return services.session.edits; }
    [[nodiscard]] CompareHistory& history() { return services.session.compared; }
    [[nodiscard]] AwaitedSeeds& seeds() { return services.session.seeds; }

    ComparePage& page;
    Services services;
    ComparisonRequest request;
    std::vector<PairChoice> choices;
    bool choicesRead = false; ///< they are those of the library
    std::optional<LoadedComparison> shown;
    std::optional<LeftOutRuns> leftOut; ///< for which it is being compared anew
    std::size_t member = 0;             ///< of the shown family: whose verdict is on the card
    ComparisonRequest shownRequest;     ///< what `shown` answers; `request` while nothing is on its way
    bool restored = false;              ///< the request comes from the settings and was not shown yet
    std::string toBeNamed;              ///< saved a moment ago: its name can be typed once it is in the list
    QTimer refresh, toastEnd;
    bool toastOfLibrary = false; ///< its button undoes an edit of the library, else a step of the history
    QString bannerText;
    double savedMargin = 0.0; ///< of the comparison that was opened, unless it was its own; 0: none
    double savedMarginSetAt = 0.0;
    QString savedMarginText;

    CompareFields* fields = nullptr;
    QPushButton* savedButton = nullptr;
    QPushButton* saveButton = nullptr;
    QPushButton* runsButton = nullptr;
    QPushButton* swapArms = nullptr;
    QPushButton* report = nullptr;
    NoticeBar* notice = nullptr;
    NoticeBar* banner = nullptr;
    NoticeBar* marginBar = nullptr; ///< another margin counts than when it was saved
    NoticeBar* toast = nullptr;
    QStackedWidget* stack = nullptr;
    EmptyState* empty = nullptr;
    CompareView* view = nullptr;
    GroupEditor* editor = nullptr;
    SavedList* saved = nullptr;
    QList<QStringList> told; ///< of comparedGroupsChanged()
    QString chosenRun;       ///< of those that are compared; empty: none
};

} // namespace accumulus::ui
