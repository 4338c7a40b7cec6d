// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tensor_set.h"

#include "core/base/keyed_draws.h"
#include "core/data/mapped_file.h"
#include "core/data/tensor_elements.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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
    /// Throws where the file is no longer what was opened.
    SampleReader(const TensorColumn& column, std::size_t samples) : m_column(column) {
        if (!column.file)
            return;
        if (!column.file->isUnchanged())
            throw std::runtime_error(column.file->path().string() + " was changed while it was read");
        column.file->noteRead(static_cast<std::int64_t>(samples) * column.sampleBytes());
        if (!column.file->isSmall())
            m_copy.resize(static_cast<std::size_t>(column.sampleBytes()));
    }
    /// Valid until the next call.
    const std::byte* sample(std::int64_t id) {
        const std::byte* data = m_column.sample(id);
        if (m_copy.empty())
            return data;
        if (!m_column.file->read({data, m_copy.size()}, m_copy.data()))
            throw std::runtime_error(m_column.file->path().string() + " can no longer be read");
        return m_copy.data();
    }

private:
    const TensorColumn& m_column;
    std::vector<std::byte> m_copy; ///< of a sample of a large file
};

template <class Out>
void gather(const TensorColumn& column, std::span<const std::int64_t> ids, const TensorScale& scale, Out* out) {
    const Scaling scaling = scalingOf(column, scale);
    SampleReader reader(column, ids.size());
    withElementType(column.type, [&]<class T>(T) {
        const std::int64_t groupBytes = scaling.size * static_cast<std::int64_t>(sizeof(T));
        for (const std::int64_t id : ids) {
            const std::byte* in = reader.sample(id);
            for (std::int64_t group = 0; group < scaling.groups; ++group, in += groupBytes, out += scaling.size) {
                if (!scaling.plain)
                    convertScaled<T>(in, scaling.size, valueFor(scale.mean, group), valueFor(scale.deviation, group),
                                     out);
                else
                    convert<T>(in, scaling.size, out);
            }
        }
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
    SampleReader reader(column, ids.size());
    const std::int64_t elements = column.elements();
    withElementType(column.type, [&]<class T>(T) {
        for (const std::int64_t id : ids) {
            convert<T>(reader.sample(id), elements, out);
            out += elements;
        }
    });
}

double numberAt(const TensorColumn& column, std::int64_t element) {
    return withElementType(column.type, [&]<class T>(T) {
        return numberOf<double>(elementAt<T>(column.data + element * static_cast<std::int64_t>(sizeof(T))));
    });
}

std::int64_t wholeNumberAt(const TensorColumn& column, std::int64_t element) {
    return withElementType(column.type, [&]<class T>(T) {
        return numberOf<std::int64_t>(elementAt<T>(column.data + element * static_cast<std::int64_t>(sizeof(T))));
    });
}

WholeRange wholeRange(const TensorColumn& column, std::int64_t count) {
    WholeRange range;
    bool any = false;
    withElementType(column.type, [&]<class T>(T) {
        const std::int64_t elements = count * column.elements();
        for (std::int64_t i = 0; i < elements; ++i) {
            const auto value =
                numberOf<std::int64_t>(elementAt<T>(column.data + i * static_cast<std::int64_t>(sizeof(T))));
            if (value == ignoredTarget)
                continue;
            if (value < 0 && !range.firstNegative)
                range.firstNegative = i;
            range.least = any ? std::min(range.least, value) : value;
            range.largest = any ? std::max(range.largest, value) : value;
            any = true;
        }
    });
    return range;
}

std::optional<std::int64_t> firstNonfinite(const TensorColumn& column, std::int64_t count) {
    if (!isReal(column.type))
        return std::nullopt;
    return withElementType(column.type, [&]<class T>(T) -> std::optional<std::int64_t> {
        const std::int64_t elements = count * column.elements();
        for (std::int64_t i = 0; i < elements; ++i)
            if (!std::isfinite(numberOf<double>(elementAt<T>(column.data + i * static_cast<std::int64_t>(sizeof(T))))))
                return i;
        return std::nullopt;
    });
}

} // namespace accumulus
