#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Both packages in a system as it is just after its installation, made by debootstrap: the archive starts there as it is, and apt installs the Debian package with
# what it depends on, which then starts, and is gone after a purge. Takes root, the network and minutes: only on demand.
. "$(dirname "$0")/checks.sh"
[[ ${ACCUMULUS_CLEAN_ROOT-} == yes ]] || skip "takes root, the network and minutes; ACCUMULUS_CLEAN_ROOT=yes runs it"
((EUID == 0)) || skip "making a clean root takes root"
needs debootstrap chroot cpack dpkg-shlibdeps zstd
programs_are_built
. /etc/os-release
root=$scratch/root
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME)' | awk -v name="$VERSION_CODENAME" '$2 == name || $3 == name {print $1; exit}')
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" > "$scratch/debootstrap.log" || fail "$(tail -3 "$scratch/debootstrap.log")"
trap 'umount "$root/proc" 2> /dev/null || true; rm -rf "$scratch"' EXIT
mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# A person without rights and with an empty home.
inside useradd --create-home person
as_person=(chroot --userspec=person:person "$root" env -i HOME=/home/person PATH=/usr/bin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen)
works() { # FOLDER WITH PROGRAMS
    "${as_person[@]}" "$1/accumulus-cli" run "$1/../${2}/first-comparison.toml" --set data.train_limit=1000 --set study.seeds=[0] > "$scratch/run.log" 2>&1 ||
        fail "accumulus-cli in the clean root: $(tail -5 "$scratch/run.log")"
    # Once it has made its library it is asked to quit.
    local library=$root/home/person/.local/share/accumulus/library.sqlite code=0 i window
    rm -f "$library"
    "${as_person[@]}" "$1/accumulus" > "$scratch/window.log" 2>&1 &
    window=$!
    for ((i = 0; i < 1200; i++)); do
        if [[ -s $library ]] || ! kill -0 "$window" 2> /dev/null; then break; fi
        sleep 0.1
    done
    sleep 1
    kill -TERM "$window" 2> /dev/null || true
    wait "$window" || code=$?
    [[ $code == 0 && -s $library ]] || fail "the workbench in the clean root ended with $code: $(cat "$scratch/window.log")"
    rm -r "$root/home/person/.local"
}

"$ACCUMULUS_SOURCE/packaging/release.sh" --quick --build "$ACCUMULUS_BUILD" "$scratch/files"
mkdir "$root/opt/a folder"
tar -C "$root/opt/a folder" -xf "$scratch"/files/*.tar.zst
name=$(basename "$root/opt/a folder"/accumulus-*)
works "/opt/a folder/$name/bin" share/accumulus/experiments
echo "The archive starts in a clean root."

cp "$scratch"/files/*.deb "$root/tmp/accumulus.deb"
inside apt-get update > "$scratch/apt.log" || fail "$(cat "$scratch/apt.log")"
inside apt-get install -y --no-install-recommends /tmp/accumulus.deb > "$scratch/apt.log" 2>&1 || fail "$(tail -5 "$scratch/apt.log")"
works /usr/bin share/accumulus/experiments
inside apt-get purge -y accumulus >> "$scratch/apt.log" 2>&1 || fail "$(tail -5 "$scratch/apt.log")"
left=$(find "$root" -xdev -iname '*accumulus*' ! -path '*/opt/*' ! -path '*/tmp/*' ! -path '*/proc/*' ! -path '*/var/log/*' ! -path '*/home/*') # a person's settings are the person's
[[ -z $left ]] || fail "these stayed: $left"
echo passed
