// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/event_file.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace accumulus {
namespace {

// tensorflow/core/util/event.proto, framework/summary.proto and framework/tensor.proto: numbers of the fields used
// here.
namespace event {
constexpr unsigned wallTime = 1, step = 2, fileVersion = 3, summary = 5;
}
namespace summary {
constexpr unsigned value = 1;
}
namespace value {
constexpr unsigned tag = 1, simpleValue = 2, tensor = 8, metadata = 9;
}
namespace metadata {
constexpr unsigned pluginData = 1, pluginName = 1;
}
namespace tensor {
constexpr unsigned type = 1, shape = 2, content = 4, floats = 5, doubles = 6, strings = 8;
constexpr unsigned dimension = 2, size = 1; // of the shape
constexpr std::uint64_t typeFloat = 1, typeDouble = 2, typeString = 7;
} // namespace tensor

enum Wire : unsigned { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

constexpr auto crcTable = [] {
    std::array<std::uint32_t, 256> table{};
    constexpr std::uint32_t polynomial = 0x82F63B78; // reversed
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        table[byte] = crc;
    }
    return table;
}();

template <class Number>
void addLittleEndian(std::string& out, Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
        out += static_cast<char>((number >> (8 * i)) & 0xFF);
}

template <class Number>
Number littleEndian(std::string_view bytes) {
    Number number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i)
        number |= static_cast<Number>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return number;
}

void addVarint(std::string& out, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        out += static_cast<char>((number & 0x7F) | 0x80);
    out += static_cast<char>(number);
}

void addKey(std::string& out, unsigned field, Wire wire) { addVarint(out, field << 3 | wire); }

void addNumber(std::string& out, unsigned field, std::int64_t number) {
    addKey(out, field, Varint);
    addVarint(out, static_cast<std::uint64_t>(number));
}
void addReal(std::string& out, unsigned field, double number) {
    addKey(out, field, Fixed64);
    addLittleEndian(out, std::bit_cast<std::uint64_t>(number));
}
void addReal(std::string& out, unsigned field, float number) {
    addKey(out, field, Fixed32);
    addLittleEndian(out, std::bit_cast<std::uint32_t>(number));
}
void addBytes(std::string& out, unsigned field, std::string_view bytes) {
    addKey(out, field, Bytes);
    addVarint(out, bytes.size());
    out += bytes;
}

std::string eventOf(double wallTime, std::int64_t step) {
    std::string event;
    addReal(event, event::wallTime, wallTime);
    addNumber(event, event::step, step);
    return event;
}

/// The fields of a message, one after the other. Nothing of it is trusted.
class Fields {
public:
    explicit Fields(std::string_view message) : m_rest(message) {}

    /// False at the end, and where what follows is no field: then wrong().
    bool next() {
        if (m_rest.empty() || m_wrong)
            return false;
        const auto key = varint();
        field = static_cast<unsigned>(key >> 3);
        wire = static_cast<unsigned>(key & 7);
        switch (wire) {
        case Varint:
            number = varint();
            break;
        case Fixed64:
            bytes = take(8);
            break;
        case Bytes:
            bytes = take(varint());
            break;
        case Fixed32:
            bytes = take(4);
            break;
        default:
            m_wrong = true;
        }
        return !m_wrong;
    }
    [[nodiscard]] bool wrong() const { return m_wrong; }
    [[nodiscard]] bool is(unsigned wanted, Wire as) const { return field == wanted && wire == as; }
    [[nodiscard]] double asDouble() const { return std::bit_cast<double>(littleEndian<std::uint64_t>(bytes)); }
    [[nodiscard]] float asFloat() const { return std::bit_cast<float>(littleEndian<std::uint32_t>(bytes)); }

    unsigned field = 0, wire = 0;
    std::uint64_t number = 0;
    std::string_view bytes;

private:
    std::uint64_t varint() {
        std::uint64_t result = 0;
        for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            result |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80)
                return result;
        }
        m_wrong = true;
        return 0;
    }
    std::string_view take(std::uint64_t size) {
        if (size > m_rest.size()) {
            m_wrong = true;
            return {};
        }
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }

    std::string_view m_rest;
    bool m_wrong = false;
};

struct ReadValue {
    std::string tag;
    std::optional<double> number;
    std::optional<std::string> text;
};

/// Of one element; anything else leaves `read` as it is. False: it is no message.
bool readTensor(std::string_view message, ReadValue& read) {
    Fields fields(message);
    std::uint64_t type = 0, elements = 1;
    std::optional<double> number;
    std::string_view content;
    std::vector<std::string_view> strings;
    while (fields.next()) {
        if (fields.is(tensor::type, Varint)) {
            type = fields.number;
        } else if (fields.is(tensor::shape, Bytes)) {
            Fields shape(fields.bytes);
            while (shape.next())
                if (shape.is(tensor::dimension, Bytes)) {
                    Fields dimension(shape.bytes);
                    while (dimension.next())
                        if (dimension.is(tensor::size, Varint))
                            elements = dimension.number == 1 ? elements : 0;
                }
        } else if (fields.is(tensor::content, Bytes)) {
            content = fields.bytes;
        } else if (fields.field == tensor::floats && (fields.wire == Fixed32 || fields.bytes.size() == 4)) {
            number = static_cast<double>(fields.asFloat());
        } else if (fields.field == tensor::doubles && (fields.wire == Fixed64 || fields.bytes.size() == 8)) {
            number = fields.asDouble();
        } else if (fields.is(tensor::strings, Bytes)) {
            strings.push_back(fields.bytes);
        }
    }
    if (fields.wrong())
        return false;
    if (type == tensor::typeFloat && content.size() == 4)
        number = static_cast<double>(std::bit_cast<float>(littleEndian<std::uint32_t>(content)));
    if (type == tensor::typeDouble && content.size() == 8)
        number = std::bit_cast<double>(littleEndian<std::uint64_t>(content));
    if (elements == 1 && (type == tensor::typeFloat || type == tensor::typeDouble))
        read.number = number;
    if (type == tensor::typeString && strings.size() == 1)
        read.text = std::string(strings.front());
    return true;
}

