// SPDX-License-Identifier: GPL-3.0-or-later
// What the built-in networks compute beside convolutions: linear layers, attention, GELU, and BatchNorm with what
// follows it, each beside ATen's, or ("own ...") beside the same of our own in several steps. bench_layers [ROUNDS];
// OMP_NUM_THREADS sets the threads, and ONEDNN_MAX_CPU_ISA=AVX2 holds the microkernel to AVX2.
#include "core/engine/autocast.h"
#include "core/model/attention.h"
#include "core/model/convolution.h"
#include "core/model/fused_batch_norm.h"
#include "core/model/gelu.h"
#include "core/model/linear_layer.h"
#include "tests/bench/side_by_side.h"

#include <ATen/ATen.h>
#include <cstdlib>

namespace {

at::Tensor leaf(at::IntArrayRef shape) { return at::randn(shape).requires_grad_(true); }

void compareLinear(const char* name, std::int64_t rows, std::int64_t in, std::int64_t out, int rounds) {
    const at::Tensor x = leaf({rows, in}), w = leaf({out, in}), b = leaf({out});
    side_by_side::compare(
        name, [&] { return at::linear(x, w, b); }, [&] { return accumulus::linearLayer(x, w, b); }, x, {w, b},
        at::randn({rows, out}), rounds);
}

void compareAttention(const char* name, at::IntArrayRef shape, bool causal, int rounds) {
    const at::Tensor q = leaf(shape), k = leaf(shape), v = leaf(shape);
    side_by_side::compare(
        name, [&] { return at::scaled_dot_product_attention(q, k, v, {}, 0.0, causal); },
        [&] { return accumulus::attention(q, k, v, causal); }, q, {k, v}, at::randn(shape), rounds);
}

void compareGelu(const char* name, at::IntArrayRef shape, accumulus::GeluForm form, int rounds,
                 at::ScalarType type = at::kFloat) {
    const at::Tensor x = leaf(shape).detach().to(type).requires_grad_(true);
    const char* aten = form == accumulus::GeluForm::Exact ? "none" : "tanh";
    side_by_side::compare(
        name, [&] { return at::gelu(x, aten); }, [&] { return accumulus::geluOf(x, form); }, x, {},
        at::randn(shape).to(type), rounds);
}

/// As it ends in a residual stream; beside our own layer and ATen's addition.
void compareResidual(const char* name, std::int64_t rows, std::int64_t in, std::int64_t out, int rounds) {
    const at::Tensor x = leaf({rows, in}), w = leaf({out, in}), b = leaf({out}), onto = leaf({rows, out});
    side_by_side::compare(
        name, [&] { return onto + accumulus::linearLayer(x, w, b); },
        [&] { return accumulus::linearOnto(onto, x, std::nullopt, w, b); }, x, {w, b, onto}, at::randn({rows, out}),
        rounds);
}

/// With the views that a model needs to tell heads apart, and without.
void comparePacked(const char* name, std::int64_t samples, std::int64_t heads, std::int64_t length, std::int64_t width,
                   int rounds) {
    const at::Tensor packed = leaf({samples, length, 3 * heads * width});
    const auto apart = [&](const at::Tensor& x) { return x.view({samples, length, heads, width}).transpose(1, 2); };
    side_by_side::compare(
        name,
        [&] {
            const auto parts = packed.chunk(3, 2);
            return accumulus::attention(apart(parts[0]), apart(parts[1]), apart(parts[2]), true)
                .transpose(1, 2)
                .flatten(2);
        },
        [&] { return accumulus::attentionPacked(packed, heads, true); }, packed, {},
        at::randn({samples, length, heads * width}), rounds);
}

/// The second half of a feed-forward layer; beside our own GELU and linear layer in place of ATen's.
void compareFeedForward(const char* name, std::int64_t rows, std::int64_t in, std::int64_t out, int rounds) {
    const at::Tensor x = leaf({rows, in}), w = leaf({out, in}), b = leaf({out});
    constexpr auto form = accumulus::GeluForm::Tanh;
    side_by_side::compare(
        name, [&] { return accumulus::linearLayer(accumulus::geluOf(x, form), w, b); },
        [&] { return accumulus::linearOfGelu(x, form, w, b); }, x, {w, b}, at::randn({rows, out}), rounds);
}

void compareConvolution(const char* name, at::IntArrayRef shape, std::int64_t outputs, int rounds) {
    const at::Tensor x = leaf(shape), w = leaf({outputs, shape[1], 5, 5}), b = leaf({outputs});
    side_by_side::compare(
        name, [&] { return at::conv2d(x, w, b); }, [&] { return accumulus::smallConvolution(x, w, b, 0); }, x, {w, b},
        at::randn({shape[0], outputs, shape[2] - 4, shape[3] - 4}), rounds);
}

/// A residual block's last normalisation: the input is added, then ReLU.
void compareNorm(const char* name, at::IntArrayRef shape, int rounds) {
    const auto images = [&] { return leaf(shape).detach().contiguous(at::MemoryFormat::ChannelsLast); };
    const at::Tensor x = images().requires_grad_(true), added = images().requires_grad_(true);
    const at::Tensor w = leaf({shape[1]}), b = leaf({shape[1]}), mean = at::zeros({shape[1]});
    const at::Tensor variance = at::zeros({shape[1]});
    side_by_side::compare(
        name,
        [&] {
            at::Tensor y =
                at::batch_norm(x, w, b, mean, variance, true, 1.0, accumulus::normEpsilon, /*cudnn_enabled=*/false);
            y += added;
            return y.relu_();
        },
        [&] {
            accumulus::NormStatistics seen;
            return accumulus::fusedBatchNorm(x, w, b, {added, true}, seen);
        },
        x, {w, b, added}, images(), rounds);
}

} // namespace

