#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same set-up as run.sh, then every test, without a display and without a GPU; what was skipped is listed at the end with its reason.
# packaging/test.sh asan or tsan builds and runs what these presets are for: the tests of the core, and those with threads of their own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
preset=${1:-release}
jobs=$(nproc)
(($# == 0)) || shift # the rest is for ctest
case $preset in
    asan) targets=(tests-core) ;;
    tsan) targets=(tests-threads) ;;
    *)
        targets=()
        jobs=$(($(nproc) * 2)) # most tests wait; those that compute count for more than one (PROCESSORS in tests/CMakeLists.txt)
        ;;
esac
"$here/setup.sh"
"$here/build.sh" "$preset" ${targets[@]+"${targets[@]}"}
cd "$here/.."
export QT_QPA_PLATFORM=offscreen
oracles=${XDG_CACHE_HOME:-$HOME/.cache}/accumulus/oracles/python
if [[ -z ${ACCUMULUS_PYTHON-} && -x $oracles ]]; then export ACCUMULUS_PYTHON=$oracles; fi
results=$PWD/build/$preset/tests.xml
rm -f "$results" # of another time
code=0
ctest --preset "$preset" -j"$jobs" ${1+"$@"} --output-junit "$results" --test-output-size-passed 10000000 --test-output-size-failed 10000000 || code=$?
if [[ -e $results ]]; then "$here/test_summary.py" "$results"; fi
exit "$code"
