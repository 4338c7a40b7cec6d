// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/byte_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <zlib.h>

namespace accumulus {

ByteStream::ByteStream(std::filesystem::path file, std::string family)
    : m_path(std::move(file)), m_family(std::move(family)), m_file(::gzopen(m_path.c_str(), "rb"), &::gzclose) {
    if (!m_file)
        m_reason = std::strerror(errno);
    else
        ::gzbuffer(m_file.get(), 1U << 17);
}

bool ByteStream::isCompressed() const { return ::gzdirect(m_file.get()) == 0; }

Status ByteStream::read(std::span<std::uint8_t> target) {
    while (!target.empty()) {
        const auto wanted = static_cast<unsigned>(std::min<std::size_t>(target.size(), 1U << 24));
        const int got = ::gzread(m_file.get(), target.data(), wanted);
        if (got < 0)
            return error("short", problem());
        if (got == 0)
            return error("short", {"reason.more-bytes-expected", {{"bytes", std::to_string(target.size())}}});
        m_offset += got;
        target = target.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

Status ByteStream::expectEnd() {
    std::uint8_t byte = 0;
    const int got = ::gzread(m_file.get(), &byte, 1);
    if (got > 0)
        return error("trailing", {"reason.bytes-follow", {}});
    int number = Z_OK;
    (void)::gzerror(m_file.get(), &number);
    return got == 0 && number == Z_OK ? Status() : error("short", problem());
}

tl::unexpected<Error> ByteStream::error(const std::string& kind, Message reason) const {
    return failureBecause(m_family + '.' + kind, {{"file", m_path.string()}, {"offset", std::to_string(m_offset)}},
                          std::move(reason));
}

Message ByteStream::problem() const {
    int number = Z_OK;
    const char* text = ::gzerror(m_file.get(), &number);
    return number == Z_ERRNO ? said(std::strerror(errno)) : Message{"reason.compressed-damaged", {{"problem", text}}};
}

Result<std::int64_t> contentSize(const std::filesystem::path& file, const std::string& family) {
    const auto problem = [&](const char* kind, Message reason) {
        return failureBecause(family + '.' + kind, {{"file", file.string()}, {"offset", "0"}}, std::move(reason));
    };
    std::error_code code;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file, code));
    if (code)
        return problem("open", said(code.message()));
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return problem("open", said(std::strerror(errno)));
    std::array<char, 4> bytes{};
    stream.read(bytes.data(), 2);
    if (stream.gcount() != 2 || bytes[0] != '\x1f' || bytes[1] != '\x8b')
        return size;
    stream.seekg(-4, std::ios::end);
    stream.read(bytes.data(), 4);
    std::int64_t content = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        content = content << 8 | static_cast<std::uint8_t>(bytes[i]);
    if (!stream || content / largestExpansion > size)
        return problem("short", {"reason.compressed-promise",
                                 {{"promised", std::to_string(content)}, {"size", std::to_string(size)}}});
    return content;
}

} // namespace accumulus
