// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/edit_distance.h"
#include "core/model/model.h"

#include <algorithm>
#include <fnmatch.h>
#include <limits>

namespace accumulus {
namespace {

bool matches(const std::string& pattern, const ParameterSpec& spec) {
    const auto fits = [&](const std::string& name) {
        return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
    };
    return fits(spec.name) || std::ranges::any_of(spec.aliases, fits);
}

/// Of the parameters and of the modules that hold them, as patterns, the one that is spelt most alike.
std::string nearestPattern(const std::string& pattern, const std::vector<ParameterSpec>& specs) {
    std::string nearest;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    const auto consider = [&](const std::string& candidate) {
        if (const std::size_t distance = editDistance(pattern, candidate); distance < least) {
            least = distance;
            nearest = candidate;
        }
    };
    for (const ParameterSpec& spec : specs) {
        consider(spec.name);
        for (std::size_t dot = spec.name.find('.'); dot != std::string::npos; dot = spec.name.find('.', dot + 1))
            consider(spec.name.substr(0, dot + 1) + "*");
    }
    return nearest;
}

} // namespace

Status Model::freeze(std::span<const std::string> patterns) {
    if (patterns.empty())
        return {};
    std::vector<ParameterSpec> specs = m_layout.specs();
    for (const std::string& pattern : patterns) {
        bool found = false;
        for (ParameterSpec& spec : specs)
            if (matches(pattern, spec)) {
                spec.trainable = false;
                found = true;
            }
        if (!found)
            return failure("config.freeze", {{"pattern", pattern},
                                             {"first", specs.front().name},
                                             {"last", specs.back().name},
                                             {"nearest", nearestPattern(pattern, specs)}});
    }
    if (std::ranges::none_of(specs, &ParameterSpec::trainable))
        return failure("config.freeze-all", {{"parameters", std::to_string(specs.size())}});
    m_layout = ParameterLayout(std::move(specs));
    return {};
}

} // namespace accumulus
