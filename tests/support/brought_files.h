// SPDX-License-Identifier: GPL-3.0-or-later
// Files as a person brings them, made up: just enough of each format to be told from the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace accumulus::test {

[[nodiscard]] inline std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
    return text;
}

/// A zip of stored entries, without checksums.
[[nodiscard]] inline std::string zipOf(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string zip, list;
    for (const auto& [name, content] : entries) {
        const std::string sizes = littleEndian(0, 4) + littleEndian(content.size(), 4) +
                                  littleEndian(content.size(), 4) + littleEndian(name.size(), 2) + littleEndian(0, 2);
        const std::size_t header = zip.size();
        zip += "PK\3\4" + littleEndian(20, 2) + littleEndian(0, 8) + sizes + name + content;
        list += "PK\1\2" + littleEndian(20, 2) + littleEndian(20, 2) + littleEndian(0, 8) + sizes +
                littleEndian(0, 10) + littleEndian(header, 4) + name;
    }
    return zip + list + "PK\5\6" + littleEndian(0, 4) + littleEndian(entries.size(), 2) +
           littleEndian(entries.size(), 2) + littleEndian(list.size(), 4) + littleEndian(zip.size(), 4) +
           littleEndian(0, 2);
}

[[nodiscard]] inline std::string safetensorsOf(const std::string& header, std::size_t bytes = 0) {
    return littleEndian(header.size(), 8) + header + std::string(bytes, '\0');
}

/// A TorchScript module's archive, without anything in it that would run.
[[nodiscard]] inline std::string moduleZip() {
    return zipOf({{"net/data.pkl", "\x80\x02."},
                  {"net/code/__torch__.py", "class Net"},
                  {"net/constants.pkl", "\x80\x02."},
                  {"net/version", "3"}});
}

[[nodiscard]] inline std::string stateDictZip(const std::string& pickle = "\x80\x02"
                                                                          "ccollections\nOrderedDict\n.") {
    return zipOf({{"weights/data.pkl", pickle}, {"weights/data/0", "1234"}, {"weights/version", "3"}});
}

inline std::filesystem::path writeFile(const std::filesystem::path& file, const std::string& content) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
}

} // namespace accumulus::test
