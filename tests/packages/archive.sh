#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The archive, unpacked into a folder with a space in its name, trains and opens its window in an empty home, with libraries of its own alone.
. "$(dirname "$0")/checks.sh"
needs zstd readelf ldd sha256sum
command -v qtpaths6 > /dev/null || command -v qmake6 > /dev/null || skip "neither qtpaths6 nor qmake6 is installed"
programs_are_built
"$ACCUMULUS_SOURCE/packaging/release.sh" --quick --archive --build "$ACCUMULUS_BUILD" "$scratch/the files"
(cd "$scratch/the files" && sha256sum --check --strict SHA256SUMS) || fail "checksums"
place="$scratch/a folder"
mkdir "$place"
tar -C "$place" -xf "$scratch/the files"/*.tar.zst
rm -r "$scratch/the files"
root=$(echo "$place"/accumulus-*)
[[ -d $root ]] || fail "the archive holds one folder"

tells_nothing_of_its_builder "$root"
# What programs and plugins find on this machine, beside what every system has.
for file in "$root"/bin/accumulus "$root"/bin/accumulus-cli "$root"/bin/accumulus-engine "$root"/lib/accumulus/plugins/platforms/*.so; do
    # A plugin is loaded by the program, whose search path holds for it: shown what the program would find.
    foreign=$(env -i PATH=/usr/bin:/bin LD_LIBRARY_PATH="$root/lib/accumulus/torch/lib:$root/lib/accumulus/bundled" ldd "$file" | grep -vF "$root" |
        grep -vE '^\s*(linux-vdso|/lib64/ld-|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|z)\.so)' || true)
    [[ -z $foreign ]] || fail "$file needs of the system: $foreign"
done
trains "$root"
opens "$root"
# In the menu: a command that starts this very program, in whatever folder it lies.
"${as_newcomer[@]}" "$root/add-to-menu.sh"
entry=$scratch/home/.local/share/applications/io.github.accumulus.Accumulus.desktop
if command -v desktop-file-validate > /dev/null; then desktop-file-validate "$entry" || fail "the entry of the menu"; fi
grep -qxF "Exec=\"$root/bin/accumulus\" %F" "$entry" || fail "$(grep Exec "$entry")"
"${as_newcomer[@]}" "$root/add-to-menu.sh" --remove
[[ ! -e $entry ]] || fail "the entry of the menu was not removed"
echo passed
