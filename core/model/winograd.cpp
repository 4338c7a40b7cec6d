// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/winograd.h"

#include "core/base/machine_features.h"
#include "core/model/float_data.h"
#include "core/model/sixteen_bits.h"
#include "core/model/winograd_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace accumulus {
namespace {

WinogradImages imagesLike(const at::Tensor& images, std::int64_t channels, std::int64_t tile) {
    return {images.size(0), images.size(2), images.size(3), channels, tile};
}

/// Outputs along a tile's side. Tiles of 4x4 outputs take 36 products where four of 2x2 take 64, and fewer additions to
/// transform. But a filter becomes 36 numbers in place of 16, so `fewest` tiles are needed to make up for it, and tiles
/// of 4x4 reach further over the edges.
std::int64_t tileOf(WinogradTiles tiles, WinogradImages images, std::int64_t fewest) {
    if (tiles != WinogradTiles::Best)
        return tiles == WinogradTiles::Of4x4 ? 4 : 2;
    images.tile = 2;
    const std::int64_t products = images.tiles() * winogradPositions(images.tile);
    images.tile = 4;
    return images.tiles() >= fewest && images.tiles() * winogradPositions(images.tile) < products ? 4 : 2;
}

/// By one image and its channels: so an output does not depend on what else is in the batch. Measured (Intel with
/// AVX-512, 2 to 32 samples): tiles of 4x4 win by 1.1 to 1.8 down to four of 256 channels, and lose with one of 512.
std::int64_t tileOfConvolution(WinogradTiles tiles, const at::Tensor& images, const at::Tensor& weight) {
    constexpr std::int64_t channelsPerTile = 64, halfABlock = winogradRows / 2;
    const std::int64_t fewest = std::min(weight.size(0), weight.size(1)) / channelsPerTile;
    return tileOf(tiles, {1, images.size(2), images.size(3), 0}, std::max(fewest, halfABlock));
}

/// Of a sum over the batch. Measured likewise: 32 tiles of 512 channels win by 1.6, eight lose.
std::int64_t tileOfGradient(WinogradTiles tiles, const at::Tensor& images) {
    constexpr std::int64_t fewest = 32;
    return tileOf(tiles, imagesLike(images, 0, 0), fewest);
}

/// What the kernels read: fp32 or bfloat16. Half precision as floats.
at::Tensor readable(const at::Tensor& tensor) {
    const at::Tensor ordered = tensor.contiguous(channelsLast);
    return ordered.scalar_type() == at::kBFloat16 ? ordered : inFloat(ordered);
}

/// work(numbers) with the numbers of `tensor`, which is readable.
template <class Work>
void withNumbers(const at::Tensor& tensor, const Work& work) {
    if (tensor.scalar_type() == at::kBFloat16)
        work(tensor.const_data_ptr<at::BFloat16>());
    else
        work(tensor.const_data_ptr<float>());
}

/// `zeros`, in the type that the images are in.
template <class Number>
const Number* zerosFor(const at::Tensor& zeros, const Number*) {
    return zeros.const_data_ptr<Number>();
}

enum class Filters { Straight, Turned };

/// The convolution of `images` [n, depth, h, w] with `weight`, which serves straight or turned. Returns [n, channels,
/// h, w]; everything channels last. Either all filters are transformed first and tiles as they are needed, or
/// the other way round: whichever takes less memory to keep. The sums are the same.
class Convolution {
public:
    Convolution(const at::Tensor& images, const at::Tensor& weight, Filters filters, std::int64_t channels,
                std::int64_t tile)
        : m_images(images), m_weight(weight), m_filters(filters), m_depth(images.size(1)),
          m_panels(channels / winogradPanel), m_in(imagesLike(images, m_depth, tile)),
          m_out(imagesLike(images, channels, tile)), m_chunk(tile == 4 ? 32 : 64),
          m_chunks((m_in.tiles() + m_chunk - 1) / m_chunk), m_zeros(at::zeros({m_depth}, images.options())),
          m_result(at::empty({m_out.samples, channels, m_out.height, m_out.width}, images.options(), channelsLast)) {}

