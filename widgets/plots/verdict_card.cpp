// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/verdict_card.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"
#include "widgets/style/save_dialog.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {
constexpr int kSignSize = 44;
constexpr int kNoteIcon = 16;
constexpr int kTallestInterval = 120;
constexpr int kShareDecimals = 3; ///< of points
constexpr int kMostDecimals = 12;
constexpr double kLargestMargin = 1e6; ///< of study.margin
} // namespace

IntervalBar::IntervalBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMaximumHeight(kTallestInterval);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void IntervalBar::setPicture(const IntervalPicture& picture) {
    m_picture = picture;
    update();
}

QSize IntervalBar::sizeHint() const {
    const int line = QFontMetrics(m_theme.captionFont()).height();
    return {28 * line, 4 * line + space::l};
}

QSize IntervalBar::minimumSizeHint() const { return {sizeHint().width() / 2, sizeHint().height()}; }

void IntervalBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(m_theme.captionFont());
    paintInterval(painter, QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0), m_picture, m_theme.colors());
}

VerdictCard::VerdictCard(const Theme& theme, QWidget* parent)
    : Card(theme, {}, parent), m_theme(theme), m_sign(new QLabel(this)),
      m_word(new RoleLabel(theme, TextRole::PageTitle, {}, this)),
      m_sentence(new RoleLabel(theme, TextRole::Body, {}, this)),
      m_others(new RoleLabel(theme, TextRole::CardTitle, {}, this)),
      m_saving(new RoleLabel(theme, TextRole::CardTitle, {}, this)),
      m_evaluationMemory(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_progress(new RoleLabel(theme, TextRole::Caption, {}, this)), m_interval(new IntervalBar(theme, this)),
      m_scale(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_marginNote(new RoleLabel(theme, TextRole::Caption, {}, this)), m_marginWarning(new QLabel(this)),
      m_marginField(new QDoubleSpinBox(this)), m_resetMargin(new QPushButton(tr("Use the margin set before"), this)),
      m_moreSeeds(new QPushButton(tr("Add 3 seeds"), this)), m_export(new QToolButton(this)) {
    setObjectName(QStringLiteral("compare.verdict"));
    buildExport();
    buildHead(content());
    content()->addWidget(m_interval, 100); // first of all, as far as it grows
    content()->addWidget(m_scale);
    buildFoot(content());
    content()->addStretch(1); // beside a taller card
    connect(&theme, &Theme::changed, this, &VerdictCard::repaintSign);
}

void VerdictCard::buildHead(QVBoxLayout* column) {
    m_word->setObjectName(QStringLiteral("compare.verdictWord"));
    m_word->setWordWrap(true);
    m_sentence->setObjectName(QStringLiteral("compare.verdictSentence"));
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_interval->setObjectName(QStringLiteral("compare.interval"));
    m_scale->setObjectName(QStringLiteral("compare.verdictScale"));
    auto* words = new QVBoxLayout;
    words->setSpacing(space::xs);
    words->addWidget(m_word);
    m_others->setObjectName(QStringLiteral("compare.otherVerdicts"));
    m_others->setWordWrap(true);
    words->addWidget(m_others);
    words->addWidget(m_sentence);
    m_saving->setObjectName(QStringLiteral("compare.saving"));
    m_saving->setWordWrap(true);
    words->addWidget(m_saving);
    m_evaluationMemory->setObjectName(QStringLiteral("compare.evaluationMemory"));
    m_evaluationMemory->setWordWrap(true);
    words->addWidget(m_evaluationMemory);
    m_progress->setObjectName(QStringLiteral("compare.pairsDone"));
    m_progress->hide();
    words->addWidget(m_progress);
    auto* head = new QHBoxLayout;
    head->setSpacing(space::l);
    head->addWidget(m_sign, 0, Qt::AlignTop);
    head->addLayout(words, 1);
    head->addWidget(m_export, 0, Qt::AlignTop);
    column->addLayout(head);
}

void VerdictCard::buildFoot(QVBoxLayout* column) {
    m_marginField->setObjectName(QStringLiteral("compare.margin"));
    m_marginField->setAccessibleName(tr("Equivalence margin"));
    if (auto* line = m_marginField->findChild<QLineEdit*>()) // what a screen reader stops at
        line->setAccessibleName(m_marginField->accessibleName());
    m_marginField->setToolTip(tr("The largest difference that you would still call equal. Fix it before the runs."));
    m_marginField->setKeyboardTracking(false);
    m_marginField->setPrefix(QStringLiteral("± "));
    m_resetMargin->setObjectName(QStringLiteral("compare.marginReset"));
    m_moreSeeds->setObjectName(QStringLiteral("compare.moreSeeds"));
    setMoreSeedsBlocked({});
    m_marginNote->setObjectName(QStringLiteral("compare.marginNote"));

    auto* label = new QLabel(tr("&Margin"), this);
    label->setBuddy(m_marginField);
    auto* fields = new QHBoxLayout;
    fields->setSpacing(space::s);
    fields->addWidget(label);
    fields->addWidget(m_marginField);
    fields->addWidget(m_resetMargin);
    fields->addStretch(1);
    fields->addWidget(m_moreSeeds);
    auto* note = new QHBoxLayout;
    note->setSpacing(space::s);
    note->addWidget(m_marginWarning, 0, Qt::AlignTop);
    note->addWidget(m_marginNote, 1);
    column->addLayout(fields);
    column->addLayout(note);

    connect(m_marginField, &QDoubleSpinBox::valueChanged, this, [this](double shown) {
        const double margin = shown / comparison_text::unitFactor(m_metric);
        if (margin > 0.0)
            Q_EMIT marginEdited(margin);
    });
    connect(m_resetMargin, &QPushButton::clicked, this, &VerdictCard::marginReset);
    connect(m_moreSeeds, &QPushButton::clicked, this, &VerdictCard::moreSeedsRequested);
}

void VerdictCard::buildExport() {
    m_export->setObjectName(QStringLiteral("compare.cardExport"));
    m_export->setAccessibleName(tr("Copy or save this card"));
    m_export->setToolTip(m_export->accessibleName());
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setAutoRaise(true);
    auto* menu = new QMenu(m_export);
    const QAction* copy = menu->addAction(tr("Copy picture"));
    const QAction* save = menu->addAction(tr("Save picture…"));
    connect(copy, &QAction::triggered, this, [this] { copyVerdictFigure(figure(), m_theme); });
    connect(save, &QAction::triggered, this, &VerdictCard::saveWithDialog);
    menu->actions().constFirst()->setObjectName(QStringLiteral("compare.cardCopy"));
    menu->actions().constLast()->setObjectName(QStringLiteral("compare.cardSave"));
    m_export->setMenu(menu);
}

VerdictFigure VerdictCard::figure() const {
    VerdictFigure figure;
    figure.verdict = m_verdict;
    figure.word = m_word->text();
    figure.sentences = {m_others->text(), m_sentence->text(), m_saving->text(), m_evaluationMemory->text()};
    figure.sentences.removeAll(QString());
    figure.captions = {m_scale->text(), m_marginNote->text()};
    figure.interval = m_picture;
    return figure;
}

void VerdictCard::saveWithDialog() {
    const QString png = tr("PNG picture (*.png)");
    const QString svg = tr("SVG picture (*.svg)");
    const QString pdf = tr("PDF document (*.pdf)");
    const QStringList endings{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
    // Never a picture under the name of something else.
    const SaveChoice choice = askWhereToSave(
        this, tr("Save the verdict"), QStringLiteral("verdict") + QStringLiteral(".png"), {png, svg, pdf}, endings);
    if (!choice.file.isEmpty())
        saveAs(choice.file);
}

bool VerdictCard::saveAs(const QString& file) {
    const bool saved = saveVerdictFigure(figure(), m_theme, file);
    if (!saved)
        Q_EMIT exportFailed(file);
    return saved;
}

void VerdictCard::setProgress(std::size_t done, std::size_t planned) {
    m_progress->setText(tr("%1 of %n pair(s) done; the verdict is based on these.", nullptr, static_cast<int>(planned))
                            .arg(format::count(static_cast<qint64>(done))));
    m_progress->setVisible(planned > 0);
}

void VerdictCard::setMoreSeedsPossible(bool possible) { m_moreSeeds->setVisible(possible); }

void VerdictCard::setMoreSeedsBlocked(const QString& reason) {
    m_moreSeeds->setEnabled(reason.isEmpty());
    m_moreSeeds->setToolTip(reason.isEmpty() ? tr("Queues both arms with the next three seeds and the same margin")
                                             : reason);
    m_moreSeeds->setAccessibleDescription(reason);
}

void VerdictCard::setComparison(const ComparisonInput& input, const Comparison& comparison,
                                const comparison_text::PairNames& names) {
    const EquivalenceTest& test = comparison.test;
    m_verdict = test.verdict;
    if (auto* line = m_marginField->findChild<QLineEdit*>(); line != nullptr && m_metric != comparison.metric)
        line->setModified(false); // what was typed was in another unit
    m_metric = comparison.metric;
    m_word->setText(comparison_text::headline(comparison));
    m_others->setText(comparison_text::otherVerdicts(comparison).join(QLatin1Char('\n')));
    m_others->setVisible(!m_others->text().isEmpty());
    m_sentence->setText(comparison_text::sentence(comparison, names.titleA, names.titleB));
    m_saving->setText(comparison.saving ? format::message(*comparison.saving) : QString());
    m_saving->setVisible(comparison.saving.has_value());
    m_evaluationMemory->setText(comparison.evaluationMemory ? format::message(*comparison.evaluationMemory)
                                                            : QString());
    m_evaluationMemory->setVisible(comparison.evaluationMemory.has_value());
    m_scale->setText(comparison_text::scale(comparison));
    m_scale->setVisible(!m_scale->text().isEmpty());
    setAccessibleName(m_others->text().isEmpty() ? m_word->text()
                                                 : m_word->text() + QLatin1Char('\n') + m_others->text());
    setAccessibleDescription(m_sentence->text());

    const double factor = comparison_text::unitFactor(m_metric);
    IntervalPicture& picture = m_picture;
    picture = {};
    picture.hasInterval = test.n >= 2;
    picture.lower = test.ci90Lower * factor;
    picture.mean = test.meanDifference * factor;
    picture.upper = test.ci90Upper * factor;
    picture.wide = std::pair(test.ci95Lower * factor, test.ci95Upper * factor);
    picture.margin = comparison.test.margin * factor;
    if (!stepTellsMargin(test.step, test.margin))
        picture.coarse = test.verdict;
    picture.marginText = comparison_text::margin(m_metric, comparison.test.margin);
    picture.lessText = tr("◂ %1 lower", "letter of a group").arg(names.letterA);
    picture.moreText = tr("%1 higher ▸", "letter of a group").arg(names.letterA);
    m_interval->setPicture(picture);
    m_interval->setAccessibleName(tr("90 % interval of the difference against the margin"));
    m_interval->setToolTip(tr("Thick: the 90 % interval, by which equivalence is judged. Thin: the 95 % interval, by "
                              "which a difference is judged. Shaded: the margin."));
    m_interval->setAccessibleDescription(m_sentence->text());
    showMargin(input, comparison.test.margin);
    repaintSign();
}

void VerdictCard::fitMarginField(double shown) {
    const QSignalBlocker quiet(m_marginField);
    const QString unit = comparison_text::differenceUnit(m_metric);
    // Errors and losses are of any size, so the field follows the margin: four digits of it, a step in the second.
    const int exponent = static_cast<int>(std::floor(std::log10(std::max(shown, 1e-12))));
    const int decimals = std::clamp(3 - exponent, unit.isEmpty() ? 0 : kShareDecimals, kMostDecimals);
    m_marginField->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    m_marginField->setDecimals(decimals);
    m_marginField->setRange(std::pow(10.0, -decimals), std::max(unit.isEmpty() ? kLargestMargin : 100.0, 10.0 * shown));
    m_marginField->setSingleStep(std::pow(10.0, std::max(exponent - 1, -decimals)));
    m_marginField->setValue(shown);
}

void VerdictCard::showMargin(const ComparisonInput& input, double margin) {
    // A person who types is not disturbed by a refresh.
    const auto* line = m_marginField->findChild<QLineEdit*>();
    if (line == nullptr || !m_marginField->hasFocus() || !line->isModified())
        fitMarginField(margin * comparison_text::unitFactor(m_metric));

    const bool late = input.marginSetAfterResults;
    const bool unknown = input.marginSetAt <= 0.0;
    const bool other = input.metricChosenAfterResults; // the study was to be judged by another metric
    if (late && unknown && other)
        m_marginNote->setText(tr("The study fixed no margin for this metric: its default counts. The metric was chosen "
                                 "after the results were seen."));
    else if (late && unknown)
        m_marginNote->setText(
            tr("No margin was fixed before the runs: this one was chosen after the results were seen."));
    else if (late)
        m_marginNote->setText(
            tr("Margin changed after the results were seen (%1).").arg(format::dateTime(input.marginSetAt)));
    else if (other && !unknown)
        m_marginNote->setText(
            tr("The margin stands as it was fixed on %1; the metric was chosen after the results were "
               "seen.")
                .arg(format::dateTime(input.marginSetAt)));
    else if (unknown)
        m_marginNote->setText(tr("The program's default margin; no run has finished yet."));
    else
        m_marginNote->setText((input.margin > 0.0
                                   ? tr("Margin fixed on %1, before the first result.")
                                   : tr("Margin: the metric's default, fixed on %1, before the first result."))
                                  .arg(format::dateTime(input.marginSetAt)));
    m_marginNote->setRole(late || other ? TextRole::Warning : TextRole::Caption);
    m_marginNote->setWordWrap(true);
    m_marginWarning->setVisible(late || other);
    m_resetMargin->setVisible(late && !unknown); // there is none to go back to
}

void VerdictCard::repaintSign() {
    const qreal ratio = devicePixelRatioF();
    QPixmap picture(QSize(kSignSize, kSignSize) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintVerdictSign(painter, QRectF(0, 0, kSignSize, kSignSize), m_verdict, verdictColor(m_theme.colors(), m_verdict));
    painter.end();
    m_sign->setPixmap(picture);
    m_export->setIcon(icon(QStringLiteral("export"), m_theme.colors().secondary));
    m_marginWarning->setPixmap(
        icon(QStringLiteral("warning"), m_theme.colors().warning).pixmap(QSize(kNoteIcon, kNoteIcon), ratio));
}

} // namespace accumulus::ui
