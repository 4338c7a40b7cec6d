// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/file_drop.h"

#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>
#include <QUrl>

namespace accumulus::ui {

namespace {

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    if (data)
        for (const QUrl& url : data->urls())
            if (url.isLocalFile())
                files << url.toLocalFile();
    return files;
}

} // namespace

DropFrame::DropFrame(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_title(new RoleLabel(theme, TextRole::PageTitle, {}, this)),
      m_words(new RoleLabel(theme, TextRole::Body, {}, this)) {
    constexpr int widest = 640;
    setObjectName(QStringLiteral("dropFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    m_words->setObjectName(QStringLiteral("dropFrameWords"));
    m_words->setFixedWidth(widest);
    for (QLabel* label : {static_cast<QLabel*>(m_title), static_cast<QLabel*>(m_words)})
        label->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(space::m);
    column->addStretch(2);
    column->addWidget(m_title);
    auto* middle = new QHBoxLayout; // an alignment would ignore the height that the wrapped text needs
    middle->addStretch(1);
    middle->addWidget(m_words);
    middle->addStretch(1);
    column->addLayout(middle);
    column->addStretch(3);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void DropFrame::showWords(const QString& words, bool usable) {
    m_usable = usable;
    m_title->setText(usable ? tr("Drop to use it here") : tr("This cannot be used"));
    m_words->setText(words);
    setAccessibleName(m_title->text());
    setAccessibleDescription(words);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropFrame::paintEvent(QPaintEvent*) {
    constexpr qreal veil = 0.85, radius = 12.0, line = 2.0;
    const ThemeColors& colors = m_theme.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor surface = colors.window;
    surface.setAlphaF(static_cast<float>(veil));
    painter.fillRect(rect(), surface);
    painter.setPen(QPen(m_usable ? colors.accent : colors.bad, line, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(space::m, space::m, -space::m, -space::m), radius, radius);
    // A sheet of its own behind the words: what lies under the veil would shine through them.
    const QRectF sheet =
        m_words->geometry().united(m_title->geometry() & m_words->geometry().adjusted(0, -height(), 0, 0));
    painter.setPen(colors.border);
    painter.setBrush(colors.card);
    painter.drawRoundedRect(sheet.adjusted(-space::xl, -space::xl, space::xl, space::xl), radius, radius);
}

FileDrop::FileDrop(const Theme& theme, QWidget& page)
    : QObject(&page), m_page(page), m_frame(new DropFrame(theme, &page)) {
    page.setAcceptDrops(true);
    page.installEventFilter(this);
    connect(&m_files, &BroughtFiles::answered, this, [this](const Result<FileSettings>& settings) {
        if (m_frame->isVisible())
            m_frame->showWords(settings ? fileWords(*settings) : format::error(settings.error()), settings.has_value());
    });
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove:
        return entered(static_cast<QDropEvent&>(*event));
    case QEvent::DragLeave:
        left();
        return true;
    case QEvent::Drop: {
        auto& drop = static_cast<QDropEvent&>(*event);
        const QStringList files = localFiles(drop.mimeData());
        left();
        if (files.isEmpty())
            return false;
        drop.setDropAction(Qt::CopyAction);
        drop.accept();
        Q_EMIT dropped(files);
        return true;
    }
    default:
        return QObject::eventFilter(watched, event);
    }
}

bool FileDrop::entered(QDropEvent& event) {
    const QStringList files = localFiles(event.mimeData());
    if (files.isEmpty())
        return false;
    event.setDropAction(Qt::CopyAction); // never a move: the person's file stays where it is
    event.accept();
    if (event.type() == QEvent::DragEnter) {
        m_frame->showWords(fileNames(files).join(QLatin1Char('\n')), true);
        m_files.lookAt(files);
    }
    return true;
}

void FileDrop::left() {
    m_files.forget();
    m_frame->hide();
}

} // namespace accumulus::ui
