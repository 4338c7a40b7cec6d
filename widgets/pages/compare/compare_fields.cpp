// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_fields.h"

#include "widgets/models/comparison_text.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/wheel_guard.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

namespace accumulus::ui {

namespace {

QVBoxLayout* labelled(const Theme& theme, const QString& text, QWidget* field, QWidget* parent) {
    auto* label = new RoleLabel(theme, TextRole::Caption, text, parent);
    label->setWordWrap(false);
    label->setBuddy(field);
    field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    auto* column = new QVBoxLayout;
    column->setSpacing(space::xs);
    column->addWidget(label);
    column->addWidget(field);
    return column;
}

} // namespace

CompareFields::CompareFields(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_pairs(new QComboBox(this)), m_metric(new QComboBox(this)),
      m_together(new QPushButton(this)) {
    m_pairs->setObjectName(QStringLiteral("compare.pairs"));
    m_pairs->setPlaceholderText(tr("Choose a pair"));
    m_pairs->view()->setTextElideMode(Qt::ElideMiddle); // name and verdict stand at the ends
    m_metric->setObjectName(QStringLiteral("compare.metric"));
    for (QComboBox* box : {m_pairs, m_metric}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
    }
    m_together->setObjectName(QStringLiteral("compare.together"));
    m_together->setToolTip(tr("Several metrics are judged together, with their p values corrected by Holm's method"));
    auto* menu = new QMenu(m_together);
    menu->setObjectName(QStringLiteral("compare.togetherMenu"));
    m_together->setMenu(menu);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::fieldGap);
    QVBoxLayout* pairs = labelled(theme, tr("&Pairs"), m_pairs, this);
    m_pairsLabel = qobject_cast<QLabel*>(pairs->itemAt(0)->widget());
    row->addLayout(pairs, 5);
    row->addLayout(labelled(theme, tr("&Judged by"), m_metric, this), 2);
    row->addLayout(labelled(theme, tr("To&gether with"), m_together, this), 1);

    auto* guard = new WheelGuard(this);
    guard->guard(m_pairs);
    guard->guard(m_metric);
    connect(m_pairs, &QComboBox::activated, this, [this](int index) {
        const auto groups = m_pairs->itemData(index).toList();
        if (groups.size() == 2)
            Q_EMIT pairChosen(groups[0].toStringList(), groups[1].toStringList());
    });
    connect(m_metric, &QComboBox::activated, this, [this] { Q_EMIT metricChosen(m_metric->currentData().toString()); });
    connect(menu, &QMenu::triggered, this, [this] {
        showTogether();
        Q_EMIT togetherChosen(checkedMetrics());
    });
    connect(&theme, &Theme::changed, this, &CompareFields::showVerdicts);
    showTogether();
}

bool CompareFields::setChoices(const std::vector<PairChoice>& choices, const ComparisonRequest& chosen) {
    if (m_pairs->view()->isVisible())
        return false;
    m_pairsLabel->setText(tr("&Pairs (%1 found)").arg(choices.size()));
    // A study that trains announces itself several times a second: what stays as it is keeps its focus and popup.
    if (choices == m_choices && m_groups == chosen.groups())
        return true;
    m_choices = choices;
    m_groups = chosen.groups();
    m_pairs->clear();
    int current = -1;
    for (const PairChoice& choice : m_choices) {
        const bool direct = m_groups == QList<QStringList>{choice.groupA, choice.groupB};
        const bool swapped = m_groups == QList<QStringList>{choice.groupB, choice.groupA};
        if (chosen.isComparable() && current < 0 && (direct || swapped))
            current = m_pairs->count();
        m_pairs->addItem(choice.title, QVariantList{choice.groupA, choice.groupB});
    }
    if (chosen.isComparable() && current < 0) { // chosen by hand
        const bool two = m_groups.size() == 2;
        m_pairs->insertItem(0,
                            two ? tr("Chosen runs: %1 against %2").arg(m_groups[0].size()).arg(m_groups[1].size())
                                : tr("%n group(s) of chosen runs", nullptr, static_cast<int>(m_groups.size())),
                            two ? QVariantList{m_groups[0], m_groups[1]} : QVariantList());
        current = 0;
    }
    m_pairs->setCurrentIndex(current);
    showVerdicts();
    return true;
}

void CompareFields::showVerdicts() {
    const int byHand = m_pairs->count() - static_cast<int>(m_choices.size()); // it stands first
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const int item = byHand + static_cast<int>(i);
        const QString text = pairText(m_choices[i]);
        m_pairs->setItemText(item, text);
        m_pairs->setItemData(item, text, Qt::ToolTipRole);
        if (const auto verdict = verdictOf(m_choices[i]))
            m_pairs->setItemIcon(item, verdictIcon(m_theme.colors(), *verdict));
    }
}

