// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"

#include "core/model/attention_kernels.h"
#include "core/model/float_data.h"
#include "core/model/matrix_kernels.h"
#include "core/model/microkernel.h"
#include "core/model/sixteen_bits.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>
#include <torch/csrc/autograd/custom_function.h>

namespace accumulus {
namespace {

/// A tensor [samples, heads, length, width] whose last dimension lies without gaps.
template <class Float>
struct Heads {
    Float* data;
    std::int64_t sample, head, row; ///< floats from one to the next

    [[nodiscard]] Float* at(std::int64_t number, std::int64_t heads) const {
        return data + number / heads * sample + number % heads * head;
    }
};

/// Rows without gaps that do not lie on each other, as those of an expanded tensor do.
bool hasRows(const at::Tensor& tensor) { return tensor.stride(3) == 1 && tensor.stride(2) >= tensor.size(3); }

Heads<const float> reading(const at::Tensor& tensor) {
    return {read(tensor), tensor.stride(0), tensor.stride(1), tensor.stride(2)};
}
Heads<float> writing(at::Tensor& tensor) {
    return {write(tensor), tensor.stride(0), tensor.stride(1), tensor.stride(2)};
}

/// [samples, heads, length, width], in memory [samples, length, heads, width].
at::Tensor sideBySide(const at::Tensor& like) {
    const std::int64_t heads = like.size(1), length = like.size(2), width = like.size(3);
    return at::empty_strided(like.sizes(), {length * heads * width, width, heads * width, 1}, like.options());
}

/// What one head computes with.
struct Head {
    std::int64_t length, width;
    bool causal;
    float scale;

    Head(const at::Tensor& query, bool onlyBefore)
        : length(query.size(2)), width(query.size(3)), causal(onlyBefore),
          scale(static_cast<float>(1.0 / std::sqrt(static_cast<double>(width)))) {}

    /// Rows whose scores are worked on at once: they stay in the first two caches. Later rows of a causal block look at
    /// more than earlier ones, so small blocks leave out more.
    static constexpr std::int64_t rowsAtOnce = 64;

