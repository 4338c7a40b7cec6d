#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether what Accumulus promises on an NVIDIA GPU holds, and how fast it is: one command, one report. usage() says more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)

usage() {
    cat <<'TEXT'
Usage: packaging/test-gpu.sh [--build DIR] [--minutes N] [--report FOLDER]

Sets up and builds the cuda preset, then tries it on the first GPU, the most telling parts first: device and driver, GPU tests, traps and oracles on
the device, compute-sanitizer where it is installed, the benchmark. Each result is in FOLDER/report.md and FOLDER/report.json as soon as there is one.

  --build DIR      tries what was built elsewhere (DIR/tests, DIR/bin); nothing is set up or compiled
  --minutes N      for everything after set-up and build, 10 unless said otherwise; what there is no time for is listed
  --report FOLDER  gpu-report unless said otherwise

LIBTORCH=DIR         a LibTorch 2.11 with CUDA that is there already, for builds and programs; nothing of it is downloaded
ACCUMULUS_PYTHON     a Python with torch (and torchvision, transformers, safetensors) for oracles and peers
CUDA_VISIBLE_DEVICES another GPU than the first

Exit codes: 0 all passed, 1 something failed, 2 a wrong command line, 3 no GPU. Parts that there was no time for are no failure, the GPU tests excepted.
TEXT
}
refuse() {
    printf 'test-gpu: %s\n' "$1" >&2
    exit "$2"
}

build='' minutes=10 folder=gpu-report
while (($# > 0)); do
    case $1 in
        --build | --minutes | --report)
            [[ -n ${2-} ]] || refuse "$1 needs a value." 2
            case $1 in --build) build=$2 ;; --minutes) minutes=$2 ;; --report) folder=$2 ;; esac
            shift
            ;;
        -h | --help) usage && exit ;;
        *) usage >&2 && exit 2 ;;
    esac
    shift
done
[[ $minutes =~ ^[0-9]{1,4}(\.[0-9]{1,3})?$ && $minutes =~ [1-9] ]] || refuse "--minutes takes a number above 0, not $minutes." 2
if [[ -n $build ]]; then
    compgen -G "$build/tests/test_device_*" >/dev/null || refuse "$build is no build tree: it has no tests/test_device_* (build them with packaging/build.sh cuda)." 2
    build=$(cd "$build" && pwd)
fi

# Programs count GPUs as nvidia-smi does.
export CUDA_DEVICE_ORDER=PCI_BUS_ID
gpu=${CUDA_VISIBLE_DEVICES-0}
gpu=${gpu%%,*}
cure="Install NVIDIA's driver 580 or newer, see that nvidia-smi -L lists the card, and start again."
[[ -n $gpu && $gpu != -* ]] || refuse "no GPU to try, because CUDA_VISIBLE_DEVICES hides all of them: unset it and start again." 3
command -v nvidia-smi >/dev/null || refuse "no GPU to try, because nvidia-smi is not installed. $cure" 3
listed=$(timeout 30 nvidia-smi -L 2>&1 || true)
[[ $listed == GPU* ]] || refuse "no GPU to try, because nvidia-smi -L says \"${listed:-nothing}\". $cure" 3

command -v python3 >/dev/null || { [[ -z $build ]] && "$here/setup.sh" --cuda; } || refuse "the report needs python3. Install it and start again." 2
mkdir -p "$folder" || refuse "$folder cannot be written." 2
folder=$(cd "$folder" && pwd)
# What is in the way is taken away only where it is an earlier report's.
if [[ -e $folder/logs || -e $folder/programs ]] && [[ ! -e $folder/report.json ]]; then refuse "$folder holds other files; name an empty folder with --report." 2; fi
rm -rf "$folder"/{logs,programs,report.json,report.md}
mkdir "$folder"/{logs,programs}
work=$(mktemp -d "${TMPDIR:-/tmp}/accumulus-gpu-XXXXXX")
exec {screen}>&1
coproc WRITER { exec python3 "$here/gpu_report.py" "$folder" 2>&"$screen"; }
report() { # VERB, WORDS...: gpu_report.py says which; fails as that does
    local answer=1
    printf '%s\0' "$#" "$@" >&"${WRITER[1]}"
    read -r answer <&"${WRITER[0]}" || refuse "the report in $folder cannot be written." 1
    return "$answer"
}
now() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); } # milliseconds
seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

