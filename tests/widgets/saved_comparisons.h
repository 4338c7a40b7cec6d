// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of comparisons that are kept and edited share: the page over a made-up study, its margin typed, and
// what the library then holds.
#pragma once

#include "tests/widgets/page_fixture.h"
#include "widgets/models/saved_comparison_model.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>

namespace accumulus::test {

using namespace ui;

/// A page over a library of its own for each function.
class SavedComparisons {
protected:
    void start() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        makePage();
    }

    /// As after a restart: nothing is kept but the library and the settings.
    void makePage() {
        m_page.reset();
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activateWindow(); // keys go to the widget with the focus
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        m_page->activated();
    }

    void showCase(const VerdictCase& verdictCase) {
        start();
        m_runs = m_fixture->add(studyOf(verdictCase));
        m_page->compareStudy(QString::fromStdString(m_runs.study));
        QVERIFY(waitUntilShown(verdictCase.a.size()));
    }

    [[nodiscard]] QString text(const char* name) const {
        const auto* label = child<QLabel>(*m_page, name);
        return label == nullptr ? QString() : label->text();
    }

    [[nodiscard]] bool waitUntilShown(std::size_t pairs) const {
        const auto* table = child<QTableView>(*m_page, "compare.seedTable");
        const int rows = pairs > 0 ? static_cast<int>(pairs) + 1 : 0;
        return QTest::qWaitFor([&] { return table->model()->rowCount() == rows; }, 10'000) &&
               QTest::qWaitFor([&] { return child<QScrollArea>(*m_page, "compare.scroll")->isVisible(); }, 10'000);
    }

    void click(const char* name) const {
        auto* button = child<QPushButton>(*m_page, name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    void choose(const char* box, const QString& shown) const {
        auto* combo = child<QComboBox>(*m_page, box);
        combo->setCurrentIndex(combo->findText(shown));
        QCOMPARE(combo->currentText(), shown);
        Q_EMIT combo->activated(combo->currentIndex());
    }

    void typeMargin(const char* typed) const {
        auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
        margin->setFocus();
        margin->selectAll();
        QTest::keyClicks(margin, QString::fromLatin1(typed));
        QTest::keyClick(margin, Qt::Key_Return);
        QTRY_VERIFY(text("compare.marginNote").startsWith("Margin changed after the results were seen"));
    }

    /// Saves what is compared and takes the name that is offered.
    void save() const {
        const int before = savedModel()->rowCount();
        click("compare.save");
        QTRY_COMPARE(savedModel()->rowCount(), before + 1);
        QTRY_VERIFY(nameEditor() != nullptr);
        QTest::keyClick(nameEditor(), Qt::Key_Escape);
        QTRY_VERIFY(nameEditor() == nullptr);
    }

    /// Null while no name is being typed.
    [[nodiscard]] QLineEdit* nameEditor() const {
        for (auto* editor : child<QTableView>(*m_page, "compare.savedTable")->findChildren<QLineEdit*>())
            if (editor->isVisible())
                return editor;
        return nullptr;
    }

    [[nodiscard]] SavedComparisonModel* savedModel() const {
        return qobject_cast<SavedComparisonModel*>(child<QTableView>(*m_page, "compare.savedTable")->model());
    }

    [[nodiscard]] std::vector<ComparisonRecord> stored() const {
        RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
        return savedComparisons(reader).value();
    }

    [[nodiscard]] ComparisonRequest request() const { return m_page->request(); }

    void closePage() {
        m_page.reset();
        m_fixture.reset();
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_runs;
};

} // namespace accumulus::test
