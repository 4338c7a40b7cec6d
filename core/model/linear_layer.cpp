// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/linear_layer.h"

#include "core/model/float_data.h"
#include "core/model/matrix_kernels.h"
#include "core/model/microkernel.h"
#include "core/model/sixteen_bits.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <optional>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace accumulus {
namespace {

constexpr std::int64_t panelWidth = 64; ///< columns of a result that are computed together

std::int64_t blocks(std::int64_t length, std::int64_t size) { return (length + size - 1) / size; }

/// work(begin, end) for shares of [0, count), each worth a thread.
template <class Work>
void inParallel(std::int64_t count, std::int64_t floatsEach, const Work& work) {
    constexpr std::int64_t worthAThread = 1 << 16;
    at::parallel_for(0, count, std::max<std::int64_t>(1, worthAThread / floatsEach), work);
}

/// A factor of a product, row by row as the microkernel reads it; or a left one that is still to be turned.
struct Left {
    const at::Tensor& matrix;
    bool turned = false;

    [[nodiscard]] std::int64_t rows() const { return matrix.size(turned ? 1 : 0); }
    [[nodiscard]] std::int64_t depth() const { return matrix.size(turned ? 0 : 1); }
};

/// The right factor of a product, [depth, columns], and how the microkernel walks through it.
struct Right {
    at::Tensor kept; ///< where its panels are
    std::int64_t depth, columns;
    std::int64_t rowStride, panelStride; ///< floats from row to row, and from one panel of columns to the next

    explicit Right(const at::Tensor& matrix)
        : kept(matrix), depth(matrix.size(0)), columns(matrix.size(1)), rowStride(columns), panelStride(panelWidth) {}

    /// `matrix` turned: [columns, depth].
    static Right turned(const at::Tensor& matrix) {
        Right result(matrix.size(1), matrix.size(0), matrix.options());
        float* to = write(result.kept);
        inParallel(blocks(result.columns, panelWidth), result.panelStride, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t panel = begin; panel < end; ++panel)
                transpose(read(matrix) + panel * panelWidth * result.depth, result.widthOf(panel), result.depth,
                          result.depth, to + panel * result.panelStride, panelWidth);
        });
        return result;
    }

    [[nodiscard]] std::int64_t panels() const { return blocks(columns, panelWidth); }
    [[nodiscard]] std::int64_t widthOf(std::int64_t panel) const {
        return std::min(panelWidth, columns - panel * panelWidth);
    }

private:
    Right(std::int64_t rows, std::int64_t width, const at::TensorOptions& options)
        : kept(at::empty({blocks(width, panelWidth) * rows * panelWidth}, options)), depth(rows), columns(width),
          rowStride(panelWidth), panelStride(rows * panelWidth) {}
};

/// What a product is added to; null: nothing.
struct Start {
    const float* bias = nullptr; ///< one number for each column of the result, or for each row
    bool biasOfRows = false;
    const float* onto = nullptr; ///< as the result; not with biasOfRows
};

/// result = start + left right. Each element is summed up in the same order, however the work is divided.
class Product {
public:
    Product(const Left& left, const Right& right, at::Tensor& result, const Start& start)
        : m_left(left), m_right(right), m_from(read(left.matrix)), m_factors(read(right.kept)), m_to(write(result)),
          m_start(start), m_rowsAtOnce(mostRows) {
        while (m_rowsAtOnce > fewestRows && tasks() < at::get_num_threads())
            m_rowsAtOnce /= 2;
        m_copies = right.rowStride % aliasing == 0 && std::min(m_rowsAtOnce, left.rows()) >= worthACopy;
    }