    at::Tensor compute() {
        const bool filtersFirst = m_panels * filterSize() < m_chunks * chunkSize();
        at::Tensor kept = scratch(filtersFirst ? m_panels * filterSize() : m_chunks * chunkSize());
        float* place = write(kept);
        if (filtersFirst) {
            inParallel(m_panels, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t panel = begin; panel < end; ++panel)
                    transformFilters(panel, place + panel * filterSize());
            });
            inParallel(m_chunks * m_panels, [&](std::int64_t begin, std::int64_t end) {
                at::Tensor tiles = scratch(chunkSize()), products = scratch(productsSize());
                for (std::int64_t task = begin; task < end; ++task) {
                    if (task == begin || task % m_panels == 0)
                        transformTiles(task / m_panels, write(tiles));
                    multiply(task / m_panels, write(tiles), task % m_panels, place + task % m_panels * filterSize(),
                             write(products));
                }
            });
        } else {
            inParallel(m_chunks, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t number = begin; number < end; ++number)
                    transformTiles(number, place + number * chunkSize());
            });
            inParallel(m_chunks * m_panels, [&](std::int64_t begin, std::int64_t end) {
                at::Tensor filters = scratch(filterSize()), products = scratch(productsSize());
                for (std::int64_t task = begin; task < end; ++task) {
                    if (task == begin || task % m_chunks == 0)
                        transformFilters(task / m_chunks, write(filters));
                    multiply(task % m_chunks, place + task % m_chunks * chunkSize(), task / m_chunks, write(filters),
                             write(products));
                }
            });
        }
        return m_result;
    }

private:
    [[nodiscard]] std::int64_t productsSize() const { return positions() * winogradStride(m_chunk * winogradPanel); }
    [[nodiscard]] std::int64_t positions() const { return winogradPositions(m_in.tile); }

    /// Floats of a panel.
    [[nodiscard]] std::int64_t filterSize() const { return positions() * m_depth * winogradPanel; }
    [[nodiscard]] std::int64_t chunkPosition() const { return winogradStride(m_chunk * m_depth); }
    [[nodiscard]] std::int64_t chunkSize() const { return positions() * chunkPosition(); }
    [[nodiscard]] std::int64_t tilesOf(std::int64_t number) const {
        return std::min(m_chunk, m_in.tiles() - number * m_chunk);
    }

    void transformFilters(std::int64_t panel, float* to) const {
        withNumbers(m_weight, [&](const auto* weight) {
            if (m_filters == Filters::Straight)
                winogradFilters(weight, m_weight.size(0), m_weight.size(1), m_in.tile, panel, to);
            else
                winogradTurnedFilters(weight, m_weight.size(0), m_weight.size(1), m_in.tile, panel, to);
        });
    }
    void transformTiles(std::int64_t number, float* to) const {
        const std::int64_t count = tilesOf(number), missing = (winogradRows - count % winogradRows) % winogradRows;
        withNumbers(m_images, [&](const auto* images) {
            winogradInputs(images, m_in, m_depth, number * m_chunk, count, zerosFor(m_zeros, images),
                           {to, winogradPanel, chunkPosition(), m_depth});
        });
        // Rows that fill up the last block are multiplied, too, and their products thrown away.
        for (std::int64_t position = 0; missing > 0 && position < positions(); ++position)
            std::fill_n(to + position * chunkPosition() + count * m_depth, missing * m_depth, 0.0F);
    }
    void multiply(std::int64_t number, const float* tiles, std::int64_t panel, const float* filters,
                  float* products) const {
        const auto into = [&](auto* out) {
            winogradOutputs(tiles, chunkPosition(), m_depth, filters, m_out, number * m_chunk, tilesOf(number), panel,
                            products, out);
        };
        if (m_result.scalar_type() == at::kBFloat16)
            into(m_result.mutable_data_ptr<at::BFloat16>());
        else
            into(m_result.mutable_data_ptr<float>());
    }

    const at::Tensor& m_images;
    const at::Tensor& m_weight;
    Filters m_filters;
    std::int64_t m_depth, m_panels;
    WinogradImages m_in, m_out;
    std::int64_t m_chunk; ///< tiles; a multiple of winogradRows
    std::int64_t m_chunks;
    const at::Tensor m_zeros;
    at::Tensor m_result;
};

