// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_groups.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"
#include "widgets/style/wheel_guard.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr qsizetype kShortId = 8;          ///< letters of a UUID that tell runs apart
constexpr qsizetype kMostSuggestions = 12; ///< in the menu

bool isPaired(const FamilyComparison& family, const std::string& run) {
    return std::ranges::any_of(family.members, [&run](const FamilyMember& member) {
        return std::ranges::any_of(member.comparison.pairs,
                                   [&run](const PairedResult& pair) { return pair.runA == run || pair.runB == run; });
    });
}

/// Why runs are left out; what is so in some pairs of groups only says in which.
QStringList unpairedRuns(const LoadedComparison& loaded) {
    const auto& members = loaded.family.members;
    QStringList sentences;
    for (const FamilyMember& member : members)
        for (const Message& run : member.comparison.unpaired) {
            const bool everywhere = std::ranges::all_of(members, [&run](const FamilyMember& one) {
                return std::ranges::find(one.comparison.unpaired, run) != one.comparison.unpaired.end();
            });
            const QString pair = comparison_text::pairNames(loaded.input, member.group).difference();
            const QString sentence =
                everywhere ? format::message(run) : QStringLiteral("%1: %2").arg(pair, format::message(run));
            if (!sentences.contains(sentence))
                sentences << sentence;
        }
    return sentences;
}

} // namespace

/// A short piece of the group's line as the plots draw it: colour and dashes.
class CompareGroups::Swatch : public QWidget {
public:
    explicit Swatch(QWidget* parent) : QWidget(parent) { setFixedSize(28, 12); }
    void setLook(const GroupLook& look) {
        m_look = look;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        GroupLook thick = m_look;
        for (qreal& dash : thick.dashes)
            dash /= 2.0; // the line is thicker than in a plot
        QPen pen = thick.pen(3.0);
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(0.0, height() / 2.0), QPointF(width(), height() / 2.0));
    }

private:
    GroupLook m_look;
};

