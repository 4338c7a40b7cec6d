// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of ReportsPage, shared by reports_page.cpp (what is reported and saved) and reports_page_build.cpp (its
// widgets).
#pragma once

#include "widgets/models/report_loader.h"
#include "widgets/pages/library_session.h"
#include "widgets/pages/reports/report_preview.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QTimer>
#include <optional>
#include <vector>

class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace accumulus::ui {

/// A report and what it was made of.
struct LoadedReport {
    ReportDocument document;
    ReportBasis basis;
};

struct ReportsPage::Impl {
    Impl(ReportsPage& owner, Services given) : page(owner), services(given), saver(given.session.reports) {}

    void build();
    QLayout* buildTitle();
    QWidget* buildChoice();
    void connectAll();
    QPushButton* saveButton(const QString& text, const QString& objectName);

    [[nodiscard]] ReportKind kind() const { return static_cast<ReportKind>(kindBox->currentIndex()); }
    /// `anew`: where nobody has chosen, the first kind that has something by now.
    void loadSubjects(bool anew = false);
    void show(ReportList loaded);
    void chooseKind(ReportKind chosen); ///< without reading its list
    void showSubjects(std::vector<ReportSubject> loaded);
    [[nodiscard]] bool isMarked() const; ///< the list's current row is what is wanted
    void fillList();
    void showVerdicts(); ///< beside the comparisons, in the colours of the theme
    void open(const ReportSubject& subject);
    void readAgain(bool blocks); ///< what is shown, if the library says something else by now
    void close();                ///< nothing is shown
    void kindChosen();           ///< by a person
    void showSubject(const ReportSubject& subject);
    void show(Result<LoadedReport> loaded);
    void showState();
    void askAndSave(const QString& suffix, const QString& filter);
    void tellSaving();
    void tellSaved(const SavedReport& report);
    void showSaved(const SavedReport& report);

    ReportsPage& page;
    Services services;
    ReportSaver& saver;
    std::vector<ReportSubject> subjects;
    bool subjectsRead = false; ///< they are those of the library
    std::optional<ReportSubject> wanted;
    bool automatic = false; ///< nobody has chosen it
    bool ofKind = false;    ///< a person has chosen the kind: no other one is listed, even where it has nothing
    std::optional<ReportDocument> document;
    ReportBasis basis;               ///< of the document
    QTimer refresh;                  ///< readAgain(), while the library changes
    bool loading = false;            ///< of what is wanted
    std::optional<SavedReport> told; ///< in the notice bar, until it tells something else
    bool keepsNotice = false;        ///< of files, when the report comes that the page has taken over

    NoticeBar* notice = nullptr;
    QComboBox* kindBox = nullptr;
    QComboBox* languageBox = nullptr;
    QLineEdit* filter = nullptr;
    QListWidget* list = nullptr;
    QLabel* nothing = nullptr; ///< of the chosen kind
    QStackedWidget* stack = nullptr;
    EmptyState* empty = nullptr;
    ReportPreview* preview = nullptr;
    QWidget* content = nullptr;
    QList<QPushButton*> saveButtons;
    QPushButton* pressed = nullptr; ///< the one that has the keyboard again once it can be pressed
};

} // namespace accumulus::ui
