// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/notes_view.h"

#include <QDesktopServices>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTextDocument>

namespace accumulus::ui {
namespace {

constexpr qsizetype longest = 100'000; ///< letters that are laid out at once; longer notes stay as they are typed

/// Markdown joins lines that follow each other; people who write notes mean them.
QString withLineBreaks(QString text) { return text.replace(QLatin1Char('\n'), QStringLiteral("  \n")); }

/// Nothing else is opened: who wrote the notes may want it to run a program.
bool leadsToAPage(const QUrl& link) {
    return link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http");
}

} // namespace

NotesView::NotesView(const Theme& theme, QPlainTextEdit& editor) : QTextBrowser(&editor), m_editor(editor) {
    setObjectName(editor.objectName() + QStringLiteral("View"));
    setAccessibleName(tr("Notes, formatted"));
    showLink({});
    setOpenLinks(false);
    connect(this, &QTextBrowser::highlighted, this, &NotesView::showLink);
    connect(this, &QTextBrowser::anchorClicked, this, [](const QUrl& link) {
        if (leadsToAPage(link))
            QDesktopServices::openUrl(link);
    });
    setFrameStyle(editor.frameStyle()); // in its place
    setTabChangesFocus(true);
    document()->setDocumentMargin(editor.document()->documentMargin());
    editor.installEventFilter(this);
    connect(editor.document(), &QTextDocument::contentsChanged, this, &NotesView::follow);
    connect(&theme, &Theme::changed, this, &NotesView::follow); // the colours of links are part of the text
    follow();
}

/// Where this returns nothing, or an empty picture, QTextDocument looks for a file of that name itself.
QVariant NotesView::loadResource(int type, const QUrl&) {
    if (type != QTextDocument::ImageResource)
        return QByteArray();
    QImage nothing(1, 1, QImage::Format_ARGB32);
    nothing.fill(Qt::transparent);
    return nothing;
}

void NotesView::follow() {
    const QString text = m_editor.toPlainText();
    const bool reads = !m_editing && !text.trimmed().isEmpty();
    if (reads && text.size() <= longest)
        document()->setMarkdown(withLineBreaks(text),
                                QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                    QTextDocument::MarkdownNoHTML);
    else if (reads)
        setPlainText(text);
    setGeometry(m_editor.rect());
    setVisible(reads);
    m_editor.setFocusPolicy(reads ? Qt::ClickFocus : Qt::StrongFocus); // Tab reaches one of the two
}

/// Where it leads, whatever its words say.
void NotesView::showLink(const QUrl& link) {
    setToolTip(leadsToAPage(link) ? link.toString(QUrl::FullyEncoded) : tr("Click, or press Enter or F2, to edit"));
}

void NotesView::edit() {
    if (!m_editor.isReadOnly())
        m_editor.setFocus(Qt::OtherFocusReason);
}

bool NotesView::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::FocusIn:
        m_editing = true;
        follow();
        break;
    case QEvent::FocusOut:
        // Its menu, or another program for a moment: whoever writes goes on afterwards.
        if (const auto reason = static_cast<QFocusEvent*>(event)->reason();
            reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) {
            m_editing = false;
            follow();
        }
        break;
    case QEvent::Resize:
    case QEvent::Show:
        setGeometry(m_editor.rect());
        break;
    default:
        break;
    }
    return QTextBrowser::eventFilter(watched, event);
}

void NotesView::mouseReleaseEvent(QMouseEvent* event) {
    const bool opens = leadsToAPage(anchorAt(event->position().toPoint()));
    const bool selected = textCursor().hasSelection();
    QTextBrowser::mouseReleaseEvent(event); // selects a link that it stands on
    const bool chose = (selected && textCursor().hasSelection()) || opens;
    if (event->button() == Qt::LeftButton && !chose)
        edit();
}

void NotesView::keyPressEvent(QKeyEvent* event) {
    const QTextCursor chosen = textCursor(); // Tab goes from link to link
    const bool opens = chosen.hasSelection() && leadsToAPage(chosen.charFormat().anchorHref());
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_F2 || (enter && !opens))
        edit();
    else
        QTextBrowser::keyPressEvent(event); // opens the link
}

} // namespace accumulus::ui
