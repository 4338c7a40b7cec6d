#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The preset that fits this machine: "cuda" where there are an NVIDIA driver and CUDA's compiler 13 (CUDACXX, in PATH, or in CUDA's usual folder), else
# "release". Says on stderr what a machine with a GPU lacks.
set -euo pipefail

has_nvidia_driver() { [[ -e /proc/driver/nvidia/version ]] || { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }; }
has_cuda_compiler() {
    local compiler=${CUDACXX-}
    [[ -n $compiler ]] || compiler=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) || return 1
    "$compiler" --version 2>/dev/null | grep -q 'release 13\.'
}

if ! has_nvidia_driver; then
    echo release
elif has_cuda_compiler; then
    echo cuda
else
    echo "This machine has an NVIDIA GPU but no CUDA compiler (nvcc 13), so Accumulus is built for the CPU. Install the CUDA toolkit 13 to train on the GPU." >&2
    echo release
fi
