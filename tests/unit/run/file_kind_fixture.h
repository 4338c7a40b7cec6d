// SPDX-License-Identifier: GPL-3.0-or-later
// One file of every kind that can be used, and a folder to write such files into.
#pragma once

#include "tests/support/brought_files.h"

#include <QTemporaryDir>

#include <filesystem>
#include <string>

namespace accumulus::test {

inline std::string cifarRecords(int count, int labelBytes) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
        bytes += std::string(static_cast<std::size_t>(labelBytes), static_cast<char>(i % 10)) + std::string(3072, '\7');
    return bytes;
}

/// One of every kind that can be used, by name.
inline std::string contentOf(const std::string& kind) {
    using namespace std::string_literals;
    if (kind == "module")
        return moduleZip();
    if (kind == "state-dict")
        return stateDictZip();
    if (kind == "weights")
        return safetensorsOf(R"({"fc.weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
    if (kind == "checkpoint")
        return safetensorsOf(
            R"({"__metadata__":{"accumulus.run":"1"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4);
    if (kind == "safetensors")
        return safetensorsOf(R"({"inputs":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("targets":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                             8);
    if (kind == "npz")
        return zipOf({{"inputs.npy", "\x93NUMPY"}, {"targets.npy", "\x93NUMPY"}});
    if (kind == "table")
        return "x,y,\"a, b\"\n1,2,3\n4,5,6\n7,8,9\n10,11,12\n";
    if (kind == "tabs")
        return "x\ty\n1\t2\n3\t4\n5\t6\n";
    if (kind == "text")
        return "Good morrow, cousin.\nIs the day so young?\n\nBut new struck nine, \xc3\xa4.";
    if (kind == "tokens")
        return littleEndian(7, 2) + littleEndian(50000, 2) + littleEndian(3, 2);
    if (kind == "experiment")
        return "[batch]\nmicro = 16\n";
    if (kind == "cifar10")
        return cifarRecords(2, 1);
    if (kind == "cifar100")
        return cifarRecords(2, 2);
    if (kind == "mnist")
        return "\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\1\0"s;
    return {};
}

/// A folder for each test program.
class FileFolder {
protected:
    [[nodiscard]] std::filesystem::path folder() const { return m_temporary.path().toStdString(); }
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        return writeFile(folder() / name, content);
    }

private:
    QTemporaryDir m_temporary;
};

} // namespace accumulus::test
