// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of any shape and type, as a file has them: nothing is copied where the file can be mapped into memory.
// Values; any thread may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace accumulus {

class MappedFile;

/// Little-endian, as NumPy and safetensors name them.
enum class ElementType { Bool, UInt8, Int8, UInt16, Int16, UInt32, Int32, Int64, Float16, BFloat16, Float32, Float64 };
[[nodiscard]] constexpr std::int64_t elementBytes(ElementType type) {
    using enum ElementType;
    switch (type) {
    case Bool:
    case UInt8:
    case Int8:
        return 1;
    case UInt16:
    case Int16:
    case Float16:
    case BFloat16:
        return 2;
    case UInt32:
    case Int32:
    case Float32:
        return 4;
    case Int64:
    case Float64:
        return 8;
    }
    return 1;
}
[[nodiscard]] constexpr bool isReal(ElementType type) {
    using enum ElementType;
    return type == Float16 || type == BFloat16 || type == Float32 || type == Float64;
}
/// What takes its values as whole numbers: labels, tokens, categories. Inputs of Bool and UInt8 (masks, pixels) are
/// computed with like real ones.
[[nodiscard]] constexpr bool staysWhole(ElementType type) {
    return !isReal(type) && type != ElementType::UInt8 && type != ElementType::Bool;
}
/// As NumPy calls it: "float32", "bool".
[[nodiscard]] std::string_view typeName(ElementType type);

/// One tensor for each sample, one after the other.
struct TensorColumn {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;          ///< of one sample; empty: one number
    const std::byte* data = nullptr;          ///< count x sampleBytes()
    std::shared_ptr<const void> storage;      ///< keeps `data` alive: a mapped file, or a buffer
    std::shared_ptr<const MappedFile> file{}; ///< where `data` lies in one

    [[nodiscard]] std::int64_t elements() const { ///< of one sample
        return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    }
    [[nodiscard]] std::int64_t sampleBytes() const { return elements() * elementBytes(type); }
    [[nodiscard]] const std::byte* sample(std::int64_t id) const { return data + id * sampleBytes(); }
};

struct TensorSet {
    std::int64_t count = 0; ///< samples
    TensorColumn inputs, targets;
};

/// Samples [first, first + count): the same bytes, nothing is copied.
[[nodiscard]] TensorSet sliceTensors(const TensorSet& set, std::int64_t first, std::int64_t count);

/// What is done to the inputs: (x - mean) / deviation, one value each or one for each channel, the first dimension of
/// a sample.
struct TensorScale {
    std::vector<double> mean{0.0}, deviation{1.0};
};

/// The samples `ids`, one after the other: ids.size() x elements() values. Scaled in fp64 and rounded once. Throws
/// ErrorThrown "data.changed" where the column's file is no longer what was opened.
void gatherTensors(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale, float* out);
void gatherTensors(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale,
                   double* out);
/// Of a column of whole numbers.
void gatherTensors(const TensorColumn& column, std::span<const std::int64_t> ids, std::int64_t* out);

/// Samples [first, first + count) are read soon: where they lie in a large file, the system begins with it.
void expectSamples(const TensorColumn& column, std::int64_t first, std::int64_t count);

/// Targets that are not ignoredTarget, and samples that have any.
struct BearingTargets {
    std::int64_t targets = 0, samples = 0;
};
/// Of the samples `ids` of whole numbers.
[[nodiscard]] BearingTargets bearingOf(const TensorColumn& column, std::span<const std::int64_t> ids);

/// Elements from `first` on, numbered through all samples. Here and below: throws ErrorThrown "data.changed" where the
/// column's file can no longer be read.
void readNumbers(const TensorColumn& column, std::int64_t first, std::span<double> out);
void readNumbers(const TensorColumn& column, std::int64_t first, std::span<std::int64_t> out);
[[nodiscard]] std::int64_t wholeNumberAt(const TensorColumn& column, std::int64_t element);
/// The first of `count` elements from `first` on whose whole number `is`.
[[nodiscard]] std::optional<std::int64_t> firstWhole(const TensorColumn& column, std::int64_t first, std::int64_t count,
                                                     const std::function<bool(std::int64_t)>& is);

/// The smallest and the largest of `count` samples of whole numbers, without ignoredTarget; how often that occurs; and
/// where the first one below 0 stands that is not ignoredTarget.
struct WholeRange {
    std::int64_t least = 0, largest = -1; ///< largest < least: there is none
    std::int64_t ignored = 0;
    std::optional<std::int64_t> firstNegative{};
};
[[nodiscard]] WholeRange wholeRange(const TensorColumn& column, std::int64_t count);
/// What targets are, in all parts of a data set: a loss may not take them.
struct TargetValues {
    double least = 0.0, largest = 0.0; ///< without ignoredTarget
    std::int64_t ignored = 0;          ///< whole ones that are ignoredTarget
    std::string words{};               ///< of a table whose target holds words: some of them. The numbers are classes
};
/// Of `count` samples, at least one of which is not ignored.
[[nodiscard]] TargetValues targetValues(const TensorColumn& column, std::int64_t count);
[[nodiscard]] TargetValues together(const TargetValues& a, const TargetValues& b);
/// The first element of `count` samples of real numbers that is not finite.
[[nodiscard]] std::optional<std::int64_t> firstNonfinite(const TensorColumn& column, std::int64_t count);

} // namespace accumulus
