// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tensor_set.h"

#include "core/base/keyed_draws.h"
#include "core/data/column_reader.h"
#include "core/data/tensor_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace accumulus {
namespace {

/// What is scaled alike: all elements of a sample, or each channel.
struct Scaling {
    std::int64_t groups = 1, size = 0; ///< of one sample
    bool plain = false;                ///< nothing is to be done
};

Scaling scalingOf(const TensorColumn& column, const TensorScale& scale) {
    const bool plain = std::ranges::all_of(scale.mean, [](double mean) { return mean == 0.0; }) &&
                       std::ranges::all_of(scale.deviation, [](double deviation) { return deviation == 1.0; });
    const bool channels = scale.mean.size() > 1 || scale.deviation.size() > 1;
    const std::int64_t groups = channels && !column.shape.empty() ? column.shape.front() : 1;
    return {groups, column.elements() / std::max<std::int64_t>(1, groups), plain};
}

double valueFor(const std::vector<double>& values, std::int64_t group) {
    return values[values.size() > 1 ? static_cast<std::size_t>(group) : 0];
}

template <class T, class Out>
void convert(const std::byte* in, std::int64_t count, Out* out) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = numberOf<Out>(elementAt<T>(in + i * static_cast<std::int64_t>(sizeof(T))));
}

template <class T, class Out>
void convertScaled(const std::byte* in, std::int64_t count, double mean, double deviation, Out* out) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = static_cast<Out>(
            (numberOf<double>(elementAt<T>(in + i * static_cast<std::int64_t>(sizeof(T)))) - mean) / deviation);
}

/// Samples one after the other, wherever they lie.
class SampleReader {
public:
    explicit SampleReader(const TensorColumn& column)
        : m_column(column), m_size(static_cast<std::size_t>(column.sampleBytes())), m_reader(column.file.get()) {}
    /// Valid until the next call.
    const std::byte* sample(std::int64_t id) { return m_reader.at({m_column.sample(id), m_size}); }
    void copy(std::int64_t id, std::byte* out) { m_reader.copy({m_column.sample(id), m_size}, out); }

private:
    const TensorColumn& m_column;
    std::size_t m_size;
    ColumnReader m_reader;
};

/// Stored as it is wanted: copied, from a large file straight into the batch.
template <class Out>
void gatherAsStored(const TensorColumn& column, std::span<const std::int64_t> ids, Out* out) {
    SampleReader reader(column);
    for (const std::int64_t id : ids) {
        reader.copy(id, std::as_writable_bytes(std::span(out, static_cast<std::size_t>(column.elements()))).data());
        out += column.elements();
    }
}

/// What becomes of each byte, for each group of a sample.
template <class T, class Out>
std::vector<std::array<Out, 256>> tablesOf(const Scaling& scaling, const TensorScale& scale) {
    std::array<std::byte, 256> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i);
    std::vector<std::array<Out, 256>> tables(static_cast<std::size_t>(scaling.groups));
    for (std::int64_t group = 0; group < scaling.groups; ++group)
        convertScaled<T>(bytes.data(), std::ssize(bytes), valueFor(scale.mean, group), valueFor(scale.deviation, group),
                         tables[static_cast<std::size_t>(group)].data());
    return tables;
}

template <class T, class Out>
void gatherAs(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale,
              const Scaling& scaling, Out* out) {
    SampleReader reader(column);
    const std::int64_t groupBytes = scaling.size * static_cast<std::int64_t>(sizeof(T));
    std::vector<std::array<Out, 256>> tables;
    if (sizeof(T) == 1 && !scaling.plain && scaling.size * std::ssize(ids) >= 1024)
        tables = tablesOf<T, Out>(scaling, scale);
    for (const std::int64_t id : ids) {
        const std::byte* in = reader.sample(id);
        for (std::int64_t group = 0; group < scaling.groups; ++group, in += groupBytes, out += scaling.size) {
            if (scaling.plain) {
                convert<T>(in, scaling.size, out);
            } else if (!tables.empty()) {
                const auto& table = tables[static_cast<std::size_t>(group)];
                std::transform(in, in + scaling.size, out,
                               [&](std::byte value) { return table[static_cast<std::size_t>(value)]; });
            } else {
                convertScaled<T>(in, scaling.size, valueFor(scale.mean, group), valueFor(scale.deviation, group), out);
            }
        }
    }
}

template <class Out>
void gather(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale, Out* out) {
    const Scaling scaling = scalingOf(column, scale);
    withElementType(column.type, [&]<class T>(T) {
        if (std::is_same_v<T, Out> && scaling.plain)
            gatherAsStored(column, ids, out);
        else
            gatherAs<T>(column, ids, scale, scaling, out);
    });
}

} // namespace

std::string_view typeName(ElementType type) {
    constexpr std::string_view names[] = {"bool",  "uint8", "int8",    "uint16",   "int16",   "uint32",
                                          "int32", "int64", "float16", "bfloat16", "float32", "float64"};
    return names[static_cast<std::size_t>(type)];
}

TensorSet sliceTensors(const TensorSet& set, std::int64_t first, std::int64_t count) {
    TensorSet part = set;
    part.count = count;
    part.inputs.data = set.inputs.sample(first);
    part.targets.data = set.targets.sample(first);
    return part;
}

