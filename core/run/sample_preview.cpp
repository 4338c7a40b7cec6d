// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sample_preview.h"

#include "core/base/path_text.h"
#include "core/base/readable_text.h"
#include "core/data/dataset.h"
#include "core/data/image_folder.h"
#include "core/run/program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace accumulus {
namespace {

constexpr std::int64_t largestSide = 128;
constexpr std::int64_t shownNumbers = 8;
constexpr std::size_t shownBytes = 160;

/// Values of a plane-wise picture, as (channel, row, column).
template <class ValueAt>
PreviewSample picture(std::int64_t channels, std::int64_t height, std::int64_t width, const ValueAt& valueAt) {
    PreviewSample sample;
    const std::int64_t step = (std::max(height, width) + largestSide - 1) / largestSide;
    sample.channels = channels;
    sample.height = (height + step - 1) / step;
    sample.width = (width + step - 1) / step;
    sample.pixels.reserve(static_cast<std::size_t>(sample.height * sample.width * channels));
    for (std::int64_t row = 0; row < sample.height; ++row)
        for (std::int64_t column = 0; column < sample.width; ++column)
            for (std::int64_t channel = 0; channel < channels; ++channel) {
                double sum = 0.0;
                std::int64_t taken = 0;
                for (std::int64_t y = row * step; y < std::min(height, (row + 1) * step); ++y)
                    for (std::int64_t x = column * step; x < std::min(width, (column + 1) * step); ++x, ++taken)
                        sum += valueAt(channel, y, x);
                sample.pixels.push_back(static_cast<std::uint8_t>(std::lround(sum / static_cast<double>(taken))));
            }
    return sample;
}

std::vector<std::string> classNames(const DataConfig& data) {
    if (data.dataset != "image-folder")
        return {};
    const auto folder = findImageFolder(pathOfText(data.path));
    return folder ? folder->classes : std::vector<std::string>();
}

SamplePreview ofImages(const ImageSet& set, std::int64_t count, const std::vector<std::string>& names) {
    SamplePreview preview;
    for (std::int64_t i = 0; i < std::min(count, set.count); ++i) {
        const std::uint8_t* pixels = set.pixels.data() + i * set.imageSize();
        preview.samples.push_back(
            picture(set.channels, set.height, set.width, [&](std::int64_t channel, std::int64_t y, std::int64_t x) {
                return static_cast<double>(pixels[(channel * set.height + y) * set.width + x]);
            }));
        const std::size_t label = set.labels[static_cast<std::size_t>(i)];
        preview.samples.back().label = label < names.size() ? readableText(names[label]) : std::to_string(label);
    }
    return preview;
}

PreviewSample inWords(std::string text) {
    PreviewSample sample;
    sample.text = std::move(text);
    return sample;
}

/// What stands behind each token: the characters of a vocabulary, or its bytes where there are as many of them.
std::vector<std::string> symbolsOf(const std::string& vocabulary, std::int64_t tokens) {
    std::vector<std::string> symbols;
    const bool bytes = std::ssize(vocabulary) == tokens;
    for (std::size_t at = 0; at < vocabulary.size();) {
        const std::size_t length =
            bytes ? 1 : std::max<std::size_t>(1, utf8Length(std::string_view(vocabulary).substr(at)));
        symbols.push_back(vocabulary.substr(at, length));
        at += length;
    }
    return symbols;
}

/// Where samples cut a letter, what is left of it goes.
std::string wholeLetters(const std::string& text) {
    std::size_t begin = 0, end = 0;
    while (begin < std::min<std::size_t>(3, text.size()) && (static_cast<std::uint8_t>(text[begin]) & 0xc0) == 0x80)
        ++begin;
    for (end = begin; end < text.size();) {
        const std::size_t length = utf8Length(std::string_view(text).substr(end));
        if (length == 0 && text.size() - end <= 3)
            break;
        end += std::max<std::size_t>(1, length);
    }
    return readableText(text.substr(begin, end - begin));
}

/// Without a vocabulary the tokens themselves.
SamplePreview ofText(const Dataset& set, std::int64_t count) {
    constexpr std::int64_t shownTokens = 24;
    const auto symbols = symbolsOf(set.vocabulary, set.classes);
    const TextSet& text = set.trainText;
    SamplePreview preview;
    for (std::int64_t i = 0; i < std::min(count, text.count); ++i) {
        std::string shown;
        for (std::int64_t at = 0; at < text.block && shown.size() < shownBytes; ++at) {
            const std::int64_t token = text.tokens[i * text.block + at];
            if (!symbols.empty())
                shown += symbols[static_cast<std::size_t>(token) % symbols.size()];
            else if (at < shownTokens)
                shown += (at > 0 ? ", " : "") + std::to_string(token);
        }
        if (symbols.empty() && text.block > shownTokens)
            shown += ", ...";
        preview.samples.push_back(inWords(wholeLetters(shown)));
    }
    return preview;
}

double halfValue(std::uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f;
    const double fraction = bits & 0x3ff;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 0)
        return sign * std::ldexp(fraction, -24);
    if (exponent == 0x1f)
        return fraction != 0.0 ? std::nan("") : sign * HUGE_VAL;
    return sign * std::ldexp(fraction + 1024.0, exponent - 25);
}

