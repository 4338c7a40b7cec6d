// SPDX-License-Identifier: GPL-3.0-or-later
// A step of the history of Set up says what it changes, and shows it.
#include "core/config/config_fields.h"
#include "tests/widgets/screenshot.h"
#include "tests/widgets/setup_form.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/field_titles.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QtTest>

namespace test_setup_undo {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupUndo : public QObject, protected SetupForm {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { useTheme(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void undoNamesTheFieldAndShowsIt() {
        const auto* form = find<QScrollArea>("setup.form");
        type("setup.study.seeds", QStringLiteral("0, 1, 2"));
        QCOMPARE(m_page->undoText(), fieldTitle(*findField("study.seeds")));
        const auto* field = find<QWidget>("setup.study.seeds");
        const auto seen = [&] {
            const QRect place(field->mapTo(form->viewport(), QPoint()), field->size());
            return form->viewport()->rect().contains(place);
        };
        form->verticalScrollBar()->setValue(0);
        QTRY_VERIFY(!seen());
        QTest::keyClick(find<QWidget>("setup.model.name"), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(seen());
        QCOMPARE(m_page->redoText(), fieldTitle(*findField("study.seeds")));
        form->verticalScrollBar()->setValue(0);
        QTest::keyClick(find<QWidget>("setup.model.name"), Qt::Key_Y, Qt::ControlModifier); // as on other systems
        QCOMPARE(m_page->experiment().study.seeds.size(), std::size_t{3});
        QTRY_VERIFY(seen());
    }

    void aStepThatChangesMuchNamesTheFirst() {
        ExperimentConfig experiment = m_page->experiment();
        experiment.run.model.name = "mlp";
        experiment.study.seeds = {3};
        m_page->setExperiment(experiment);
        QCOMPARE(m_page->undoText(), fieldTitle(*findField("model.name")) + QStringLiteral(" and others"));
        QVERIFY(m_page->redoText().isEmpty());
    }
};

QTEST_MAIN(TestSetupUndo)
} // namespace test_setup_undo
#include "test_setup_undo.moc"
