// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset_hash.h"

#include "core/base/error_thrown.h"
#include "core/data/column_reader.h"

#include <array>
#include <bit>
#include <cstddef>

namespace accumulus {
namespace {

/// Fields of known length, so that no two sets run together into the same bytes.
class FieldHasher {
public:
    void number(std::uint64_t value) {
        std::array<std::byte, 8> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::byte>(value >> (8 * i));
        m_hasher.add(bytes);
    }
    void number(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }
    void bytes(std::span<const std::byte> content) {
        number(static_cast<std::uint64_t>(content.size()));
        m_hasher.add(content);
    }
    void numbers(const std::vector<double>& values) {
        number(static_cast<std::uint64_t>(values.size()));
        for (const double value : values)
            number(std::bit_cast<std::uint64_t>(value));
    }
    void part(const ImageSet& images) {
        for (const std::int64_t size : {images.count, images.channels, images.height, images.width})
            number(size);
        bytes(std::as_bytes(std::span(images.labels)));
        bytes(std::as_bytes(std::span(images.pixels)));
    }
    void part(const TextSet& text) {
        number(text.count);
        number(text.block);
        number(static_cast<std::uint64_t>(text.tokens.bytes().size()));
        addColumn(m_hasher, text.tokens.column(), text.tokens.size());
    }
    void part(const TensorSet& tensors) {
        number(tensors.count);
        for (const TensorColumn* column : {&tensors.inputs, &tensors.targets}) {
            number(static_cast<std::uint64_t>(column->type));
            number(static_cast<std::uint64_t>(column->shape.size()));
            for (const std::int64_t side : column->shape)
                number(side);
            addColumn(m_hasher, *column, tensors.count);
        }
    }
    [[nodiscard]] std::string hex() const { return m_hasher.hex(); }

private:
    Hasher m_hasher;
};

} // namespace

void addColumn(Hasher& hasher, const TensorColumn& column, std::int64_t count, const HashedBlocks& blocks) {
    const std::int64_t size = count * column.sampleBytes();
    const auto add = [&](std::int64_t first, std::int64_t bytes) {
        forEachBlock(column.file.get(), {column.data + first, static_cast<std::size_t>(bytes)}, [&](auto block) {
            hasher.add(block);
            return true;
        });
    };
    if (size <= blocks.largest)
        return add(0, size);
    for (std::int64_t block = 0; block <= blocks.between; ++block) // the size tells it from one hashed as a whole
        add((size - blocks.bytes) / (blocks.between + 1) * block, blocks.bytes);
    add(size - blocks.bytes, blocks.bytes);
}

std::string datasetHash(const Dataset& data) {
    FieldHasher hasher;
    if (data.kind() == SampleKind::Tensors) {
        hasher.number(std::uint64_t{2});
        hasher.number(data.classes);
        hasher.numbers(data.mean);
        hasher.numbers(data.deviation);
        for (const TensorSet* part : {&data.trainTensors, &data.validationTensors, &data.testTensors})
            hasher.part(*part);
        return hasher.hex();
    }
    hasher.number(std::uint64_t{data.isText()});
    hasher.number(data.classes);
    if (data.isText()) {
        hasher.bytes(std::as_bytes(std::span(data.vocabulary)));
        for (const TextSet* part : {&data.trainText, &data.validationText, &data.testText})
            hasher.part(*part);
    } else {
        hasher.numbers(data.mean);
        hasher.numbers(data.deviation);
        for (const ImageSet* part : {&data.train, &data.validation, &data.test})
            hasher.part(*part);
    }
    return hasher.hex();
}

Result<std::string> readDatasetHash(const Dataset& data) {
    try {
        return datasetHash(data);
    } catch (const ErrorThrown& problem) {
        return failure(problem.error());
    }
}

} // namespace accumulus
