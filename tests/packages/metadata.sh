#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What menus, file managers and software centres read of Accumulus is valid, and agrees with the program.
. "$(dirname "$0")/checks.sh"
id=io.github.accumulus.Accumulus
here=$ACCUMULUS_SOURCE/packaging
needs desktop-file-validate appstreamcli
desktop-file-validate "$here/$id.desktop" || fail "the desktop entry"
appstreamcli validate --no-net "$here/$id.metainfo.xml" || fail "the AppStream metainfo"
for line in 'Exec=accumulus %F' "Icon=$id" 'MimeType=application/toml;'; do
    grep -qxF "$line" "$here/$id.desktop" || fail "the desktop entry has no line $line"
done
version=$(sed -nE 's/^project\(Accumulus VERSION ([0-9.]+).*/\1/p' "$ACCUMULUS_SOURCE/CMakeLists.txt")
grep -qF "<release version=\"$version\"" "$here/$id.metainfo.xml" || fail "the metainfo does not know version $version"
# A mistake is seen.
sed 's/^Type=.*/Type=Nonsense/' "$here/$id.desktop" > "$scratch/$id.desktop"
if desktop-file-validate "$scratch/$id.desktop" > "$scratch/said" 2>&1; then fail "a desktop entry of no type passed"; fi
grep -v '<id>' "$here/$id.metainfo.xml" > "$scratch/$id.metainfo.xml"
if appstreamcli validate --no-net "$scratch/$id.metainfo.xml" > "$scratch/said" 2>&1; then fail "a metainfo without id passed"; fi
echo passed