child='' sampler=''
# shellcheck disable=SC2317 # the traps call it
interrupted() { # SIGNAL
    trap '' INT TERM HUP
    [[ -z $sampler ]] || kill "$sampler" 2>/dev/null || true
    [[ -z $child ]] || { kill "$child" && wait "$child"; } 2>/dev/null || true
    [[ -z $child ]] || kill -KILL -- "-$child" 2>/dev/null || true
    report finish interrupted || true
    exit $((128 + $1))
}
trap 'rm -rf "$work"' EXIT
trap 'interrupted 1' HUP
trap 'interrupted 2' INT
trap 'interrupted 15' TERM

# A part has until part_end, of which each of its steps gets a share: what one leaves over is there for those that follow.
part='' part_end=0 steps_left=1 total=0 number=0 state=''
part() { # NAME PERCENT OF WHAT IS LEFT, STEPS
    part=$1 steps_left=$3
    part_end=$(($(now) + (deadline - $(now)) * $2 / 100))
    printf '%s\n' "$part"
}
leave() { # NAME, STATUS, REASON: in this part
    report leave "$part" "$1" "$2" "$3"
    state=$2
}
# Never less than a tenth of all the time where that is left, and nothing is begun with less than a sixtieth. In arguments @LOG@ is where a step's files go,
# @SECONDS@ nine tenths of its limit. The environment variable `sampled` asks for the GPU's clocks meanwhile. Sets state: passed, skipped, failed, not-run.
step() { # NAME, READER, EXPECTED, COMMAND...
    local name=$1 reader=$2 expected=$3 left limit log code=0 said
    shift 3
    left=$((part_end - $(now)))
    limit=$((left * 3 / (steps_left + 2)))
    if ((limit < total / 10)); then limit=$((left < total / 10 ? left : total / 10)); fi
    if ((steps_left > 1)); then steps_left=$((steps_left - 1)); fi
    if ((left < total / 60)); then
        leave "$name" not-run "no time left"
        return
    fi
    number=$((number + 1))
    log=$folder/logs/$(printf '%03d' "$number")-${name//[^a-zA-Z0-9_-]/-}
    set -- "${@//@LOG@/$log}"
    set -- "${@//@SECONDS@/$(seconds $((limit * 9 / 10)))}"
    report begin "$part" "$name" "$(seconds "$limit")" "$@"
    if [[ -n ${sampled-} ]]; then
        timeout "$(seconds "$limit")" nvidia-smi -i "$gpu" --query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu,utilization.gpu,memory.used \
            --format=csv,noheader,nounits -lms 250 >"$log.clocks" 2>/dev/null &
        sampler=$!
    fi
    timeout --kill-after=2 "$(seconds "$limit")" "$@" >"$log.out" 2>"$log.err" </dev/null &
    child=$!
    wait "$child" || code=$?
    kill -KILL -- "-$child" 2>/dev/null || true # its group is that of timeout: what outlived the program
    child=''
    if [[ -n $sampler ]]; then { kill "$sampler" && wait "$sampler"; } 2>/dev/null || true; fi
    sampler=''
    said=0
    report end "$reader" "$expected" "$code" "$log" || said=$?
    case $said in 0) state=passed ;; 77) state=skipped ;; *) state=failed ;; esac
}

fields=index,name,driver_version,compute_cap,compute_mode,memory.total,memory.used,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.draw,power.limit,temperature.gpu,pstate
timeout 30 nvidia-smi -i "$gpu" --query-gpu=$fields --format=csv,nounits >"$work/device.csv" 2>/dev/null ||
    timeout 30 nvidia-smi -i "$gpu" --query-gpu=index,name,driver_version,memory.total --format=csv,nounits >"$work/device.csv" || true
report start minutes="$minutes" commit="$(git -C "$source" describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || true)" \
    accumulus="$(sed -nE 's/^project\(Accumulus VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")" system="$(uname -srm)" \
    python="$(python3 -V 2>&1)" device.cuda="$(timeout 30 nvidia-smi 2>/dev/null | sed -nE 's/.*CUDA Version: *([0-9.]+).*/\1/p' | head -1)" \
    build="${build:-build/cuda}"
report device "$work/device.csv"

PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
# shellcheck source=packaging/gpu_parts.sh
. "$here/gpu_parts.sh"
if [[ -z $build ]]; then
    if ! set_up_and_build; then
        for part in device tests traps sanitizer bench; do leave "all of it" not-run "there is no build"; done
        code=0
        report finish ended || code=$?
        exit "$code"
    fi
    build=$source/build/cuda
fi

total=$(awk -v minutes="$minutes" 'BEGIN {printf "%d", minutes * 60000}')
deadline=$(($(now) + total))
prepare
device_part
tests_part
traps_part
sanitizer_part
bench_part
code=0
report finish ended || code=$?
exit "$code"
