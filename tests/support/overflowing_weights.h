// SPDX-License-Identifier: GPL-3.0-or-later
// Initial weights with which training breaks at its first micro-step, in a layer that is known.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QtEndian>

namespace accumulus::test {

/// A safetensors file for the perceptron of digits with model.hidden = [64]: its first layer gives ones, whatever it
/// sees, and the second multiplies them by nearly the largest fp32 number, so that their sum overflows in fc2.
[[nodiscard]] inline bool writeOverflowingWeights(const QString& name) {
    QByteArray entries, values;
    const auto add = [&](const char* tensor, const char* shape, int count, float value) {
        const qsizetype first = values.size();
        values.resize(first + 4 * count);
        for (int i = 0; i < count; ++i)
            qToLittleEndian(value, values.data() + first + 4 * i);
        entries += (entries.isEmpty() ? "" : ",") + QByteArray("\"") + tensor +
                   "\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":[" + QByteArray::number(first) +
                   ',' + QByteArray::number(values.size()) + "]}";
    };
    add("fc1.weight", "[64,784]", 64 * 784, 0.0F);
    add("fc1.bias", "[64]", 64, 1.0F);
    add("fc2.weight", "[10,64]", 10 * 64, 3e38F);
    add("fc2.bias", "[10]", 10, 0.0F);
    QByteArray header = '{' + entries + '}';
    while (header.size() % 8 != 0)
        header += ' ';
    QByteArray length(8, '\0');
    qToLittleEndian(static_cast<quint64>(header.size()), length.data());
    const QByteArray bytes = length + header + values;
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace accumulus::test
