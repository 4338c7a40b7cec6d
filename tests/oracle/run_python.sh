#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a script with the Python of ACCUMULUS_PYTHON, else with the one named first. 77 (skipped) where there is none.
set -eu
python=${ACCUMULUS_PYTHON:-$1}
shift
if ! command -v "$python" > /dev/null; then
    echo "skipped: there is no Python ($python)"
    exit 77
fi
exec "$python" "$@"