class Reader {
public:
    /// False: the bytes are no Event.
    bool take(std::string_view message) {
        Fields fields(message);
        double wallTime = 0.0;
        std::int64_t step = 0;
        std::string_view values;
        while (fields.next()) {
            if (fields.is(event::wallTime, Fixed64))
                wallTime = fields.asDouble();
            else if (fields.is(event::step, Varint))
                step = static_cast<std::int64_t>(fields.number);
            else if (fields.is(event::summary, Bytes))
                values = fields.bytes;
        }
        if (fields.wrong())
            return false;
        Fields each(values);
        while (each.next()) {
            if (!each.is(summary::value, Bytes))
                continue;
            ReadValue read;
            if (!readValue(each.bytes, read))
                return false;
            if (read.number)
                file.scalars.push_back({indexOf(read.tag), step, wallTime, *read.number});
            else if (read.text)
                file.texts[read.tag] = *read.text;
        }
        return !each.wrong();
    }

    EventFile file;

private:
    static bool readValue(std::string_view message, ReadValue& read) {
        Fields fields(message);
        while (fields.next()) {
            if (fields.is(value::tag, Bytes))
                read.tag = std::string(fields.bytes);
            else if (fields.is(value::simpleValue, Fixed32))
                read.number = static_cast<double>(fields.asFloat());
            else if (fields.is(value::tensor, Bytes) && !readTensor(fields.bytes, read))
                return false;
        }
        return !fields.wrong();
    }

    std::size_t indexOf(const std::string& tag) {
        const auto [place, isNew] = m_tags.emplace(tag, file.tags.size());
        if (isNew)
            file.tags.push_back(tag);
        return place->second;
    }

    std::map<std::string, std::size_t> m_tags;
};

constexpr std::size_t headSize = 12, footSize = 4; // around a record's bytes

} // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes)
        crc = crcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

std::uint32_t maskedCrc32c(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; }

EventFileWriter::EventFileWriter(double wallTime) {
    std::string event;
    addReal(event, event::wallTime, wallTime);
    addBytes(event, event::fileVersion, "brain.Event:2");
    addRecord(event);
}

void EventFileWriter::addScalars(double wallTime, std::int64_t step, std::span<const EventScalar> scalars) {
    std::string values;
    for (const EventScalar& scalar : scalars) {
        std::string one;
        addBytes(one, value::tag, scalar.tag);
        addReal(one, value::simpleValue, scalar.value);
        addBytes(values, summary::value, one);
    }
    std::string event = eventOf(wallTime, step);
    addBytes(event, event::summary, values);
    addRecord(event);
}

void EventFileWriter::addText(double wallTime, std::int64_t step, std::string_view tag, std::string_view text) {
    std::string plugin, about, dimension, shape, content, one, values;
    addBytes(plugin, metadata::pluginName, "text");
    addBytes(about, metadata::pluginData, plugin);
    addNumber(dimension, tensor::size, 1);
    addBytes(shape, tensor::dimension, dimension);
    addNumber(content, tensor::type, static_cast<std::int64_t>(tensor::typeString));
    addBytes(content, tensor::shape, shape);
    addBytes(content, tensor::strings, text);
    addBytes(one, value::tag, tag);
    addBytes(one, value::tensor, content);
    addBytes(one, value::metadata, about);
    addBytes(values, summary::value, one);
    std::string event = eventOf(wallTime, step);
    addBytes(event, event::summary, values);
    addRecord(event);
}

void EventFileWriter::addRecord(std::string_view event) {
    std::string length;
    addLittleEndian(length, static_cast<std::uint64_t>(event.size()));
    m_bytes += length;
    addLittleEndian(m_bytes, maskedCrc32c(length));
    m_bytes += event;
    addLittleEndian(m_bytes, maskedCrc32c(event));
}

bool looksLikeEventFile(std::string_view beginning) {
    return beginning.size() >= headSize &&
           littleEndian<std::uint32_t>(beginning.substr(8, 4)) == maskedCrc32c(beginning.substr(0, 8));
}

Result<EventFile> parseEventFile(std::string_view bytes, const std::filesystem::path& file) {
    Reader reader;
    std::size_t at = 0;
    const auto wrong = [&](const char* reason) {
        return failure("import.events", {{"file", file.string()}, {"reason", reason}, {"byte", std::to_string(at)}});
    };
    while (at < bytes.size()) {
        const std::string_view rest = bytes.substr(at);
        if (rest.size() < headSize)
            return wrong("reason.events-cut");
        if (!looksLikeEventFile(rest))
            return wrong("reason.events-checksum");
        const auto length = littleEndian<std::uint64_t>(rest);
        if (rest.size() - headSize < footSize || length > rest.size() - headSize - footSize)
            return wrong("reason.events-cut");
        const std::string_view event = rest.substr(headSize, length);
        if (littleEndian<std::uint32_t>(rest.substr(headSize + length)) != maskedCrc32c(event))
            return wrong("reason.events-checksum");
        if (!reader.take(event))
            return wrong("reason.events-form");
        at += headSize + length + footSize;
    }
    return std::move(reader.file);
}

} // namespace accumulus
