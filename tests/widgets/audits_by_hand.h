// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the Audit page share: audits with a known result, and an engine that answers when the test says
// so.
#pragma once

#include "tests/widgets/page_fixture.h"
#include "widgets/models/audited_tensor_model.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/style/controls.h"
#include "widgets/style/number_box.h"

#include <QPushButton>
#include <QTableView>

#include <numeric>

namespace accumulus::test {

using namespace ui;

inline AuditedTensor tensor(const std::string& name, double error, bool passed = true) {
    AuditedTensor made;
    made.name = name;
    made.shape = {16, 5};
    made.norm = 2.0;
    made.referenceNorm = 1.0;
    made.error = error;
    made.largestError = error / 10.0;
    made.cosine = 0.75;
    made.noiseFloor = 1e-7;
    made.tolerance = 1e-5;
    made.passed = passed;
    return made;
}

inline AuditedWindow window(std::vector<std::int64_t> units, std::vector<double> weights) {
    AuditedWindow made;
    const double all = static_cast<double>(std::accumulate(units.begin(), units.end(), std::int64_t{0}));
    for (const std::int64_t n : units)
        made.rightWeights.push_back(static_cast<double>(n) / all);
    made.units = std::vector<double>(units.begin(), units.end());
    made.weights = std::move(weights);
    made.worstTensor = "fc.weight";
    return made;
}

inline GradientAudit equivalentAudit() {
    GradientAudit audit;
    audit.subject = subjectAsNamed("LeNet-5 on MNIST, 14 = 4 x 4");
    audit.headline = {"audit.equivalent", {{"tensor", "fc.weight"}, {"error", "3.1e-07"}, {"tolerance", "1e-05"}}};
    audit.worstTensor = "fc.weight";
    audit.worstError = 3.1e-7;
    audit.tolerance = 1e-5;
    audit.tensors = {tensor("conv.weight", 2e-7), tensor("conv.bias", 1e-7), tensor("fc.weight", 3.1e-7)};
    audit.windows = {window({4, 4, 4, 2}, {4 / 14.0, 4 / 14.0, 4 / 14.0, 2 / 14.0}),
                     window({4, 2}, {4 / 6.0, 2 / 6.0})};
    audit.splits = {{1, 1e-8}, {2, 1e-7}, {4, 3.1e-7}};
    return audit;
}

inline GradientAudit wrongAudit() {
    GradientAudit audit = equivalentAudit();
    audit.verdict = AuditVerdict::NotEquivalent;
    audit.pattern = "factor-k";
    audit.headline = {"audit.found.factor-k", {{"factor", "4.00"}}};
    audit.tensors = {tensor("conv.weight", 3.0, false), tensor("conv.bias", 1e-7), tensor("fc.weight", 2.5, false)};
    for (double& weight : audit.windows[0].weights)
        weight = 1.0;
    audit.updates = {{1, 1e-7, 2e-7}, {2, 4e-7, 5e-7}};
    return audit;
}

/// Answers with what it was given, and remembers what was asked.
struct HandEngine {
    Result<GradientAudit> answer = equivalentAudit();
    Status keeps;
    std::vector<AuditRequest> asked, kept;
    std::atomic<bool> blocks = false; ///< until the stop token is raised

    [[nodiscard]] AuditEngine engine() {
        return {[this](const AuditRequest& request, const std::filesystem::path&, const AuditProgress& progress,
                       const std::stop_token& stop) -> Result<GradientAudit> {
                    asked.push_back(request);
                    progress(0.5, {"audit.doing.large", {}});
                    while (blocks && !stop.stop_requested())
                        QThread::msleep(5);
                    return stop.stop_requested() ? Result<GradientAudit>(failure("audit.cancelled")) : answer;
                },
                [this](const std::filesystem::path&, const AuditRequest& request, const GradientAudit&) {
                    kept.push_back(request);
                    return keeps;
                }};
    }
};

inline ExperimentConfig smallSetup() {
    ExperimentConfig experiment;
    experiment.run.batch.effective = 128;
    experiment.run.batch.micro = 32;
    experiment.study.seeds = {7, 8};
    return experiment;
}

/// A page over an engine of the test's own for each function.
class AuditsByHand {
protected:
    void audit(const GradientAudit& found) {
        m_hand->answer = found;
        m_page->setSetup(smallSetup());
        QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
        QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
        QVERIFY(shown.wait());
    }

    [[nodiscard]] QString text(const char* label) const { return child<QLabel>(*m_page, label)->text(); }

    [[nodiscard]] QString notice() const { return child<NoticeBar>(*m_page, "auditNotice")->accessibleName(); }

    [[nodiscard]] QColor wordColor() const {
        return child<QLabel>(*m_page, "auditWord")->palette().color(QPalette::WindowText);
    }

    [[nodiscard]] QStringList names() const {
        const auto* model = child<QTableView>(*m_page, "auditTensorTable")->model();
        QStringList found;
        for (int row = 0; row < model->rowCount(); ++row)
            found << model->index(row, AuditedTensorModel::Name).data().toString();
        return found;
    }

    void openPage() {
        m_hand = std::make_unique<HandEngine>();
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<AuditPage>(m_fixture->services(), nullptr, m_hand->engine());
        m_page->resize(1130, 650);
        m_page->show();
    }

    void closePage() {
        m_page.reset();
        m_fixture.reset();
        m_hand.reset();
    }

    std::unique_ptr<HandEngine> m_hand;
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<AuditPage> m_page;
};

} // namespace accumulus::test
