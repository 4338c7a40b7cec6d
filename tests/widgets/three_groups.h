// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of comparisons of several groups share: a page with two groups, or with three.
#pragma once

#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/compare/group_verdict_model.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

namespace accumulus::test {

using namespace ui;

class ThreeGroups {
protected:
    /// A and B are the arms of a study that ends equivalent; C is the accumulated arm of one that lies 0.05 higher and
    /// has another margin.
    void start() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_first = m_fixture->add(studyOf(equivalentCase()));
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.micro = 64;
        other.margin = 0.02;
        other.createdAt += 1000.0;
        m_second = m_fixture->add(other);
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_fixture->queueSeedsOf(*m_page);
        m_page->resize(1110, 690);
        m_page->show();
        m_page->compareGroups(qtList(m_first.groupA), qtList(m_first.groupB));
        QTRY_COMPARE(child<QTableView>(*m_page, "compare.seedTable")->model()->rowCount(), 6);
    }
    void closePage() {
        m_page.reset();
        m_fixture.reset();
    }
    void startWithThree() {
        start();
        m_page->addGroup(qtList(m_second.groupA));
        QTRY_COMPARE(verdicts()->rowCount(), 2);
    }
    void chooseReference(int group) const {
        auto* box = child<QComboBox>(*m_page, "compare.reference");
        box->setCurrentIndex(group);
        Q_EMIT box->activated(group);
    }
    [[nodiscard]] QTableView* family() const { return child<QTableView>(*m_page, "compare.familyTable"); }
    [[nodiscard]] QAbstractItemModel* verdicts() const { return family()->model(); }
    [[nodiscard]] QString verdict(int row, int column) const {
        return verdicts()->index(row, column).data().toString();
    }
    [[nodiscard]] QString text(const char* name) const { return child<QLabel>(*m_page, name)->text(); }
    [[nodiscard]] ComparisonRequest request() const { return m_page->request(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_first, m_second;
};

} // namespace accumulus::test
