// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors files: u64 little-endian header length, JSON header, then row-major little-endian tensors without holes.
// Every offset and size is checked against the file before it is used. Errors "checkpoint.open", "checkpoint.format".
#pragma once

#include "core/base/input_file.h"
#include "core/base/result.h"
#include "core/base/safetensors_header.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

struct NamedTensors {
    std::vector<std::pair<std::string, at::Tensor>> tensors; ///< in file order; CPU, contiguous
    std::map<std::string, std::string> metadata;             ///< strings only, as the format demands

    [[nodiscard]] const at::Tensor* find(const std::string& name) const;
};

/// What is to be written, in file order. Elements may lie in several pieces, one behind the other, of any strides and
/// on any device: each is made dense when it is its turn, so that memory holds a copy of one piece at a time.
struct TensorsToWrite {
    struct Tensor {
        std::string name;
        std::vector<std::int64_t> shape;
        std::vector<at::Tensor> pieces; ///< of one type; one at least
        [[nodiscard]] at::ScalarType type() const { return pieces.front().scalar_type(); }
        [[nodiscard]] std::uint64_t bytes() const;
    };
    TensorsToWrite() = default;
    TensorsToWrite(const NamedTensors& content); // NOLINT: what was read can be written
    void add(std::string name, const at::Tensor& tensor) { add(std::move(name), tensor.sizes().vec(), {tensor}); }
    void add(std::string name, std::vector<std::int64_t> shape, std::vector<at::Tensor> pieces) {
        tensors.push_back({std::move(name), std::move(shape), std::move(pieces)});
    }

    std::vector<Tensor> tensors;
    std::map<std::string, std::string> metadata;
};

/// take(bytes of a piece), piece after piece: on the CPU, row-major.
void forEachPiece(const TensorsToWrite::Tensor& tensor, const std::function<void(std::span<const std::byte>)>& take);

/// Atomic. Returns the file's size in bytes.
[[nodiscard]] Result<std::int64_t> writeSafetensors(const std::filesystem::path& file, const TensorsToWrite& content);
/// A file that is open, whose tensors are read one at a time. Any thread, one at a time. Errors of readSafetensors().
class SafetensorsFile {
public:
    using Place = SafetensorsHeader::Tensor;

    [[nodiscard]] static Result<SafetensorsFile> open(const std::filesystem::path& file);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return m_header.metadata; }
    [[nodiscard]] const std::vector<Place>& tensors() const { return m_header.tensors; } ///< in file order
    [[nodiscard]] const Place* find(const std::string& name) const;
    [[nodiscard]] static at::ScalarType typeOf(const Place& place);

    [[nodiscard]] Result<at::Tensor> read(const Place& place) const;
    /// Into a tensor of this shape, without a copy where it is contiguous, of this type, and on the CPU.
    [[nodiscard]] Status readInto(const Place& place, at::Tensor target) const;
    /// Elements of a tensor from `first` on, as many as fit into `target`: contiguous, of this type, and on the CPU.
    [[nodiscard]] Status readElements(const Place& place, std::int64_t first, at::Tensor target) const;
    /// take(bytes), block by block.
    [[nodiscard]] Status forEachBlock(const Place& place,
                                      const std::function<void(std::span<const std::byte>)>& take) const;

private:
    SafetensorsFile() = default;
    [[nodiscard]] Status readBytes(const Place& place, std::uint64_t from, std::span<char> to) const;

    std::filesystem::path m_path;
    std::unique_ptr<InputFile> m_input;
    SafetensorsHeader m_header;
    std::uint64_t m_dataBegin = 0;
};

/// Only the tensors that `wanted` says yes to are read, all without it; the others cost neither time nor memory.
[[nodiscard]] Result<NamedTensors> readSafetensors(const std::filesystem::path& file,
                                                   const std::function<bool(const std::string&)>& wanted = {});

} // namespace accumulus