    void compute() const {
        const std::int64_t depth = m_right.depth, each = m_left.turned ? m_right.panels() : 1;
        inParallel(tasks(), 4 * std::min(m_rowsAtOnce, m_left.rows()) * depth * each,
                   [&](std::int64_t begin, std::int64_t end) {
                       at::Tensor room = scratch((m_left.turned ? m_rowsAtOnce * std::min(depth, depthAtOnce) : 0) +
                                                 (m_copies ? depthAtOnce * panelWidth : 0));
                       for (std::int64_t task = begin; task < end; ++task)
                           computeTask(task, write(room));
                   });
    }

private:
    // A panel of the right factor, as deep as this, stays in the second cache while rows pass by.
    static constexpr std::int64_t mostRows = 128, fewestRows = 32, depthAtOnce = 256;
    // Rows that lie a multiple of 2 KB apart push each other out of the first cache: they are copied, if there are
    // enough products to make up for it.
    static constexpr std::int64_t aliasing = 512, worthACopy = 64;

    [[nodiscard]] std::int64_t rowBlocks() const { return blocks(m_left.rows(), m_rowsAtOnce); }
    /// Whoever has turned a block of rows takes them through all panels.
    [[nodiscard]] std::int64_t tasks() const { return rowBlocks() * (m_left.turned ? 1 : m_right.panels()); }

    void computeTask(std::int64_t task, float* room) const {
        const std::int64_t row = task % rowBlocks() * m_rowsAtOnce, depth = m_right.depth;
        const std::int64_t count = std::min(m_rowsAtOnce, m_left.rows() - row);
        for (std::int64_t first = 0; first < depth; first += depthAtOnce) {
            const std::int64_t taken = std::min(depthAtOnce, depth - first);
            if (!m_left.turned) {
                multiply({m_from + row * depth + first, depth}, {row, count, first, taken}, task / rowBlocks(), room);
                continue;
            }
            transpose(m_from + first * m_left.rows() + row, taken, count, m_left.rows(), room, taken);
            for (std::int64_t panel = 0; panel < m_right.panels(); ++panel)
                multiply({room, taken}, {row, count, first, taken}, panel,
                         room + m_rowsAtOnce * std::min(depth, depthAtOnce));
        }
    }

    /// Some rows of the left factor, and some of their products.
    struct Part {
        std::int64_t row, count;
        std::int64_t first, depth;
    };

    /// `rows`: of the part. `room`: for a copy, where that pays.
    void multiply(const MatrixRows<const float>& rows, const Part& part, std::int64_t panel, float* room) const {
        const std::int64_t width = m_right.widthOf(panel);
        MatrixRows<const float> factors{m_factors + panel * m_right.panelStride + part.first * m_right.rowStride,
                                        m_right.rowStride};
        if (m_copies) {
            for (std::int64_t r = 0; r < part.depth; ++r)
                std::copy_n(factors.data + r * factors.stride, width, room + r * panelWidth);
            factors = {room, panelWidth};
        }
        const std::int64_t place = part.row * m_right.columns + panel * panelWidth;
        const bool first = part.first == 0, starts = m_start.bias || m_start.onto;
        if (first && starts)
            begin({m_to + place, m_right.columns}, {part.count, width}, {part.row, panel * panelWidth});
        microkernel({part.count, width, part.depth}, rows, factors, {m_to + place, m_right.columns}, !first || starts);
    }

    struct Place {
        std::int64_t row, column;
    };

    /// Writes what the product is added to, into a block of the result that the caches hold from then on.
    void begin(const MatrixRows<float>& block, const MatrixSize& size, const Place& place) const {
        if (m_start.biasOfRows) {
            for (std::int64_t r = 0; r < size.rows; ++r)
                std::fill_n(block.data + r * block.stride, size.columns, m_start.bias[place.row + r]);
            return;
        }
        const float* bias = m_start.bias ? m_start.bias + place.column : nullptr;
        if (m_start.onto)
            addRows(m_start.onto + (block.data - m_to), bias, size, block.data, block.stride);
        else
            fillRows(bias, size, block.data, block.stride);
    }

