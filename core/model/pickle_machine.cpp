// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pickle_machine.h"

#include <algorithm>
#include <array>
#include <bit>

namespace accumulus::pickle {

Failed Machine::broken() const { return Failed(Message{"reason.pickle-broken", {{"at", std::to_string(m_at)}}}); }

std::string_view Machine::take(Number count) {
    if (count > m_bytes.size() - m_at) {
        m_broken = true;
        return {};
    }
    const std::string_view taken(m_bytes.data() + m_at, static_cast<std::size_t>(count));
    m_at += static_cast<std::size_t>(count);
    return taken;
}

Machine::Number Machine::little(std::size_t bytes) {
    const std::string_view taken = take(bytes);
    Number number = 0;
    for (std::size_t i = taken.size(); i > 0; --i)
        number = number << 8 | static_cast<unsigned char>(taken[i - 1]);
    return number;
}

std::string Machine::line() {
    const auto rest = m_bytes.subspan(m_at);
    const auto end = std::ranges::find(rest, '\n');
    if (end == rest.end()) {
        m_broken = true;
        return {};
    }
    std::string text(rest.begin(), end);
    m_at += text.size() + 1;
    return text;
}

void Machine::push(Value value) {
    m_document.values.push_back(std::move(value));
    m_stack.push_back(&m_document.values.back());
}

/// Never below a mark: what lies there belongs to somebody else.
Value* Machine::pop() {
    static Value none; // what is taken after m_broken is not looked at
    if (m_stack.empty() || (!m_marks.empty() && m_stack.size() <= m_marks.back())) {
        m_broken = true;
        return &none;
    }
    Value* value = m_stack.back();
    m_stack.pop_back();
    return value;
}

std::vector<const Value*> Machine::popToMark() {
    if (m_marks.empty()) {
        m_broken = true;
        return {};
    }
    const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<const Value*> values(begin, m_stack.end());
    m_stack.erase(begin, m_stack.end());
    m_marks.pop_back();
    return values;
}

void Machine::pushTuple(std::size_t size) {
    std::vector<const Value*> values(size);
    for (std::size_t i = size; i > 0; --i)
        values[i - 1] = pop();
    push(Value{Sequence{std::move(values)}});
}

/// Pickles number their memo without gaps.
void Machine::store(Number place) {
    if (m_stack.empty() || place > m_memo.size()) {
        m_broken = true;
        return;
    }
    if (place == m_memo.size())
        m_memo.push_back(m_stack.back());
    else
        m_memo[static_cast<std::size_t>(place)] = m_stack.back();
}

void Machine::fetch(Number place) {
    if (place >= m_memo.size())
        m_broken = true;
    else
        push(m_memo[static_cast<std::size_t>(place)]);
}

bool Machine::executeSimple(unsigned char code) {
    switch (code) {
    case '(':
        m_marks.push_back(m_stack.size());
        return true;
    case '0':
        (void)pop();
        return true;
    case '1':
        (void)popToMark();
        return true;
    case 'N':
        push(Value{});
        return true;
    case 0x88:
    case 0x89:
        push(Value{code == 0x88});
        return true;
    case 'q':
        store(little(1));
        return true;
    case 'r':
        store(little(4));
        return true;
    case 0x94:
        store(m_memo.size());
        return true;
    case 'h':
        fetch(little(1));
        return true;
    case 'j':
        fetch(little(4));
        return true;
    case 0x95: // the length of a frame
        (void)little(8);
        return true;
    default:
        return false;
    }
}

bool Machine::executeNumber(unsigned char code) {
    switch (code) {
    case 'J':
        push(Value{std::int64_t{static_cast<std::int32_t>(little(4))}});
        return true;
    case 'K':
        push(Value{static_cast<std::int64_t>(little(1))});
        return true;
    case 'M':
        push(Value{static_cast<std::int64_t>(little(2))});
        return true;
    case 0x8a: { // of any length, two's complement
        const std::string_view digits = take(little(1));
        if (digits.size() > sizeof(std::int64_t)) {
            push(Value{Other{}});
            return true;
        }
        Number number = !digits.empty() && static_cast<signed char>(digits.back()) < 0 ? ~Number{0} : 0;
        for (std::size_t i = digits.size(); i > 0; --i)
            number = number << 8 | static_cast<unsigned char>(digits[i - 1]);
        push(Value{static_cast<std::int64_t>(number)});
        return true;
    }
    case 'G': { // big-endian
        Number bits = 0;
        for (const char byte : take(8))
            bits = bits << 8 | static_cast<unsigned char>(byte);
        push(Value{std::bit_cast<double>(bits)});
        return true;
    }
    default:
        return false;
    }
}

bool Machine::executeText(unsigned char code) {
    switch (code) {
    case 'X':
    case 'T':
        push(Value{std::string(take(little(4)))});
        return true;
    case 'U':
    case 0x8c:
        push(Value{std::string(take(little(1)))});
        return true;
    case 0x8d:
        push(Value{std::string(take(little(8)))});
        return true;
    case 'B':
        (void)take(little(4));
        push(Value{Other{}});
        return true;
    case 'C':
        (void)take(little(1));
        push(Value{Other{}});
        return true;
    default:
        return false;
    }
}

void Machine::addItems(std::span<const Value* const> items) {
    Value* target = m_stack.empty() ? nullptr : m_stack.back();
    if (!target || items.size() % 2 != 0) {
        m_broken = true;
        return;
    }
    if (auto* dictionary = std::get_if<Dictionary>(&target->is))
        for (std::size_t i = 0; i < items.size(); i += 2)
            dictionary->entries.emplace_back(items[i], items[i + 1]);
    else if (!std::holds_alternative<Other>(target->is))
        m_broken = true;
}

void Machine::addElements(std::span<const Value* const> elements) {
    Value* target = m_stack.empty() ? nullptr : m_stack.back();
    auto* list = target ? std::get_if<Sequence>(&target->is) : nullptr;
    if (list)
        list->values.insert(list->values.end(), elements.begin(), elements.end());
    else if (!target || !std::holds_alternative<Other>(target->is))
        m_broken = true;
}

bool Machine::executeContainer(unsigned char code) {
    switch (code) {
    case ')':
    case ']':
    case 0x8f:
        push(Value{Sequence{}});
        return true;
    case '}':
        push(Value{Dictionary{}});
        return true;
    case 't':
    case 'l':
    case 0x91:
        push(Value{Sequence{popToMark()}});
        return true;
    case 0x85:
    case 0x86:
    case 0x87:
        pushTuple(code - 0x84U);
        return true;
    case 'd': {
        const auto items = popToMark();
        push(Value{Dictionary{}});
        addItems(items);
        return true;
    }
    case 'a':
        if (const Value* element = pop(); !m_broken)
            addElements({&element, 1});
        return true;
    case 'e':
    case 0x90:
        if (const auto elements = popToMark(); !m_broken)
            addElements(elements);
        return true;
    case 's': {
        const Value* value = pop();
        const Value* key = pop();
        if (!m_broken)
            addItems(std::array{key, value});
        return true;
    }
    case 'u':
        if (const auto items = popToMark(); !m_broken)
            addItems(items);
        return true;
    default:
        return false;
    }
}

} // namespace accumulus::pickle
