// SPDX-License-Identifier: GPL-3.0-or-later
// What an audit of gradients found: is the gradient that a loop accumulates that of the large batch, and if not, what
// does the loop do instead? Values, and the same as JSON; core/analysis/gradient_diagnosis makes it. Any thread.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

enum class AuditVerdict { Equivalent, NotEquivalent, Expected };
[[nodiscard]] std::string auditVerdictName(AuditVerdict verdict); ///< "equivalent", "not-equivalent", "expected"
[[nodiscard]] std::optional<AuditVerdict> auditVerdictFromName(std::string_view name);

/// Relative error up to which a tensor passes unless another one is asked for: fp64 1e-12, fp32 1e-5, 16 bits 1e-2.
[[nodiscard]] double defaultAuditTolerance(Precision precision);

/// How far the accumulated gradient of one parameter is from the large batch's. Distances are L2 norms divided by
/// max(norm of the reference, 1e-3 s, 0.03 |s of all tensors|) with s = sum_k n_k |g_k| / N: a gradient that vanishes
/// is judged by those of its micro-batches and of the whole model (see shareOfWhole).
struct AuditedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    double norm = 0.0;                        ///< of the accumulated gradient
    double referenceNorm = 0.0;               ///< of the large batch's
    double error = 0.0;                       ///< distance of the two
    double largestError = 0.0;                ///< of one element, absolute
    double cosine = 1.0;                      ///< NaN where a norm is 0
    std::optional<double> errorFp64;          ///< distance of the accumulated gradient to the fp64 reference
    std::optional<double> referenceErrorFp64; ///< distance of the large batch's to the fp64 reference
    std::optional<double> noiseFloor;         ///< distance of the large batch's to itself with its samples permuted
    double tolerance = 0.0;                   ///< that `error` was judged by
    bool passed = true;
    bool operator==(const AuditedTensor&) const = default;
};

/// One window of the audit: the weights c_k with which the micro-gradients stand in the accumulated gradient, G = sum
/// c_k g_k, g_k the gradient of micro-batch k's mean loss over n_k units.
struct AuditedWindow {
    std::vector<double> units;        ///< n_k, of this window
    std::vector<double> weights;      ///< c_k, fitted over all tensors
    std::vector<double> rightWeights; ///< n_k / N
    std::vector<double>
        earlier; ///< likewise of the micro-batches of the windows before, the newest last; empty: not looked for
    double residual = 0.0; ///< |G - sum c_k g_k| / |G|: what no weights explain
    double error = 0.0;    ///< of the worst tensor, against sum (n_k / N) g_k
    std::string worstTensor;
    bool operator==(const AuditedWindow&) const = default;
};

/// Weights of both arms after some updates of each.
struct AuditedUpdate {
    std::int64_t update = 0;
    double distance = 0.0; ///< |w_accumulated - w_large| / |w_large|
    double control = 0.0;  ///< the same of the large batch and itself with the samples of each batch permuted: the
                           ///< largest of several draws
    bool operator==(const AuditedUpdate&) const = default;
};

/// The error of the worst tensor where the same samples are cut into more micro-batches.
struct AuditedSplit {
    std::int64_t steps = 0; ///< K
    double error = 0.0;
    bool operator==(const AuditedSplit&) const = default;
};

/// The whole audit.
struct GradientAudit {
    double createdAt = 0.0; ///< seconds since 1970
    Message subject;        ///< "LeNet-5, MNIST, 128 = 32 x 4", or the name of the file
    std::string run;        ///< UUID of the run whose checkpoint was audited; empty: a set-up, or another program
    std::string checkpoint = "initial"; ///< initial | best | last
    std::int64_t seed = 0;
    Precision precision = Precision::Fp32;
    std::optional<std::string> fault; ///< pattern that was built in on purpose

    AuditVerdict verdict = AuditVerdict::Equivalent;
    std::optional<std::string> pattern; ///< code of a row of auditPatterns()
    Message headline;                   ///< the result as one sentence
    std::vector<Message> notes;         ///< what else a reader should know
    std::string worstTensor;
    double worstError = 0.0;
    double tolerance = 0.0;             ///< of the worst tensor
    std::vector<AuditedTensor> tensors; ///< of the judged window, in the model's order
    std::size_t judgedWindow = 0;       ///< which of `windows` that is
    std::vector<AuditedWindow> windows;
    std::vector<AuditedSplit> splits;   ///< error against K
    std::vector<AuditedUpdate> updates; ///< second part, where it was asked for
    bool operator==(const GradientAudit&) const = default;
};

/// A subject that has a name and no sentence: of a file, or as libraries kept it that knew it in English only.
[[nodiscard]] Message subjectAsNamed(std::string name);

/// One line of JSON: what accumulus-cli audit --json prints and the library keeps. "sentence" and "subject" are the
/// headline and the subject in English; "weights" and "right_weights" are those of the judged window.
[[nodiscard]] std::string auditJson(const GradientAudit& audit);
/// Error "audit.format".
[[nodiscard]] Result<GradientAudit> auditFromJson(std::string_view json);

/// 0, 10, 11: how accumulus-cli audit exits.
[[nodiscard]] int auditExitCode(AuditVerdict verdict);

/// A mistake that loops make, as it was shipped.
struct AuditPattern {
    std::string_view code;    ///< of --fault and of the result
    std::string_view group;   ///< S1 to S8 of the classes; empty: none of them
    std::string_view formula; ///< of the weights: "c_k = 1/K"
    std::string_view thread;  ///< where it was reported; empty: no single place
    std::string_view shipped; ///< "transformers before 4.46"; empty: no single place
    bool canPlant = true;     ///< --fault can build it in
};
/// Title and explanation of each are "audit.pattern.CODE" and "audit.pattern.CODE.why" of the catalogue.
[[nodiscard]] const std::vector<AuditPattern>& auditPatterns();
[[nodiscard]] const AuditPattern* findAuditPattern(std::string_view code);

} // namespace accumulus
