#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/test-gpu.sh on a machine that is made up (fake_gpu.sh): its order, exit codes and limits, what its reports hold, and what it must not take for a pass.
. "$(dirname "$0")/checks.sh"
needs python3 timeout
machine=$scratch/machine
"$ACCUMULUS_SOURCE/tests/packages/fake_gpu.sh" "$machine"

source=$ACCUMULUS_SOURCE
# FAKE says who misbehaves, for example "test_device_kernels=hang audit=blind". Sets code.
try() { # NAME, ARGUMENTS...
    local name=$1
    shift
    code=0
    env -u CUDA_VISIBLE_DEVICES -u LIBTORCH PATH="$machine/tools:/usr/bin:/bin" CUDA_HOME="$machine/no-toolkit" ACCUMULUS_PYTHON="$machine/tools/python" FAKE="${FAKE-}" \
        HOME="$scratch/home" TMPDIR="$scratch" "$source/packaging/test-gpu.sh" "$@" --report "$scratch/$name" > "$scratch/$name.screen" 2>&1 || code=$?
}
ends_with() { # CODE, NAME
    [[ $code == "$1" ]] || {
        tail -40 "$scratch/$2.screen" >&2
        fail "$2: exit code $code, expected $1"
    }
}
# A Python expression about the report `r`, with steps by name in `s` and figures in `f`.
holds() { # NAME, EXPRESSION...
    python3 - "$scratch/$1/report.json" "${@:2}" << 'PYTHON' || fail "$1"
import json, sys
r = json.load(open(sys.argv[1]))
s = {step["name"]: step for part in r["parts"].values() for step in part["steps"]}
f = {name: step.get("figures", {}) for name, step in s.items()}
status = {name: part["status"] for name, part in r["parts"].items()}
wrong = [expression for expression in sys.argv[2:] if not eval(expression)]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
PYTHON
}
says() { # NAME, TEXT: in report.md
    grep -qF -- "$2" "$scratch/$1/report.md" || fail "$1: report.md does not say: $2"
}

# Wrong command lines, and machines without a GPU: no report, and a sentence with a cure.
for words in "--minutes 0" "--minutes ten" "--minutes" "--build" "--build $scratch/home" "--quick" "more"; do
    read -ra arguments <<< "$words"
    try usage "${arguments[@]}"
    ends_with 2 usage
done
FAKE="nvidia-smi=absent" try none --build "$machine/build"
ends_with 3 none
[[ $(grep -c . "$scratch/none.screen") == 1 && ! -e $scratch/none ]] || fail "without a GPU: one sentence and no report"
grep -q "couldn't communicate.*Install NVIDIA's driver" "$scratch/none.screen" || fail "without a GPU: reason and cure"
CUDA_VISIBLE_DEVICES='' bash -c 'exec "$@"' - "$ACCUMULUS_SOURCE/packaging/test-gpu.sh" > "$scratch/none.screen" 2>&1 || code=$?
ends_with 3 none

