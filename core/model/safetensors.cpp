// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include "core/base/atomic_file.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace accumulus {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are written in the machine's byte order");

struct TypeName {
    at::ScalarType type;
    const char* name;
};
constexpr std::array<TypeName, 7> typeNames{{{at::kFloat, "F32"},
                                             {at::kDouble, "F64"},
                                             {at::kLong, "I64"},
                                             {at::kInt, "I32"},
                                             {at::kByte, "U8"},
                                             {at::kHalf, "F16"},
                                             {at::kBFloat16, "BF16"}}};

std::optional<at::ScalarType> typeNamed(std::string_view name) {
    const auto* known =
        std::ranges::find(typeNames, name, [](const TypeName& type) { return std::string_view(type.name); });
    return known == typeNames.end() ? std::nullopt : std::optional(known->type);
}

tl::unexpected<Error> formatError(const std::filesystem::path& file, const std::string& reason,
                                  const std::string& detail = {}) {
    return failure("checkpoint.format", {{"file", file.string()}, {"reason", reason}, {"detail", detail}});
}

tl::unexpected<Error> openError(const std::filesystem::path& file, int problem) {
    return failure("checkpoint.open", {{"file", file.string()}, {"reason", std::strerror(problem)}});
}

} // namespace

const at::Tensor* NamedTensors::find(const std::string& name) const {
    for (const auto& [known, tensor] : tensors)
        if (known == name)
            return &tensor;
    return nullptr;
}

TensorsToWrite::TensorsToWrite(const NamedTensors& content) : metadata(content.metadata) {
    for (const auto& [name, tensor] : content.tensors)
        add(name, tensor);
}

std::uint64_t TensorsToWrite::Tensor::bytes() const {
    std::uint64_t sum = 0;
    for (const at::Tensor& piece : pieces)
        sum += piece.nbytes();
    return sum;
}

void forEachPiece(const TensorsToWrite::Tensor& tensor, const std::function<void(std::span<const std::byte>)>& take) {
    for (const at::Tensor& piece : tensor.pieces) {
        const at::Tensor dense = piece.detach().cpu().contiguous();
        take({static_cast<const std::byte*>(dense.const_data_ptr()), dense.nbytes()});
    }
}

Result<std::int64_t> writeSafetensors(const std::filesystem::path& file, const TensorsToWrite& content) {
    auto header = nlohmann::ordered_json::object();
    if (!content.metadata.empty())
        header["__metadata__"] = content.metadata;
    std::uint64_t offset = 0;
    for (const TensorsToWrite::Tensor& tensor : content.tensors) {
        const auto* type = std::ranges::find(typeNames, tensor.type(), &TypeName::type);
        if (type == typeNames.end())
            return formatError(file, "reason.tensor-not-written", tensor.name);
        const std::uint64_t end = offset + tensor.bytes();
        header[tensor.name] = {{"dtype", type->name}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    // Paths in the metadata may hold bytes that are not UTF-8: they are replaced.
    std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.append((8 - text.size() % 8) % 8, ' '); // tensors start on 8 bytes
    const std::uint64_t length = text.size();
    ACCUMULUS_TRY(writeFileInPieces(file, [&](const TakePiece& take) {
        Status written;
        const auto put = [&](std::span<const std::byte> bytes) {
            if (written)
                written = take({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        };
        put(std::as_bytes(std::span(&length, 1)));
        put(std::as_bytes(std::span(text)));
        for (const TensorsToWrite::Tensor& tensor : content.tensors)
            forEachPiece(tensor, put);
        return written;
    }));
    return static_cast<std::int64_t>(8 + length + offset);
}

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& file) {
    SafetensorsFile opened;
    opened.m_path = file;
    opened.m_input = std::make_unique<InputFile>(file);
    InputFile& input = *opened.m_input;
    if (input.problem() != 0)
        return openError(file, input.problem());
    std::uint64_t length = 0;
    if (input.size() < sizeof length)
        return formatError(file, "reason.shorter-than-header");
    if (!input.read(0, {reinterpret_cast<char*>(&length), sizeof length}))
        return openError(file, input.problem());
    if (length > SafetensorsHeader::longest || length > input.size() - sizeof length)
        return formatError(file, "reason.header-length", std::to_string(length));
    std::string words(length, '\0');
    if (!input.read(sizeof length, words))
        return openError(file, input.problem());
    opened.m_dataBegin = sizeof length + length;
    auto header = parseSafetensorsHeader(words, input.size() - opened.m_dataBegin);
    if (!header)
        return formatError(file, header.error().reason, header.error().detail);
    for (const Place& place : header->tensors)
        if (!typeNamed(place.type))
            return formatError(file, "reason.tensor-type", place.type);
    opened.m_header = std::move(*header);
    return opened;
}

const SafetensorsFile::Place* SafetensorsFile::find(const std::string& name) const {
    const auto place = std::ranges::find(m_header.tensors, name, &Place::name);
    return place == m_header.tensors.end() ? nullptr : &*place;
}

at::ScalarType SafetensorsFile::typeOf(const Place& place) { return *typeNamed(place.type); }

Status SafetensorsFile::readBytes(const Place& place, std::uint64_t from, std::span<char> to) const {
    if (!to.empty() && !m_input->read(m_dataBegin + place.begin + from, to))
        return openError(m_path, m_input->problem());
    return {};
}

Result<at::Tensor> SafetensorsFile::read(const Place& place) const {
    at::Tensor tensor = at::empty(place.shape, typeOf(place));
    ACCUMULUS_TRY(readInto(place, tensor));
    return tensor;
}

Status SafetensorsFile::readInto(const Place& place, at::Tensor target) const {
    if (target.is_cpu() && target.is_contiguous() && target.scalar_type() == typeOf(place))
        return readBytes(place, 0, {static_cast<char*>(target.mutable_data_ptr()), target.nbytes()});
    ACCUMULUS_TRY_ASSIGN(const at::Tensor values, read(place));
    target.copy_(values);
    return {};
}

Status SafetensorsFile::readElements(const Place& place, std::int64_t first, at::Tensor target) const {
    const std::uint64_t from = static_cast<std::uint64_t>(first) * target.element_size();
    return readBytes(place, from, {static_cast<char*>(target.mutable_data_ptr()), target.nbytes()});
}

Status SafetensorsFile::forEachBlock(const Place& place,
                                     const std::function<void(std::span<const std::byte>)>& take) const {
    std::vector<char> block(std::min<std::uint64_t>(place.end - place.begin, std::uint64_t{1} << 20));
    for (std::uint64_t from = 0; from < place.end - place.begin; from += block.size()) {
        const std::span<char> part =
            std::span(block).first(std::min<std::uint64_t>(block.size(), place.end - place.begin - from));
        ACCUMULUS_TRY(readBytes(place, from, part));
        take(std::as_bytes(part));
    }
    return {};
}

Result<NamedTensors> readSafetensors(const std::filesystem::path& file,
                                     const std::function<bool(const std::string&)>& wanted) {
    ACCUMULUS_TRY_ASSIGN(const auto opened, SafetensorsFile::open(file));
    NamedTensors result;
    result.metadata = opened.metadata();
    for (const SafetensorsFile::Place& place : opened.tensors()) {
        if (wanted && !wanted(place.name))
            continue;
        ACCUMULUS_TRY_ASSIGN(at::Tensor tensor, opened.read(place));
        result.tensors.emplace_back(place.name, std::move(tensor));
    }
    return result;
}

} // namespace accumulus