/// The gradient of the weights [out, in, 3, 3]: over all tiles, the sum of the products of the output's gradient with
/// the input. The division of the sum does not depend on the threads.
class WeightGradient {
public:
    WeightGradient(const at::Tensor& gradient, const at::Tensor& input, std::int64_t tile)
        : m_gradient(gradient), m_input(input), m_out(imagesLike(gradient, gradient.size(1), tile)),
          m_in(imagesLike(input, input.size(1), tile)), m_panels(m_in.channels / winogradPanel),
          m_chunk(std::min(m_in.tiles(), tilesAtOnce(tile))), m_gradients(scratch(positions() * gradientsPosition())),
          m_zeros(at::zeros({std::max(m_in.channels, m_out.channels)}, input.options())),
          m_result(at::empty({m_out.channels, m_in.channels, 3, 3}, input.options().dtype(at::kFloat), channelsLast)) {}

    at::Tensor compute() {
        if (m_chunk == m_in.tiles())
            panelByPanel();
        else
            chunkByChunk();
        return m_result;
    }

private:
    /// A panel of a position stays in the first cache, 8 or 16 KB, and all positions in the second. Measured (Intel
    /// with AVX-512, 32 samples): 128 tiles of 2x2 are 1.4 times as fast as 512 with 64 channels, and as fast with 256.
    static std::int64_t tilesAtOnce(std::int64_t tile) { return tile == 4 ? 64 : 128; }

    /// Few tiles, so a panel's sums are finished at once: neither they nor the inputs are kept beside those of others.
    void panelByPanel() {
        transformGradients(0, m_chunk);
        float* to = write(m_result);
        inParallel(m_panels, [&](std::int64_t begin, std::int64_t end) {
            at::Tensor inputs = scratch(inputsSize()), sums = scratch(positions() * m_out.channels * winogradPanel);
            const std::int64_t ofPosition = m_out.channels * winogradPanel;
            for (std::int64_t panel = begin; panel < end; ++panel) {
                withNumbers(m_input, [&](const auto* images) {
                    winogradInputs(images + panel * winogradPanel, m_in, winogradPanel, 0, m_chunk,
                                   zerosFor(m_zeros, images),
                                   {write(inputs), winogradPanel, inputsPosition(), winogradPanel});
                });
                for (std::int64_t position = 0; position < positions(); ++position)
                    add(position, write(inputs), m_chunk, false, write(sums) + position * ofPosition, winogradPanel);
                winogradFilterGradients(write(sums), ofPosition, winogradPanel, m_out.channels, m_in.channels,
                                        m_in.tile, panel, to);
            }
        });
    }

