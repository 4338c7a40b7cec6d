// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that another program has trained.
#include "core/base/printable.h"
#include "core/base/some_of.h"
#include "core/model/safetensors.h"
#include "core/model/weights_file.h"
#include "core/model/weights_names.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace accumulus {
namespace {

constexpr std::size_t largestHead = 2; // tensors: weight and bias of one layer

std::string ownerOf(const std::string& name) { return name.substr(0, name.find_last_of('.') + 1); }

using TensorsByName = std::map<std::string, const at::Tensor*>;

/// A parameter of the model that the file does not have in its shape.
struct Misfit {
    std::string name;
    std::string shapes;        ///< "[1000, 512] -> [10, 512]": in the file and in the model
    bool wholeNumbers = false; ///< no weights at all
};

struct Matched {
    std::vector<const at::Tensor*> tensors; ///< in the layout's order; null: not in the file in this shape
    std::vector<Misfit> misfits;
};

/// Of the names of one tensor, those that the file has.
std::vector<std::string> namesInFile(const TensorsByName& file, const ParameterSpec& spec,
                                     const NamePrefixes& prefixes) {
    std::vector<std::string> names;
    const auto look = [&](const std::string& name) {
        if (const std::string inFile = prefixes.inFileOf(name); file.contains(inFile))
            names.push_back(inFile);
    };
    look(spec.name);
    std::ranges::for_each(spec.aliases, look);
    return names;
}

Matched match(const TensorsByName& file, const ParameterLayout& layout, const NamePrefixes& prefixes,
              std::set<std::string>& used) {
    Matched matched;
    for (const ParameterSpec& spec : layout.specs()) {
        const std::vector<std::string> names = namesInFile(file, spec, prefixes);
        const at::Tensor* tensor = names.empty() ? nullptr : file.at(names.front());
        used.insert(names.begin(), names.end());
        if (!tensor || tensor->sizes() != at::IntArrayRef(spec.shape) || !tensor->is_floating_point()) {
            const bool wrongType = tensor && !tensor->is_floating_point();
            matched.misfits.push_back({spec.name,
                                       (tensor ? c10::str(tensor->sizes()) : std::string("-")) +
                                           (wrongType ? std::string(" ") + c10::toString(tensor->scalar_type()) : "") +
                                           " -> " + c10::str(at::IntArrayRef(spec.shape)),
                                       wrongType});
            tensor = nullptr;
        }
        matched.tensors.push_back(tensor);
    }
    return matched;
}

/// May what does not fit be drawn anew? One layer of a network whose other parameters are the file's.
bool isHead(const std::vector<Misfit>& misfits, std::size_t parameters) {
    return misfits.size() <= largestHead && 2 * misfits.size() <= parameters &&
           std::ranges::all_of(misfits, [&](const Misfit& one) {
               return !one.wholeNumbers && ownerOf(one.name) == ownerOf(misfits.front().name);
           });
}

std::string listOf(const std::vector<Misfit>& misfits) {
    constexpr std::size_t shown = 4;
    std::vector<std::string> list;
    for (const Misfit& misfit : misfits)
        list.push_back(misfit.name + " " + misfit.shapes);
    return someOf(list, shown);
}

/// Every tensor of `from` into its place in `flat`; those that are null stay as they are.
void copyInto(at::Tensor& flat, const ParameterLayout& layout, const std::vector<const at::Tensor*>& from) {
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i])
            layout.view(flat, i).copy_(*from[i]);
}

bool holdSame(const at::Tensor& a, const at::Tensor& b) {
    return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && at::equal(a, b);
}

/// The names of two tensors of the file that are one in the network, and differ.
std::optional<std::pair<std::string, std::string>> untied(const TensorsByName& file, const ParameterLayout& layout,
                                                          const NamePrefixes& prefixes) {
    for (const ParameterSpec& spec : layout.specs()) {
        const std::vector<std::string> names = namesInFile(file, spec, prefixes);
        for (std::size_t i = 1; i < names.size(); ++i)
            if (!holdSame(*file.at(names.front()), *file.at(names[i])))
                return std::pair(names.front(), names[i]);
    }
    return std::nullopt;
}

/// As they will be in the target's precision.
Status checkFinite(const std::filesystem::path& file, const ParameterLayout& layout,
                   const std::vector<const at::Tensor*>& tensors, at::ScalarType type) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i] && !tensors[i]->to(type).isfinite().all().item<bool>())
            return failure("weights.nonfinite", {{"file", file.string()}, {"parameter", layout.specs()[i].name}});
    return {};
}