# All is well: every part in its order, each figure in both reports.
try whole --build "$machine/build" --minutes 30
ends_with 0 whole
holds whole 'r["verdict"] == "passed"' 'list(r["parts"]) == ["build", "device", "tests", "traps", "sanitizer", "bench"]' \
    'all(status[part] == "passed" for part in ("device", "tests", "traps", "sanitizer", "bench"))' \
    '[x["name"] for x in r["parts"]["tests"]["steps"]] == ["test_device_kernels", "test_device_training", "test_device_faults", "test_device_choice", "test_driver_version"]' \
    '[x["began"] for part in r["parts"].values() for x in part["steps"] if "began" in x] == sorted(x["began"] for x in s.values() if "began" in x)' \
    'f["test_device_kernels"] == {"passed": 2, "passed_on_gpu": 1, "failed": 0, "skipped": 0}' \
    'f["what it ran on"]["device"] == "cuda:0"' 'r["device"]["name"] == "NVIDIA Fake 1" and r["device"]["cuda"] == "13.0"' \
    'f["oracle: PyTorch'"'"'s weights (T1, T2, T7)"] == {"agree": 2, "differ": 0, "worst_share_of_limit": 0.25, "worst": "sgd, lenet5"}' \
    'f["racecheck: the kernels"] == {"hazards": 0, "errors": 0, "warnings": 0}' 'r["versions"]["compute_sanitizer"] == "2025.3.0"' \
    'r["speeds"]["lenet5-32x4"] == {"captured": 4400.0, "eager": 1100.0, "captured_to_eager": 4.0, "rounds": 3}' \
    '[f[f"lenet5-32x4, eager, round {n}"]["samples_per_second"] for n in (1, 2, 3)] == [1000.0, 1300.0, 1100.0]' \
    'f["resnet18-32x2, captured, round 1"]["milliseconds_per_window.forward"] == 1.5' 'f["resnet18-32x2, captured, round 1"]["peak_bytes"] == 123456789' \
    'f["lenet5-32x4, eager, round 1"]["sm_clock_mhz_median"] == 1980.0 and f["lenet5-32x4, eager, round 1"]["power_w_highest"] == 300.5' \
    '"device.capture=on" in s["lenet5-32x4, captured, round 1"]["command"] and "device.kind=cuda:0" in s["lenet5-32x4, eager, round 1"]["command"]' \
    '[name for name in s if name.startswith("peers: ")][0] == "peers: lenet5-32x4" and sum(name.startswith("peers: ") and x["status"] == "passed" for name, x in s.items()) == 8' \
    '"--device cuda" in s["peers: lenet5-32x4"]["command"] and 0 < float(s["peers: lenet5-32x4"]["command"].split("--within ")[1].split()[0]) < s["peers: lenet5-32x4"]["limit"]' \
    'f["peers: lenet5-32x4"]["lenet5-32x4: Accumulus, engine alone, to the fastest PyTorch"] == 1.25 and f["peers: lenet5-32x4"]["lenet5-32x4: PyTorch, eager, peak reserved, bytes"] == 2000000' \
    'f["peers: lenet5-32x4"]["lenet5-32x4: accumulus-cli run, host time of a window, ms"] == 0.25 and f["peers: lenet5-32x4"]["lenet5-32x4: PyTorch, eager, power, W"] == 150.5' \
    'f["peers: lenet5-32x4"]["lenet5-32x4: timeline of PyTorch, eager, device busy, share"] == 0.75 and f["peers: lenet5-32x4"]["peers: tf32"] is False' \
    'f["peers: lenet5-32x4"]["lenet5-32x4: not measured"] == ["PyTorch, compiled for less overhead (does not survive accumulation: RuntimeError: overwritten)"]' \
    'f["peers: lenet5-32x4"]["power_w_highest"] == 300.5' \
    'all("reason" in x and x["reason"] for x in s.values() if x["status"] in ("skipped", "not-run"))'
for text in '**passed**' '| lenet5-32x4 | 1,100 | 4,400 | 4 | 3 |' 'NVIDIA Fake 1' '123,456,789' '| sm_clock_mhz_median | 1,980 |' '### test_device_kernels: passed' 'device.capture=on'; do says whole "$text"; done

# What is wrong but ends by itself. Half of it ends with an exit code of 0.
FAKE="test_device_kernels=blind test_device_training=fail test_device_faults=crash cli=cpu audit=blind oracle=differs compute-sanitizer=errors bench_training=fail frameworks=fail" \
    try wrong --build "$machine/build" --minutes 30