void gatherTensors(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale,
                   float* out) {
    gather(column, ids, scale, out);
}

void gatherTensors(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale,
                   double* out) {
    gather(column, ids, scale, out);
}

void gatherTensors(const TensorColumn& column, std::span<const std::int64_t> ids, std::int64_t* out) {
    gather(column, ids, {}, out);
}

void expectSamples(const TensorColumn& column, std::int64_t first, std::int64_t count) {
    if (column.file && !column.file->isSmall() && count > 0)
        column.file->willNeed({column.sample(first), static_cast<std::size_t>(count * column.sampleBytes())});
}

BearingTargets bearingOf(const TensorColumn& column, std::span<const std::int64_t> ids) {
    SampleReader reader(column);
    const std::int64_t elements = column.elements();
    BearingTargets bearing;
    withElementType(column.type, [&]<class T>(T) {
        for (const std::int64_t id : ids) {
            const std::byte* in = reader.sample(id);
            std::int64_t asked = 0;
            for (std::int64_t i = 0; i < elements; ++i)
                asked +=
                    numberOf<std::int64_t>(elementAt<T>(in + i * static_cast<std::int64_t>(sizeof(T)))) != ignoredTarget
                        ? 1
                        : 0;
            bearing.targets += asked;
            bearing.samples += asked > 0 ? 1 : 0;
        }
    });
    return bearing;
}

namespace {

/// Calls `use` with the number and the value of each of `count` elements from `first` on, until it returns false.
template <class Value, class Use>
void forEachValue(const TensorColumn& column, std::int64_t first, std::int64_t count, Use&& use) {
    withElementType(column.type, [&]<class T>(T) {
        constexpr auto size = static_cast<std::int64_t>(sizeof(T));
        std::int64_t element = first;
        forEachBlock(column.file.get(), {column.data + first * size, static_cast<std::size_t>(count * size)},
                     [&](std::span<const std::byte> block) {
                         for (std::int64_t at = 0; at < std::ssize(block); at += size, ++element)
                             if (!use(element, numberOf<Value>(elementAt<T>(block.data() + at))))
                                 return false;
                         return true;
                     });
    });
}

template <class Value>
void readValues(const TensorColumn& column, std::int64_t first, std::span<Value> out) {
    forEachValue<Value>(column, first, std::ssize(out), [&](std::int64_t element, Value value) {
        out[static_cast<std::size_t>(element - first)] = value;
        return true;
    });
}

} // namespace

void readNumbers(const TensorColumn& column, std::int64_t first, std::span<double> out) {
    readValues(column, first, out);
}

void readNumbers(const TensorColumn& column, std::int64_t first, std::span<std::int64_t> out) {
    readValues(column, first, out);
}

std::int64_t wholeNumberAt(const TensorColumn& column, std::int64_t element) {
    std::int64_t value = 0;
    readNumbers(column, element, std::span(&value, 1));
    return value;
}

std::optional<std::int64_t> firstWhole(const TensorColumn& column, std::int64_t first, std::int64_t count,
                                       const std::function<bool(std::int64_t)>& is) {
    std::optional<std::int64_t> found;
    forEachValue<std::int64_t>(column, first, count, [&](std::int64_t element, std::int64_t value) {
        if (is(value))
            found = element;
        return !found;
    });
    return found;
}

WholeRange wholeRange(const TensorColumn& column, std::int64_t count) {
    WholeRange range;
    bool any = false;
    forEachValue<std::int64_t>(column, 0, count * column.elements(), [&](std::int64_t element, std::int64_t value) {
        if (value == ignoredTarget) {
            ++range.ignored;
            return true;
        }
        if (value < 0 && !range.firstNegative)
            range.firstNegative = element;
        range.least = any ? std::min(range.least, value) : value;
        range.largest = any ? std::max(range.largest, value) : value;
        any = true;
        return true;
    });
    return range;
}

TargetValues targetValues(const TensorColumn& column, std::int64_t count) {
    if (!isReal(column.type)) {
        const WholeRange range = wholeRange(column, count);
        return {static_cast<double>(range.least), static_cast<double>(range.largest), range.ignored};
    }
    TargetValues values;
    forEachValue<double>(column, 0, count * column.elements(), [&](std::int64_t element, double value) {
        values.least = element == 0 ? value : std::min(values.least, value);
        values.largest = element == 0 ? value : std::max(values.largest, value);
        return true;
    });
    return values;
}

TargetValues together(const TargetValues& a, const TargetValues& b) {
    return {std::min(a.least, b.least), std::max(a.largest, b.largest), a.ignored + b.ignored,
            a.words.empty() ? b.words : a.words};
}

std::optional<std::int64_t> firstNonfinite(const TensorColumn& column, std::int64_t count) {
    std::optional<std::int64_t> found;
    if (isReal(column.type))
        forEachValue<double>(column, 0, count * column.elements(), [&](std::int64_t element, double value) {
            if (!std::isfinite(value))
                found = element;
            return !found;
        });
    return found;
}

} // namespace accumulus
