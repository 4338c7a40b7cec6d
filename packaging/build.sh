#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Configures and builds one preset: packaging/build.sh PRESET [TARGET...]. As many compilers at once as cores and memory (2 GB each) allow.
set -euo pipefail
if [[ -d ${LIBTORCH-} ]]; then LIBTORCH=$(cd "$LIBTORCH" && pwd) && export LIBTORCH; fi # relative to the caller's folder
cd "$(dirname "$0")/.."
preset=${1:?packaging/build.sh needs a preset, for example release}
shift

mkdir -p "build/$preset"
exec 9>"build/$preset/.building" # two builds in one folder would spoil each other: the second waits
flock 9

# LIBTORCH may have changed since the last time, so its place is looked up anew. The configure step only speaks when it fails.
if ! log=$(cmake --preset "$preset" -ULIBTORCH_ROOT 2>&1); then
    printf '%s\n' "$log" >&2
    exit 1
fi
# Presets and clones share the compiler cache.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
cores=$(nproc)
by_memory=$(awk '/^MemTotal/ {print int($2 / 2097152)}' /proc/meminfo)
jobs=$((by_memory < cores ? by_memory : cores))
cmake --build --preset "$preset" --parallel $((jobs < 1 ? 1 : jobs)) ${1+--target "$@"}
