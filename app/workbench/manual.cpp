// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/manual.h"

#include "core/run/program.h"
#include "widgets/style/controls.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <algorithm>

namespace accumulus::ui {

/// Shows a page in the workbench's type and colours, with its pictures as wide as the text at most.
class ManualBrowser : public QTextBrowser {
public:
    explicit ManualBrowser(const Theme& theme) : m_theme(theme) {
        setOpenLinks(false);
        setFrameShape(QFrame::NoFrame);
        connect(&theme, &Theme::changed, this, [this] {
            setPageStyle();
            colourMarks();
        });
    }

    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::ImageResource)
            return QTextBrowser::loadResource(type, name);
        QImage image(source().resolved(name).toLocalFile());
        if (image.isNull())
            return {};
        const int width = static_cast<int>(std::min(pictureWidth, image.width()) * devicePixelRatioF());
        image = image.scaledToWidth(std::min(width, image.width()), Qt::SmoothTransformation);
        image.setDevicePixelRatio(std::max(1.0, static_cast<double>(image.width()) / pictureWidth));
        return image;
    }

    void mark(const QString& words) {
        QList<QTextEdit::ExtraSelection> found;
        for (QTextCursor at = document()->find(words); !words.isEmpty() && !at.isNull();
             at = document()->find(words, at)) {
            QTextEdit::ExtraSelection selection;
            selection.cursor = at;
            found << selection;
        }
        setExtraSelections(found);
        colourMarks();
        if (!found.isEmpty()) {
            QTextCursor first = found.first().cursor;
            first.clearSelection();
            setTextCursor(first);
        }
    }

protected:
    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override {
        QTextBrowser::doSetSource(name, type);
        setPageStyle();
    }

private:
    static constexpr int pictureWidth = 680;

    void colourMarks() {
        QList<QTextEdit::ExtraSelection> marks = extraSelections();
        for (QTextEdit::ExtraSelection& mark : marks)
            mark.format.setBackground(m_theme.colors().selection());
        setExtraSelections(marks);
    }

    void setPageStyle() {
        constexpr int lineHeight = 130; // percent
        document()->setDocumentMargin(space::xl);
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
            QTextBlockFormat format = block.blockFormat();
            if (format.hasProperty(QTextFormat::BlockCodeFence))
                format.setBackground(m_theme.colors().cardAlternate);
            else if (!block.text().contains(QChar::ObjectReplacementCharacter)) // of a picture it would leave a gap
                format.setLineHeight(lineHeight, QTextBlockFormat::ProportionalHeight);
            QTextCursor(block).setBlockFormat(format);
        }
    }

    const Theme& m_theme;
};

namespace {

QString titleOf(const QString& markdown) { return markdown.section(QLatin1Char('\n'), 0, 0).mid(2).trimmed(); }

QString read(const QString& file) {
    QFile page(file);
    return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
}

} // namespace

QStringList manualPages() {
    static const QStringList pages =
        QStringLiteral("home first-comparison setup live compare library audit planner reports window "
                       "own-network command-line trouble")
            .split(QLatin1Char(' '));
    return pages;
}

QString manualFolder(const QString& language) {
    const QDir manual(QString::fromStdString(resourceFolder("manual").string()));
    const QString own = manual.filePath(language);
    return QFileInfo::exists(own) ? own : manual.filePath(QStringLiteral("en"));
}

Manual::Manual(const Theme& theme, const QString& language, QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit), m_contents(new QListWidget), m_browser(new ManualBrowser(theme)),
      m_folder(manualFolder(language)) {
    setObjectName(QStringLiteral("manualDialog"));
    setWindowTitle(tr("Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_search->setObjectName(QStringLiteral("manualSearch"));
    m_search->setPlaceholderText(tr("Search the manual"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_contents->setObjectName(QStringLiteral("manualContents"));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setWordWrap(true);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_browser->setObjectName(QStringLiteral("manualPage"));
    m_browser->setAccessibleName(tr("Page of the manual"));
    for (const QString& page : manualPages()) {
        m_texts << read(m_folder + QLatin1Char('/') + page + QStringLiteral(".md"));
        auto* item = new QListWidgetItem(titleOf(m_texts.last()), m_contents);
        item->setData(Qt::UserRole, page);
    }

    constexpr int contentsWidth = 260;
    auto* left = new QVBoxLayout;
    left->addWidget(m_search);
    left->addWidget(m_contents, 1);
    m_search->setFixedWidth(contentsWidth);
    m_contents->setFixedWidth(contentsWidth);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::l);
    row->addLayout(left);
    row->addWidget(m_browser, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter in the search would press it
    QPushButton* back = buttons->addButton(tr("&Back"), QDialogButtonBox::ActionRole);
    back->setObjectName(QStringLiteral("manualBack"));
    back->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::l, space::l, space::l, space::l);
    column->setSpacing(space::l);
    column->addLayout(row, 1);
    column->addWidget(buttons);
    resize(1100, 720);

    back->setEnabled(false);
    connect(back, &QPushButton::clicked, m_browser, &QTextBrowser::backward);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_browser, &QTextBrowser::anchorClicked, this, &Manual::follow);
    connect(m_browser, &QTextBrowser::sourceChanged, this, &Manual::markContents);
    connect(m_contents, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item)
            open(item->data(Qt::UserRole).toString());
    });
    connect(m_search, &QLineEdit::textChanged, this, &Manual::search);
}

void Manual::open(const QString& page) {
    const qsizetype at = std::max<qsizetype>(0, manualPages().indexOf(page));
    const QUrl file = QUrl::fromLocalFile(m_folder + QLatin1Char('/') + manualPages()[at] + QStringLiteral(".md"));
    if (m_browser->source() != file)
        m_browser->setSource(file, QTextDocument::MarkdownResource);
    m_browser->mark(m_search->text());
}

void Manual::follow(const QUrl& link) {
    if (link.scheme() == QLatin1String("page"))
        Q_EMIT pageRequested(link.path());
    else
        open(QFileInfo(link.path()).completeBaseName());
}

void Manual::markContents(const QUrl& shown) {
    const QString page = QFileInfo(shown.path()).completeBaseName();
    const QSignalBlocker blocker(m_contents);
    m_contents->setCurrentRow(static_cast<int>(manualPages().indexOf(page)));
}

/// Leaves the pages that contain the words in the contents, and opens the first of them unless one is open.
void Manual::search(const QString& words) {
    int first = -1;
    for (int page = 0; page < m_contents->count(); ++page) {
        const bool found = m_texts[page].contains(words, Qt::CaseInsensitive);
        m_contents->item(page)->setHidden(!found);
        if (found && first < 0)
            first = page;
    }
    const QListWidgetItem* current = m_contents->currentItem();
    if (first >= 0 && (!current || current->isHidden()))
        m_contents->setCurrentRow(first);
    m_browser->mark(words);
}

} // namespace accumulus::ui
