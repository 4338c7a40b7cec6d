// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled without contraction to fused multiply-adds: an element is rounded as on the CPU. Sums run over fixed chunks
// and trees, so they have the same bits each time.
#include "core/cuda/gpu_kernels.h"
#include "core/cuda/kernel_elements.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>

namespace accumulus::kernels::gpu {
namespace {

constexpr int threads = 256;
constexpr int elementsPerThread = 4;    // of kernels that make images, tokens and masks
constexpr std::int64_t mostPieces = 64; // of one launch: its arguments stay far below the limit of 4 KB

unsigned blocksFor(std::int64_t elements, std::int64_t perBlock) {
    return static_cast<unsigned>(std::max<std::int64_t>(1, (elements + perBlock - 1) / perBlock));
}

cudaStream_t stream() { return c10::cuda::getCurrentCUDAStream().stream(); }

/// Sum over the block, in thread 0.
__device__ double blockSum(double value) {
    __shared__ double sums[threads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int width = threads / 2; width > 0; width /= 2) {
        if (threadIdx.x < width)
            sums[threadIdx.x] += sums[threadIdx.x + width];
        __syncthreads();
    }
    return sums[0];
}

/// True in thread 0 when it is true in any thread.
__device__ bool anyInBlock(bool value) { return __syncthreads_or(value ? 1 : 0) != 0; }

template <class Real>
__global__ void imagesKernel(const std::uint8_t* pixels, const std::uint8_t* labels, const Real* scaleShift,
                             const std::int64_t* keys, bool cropFlip, ImageShape shape, Real* images,
                             std::int64_t* targets) {
    const std::int64_t row = blockIdx.x;
    const std::int64_t* key = keys + 2 * row;
    __shared__ std::int64_t down, right;
    __shared__ bool mirrored;
    if (threadIdx.x == 0) {
        const CropFlip drawn = cropFlip ? cropFlipOfKeys(key) : CropFlip{};
        down = drawn.down;
        right = drawn.right;
        mirrored = drawn.mirrored;
        if (blockIdx.y == 0)
            targets[row] = labels[key[0]];
    }
    __syncthreads();
    const CropFlip change{down, right, mirrored};
    const std::uint8_t* image = pixels + key[0] * shape.size();
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * threads * elementsPerThread + threadIdx.x;
    for (int j = 0; j < elementsPerThread; ++j) {
        const std::int64_t i = first + static_cast<std::int64_t>(j) * threads;
        if (i < shape.size())
            images[row * shape.size() + i] = imageElement(image, shape, i, change, scaleShift);
    }
}

__global__ void tokensKernel(const std::uint8_t* tokens, const std::int64_t* keys, bool masked, std::int64_t vocabulary,
                             std::int64_t block, std::int64_t* input, std::int64_t* targets) {
    const std::int64_t row = blockIdx.x;
    const std::int64_t* key = keys + 2 * row;
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.y) * threads + threadIdx.x;
    if (i >= block)
        return;
    const MaskedToken token = tokenElement(tokens + key[0] * block, key, i, masked, vocabulary);
    input[row * block + i] = token.shown;
    targets[row * block + i] = token.target;
}

template <class Value>
__global__ void maskKernel(const std::int64_t* keys, std::int64_t perRow, std::uint32_t threshold, std::uint64_t layer,
                           Value kept, Value* mask) {
    const std::int64_t row = blockIdx.x;
    __shared__ std::uint64_t key;
    if (threadIdx.x == 0)
        key = dropoutKey(keys + 2 * row, layer);
    __syncthreads();
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * threads * elementsPerThread + threadIdx.x;
    for (int j = 0; j < elementsPerThread; ++j) {
        const std::int64_t i = first + static_cast<std::int64_t>(j) * threads;
        if (i < perRow)
            mask[row * perRow + i] =
                isDropped(key, static_cast<std::uint32_t>(i), threshold) ? static_cast<Value>(0.0F) : kept;
    }
}

__global__ void selectKernel(const std::int64_t* windowKeys, const std::int64_t* windowStarts,
                             const double* windowWeights, std::int64_t* row, std::int64_t numbers, std::int64_t* keys,
                             double* weight) {
    const std::int64_t current = *row;
    __syncthreads(); // everyone has read it
    const std::int64_t* from = windowKeys + 2 * windowStarts[current];
    for (std::int64_t i = threadIdx.x; i < numbers; i += threads)
        keys[i] = from[i];
    if (threadIdx.x == 0) {
        *weight = windowWeights[current];
        *row = current + 1;
    }
}

/// Up to mostPieces pieces; each block takes one chunk of one of them.
struct PieceTable {
    const void* gradients[mostPieces];
    std::int64_t offsets[mostPieces];
    std::int64_t counts[mostPieces];
    std::int64_t firstChunks[mostPieces];
    unsigned firstBlocks[mostPieces + 1];
    int pieces;
};
static_assert(sizeof(PieceTable) < 3000);

struct Chunk {
    int piece;
    std::int64_t begin, end; ///< elements of the piece
    std::int64_t index;      ///< of its partial sum
};

__device__ Chunk chunkOfBlock(const PieceTable& table) {
    int low = 0, high = table.pieces;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (table.firstBlocks[middle] <= blockIdx.x ? low : high) = middle;
    }
    const std::int64_t number = blockIdx.x - table.firstBlocks[low];
    const std::int64_t begin = number * chunkElements;
    const std::int64_t end = begin + chunkElements < table.counts[low] ? begin + chunkElements : table.counts[low];
    return {low, begin, end, table.firstChunks[low] + number};
}

