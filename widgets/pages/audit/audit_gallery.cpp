// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/audit/audit_gallery.h"

#include "widgets/models/audit_examples.h"
#include "widgets/models/audit_text.h"
#include "widgets/style/fitting_scroll.h"
#include "widgets/style/format.h"
#include "widgets/style/rounded_row_delegate.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QUrl>

namespace accumulus::ui {
namespace {

constexpr int listWidth = 300;
constexpr int pictureHeight = 230;

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

} // namespace

AuditGallery::AuditGallery(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_list(new QListWidget(this)),
      m_title(new RoleLabel(theme, TextRole::CardTitle)), m_shipped(new RoleLabel(theme, TextRole::Caption)),
      m_why(new RoleLabel(theme, TextRole::Body)), m_formulaRow(new QWidget),
      m_formula(new RoleLabel(theme, TextRole::Body)), m_thread(new QPushButton(tr("Open the threa&d"))),
      m_picture(new WeightBars(theme)), m_pictureNote(new RoleLabel(theme, TextRole::Caption)),
      m_show(primaryButton(theme, tr("&Show me"))) {
    setObjectName(QStringLiteral("auditGallery"));
    m_list->setObjectName(QStringLiteral("auditGalleryList"));
    m_list->setAccessibleName(tr("Known mistakes"));
    m_list->setWordWrap(true);
    m_list->setItemDelegate(new RoundedRowDelegate(theme, m_list));
    m_list->setResizeMode(QListView::Adjust);
    m_list->viewport()->setAttribute(Qt::WA_Hover);
    m_list->viewport()->setAutoFillBackground(false); // the card shows through
    m_list->setSpacing(2);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* list = new Card(theme, {}, this);
    list->setFixedWidth(listWidth);
    list->content()->addWidget(m_list, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::pageMargin, space::m, space::pageMargin, space::pageMargin);
    row->setSpacing(space::l);
    row->addWidget(list);
    row->addWidget(buildDetail(), 1);
    fillList();
    connect(m_list, &QListWidget::currentRowChanged, this, [this] { showPattern(); });
    connect(m_thread, &QPushButton::clicked, this, [this] {
        if (const AuditPattern* pattern = findAuditPattern(current().toStdString()))
            QDesktopServices::openUrl(QUrl(text(pattern->thread)));
    });
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT showRequested(current()); });
    m_list->setCurrentRow(0);
}

QWidget* AuditGallery::buildDetail() {
    auto* card = new Card(m_theme, {}, this);
    m_title->setObjectName(QStringLiteral("auditGalleryTitle"));
    m_title->setWordWrap(true);
    m_shipped->setObjectName(QStringLiteral("auditGalleryShipped"));
    m_why->setObjectName(QStringLiteral("auditGalleryWhy"));
    m_formula->setObjectName(QStringLiteral("auditGalleryFormula"));
    m_formula->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_thread->setObjectName(QStringLiteral("auditGalleryThread"));
    m_picture->setObjectName(QStringLiteral("auditGalleryPicture"));
    m_picture->setFittedTitle(tr("with the mistake"));
    m_picture->setMinimumHeight(pictureHeight);
    m_pictureNote->setObjectName(QStringLiteral("auditGalleryNote"));
    m_show->setObjectName(QStringLiteral("auditShowMe"));

    auto* formula = new QHBoxLayout(m_formulaRow);
    formula->setContentsMargins(0, 0, 0, 0);
    formula->setSpacing(space::s);
    auto* caption = new RoleLabel(m_theme, TextRole::Caption, tr("Formula"));
    caption->setWordWrap(false);
    formula->addWidget(caption);
    formula->addWidget(m_formula, 1);

    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::s);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_shipped), static_cast<QWidget*>(m_why), m_formulaRow})
        column->addWidget(widget);
    column->addWidget(m_picture, 1);
    column->addWidget(m_pictureNote);
    column->addStretch(0);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(space::s);
    buttons->addWidget(m_show);
    buttons->addWidget(m_thread);
    buttons->addStretch(1);
    card->content()->addWidget(new FittingScroll(inside), 1);
    card->content()->addLayout(buttons);
    return card;
}

void AuditGallery::fillList() {
    for (const AuditPattern& pattern : auditPatterns()) {
        auto* item = new QListWidgetItem(audit_text::patternTitle(pattern.code), m_list);
        item->setData(Qt::UserRole, text(pattern.code));
    }
}

QString AuditGallery::current() const {
    const QListWidgetItem* item = m_list->currentItem();
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void AuditGallery::setCurrent(const QString& code) {
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole).toString() == code)
            m_list->setCurrentRow(row);
}

void AuditGallery::setShowPossible(bool possible, const QString& why) {
    m_possible = possible;
    m_whyNot = why;
    showPattern();
}

void AuditGallery::showPattern() {
    const AuditPattern* pattern = findAuditPattern(current().toStdString());
    if (pattern == nullptr)
        return;
    m_title->setText(audit_text::patternTitle(pattern->code));
    m_shipped->setText(tr("Shipped in %1").arg(text(pattern->shipped)));
    m_shipped->setVisible(!pattern->shipped.empty());
    m_why->setText(audit_text::patternWhy(pattern->code));
    m_formula->setText(text(pattern->formula));
    m_formulaRow->setVisible(!pattern->formula.empty());
    m_thread->setVisible(!pattern->thread.empty());
    m_thread->setToolTip(tr("Opens %1 in the browser").arg(text(pattern->thread)));

    const auto example = auditExample(pattern->code);
    m_picture->setVisible(example.has_value());
    if (example)
        m_picture->setPicture({example->units, example->weights, example->rightWeights, example->earlier});
    m_pictureNote->setText(example ? tr("An example: a window of %1 micro-batches.").arg(example->units.size())
                                   : tr("No weights describe this mistake: what remains unexplained gives it away."));
    m_show->setVisible(pattern->canPlant);
    m_show->setEnabled(m_possible);
    m_show->setToolTip(m_whyNot.isEmpty()
                           ? tr("Audits the chosen set-up with this mistake built in. Training is not touched.")
                           : m_whyNot);
}

} // namespace accumulus::ui
