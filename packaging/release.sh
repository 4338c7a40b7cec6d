#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes what people without a compiler install, with checksums. For CPUs.
set -euo pipefail
umask 022 # what is packed is for everybody
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'TEXT'
Usage: packaging/release.sh [--quick] [--archive | --deb] [--build DIR] [FOLDER]

Writes into FOLDER (build/release-files unless said otherwise):
  accumulus-VERSION-linux-ARCH.tar.zst   unpack anywhere and start; brings Qt and everything else
  accumulus_VERSION_ARCH.deb             for the release of Debian or Ubuntu that this machine runs
  SHA256SUMS

  --archive, --deb   only that one
  --quick            larger files in a few seconds, for tests
  --build DIR        packs what was built there; else the release preset is built first
TEXT
}

want=(archive deb)
level=(-19 -T0)
deb_compression=xz
build=
folder=$here/../build/release-files
while (($# > 0)); do
    case $1 in
        --quick) level=(-1 -T0) deb_compression=none ;;
        --archive | --deb) want=("${1#--}") ;;
        --build) build=${2:?--build needs a folder} && shift ;;
        -h | --help) usage && exit ;;
        -*) usage >&2 && exit 2 ;;
        *) folder=$1 ;;
    esac
    shift
done

if [[ -z $build ]]; then
    "$here/setup.sh" --cpu --release
    "$here/build.sh" release accumulus accumulus-cli accumulus_mpi
    build=$here/../build/release
fi
build=$(cd "$build" && pwd)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
stage=$(mktemp -d "$folder/.stage-XXXXXX")
trap 'rm -rf "$stage"' EXIT
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
files=()

archive() {
    local name=accumulus-$version-linux-$(uname -m)
    local root=$stage/$name
    cmake --install "$build" --prefix "$root" --strip > "$stage/install.log"
    "$here/bundle.sh" "$root"
    ln -s bin/accumulus bin/accumulus-cli "$root"
    install -m755 "$here/add-to-menu.sh" "$root"
    # The same files make the same archive.
    tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | zstd -q "${level[@]}" -o "$stage/$name.tar.zst"
    files+=("$name.tar.zst")
}

deb() {
    if ! (cd "$stage" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$stage/deb" -D CPACK_DEBIAN_COMPRESSION_TYPE="$deb_compression") > "$stage/cpack.log" 2>&1; then
        cat "$stage/cpack.log" >&2
        return 1
    fi
    local made=("$stage"/deb/*.deb)
    mv "${made[0]}" "$stage"
    files+=("$(basename "${made[0]}")")
}

for kind in "${want[@]}"; do
    echo "Making the $kind ..."
    "$kind"
done
(cd "$stage" && sha256sum "${files[@]}" > SHA256SUMS && mv "${files[@]}" SHA256SUMS "$folder")
(cd "$folder" && ls -lh "${files[@]}" SHA256SUMS)
