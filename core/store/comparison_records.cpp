// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/comparison_records.h"

#include "core/store/connection.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <nlohmann/json.hpp>

namespace accumulus {
namespace {

using Json = nlohmann::json;

Json parsed(const std::string& json) { return Json::parse(json, nullptr, /*allow_exceptions=*/false); }

/// Nothing of what is no text: the file may come from anybody.
std::vector<std::string> textsOf(const Json& list) {
    std::vector<std::string> texts;
    if (list.is_array())
        for (const auto& text : list)
            if (text.is_string())
                texts.push_back(text.get<std::string>());
    return texts;
}
std::vector<std::string> textsOf(const std::string& json) { return textsOf(parsed(json)); }

std::vector<std::vector<std::string>> listsOf(const std::string& json) {
    std::vector<std::vector<std::string>> lists;
    const Json all = parsed(json);
    if (all.is_array())
        for (const auto& list : all)
            lists.push_back(textsOf(list));
    return lists;
}

/// One statement, as a transaction of its own or a part of the open one.
template <class... Values>
Status change(RunStore& store, std::string_view sql, const Values&... values) {
    Library::Connection& connection = store.library().connection();
    return connection.guarded(Access::Write, [&]() -> Status {
        WriteScope scope(connection);
        Query(connection, sql, values...).run();
        scope.commit();
        return {};
    });
}

} // namespace

Status putComparison(RunStore& store, const ComparisonRecord& comparison) {
    const auto list = [](const auto& texts) { return Json(texts).dump(); };
    return change(
        store,
        "INSERT OR REPLACE INTO comparisons (id, name, created_at, group_a, group_b, metric, together, "
        "margin, own_margin, margin_set_at, margin_after_results, x_axis, band, "
        "further_groups, reference, smoothing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0.0), ?, ?, ?, ?, "
        "?, ?)",
        comparison.id, comparison.name, comparison.createdAt, list(comparison.groupA), list(comparison.groupB),
        comparison.metric, list(comparison.together), comparison.margin, comparison.ownMargin, comparison.marginSetAt,
        comparison.marginAfterResults, comparison.axis, comparison.band, list(comparison.further), comparison.reference,
        comparison.smoothing);
}

Status removeComparison(RunStore& store, const std::string& id) {
    return change(store, "DELETE FROM comparisons WHERE id = ?", id);
}

Result<std::vector<ComparisonRecord>> savedComparisons(RunReader& reader) {
    Library::Connection& connection = reader.library().connection();
    return connection.guarded(Access::Read, [&]() -> Result<std::vector<ComparisonRecord>> {
        std::vector<ComparisonRecord> comparisons;
        Query query(connection,
                    "SELECT id, name, created_at, group_a, group_b, metric, together, margin, own_margin, "
                    "margin_set_at, margin_after_results, x_axis, band, further_groups, reference, smoothing "
                    "FROM comparisons "
                    "ORDER BY created_at DESC, rowid DESC");
        while (query.step()) {
            ComparisonRecord comparison;
            comparison.id = query.text();
            comparison.name = query.text();
            comparison.createdAt = query.realOrZero();
            comparison.groupA = textsOf(query.text());
            comparison.groupB = textsOf(query.text());
            comparison.metric = query.text();
            comparison.together = textsOf(query.text());
            comparison.margin = query.realOrZero();
            comparison.ownMargin = query.flag();
            comparison.marginSetAt = query.realOrZero();
            comparison.marginAfterResults = query.flag();
            comparison.axis = query.text();
            comparison.band = query.text();
            comparison.further = listsOf(query.text());
            comparison.reference = query.integer();
            comparison.smoothing = query.text();
            comparisons.push_back(std::move(comparison));
        }
        return comparisons;
    });
}

} // namespace accumulus
