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
#include <optional>
#include <torch/csrc/autograd/custom_function.h>

namespace accumulus {
namespace {

/// How the heads of a tensor lie in memory.
enum class Form : std::uint8_t {
    Apart,      ///< [samples, heads, length, width], whatever the strides of the first three
    SideBySide, ///< [samples, length, heads x width]
    Packed      ///< [samples, length, 3 x heads x width]: queries, keys and values side by side
};

/// The rows of all heads of queries, of keys, of values or of what belongs to them.
template <class Float>
struct Heads {
    Float* data;
    std::int64_t count;             ///< heads of a sample
    std::int64_t sample, head, row; ///< floats from one to the next

    [[nodiscard]] Float* at(std::int64_t number) const {
        return data + number / count * sample + number % count * head;
    }
};

/// What all heads have in common, and where to find them.
struct HeadsLayout {
    Form form;
    std::int64_t samples, heads, length, width;

    /// Of queries, or of all three in one.
    HeadsLayout(const at::Tensor& query, Form lying, std::int64_t headsSideBySide)
        : form(lying), samples(query.size(0)), heads(form == Form::Apart ? query.size(1) : headsSideBySide),
          length(query.size(form == Form::Apart ? 2 : 1)),
          width(query.size(-1) / (form == Form::Apart ? 1 : (form == Form::Packed ? 3 : 1) * heads)) {}

    [[nodiscard]] std::int64_t allHeads() const { return samples * heads; }

    /// `part`: which of the three, in a tensor that holds all of them.
    [[nodiscard]] Heads<const float> reading(const at::Tensor& tensor, std::int64_t part = 0) const {
        return of(read(tensor), tensor, part);
    }
    [[nodiscard]] Heads<float> writing(at::Tensor& tensor, std::int64_t part = 0) const {
        return of(write(tensor), tensor, part);
    }

    /// For the result, and for the gradient of one of the three: of four dimensions as a tensor of three lies.
    [[nodiscard]] at::Tensor one(const at::TensorOptions& options) const {
        if (form != Form::Apart)
            return at::empty({samples, length, heads * width}, options);
        return at::empty_strided({samples, heads, length, width}, {length * heads * width, width, heads * width, 1},
                                 options);
    }

private:
    template <class Float>
    [[nodiscard]] Heads<Float> of(Float* data, const at::Tensor& tensor, std::int64_t part) const {
        if (form == Form::Apart)
            return {data, heads, tensor.stride(0), tensor.stride(1), tensor.stride(2)};
        return {data + part * heads * width, heads, tensor.stride(0), width, tensor.stride(1)};
    }
};

/// Rows without gaps that do not lie on each other, as those of an expanded tensor do.
bool hasRows(const at::Tensor& tensor) { return tensor.stride(-1) == 1 && tensor.stride(-2) >= tensor.size(-1); }

/// What one head computes with.
struct Head {
    std::int64_t length, width;
    bool causal;
    float scale;

