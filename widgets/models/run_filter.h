// SPDX-License-Identifier: GPL-3.0-or-later
// The filter line of the library: free text and `status:done B>=256 lr<1e-3 model:mlp tag:paper NOT tag:tmp (seed:1 OR
// seed:2)`.
//
//   query      = or                     terms beside each other mean AND
//   or         = and { "OR" and }
//   and        = not { [ "AND" ] not }
//   not        = { "NOT" } term
//   term       = "(" or ")" | word | key operator word          word: bare or in "quotes"
//   operator   = ":" "=" "!=" "<" "<=" ">" ">="
//
// AND, OR and NOT in capitals; everything else without regard to case. ":" asks whether a text contains the word, "="
// whether it is the word; for numbers both mean equal, and what the table shows alike is equal. 60k, 1.5M and 98% are
// numbers, sizes and times may have their units (10.5 MB, 2 GiB, 1 min 12 s); dates are 2026-11-21. A value that was
// not measured matches no comparison. Pure value; any thread.
#pragma once

#include "widgets/models/run_row.h"

#include <QString>
#include <memory>
#include <optional>
#include <variant>

namespace accumulus::ui {

/// Where a query is wrong and why, in the workbench's language.
struct QueryError {
    int position = 0; ///< of the first wrong character, from 0
    int length = 0;
    QString message;
    bool operator==(const QueryError&) const = default;
};

class RunQuery {
public:
    RunQuery() = default; ///< matches everything

    [[nodiscard]] static std::variant<RunQuery, QueryError> parse(const QString& text);
    [[nodiscard]] bool matches(const RunRow& row) const;
    [[nodiscard]] bool matchesAll() const { return !m_root; }

    struct Node;

private:
    explicit RunQuery(std::shared_ptr<const Node> root) : m_root(std::move(root)) {}
    std::shared_ptr<const Node> m_root;
};

/// Every key with its aliases, for help and completion: "status", "arm", ...
[[nodiscard]] QStringList runQueryKeys();
/// The column that a key looks at; nothing for one that looks at something else, or is none.
[[nodiscard]] std::optional<RunColumn> runQueryColumn(const QString& name);
[[nodiscard]] QString runQueryKey(RunColumn column); ///< empty: no key looks at it
[[nodiscard]] QStringList runQueryHasWords();        ///< what may stand after "has:"

} // namespace accumulus::ui
