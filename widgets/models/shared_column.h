// SPDX-License-Identifier: GPL-3.0-or-later
// A column of measured values that one thread continues while others read what it held: a copy costs nothing, and the
// first change of a column that has copies copies its values. Each copy belongs to one thread.
#pragma once

#include <QSharedData>
#include <QSharedDataPointer>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace accumulus::ui {

class SharedColumn {
public:
    SharedColumn() : m_data(new Data) {}
    SharedColumn(std::vector<double> values) : SharedColumn() { m_data->values = std::move(values); }

    [[nodiscard]] const std::vector<double>& values() const { return m_data->values; }
    operator const std::vector<double>&() const { return values(); }
    [[nodiscard]] std::size_t size() const { return values().size(); }
    [[nodiscard]] bool empty() const { return values().empty(); }
    [[nodiscard]] double operator[](std::size_t index) const { return values()[index]; }
    [[nodiscard]] double front() const { return values().front(); }
    [[nodiscard]] double back() const { return values().back(); }
    [[nodiscard]] auto begin() const { return values().begin(); }
    [[nodiscard]] auto end() const { return values().end(); }

    void push_back(double value) { m_data->values.push_back(value); }
    void append(std::span<const double> more) {
        if (!more.empty())
            m_data->values.insert(m_data->values.end(), more.begin(), more.end());
    }
    /// Keeps the first `size` values.
    void truncate(std::size_t size) {
        if (size < this->size())
            m_data->values.resize(size);
    }
    friend bool operator==(const SharedColumn& a, const std::vector<double>& b) { return a.values() == b; }

private:
    struct Data : QSharedData {
        std::vector<double> values;
    };
    QSharedDataPointer<Data> m_data;
};

} // namespace accumulus::ui
