// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/audit/audit_headline.h"

#include "widgets/models/audit_text.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/format.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QRegularExpression>

namespace accumulus::ui {
namespace {
constexpr int signSize = 44;

/// The sentence without the verdict that stands above it.
QString withoutWord(const QString& sentence, const QString& word) {
    static const QRegularExpression colon(QStringLiteral("^\\s*[:：]\\s*"));
    const QRegularExpressionMatch match = colon.match(sentence.mid(word.size()));
    if (!sentence.startsWith(word) || !match.hasMatch())
        return sentence;
    QString rest = sentence.mid(word.size() + match.capturedLength());
    if (!rest.isEmpty())
        rest.front() = rest.front().toUpper();
    return rest;
}
} // namespace

AuditHeadline::AuditHeadline(const Theme& theme, QWidget* parent)
    : Card(theme, {}, parent), m_theme(theme), m_sign(new QLabel(this)), m_word(new QLabel(this)),
      m_sentence(new RoleLabel(theme, TextRole::Body, {}, this)),
      m_circumstances(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_fault(new RoleLabel(theme, TextRole::Warning, {}, this)),
      m_notes(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    setObjectName(QStringLiteral("auditHeadline"));
    m_word->setObjectName(QStringLiteral("auditWord"));
    m_word->setTextFormat(Qt::PlainText);
    m_sentence->setObjectName(QStringLiteral("auditSentence"));
    m_circumstances->setObjectName(QStringLiteral("auditCircumstances"));
    m_fault->setObjectName(QStringLiteral("auditPlanted"));
    m_fault->setWordWrap(true);
    m_notes->setObjectName(QStringLiteral("auditNotes"));
    for (QLabel* label : {static_cast<QLabel*>(m_sentence), static_cast<QLabel*>(m_notes)})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* words = new QVBoxLayout;
    words->setSpacing(space::xs);
    for (QLabel* label : {m_word, static_cast<QLabel*>(m_sentence), static_cast<QLabel*>(m_fault),
                          static_cast<QLabel*>(m_notes), static_cast<QLabel*>(m_circumstances)})
        words->addWidget(label);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::l);
    row->addWidget(m_sign, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    content()->addLayout(row);
    connect(&theme, &Theme::changed, this, &AuditHeadline::recolor);
    recolor();
}

void AuditHeadline::setAudit(const GradientAudit& audit) {
    m_verdict = audit.verdict;
    m_word->setText(audit_text::verdictTitle(audit.verdict));
    m_sentence->setText(withoutWord(format::message(audit.headline), m_word->text()));
    m_circumstances->setText(audit_text::circumstances(audit));
    m_fault->setVisible(audit.fault.has_value());
    if (audit.fault)
        m_fault->setText(
            tr("Built in on purpose: %1. The loop that trains is not touched, and this result is not kept.")
                .arg(audit_text::patternTitle(*audit.fault)));
    QStringList notes;
    for (const Message& note : audit.notes)
        notes << format::note(note);
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    setAccessibleName(m_word->text());
    setAccessibleDescription(format::message(audit.headline));
    recolor();
}

void AuditHeadline::recolor() {
    // Each verdict has a sign of its own, so colour is never needed to tell them apart.
    const auto [sign, color] = auditSign(m_theme.colors(), m_verdict);
    m_word->setFont(m_theme.pageTitleFont());
    QPalette own = m_word->palette();
    own.setColor(QPalette::WindowText, color);
    m_word->setPalette(own);
    const qreal ratio = devicePixelRatioF();
    QPixmap picture(QSize(signSize, signSize) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintVerdictSign(painter, QRectF(0, 0, signSize, signSize), sign, color);
    painter.end();
    m_sign->setPixmap(picture);
}

} // namespace accumulus::ui
