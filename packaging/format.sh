#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats the C++ sources as .clang-format says, or with --check only names those that differ. Another release of clang-format lays out differently, so
# only release 14 counts; where it is missing, a check says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
release=14

case ${1-} in
    '') action=(-i) ;;
    --check) action=(--dry-run --Werror) ;;
    *)
        echo "Usage: packaging/format.sh [--check]" >&2
        exit 2
        ;;
esac

for program in "${CLANG_FORMAT-}" "clang-format-$release" clang-format; do
    [[ -n $program ]] && command -v "$program" >/dev/null || continue
    version=$("$program" --version)
    [[ $version =~ version\ ([0-9]+) ]] && [[ ${BASH_REMATCH[1]} == "$release" ]] && break
    echo "format: $program is not release $release ($version)." >&2
    program=
done
if [[ -z $program ]]; then
    echo "format: skipped, for lack of clang-format $release." >&2
    [[ ${1-} == --check ]] && exit
    exit 1
fi

if ! git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' '*.cu' | xargs -0 -r "$program" "${action[@]}"; then
    echo "format: packaging/format.sh mends what is listed above." >&2
    exit 1
fi