    const Left& m_left;
    const Right& m_right;
    const float *m_from, *m_factors;
    float* m_to;
    Start m_start;
    bool m_copies = false;
    std::int64_t m_rowsAtOnce;
};

void multiply(const Left& left, const Right& right, at::Tensor& result, const Start& start = {}) {
    Product(left, right, result, start).compute();
}

void transposeInto(const at::Tensor& from, at::Tensor& to) {
    constexpr std::int64_t rowsAtOnce = 64;
    const std::int64_t rows = from.size(0), columns = from.size(1);
    float* place = write(to);
    inParallel(blocks(rows, rowsAtOnce), rowsAtOnce * columns, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t first = begin * rowsAtOnce, last = std::min(rows, end * rowsAtOnce);
        transpose(read(from) + first * columns, last - first, columns, columns, place + first, rows);
    });
}

at::Tensor product(const Left& left, const at::Tensor& right) {
    at::Tensor result = at::empty({left.rows(), right.size(1)}, right.options());
    multiply(left, Right(right), result);
    return result;
}

/// rows W^T + bias + onto, as a tensor of the shape `sizes`. The microkernel reads both factors row by row, so
/// something must be turned: W, or the rows and the result; whichever is less. W may have 16 bits, which are read as
/// floats for no longer than needed; no bias, nothing to be added to: undefined.
at::Tensor outputOf(const at::Tensor& rows, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& onto,
                    at::IntArrayRef sizes) {
    const std::int64_t count = rows.size(0), in = weight.size(1), out = weight.size(0);
    const float *shift = bias.defined() ? read(bias) : nullptr, *base = onto.defined() ? read(onto) : nullptr;
    at::Tensor result = at::empty(sizes, rows.options());
    if (in * out <= count * (in + out)) {
        multiply({rows}, Right::turned(inFloat(weight)), result, {shift, false, base});
        return result;
    }
    at::Tensor turned = at::empty({out, count}, rows.options());
    const at::Tensor factor = inFloat(weight);
    multiply({factor}, Right::turned(rows), turned, {shift, /*biasOfRows=*/true});
    transposeInto(turned, result);
    if (base)
        result.view({count, out}).add_(onto.view({count, out}));
    return result;
}

at::Tensor sumOfRows(const at::Tensor& rows) {
    const std::int64_t count = rows.size(0), columns = rows.size(1);
    at::Tensor sums = at::empty({columns}, rows.options());
    float* to = write(sums);
    inParallel(blocks(columns, panelWidth), count * panelWidth, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t first = begin * panelWidth, last = std::min(columns, end * panelWidth);
        sumRows(read(rows) + first, count, last - first, columns, to + first);
    });
    return sums;
}

std::vector<std::int64_t> withLast(at::IntArrayRef shape, std::int64_t last) {
    std::vector<std::int64_t> result = shape.vec();
    result.back() = last;
    return result;
}

