#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian package: its dependencies, what it holds, and that dpkg installs it, it runs from there, and nothing stays when it goes.
# In an empty root without the packages it depends on; clean_root.sh has them installed, too.
. "$(dirname "$0")/checks.sh"
needs cpack dpkg-deb dpkg-shlibdeps file readelf
programs_are_built
(umask 077 && "$ACCUMULUS_SOURCE/packaging/release.sh" --quick --deb --build "$ACCUMULUS_BUILD" "$scratch/files")
package=$(echo "$scratch"/files/*.deb)
depends=$(dpkg-deb -f "$package" Depends)
for needed in libqt6widgets6 libqcustomplot libsqlite3-0 libc6; do [[ $depends == *"$needed"* ]] || fail "Depends does not name $needed: $depends"; done
[[ $depends != *torch* ]] || fail "LibTorch is inside, and still asked for: $depends"

# For everybody, whatever the umask of who packs it.
awkward=$(dpkg-deb -c "$package" | awk '/^d/ && $1 != "drwxr-xr-x" || /^-/ && substr($1, 2) !~ /^r..r..r..$/ {print $1, $6}')
[[ -z $awkward ]] || fail "not everybody can read: $awkward"

root=$scratch/root
mkdir -p "$root/var/lib/dpkg"/{info,updates,triggers} "$root/usr/bin"
touch "$root/var/lib/dpkg/status"
as_dpkg=()
if ((EUID != 0)); then
    needs fakeroot
    as_dpkg=(fakeroot)
fi
find "$root" -type f | sort > "$scratch/before"
"${as_dpkg[@]}" dpkg --root="$root" --force-not-root --force-depends --force-script-chrootless --log="$scratch/dpkg.log" -i "$package" || fail "dpkg -i"
rm -r "$scratch/files"
tells_nothing_of_its_builder "$root"
for file in usr/bin/accumulus usr/bin/accumulus-cli usr/bin/accumulus-engine usr/share/applications/io.github.accumulus.Accumulus.desktop usr/share/doc/accumulus/copyright \
    usr/share/metainfo/io.github.accumulus.Accumulus.metainfo.xml usr/share/icons/hicolor/scalable/apps/io.github.accumulus.Accumulus.svg; do
    [[ -e $root/$file ]] || fail "there is no $file"
done
trains "$root/usr/bin"
opens "$root/usr/bin"
"${as_dpkg[@]}" dpkg --root="$root" --force-not-root --force-script-chrootless --log="$scratch/dpkg.log" --purge accumulus || fail "dpkg --purge"
left=$(find "$root" -type f ! -path '*/var/lib/dpkg/*' | sort | comm -13 "$scratch/before" -)
[[ -z $left ]] || fail "these stayed: $left"
[[ ! -e $root/usr/lib/accumulus && ! -e $root/usr/share/accumulus ]] || fail "folders stayed"
echo passed