ends_with 1 wrong
holds wrong 'r["verdict"] == "failed"' 'all(status[part] == "failed" for part in ("device", "tests", "traps", "sanitizer", "bench"))' \
    's["test_device_kernels"]["status"] == "failed" and "no GPU: No GPU to run on" in s["test_device_kernels"]["reason"] and s["test_device_kernels"]["exit_code"] == 0' \
    's["test_device_training"]["status"] == "failed" and "got 2, expected 3" in s["test_device_training"]["reason"]' \
    's["test_device_faults"]["status"] == "failed" and "SIGSEGV" in s["test_device_faults"]["reason"]' 's["test_device_choice"]["status"] == "passed"' \
    's["what it ran on"]["status"] == "failed" and s["what it ran on"]["exit_code"] == 0' \
    's["audit: mean of means (T1)"]["status"] == "failed" and "equivalent none; expected" in s["audit: mean of means (T1)"]["reason"]' 's["audit: LeNet-5, fp32"]["status"] == "passed"' \
    'f["oracle: killed and resumed (T18)"]["differ"] == 2 and s["oracle: killed and resumed (T18)"]["status"] == "failed" and s["oracle: killed and resumed (T18)"]["exit_code"] == 0' \
    's["memcheck: the kernels"]["status"] == "failed" and "Invalid __global__ write" in s["memcheck: the kernels"]["reason"]' \
    '"There is no cuda:0" in s["lenet5-32x4, eager, round 1"]["reason"] and not any("round 2" in name for name in s)' \
    's["peers: lenet5-32x4"]["status"] == "failed" and "there is no torchvision" in s["peers: lenet5-32x4"]["reason"]'

# A figure of a peer that is missing is no pass, although the program was content; without a torch that finds the GPU there are no peers, which is none's fault.
FAKE="frameworks=no-figure" try figureless --build "$machine/build" --minutes 30
ends_with 1 figureless
holds figureless 's["peers: lenet5-32x4"]["status"] == "failed" and "Accumulus, engine alone has no host_ms_per_window" in s["peers: lenet5-32x4"]["reason"] and s["peers: lenet5-32x4"]["exit_code"] == 0' \
    'status["bench"] == "failed" and status["tests"] == "passed"'
FAKE="torch=absent" try torchless --build "$machine/build" --minutes 2
ends_with 0 torchless
holds torchless 's["peers"]["status"] == "skipped" and "finds the GPU" in s["peers"]["reason"]' 'status["bench"] == "passed"'

# What is not there is told and is no failure; what is too old is one.
lacking=$scratch/lacking
mkdir -p "$lacking"
cp -r "$machine/build" "$lacking"
rm -r "$lacking/build/bin" "$lacking/build/tests/bench_training" "$lacking/build/tests/test_device_training"
mv "$machine/tools/compute-sanitizer" "$scratch"
try lacking --build "$lacking/build" --minutes 1
ends_with 0 lacking
holds lacking 's["memcheck, racecheck, synccheck"]["status"] == "skipped" and "not installed" in s["memcheck, racecheck, synccheck"]["reason"]' \
    'status == {"build": "not-begun", "device": "skipped", "tests": "passed", "traps": "skipped", "sanitizer": "skipped", "bench": "skipped"}'
rm "$lacking"/build/tests/test_d*
ln -s tests_unit_cuda "$lacking/build/tests/test_device_kernels"
FAKE="nvidia-smi=old" try old --build "$lacking/build" --minutes 1
ends_with 1 old
holds old 's["driver_version"]["status"] == "failed" and "550.54.14" in s["driver_version"]["reason"]' 'status["tests"] == "passed"'
mv "$scratch/compute-sanitizer" "$machine/tools"

