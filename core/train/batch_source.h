// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the tensors of one micro-batch from a data set: images normalised (and augmented), tokens with their targets (and masks). One for each lane.
#pragma once

#include "core/data/dataset.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// Target of a position that bears no loss, as in torch.nn.functional.cross_entropy.
inline constexpr std::int64_t ignoredTarget = -100;

struct Batch {
    at::Tensor input;   ///< images [n, channels, height, width] in the compute type, or tokens [n, block] (int64)
    at::Tensor targets; ///< int64, [n] or [n x block]; ignoredTarget bears no loss
    std::int64_t samples = 0;
    std::int64_t targetCount = 0; ///< targets that bear loss
};

enum class DataPart { Train, Validation, Test };

class BatchSource {
public:
    /// `augment`: as data.augment says, for training. Buffers for `largest` samples, which grow when they must; `type`: of images.
    BatchSource(const Dataset& data, DataPart part, Task task, bool augment, at::ScalarType type, std::int64_t largest);

    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] std::int64_t block() const { return m_text ? m_text->block : 0; }
    /// The samples of `keys`. The tensors are views of this object's buffers and valid until the next call.
    [[nodiscard]] Batch fill(const SampleKeys& keys);

private:
    void reserve(std::int64_t samples);
    [[nodiscard]] Batch fillImages(const SampleKeys& keys);
    [[nodiscard]] Batch fillText(const SampleKeys& keys);

    const ImageSet* m_images = nullptr;
    const TextSet* m_text = nullptr;
    PixelScale m_scale;
    Task m_task;
    bool m_augment;
    std::int64_t m_vocabulary;
    at::ScalarType m_type;
    at::Tensor m_input;
    at::Tensor m_targets;
};

} // namespace accumulus