template <class Flat, class Gradient>
__global__ void commitKernel(const PieceTable table, const double* weightOnDevice, double weight, Flat* flat,
                             double* partials) {
    const Chunk chunk = chunkOfBlock(table);
    const auto factor = static_cast<Gradient>(weightOnDevice != nullptr ? *weightOnDevice : weight);
    const auto* gradient = static_cast<const Gradient*>(table.gradients[chunk.piece]);
    Flat* out = flat + table.offsets[chunk.piece];
    double sum = 0.0;
    for (std::int64_t i = chunk.begin + threadIdx.x; i < chunk.end; i += threads) {
        const Gradient value = gradient[i];
        out[i] = static_cast<Flat>(static_cast<Gradient>(out[i]) + factor * value);
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        partials[chunk.index] = sum;
}

template <class Real>
__global__ void scaleKernel(const PieceTable table, const double* factorOnDevice, double factorNow, Real* flat,
                            double* partials) {
    const Chunk chunk = chunkOfBlock(table);
    const auto factor = static_cast<Real>(factorOnDevice != nullptr ? *factorOnDevice : factorNow);
    Real* data = flat + table.offsets[chunk.piece];
    double sum = 0.0;
    for (std::int64_t i = chunk.begin + threadIdx.x; i < chunk.end; i += threads) {
        const Real value = data[i] * factor;
        data[i] = value;
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        partials[chunk.index] = sum;
}

template <class Real>
__global__ void clipKernel(const PieceTable table, const double* results, Real* flat) {
    const auto factor = static_cast<Real>(results[clipFactor]);
    if (factor == static_cast<Real>(1.0))
        return;
    const Chunk chunk = chunkOfBlock(table);
    Real* data = flat + table.offsets[chunk.piece];
    for (std::int64_t i = chunk.begin + threadIdx.x; i < chunk.end; i += threads)
        data[i] *= factor;
}

/// In thread 0; the partials become zero. One block.
__device__ double sumAndZero(double* partials, std::int64_t chunks) {
    double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < chunks; i += threads) {
        sum += partials[i];
        partials[i] = 0.0;
    }
    return blockSum(sum);
}

__global__ void closeMicroStepKernel(double* partials, std::int64_t chunks, const double* loss, std::int64_t* cursor,
                                     double* results) {
    const double sum = sumAndZero(partials, chunks);
    if (threadIdx.x != 0)
        return;
    double* slot = results + headerSize + 2 * *cursor;
    slot[0] = sum;
    slot[1] = *loss;
    ++*cursor;
}

__global__ void closeWindowKernel(double* partials, std::int64_t chunks, const std::int64_t* cursor, double clipNorm,
                                  double* results, float* foundInf) {
    const double squared = sumAndZero(partials, chunks);
    const std::int64_t end = headerSize + 2 * *cursor;
    bool bad = threadIdx.x == 0 && !finite(squared);
    for (std::int64_t i = headerSize + threadIdx.x; i < end; i += threads)
        bad = bad || !finite(results[i]);
    bad = anyInBlock(bad);
    if (threadIdx.x != 0)
        return;
    const double norm = sqrt(squared);
    results[squaredNorm] = squared;
    results[broken] = bad ? 1.0 : 0.0;
    results[clipFactor] = clipNorm > 0.0 && norm > clipNorm ? clipNorm / norm : 1.0;
    *foundInf = bad ? 1.0F : 0.0F;
}

/// Calls launch(table, blocks) for each group of pieces.
template <class Launch>
void overPieces(std::span<const Piece> pieces, Launch launch) {
    for (std::size_t first = 0; first < pieces.size(); first += mostPieces) {
        PieceTable table{};
        const auto group = pieces.subspan(first, std::min<std::size_t>(mostPieces, pieces.size() - first));
        unsigned blocks = 0;
        for (const Piece& piece : group) {
            table.gradients[table.pieces] = piece.gradient.defined() ? piece.gradient.const_data_ptr() : nullptr;
            table.offsets[table.pieces] = piece.offset;
            table.counts[table.pieces] = piece.count;
            table.firstChunks[table.pieces] = piece.firstChunk;
            table.firstBlocks[table.pieces] = blocks;
            blocks += static_cast<unsigned>(chunksOf(piece.count));
            ++table.pieces;
        }
        table.firstBlocks[table.pieces] = blocks;
        if (blocks > 0)
            launch(table, blocks);
        C10_CUDA_KERNEL_LAUNCH_CHECK();
    }
}

const double* pointerOf(const Scalar& scalar) {
    return scalar.onDevice.defined() ? scalar.onDevice.const_data_ptr<double>() : nullptr;
}

template <class Flat, class Gradient>
void launchCommit(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& weight, at::Tensor& partials) {
    overPieces(pieces, [&](const PieceTable& table, unsigned blocks) {
        commitKernel<Flat, Gradient><<<blocks, threads, 0, stream()>>>(
            table, pointerOf(weight), weight.value, flat.mutable_data_ptr<Flat>(), partials.mutable_data_ptr<double>());
    });
}

template <class Real>
void launchImages(const at::Tensor& pixels, const at::Tensor& labels, const at::Tensor& scaleShift,
                  const at::Tensor& keys, bool cropFlip, at::Tensor& images, at::Tensor& targets) {
    const ImageShape shape{pixels.size(1), pixels.size(2), pixels.size(3)};
    const dim3 grid(static_cast<unsigned>(keys.size(0)), blocksFor(shape.size(), threads * elementsPerThread));
    imagesKernel<Real><<<grid, threads, 0, stream()>>>(
        pixels.const_data_ptr<std::uint8_t>(), labels.const_data_ptr<std::uint8_t>(), scaleShift.const_data_ptr<Real>(),
        keys.const_data_ptr<std::int64_t>(), cropFlip, shape, images.mutable_data_ptr<Real>(),
        targets.mutable_data_ptr<std::int64_t>());
}

template <class Value>
void launchMask(const at::Tensor& keys, double rate, std::uint64_t layer, at::Tensor& mask) {
    const dim3 grid(static_cast<unsigned>(keys.size(0)), blocksFor(mask.size(1), threads * elementsPerThread));
    maskKernel<Value><<<grid, threads, 0, stream()>>>(keys.const_data_ptr<std::int64_t>(), mask.size(1),
                                                      dropoutThreshold(rate), layer, keptValue<Value>(rate),
                                                      mask.mutable_data_ptr<Value>());
}

} // namespace

