// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/batch_source.h"

#include <ATen/ATen.h>

namespace accumulus {
namespace {

constexpr std::uint64_t purposeMask = 0x3A5;
constexpr double maskedShare = 0.15;    // BERT (Devlin et al. 2019): 15 % of the positions are to be guessed;
constexpr double shownAsMask = 0.8;     // of these, 80 % show the mask token,
constexpr double shownAsRandom = 0.1;   // 10 % a random token, the others themselves

/// In [0, 1).
double unitDraw(std::uint64_t key) { return static_cast<double>(key >> 11) * 0x1p-53; }

} // namespace

BatchSource::BatchSource(const Dataset& data, DataPart part, Task task, bool augment, at::ScalarType type, std::int64_t largest)
    : m_scale{data.mean, data.deviation}, m_task(task), m_augment(augment), m_vocabulary(data.classes), m_type(type) {
    if (data.isText())
        m_text = part == DataPart::Train ? &data.trainText : part == DataPart::Test ? &data.testText : &data.validationText;
    else
        m_images = part == DataPart::Train ? &data.train : part == DataPart::Test ? &data.test : &data.validation;
    reserve(largest);
}

void BatchSource::reserve(std::int64_t samples) {
    if (m_input.defined() && m_input.size(0) >= samples)
        return;
    if (m_text) {
        m_input = at::empty({samples, m_text->block}, at::kLong);
        m_targets = at::empty({samples, m_text->block}, at::kLong);
    } else {
        m_input = at::empty({samples, m_images->channels, m_images->height, m_images->width}, m_type);
        m_targets = at::empty({samples}, at::kLong);
    }
}

std::int64_t BatchSource::count() const { return m_text ? m_text->count : m_images->count; }

Batch BatchSource::fill(const SampleKeys& keys) {
    reserve(static_cast<std::int64_t>(keys.size()));
    return m_text ? fillText(keys) : fillImages(keys);
}

Batch BatchSource::fillImages(const SampleKeys& keys) {
    const SampleKeys* augment = m_augment ? &keys : nullptr;
    if (m_input.scalar_type() == at::kDouble)
        gatherImages(*m_images, keys.ids, m_scale, augment, m_input.mutable_data_ptr<double>());
    else
        gatherImages(*m_images, keys.ids, m_scale, augment, m_input.mutable_data_ptr<float>());
    gatherLabels(*m_images, keys.ids, m_targets.mutable_data_ptr<std::int64_t>());
    const auto count = static_cast<std::int64_t>(keys.size());
    return {m_input.narrow(0, 0, count), m_targets.narrow(0, 0, count), count, count};
}

Batch BatchSource::fillText(const SampleKeys& keys) {
    const auto count = static_cast<std::int64_t>(keys.size());
    const std::int64_t block = m_text->block;
    std::int64_t* input = m_input.mutable_data_ptr<std::int64_t>();
    std::int64_t* target = m_targets.mutable_data_ptr<std::int64_t>();
    std::int64_t bearing = 0;
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const std::uint8_t* tokens = m_text->tokens.data() + keys.ids[row] * block;
        const std::uint64_t key = keys.key(row, purposeMask);
        for (std::int64_t i = 0; i < block; ++i, ++input, ++target) {
            *input = tokens[i];
            *target = tokens[i + 1];
            if (m_task != Task::MaskedToken)
                continue;
            *target = ignoredTarget;
            if (unitDraw(mixKey(key, static_cast<std::uint64_t>(i), 1)) < maskedShare) {
                *target = tokens[i];
                const double shown = unitDraw(mixKey(key, static_cast<std::uint64_t>(i), 2));
                if (shown < shownAsMask)
                    *input = m_vocabulary; // one beyond the last token
                else if (shown < shownAsMask + shownAsRandom)
                    *input = static_cast<std::int64_t>(mixKey(key, static_cast<std::uint64_t>(i), 3) % static_cast<std::uint64_t>(m_vocabulary));
            }
            bearing += *target != ignoredTarget ? 1 : 0;
        }
    }
    if (m_task != Task::MaskedToken)
        bearing = count * block;
    return {m_input.narrow(0, 0, count), m_targets.narrow(0, 0, count).flatten(), count, bearing};
}

} // namespace accumulus