CompareGroups::CompareGroups(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Groups"), parent), m_theme(theme), m_rows(new QVBoxLayout), m_add(new QPushButton(this)),
      m_referenceRow(new QWidget(this)), m_reference(new QComboBox(m_referenceRow)),
      m_unpairedTitle(new RoleLabel(theme, TextRole::Warning, tr("Left out"), this)),
      m_unpaired(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    setObjectName(QStringLiteral("compare.groups"));
    m_unpaired->setObjectName(QStringLiteral("compare.unpaired"));
    m_rows->setSpacing(space::s);
    content()->addLayout(m_rows);
    for (int group = 0; group < 2; ++group)
        addRow();
    buildActions();
    content()->addWidget(m_unpairedTitle);
    content()->addWidget(m_unpaired);
    content()->addStretch(1);
    connect(&theme, &Theme::changed, this, &CompareGroups::recolor);
    recolor();
}

void CompareGroups::buildActions() {
    m_add->setObjectName(QStringLiteral("compare.addGroup"));
    m_add->setText(tr("Add group"));
    m_add->setToolTip(tr("Compares one more group with the reference: up to eight"));
    m_add->setMenu(new QMenu(m_add));
    m_reference->setObjectName(QStringLiteral("compare.reference"));
    m_reference->setAccessibleName(tr("Reference"));
    m_reference->setToolTip(tr("The group that each other one is compared with"));
    auto* label = new RoleLabel(m_theme, TextRole::Body, tr("Reference"), m_referenceRow);
    label->setWordWrap(false);
    label->setBuddy(m_reference);
    auto* field = new QHBoxLayout(m_referenceRow);
    field->setContentsMargins(0, 0, 0, 0);
    field->setSpacing(space::s);
    field->addWidget(label);
    field->addWidget(m_reference);
    m_referenceRow->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(m_referenceRow);
    row->addStretch(1);
    row->addWidget(m_add);
    content()->addLayout(row);
    auto* guard = new WheelGuard(this);
    guard->guard(m_reference);
    connect(m_reference, &QComboBox::activated, this,
            [this](int group) { Q_EMIT referenceChosen(static_cast<std::size_t>(group)); });
    setSuggestions({}, {});
}

void CompareGroups::addRow() {
    const std::size_t index = m_groups.size();
    const QString letter = comparison_text::groupLetter(index);
    const QString name = QStringLiteral("compare.group") + letter;
    Group group;
    group.row = new QWidget(this);
    group.swatch = new Swatch(group.row);
    group.title = new RoleLabel(m_theme, TextRole::Body, {}, group.row);
    group.seeds = new RoleLabel(m_theme, TextRole::Caption, {}, group.row);
    group.remove = new QToolButton(group.row);
    group.title->setObjectName(name);
    group.seeds->setObjectName(name + QStringLiteral("Seeds"));
    group.remove->setObjectName(QStringLiteral("compare.removeGroup") + letter);
    group.remove->setAutoRaise(true);
    group.remove->setAccessibleName(tr("Remove group %1").arg(letter));
    group.remove->setToolTip(tr("Removes group %1 from the comparison, not its runs").arg(letter));
    group.remove->hide();
    auto* head = new QHBoxLayout;
    head->setSpacing(space::s);
    head->addWidget(group.swatch, 0, Qt::AlignVCenter);
    head->addWidget(group.title, 1);
    head->addWidget(group.remove);
    auto* column = new QVBoxLayout(group.row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addLayout(head);
    column->addWidget(group.seeds);
    m_rows->addWidget(group.row);
    connect(group.remove, &QToolButton::clicked, this, [this, index] { Q_EMIT removeRequested(index); });
    m_groups.push_back(group);
}

void CompareGroups::fill(std::size_t index, const LoadedComparison& loaded) {
    const Group& group = m_groups[index];
    const std::vector<ComparedRun>& runs = groupAt(loaded.input, index);
    const QString letter = comparison_text::groupLetter(index);
    group.title->setText(runs.empty() ? tr("%1: no runs yet", "letter of a group").arg(letter)
                                      : QStringLiteral("%1: %2").arg(letter, comparison_text::groupTitle(runs)));
    std::vector<const ComparedRun*> ascending;
    for (const ComparedRun& run : runs)
        ascending.push_back(&run);
    std::ranges::stable_sort(ascending, {}, [](const ComparedRun* run) { return run->seed; });
    QStringList seeds;
    for (const ComparedRun* run : ascending)
        // A no-break space keeps mark and number together.
        seeds << (isPaired(loaded.family, run->id) ? QChar(0x2713) : QChar(0x2013)) + QString(QChar(0x00A0)) +
                     QString::number(run->seed);
    group.seeds->setText(tr("Seeds: %1").arg(seeds.join(QStringLiteral("   "))));
    group.seeds->setVisible(!runs.empty());
    group.remove->setVisible(groupCount(loaded.input) > 2);
}

void CompareGroups::setComparison(const LoadedComparison& loaded) {
    const std::size_t count = groupCount(loaded.input);
    while (m_groups.size() < count)
        addRow();
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        m_groups[group].row->setVisible(group < count);
        if (group < count)
            fill(group, loaded);
    }
    m_looks = withoutMeasurements(loaded.input);
    recolor();
    fillReferences(loaded.input);
    m_add->setEnabled(count < mostGroups);
    m_left = unpairedRuns(loaded);
    for (const QString& run : loaded.leftOut.trashed)
        m_left << tr("Run %1 is in the Trash.").arg(run.left(kShortId));
    for (const QString& run : loaded.leftOut.missing)
        m_left << tr("Run %1 was deleted from the library.").arg(run.left(kShortId));
    m_unpaired->setText(m_left.join(QLatin1Char('\n')));
    m_unpairedTitle->setVisible(!m_left.isEmpty());
    m_unpaired->setVisible(!m_left.isEmpty());
}

/// Of two groups B is the reference; swapping them is the other way round.
void CompareGroups::fillReferences(const ComparisonInput& input) {
    const auto count = static_cast<int>(groupCount(input));
    if (m_reference->count() != count) {
        m_reference->clear();
        for (int group = 0; group < count; ++group)
            m_reference->addItem(comparison_text::groupLetter(static_cast<std::size_t>(group)));
    }
    auto* items = qobject_cast<QStandardItemModel*>(m_reference->model());
    for (int group = 0; group < count && items != nullptr; ++group) // one without runs is nothing to compare with
        items->item(group)->setEnabled(!groupAt(input, static_cast<std::size_t>(group)).empty());
    m_reference->setCurrentIndex(static_cast<int>(input.reference));
    m_referenceRow->setVisible(count > 2);
}

void CompareGroups::setSuggestions(const std::vector<PairChoice>& choices, const QList<QStringList>& compared) {
    QMenu* menu = m_add->menu();
    if (menu->isVisible())
        return; // somebody is choosing
    menu->clear();
    QAction* empty = menu->addAction(tr("Empty group, to be filled from the table"));
    empty->setObjectName(QStringLiteral("compare.addEmptyGroup"));
    connect(empty, &QAction::triggered, this, [this] { Q_EMIT addRequested({}); });
    QList<QStringList> offered = compared;
    const auto offer = [&](const QString& title, const QStringList& runs) {
        if (offered.contains(runs) || offered.size() >= compared.size() + kMostSuggestions)
            return;
        if (offered.size() == compared.size())
            menu->addSection(tr("Suggested"));
        offered << runs;
        QAction* action = menu->addAction(title);
        action->setObjectName(QStringLiteral("compare.addSuggested"));
        connect(action, &QAction::triggered, this, [this, runs] { Q_EMIT addRequested(runs); });
    };
    for (const PairChoice& choice : choices) {
        const QString when = format::dateTime(choice.brief.createdAt);
        offer(QStringLiteral("%1 · %2").arg(choice.titleA, when), choice.groupA);
        offer(QStringLiteral("%1 · %2").arg(choice.titleB, when), choice.groupB);
    }
}

void CompareGroups::recolor() {
    const std::vector<GroupLook> looks = groupLooks(m_theme.colors(), m_looks);
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        if (group < looks.size())
            m_groups[group].swatch->setLook(looks[group]);
        m_groups[group].remove->setIcon(icon(QStringLiteral("close"), m_theme.colors().secondary));
    }
    m_add->setIcon(icon(QStringLiteral("add"), m_theme.colors().text));
}

} // namespace accumulus::ui
