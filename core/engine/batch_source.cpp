// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/batch_source.h"

#include "core/cuda/device_kernels.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace accumulus {
namespace {

std::vector<std::int64_t> shapeOf(std::int64_t samples, const std::vector<std::int64_t>& sample) {
    std::vector<std::int64_t> shape{samples};
    shape.insert(shape.end(), sample.begin(), sample.end());
    return shape;
}

/// The samples of a column into `out`, whose type says what they become.
void gatherInto(const at::Tensor& out, const TensorColumn& column, const SampleKeys& keys, const TensorScale& scale) {
    if (out.scalar_type() == at::kLong)
        gatherTensors(column, keys.ids, out.mutable_data_ptr<std::int64_t>());
    else if (out.scalar_type() == at::kDouble)
        gatherTensors(column, keys.ids, scale, out.mutable_data_ptr<double>());
    else
        gatherTensors(column, keys.ids, scale, out.mutable_data_ptr<float>());
}

/// Of whole targets [n, target...].
BearingCounts bearingIn(const at::Tensor& targets) {
    const std::int64_t* target = targets.const_data_ptr<std::int64_t>();
    const std::int64_t each = targets.size(0) > 0 ? targets.numel() / targets.size(0) : 0;
    BearingCounts counts;
    for (std::int64_t row = 0; row < targets.size(0); ++row, target += each) {
        const std::int64_t asked = each - std::count(target, target + each, ignoredTarget);
        counts.targets += asked;
        counts.samples += asked > 0 ? 1 : 0;
    }
    return counts;
}

} // namespace

at::Tensor hostKeysOf(const SampleKeys& keys, at::Device device) {
    const auto count = static_cast<std::int64_t>(keys.size());
    at::Tensor host = at::empty({count, 2}, at::TensorOptions(at::kLong).pinned_memory(device.is_cuda()));
    std::int64_t* out = host.mutable_data_ptr<std::int64_t>();
    for (std::size_t row = 0; row < keys.size(); ++row, out += 2) {
        out[0] = keys.ids[row];
        out[1] = static_cast<std::int64_t>(epochKey(keys.seed, keys.epochs[row]));
    }
    return host;
}

at::Tensor deviceKeysOf(const SampleKeys& keys, at::Device device) {
    return hostKeysOf(keys, device).to(device, /*non_blocking=*/true);
}

BatchSource::BatchSource(const Dataset& data, DataPart part, Task task, bool augment, at::ScalarType type,
                         std::int64_t largest, ResidentData* resident)
    : m_scale{data.mean, data.deviation}, m_task(task), m_augment(augment), m_vocabulary(data.classes), m_type(type),
      m_deferred(resident != nullptr) {
    if (data.isText())
        m_text = &textOf(data, part);
    else if (data.kind() == SampleKind::Tensors)
        m_tensors = &tensorsOf(data, part);
    else
        m_images = &imagesOf(data, part);
    if (resident) {
        m_device = resident->device();
        m_resident = resident->part(part);
    }
    reserve(largest);
}

at::TensorOptions BatchSource::bufferOptions(at::ScalarType type) const {
    if (m_resident)
        return at::TensorOptions(type).device(m_device);
    return at::TensorOptions(type).pinned_memory(m_device.is_cuda());
}

void BatchSource::reserve(std::int64_t samples) {
    if (m_input.defined() && m_input.size(0) >= samples)
        return;
    if (m_text) {
        m_input = at::empty({samples, m_text->block}, bufferOptions(at::kLong));
        m_targets = at::empty({samples, m_text->block}, bufferOptions(at::kLong));
    } else if (m_tensors) {
        const TensorColumn& inputs = m_tensors->inputs;
        const TensorColumn& targets = m_tensors->targets;
        m_input =
            at::empty(shapeOf(samples, inputs.shape), bufferOptions(staysWhole(inputs.type) ? at::kLong : m_type));
        m_targets =
            at::empty(shapeOf(samples, targets.shape), bufferOptions(isReal(targets.type) ? m_type : at::kLong));
    } else {
        m_input = at::empty({samples, m_images->channels, m_images->height, m_images->width}, bufferOptions(m_type));
        m_targets = at::empty({samples}, bufferOptions(at::kLong));
    }
}

std::int64_t BatchSource::count() const {
    return m_text ? m_text->count : m_tensors ? m_tensors->count : m_images->count;
}

void BatchSource::expect(std::int64_t first, std::int64_t samples) const {
    samples = std::min(samples, count() - first);
    if (m_resident || samples <= 0)
        return;
    if (m_text)
        expectSamples(m_text->samples(), first, samples);
    for (const TensorColumn* column :
         {m_tensors ? &m_tensors->inputs : nullptr, m_tensors ? &m_tensors->targets : nullptr})
        if (column)
            expectSamples(*column, first, samples);
}

Batch BatchSource::fill(const SampleKeys& keys) {
    if (m_deferred)
        return fillForDevice(keys);
    reserve(static_cast<std::int64_t>(keys.size()));
    return fillOnHost(keys);
}

Batch BatchSource::fillOnHost(const SampleKeys& keys) {
    return m_text ? fillText(keys) : m_tensors ? fillTensors(keys) : fillImages(keys);
}

Batch BatchSource::fillForDevice(const SampleKeys& keys) {
    const at::Tensor deviceKeys = deviceKeysOf(keys, m_device);
    Batch batch;
    if (m_resident) {
        batch = fillOnDevice(deviceKeys);
        batch.bearing = bearing(keys);
        return batch;
    }
    // Made on the CPU, in fresh pinned memory each time: the last batch may still be on its way.
    m_input = at::Tensor();
    m_targets = at::Tensor();
    reserve(static_cast<std::int64_t>(keys.size()));
    batch = fillOnHost(keys);
    batch.input = batch.input.to(m_device, /*non_blocking=*/true);
    batch.targets = batch.targets.to(m_device, /*non_blocking=*/true);
    batch.deviceKeys = deviceKeys;
    return batch;
}