template <class Number>
Number stored(const std::byte* at) {
    Number number;
    std::memcpy(&number, at, sizeof number);
    return number;
}

double valueOf(ElementType type, const std::byte* at) {
    using enum ElementType;
    switch (type) {
    case Bool:
    case UInt8:
        return stored<std::uint8_t>(at);
    case Int8:
        return stored<std::int8_t>(at);
    case UInt16:
        return stored<std::uint16_t>(at);
    case Int16:
        return stored<std::int16_t>(at);
    case UInt32:
        return stored<std::uint32_t>(at);
    case Int32:
        return stored<std::int32_t>(at);
    case Int64:
        return static_cast<double>(stored<std::int64_t>(at));
    case Float16:
        return halfValue(stored<std::uint16_t>(at));
    case BFloat16:
        return std::bit_cast<float>(static_cast<std::uint32_t>(stored<std::uint16_t>(at)) << 16);
    case Float32:
        return stored<float>(at);
    case Float64:
        return stored<double>(at);
    }
    return 0.0;
}

std::string shapeText(const TensorColumn& column) { return fmt::format("{}", fmt::join(column.shape, "x")); }

/// "0.5", "[1, 2, 3, ...]", of more dimensions the shape before the first numbers.
std::string numbersText(const TensorColumn& column, std::int64_t id, std::int64_t shown) {
    const std::int64_t elements = column.elements();
    std::string text;
    for (std::int64_t i = 0; i < std::min(elements, shown); ++i)
        text += fmt::format("{}{:.4g}", i > 0 ? ", " : "",
                            valueOf(column.type, column.sample(id) + i * elementBytes(column.type)));
    if (column.shape.empty())
        return text;
    text = "[" + text + (elements > shown ? ", ...]" : "]");
    return column.shape.size() > 1 ? shapeText(column) + " " + text : text;
}

PreviewSample ofTensor(const TensorColumn& column, std::int64_t id) {
    const bool isPicture = column.shape.size() == 3 && (column.shape[0] == 1 || column.shape[0] == 3) &&
                           column.shape[1] > 1 && column.shape[2] > 1;
    if (!isPicture)
        return inWords(numbersText(column, id, shownNumbers));
    const std::int64_t height = column.shape[1], width = column.shape[2];
    const auto raw = [&](std::int64_t i) {
        const double value = valueOf(column.type, column.sample(id) + i * elementBytes(column.type));
        return std::isfinite(value) ? value : 0.0;
    };
    double least = raw(0), most = raw(0);
    for (std::int64_t i = 1; i < column.elements(); ++i) {
        least = std::min(least, raw(i));
        most = std::max(most, raw(i));
    }
    const double scale = most > least ? 255.0 / (most - least) : 0.0;
    return picture(column.shape[0], height, width, [&](std::int64_t channel, std::int64_t y, std::int64_t x) {
        return (raw((channel * height + y) * width + x) - least) * scale;
    });
}

SamplePreview ofTensors(const TensorSet& set, std::int64_t count) {
    constexpr std::int64_t shownTargets = 3;
    SamplePreview preview;
    for (std::int64_t i = 0; i < std::min(count, set.count); ++i) {
        preview.samples.push_back(ofTensor(set.inputs, i));
        const bool large = set.targets.shape.size() > 1;
        preview.samples.back().label = large ? shapeText(set.targets) : numbersText(set.targets, i, shownTargets);
    }
    return preview;
}

} // namespace

Result<SamplePreview> previewSamples(const DataConfig& data, std::int64_t count) {
    if (data.dataset == "table")
        return previewTable(data, count);
    DataConfig few = data;
    few.trainLimit = count;
    few.testLimit = 1;
    few.validation = 0;
    const auto resources = resourceFolder("datasets").parent_path();
    auto loaded = loadDataset(few, resources);
    if (!loaded && loaded.error().code == "data.no-test") { // one that is not shown serves
        few.validation = 1;
        few.trainLimit = count + 1;
        loaded = loadDataset(few, resources);
    }
    ACCUMULUS_TRY_ASSIGN(const auto set, std::move(loaded));
    switch (set->kind()) {
    case SampleKind::Text:
        return ofText(*set, count);
    case SampleKind::Tensors:
        return ofTensors(set->trainTensors, count);
    case SampleKind::Images:
        break;
    }
    return ofImages(set->train, count, classNames(data));
}

} // namespace accumulus
