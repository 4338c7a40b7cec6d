// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gradient_audit.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

constexpr std::array<std::string_view, 3> verdictNames{"equivalent", "not-equivalent", "expected"};

} // namespace

std::string auditVerdictName(AuditVerdict verdict) {
    return std::string(verdictNames[static_cast<std::size_t>(verdict)]);
}

std::optional<AuditVerdict> auditVerdictFromName(std::string_view name) {
    const auto found = std::ranges::find(verdictNames, name);
    if (found == verdictNames.end())
        return std::nullopt;
    return static_cast<AuditVerdict>(found - verdictNames.begin());
}

double defaultAuditTolerance(Precision precision) {
    switch (precision) {
    case Precision::Fp64:
        return 1e-12;
    case Precision::Fp32:
        return 1e-5;
    case Precision::Bf16:
    case Precision::Fp16:
        return 1e-2;
    }
    return 1e-5;
}

int auditExitCode(AuditVerdict verdict) {
    switch (verdict) {
    case AuditVerdict::Equivalent:
        return 0;
    case AuditVerdict::NotEquivalent:
        return 10;
    case AuditVerdict::Expected:
        return 11;
    }
    return 1;
}

const std::vector<AuditPattern>& auditPatterns() {
    // Public threads, read in September 2026.
    static const std::vector<AuditPattern> rows{
        {"mean-of-means", "S1", "c_k = 1/K", "https://github.com/huggingface/transformers/issues/34191",
         "transformers before 4.46"},
        {"factor-k", "S2", "c_k = 1", "https://github.com/huggingface/transformers/issues/35207", "transformers 4.47"},
        {"divided-twice", "S3", "c_k = n_k / (N K)", "https://github.com/huggingface/transformers/issues/35808",
         "transformers"},
        {"remainder-window", "S4", "c_k = 1/K in a window of r < K",
         "https://github.com/huggingface/transformers/issues/39659", "transformers before 4.55"},
        {"last-micro-batch-lost", "S5", "c_K = 0", "https://github.com/mosaicml/composer/issues/1081", "Composer"},
        {"only-last-kept", "S5", "c = (0, ..., 0, 1)", "https://github.com/allenai/open-instruct/pull/1498",
         "open-instruct on ZeRO-2"},
        {"geometric-weights", "S6", "c_k = 2^(K-k) n_k / N", "https://github.com/NVIDIA/Megatron-LM/issues/6660",
         "Megatron-LM"},
        {"rank-normalisation", "S7", "c_k = n_k / (R N_r)", "https://github.com/huggingface/transformers/issues/34242",
         "transformers since 4.54"},
        {"clip-per-micro-batch", "S8", "c_k = min(1, t / |g_k|) n_k / N",
         "https://github.com/huggingface/transformers/issues/1563", "transformers"},
        {"low-precision-accumulator", "S8", "G = round(... round(g_1 + g_2) + ... + g_K)", "", "", true},
        {"gradients-not-cleared", "", "G = G_before + sum (n_k / N) g_k", "", ""},
        {"loss-scale", "", "c_k = s n_k / N", "", ""},
        {"dropout-stream", "", "g_k drawn anew", "", ""},
        {"batch-coupled-loss", "", "g_k depends on its neighbours", "", ""},
        {"batch-norm", "", "g_k depends on its neighbours", "", "", false},
        {"decay-per-micro-step", "S8", "G + d w", "", "", false},
    };
    return rows;
}

const AuditPattern* findAuditPattern(std::string_view code) {
    const auto& rows = auditPatterns();
    const auto found = std::ranges::find(rows, code, &AuditPattern::code);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace accumulus
