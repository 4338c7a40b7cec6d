// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/device_kernels.h"

#include "core/cuda/kernel_elements.h"

#ifdef ACCUMULUS_WITH_CUDA
#include "core/cuda/gpu_kernels.h"
#endif

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <algorithm>
#include <cmath>

namespace accumulus::kernels {
namespace {

ImageShape shapeOf(const at::Tensor& pixels) { return {pixels.size(1), pixels.size(2), pixels.size(3)}; }

/// A key lies inside the data; a GPU would read beyond them.
void checkKeys(const at::Tensor& keys) {
    TORCH_CHECK(keys.dim() == 2 && keys.size(1) == 2 && keys.is_contiguous() && keys.scalar_type() == at::kLong,
                "keys are int64 [n, 2]");
}

double valueOf(const Scalar& scalar) {
    return scalar.onDevice.defined() ? *scalar.onDevice.const_data_ptr<double>() : scalar.value;
}

/// Calls `element(i)`, which gives the value to square, for each element of each piece.
template <class Element>
void sumSquares(std::span<const Piece> pieces, at::Tensor& partials, Element element) {
    double* sums = partials.mutable_data_ptr<double>();
    for (const Piece& piece : pieces)
        for (std::int64_t start = 0; start < piece.count; start += chunkElements) {
            double sum = 0.0;
            for (std::int64_t i = start; i < std::min(piece.count, start + chunkElements); ++i) {
                const auto value = static_cast<double>(element(piece, i));
                sum += value * value;
            }
            sums[piece.firstChunk + start / chunkElements] = sum;
        }
}

template <class Flat, class Gradient>
void commitOnCpu(at::Tensor& flat, std::span<const Piece> pieces, double weight, at::Tensor& partials) {
    Flat* out = flat.mutable_data_ptr<Flat>();
    sumSquares(pieces, partials, [&](const Piece& piece, std::int64_t i) {
        const Gradient value = piece.gradient.const_data_ptr<Gradient>()[i];
        Flat& sum = out[piece.offset + i];
        sum = static_cast<Flat>(static_cast<Gradient>(sum) + static_cast<Gradient>(weight) * value);
        return value;
    });
}

double sumAndZero(at::Tensor& partials, std::int64_t chunks) {
    double* sums = partials.mutable_data_ptr<double>();
    double total = 0.0;
    for (std::int64_t i = 0; i < chunks; ++i)
        total += std::exchange(sums[i], 0.0);
    return total;
}

} // namespace

#ifdef ACCUMULUS_WITH_CUDA
#define ACCUMULUS_ON_GPU(tensor, call)                                                                                 \
    if ((tensor).is_cuda())                                                                                            \
    return gpu::call
#else
#define ACCUMULUS_ON_GPU(tensor, call) TORCH_CHECK((tensor).is_cpu(), "this build has no CUDA")
#endif

void gatherImages(const at::Tensor& pixels, const at::Tensor& labels, const at::Tensor& scaleShift,
                  const at::Tensor& keys, bool cropFlip, at::Tensor& images, at::Tensor& targets) {
    checkKeys(keys);
    TORCH_CHECK(images.is_contiguous() && scaleShift.scalar_type() == images.scalar_type() &&
                    images.size(0) == keys.size(0),
                "images do not fit the keys");
    ACCUMULUS_ON_GPU(images, gatherImages(pixels, labels, scaleShift, keys, cropFlip, images, targets));
    const ImageShape shape = shapeOf(pixels);
    AT_DISPATCH_FLOATING_TYPES(images.scalar_type(), "gatherImages", [&] {
        for (std::int64_t row = 0; row < keys.size(0); ++row) {
            const std::int64_t* key = keys.const_data_ptr<std::int64_t>() + 2 * row;
            const CropFlip change = cropFlip ? cropFlipOfKeys(key) : CropFlip();
            for (std::int64_t i = 0; i < shape.size(); ++i)
                images.mutable_data_ptr<scalar_t>()[row * shape.size() + i] =
                    imageElement(pixels.const_data_ptr<std::uint8_t>() + key[0] * shape.size(), shape, i, change,
                                 scaleShift.const_data_ptr<scalar_t>());
            targets.mutable_data_ptr<std::int64_t>()[row] = labels.const_data_ptr<std::uint8_t>()[key[0]];
        }
    });
}

void gatherTokens(const at::Tensor& tokens, const at::Tensor& keys, bool masked, std::int64_t vocabulary,
                  at::Tensor& input, at::Tensor& targets) {
    checkKeys(keys);
    TORCH_CHECK(input.is_contiguous() && targets.is_contiguous() && input.size(0) == keys.size(0),
                "tokens do not fit the keys");
    ACCUMULUS_ON_GPU(input, gatherTokens(tokens, keys, masked, vocabulary, input, targets));
    const std::int64_t block = input.size(1);
    for (std::int64_t row = 0; row < keys.size(0); ++row) {
        const std::int64_t* key = keys.const_data_ptr<std::int64_t>() + 2 * row;
        for (std::int64_t i = 0; i < block; ++i) {
            const MaskedToken token =
                tokenElement(tokens.const_data_ptr<std::uint8_t>() + key[0] * block, key, i, masked, vocabulary);
            input.mutable_data_ptr<std::int64_t>()[row * block + i] = token.shown;
            targets.mutable_data_ptr<std::int64_t>()[row * block + i] = token.target;
        }
    }
}

at::Tensor keyedMask(const at::Tensor& keys, std::int64_t perRow, double rate, std::uint64_t layer,
                     at::ScalarType type) {
    checkKeys(keys);
    at::Tensor mask = at::empty({keys.size(0), perRow}, keys.options().dtype(type));
#ifdef ACCUMULUS_WITH_CUDA
    if (mask.is_cuda()) {
        gpu::keyedMask(keys, rate, layer, mask);
        return mask;
    }
#endif
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, type, "keyedMask", [&] {
        const auto kept = keptValue<scalar_t>(rate);
        for (std::int64_t row = 0; row < keys.size(0); ++row) {
            const std::uint64_t key = dropoutKey(keys.const_data_ptr<std::int64_t>() + 2 * row, layer);
            for (std::int64_t i = 0; i < perRow; ++i)
                mask.mutable_data_ptr<scalar_t>()[row * perRow + i] =
                    isDropped(key, static_cast<std::uint32_t>(i), dropoutThreshold(rate)) ? static_cast<scalar_t>(0.0F)
                                                                                          : kept;
        }
    });
    return mask;
}