    [[nodiscard]] std::int64_t blocks() const { return (length + rowsAtOnce - 1) / rowsAtOnce; }
    /// The scores of the rows of one block; none of a row beyond `columns` counts.
    [[nodiscard]] ScoreRows rows(std::int64_t block) const {
        const std::int64_t first = block * rowsAtOnce, count = std::min(rowsAtOnce, length - first);
        return {count, causal ? first + count : length, stride(), causal ? first + 1 : length};
    }
    /// Whole vectors, and not a multiple of what would fold the rows onto each other in the caches.
    [[nodiscard]] std::int64_t stride() const {
        const std::int64_t whole = (length + attentionLanes - 1) / attentionLanes * attentionLanes;
        return whole % 256 == 0 ? whole + attentionLanes : whole;
    }
    [[nodiscard]] std::int64_t scoresSize() const { return rowsAtOnce * stride(); }
};

/// work(number, scratch) for each head, shared by the threads of this lane.
template <class Work>
void forEachHead(const at::Tensor& query, std::int64_t scratchFloats, const Work& work) {
    constexpr std::int64_t worthAThread = 1 << 16; // products
    const std::int64_t each = query.size(2) * query.size(2) * query.size(3);
    at::parallel_for(0, query.size(0) * query.size(1), std::max<std::int64_t>(1, worthAThread / each),
                     [&](std::int64_t begin, std::int64_t end) {
                         at::Tensor room = scratch(scratchFloats);
                         for (std::int64_t number = begin; number < end; ++number)
                             work(number, write(room));
                     });
}

struct Attention final : torch::autograd::Function<Attention> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& given,
                              const at::Tensor& givenKey, const at::Tensor& givenValue, bool causal) {
        const at::Tensor query = inFloat(given), key = inFloat(givenKey), value = inFloat(givenValue);
        const Head head(query, causal);
        const std::int64_t heads = query.size(1), length = head.length, width = head.width;
        at::Tensor output = sideBySide(query), logSums = scratch(query.size(0) * heads * length);
        const auto q = reading(query), k = reading(key), v = reading(value);
        const auto out = writing(output);
        float* sums = write(logSums);
        forEachHead(query, length * width + head.scoresSize(), [&](std::int64_t number, float* room) {
            float *turnedKeys = room, *scores = room + length * width;
            transpose(k.at(number, heads), length, width, k.row, turnedKeys, length);
            for (std::int64_t block = 0; block < head.blocks(); ++block) {
                const std::int64_t first = block * Head::rowsAtOnce;
                const ScoreRows rows = head.rows(block);
                microkernel({rows.rows, rows.columns, width}, {q.at(number, heads) + first * q.row, q.row},
                            {turnedKeys, length}, {scores, rows.stride}, false);
                softmaxRows(rows, head.scale, scores, sums + number * length + first);
                microkernel({rows.rows, width, rows.columns}, {scores, rows.stride}, {v.at(number, heads), v.row},
                            {out.at(number, heads) + first * out.row, out.row}, false);
            }
        });
        const at::Tensor handedOn = output.to(given.scalar_type());
        context->save_for_backward({given, givenKey, givenValue, handedOn, logSums});
        context->saved_data["causal"] = causal;
        return handedOn;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor query = inFloat(saved[0]), key = inFloat(saved[1]), value = inFloat(saved[2]);
        const at::Tensor output = inFloat(saved[3]), given = inFloat(gradients[0]);
        const at::Tensor gradient = hasRows(given) ? given : given.contiguous();
        const Head head(query, context->saved_data["causal"].toBool());
        const std::int64_t heads = query.size(1), length = head.length, width = head.width;
        at::Tensor ofQuery = sideBySide(query), ofKey = sideBySide(key), ofValue = sideBySide(value);
        const auto q = reading(query), k = reading(key), v = reading(value), o = reading(output), g = reading(gradient);
        const auto dq = writing(ofQuery), dk = writing(ofKey), dv = writing(ofValue);
        const float* sums = read(saved[4]);
        const std::int64_t turnedSize = length * width;
        forEachHead(query, 2 * turnedSize + 3 * head.scoresSize(), [&](std::int64_t number, float* room) {
            float *turnedKeys = room, *turnedValues = turnedKeys + turnedSize, *scores = turnedValues + turnedSize;
            float *scoresBack = scores + head.scoresSize(), *turned = scoresBack + head.scoresSize();
            float means[Head::rowsAtOnce]; // NOLINT
            transpose(k.at(number, heads), length, width, k.row, turnedKeys, length);
            transpose(v.at(number, heads), length, width, v.row, turnedValues, length);
            // The last block looks at every position: it begins the sums over rows.
            for (std::int64_t block = head.blocks() - 1; block >= 0; --block) {
                const std::int64_t first = block * Head::rowsAtOnce;
                const bool add = block + 1 < head.blocks();
                const ScoreRows rows = head.rows(block);
                const float *queries = q.at(number, heads) + first * q.row, *back = g.at(number, heads) + first * g.row;
                microkernel({rows.rows, rows.columns, width}, {queries, q.row}, {turnedKeys, length},
                            {scores, rows.stride}, false);
                softmaxAgain(rows, head.scale, sums + number * length + first, scores);
                transpose(scores, rows.rows, rows.columns, rows.stride, turned, Head::rowsAtOnce);
                microkernel({rows.columns, width, rows.rows}, {turned, Head::rowsAtOnce}, {back, g.row},
                            {dv.at(number, heads), dv.row}, add);
                microkernel({rows.rows, rows.columns, width}, {back, g.row}, {turnedValues, length},
                            {scoresBack, rows.stride}, false);
                rowProducts(back, g.row, o.at(number, heads) + first * o.row, o.row, rows.rows, width, means);
                scoreGradients(rows, head.scale, scores, means, scoresBack);
                microkernel({rows.rows, width, rows.columns}, {scoresBack, rows.stride}, {k.at(number, heads), k.row},
                            {dq.at(number, heads) + first * dq.row, dq.row}, false);
                transpose(scoresBack, rows.rows, rows.columns, rows.stride, turned, Head::rowsAtOnce);
                microkernel({rows.columns, width, rows.rows}, {turned, Head::rowsAtOnce}, {queries, q.row},
                            {dk.at(number, heads), dk.row}, add);
            }
        });
        const at::ScalarType type = saved[0].scalar_type();
        return {ofQuery.to(type), ofKey.to(type), ofValue.to(type), at::Tensor()};
    }
};

bool fits(const at::Tensor& tensor, bool rounded) {
    return microkernelTakes(tensor, rounded) && tensor.dim() == 4 && tensor.numel() > 0 && hasRows(tensor);
}

} // namespace

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, bool causal) {
    constexpr std::int64_t shortLength = 256;
    const RoundedProducts rounded(/*evenWhereFast=*/query.dim() == 4 && query.size(2) <= shortLength);
    const at::Tensor q = rounded.cast(query), k = rounded.cast(key), v = rounded.cast(value);
    const bool take = rounded.active();
    if (!fits(q, take) || !fits(k, take) || !fits(v, take) || k.sizes() != q.sizes() || v.sizes() != q.sizes())
        return at::scaled_dot_product_attention(q, k, v, /*attn_mask=*/{}, /*dropout_p=*/0.0, causal);
    return Attention::apply(q, k, v, causal);
}

} // namespace accumulus
