// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the tensors of one micro-batch from a data set: images normalised (and augmented), tokens with their targets
// (and masks), samples of any shape. One for each lane.
#pragma once

#include "core/data/dataset.h"
#include "core/engine/resident_data.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// Targets of a micro-batch that bear loss, and samples that have any. Known before the batch is made.
struct BearingCounts {
    std::int64_t targets = 0;
    std::int64_t samples = 0;
};

struct Batch {
    /// Images [n, channels, height, width] in the compute type, tokens [n, block] (int64), or tensors [n, sample...]
    /// in the compute type or, where they are whole numbers, int64.
    at::Tensor input;
    /// int64, [n] or [n x block]; of tensors [n, target...], int64 or, real numbers, in the compute type. ignoredTarget
    /// bears no loss.
    at::Tensor targets;
    std::int64_t samples = 0;
    BearingCounts bearing;
    at::Tensor deviceKeys; ///< of the samples (see device_kernels.h), where micro-batches are made on the device
};

/// The samples of a micro-batch for device_kernels: int64 [n, 2] on the host, for copies to `device`. Of a GPU in
/// pinned memory, which its allocator keeps until the copy is done, though the tensor is gone: nobody waits.
[[nodiscard]] at::Tensor hostKeysOf(const SampleKeys& keys, at::Device device);
/// The same on `device`.
[[nodiscard]] at::Tensor deviceKeysOf(const SampleKeys& keys, at::Device device);

class BatchSource {
public:
    /// `augment`: as data.augment says, for training. Buffers for `largest` samples, which grow when they must; `type`:
    /// of images. `resident`: null on the CPU.
    BatchSource(const Dataset& data, DataPart part, Task task, bool augment, at::ScalarType type, std::int64_t largest,
                ResidentData* resident = nullptr);

    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] std::int64_t block() const { return m_text ? m_text->block : 0; }
    /// The samples of `keys`. The tensors are views of this object's buffers and valid until the next call. Throws
    /// std::runtime_error where a mapped file is no longer what was opened, as bearing() and targets() do.
    [[nodiscard]] Batch fill(const SampleKeys& keys);

    /// Samples [first, first + samples), or those of them that there are, are filled soon.
    void expect(std::int64_t first, std::int64_t samples) const;

    /// The data lie on the device: fillOnDevice() can make a micro-batch of them.
    [[nodiscard]] bool isResident() const { return m_resident != nullptr; }
    [[nodiscard]] at::Device device() const { return m_device; }
    /// The same from keys that lie there; queues work only. Every target counts as one that bears loss.
    [[nodiscard]] Batch fillOnDevice(const at::Tensor& deviceKeys);
    /// Where fillOnDevice() writes; another address after it has grown.
    [[nodiscard]] const void* bufferAddress() const { return m_input.const_data_ptr(); }
    [[nodiscard]] BearingCounts bearing(const SampleKeys& keys) const;
    /// Of the samples, on the CPU and without their inputs.
    [[nodiscard]] at::Tensor targets(const SampleKeys& keys) const;

private:
    void reserve(std::int64_t samples);
    [[nodiscard]] Batch fillImages(const SampleKeys& keys);
    [[nodiscard]] Batch fillText(const SampleKeys& keys);
    [[nodiscard]] Batch fillTensors(const SampleKeys& keys);
    [[nodiscard]] BearingCounts gatherText(const SampleKeys& keys, std::int64_t* input, std::int64_t* target) const;
    [[nodiscard]] BearingCounts bearingTensors(const SampleKeys& keys) const;
    [[nodiscard]] Batch fillOnHost(const SampleKeys& keys);
    [[nodiscard]] Batch fillForDevice(const SampleKeys& keys);
    [[nodiscard]] at::TensorOptions bufferOptions(at::ScalarType type) const;

    const ImageSet* m_images = nullptr;
    const TextSet* m_text = nullptr;
    const TensorSet* m_tensors = nullptr;
    PixelScale m_scale;
    Task m_task;
    bool m_augment;
    std::int64_t m_vocabulary;
    at::ScalarType m_type;
    at::Device m_device = at::kCPU;
    bool m_deferred;
    std::shared_ptr<const ResidentPart> m_resident;
    at::Tensor m_input;
    at::Tensor m_targets;
};

} // namespace accumulus
