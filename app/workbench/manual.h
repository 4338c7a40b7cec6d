// SPDX-License-Identifier: GPL-3.0-or-later
// The manual: pages of Markdown from the program's resources, in the language of the workbench. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QDialog>
#include <QStringList>

class QLineEdit;
class QListWidget;

namespace accumulus::ui {

class ManualBrowser;

/// Names of the pages in reading order; each is a file NAME.md for each language. A page of the workbench has one with
/// its own id.
[[nodiscard]] QStringList manualPages();
/// Where the pages of `language` ("en", "zh_CN") lie; those in English where it has none.
[[nodiscard]] QString manualFolder(const QString& language);

/// Contents and search on the left, the page on the right. Needs no network.
class Manual : public QDialog {
    Q_OBJECT
public:
    Manual(const Theme& theme, const QString& language, QWidget* parent = nullptr);

    void open(const QString& page); ///< the first one where there is none of that name

Q_SIGNALS:
    void pageRequested(const QString& id); ///< a link leads to a page of the workbench

private:
    void search(const QString& words);
    void follow(const QUrl& link);
    void markContents(const QUrl& shown);

    QLineEdit* m_search;
    QListWidget* m_contents;
    ManualBrowser* m_browser;
    QString m_folder;
    QStringList m_texts; ///< of the pages, for the search
};

} // namespace accumulus::ui