struct Linear final : torch::autograd::Function<Linear> {
    /// `gelu`: the layer's input is GELU of `input`, which alone is kept; fp32 only. So is `onto`, which the output is
    /// added to.
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                              const std::optional<at::Tensor>& onto, std::optional<GeluForm> gelu) {
        const at::Tensor rows = input.contiguous().view({-1, weight.size(1)});
        context->save_for_backward({rows, weight, bias.value_or(at::Tensor())});
        if (gelu)
            context->saved_data["gelu"] = static_cast<std::int64_t>(*gelu);
        context->saved_data["onto"] = onto.has_value();
        // Not a view: autograd lets nobody write over views that leave a function of one's own.
        return outputOf(gelu ? geluOf(rows, *gelu) : inFloat(rows), weight, inFloat(bias.value_or(at::Tensor())),
                        onto.value_or(at::Tensor()), withLast(input.sizes(), weight.size(0)))
            .to(input.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &rows = saved[0], &weight = saved[1];
        const at::Tensor gradient = inFloat(gradients[0].contiguous()).view({-1, weight.size(0)});
        const at::ScalarType type = rows.scalar_type();
        const auto found = context->saved_data.find("gelu");
        const bool gelu = found != context->saved_data.end();
        const GeluForm form = gelu ? static_cast<GeluForm>(found->second.toInt()) : GeluForm::Exact;
        at::Tensor ofInput, ofWeight, ofBias, factor;
        if (context->needs_input_grad(0)) {
            ofInput = product({gradient}, inFloat(weight));
            if (gelu)
                factor = geluBack(rows, form, ofInput);
            ofInput = ofInput.to(type).view(withLast(gradients[0].sizes(), weight.size(1)));
        }
        if (context->needs_input_grad(1)) {
            if (!factor.defined())
                factor = gelu ? geluOf(rows, form) : inFloat(rows);
            ofWeight = product({gradient, true}, factor).to(type);
        }
        if (saved[2].defined() && context->needs_input_grad(2))
            ofBias = sumOfRows(gradient).to(type);
        const bool onto = context->saved_data["onto"].toBool();
        return {ofInput, ofWeight, ofBias, onto ? gradients[0] : at::Tensor(), at::Tensor()};
    }
};

/// What does not fit together is ATen's to refuse, or to broadcast.
bool takes(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    return microkernelTakes(input) && microkernelTakes(weight) && input.dim() >= 2 && input.numel() > 0 &&
           weight.dim() == 2 && weight.numel() > 0 && input.size(-1) == weight.size(1) && weight.is_contiguous() &&
           (!bias.defined() ||
            (microkernelTakes(bias) && bias.dim() == 1 && bias.size(0) == weight.size(0) && bias.is_contiguous()));
}

std::optional<at::Tensor> given(const at::Tensor& tensor) {
    return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

bool inFp32(const at::Tensor& tensor) { return !tensor.defined() || tensor.scalar_type() == at::kFloat; }

} // namespace

at::Tensor linearLayer(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    const RoundedProducts rounded;
    if (!takes(input, weight, bias))
        return at::linear(rounded.cast(input), rounded.cast(weight), rounded.cast(bias));
    // Whoever watches operators (LayerWatch) sees this one, too: what it computes with is no operator of LibTorch.
    RECORD_FUNCTION("accumulus::linear", (std::vector<c10::IValue>{input, weight, bias}));
    return Linear::apply(rounded.cast(input), rounded.cast(weight), given(rounded.cast(bias)), std::nullopt,
                         std::nullopt);
}

at::Tensor linearOfGelu(const at::Tensor& input, GeluForm form, const at::Tensor& weight, const at::Tensor& bias) {
    if (!takes(input, weight, bias) || !inFp32(input) || !inFp32(weight) || !inFp32(bias) || !input.is_contiguous())
        return linearLayer(geluOf(input, form), weight, bias);
    RECORD_FUNCTION("accumulus::linear", (std::vector<c10::IValue>{input, weight, bias}));
    return Linear::apply(input, weight, given(bias), std::nullopt, std::optional(form));
}

at::Tensor linearOnto(const at::Tensor& onto, const at::Tensor& input, std::optional<GeluForm> gelu,
                      const at::Tensor& weight, const at::Tensor& bias) {
    if (!takes(input, weight, bias) || !inFp32(input) || !inFp32(weight) || !inFp32(bias) || !input.is_contiguous() ||
        !microkernelTakes(onto) || !inFp32(onto) || !onto.is_contiguous() ||
        !std::ranges::equal(onto.sizes(), withLast(input.sizes(), weight.size(0))))
        return onto + (gelu ? linearOfGelu(input, *gelu, weight, bias) : linearLayer(input, weight, bias));
    RECORD_FUNCTION("accumulus::linear", (std::vector<c10::IValue>{input, weight, bias, onto}));
    return Linear::apply(input, weight, given(bias), std::optional(onto), gelu);
}

} // namespace accumulus
