#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts Accumulus, from where this file lies, into the menu of the person who runs it; --remove takes it out again. Not needed to start it: ./accumulus does.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
id=io.github.accumulus.Accumulus
entry=$data/applications/$id.desktop
icon=$data/icons/hicolor/scalable/apps/$id.svg
if [ "${1-}" = --remove ]; then
    rm -f "$entry" "$icon"
else
    mkdir -p "$data/applications" "$data/icons/hicolor/scalable/apps"
    cp "$here/share/icons/hicolor/scalable/apps/$id.svg" "$icon"
    # In quotes, because a path may hold spaces; what quotes do not protect is escaped, once for the quotes and once for the file.
    program=$(printf '%s' "$here/bin/accumulus" | sed 's/[\\"`$]/\\&/g; s/\\/\\\\/g; s/%/%%/g')
    PROGRAM=$program awk '/^Exec=/ {print "Exec=\"" ENVIRON["PROGRAM"] "\" %F"; next} {print}' "$here/share/applications/$id.desktop" > "$entry"
fi
if command -v update-desktop-database > /dev/null; then update-desktop-database -q "$data/applications" || true; fi
