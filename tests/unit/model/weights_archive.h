// SPDX-License-Identifier: GPL-3.0-or-later
// State dicts as torch.save writes them, and such as it never would, made without Python.
#pragma once

#include <ATen/ATen.h>
#include <caffe2/serialize/inline_container.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace accumulus::test {

inline void writeBytes(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

inline std::string readBytes(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A pickle of protocol 2, operation by operation.
class PickleText {
public:
    PickleText& raw(const std::string& bytes) {
        m_text += bytes;
        return *this;
    }
    PickleText& text(const std::string& words) {
        m_text += 'X';
        return number(words.size(), 4).raw(words);
    }
    PickleText& integer(std::int64_t value) {
        m_text += '\x8a';
        return number(8, 1).number(static_cast<std::uint64_t>(value), 8);
    }
    PickleText& global(const std::string& module, const std::string& name) {
        return raw("c" + module + "\n" + name + "\n");
    }
    PickleText& integers(const std::vector<std::int64_t>& values) {
        raw("(");
        for (const std::int64_t value : values)
            integer(value);
        return raw("t");
    }
    /// As torch.save does: a storage by its key, and how the tensor lies in it.
    PickleText& tensor(const std::string& key, const std::string& storage, std::int64_t elements, std::int64_t offset,
                       const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
        global("torch._utils", "_rebuild_tensor_v2").raw("((").text("storage").global("torch", storage).text(key);
        text("cpu").integer(elements).raw("tQ").integer(offset).integers(shape).integers(strides).raw("\x89");
        return global("collections", "OrderedDict").raw(")RtR");
    }
    PickleText& number(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            m_text += static_cast<char>(value >> (8 * i) & 0xFF);
        return *this;
    }
    [[nodiscard]] const std::string& body() const { return m_text; }
    [[nodiscard]] std::string whole() const { return "\x80\x02" + m_text + "."; }

private:
    std::string m_text;
};

using Records = std::vector<std::pair<std::string, std::string>>;

/// The archive of a pickle and other records, in LibTorch's own writing.
inline std::string archiveOf(const std::string& pickle, const Records& records, bool compressed = false) {
    std::string bytes;
    {
        caffe2::serialize::PyTorchStreamWriter writer([&](const void* data, std::size_t size) {
            bytes.append(static_cast<const char*>(data), size);
            return size;
        });
        if (!pickle.empty())
            writer.writeRecord("data.pkl", pickle.data(), pickle.size(), compressed);
        for (const auto& [name, content] : records)
            writer.writeRecord(name, content.data(), content.size(), compressed);
        writer.writeEndOfFile();
    }
    return bytes;
}

inline const char* storageName(at::ScalarType type) {
    switch (type) {
    case at::kDouble:
        return "DoubleStorage";
    case at::kHalf:
        return "HalfStorage";
    case at::kBFloat16:
        return "BFloat16Storage";
    case at::kLong:
        return "LongStorage";
    default:
        return "FloatStorage";
    }
}

using TensorList = std::vector<std::pair<std::string, at::Tensor>>;

/// torch.save(OrderedDict(tensors)); within {outer: ...} where that is not empty.
inline std::string stateDict(const TensorList& tensors, const std::string& outer = {}) {
    PickleText pickle;
    Records records;
    if (!outer.empty())
        pickle.raw("}").text("epoch").integer(7).raw("s").text(outer);
    pickle.global("collections", "OrderedDict").raw(")R(");
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor dense = tensor.contiguous();
        const std::string key = std::to_string(records.size());
        pickle.text(name).tensor(key, storageName(dense.scalar_type()), dense.numel(), 0, dense.sizes().vec(),
                                 dense.strides().vec());
        records.emplace_back("data/" + key,
                             std::string(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes()));
    }
    pickle.raw("u");
    // state_dict() carries an attribute, which torch.save writes too
    pickle.raw("}").text("_metadata").global("collections", "OrderedDict").raw(")Rsb");
    if (!outer.empty())
        pickle.raw("s");
    return archiveOf(pickle.whole(), records);
}

} // namespace accumulus::test
