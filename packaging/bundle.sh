#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/bundle.sh PREFIX makes an installed tree independent of the distribution: it adds Qt's plugins and every library that programs and plugins need,
# each with its licence, and bin/qt.conf, by which Qt finds them. Programs look there first (the RPATH of packaging/cmake/Install.cmake).
#
# Left to the system: the C and C++ runtime and zlib, which every distribution has and whose newer releases run older programs; MPI and CUPS, which must be those
# of the machine and are only used where they are installed.
set -euo pipefail
umask 022 # what is bundled is for everybody
prefix=$(cd "${1:?packaging/bundle.sh needs the prefix of an installed tree}" && pwd)
libtorch=$(find "$prefix" -name libtorch_cpu.so | head -1)
private=${libtorch%/torch/lib/*}
[[ -n $libtorch ]] || { echo "bundle: $prefix has no LibTorch. Install with ACCUMULUS_INSTALL_LIBTORCH=ON." >&2; exit 1; }
bundled=$private/bundled
plugins=$private/plugins
systems='(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|z))\.so.*'

qt=$(command -v qtpaths6 || command -v qmake6 || command -v /usr/lib/qt6/bin/qtpaths) || { echo "bundle: neither qtpaths6 nor qmake6 was found." >&2; exit 1; }
ask_qt() { "$qt" -query "$1" 2>/dev/null || "$qt" --query "$1"; }
of_qt=$(ask_qt QT_INSTALL_PLUGINS)
translations=$(ask_qt QT_INSTALL_TRANSLATIONS)

# Without the plugins of OpenGL, which would have to fit the machine's driver: the workbench paints by itself.
mkdir -p "$bundled" "$plugins" "$prefix/share/accumulus/translations"
for plugin in platforms/libq{xcb,offscreen,minimal}.so platforms/libqwayland-generic.so wayland-shell-integration/*.so wayland-decoration-client/*.so \
    platforminputcontexts/*.so platformthemes/libqxdgdesktopportal.so iconengines/libqsvgicon.so imageformats/libq{svg,jpeg}.so printsupport/libcupsprintersupport.so; do
    for file in "$of_qt"/$plugin; do
        if [[ -e $file ]]; then install -Dm644 "$file" "$plugins/${file#"$of_qt"/}"; fi
    done
done
for words in "$translations"/qtbase_zh_CN.qm; do
    if [[ -e $words ]]; then install -m644 "$words" "$prefix/share/accumulus/translations"; fi
done
up=$(realpath --relative-to="$prefix" "$private")
printf '[Paths]\nPrefix=..\nPlugins=%s/plugins\nTranslations=share/accumulus/translations\n' "$up" > "$prefix/bin/qt.conf"

# ldd names what a file needs and what that needs in turn.
mapfile -t programs < <(find "$prefix/bin" "$plugins" -type f \( -perm -u=x -o -name '*.so' \) ! -path '*/printsupport/*')
needed=$(env -u LD_LIBRARY_PATH ldd "${programs[@]}")
if missing=$(grep 'not found' <<< "$needed" | sort -u); then
    printf 'bundle: libraries are missing on this machine:\n%s\n' "$missing" >&2
    exit 1
fi
sed -nE 's|^\s*(\S+) => (/.*) \(0x[0-9a-f]+\)$|\1 \2|p' <<< "$needed" | sort -u | while read -r name file; do
    if [[ $name =~ ^$systems$ || -e $private/torch/lib/$name || $file == "$prefix"/* ]]; then continue; fi
    install -m644 "$file" "$bundled/$name"
    # The licence of its package. Where /lib is /usr/lib, a file may be listed under either name.
    package=$(dpkg-query -S "$(realpath "$file")" 2>/dev/null || dpkg-query -S "/lib/${file#*/lib/}" 2>/dev/null || true)
    package=${package%%:*}
    if [[ -n $package && -e /usr/share/doc/$package/copyright ]]; then
        install -Dm644 "/usr/share/doc/$package/copyright" "$prefix/share/doc/accumulus/licences/bundled/$package"
    fi
done
