// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/resident_data.h"

#include "core/cuda/device.h"
#include "core/engine/recovery.h"

#include <ATen/ATen.h>
#include <exception>

namespace accumulus {
namespace {

/// Copy of host bytes on the device; their owner may go afterwards.
at::Tensor bytesOn(at::Device device, std::span<const std::byte> bytes, at::IntArrayRef shape) {
    // Only read.
    const at::Tensor host = at::from_blob(const_cast<std::byte*>(bytes.data()), shape,
                                          at::kByte); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return host.to(device, /*non_blocking=*/false, /*copy=*/true);
}

} // namespace

const ImageSet& imagesOf(const Dataset& data, DataPart part) {
    return part == DataPart::Train ? data.train : part == DataPart::Test ? data.test : data.validation;
}

const TextSet& textOf(const Dataset& data, DataPart part) {
    return part == DataPart::Train ? data.trainText : part == DataPart::Test ? data.testText : data.validationText;
}

const TensorSet& tensorsOf(const Dataset& data, DataPart part) {
    return part == DataPart::Train  ? data.trainTensors
           : part == DataPart::Test ? data.testTensors
                                    : data.validationTensors;
}

ResidentData::ResidentData(std::shared_ptr<const Dataset> data, at::ScalarType type, at::Device device)
    : m_data(std::move(data)), m_type(type), m_device(device) {}

bool ResidentData::fits(DataPart part) const {
    const TokenColumn& tokens = textOf(*m_data, part).tokens;
    if (tokens.type != ElementType::UInt8)
        return false; // the kernels gather bytes
    if (m_device.is_cpu())
        return true;
    const std::size_t bytes = imagesOf(*m_data, part).pixels.size() + tokens.bytes().size();
    return static_cast<double>(bytes) <= largestShare * static_cast<double>(gpu::memoryOf(m_device).free);
}

std::shared_ptr<const ResidentPart> ResidentData::part(DataPart part) {
    Slot& slot = m_slots[static_cast<std::size_t>(part)];
    if (std::exchange(slot.asked, true) || m_data->kind() == SampleKind::Tensors || !fits(part))
        return slot.part;
    try {
        slot.part = std::make_shared<const ResidentPart>(copyOf(part));
    } catch (const std::exception&) {
        if (!isOutOfMemory(std::current_exception()))
            throw;
    } // somebody else has taken the room meanwhile
    return slot.part;
}

ResidentPart ResidentData::copyOf(DataPart part) const {
    ResidentPart resident;
    if (m_data->isText()) {
        const TextSet& text = textOf(*m_data, part);
        resident.tokens = bytesOn(m_device, text.tokens.bytes(), {text.tokens.size()});
    } else {
        const ImageSet& images = imagesOf(*m_data, part);
        resident.pixels = bytesOn(m_device, std::as_bytes(std::span(images.pixels)),
                                  {images.count, images.channels, images.height, images.width});
        resident.labels = bytesOn(m_device, std::as_bytes(std::span(images.labels)), {images.count});
        at::Tensor scaleShift = at::empty({2, images.channels}, at::kDouble);
        for (std::int64_t channel = 0; channel < images.channels; ++channel) {
            const auto index = static_cast<std::size_t>(channel);
            scaleShift[0][channel] = 1.0 / (255.0 * m_data->deviation[index]);
            scaleShift[1][channel] = -m_data->mean[index] / m_data->deviation[index];
        }
        resident.scaleShift = scaleShift.to(m_type).to(m_device);
    }
    return resident;
}

} // namespace accumulus
