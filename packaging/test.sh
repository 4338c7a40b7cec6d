#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same set-up as run.sh, then every test, without a display and without a GPU. packaging/test.sh asan or tsan runs those presets.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
preset=${1:-release}
"$here/setup.sh"
"$here/build.sh" "$preset"
cd "$here/.."
export QT_QPA_PLATFORM=offscreen
ctest --preset "$preset" -j2
