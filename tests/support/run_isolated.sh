#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a test in a home of its own, so that it neither sees nor touches the person's files. What it leaves behind goes with the home; names of any bytes do, which
# Qt cannot remove. Sockets lie below TMPDIR, and their paths hold about 100 characters: the names are short.
set -eu
unset DBUS_SESSION_BUS_ADDRESS # and the desktop's settings with it
home=$(mktemp -d "${TMPDIR:-/tmp}/accumulus-test-XXXXXX")
# Daemons that a test left behind may write for a moment longer.
trap 'rm -rf "$home" 2>/dev/null || { sleep 1 && rm -rf "$home"; }' EXIT
trap 'exit 143' TERM INT HUP
chmod 711 "$home" # tests with another user's rights reach their files
mkdir "$home/run" "$home/tmp"
chmod 700 "$home/run"
HOME=$home TMPDIR=$home/tmp XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_RUNTIME_DIR=$home/run "$@"
