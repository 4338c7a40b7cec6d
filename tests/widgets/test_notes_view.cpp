// SPDX-License-Identifier: GPL-3.0-or-later
// Notes are shown as Markdown while nobody writes in them; what comes from elsewhere fetches and runs nothing.
#include "widgets/pages/library/notes_view.h"

#include <QApplication>
#include <QDesktopServices>
#include <QPlainTextEdit>
#include <QScreen>
#include <QTest>
#include <QTextBlock>
#include <QTextList>
#include <QVBoxLayout>

namespace test_notes_view {
using namespace accumulus::ui;

/// Stands for the person's.
class Browser : public QObject {
    Q_OBJECT
public:
    Browser() {
        for (const QString& scheme : schemes)
            QDesktopServices::setUrlHandler(scheme, this, "open");
    }
    ~Browser() override {
        for (const QString& scheme : schemes)
            QDesktopServices::unsetUrlHandler(scheme);
    }
    QList<QUrl> opened;

public Q_SLOTS:
    void open(const QUrl& link) { opened << link; }

private:
    const QStringList schemes{"http", "https", "file"};
};

class TestNotesView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_theme = std::make_unique<Theme>(*qApp);
        m_window = std::make_unique<QWidget>();
        auto* column = new QVBoxLayout(m_window.get());
        m_other = new QPlainTextEdit;
        m_editor = new QPlainTextEdit;
        m_editor->setObjectName("notes");
        m_editor->setTabChangesFocus(true);
        m_other->setTabChangesFocus(true);
        column->addWidget(m_other);
        column->addWidget(m_editor);
        m_view = new NotesView(*m_theme, *m_editor);
        m_window->resize(400, 400);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_other->setFocus();
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    void markdownIsShown() {
        QVERIFY(!m_view->isVisible()); // nothing to read: the editor says what may be written
        m_editor->setPlainText("# Aim\n\nfirst line\nsecond line\n\n- **one**\n- two");
        QVERIFY(m_view->isVisible());
        QCOMPARE(m_view->geometry(), m_editor->rect());
        QCOMPARE(m_view->document()->firstBlock().blockFormat().headingLevel(), 1);
        const QString read = m_view->toPlainText();
        QVERIFY(!read.contains(QChar('#')) && !read.contains(QChar('*')));
        QVERIFY(!read.contains("first line second line")); // a line stays one
        QVERIFY(m_view->document()->lastBlock().textList());
        m_editor->clear();
        QVERIFY(!m_view->isVisible());
    }

    void aClickEnterAndF2Edit() {
        m_editor->setPlainText("text");
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, QPoint(40, 60));
        QVERIFY(m_editor->hasFocus() && !m_view->isVisible());
        QTest::keyClicks(m_editor, "more ");
        m_other->setFocus();
        QVERIFY(m_view->isVisible());
        QVERIFY(m_view->toPlainText().contains("more"));
        for (const int key : {int(Qt::Key_Return), int(Qt::Key_F2)}) {
            m_other->setFocus();
            QTest::keyClick(m_other, Qt::Key_Tab); // reaches what is shown, not what lies below
            QVERIFY(m_view->hasFocus());
            QTest::keyClick(m_view, Qt::Key(key));
            QVERIFY(m_editor->hasFocus() && !m_view->isVisible());
        }
        QVERIFY(m_editor->toPlainText().contains("more")); // Enter has added no line
        QCOMPARE(m_editor->blockCount(), 1);
    }

    /// The frame has the accent's colour where the keyboard is, and no longer than that.
    void theFrameShowsTheKeyboard() {
        m_editor->setPlainText("text");
        const auto frame = [&] { // as it stands on the screen: nothing is painted for the look at it
            QTest::qWait(50);
            const QPixmap screen = m_window->screen()->grabWindow(m_window->winId());
            return screen.toImage().pixelColor(m_editor->mapTo(m_window.get(), QPoint(0, m_editor->height() / 2)));
        };
        m_other->setFocus();
        QCOMPARE(frame(), m_theme->colors().border);
        m_view->setFocus();
        QCOMPARE(frame(), m_theme->colors().accent);
        QTest::keyClick(m_view, Qt::Key_F2);
        QCOMPARE(frame(), m_theme->colors().accent);
        m_other->setFocus();
        QCOMPARE(frame(), m_theme->colors().border);
    }

    void notesThatAreFixedAreOnlyRead() {
        m_editor->setPlainText("text");
        m_editor->setReadOnly(true);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, QPoint(40, 60));
        QVERIFY(m_view->isVisible() && !m_editor->hasFocus());
    }

    void nothingIsFetchedRunOrFollowed() {
        m_editor->setPlainText("![](file:///etc/hostname) ![](https://example.org/a.png) <b onclick=\"x\">raw</b> "
                               "[link](https://example.org)");
        QVERIFY(m_view->toPlainText().contains("<b onclick=\"x\">raw</b>")); // as it was typed
        for (const char* picture : {"file:///etc/hostname", "https://example.org/a.png"}) {
            const QVariant shown = m_view->document()->resource(QTextDocument::ImageResource, QUrl(picture));
            QCOMPARE(shown.value<QImage>().size(), QSize(1, 1)); // and not the bytes of a file
        }
        QVERIFY(!m_view->openLinks() && !m_view->openExternalLinks());
    }

    void aLinkToAPageOpensTheBrowser() {
        Browser browser;
        m_editor->setPlainText("see [page](https://example.org/a) [file](file:///etc/hostname)");
        m_view->setFocus();
        QTest::keyClick(m_view, Qt::Key_Tab); // to the first link
        QVERIFY(m_view->hasFocus());
        QTest::keyClick(m_view, Qt::Key_Return);
        QCOMPARE(browser.opened, QList<QUrl>{QUrl("https://example.org/a")});
        const auto click = [this](const char* word) {
            const QTextCursor found = m_view->document()->find(word);
            QTextCursor inside(m_view->document());
            inside.setPosition(found.selectionStart() + 1);
            QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->cursorRect(inside).center());
        };
        click("page");
        QCOMPARE(browser.opened.size(), 2);
        QVERIFY(m_view->isVisible()); // nobody wanted to write
        click("file");
        QCOMPARE(browser.opened.size(), 2);
        QVERIFY(m_editor->hasFocus());
    }

    void whoWritesIsNotDisturbed() {
        m_editor->setFocus();
        QTest::keyClicks(m_editor, "a");
        QVERIFY(m_editor->hasFocus() && !m_view->isVisible());
        QFocusEvent menu(QEvent::FocusOut, Qt::PopupFocusReason); // its own menu opens
        QApplication::sendEvent(m_editor, &menu);
        QVERIFY(!m_view->isVisible());
    }

private:
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<QWidget> m_window;
    QPlainTextEdit* m_other = nullptr;
    QPlainTextEdit* m_editor = nullptr;
    NotesView* m_view = nullptr;
};

QTEST_MAIN(TestNotesView)
} // namespace test_notes_view
#include "test_notes_view.moc"
