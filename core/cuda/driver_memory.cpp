// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/driver_memory.h"

#include <dlfcn.h>

namespace accumulus::gpu {
namespace {

// As nvml.h declares them; every call returns 0 where it succeeded.
using Handle = void*;
struct Bytes {
    unsigned long long total = 0, free = 0, used = 0;
};

class Nvml {
public:
    Nvml() : m_library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
        int (*begin)() = nullptr;
        m_answers = m_library && find(begin, "nvmlInit_v2") && find(m_handleOf, "nvmlDeviceGetHandleByUUID") &&
                    find(m_memoryOf, "nvmlDeviceGetMemoryInfo") && begin() == 0;
    }

    [[nodiscard]] std::optional<Memory> memoryOf(const std::string& name) const {
        Handle card = nullptr;
        Bytes bytes;
        if (!m_answers || m_handleOf(name.c_str(), &card) != 0 || m_memoryOf(card, &bytes) != 0)
            return std::nullopt;
        return Memory{static_cast<std::int64_t>(bytes.free), static_cast<std::int64_t>(bytes.total)};
    }

private:
    template <class Function>
    bool find(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(dlsym(m_library, name));
        return function != nullptr;
    }

    void* m_library; ///< stays loaded
    int (*m_handleOf)(const char* name, Handle* card) = nullptr;
    int (*m_memoryOf)(Handle card, Bytes* bytes) = nullptr;
    bool m_answers = false;
};

} // namespace

std::string driverNameOf(const std::string& identity, const std::string& kind) {
    constexpr char digits[] = "0123456789abcdef";
    std::string name = kind;
    for (std::size_t i = 0; i < identity.size(); ++i) {
        if (i == 0 || (i >= 4 && i <= 10 && i % 2 == 0))
            name += '-';
        const auto byte = static_cast<unsigned char>(identity[i]);
        name += digits[byte >> 4];
        name += digits[byte & 0xF];
    }
    return name;
}

std::optional<Memory> memoryByDriver(const std::string& identity) {
    static const Nvml nvml;
    const auto card = nvml.memoryOf(driverNameOf(identity, "GPU"));
    return card ? card : nvml.memoryOf(driverNameOf(identity, "MIG"));
}

} // namespace accumulus::gpu
