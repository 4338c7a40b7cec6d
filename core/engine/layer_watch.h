// SPDX-License-Identifier: GPL-3.0-or-later
// Watches a forward pass, whatever the model, for the first layer whose output is not finite. LibTorch tells of every
// operator that a thread calls; those that take a parameter or a running statistic (or what was made of nothing else,
// such as a cast) belong to its layer. A mask of minus infinity is no finding, whether it meets a parameter or buffer
// or not: an addition that passes it on, and what fills it in. What else is made of it, is one. Looking at values costs
// more than the pass and waits for a device: only once something is known not to be finite. One thread.
#pragma once

#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accumulus {

class LayerWatch {
public:
    /// `parameters`, `buffers`: the flat arenas that `model` computes with; it must outlive this.
    LayerWatch(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers);

    /// Watches one forward pass of its thread, which begins and ends with it.
    class Scope {
    public:
        explicit Scope(LayerWatch& watch);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        at::CallbackHandle m_handle;
    };

    /// The layer that gave the first value of the pass that is not finite; empty: it was there before the first layer.
    [[nodiscard]] const std::optional<std::string>& found() const { return m_found; }
    /// Something could not be looked at, for want of memory for example: what was found may be wrong.
    [[nodiscard]] bool failed() const { return m_failed; }
    /// The layer that was used last; empty: none so far.
    [[nodiscard]] const std::string& lastLayer() const { return m_last; }
    [[nodiscard]] std::string layer(std::size_t parameter) const;
    /// Grows with the order in which parameters were used last; 0: not used.
    [[nodiscard]] std::int64_t lastUse(std::size_t parameter) const { return m_uses[parameter]; }

private:
    struct Owner {
        std::string layer;
        std::optional<std::size_t> parameter; ///< none: a buffer
    };
    struct Derived {
        at::Tensor kept; ///< so that nothing else gets its memory
        const Owner* owner;
        bool masks = false; ///< a mask was filled in
    };
    struct Call;
    struct Inputs;
    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& call);
    static void end(const at::RecordFunction& call, at::ObserverContext* context);
    [[nodiscard]] std::unique_ptr<at::ObserverContext> entered(const at::RecordFunction& call);
    void left(const at::RecordFunction& call, const Call& entered);
    [[nodiscard]] Inputs inputsOf(const at::RecordFunction& call) const;
    /// An output that is not finite: whose is that?
    void judge(const at::Tensor& output, const Call& entered);
    [[nodiscard]] bool mayMask(const at::Tensor& tensor, const Owner& owner) const;
    void add(const ParameterLayout& layout, const at::Tensor& flat, bool trained);
    [[nodiscard]] const Owner* ownerOf(const at::Tensor& tensor) const;

    const ParameterLayout& m_layout;
    std::unordered_map<const c10::StorageImpl*, std::map<std::int64_t, Owner>> m_arenas; ///< by offset
    std::unordered_map<const c10::StorageImpl*, Derived> m_derived;                      ///< made of parameters alone
    std::vector<std::int64_t> m_uses;
    std::int64_t m_count = 0;
    std::string m_last;
    std::optional<std::string> m_found;
    std::optional<std::string> m_masked; ///< what came before a mask that was passed on; empty: nothing did
    bool m_failed = false;
    bool m_inside = false; ///< of an operator of a layer: what that calls is its own business
};

/// Are all values finite? Whole numbers are. Waits for a device.
[[nodiscard]] bool isFinite(const at::Tensor& tensor);

} // namespace accumulus