# Without --build: set-up and build come first, whose failure leaves nothing to try.
source=$scratch/clone
mkdir -p "$source/packaging"
ln -s "$ACCUMULUS_SOURCE"/{tests,experiments,resources,CMakeLists.txt} "$source"
cp "$ACCUMULUS_SOURCE"/packaging/{test-gpu.sh,gpu_parts.sh,gpu_report.py,gpu_readers.py} "$source/packaging"
# shellcheck disable=SC2016 # for the scripts themselves
printf '#!/bin/sh\necho "setup: no network" && exit "${SET_UP:-0}"\n' > "$source/packaging/setup.sh"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" = cuda ] && mkdir -p "%s/build" && cp -r "%s/build" "%s/build/cuda"\n' "$source" "$lacking" "$source" > "$source/packaging/build.sh"
chmod +x "$source"/packaging/*.sh
SET_UP=1 try no-set-up
ends_with 1 no-set-up
holds no-set-up 's["set-up"]["status"] == "failed" and "setup: no network" in s["set-up"]["reason"]' 'status["tests"] == "not-run" and s["all of it"]["reason"] == "there is no build"'
if ! PATH=/usr/bin:/bin command -v nvcc > /dev/null; then
    try no-compiler
    ends_with 1 no-compiler
    holds no-compiler '"nvcc 13" in s["build"]["reason"]' 's["set-up"]["status"] == "passed"'
fi
CUDACXX=/bin/true try from-nothing
ends_with 0 from-nothing
holds from-nothing 's["build"]["status"] == "passed"' 'status["build"] == "passed" and status["tests"] == "passed"' 's["test_device_kernels"]["command"].count("/clone/build/cuda/tests/")'
source=$ACCUMULUS_SOURCE

# What hangs is cut, deaf to signals or not, and the rest is still run; what there is no time for is listed.
SECONDS=0
FAKE="test_device_kernels=hang bench_training=hang" try hanging --build "$machine/build" --minutes 0.15
ends_with 1 hanging
((SECONDS < 60)) || fail "0.15 minutes took $SECONDS s" # a program that nobody ends hangs for twice as long
holds hanging 's["test_device_kernels"]["status"] == "timed-out" and "did not end within" in s["test_device_kernels"]["reason"]' 's["test_device_training"]["status"] == "passed"' \
    's["lenet5-32x4, captured, round 1"]["status"] in ("timed-out", "not-run")' 'any(x["status"] == "not-run" and x["reason"] == "no time left" for x in s.values())'
says hanging '### test_device_kernels: CUT OFF'
sleep 0.5
for mark in "$machine"/still-there-*; do
    if grep -qsE '^State:.[^ZX]' "/proc/${mark##*-}/status"; then fail "a program that hangs outlived its limit"; fi
done

# Another program's files stay.
mkdir -p "$scratch/taken/logs"
touch "$scratch/taken/logs/mine"
try taken --build "$machine/build"
ends_with 2 taken
[[ -e $scratch/taken/logs/mine ]] || fail "a file of somebody else is gone"

# Killed, or asked to stop, in the middle: both reports are whole and hold what had ended.
until_it_hangs() { # NAME: begins it, and returns when its second test is at work. Sets script.
    rm -f "$machine"/still-there-*
    FAKE="test_device_training=hang" env PATH="$machine/tools:/usr/bin:/bin" HOME="$scratch/home" TMPDIR="$scratch" \
        "$ACCUMULUS_SOURCE/packaging/test-gpu.sh" --build "$machine/build" --report "$scratch/$1" > "$scratch/$1.screen" 2>&1 &
    script=$!
    for ((i = 0; i < 300; i++)); do
        if compgen -G "$machine/still-there-*" > /dev/null; then return; fi
        sleep 0.1
    done
    fail "$1: it did not come to its second test"
}
until_it_hangs killed
kill -KILL "$script"
wait "$script" 2> /dev/null || true
holds killed 'r["verdict"] == "running"' 's["test_device_kernels"]["status"] == "passed" and f["test_device_kernels"]["passed"] == 2' \
    's["test_device_training"]["status"] == "under-way" and "test_device_faults" not in s' 'status["bench"] == "not-begun"'
says killed '### test_device_training: under way'
orphan=$(echo "$machine"/still-there-*)
kill -KILL -- "-$(cut -d ' ' -f 5 "/proc/${orphan##*-}/stat")" # its group; its own limit would end it, too
until_it_hangs stopped
kill -TERM "$script"
code=0
wait "$script" || code=$?
ends_with 143 stopped
holds stopped 'r["verdict"] == "interrupted"' 's["test_device_kernels"]["status"] == "passed"' 's["test_device_training"]["reason"] == "interrupted"'
echo passed
