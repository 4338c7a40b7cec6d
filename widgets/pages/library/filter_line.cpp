// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/filter_line.h"

#include "widgets/style/controls.h"
#include "widgets/style/icons.h"

#include <QAction>
#include <QPainter>
#include <QVBoxLayout>

namespace accumulus::ui {

QueryEdit::QueryEdit(const Theme& theme, QWidget* parent) : QLineEdit(parent), m_theme(theme) {}

void QueryEdit::setError(std::optional<QueryError> error) {
    m_error = std::move(error);
    update();
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
    : QWidget(parent), m_edit(new QueryEdit(theme)), m_message(new RoleLabel(theme, TextRole::Bad)) {
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
    const auto recolor = [search, &theme] {
        search->setIcon(icon(QStringLiteral("search"), theme.colors().secondary));
    };
    connect(&theme, &Theme::changed, search, recolor);
    recolor();
    connect(m_edit, &QLineEdit::textChanged, this, &FilterLine::parse);
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