    /// Many tiles: a chunk's inputs and gradients stay in the caches, and are added to the sums of all channels, which
    /// are kept: up to four times the weights' own memory.
    void chunkByChunk() {
        at::Tensor inputs = scratch(m_panels * inputsSize());
        at::Tensor sums = scratch(positions() * m_out.channels * m_in.channels);
        const std::int64_t ofPosition = m_out.channels * m_in.channels;
        float *place = write(inputs), *sum = write(sums), *to = write(m_result);
        for (std::int64_t first = 0; first < m_in.tiles(); first += m_chunk) {
            const std::int64_t count = std::min(m_chunk, m_in.tiles() - first);
            transformGradients(first, count);
            inParallel(count, [&](std::int64_t begin, std::int64_t end) {
                withNumbers(m_input, [&](const auto* images) {
                    winogradInputs(images, m_in, m_in.channels, first + begin, end - begin, zerosFor(m_zeros, images),
                                   {place + begin * winogradPanel, inputsSize(), inputsPosition(), winogradPanel});
                });
            });
            inParallel(positions() * m_panels, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t task = begin; task < end; ++task) {
                    const std::int64_t position = task / m_panels, panel = task % m_panels;
                    add(position, place + panel * inputsSize(), count, first > 0,
                        sum + position * ofPosition + panel * winogradPanel, m_in.channels);
                }
            });
        }
        inParallel(m_panels, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t panel = begin; panel < end; ++panel)
                winogradFilterGradients(sum + panel * winogradPanel, ofPosition, m_in.channels, m_out.channels,
                                        m_in.channels, m_in.tile, panel, to);
        });
    }

    [[nodiscard]] std::int64_t positions() const { return winogradPositions(m_in.tile); }
    /// Floats of a panel.
    [[nodiscard]] std::int64_t inputsSize() const { return positions() * inputsPosition(); }
    /// Floats of a position.
    [[nodiscard]] std::int64_t inputsPosition() const { return winogradStride(m_chunk * winogradPanel); }
    [[nodiscard]] std::int64_t gradientsPosition() const { return winogradStride(m_chunk * m_out.channels); }

    void transformGradients(std::int64_t first, std::int64_t count) {
        float* to = write(m_gradients);
        inParallel(count, [&](std::int64_t begin, std::int64_t end) {
            withNumbers(m_gradient, [&](const auto* images) {
                winogradOutputGradients(
                    images, m_out, first + begin, end - begin, zerosFor(m_zeros, images),
                    {to + begin * m_out.channels, winogradPanel, gradientsPosition(), m_out.channels});
            });
        });
    }

    /// `inputs`: of one panel.
    void add(std::int64_t position, const float* inputs, std::int64_t count, bool onto, float* sums,
             std::int64_t rowLength) const {
        winogradSum(read(m_gradients) + position * gradientsPosition(), m_out.channels,
                    inputs + position * inputsPosition(), count, onto, sums, rowLength);
    }

    const at::Tensor &m_gradient, &m_input;
    WinogradImages m_out, m_in;
    std::int64_t m_panels;
    std::int64_t m_chunk; ///< tiles
    at::Tensor m_gradients;
    const at::Tensor m_zeros;
    at::Tensor m_result;
};

struct Winograd final : torch::autograd::Function<Winograd> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, WinogradTiles tiles) {
        context->save_for_backward({input, weight});
        context->saved_data["tiles"] = static_cast<std::int64_t>(tiles);
        const at::Tensor images = readable(input), filters = readable(weight);
        return Convolution(images, filters, Filters::Straight, weight.size(0),
                           tileOfConvolution(tiles, images, filters))
            .compute()
            .to(input.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const auto tiles = static_cast<WinogradTiles>(context->saved_data["tiles"].toInt());
        const at::Tensor input = readable(saved[0]), gradient = readable(gradients[0]), filters = readable(saved[1]);
        const at::ScalarType type = saved[0].scalar_type();
        at::Tensor ofInput, ofWeight;
        if (context->needs_input_grad(0))
            ofInput = Convolution(gradient, filters, Filters::Turned, filters.size(1),
                                  tileOfConvolution(tiles, gradient, filters))
                          .compute()
                          .to(type);
        if (context->needs_input_grad(1))
            ofWeight = WeightGradient(gradient, input, tileOfGradient(tiles, input)).compute().to(type);
        return {ofInput, ofWeight, at::Tensor()};
    }
};

} // namespace

at::Tensor winogradConvolution(const at::Tensor& input, const at::Tensor& weight, WinogradTiles tiles) {
    // Whoever watches operators (LayerWatch) sees this one, too: what it computes with is no operator of LibTorch.
    RECORD_FUNCTION("accumulus::winograd", (std::vector<c10::IValue>{input, weight}));
    const RoundedProducts rounded;
    return Winograd::apply(rounded.cast(input), rounded.cast(weight), tiles);
}

bool winogradWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride, std::int64_t padding) {
    const RoundedProducts rounded; // then autocast is not in the way
    return machineFeatures().vectors && input.is_cpu() && stride == 1 && padding == 1 && weight.size(2) == 3 &&
           weight.size(3) == 3 && productsTake(input.scalar_type()) && productsTake(weight.scalar_type()) &&
           !at::autocast::is_autocast_enabled(at::kCPU) && input.size(1) == weight.size(1) &&
           weight.size(0) % winogradPanel == 0 && weight.size(1) % winogradPanel == 0 &&
           input.is_contiguous(channelsLast) && weight.is_contiguous(channelsLast);
}

} // namespace accumulus
