// SPDX-License-Identifier: GPL-3.0-or-later
// A data set as uint8 on the device that trains, so that a micro-batch is made where it is used and nothing but sample
// ids crosses the bus. One for each trainer; its thread only.
#pragma once

#include "core/data/dataset.h"

#include <ATen/core/Tensor.h>
#include <array>
#include <cstdint>
#include <memory>

namespace accumulus {

enum class DataPart { Train, Validation, Test };

[[nodiscard]] const ImageSet& imagesOf(const Dataset& data, DataPart part);
[[nodiscard]] const TextSet& textOf(const Dataset& data, DataPart part);
[[nodiscard]] const TensorSet& tensorsOf(const Dataset& data, DataPart part);

/// One part of a data set on the device; the tensors that its kind does not have are undefined.
struct ResidentPart {
    at::Tensor pixels;     ///< uint8 [count, channels, height, width]
    at::Tensor labels;     ///< uint8 [count]
    at::Tensor scaleShift; ///< [2, channels] in the type of the images
    at::Tensor tokens;     ///< uint8 [count x block + 1]
};

class ResidentData {
public:
    /// `type`: of images. `device` may be the CPU (tests).
    ResidentData(std::shared_ptr<const Dataset> data, at::ScalarType type, at::Device device);

    [[nodiscard]] at::Device device() const { return m_device; }
    /// Copied to the device when it is asked for first; null where the device has no room for it beside the training,
    /// or its tokens are wider than a byte: micro-batches are then made on the CPU. So they are of tensors, which may
    /// be larger than any memory.
    [[nodiscard]] std::shared_ptr<const ResidentPart> part(DataPart part);

    /// Of the memory that is free, what data may take.
    static constexpr double largestShare = 0.5;

private:
    [[nodiscard]] bool fits(DataPart part) const;
    [[nodiscard]] ResidentPart copyOf(DataPart part) const;

    struct Slot {
        bool asked = false;
        std::shared_ptr<const ResidentPart> part;
    };
    std::shared_ptr<const Dataset> m_data;
    at::ScalarType m_type;
    at::Device m_device;
    std::array<Slot, 3> m_slots;
};

} // namespace accumulus