void selectMicroStep(const at::Tensor& windowKeys, const at::Tensor& windowStarts, const at::Tensor& windowWeights,
                     at::Tensor& row, at::Tensor& keys, at::Tensor& weight) {
    checkKeys(windowKeys);
    checkKeys(keys);
    ACCUMULUS_ON_GPU(keys, selectMicroStep(windowKeys, windowStarts, windowWeights, row, keys, weight));
    std::int64_t& current = *row.mutable_data_ptr<std::int64_t>();
    const std::int64_t* from =
        windowKeys.const_data_ptr<std::int64_t>() + 2 * windowStarts.const_data_ptr<std::int64_t>()[current];
    std::copy(from, from + keys.numel(), keys.mutable_data_ptr<std::int64_t>());
    *weight.mutable_data_ptr<double>() = windowWeights.const_data_ptr<double>()[current];
    ++current;
}

void commit(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& weight, at::Tensor& partials) {
    ACCUMULUS_ON_GPU(flat, commit(flat, pieces, weight, partials));
    if (flat.scalar_type() == at::kBFloat16)
        commitOnCpu<at::BFloat16, float>(flat, pieces, valueOf(weight), partials);
    else if (flat.scalar_type() == at::kDouble)
        commitOnCpu<double, double>(flat, pieces, valueOf(weight), partials);
    else
        commitOnCpu<float, float>(flat, pieces, valueOf(weight), partials);
}

void scale(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& factor, at::Tensor& partials) {
    ACCUMULUS_ON_GPU(flat, scale(flat, pieces, factor, partials));
    AT_DISPATCH_FLOATING_TYPES(flat.scalar_type(), "scale", [&] {
        scalar_t* data = flat.mutable_data_ptr<scalar_t>();
        sumSquares(pieces, partials, [&](const Piece& piece, std::int64_t i) {
            return data[piece.offset + i] *= static_cast<scalar_t>(valueOf(factor));
        });
    });
}

void clip(at::Tensor& flat, std::span<const Piece> pieces, const at::Tensor& results) {
    ACCUMULUS_ON_GPU(flat, clip(flat, pieces, results));
    const double factor = results.const_data_ptr<double>()[clipFactor];
    AT_DISPATCH_FLOATING_TYPES(flat.scalar_type(), "clip", [&] {
        for (const Piece& piece : pieces)
            for (std::int64_t i = 0; i < piece.count && factor != 1.0; ++i)
                flat.mutable_data_ptr<scalar_t>()[piece.offset + i] *= static_cast<scalar_t>(factor);
    });
}

void closeMicroStep(at::Tensor& partials, const at::Tensor& loss, at::Tensor& cursor, at::Tensor& results) {
    ACCUMULUS_ON_GPU(partials, closeMicroStep(partials, loss, cursor, results));
    std::int64_t& current = *cursor.mutable_data_ptr<std::int64_t>();
    double* slot = results.mutable_data_ptr<double>() + headerSize + 2 * current++;
    slot[0] = sumAndZero(partials, partials.numel());
    slot[1] = *loss.const_data_ptr<double>();
}

void closeWindow(at::Tensor& partials, std::int64_t chunks, const at::Tensor& cursor, double clipNorm,
                 at::Tensor& results, at::Tensor& foundInf) {
    ACCUMULUS_ON_GPU(partials, closeWindow(partials, chunks, cursor, clipNorm, results, foundInf));
    double* values = results.mutable_data_ptr<double>();
    const double squared = sumAndZero(partials, chunks);
    const double norm = std::sqrt(squared);
    const std::int64_t end = headerSize + 2 * *cursor.const_data_ptr<std::int64_t>();
    const bool bad = !finite(squared) || !std::all_of(values + headerSize, values + end, finite);
    values[squaredNorm] = squared;
    values[broken] = bad ? 1.0 : 0.0;
    values[clipFactor] = clipNorm > 0.0 && norm > clipNorm ? clipNorm / norm : 1.0;
    *foundInf.mutable_data_ptr<float>() = bad ? 1.0F : 0.0F;
}

} // namespace accumulus::kernels
