#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/preset.sh builds for the GPU only where it can be used, on machines that are made up: a driver that answers or not, compilers of CUDA.
. "$(dirname "$0")/checks.sh"
[[ ! -e /proc/driver/nvidia/version ]] || skip "this machine has an NVIDIA driver of its own"
mkdir "$scratch/driver" "$scratch/broken" "$scratch/new" "$scratch/old"
make() { printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1"; }
make "$scratch/driver/nvidia-smi" 'echo "GPU 0: NVIDIA Fake 1"'
make "$scratch/broken/nvidia-smi" 'exit 9'
make "$scratch/new/nvcc" 'echo "Cuda compilation tools, release 13.0, V13.0.88"'
make "$scratch/old/nvcc" 'echo "Cuda compilation tools, release 11.8, V11.8.89"'
chosen() { # FOLDERS: before the system's
    PATH=$1:/usr/bin:/bin CUDACXX=${compiler-} "$ACCUMULUS_SOURCE/packaging/preset.sh" 2> "$scratch/said"
}
expect() { # PRESET FOLDERS
    local found
    found=$(chosen "$2")
    [[ $found == "$1" ]] || fail "$2: $found instead of $1"
}
expect cuda "$scratch/driver:$scratch/new"
[[ ! -s $scratch/said ]] || fail "it says something where nothing lacks"
expect release "$scratch/driver:$scratch/old"
grep -q 'nvcc 13' "$scratch/said" || fail "it does not say what lacks"
expect release "$scratch/broken:$scratch/new"
expect release "$scratch/new"
[[ ! -s $scratch/said ]] || fail "a machine without a GPU lacks nothing"
compiler=$scratch/new/nvcc expect cuda "$scratch/driver:$scratch/old"
echo passed
