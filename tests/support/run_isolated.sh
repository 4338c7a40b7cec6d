#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a test in a home of its own, so that it neither sees nor touches the person's files.
set -eu
unset DBUS_SESSION_BUS_ADDRESS # and the desktop's settings with it
home=$(mktemp -d "${TMPDIR:-/tmp}/accumulus-test-XXXXXX")
trap 'rm -rf "$home"' EXIT
mkdir "$home/run"
chmod 700 "$home/run"
HOME=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_RUNTIME_DIR=$home/run "$@"
