#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Accumulus is built with: Debian or Ubuntu packages, and LibTorch in a cache outside the clone.
# Safe to run again at any time; a second run only looks and takes less than a second.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/setup.sh [--cpu | --cuda] [--oracles] [--hosts] [--release]

  --cpu      the small set of LibTorch wheels (1.2 GB installed), the default
  --cuda     the set with the CUDA libraries (5 GB installed), the default where an NVIDIA driver and nvcc 13 are found
  --oracles  also what the oracles of tests/oracle compare with: Python packages (230 MB), and Chromium for the reports (400 MB)
  --hosts    also an SSH server and Slurm, of which the tests of training on other machines start copies of their own
  --release  also what packaging/release.sh packs and packs with

LIBTORCH=DIR uses an existing LibTorch 2.11 (a `torch` package folder or an unpacked libtorch) and downloads nothing.
The cache is $XDG_CACHE_HOME/accumulus, or ~/.cache/accumulus.
TEXT
}

# a|b: the first of the two names that the distribution knows.
packages=(
    g++ cmake ninja-build ccache pkg-config git python3 python3-pip
    qt6-base-dev 'qt6-svg-dev|libqt6svg6-dev' qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl1-mesa-dev libegl-dev
    libqcustomplot-dev libsqlitecpp-dev libsqlite3-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libspdlog-dev
    libfmt-dev libboost-dev libeigen3-dev zlib1g-dev libminizip-dev libmimalloc-dev libexpected-dev libxxhash-dev libstb-dev libcsv-dev
    libopenmpi-dev openmpi-bin openssh-client
    qt6-translations-l10n desktop-file-utils appstream
    'dbus-daemon|dbus' xvfb xauth poppler-utils strace fonts-dejavu-core fonts-noto-cjk 'clang-format-14|clang-format'
)
oracle_packages=('chromium|chromium-browser')
host_packages=(openssh-server openssh-sftp-server slurm-wlm munge)
release_packages=(binutils dpkg-dev file qt6-wayland xz-utils zstd)
torch_version=2.11.0
# The wheels by name, version and SHA-256.
requirements=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/requirements
cache=${XDG_CACHE_HOME:-$HOME/.cache}/accumulus

as_root=()

say() { printf '%s\n' "$*"; }
stop() {
    printf 'setup: %s\n' "$1" >&2
    shift
    (($# == 0)) || printf '%s\n' "$@" >&2
    exit 1
}

# The packages of the list that are not installed, under the name to install them by.
missing_packages() {
    local installed entry name choice
    installed=" $(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | tr '\n' ' ') "
    for entry in "${packages[@]}"; do
        choice=
        for name in ${entry//|/ }; do
            if [[ $installed == *" $name "* ]]; then
                continue 2
            fi
            if [[ -z $choice && $entry == *'|'* ]] && apt-cache show "$name" >/dev/null 2>&1; then
                choice=$name
            fi
        done
        say "${choice:-${entry%%|*}}"
    done
}

install_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "This system has no apt-get. Please install the equivalents of: ${packages[*]}"
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} == 0)); then
        return
    fi
    if ((EUID != 0)); then
        # Without a terminal sudo cannot ask for a password.
        if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
            stop "${#missing[@]} packages are missing, and installing them takes root. Please run this line as root, then start again:" \
                "apt-get update && apt-get install --no-install-recommends ${missing[*]}"
        fi
        as_root=(sudo)
    fi
    if ! apt-cache show g++ >/dev/null 2>&1; then
        refresh_package_lists
        mapfile -t missing < <(missing_packages)
    fi
    apt_install "${missing[@]}" && return
    # Old package lists are the usual reason for a failure.
    refresh_package_lists
    mapfile -t missing < <(missing_packages)
    apt_install "${missing[@]}" || stop "The packages could not be installed; the messages of apt-get above say why."
}

refresh_package_lists() {
    say "Refreshing the list of packages ..."
    "${as_root[@]}" apt-get update || say "Not every list could be refreshed; going on with those that are there."
}

apt_install() {
    say "Installing $# packages: $*"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}


complete() { [[ -e $cache/libtorch-$torch_version-$1/torch/lib/libtorch_cpu.so ]]; }

