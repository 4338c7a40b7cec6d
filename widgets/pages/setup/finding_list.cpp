// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/finding_list.h"

#include "widgets/models/field_words.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace accumulus::ui {

namespace {

/// The level as a shape, so that colour is never alone.
class LevelMark : public QWidget {
public:
    LevelMark(const Theme& theme, FindingLevel level, QWidget* parent)
        : QWidget(parent), m_theme(theme), m_level(level) {
        setFixedSize(16, 18);
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = m_theme.colors();
        QPainter painter(this);
        const QRect square(0, 1, 16, 16);
        switch (m_level) {
        case FindingLevel::Info:
            icon(QStringLiteral("info"), colors.secondary).paint(&painter, square);
            return;
        case FindingLevel::Warning:
            icon(QStringLiteral("warning"), colors.warning).paint(&painter, square);
            return;
        case FindingLevel::Error:
            icon(QStringLiteral("error"), colors.bad).paint(&painter, square);
            return;
        }
    }

private:
    const Theme& m_theme;
    FindingLevel m_level;
};

/// What the button would set, one line for each setting, or where it leads.
QString changesOf(const Fix& fix) {
    if (fix.id == "probe")
        return FindingList::tr("Opens the Planner, which measures every size that makes up the effective batch");
    QStringList lines;
    for (const std::string& assignment : fix.assignments) {
        const std::size_t sign = assignment.find('=');
        const ConfigField* field = sign == std::string::npos ? nullptr : findField(assignment.substr(0, sign));
        if (field)
            lines << QStringLiteral("%1 = %2").arg(fieldTitle(*field), format::fromUtf8(assignment.substr(sign + 1)));
    }
    return lines.join(QLatin1Char('\n'));
}

TextRole roleOf(FindingLevel level) {
    switch (level) {
    case FindingLevel::Info:
        return TextRole::Caption;
    case FindingLevel::Warning:
        return TextRole::Warning;
    case FindingLevel::Error:
        break;
    }
    return TextRole::Bad;
}

} // namespace

void keepWrapped(RoleLabel* label, const Theme& theme) {
    label->setWordWrap(true);
    QObject::connect(&theme, &Theme::changed, label, [label] { label->setWordWrap(true); });
}

Fix fieldLink() { return {"show-field", {FindingList::tr("Go to the field").toStdString(), {}}, {}}; }

FindingList::FindingList(const Theme& theme, QString prefix, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_prefix(std::move(prefix)), m_rows(new QVBoxLayout(this)) {
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(space::m);
    hide();
}

void FindingList::setFindings(std::vector<Finding> findings) {
    if (findings == m_findings)
        return;
    m_findings = std::move(findings);
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        // The button that was clicked may be among them: it dies after its click, nameless from now on.
        item->widget()->hide();
        for (QObject* child : item->widget()->findChildren<QObject*>())
            child->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
    for (const Finding& finding : m_findings) {
        QWidget* row = makeRow(finding);
        m_rows->addWidget(row);
        row->show(); // a layout would show it only with the next event
    }
    setVisible(!m_findings.empty());
}

QWidget* FindingList::makeRow(const Finding& finding) {
    auto* row = new QWidget(this);
    auto* outer = new QHBoxLayout(row);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(space::s);
    outer->addWidget(new LevelMark(m_theme, finding.level, row), 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(space::s);
    outer->addLayout(column, 1);

    const QString name = m_prefix + QString::fromStdString(finding.id);
    auto* sentence = new RoleLabel(m_theme, roleOf(finding.level), findingText(finding), row);
    sentence->setObjectName(name);
    keepWrapped(sentence, m_theme);
    column->addWidget(sentence);
    if (finding.fixes.empty())
        return row;
    auto* buttons = new FlowLayout(space::s);
    column->addLayout(buttons);
    for (const Fix& fix : finding.fixes) {
        auto* button = new QPushButton(fixLabel(fix), row);
        button->setObjectName(name + QLatin1Char('.') + QString::fromStdString(fix.id));
        button->setAccessibleDescription(findingText(finding));
        button->setToolTip(changesOf(fix));
        button->setAutoDefault(false);
        buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, finding, fix] { Q_EMIT fixChosen(finding, fix); });
    }
    return row;
}

} // namespace accumulus::ui
