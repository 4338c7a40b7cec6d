// SPDX-License-Identifier: GPL-3.0-or-later
// An action that presses a button of a page: it is what the button is, and there is nothing to press where it is
// hidden.
#include "widgets/pages/button_action.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>
#include <QVBoxLayout>

namespace test_button_action {
using namespace accumulus::ui;

namespace {

/// A page with a button in a card of a stack.
class PageOfOne : public Page {
    Q_OBJECT
public:
    PageOfOne()
        : stack(new QStackedWidget(this)), card(new QWidget), empty(new QWidget), button(new QPushButton("Save")) {
        button->setObjectName("save");
        (new QVBoxLayout(card))->addWidget(button);
        stack->addWidget(card);
        stack->addWidget(empty);
        action = qobject_cast<ButtonAction*>(pressing(*this, "save", "Save the thing"));
    }
    QStackedWidget* stack;
    QWidget* card;
    QWidget* empty;
    QPushButton* button;
    ButtonAction* action;
};

} // namespace

class TestButtonAction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itIsEnabledAsTheButtonIs() {
        PageOfOne page; // never shown: the menus know it all the same
        QVERIFY(page.action->isEnabled() && page.action->whyNot().isEmpty());
        page.button->setEnabled(false);
        QVERIFY(!page.action->isEnabled() && !page.action->whyNot().isEmpty());
        page.button->setAccessibleDescription("Nothing is there");
        QCOMPARE(page.action->whyNot(), QString("Nothing is there"));
        page.button->setEnabled(true);
        page.card->setEnabled(false); // and its buttons with it
        QVERIFY(!page.action->isEnabled());
        page.card->setEnabled(true);
        QVERIFY(page.action->isEnabled());
    }

    void whatThePageHidesCannotBePressed() {
        PageOfOne page;
        QSignalSpy pressed(page.button, &QPushButton::clicked);
        page.stack->setCurrentWidget(page.empty);
        QVERIFY(!page.action->isEnabled());
        page.stack->setCurrentWidget(page.card);
        QVERIFY(page.action->isEnabled());
        page.button->hide();
        QVERIFY(!page.action->isEnabled());
        page.button->show();
        page.action->trigger();
        QCOMPARE(pressed.count(), 1);
        page.show(); // on the screen it is the same
        page.stack->setCurrentWidget(page.empty);
        QVERIFY(!page.action->isEnabled());
    }

    void thePageComesToTheFrontFirst() {
        PageOfOne page;
        QStringList order;
        connect(&page, &Page::frontRequested, this, [&order] { order << "front"; });
        connect(page.button, &QPushButton::clicked, this, [&order] { order << "pressed"; });
        page.action->trigger();
        QCOMPARE(order, (QStringList{"front", "pressed"}));
    }

    void itIsCheckedAsTheButtonIs() {
        PageOfOne page;
        page.button->setCheckable(true);
        auto* action = pressing(page, "save", "Save the thing");
        QVERIFY(action->isCheckable() && !action->isChecked());
        page.button->click();
        QVERIFY(action->isChecked());
        action->trigger();
        QVERIFY(!page.button->isChecked() && !action->isChecked());
    }

    void itOutlivesItsButton() {
        PageOfOne page;
        delete page.button;
        page.action->trigger(); // it is enabled until somebody looks
        page.stack->setCurrentWidget(page.empty);
        page.action->trigger();
        QVERIFY(!page.action->isEnabled());
    }
};

QTEST_MAIN(TestButtonAction)
} // namespace test_button_action
#include "test_button_action.moc"