check_own_libtorch() {
    local root header version
    for root in "$LIBTORCH" "$LIBTORCH/torch"; do
        header=$root/include/torch/headeronly/version.h
        if [[ -e $root/include/torch/csrc/api/include/torch/torch.h && -e $header ]]; then
            version=$(sed -nE 's/.*define TORCH_VERSION_(MAJOR|MINOR) ([0-9]+).*/\2/p' "$header" | paste -sd.)
            [[ $version == "${torch_version%.*}" ]] || stop "LIBTORCH=$LIBTORCH is LibTorch $version; ${torch_version%.*} is needed."
            say "LibTorch: $root (from LIBTORCH)"
            return
        fi
    done
    stop "LIBTORCH=$LIBTORCH holds no LibTorch: include/torch/csrc/api/include/torch/torch.h is not there." \
        "Give the folder of a \`torch\` package or of an unpacked libtorch, or leave LIBTORCH unset."
}

check_python() {
    command -v python3 >/dev/null || stop "python3 is needed to fetch LibTorch. Install python3 and python3-pip, or set LIBTORCH=DIR."
    python3 -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 14))' ||
        stop "LibTorch $torch_version comes for Python 3.10 to 3.14, but python3 is $(python3 -V). Set LIBTORCH=DIR to an existing LibTorch."
    python3 -m pip --version >/dev/null 2>&1 || stop "python3 has no pip. Install python3-pip, or set LIBTORCH=DIR to an existing LibTorch."
    case $(uname -m) in
        x86_64 | aarch64) ;;
        *) stop "There is no LibTorch package for $(uname -m). Build LibTorch $torch_version yourself and set LIBTORCH=DIR." ;;
    esac
}

check_space() { # <MB needed>
    local free
    free=$(df -Pm "$cache" | awk 'NR == 2 {print $4}')
    if ((free < $1)); then
        stop "LibTorch needs $1 MB in $cache while it is installed, but only $free MB are free there." \
            "Free some space, or set XDG_CACHE_HOME to a folder on a larger disk."
    fi
}

install_libtorch() { # cpu | cuda
    local flavour=$1 final=$cache/libtorch-$torch_version-$1 partial=$cache/libtorch-$torch_version-$1.partial
    if [[ $flavour == cpu ]]; then
        set -- 2500 "550 MB"
    else
        set -- 9000 "2.5 GB"
    fi
    check_python
    check_space "$1"
    say "Fetching LibTorch $torch_version, the $flavour set: about $2, once, into $cache ..."
    rm -rf "$partial"
    mkdir -p "$partial/.tmp"
    # pip unpacks under TMPDIR and then moves: kept beside the target, that is a rename, and a small /tmp does no harm.
    # The files list everything that is needed, with its hash; pip adds nothing of its own.
    if ! TMPDIR=$partial/.tmp PIP_USER=0 python3 -m pip install --no-cache-dir --disable-pip-version-check --no-compile \
        --root-user-action=ignore --only-binary=:all: --no-deps --require-hashes --target "$partial" \
        -r "$requirements/libtorch-$flavour.txt"; then
        rm -rf "$partial"
        stop "LibTorch could not be fetched; pip's own messages above say why. Nothing half-made was left behind; start again when it is mended."
    fi
    rm -rf "$partial/.tmp" "$final"
    mv "$partial" "$final"
}

flavour=
oracles=
for option in "$@"; do
    case $option in
        --oracles)
            oracles=yes
            packages+=("${oracle_packages[@]}")
            ;;
        --hosts) packages+=("${host_packages[@]}") ;;
        --release) packages+=("${release_packages[@]}") ;;
        --cpu | --cuda) flavour=${option#--} ;;
        -h | --help)
            usage
            exit
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
done

install_packages
if [[ -n ${LIBTORCH-} ]]; then
    check_own_libtorch
    [[ -z ${oracles-} ]] || say "The Python oracles need the LibTorch of the cache: with LIBTORCH set they are not set up."
    exit
fi
if [[ -z $flavour ]]; then
    if [[ $("$(dirname "${BASH_SOURCE[0]}")/preset.sh" 2>/dev/null) == cuda ]]; then flavour=cuda; else flavour=cpu; fi
fi
if ! complete "$flavour" && ! { [[ $flavour == cpu ]] && complete cuda; }; then
    mkdir -p "$cache"
    # Two set-ups at once: the second waits and then finds everything done.
    exec 9>"$cache/setup.lock"
    if ! flock -n 9; then
        say "Another set-up is at work; waiting for it ..."
        flock 9
    fi
    complete "$flavour" || install_libtorch "$flavour"
fi
if ! complete "$flavour"; then flavour=cuda; fi
say "LibTorch: $cache/libtorch-$torch_version-$flavour"
if [[ -n $oracles ]]; then
    "$(dirname "${BASH_SOURCE[0]}")/oracles.sh" "$cache/libtorch-$torch_version-$flavour/torch" "$cache/oracles" ||
        say "The Python oracles could not be set up: their tests will be skipped."
fi