    Head(const HeadsLayout& layout, bool onlyBefore)
        : length(layout.length), width(layout.width), causal(onlyBefore),
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
void forEachHead(const HeadsLayout& layout, std::int64_t scratchFloats, const Work& work) {
    constexpr std::int64_t worthAThread = 1 << 16; // products
    const std::int64_t each = layout.length * layout.length * layout.width;
    at::parallel_for(0, layout.allHeads(), std::max<std::int64_t>(1, worthAThread / each),
                     [&](std::int64_t begin, std::int64_t end) {
                         at::Tensor room = scratch(scratchFloats);
                         for (std::int64_t number = begin; number < end; ++number)
                             work(number, write(room));
                     });
}

/// Queries, keys and values of all heads; or what belongs to them.
template <class Float>
struct Triple {
    Heads<Float> query, key, value;
};

void computeForward(const HeadsLayout& layout, const Head& head, const Triple<const float>& in, const Heads<float>& out,
                    float* sums) {
    const std::int64_t length = head.length, width = head.width;
    const auto& [q, k, v] = in;
    forEachHead(layout, length * width + head.scoresSize(), [&](std::int64_t number, float* room) {
        float *turnedKeys = room, *scores = room + length * width;
        transpose(k.at(number), length, width, k.row, turnedKeys, length);
        for (std::int64_t block = 0; block < head.blocks(); ++block) {
            const std::int64_t first = block * Head::rowsAtOnce;
            const ScoreRows rows = head.rows(block);
            microkernel({rows.rows, rows.columns, width}, {q.at(number) + first * q.row, q.row}, {turnedKeys, length},
                        {scores, rows.stride}, false);
            softmaxRows(rows, head.scale, scores, sums + number * length + first);
            microkernel({rows.rows, width, rows.columns}, {scores, rows.stride}, {v.at(number), v.row},
                        {out.at(number) + first * out.row, out.row}, false);
        }
    });
}

/// `out`: the result; `back`: its gradient; `sums`: what computeForward left.
void computeBackward(const HeadsLayout& layout, const Head& head, const Triple<const float>& in,
                     const Heads<const float>& out, const Heads<const float>& back, const float* sums,
                     const Triple<float>& results) {
    const std::int64_t length = head.length, width = head.width, turnedSize = length * width;
    const auto& [q, k, v] = in;
    const auto& [dq, dk, dv] = results;
    forEachHead(layout, 2 * turnedSize + 3 * head.scoresSize(), [&](std::int64_t number, float* room) {
        float *turnedKeys = room, *turnedValues = turnedKeys + turnedSize, *scores = turnedValues + turnedSize;
        float *scoresBack = scores + head.scoresSize(), *turned = scoresBack + head.scoresSize();
        float means[Head::rowsAtOnce]; // NOLINT
        transpose(k.at(number), length, width, k.row, turnedKeys, length);
        transpose(v.at(number), length, width, v.row, turnedValues, length);
        // The last block looks at every position: it begins the sums over rows.
        for (std::int64_t block = head.blocks() - 1; block >= 0; --block) {
            const std::int64_t first = block * Head::rowsAtOnce;
            const bool add = block + 1 < head.blocks();
            const ScoreRows rows = head.rows(block);
            const float *queries = q.at(number) + first * q.row, *gradient = back.at(number) + first * back.row;
            microkernel({rows.rows, rows.columns, width}, {queries, q.row}, {turnedKeys, length}, {scores, rows.stride},
                        false);
            softmaxAgain(rows, head.scale, sums + number * length + first, scores);
            transpose(scores, rows.rows, rows.columns, rows.stride, turned, Head::rowsAtOnce);
            microkernel({rows.columns, width, rows.rows}, {turned, Head::rowsAtOnce}, {gradient, back.row},
                        {dv.at(number), dv.row}, add);
            microkernel({rows.rows, rows.columns, width}, {gradient, back.row}, {turnedValues, length},
                        {scoresBack, rows.stride}, false);
            rowProducts(gradient, back.row, out.at(number) + first * out.row, out.row, rows.rows, width, means);
            scoreGradients(rows, head.scale, scores, means, scoresBack);
            microkernel({rows.rows, width, rows.columns}, {scoresBack, rows.stride}, {k.at(number), k.row},
                        {dq.at(number) + first * dq.row, dq.row}, false);
            transpose(scoresBack, rows.rows, rows.columns, rows.stride, turned, Head::rowsAtOnce);
            microkernel({rows.columns, width, rows.rows}, {turned, Head::rowsAtOnce}, {queries, q.row},
                        {dk.at(number), dk.row}, add);
        }
    });
}

/// Of one tensor, or of three.
Triple<const float> readingAll(const HeadsLayout& layout, const at::Tensor& query, const at::Tensor& key,
                               const at::Tensor& value) {
    if (layout.form == Form::Packed)
        return {layout.reading(query, 0), layout.reading(query, 1), layout.reading(query, 2)};
    return {layout.reading(query), layout.reading(key), layout.reading(value)};
}

struct Attention final : torch::autograd::Function<Attention> {
    /// Packed: `query` holds all three.
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& query,
                              const std::optional<at::Tensor>& key, const std::optional<at::Tensor>& value, Form form,
                              std::int64_t heads, bool causal) {
        const at::Tensor q = inFloat(query), k = inFloat(key.value_or(at::Tensor()));
        const at::Tensor v = inFloat(value.value_or(at::Tensor()));
        const HeadsLayout layout(q, form, heads);
        at::Tensor output = layout.one(q.options()), logSums = scratch(layout.allHeads() * layout.length);
        computeForward(layout, Head(layout, causal), readingAll(layout, q, k, v), layout.writing(output),
                       write(logSums));
        const at::Tensor handedOn = output.to(query.scalar_type());
        context->save_for_backward(
            {query, key.value_or(at::Tensor()), value.value_or(at::Tensor()), handedOn, logSums});
        context->saved_data["form"] = static_cast<std::int64_t>(form);
        context->saved_data["heads"] = heads;
        context->saved_data["causal"] = causal;
        return handedOn;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor query = inFloat(saved[0]), key = inFloat(saved[1]), value = inFloat(saved[2]);
        const at::Tensor output = inFloat(saved[3]), given = inFloat(gradients[0]);
        const at::Tensor gradient = hasRows(given) ? given : given.contiguous();
        const HeadsLayout layout(query, static_cast<Form>(context->saved_data["form"].toInt()),
                                 context->saved_data["heads"].toInt());
        const bool packed = layout.form == Form::Packed;
        at::Tensor ofQuery = packed ? at::empty(query.sizes(), query.options()) : layout.one(query.options());
        at::Tensor ofKey = packed ? ofQuery : layout.one(query.options());
        at::Tensor ofValue = packed ? ofQuery : layout.one(query.options());
        computeBackward(
            layout, Head(layout, context->saved_data["causal"].toBool()), readingAll(layout, query, key, value),
            layout.reading(output), layout.reading(gradient), read(saved[4]),
            {layout.writing(ofQuery), layout.writing(ofKey, packed ? 1 : 0), layout.writing(ofValue, packed ? 2 : 0)});
        const at::ScalarType type = saved[0].scalar_type();
        if (packed)
            return {ofQuery.to(type), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
        return {ofQuery.to(type), ofKey.to(type), ofValue.to(type), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

/// `parts`: heads, or three times as many, that share the last dimension; ATen refuses those that cannot.
bool fits(const at::Tensor& tensor, bool rounded, std::int64_t dimensions, std::int64_t parts = 1) {
    return microkernelTakes(tensor, rounded) && tensor.dim() == dimensions && tensor.numel() > 0 && hasRows(tensor) &&
           tensor.size(-1) % parts == 0;
}

/// In bf16 with AMX LibTorch's kernel wins where samples are longer.
constexpr std::int64_t shortLength = 256;

} // namespace

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, bool causal) {
    const RoundedProducts rounded(/*evenWhereFast=*/query.dim() == 4 && query.size(2) <= shortLength);
    const at::Tensor q = rounded.cast(query), k = rounded.cast(key), v = rounded.cast(value);
    const bool take = rounded.active();
    if (!fits(q, take, 4) || !fits(k, take, 4) || !fits(v, take, 4) || k.sizes() != q.sizes() || v.sizes() != q.sizes())
        return at::scaled_dot_product_attention(q, k, v, /*attn_mask=*/{}, /*dropout_p=*/0.0, causal);
    return Attention::apply(q, std::optional(k), std::optional(v), Form::Apart, q.size(1), causal);
}

at::Tensor attentionSideBySide(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                               std::int64_t heads, bool causal) {
    {
        const RoundedProducts rounded(/*evenWhereFast=*/query.size(1) <= shortLength);
        const at::Tensor q = rounded.cast(query), k = rounded.cast(key), v = rounded.cast(value);
        const bool take = rounded.active();
        if (fits(q, take, 3, heads) && fits(k, take, 3, heads) && fits(v, take, 3, heads) && k.sizes() == q.sizes() &&
            v.sizes() == q.sizes())
            return Attention::apply(q, std::optional(k), std::optional(v), Form::SideBySide, heads, causal);
    }
    const auto apart = [heads](const at::Tensor& x) {
        return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
    };
    return attention(apart(query), apart(key), apart(value), causal).transpose(1, 2).flatten(2);
}

at::Tensor attentionPacked(const at::Tensor& packed, std::int64_t heads, bool causal) {
    {
        const RoundedProducts rounded(/*evenWhereFast=*/packed.size(1) <= shortLength);
        const at::Tensor all = rounded.cast(packed);
        if (fits(all, rounded.active(), 3, 3 * heads))
            return Attention::apply(all, std::nullopt, std::nullopt, Form::Packed, heads, causal);
    }
    const auto parts = packed.chunk(3, 2);
    return attentionSideBySide(parts[0], parts[1], parts[2], heads, causal);
}

} // namespace accumulus
