// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/filter_line.h"

#include "widgets/models/run_filter_completion.h"
#include "widgets/style/controls.h"
#include "widgets/style/icons.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>

namespace accumulus::ui {

QueryEdit::QueryEdit(const Theme& theme, QWidget* parent) : QLineEdit(parent), m_theme(theme) {}

void QueryEdit::setError(std::optional<QueryError> error) {
    m_error = std::move(error);
    update();
}

void QueryEdit::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !text().isEmpty())
        clear();
    else
        QLineEdit::keyPressEvent(event);
}

void QueryEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (!m_error)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.colors().bad, 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    // The line scrolls only when it is longer than the field; then the number in the message has to do.
    const int width = fontMetrics().horizontalAdvance(text());
    const int left = inputMethodQuery(Qt::ImCursorRectangle).toRect().center().x() -
                     fontMetrics().horizontalAdvance(text().left(cursorPosition()));
    if (left < 0 || left + width > this->width())
        return;
    const int from = left + fontMetrics().horizontalAdvance(text().left(m_error->position));
    const int to = left + fontMetrics().horizontalAdvance(text().left(m_error->position + m_error->length));
    const int bottom = (height() + fontMetrics().height()) / 2;
    painter.setPen(QPen(m_theme.colors().bad, 2.0, Qt::DotLine));
    painter.drawLine(from, bottom, std::max(to, from + fontMetrics().averageCharWidth()), bottom);
}

FilterLine::FilterLine(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_completer(new QCompleter(this)), m_edit(new QueryEdit(theme)),
      m_message(new RoleLabel(theme, TextRole::Bad)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addWidget(m_edit);
    column->addWidget(m_message);
    m_edit->setObjectName(QStringLiteral("libraryFilter"));
    m_edit->setAccessibleName(tr("Filter runs"));
    m_edit->setPlaceholderText(tr("Filter: lenet5 status:completed B>=256 lr<1e-3 tag:paper NOT tag:tmp"));
    m_edit->setToolTip(tr("Words beside each other must all match. Also OR, NOT, (…), \"quotes\".\nKeys: %1")
                           .arg(runQueryKeys().join(QStringLiteral(", "))));
    m_edit->setClearButtonEnabled(true);
    m_message->setObjectName(QStringLiteral("libraryFilterError"));
    m_message->setWordWrap(true);
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_message->hide();

    QAction* search = m_edit->addAction(QIcon(), QLineEdit::LeadingPosition);
    for (QObject* button : search->associatedObjects())
        if (auto* shown = qobject_cast<QToolButton*>(button))
            shown->setAccessibleName(tr("Go to the filter"));
    connect(search, &QAction::triggered, m_edit, qOverload<>(&QWidget::setFocus));
    const auto recolor = [search, &theme] {
        search->setIcon(icon(QStringLiteral("search"), theme.colors().secondary));
    };
    connect(&theme, &Theme::changed, search, recolor);
    recolor();
    connect(m_edit, &QLineEdit::textChanged, this, &FilterLine::parse);

    m_completer->setModel(new QStringListModel(m_completer));
    m_completer->setWidget(m_edit);
    m_completer->setCompletionPrefix({}); // completeQuery has chosen; Enter takes none that nobody went to
    m_completer->popup()->setObjectName(QStringLiteral("libraryFilterWords"));
    m_completer->popup()->setAccessibleName(tr("What may come next"));
    connect(m_edit, &QLineEdit::textEdited, this, &FilterLine::offerWords);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &FilterLine::takeWord);
}

void FilterLine::setRows(std::function<const std::vector<RunRow>&()> rows) { m_rows = std::move(rows); }

void FilterLine::offerWords() {
    const QueryCompletion offer =
        m_rows ? completeQuery(m_edit->text(), m_edit->cursorPosition(), m_rows()) : QueryCompletion();
    static_cast<QStringListModel*>(m_completer->model())->setStringList(offer.words);
    if (offer.words.isEmpty())
        m_completer->popup()->hide();
    else
        m_completer->complete();
}

void FilterLine::takeWord(const QString& word) {
    const int cursor = m_edit->cursorPosition();
    const int start = completeQuery(m_edit->text(), cursor, m_rows()).start;
    const QString text = m_edit->text();
    m_edit->setText(text.left(start) + word + text.mid(cursor));
    m_edit->setCursorPosition(start + static_cast<int>(word.size()));
}

void FilterLine::addTerm(const QString& term) {
    const QString now = m_edit->text().trimmed();
    setText(now.isEmpty()                          ? term
            : now.contains(QStringLiteral(" OR ")) ? QStringLiteral("(%1) %2").arg(now, term)
                                                   : now + QLatin1Char(' ') + term);
}

void FilterLine::focusLine() {
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterLine::clear() { m_edit->clear(); }
QString FilterLine::text() const { return m_edit->text(); }
void FilterLine::setText(const QString& text) { m_edit->setText(text); }

void FilterLine::parse() {
    const auto parsed = RunQuery::parse(m_edit->text());
    if (const auto* error = std::get_if<QueryError>(&parsed)) {
        m_edit->setError(*error);
        m_message->setText(tr("At character %1: %2").arg(error->position + 1).arg(error->message));
        m_message->show();
        return;
    }
    m_edit->setError({});
    m_message->hide();
    Q_EMIT queryChanged(std::get<RunQuery>(parsed));
}

} // namespace accumulus::ui
