#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether what Accumulus promises on an NVIDIA GPU holds, and how fast it is: one command, one report. usage() says more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)

usage() {
    cat <<'TEXT'
Usage: packaging/test-gpu.sh [--build DIR] [--minutes N] [--parts LIST] [--report FOLDER]

Sets up and builds the cuda preset, then tries it on the first GPU, the most telling parts first: device and driver, GPU tests, traps and oracles on
the device, compute-sanitizer where it is installed, the benchmark. Each result is in FOLDER/report.md and FOLDER/report.json as soon as there is one.

  --build DIR      tries what was built elsewhere (DIR/tests, DIR/bin); nothing is set up or compiled
  --minutes N      for everything after set-up and build, 10 unless said otherwise; what there is no time for is listed
  --parts LIST     only these, separated by commas: device, tests, traps, sanitizer, bench
  --report FOLDER  gpu-report unless said otherwise

LIBTORCH=DIR         a LibTorch 2.11 with CUDA that is there already, for builds and programs; nothing of it is downloaded
ACCUMULUS_PYTHON     a Python with torch (and torchvision, transformers, safetensors) for oracles and peers
CUDA_VISIBLE_DEVICES another GPU than the first

Exit codes: 0 all passed, 1 something failed or a GPU test that was to run did not, 2 nothing was tried (a wrong command line or build, no python3, or a FOLDER that cannot take the report),
3 no GPU. What else there was no time for is no failure. Ctrl+C ends it at any time and leaves a report; a signal to this script alone waits, during set-up
and build, for the command that is under way.
TEXT
}
refuse() {
    printf 'test-gpu: %s\n' "$1" >&2 || true
    exit "$2"
}

all_parts=(device tests traps sanitizer bench)
build='' minutes=10 folder=gpu-report parts=''
while (($# > 0)); do
    case $1 in
        --build | --minutes | --parts | --report)
            [[ -n ${2-} ]] || refuse "$1 needs a value." 2
            case $1 in --build) build=$2 ;; --minutes) minutes=$2 ;; --parts) parts=$2 ;; --report) folder=$2 ;; esac
            shift
            ;;
        -h | --help) usage && exit ;;
        *) usage >&2 && exit 2 ;;
    esac
    shift
done
[[ $minutes =~ ^[0-9]{1,4}(\.[0-9]{1,3})?$ && $minutes =~ [1-9] ]] || refuse "--minutes takes a number above 0, not $minutes." 2
parts=${parts:-$(IFS=,; printf '%s' "${all_parts[*]}")}
for name in ${parts//,/ }; do
    [[ " ${all_parts[*]} " == *" $name "* ]] || refuse "--parts knows no $name; it takes ${all_parts[*]}, separated by commas." 2
done
if [[ -n $build ]]; then
    built=''
    for program in "$build"/tests/test_device_*; do if [[ -x $program ]]; then built=yes; fi; done # in a tree that is only configured, links to nothing
    [[ -n $built ]] || refuse "$build has no tests/test_device_* that can be started (build them with packaging/build.sh cuda)." 2
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
grep -q '^GPU ' <<<"$listed" || refuse "no GPU to try, because nvidia-smi -L says \"${listed:-nothing}\". $cure" 3

command -v python3 >/dev/null || { [[ -z $build ]] && "$here/setup.sh" --cuda; } || refuse "the report needs python3. Install it and start again." 2
{ mkdir -p "$folder" && [[ -w $folder ]]; } || refuse "$folder cannot be written." 2
folder=$(cd "$folder" && pwd)
# What is in the way is taken away only where it is an earlier report's.
for file in logs programs report.json report.md; do
    [[ ! -e $folder/$file ]] || grep -qsF '"program": "packaging/test-gpu.sh"' "$folder/report.json" ||
        refuse "$folder/$file is in the way and of no earlier report; name another folder with --report." 2
done
work=$(mktemp -d "${TMPDIR:-/tmp}/accumulus-gpu-XXXXXX")
trap 'rm -rf "$work"' EXIT
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
    trap '' INT TERM HUP PIPE
    [[ -z $sampler ]] || kill "$sampler" 2>/dev/null || true
    [[ -z $child ]] || { kill "$child" && wait "$child"; } 2>/dev/null || true
    [[ -z $child ]] || kill -KILL -- "-$child" 2>/dev/null || true
    report finish interrupted || true
    exit $((128 + $1))
}
# First of all a report: whoever interrupts has something to end, and the next run knows the folder for one of its own.
report start minutes="$minutes" asked="$parts" build="${build:-build/cuda}"
trap 'interrupted 1' HUP
trap 'interrupted 2' INT
trap 'interrupted 15' TERM
trap : PIPE # nobody reads the screen any more; the report is what counts
rm -rf "$folder"/{logs,programs}
mkdir "$folder"/{logs,programs}

# A part has until part_end, of which each of its steps gets a share: what one leaves over is there for those that follow.
part='' part_end=0 steps_left=1 total=0 number=0 state=''
part() { # NAME PERCENT OF WHAT IS LEFT, STEPS
    part=$1 steps_left=$3
    part_end=$(($(now) + (deadline - $(now)) * $2 / 100))
    printf '%s\n' "$part" 2>/dev/null || true
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
    set -- "${@//@LOG@/"$log"}" # in quotes, or bash 5.2 takes an & in it for what it replaces
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

# What nvidia-smi answers within 30 s. The shell waits for a job, because only then does it hear a signal meanwhile.
ask_driver() { # FILE, ARGUMENTS...
    local code=0
    timeout --kill-after=2 30 nvidia-smi "${@:2}" >"$1" &
    child=$!
    wait "$child" || code=$?
    child=''
    return "$code"
}
report facts commit="$(git -C "$source" describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || true)" \
    accumulus="$(sed -nE 's/^project\(Accumulus VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")" system="$(uname -srm)" python="$(python3 -V 2>&1)"
fields=index,name,driver_version,compute_cap,compute_mode,memory.total,memory.used,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.draw,power.limit,temperature.gpu,pstate
ask_driver "$work/device.csv" -i "$gpu" --query-gpu=$fields --format=csv,nounits 2>/dev/null ||
    ask_driver "$work/device.csv" -i "$gpu" --query-gpu=index,name,driver_version,memory.total --format=csv,nounits || true
report device "$work/device.csv"
ask_driver "$work/overview" 2>/dev/null || true
report facts device.cuda="$(sed -nE 's/.*CUDA Version: *([0-9.]+).*/\1/p' "$work/overview" | head -1)"

PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
# shellcheck source=packaging/gpu_parts.sh
. "$here/gpu_parts.sh"
if [[ -z $build ]]; then
    if ! set_up_and_build; then
        for part in "${all_parts[@]}"; do leave "all of it" not-run "there is no build"; done
        code=0
        report finish ended || code=$?
        exit "$code"
    fi
    build=$source/build/cuda
fi

total=$(awk -v minutes="$minutes" 'BEGIN {printf "%d", minutes * 60000}')
deadline=$(($(now) + total))
prepare
for name in "${all_parts[@]}"; do
    if [[ ,$parts, == *,$name,* ]]; then
        "${name}_part"
    else
        part=$name
        leave "all of it" skipped "--parts does not name it"
    fi
done
code=0
report finish ended || code=$?
exit "$code"
