// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that a pickle is a program for: a stack of values, marks on it, and a memo. One reading.
#pragma once

#include "core/model/pickle.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus::pickle {

using Failed = tl::unexpected<Message>;
using Step = tl::expected<void, Message>;

/// The alternative T of a value; null where it is another.
template <class T>
const T* as(const Value* value) {
    return std::get_if<T>(&value->is);
}

class Machine {
public:
    Machine(std::span<const char> bytes, Names names) : m_bytes(bytes), m_names(names) {}

    [[nodiscard]] tl::expected<Document, Message> run();

private:
    using Number = std::uint64_t;

    // The stream. After an error m_broken is set and everything reads as empty.
    [[nodiscard]] std::string_view take(Number count);
    [[nodiscard]] Number little(std::size_t bytes);
    [[nodiscard]] std::string line();

    // The stack.
    void push(Value value);
    void push(const Value* value) { m_stack.push_back(const_cast<Value*>(value)); }
    [[nodiscard]] Value* pop();
    [[nodiscard]] std::vector<const Value*> popToMark();
    void pushTuple(std::size_t size);
    void store(Number place);
    void fetch(Number place);

    [[nodiscard]] Failed broken() const;
    [[nodiscard]] Step execute(unsigned char code);
    [[nodiscard]] bool executeSimple(unsigned char code);
    [[nodiscard]] bool executeNumber(unsigned char code);
    [[nodiscard]] bool executeText(unsigned char code);
    [[nodiscard]] bool executeContainer(unsigned char code);
    [[nodiscard]] Step global(const std::string& module, const std::string& name);
    [[nodiscard]] Step reduce();
    [[nodiscard]] Step orderedDictionary(const Sequence* pairs);
    [[nodiscard]] Step persistent();
    void addItems(std::span<const Value* const> items);
    void addElements(std::span<const Value* const> elements);

    std::span<const char> m_bytes;
    Names m_names;
    std::size_t m_at = 0;
    Document m_document;
    std::vector<Value*> m_stack;
    std::vector<std::size_t> m_marks;
    std::vector<Value*> m_memo;
    std::size_t m_copied = 0; ///< entries of dictionaries and sides of shapes that were copied
    bool m_broken = false;    ///< the stream ends too early, or the stack does not hold what an operation needs
};

} // namespace accumulus::pickle