void gatherImages(const at::Tensor& pixels, const at::Tensor& labels, const at::Tensor& scaleShift,
                  const at::Tensor& keys, bool cropFlip, at::Tensor& images, at::Tensor& targets) {
    if (images.scalar_type() == at::kDouble)
        launchImages<double>(pixels, labels, scaleShift, keys, cropFlip, images, targets);
    else
        launchImages<float>(pixels, labels, scaleShift, keys, cropFlip, images, targets);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void gatherTokens(const at::Tensor& tokens, const at::Tensor& keys, bool masked, std::int64_t vocabulary,
                  at::Tensor& input, at::Tensor& targets) {
    const dim3 grid(static_cast<unsigned>(keys.size(0)), blocksFor(input.size(1), threads));
    tokensKernel<<<grid, threads, 0, stream()>>>(
        tokens.const_data_ptr<std::uint8_t>(), keys.const_data_ptr<std::int64_t>(), masked, vocabulary, input.size(1),
        input.mutable_data_ptr<std::int64_t>(), targets.mutable_data_ptr<std::int64_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void keyedMask(const at::Tensor& keys, double rate, std::uint64_t layer, at::Tensor& mask) {
    switch (mask.scalar_type()) {
    case at::kDouble:
        launchMask<double>(keys, rate, layer, mask);
        break;
    case at::kHalf:
        launchMask<at::Half>(keys, rate, layer, mask);
        break;
    case at::kBFloat16:
        launchMask<at::BFloat16>(keys, rate, layer, mask);
        break;
    default:
        launchMask<float>(keys, rate, layer, mask);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void selectMicroStep(const at::Tensor& windowKeys, const at::Tensor& windowStarts, const at::Tensor& windowWeights,
                     at::Tensor& row, at::Tensor& keys, at::Tensor& weight) {
    selectKernel<<<1, threads, 0, stream()>>>(
        windowKeys.const_data_ptr<std::int64_t>(), windowStarts.const_data_ptr<std::int64_t>(),
        windowWeights.const_data_ptr<double>(), row.mutable_data_ptr<std::int64_t>(), keys.numel(),
        keys.mutable_data_ptr<std::int64_t>(), weight.mutable_data_ptr<double>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void commit(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& weight, at::Tensor& partials) {
    if (flat.scalar_type() == at::kBFloat16)
        launchCommit<at::BFloat16, float>(flat, pieces, weight, partials);
    else if (flat.scalar_type() == at::kDouble)
        launchCommit<double, double>(flat, pieces, weight, partials);
    else
        launchCommit<float, float>(flat, pieces, weight, partials);
}

void scale(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& factor, at::Tensor& partials) {
    overPieces(pieces, [&](const PieceTable& table, unsigned blocks) {
        double* sums = partials.mutable_data_ptr<double>();
        if (flat.scalar_type() == at::kDouble)
            scaleKernel<double><<<blocks, threads, 0, stream()>>>(table, pointerOf(factor), factor.value,
                                                                  flat.mutable_data_ptr<double>(), sums);
        else
            scaleKernel<float><<<blocks, threads, 0, stream()>>>(table, pointerOf(factor), factor.value,
                                                                 flat.mutable_data_ptr<float>(), sums);
    });
}

void clip(at::Tensor& flat, std::span<const Piece> pieces, const at::Tensor& results) {
    overPieces(pieces, [&](const PieceTable& table, unsigned blocks) {
        const double* values = results.const_data_ptr<double>();
        if (flat.scalar_type() == at::kDouble)
            clipKernel<double><<<blocks, threads, 0, stream()>>>(table, values, flat.mutable_data_ptr<double>());
        else
            clipKernel<float><<<blocks, threads, 0, stream()>>>(table, values, flat.mutable_data_ptr<float>());
    });
}

void closeMicroStep(at::Tensor& partials, const at::Tensor& loss, at::Tensor& cursor, at::Tensor& results) {
    closeMicroStepKernel<<<1, threads, 0, stream()>>>(
        partials.mutable_data_ptr<double>(), partials.numel(), loss.const_data_ptr<double>(),
        cursor.mutable_data_ptr<std::int64_t>(), results.mutable_data_ptr<double>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void closeWindow(at::Tensor& partials, std::int64_t chunks, const at::Tensor& cursor, double clipNorm,
                 at::Tensor& results, at::Tensor& foundInf) {
    closeWindowKernel<<<1, threads, 0, stream()>>>(
        partials.mutable_data_ptr<double>(), chunks, cursor.const_data_ptr<std::int64_t>(), clipNorm,
        results.mutable_data_ptr<double>(), foundInf.mutable_data_ptr<float>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

} // namespace accumulus::kernels::gpu
