// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights_names.h"

#include "core/base/printable.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr std::size_t enough = 8;  // names that candidates are taken from
constexpr std::size_t most = 1000; // candidates; a file of the model's names has one or two

/// What stands before "." + `name` in `longer`, with the dot.
void addPrefix(std::set<std::string>& prefixes, const std::string& longer, const std::string& name) {
    if (prefixes.size() < most && longer.size() > name.size() + 1 && longer.ends_with(name) &&
        longer[longer.size() - name.size() - 1] == '.')
        prefixes.insert(longer.substr(0, longer.size() - name.size()));
}

} // namespace

std::string NamePrefixes::inFileOf(const std::string& name) const {
    return inFile + (name.starts_with(inModel) ? name.substr(inModel.size()) : name);
}

tl::expected<NamePrefixes, Message> findPrefixes(const std::vector<std::string>& model,
                                                 const std::set<std::string>& file) {
    std::set<std::string> before, inModel;
    for (std::size_t i = 0; i < std::min(enough, model.size()); ++i)
        for (const std::string& name : file)
            addPrefix(before, name, model[i]);
    std::size_t looked = 0;
    for (const std::string& name : file) {
        if (++looked > enough)
            break;
        for (const std::string& longer : model)
            addPrefix(inModel, longer, name);
    }
    std::vector<NamePrefixes> candidates{{}};
    for (const std::string& prefix : before)
        candidates.push_back({prefix, {}});
    for (const std::string& prefix : inModel)
        candidates.push_back({{}, prefix});
    const auto matches = [&](const NamePrefixes& prefixes) {
        return std::ranges::count_if(model,
                                     [&](const std::string& name) { return file.contains(prefixes.inFileOf(name)); });
    };
    std::vector<std::ptrdiff_t> counts;
    for (const NamePrefixes& candidate : candidates)
        counts.push_back(matches(candidate));
    const auto best = std::ranges::max_element(counts); // the first one, and so the names as they are
    const auto at = best - counts.begin();
    const auto another = std::find(best + 1, counts.end(), *best);
    const auto index = static_cast<std::size_t>(at);
    if (2 * *best < std::ssize(model)) // another network: a name here and there says nothing about prefixes
        return candidates.front();
    if (*best > 0 && at > 0 && another != counts.end()) {
        const NamePrefixes& second = candidates[static_cast<std::size_t>(another - counts.begin())];
        const auto shown = [](const NamePrefixes& one) { return printable(one.inFile + one.inModel + "*"); };
        return tl::unexpected(
            Message{"reason.weights-two", {{"first", shown(candidates[index])}, {"second", shown(second)}}});
    }
    return candidates[index];
}

} // namespace accumulus