/// While a run is still to be trained there is none.
std::optional<Verdict> CompareFields::verdictOf(const PairChoice& choice) const {
    const QList<QStringList> groups{choice.groupA, choice.groupB};
    const QList<QStringList> swapped{choice.groupB, choice.groupA};
    const bool onCard = m_verdict && (m_judged == groups || m_judged == swapped);
    return choice.brief.verdict && onCard ? m_verdict : choice.brief.verdict;
}

QString CompareFields::pairText(const PairChoice& choice) const {
    PairBrief brief = choice.brief;
    brief.verdict = verdictOf(choice);
    return QStringLiteral("%1 · %2").arg(choice.title, briefText(brief));
}

void CompareFields::setVerdict(const QList<QStringList>& groups, Verdict verdict) {
    if (groups == m_judged && verdict == m_verdict)
        return;
    m_judged = groups;
    m_verdict = verdict;
    showVerdicts();
}

void CompareFields::clearChoices() {
    m_choices.clear();
    m_groups.clear();
    m_pairs->clear();
}

/// Those that the runs have.
void CompareFields::setMetrics(const ComparisonInput& input, CompareMetric judged, const QStringList& together) {
    std::vector<CompareMetric> offered;
    for (const MetricRow& row : metricRows)
        if (input.groupA.empty() || hasMetric(input.groupA.front().config, row.metric))
            offered.push_back(row.metric);
    if (offered != m_metrics) {
        m_metrics = offered;
        m_metric->clear();
        for (const CompareMetric one : m_metrics)
            m_metric->addItem(comparison_text::metricTitle(one), format::fromUtf8(metricName(one)));
    }
    m_metric->setCurrentIndex(m_metric->findData(format::fromUtf8(metricName(judged))));
    fillTogether(offered, judged, together);
}

void CompareFields::fillTogether(const std::vector<CompareMetric>& offered, CompareMetric judged,
                                 const QStringList& together) {
    QMenu* menu = m_together->menu();
    if (menu->isVisible())
        return; // somebody is choosing
    menu->clear();
    for (const CompareMetric metric : offered) {
        if (metric == judged)
            continue;
        const QString name = format::fromUtf8(metricName(metric));
        QAction* action = menu->addAction(comparison_text::metricTitle(metric));
        action->setObjectName(QStringLiteral("compare.together.") + name);
        action->setData(name);
        action->setCheckable(true);
        action->setChecked(together.contains(name));
    }
    showTogether();
}

QStringList CompareFields::checkedMetrics() const {
    QStringList metrics;
    for (const QAction* action : m_together->menu()->actions())
        if (action->isChecked())
            metrics << action->data().toString();
    return metrics;
}

void CompareFields::showTogether() {
    const auto count = static_cast<int>(checkedMetrics().size());
    m_together->setText(count == 0 ? tr("No other metric") : tr("%n more metric(s)", nullptr, count));
}

void CompareFields::focusPairs() { m_pairs->setFocus(Qt::OtherFocusReason); }

void CompareFields::setComparing(bool on) {
    m_metric->setEnabled(on);
    m_together->setEnabled(on && m_metrics.size() > 1);
}

} // namespace accumulus::ui
