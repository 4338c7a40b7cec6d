// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_groups.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

namespace accumulus::ui {

namespace {
constexpr qsizetype kShortId = 8; ///< letters of a UUID that tell runs apart
} // namespace

/// A short piece of the group's line as the plots draw it: colour and dash.
class CompareGroups::Swatch : public QWidget {
public:
    Swatch(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) { setFixedSize(28, 12); }
    void setArm(Arm arm) {
        m_arm = arm;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = m_theme.colors();
        const bool large = m_arm == Arm::LargeBatch;
        QPainter painter(this);
        QPen pen(large ? colors.largeBatch : colors.accumulated, 3.0);
        if (large)
            pen.setDashPattern({2.4, 1.4});
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(0.0, height() / 2.0), QPointF(width(), height() / 2.0));
    }

private:
    const Theme& m_theme;
    Arm m_arm = Arm::Accumulated;
};

CompareGroups::CompareGroups(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Groups"), parent), m_theme(theme), m_a(addGroup(QStringLiteral("compare.groupA"))),
      m_b(addGroup(QStringLiteral("compare.groupB"))),
      m_unpairedTitle(new RoleLabel(theme, TextRole::Warning, tr("Left out"), this)),
      m_unpaired(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    setObjectName(QStringLiteral("compare.groups"));
    m_unpaired->setObjectName(QStringLiteral("compare.unpaired"));
    content()->addWidget(m_unpairedTitle);
    content()->addWidget(m_unpaired);
    content()->addStretch(1);
}

CompareGroups::Group CompareGroups::addGroup(const QString& name) {
    Group group;
    group.swatch = new Swatch(m_theme, this);
    group.title = new RoleLabel(m_theme, TextRole::Body, {}, this);
    group.seeds = new RoleLabel(m_theme, TextRole::Caption, {}, this);
    group.title->setObjectName(name);
    group.seeds->setObjectName(name + QStringLiteral("Seeds"));
    auto* head = new QHBoxLayout;
    head->setSpacing(space::s);
    head->addWidget(group.swatch, 0, Qt::AlignVCenter);
    head->addWidget(group.title, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(space::xs);
    column->addLayout(head);
    column->addWidget(group.seeds);
    content()->addLayout(column);
    return group;
}

void CompareGroups::fill(const Group& group, const QString& letter, const std::vector<ComparedRun>& runs,
                         const Comparison& comparison) {
    group.swatch->setArm(runs.empty() ? Arm::Accumulated : runs.front().arm);
    group.title->setText(QStringLiteral("%1: %2").arg(letter, comparison_text::groupTitle(runs)));
    QStringList seeds;
    for (const ComparedRun& run : runs) {
        const bool paired =
            std::any_of(comparison.pairs.begin(), comparison.pairs.end(),
                        [&run](const PairedResult& pair) { return pair.runA == run.id || pair.runB == run.id; });
        // A no-break space keeps mark and number together.
        seeds << (paired ? QChar(0x2713) : QChar(0x2013)) + QString(QChar(0x00A0)) + QString::number(run.seed);
    }
    group.seeds->setText(tr("Seeds: %1").arg(seeds.join(QStringLiteral("   "))));
}

void CompareGroups::setComparison(const LoadedComparison& loaded) {
    fill(m_a, tr("A", "name of the first group"), loaded.input.groupA, loaded.comparison);
    fill(m_b, tr("B", "name of the second group"), loaded.input.groupB, loaded.comparison);
    m_left.clear();
    for (const Message& run : loaded.comparison.unpaired)
        m_left << format::message(run);
    for (const QString& run : loaded.trashed)
        m_left << tr("Run %1 is in the Trash.").arg(run.left(kShortId));
    for (const QString& run : loaded.missing)
        m_left << tr("Run %1 was deleted from the library.").arg(run.left(kShortId));
    m_unpaired->setText(m_left.join(QLatin1Char('\n')));
    m_unpairedTitle->setVisible(!m_left.isEmpty());
    m_unpaired->setVisible(!m_left.isEmpty());
}

} // namespace accumulus::ui
