#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh clone to a running workbench: installs what is missing, builds, opens the workbench on the one-minute demo.
#   packaging/run.sh               the workbench with the demo; without a display, the same demo on the command line
#   packaging/run.sh cli ARGS      accumulus-cli ARGS
#   packaging/run.sh ARGS          the workbench with ARGS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
preset=$("$here/preset.sh") # for the GPU where there is one
if [[ $preset == cuda ]]; then PATH=$PATH:/usr/local/cuda/bin; fi
programs=$here/../build/$preset/bin

# A display that nobody listens on any more (a stale DISPLAY of an old session) counts as none.
has_display() {
    if [[ -n ${WAYLAND_DISPLAY-} && -S ${XDG_RUNTIME_DIR-/nowhere}/$WAYLAND_DISPLAY ]]; then
        return 0
    fi
    case ${DISPLAY-} in
        '') return 1 ;;
        :*)
            local number=${DISPLAY#:}
            number=${number%%.*}
            [[ -S /tmp/.X11-unix/X$number ]] || grep -q "@/tmp/.X11-unix/X$number\$" /proc/net/unix
            ;;
        *) return 0 ;;
    esac
}

if [[ ${1-} == cli ]]; then
    shift
    # What the program prints may be read by another program: set-up and build report on stderr.
    {
        "$here/setup.sh"
        "$here/build.sh" "$preset" accumulus-cli
    } >&2
    exec "$programs/accumulus-cli" "$@"
fi

"$here/setup.sh"
if has_display || [[ -n ${QT_QPA_PLATFORM-} ]]; then
    "$here/build.sh" "$preset" accumulus
    if (($# == 0)); then set -- --demo; fi
    exec "$programs/accumulus" "$@"
fi
if (($# > 0)); then
    echo "No display was found, so the workbench cannot open. \`packaging/run.sh cli ARGS\` needs none." >&2
    exit 1
fi
"$here/build.sh" "$preset" accumulus-cli
echo "No display was found, so the workbench cannot open. Running the same demo on the command line:"
exec "$programs/accumulus-cli" demo