int main(int count, char** words) {
    const int rounds = count > 1 ? std::atoi(words[1]) : 101;
    side_by_side::printHeader("layers of the built-in networks", rounds);
    compareLinear("LeNet-5 fc1", 32, 400, 120, rounds);
    compareLinear("LeNet-5 fc3", 32, 84, 10, rounds);
    compareLinear("MLP fc1", 32, 784, 512, rounds);
    compareLinear("MLP fc2", 32, 512, 512, rounds);
    compareLinear("GPT qkv", 256, 128, 384, rounds);
    compareLinear("GPT out", 256, 128, 128, rounds);
    compareLinear("GPT feed", 256, 128, 512, rounds);
    compareLinear("GPT back", 256, 512, 128, rounds);
    compareLinear("GPT head", 256, 128, 65, rounds);
    compareLinear("wide feed", 1024, 256, 1024, rounds);
    compareLinear("wide back", 1024, 1024, 256, rounds);
    compareLinear("ResNet fc", 32, 512, 10, rounds);
    compareAttention("GPT 4x4x64", {4, 4, 64, 32}, true, rounds);
    compareAttention("BERT 16x2x64", {16, 2, 64, 64}, false, rounds);
    compareAttention("GPT 4x6x256", {4, 6, 256, 64}, true, rounds);
    compareAttention("all 2x6x1024", {2, 6, 1024, 64}, false, rounds);
    compareFeedForward("own apart, 256", 256, 512, 128, rounds);
    compareFeedForward("own apart, 1024", 1024, 512, 128, rounds);
    compareResidual("own, added, 256", 256, 128, 128, rounds);
    comparePacked("own, packed 4x4x64", 4, 4, 64, 32, rounds);
    compareGelu("GELU, tanh", {4, 64, 512}, accumulus::GeluForm::Tanh, rounds);
    compareConvolution("LeNet-5 conv1", {32, 1, 32, 32}, 6, rounds);
    compareConvolution("LeNet-5 conv2", {32, 6, 14, 14}, 16, rounds);
    compareNorm("norm 64x32", {32, 64, 32, 32}, rounds);
    compareNorm("norm 128x16", {32, 128, 16, 16}, rounds);
    compareNorm("norm 256x8", {32, 256, 8, 8}, rounds);
    compareNorm("norm 512x4", {32, 512, 4, 4}, rounds);
    compareGelu("GELU, exact", {16, 64, 512}, accumulus::GeluForm::Exact, rounds);
    compareGelu("GELU, tanh, bf16", {4, 64, 512}, accumulus::GeluForm::Tanh, rounds, at::kBFloat16);
    const accumulus::AutocastScope bf16(accumulus::Precision::Bf16); // both cast what they get
    compareAttention("bf16 4x4x64", {4, 4, 64, 32}, true, rounds);
    compareAttention("bf16 16x2x64", {16, 2, 64, 64}, false, rounds);
    compareAttention("bf16 4x6x128", {4, 6, 128, 64}, true, rounds);
    compareAttention("bf16 4x6x256", {4, 6, 256, 64}, true, rounds);
}
