// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_hints.h"

#include <QSettings>

namespace accumulus::ui {
namespace {

const QString readKey = QStringLiteral("hints/read"); ///< ids of pages

} // namespace

PageHints::PageHints(NoticeBar& bar, QObject* parent) : QObject(parent), m_bar(bar) {
    connect(&bar, &NoticeBar::actionTriggered, this, &PageHints::remember);
    connect(&bar, &NoticeBar::closed, this, &PageHints::remember); // whoever closes it has seen it, too
}

void PageHints::showFor(const PageEntry& page) {
    m_page = &page;
    if (QSettings().value(readKey).toStringList().contains(QLatin1String(page.id)))
        m_bar.clear();
    else
        m_bar.showNotice(NoticeLevel::Info, pageHint(page), tr("Got it"));
}

void PageHints::showAgain() {
    QSettings().remove(readKey);
    if (m_page)
        showFor(*m_page);
}

void PageHints::remember() {
    QStringList read = QSettings().value(readKey).toStringList();
    read << QString::fromLatin1(m_page->id);
    read.removeDuplicates();
    QSettings().setValue(readKey, read);
    m_bar.clear();
}

} // namespace accumulus::ui