Batch BatchSource::fillOnDevice(const at::Tensor& deviceKeys) {
    const std::int64_t count = deviceKeys.size(0);
    reserve(count);
    at::Tensor input = m_input.narrow(0, 0, count);
    at::Tensor targets = m_targets.narrow(0, 0, count);
    if (m_text) {
        kernels::gatherTokens(m_resident->tokens, deviceKeys, m_task == Task::MaskedToken, m_vocabulary, input,
                              targets);
        targets = targets.flatten();
    } else {
        kernels::gatherImages(m_resident->pixels, m_resident->labels, m_resident->scaleShift, deviceKeys, m_augment,
                              input, targets);
    }
    return {input, targets, count, {targets.numel(), count}, deviceKeys};
}

BearingCounts BatchSource::bearing(const SampleKeys& keys) const {
    if (m_tensors)
        return bearingTensors(keys);
    const auto count = static_cast<std::int64_t>(keys.size());
    if (m_task != Task::MaskedToken)
        return {m_text ? count * m_text->block : count, count};
    BearingCounts counts;
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const std::uint64_t key = keys.key(row, purposeMask);
        std::int64_t asked = 0;
        for (std::int64_t i = 0; i < m_text->block; ++i)
            asked += maskedToken(key, i, 0, m_vocabulary).target != ignoredTarget ? 1 : 0;
        counts.targets += asked;
        counts.samples += asked > 0 ? 1 : 0;
    }
    return counts;
}

at::Tensor BatchSource::targets(const SampleKeys& keys) const {
    const auto count = static_cast<std::int64_t>(keys.size());
    if (m_tensors) {
        at::Tensor targets = at::empty(shapeOf(count, m_tensors->targets.shape), m_targets.scalar_type());
        gatherInto(targets, m_tensors->targets, keys, {});
        return targets;
    }
    at::Tensor targets = at::empty({m_text ? count * m_text->block : count}, at::kLong);
    std::int64_t* target = targets.mutable_data_ptr<std::int64_t>();
    if (m_text)
        static_cast<void>(gatherText(keys, at::empty_like(targets).mutable_data_ptr<std::int64_t>(), target));
    else
        gatherLabels(*m_images, keys.ids, target);
    return targets;
}

Batch BatchSource::fillImages(const SampleKeys& keys) {
    const SampleKeys* augment = m_augment ? &keys : nullptr;
    if (m_input.scalar_type() == at::kDouble)
        gatherImages(*m_images, keys.ids, m_scale, augment, m_input.mutable_data_ptr<double>());
    else
        gatherImages(*m_images, keys.ids, m_scale, augment, m_input.mutable_data_ptr<float>());
    gatherLabels(*m_images, keys.ids, m_targets.mutable_data_ptr<std::int64_t>());
    const auto count = static_cast<std::int64_t>(keys.size());
    return {m_input.narrow(0, 0, count), m_targets.narrow(0, 0, count), count, {count, count}, {}};
}

Batch BatchSource::fillTensors(const SampleKeys& keys) {
    gatherInto(m_input, m_tensors->inputs, keys, {m_scale.mean, m_scale.deviation});
    gatherInto(m_targets, m_tensors->targets, keys, {});
    const auto count = static_cast<std::int64_t>(keys.size());
    const at::Tensor targets = m_targets.narrow(0, 0, count);
    const BearingCounts bearing =
        targets.scalar_type() == at::kLong ? bearingIn(targets) : BearingCounts{targets.numel(), count};
    return {m_input.narrow(0, 0, count), targets, count, bearing, {}};
}

BearingCounts BatchSource::bearingTensors(const SampleKeys& keys) const {
    const TensorColumn& targets = m_tensors->targets;
    const auto count = static_cast<std::int64_t>(keys.size());
    if (isReal(targets.type))
        return {count * targets.elements(), count};
    const BearingTargets bearing = bearingOf(targets, keys.ids);
    return {bearing.targets, bearing.samples};
}

Batch BatchSource::fillText(const SampleKeys& keys) {
    const auto count = static_cast<std::int64_t>(keys.size());
    const BearingCounts counts =
        gatherText(keys, m_input.mutable_data_ptr<std::int64_t>(), m_targets.mutable_data_ptr<std::int64_t>());
    return {m_input.narrow(0, 0, count), m_targets.narrow(0, 0, count).flatten(), count, counts, {}};
}

BearingCounts BatchSource::gatherText(const SampleKeys& keys, std::int64_t* input, std::int64_t* target) const {
    const std::int64_t block = m_text->block;
    gatherTexts(*m_text, keys.ids, input, target);
    const auto count = static_cast<std::int64_t>(keys.size());
    if (m_task != Task::MaskedToken)
        return {count * block, count};
    BearingCounts counts;
    for (std::size_t row = 0; row < keys.size(); ++row, input += block, target += block) {
        const std::uint64_t key = keys.key(row, purposeMask);
        std::int64_t asked = 0;
        for (std::int64_t i = 0; i < block; ++i) {
            const MaskedToken token = maskedToken(key, i, input[i], m_vocabulary);
            input[i] = token.shown;
            target[i] = token.target;
            asked += token.target != ignoredTarget ? 1 : 0;
        }
        counts.targets += asked;
        counts.samples += asked > 0 ? 1 : 0;
    }
    return counts;
}

} // namespace accumulus
