// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/memory_counter.h"

#include <atomic>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/alignment.h>
#include <c10/core/impl/alloc_cpu.h>
#include <cstring>
#include <malloc.h>

namespace accumulus {
namespace {

std::atomic<std::int64_t> inUse{0};
std::atomic<std::int64_t> highest{0};
std::atomic<std::int64_t> allowed{0};
std::atomic<std::int64_t> refused{0};

// How much was asked for stands at the very end of the block, in eight bytes of its own.
using Asked = std::int64_t;

char* noteIn(void* block) { return static_cast<char*>(block) + malloc_usable_size(block) - sizeof(Asked); }

void release(void* block) {
    if (block == nullptr)
        return;
    Asked bytes = 0;
    std::memcpy(&bytes, noteIn(block), sizeof bytes);
    inUse.fetch_sub(bytes, std::memory_order_relaxed);
    c10::free_cpu(block);
}

class CountingAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override {
        if (bytes == 0)
            return {nullptr, nullptr, &release, c10::Device(c10::DeviceType::CPU)};
        const auto wanted = static_cast<Asked>(bytes);
        const std::int64_t most = allowed.load(std::memory_order_relaxed);
        if (most > 0 && inUse.load(std::memory_order_relaxed) + wanted > most)
            throw OutOfMemory(wanted, inUse.load(std::memory_order_relaxed), most);
        void* data = nullptr;
        try {
            data = c10::alloc_cpu(bytes + sizeof(Asked));
        } catch (const c10::Error&) { // a plain error of the system's allocator
            throw OutOfMemory(wanted, inUse.load(std::memory_order_relaxed), 0);
        }
        std::memcpy(noteIn(data), &wanted, sizeof wanted);
        const std::int64_t now = inUse.fetch_add(wanted, std::memory_order_relaxed) + wanted;
        MemoryCounter::raisePeak(now);
        return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t count) const override { default_copy_data(to, from, count); }
};

} // namespace

OutOfMemory::OutOfMemory(std::int64_t wanted, std::int64_t used, std::int64_t most)
    : m_text(std::to_string(wanted) + " bytes were asked for while " + std::to_string(used) +
             " bytes of tensors were in use" +
             (most > 0 ? ", with a limit of " + std::to_string(most) + " bytes" : "")) {
    ++refused;
}

void MemoryCounter::install() {
    static CountingAllocator allocator;
    static const bool once = [] {
        c10::SetCPUAllocator(&allocator, /*priority=*/10);
        return true;
    }();
    (void)once;
}

std::int64_t MemoryCounter::current() { return inUse.load(std::memory_order_relaxed); }
std::int64_t MemoryCounter::peak() { return highest.load(std::memory_order_relaxed); }
std::int64_t MemoryCounter::refusals() { return refused.load(std::memory_order_relaxed); }
void MemoryCounter::resetPeak() { highest = inUse.load(); }
void MemoryCounter::raisePeak(std::int64_t bytes) {
    std::int64_t before = highest.load(std::memory_order_relaxed);
    while (bytes > before && !highest.compare_exchange_weak(before, bytes, std::memory_order_relaxed)) {
    }
}
void MemoryCounter::setLimit(std::int64_t bytes) { allowed = bytes; }
std::int64_t MemoryCounter::limit() { return allowed; }

} // namespace accumulus
