// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of Compare share: the page over a library of made-up studies whose verdict is known.
#pragma once

#include "tests/widgets/page_fixture.h"
#include "widgets/models/comparison_text.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/compare/compare_view.h"

#include <QLabel>
#include <QRegularExpression>
#include <QTableView>

namespace accumulus::test {

using namespace ui;

/// "+1.5 points", "−0.02": the first number with its sign.
inline double numberIn(QString text) {
    text.replace(QChar(0x2212), QLatin1Char('-'));
    static const QRegularExpression number("[-+]?\\d+(\\.\\d+)?(e[-+]\\d+)?");
    const auto match = number.match(text);
    return match.hasMatch() ? match.captured().toDouble() : std::nan("");
}

/// A page over a library of its own for each function.
class CompareCases {
protected:
    void start(const QSize& size = {1110, 690}) {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_page->resize(size);
        m_page->show();
        m_page->activated();
    }

    [[nodiscard]] QString text(const char* name) const {
        const auto* label = child<QLabel>(*m_page, name);
        return label == nullptr ? QString() : label->text();
    }

    /// Groups are read on another thread.
    [[nodiscard]] bool waitUntilShown(std::size_t pairs) const {
        const auto* table = child<QTableView>(*m_page, "compare.seedTable");
        const int rows = pairs > 0 ? static_cast<int>(pairs) + 1 : 0;
        return QTest::qWaitFor([&] { return table->model()->rowCount() == rows; }, 10'000) &&
               child<QScrollArea>(*m_page, "compare.scroll")->isVisible();
    }

    void showCase(const VerdictCase& verdictCase, std::int64_t ranks = 1) {
        start();
        SyntheticStudy study = studyOf(verdictCase);
        study.ranks = ranks;
        m_runs = m_fixture->add(study);
        m_page->compareStudy(QString::fromStdString(m_runs.study));
        QVERIFY(waitUntilShown(verdictCase.a.size()));
    }

    void closePage() {
        m_page.reset();
        m_fixture.reset();
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_runs;
};

} // namespace accumulus::test
