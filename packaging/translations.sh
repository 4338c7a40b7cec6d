#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings resources/translations up to date with the sources: new sentences come in as unfinished, for Qt Linguist or an editor;
# those that are gone leave. English holds the plurals only. The tests fail until every sentence is translated.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target translation_sources
lupdate=$(command -v lupdate6 || command -v /usr/lib/qt6/bin/lupdate || command -v lupdate)
update() {
    "$lupdate" app/workbench widgets "build/$preset/translations/core_sentences.cpp" -I . -locations none -no-obsolete \
        -source-language en "$@"
}
update -pluralonly -target-language en -ts resources/translations/accumulus_en.ts
update -target-language zh_CN -ts resources/translations/accumulus_zh_CN.ts