/// What was done, for whoever starts a run.
struct Loaded {
    std::string file;
    const NamePrefixes& prefixes;
    const Matched& parameters;
    bool noStatistics;
    std::vector<std::string> ignored;
};

std::vector<Message> notesOf(const Loaded& loaded) {
    const std::vector<Misfit>& drawn = loaded.parameters.misfits;
    std::vector<Message> notes;
    notes.push_back(
        {"weights.loaded",
         {{"file", loaded.file}, {"count", std::to_string(loaded.parameters.tensors.size() - drawn.size())}}});
    if (const std::string prefix = loaded.prefixes.inFile + loaded.prefixes.inModel; !prefix.empty())
        notes.push_back({"weights.prefix", {{"prefix", printable(prefix)}}});
    if (!drawn.empty())
        notes.push_back({"weights.drawn", {{"parameters", listOf(drawn)}, {"file", loaded.file}}});
    if (loaded.noStatistics)
        notes.push_back({"weights.no-statistics", {{"file", loaded.file}}});
    if (!loaded.ignored.empty())
        notes.push_back({"weights.ignored",
                         {{"file", loaded.file},
                          {"count", std::to_string(loaded.ignored.size())},
                          {"first", printable(loaded.ignored.front())}}});
    return notes;
}

bool isCounter(const std::string& name) { return name.ends_with("num_batches_tracked"); }

} // namespace

Result<std::vector<Message>> loadInitialWeights(const std::filesystem::path& file, const ParameterLayout& layout,
                                                const ParameterLayout& buffers, bool newHead, at::Tensor& parameters,
                                                at::Tensor& statistics) {
    ACCUMULUS_TRY_ASSIGN(const NamedTensors content, readWeightsFile(file));
    const auto mismatch = [&](Message reason, const char* cure) {
        std::vector<std::pair<std::string, std::string>> arguments{
            {"file", file.string()}, {"reason", reason.code}, {"cure", cure}};
        std::ranges::move(reason.arguments, std::back_inserter(arguments));
        return failure("weights.mismatch", std::move(arguments));
    };
    TensorsByName byName;
    std::set<std::string> names, used;
    for (const auto& [name, tensor] : content.tensors) {
        byName[name] = &tensor;
        names.insert(name);
    }
    std::vector<std::string> wanted;
    for (const ParameterSpec& spec : layout.specs()) {
        const auto inFile = [&](const std::string& name) {
            return std::ranges::any_of(names, [&](const std::string& given) { return given.ends_with(name); });
        };
        const auto alias =
            spec.aliases.empty() || inFile(spec.name) ? spec.aliases.end() : std::ranges::find_if(spec.aliases, inFile);
        wanted.push_back(alias == spec.aliases.end() ? spec.name : *alias);
    }
    const auto prefixes = findPrefixes(wanted, names);
    if (!prefixes)
        return mismatch(prefixes.error(), "cure.weights-one");
    const Matched matched = match(byName, layout, *prefixes, used);
    const bool head = isHead(matched.misfits, layout.size());
    if (!matched.misfits.empty() && !(newHead && head))
        return mismatch({"reason.weights-differ",
                         {{"fitting", std::to_string(layout.size() - matched.misfits.size())},
                          {"parameters", std::to_string(layout.size())},
                          {"list", printable(listOf(matched.misfits))}}},
                        head ? "cure.weights-head" : "cure.weights-network");
    if (const auto pair = untied(byName, layout, *prefixes))
        return mismatch(
            {"reason.weights-untied", {{"first", printable(pair->first)}, {"second", printable(pair->second)}}},
            "cure.weights-network");
    const Matched running = match(byName, buffers, *prefixes, used);
    const bool noStatistics = running.misfits.size() == buffers.size();
    if (!running.misfits.empty() && !noStatistics)
        return mismatch({"reason.weights-statistics", {{"list", printable(listOf(running.misfits))}}},
                        "cure.weights-network");
    ACCUMULUS_TRY(checkFinite(file, layout, matched.tensors, parameters.scalar_type()));
    ACCUMULUS_TRY(checkFinite(file, buffers, running.tensors, parameters.scalar_type()));

    copyInto(parameters, layout, matched.tensors);
    copyInto(statistics, buffers, running.tensors);
    std::vector<std::string> ignored;
    std::ranges::copy_if(names, std::back_inserter(ignored),
                         [&](const std::string& one) { return !used.contains(one) && !isCounter(one); });
    return notesOf({printable(file.filename().string()), *prefixes, matched, noStatistics && buffers.size() > 0,
                    std::move(ignored)});
}

} // namespace accumulus
