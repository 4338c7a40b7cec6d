// SPDX-License-Identifier: GPL-3.0-or-later
// All parameters of a model in one flat tensor, and the same layout for gradients and optimizer state: one fill, one
// norm, one fused optimizer call. Each parameter starts on a 64-byte boundary (kernels may depend on alignment); the
// gaps stay zero. Frozen parameters lie behind all others, so that gradients and optimizer state are a flat tensor of
// the first ones only: frozen parameters cost none of that memory.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

/// How model.init = "default" draws a parameter or sets a buffer.
struct InitialValue {
    enum class Kind {
        UniformFanIn, ///< U(-1/sqrt(fanIn), 1/sqrt(fanIn)), as PyTorch's Linear and Conv2d
        Normal,       ///< N(0, deviation)
        Constant
    }; ///< value
    Kind kind = Kind::UniformFanIn;
    double value = 0.0; ///< the deviation or the constant

    [[nodiscard]] static InitialValue normal(double deviation) { return {Kind::Normal, deviation}; }
    [[nodiscard]] static InitialValue constant(double value) { return {Kind::Constant, value}; }
};

struct ParameterSpec {
    std::string name; ///< Python's name, "conv1.weight"
    std::vector<std::int64_t> shape;
    std::int64_t fanIn = 1; ///< inputs per output; bounds the default initial weights
    bool bias = false; ///< also scale and shift of normalisation layers: model.init = "normal" leaves them at their
                       ///< constant, or zero
    InitialValue initial{};
    bool channelsLast =
        false; ///< [out, in, height, width] stored with `in` innermost; views have the strides, files stay row-major
    std::vector<std::string> aliases{}; ///< further names of the same tensor: tied weights of networks from files
    bool trainable = true; ///< false: frozen. It has no gradient, so an update leaves it as it is, decay included
    double momentum = 0.1; ///< of running statistics: a in r <- (1 - a) r + a s
    bool autocast = false; ///< read only by operators that autocast computes in 16 bits: linear layers, convolutions
    [[nodiscard]] std::int64_t count() const;
    /// In which order the arena holds its elements; a gradient is brought into the same.
    [[nodiscard]] at::MemoryFormat memoryFormat() const {
        return channelsLast ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
    }
};

/// `specs`, each with `autocast`.
[[nodiscard]] std::vector<ParameterSpec> withAutocast(std::vector<ParameterSpec> specs);

class ParameterLayout {
public:
    ParameterLayout() = default;
    explicit ParameterLayout(std::vector<ParameterSpec> specs);

    [[nodiscard]] const std::vector<ParameterSpec>& specs() const { return m_specs; }
    [[nodiscard]] std::size_t size() const { return m_specs.size(); }
    [[nodiscard]] std::int64_t offset(std::size_t parameter) const { return m_offsets[parameter]; }
    /// Elements between the start of a parameter and the start of the next one.
    [[nodiscard]] std::int64_t extent(std::size_t parameter) const;
    [[nodiscard]] std::int64_t flatSize() const { return m_flatSize; } ///< with gaps
    /// The same of gradients and optimizer state: without the frozen parameters, which lie behind it.
    [[nodiscard]] std::int64_t gradientSize() const { return m_gradientSize; }
    [[nodiscard]] std::int64_t parameterCount() const; ///< without gaps
    [[nodiscard]] std::int64_t frozenCount() const;    ///< of these
    [[nodiscard]] bool anyAutocast() const;            ///< ParameterSpec::autocast

    /// A zeroed flat tensor of this layout.
    [[nodiscard]] at::Tensor allocate(at::ScalarType type, at::Device device = at::kCPU) const;
    /// The same for gradients or optimizer state.
    [[nodiscard]] at::Tensor allocateGradient(at::ScalarType type, at::Device device = at::kCPU) const;
    /// Parameter i of a flat tensor, shaped; shares its memory. Of gradients only where it is not frozen.
    [[nodiscard]] at::Tensor view(const at::Tensor& flat, std::size_t parameter) const;
    /// All of them.
    [[nodiscard]] std::vector<at::Tensor> views(const at::Tensor& flat) const;
    /// Views that autograd treats as leaves: each lane has its own set over the same memory. Frozen parameters
    /// require no gradient. `cast`: `flat` in 16 bits, of which the leaves with `autocast` are views; undefined: none.
    [[nodiscard]] std::vector<at::Tensor> leaves(const at::Tensor& flat, const at::Tensor& cast = {}) const;

    /// A copy on the CPU with each parameter's values in the order of its dimensions, for files: the arena's own order
    /// follows the memory format, which another device may choose otherwise. Zero in gaps and where `kept` is false.
    /// Of gradients, too.
    [[nodiscard]] at::Tensor rowMajor(const at::Tensor& flat, const std::vector<bool>& kept = {}) const;
    /// The same into `to`, of as many elements.
    void copyRowMajor(const at::Tensor& flat, const std::vector<bool>& kept, const at::Tensor& to) const;
    /// The elements of rowMajor() in pieces, one behind the other: views of `flat`, and zeros that take no memory.
    [[nodiscard]] std::vector<at::Tensor> rowMajorPieces(const at::Tensor& flat,
                                                         const std::vector<bool>& kept = {}) const;

private:
    [[nodiscard]] bool isIn(const at::Tensor& flat, std::size_t parameter) const;

    std::vector<ParameterSpec> m_specs;
    std::vector<std::int64_t> m_offsets;
    std::int64_t m_flatSize = 0;
    std::int64_t m_gradientSize = 0;
};

} // namespace accumulus
