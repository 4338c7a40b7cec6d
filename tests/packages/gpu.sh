#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/test-gpu.sh on a machine that is made up (fake_gpu.sh): its order, exit codes and limits, what its reports hold, and what it must not take for a pass.
. "$(dirname "$0")/checks.sh"
needs python3 timeout
machine=$scratch/machine
"$ACCUMULUS_SOURCE/tests/packages/fake_gpu.sh" "$machine"

source=$ACCUMULUS_SOURCE
on_machine=(env -u CUDA_VISIBLE_DEVICES -u LIBTORCH PATH="$machine/tools:/usr/bin:/bin" CUDA_HOME="$machine/no-toolkit" ACCUMULUS_PYTHON="$machine/tools/python"
    HOME="$scratch/home" TMPDIR="$scratch")
# FAKE says who misbehaves, for example "test_device_kernels=hang audit=blind". Sets code.
try() { # NAME, ARGUMENTS...
    local name=$1
    shift
    code=0
    "${on_machine[@]}" "$source/packaging/test-gpu.sh" "$@" --report "$scratch/$name" > "$scratch/$name.screen" 2>&1 || code=$?
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
import glob, json, os, sys
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
# What hangs leaves a mark (fake_gpu.sh): somebody did, and nobody of them is left.
all_ended() { # NAME
    local marks mark left
    marks=("$machine"/still-there-*)
    [[ -e ${marks[0]} ]] || fail "$1: nothing hung"
    for ((i = 0; i < 600; i++)); do
        left=
        for mark in "${marks[@]}"; do if grep -qsE '^State:.[^ZX]' "/proc/${mark##*-}/status"; then left=$mark; fi; done
        if [[ -z $left ]]; then return; fi
        sleep 0.1
    done
    fail "$1: a program that hangs was not ended"
}

# Wrong command lines, and machines without a GPU: no report, and a sentence with a cure.
mkdir -p "$scratch/configured/tests" # not built: links to nothing
ln -s tests_unit_cuda "$scratch/configured/tests/test_device_kernels"
for words in "--minutes 0" "--minutes ten" "--minutes" "--build" "--build $scratch/home" "--build $scratch/configured" "--quick" "more" "--parts" "--parts tests,nothing"; do
    read -ra arguments <<< "$words"
    try usage "${arguments[@]}"
    ends_with 2 usage
done
FAKE="nvidia-smi=absent" try none --build "$machine/build"
ends_with 3 none
[[ $(grep -c . "$scratch/none.screen") == 1 && ! -e $scratch/none ]] || fail "without a GPU: one sentence and no report"
grep -q "couldn't communicate.*Install NVIDIA's driver" "$scratch/none.screen" || fail "without a GPU: reason and cure"
code=0
"${on_machine[@]}" CUDA_VISIBLE_DEVICES= "$source/packaging/test-gpu.sh" --build "$machine/build" --report "$scratch/hidden" > "$scratch/hidden.screen" 2>&1 || code=$?
ends_with 3 hidden
grep -q "CUDA_VISIBLE_DEVICES hides all of them" "$scratch/hidden.screen" || fail "a GPU that is hidden: reason"

# All is well: every part in its order, each figure in both reports.
try whole --build "$machine/build" --minutes 30
ends_with 0 whole
holds whole 'r["verdict"] == "passed"' 'list(r["parts"]) == ["build", "device", "tests", "traps", "sanitizer", "bench"]' \
    'all(status[part] == "passed" for part in ("device", "tests", "traps", "sanitizer", "bench"))' \
    '[x["name"] for x in r["parts"]["tests"]["steps"]] == ["test_device_kernels", "test_device_training", "test_device_faults", "test_device_graphs", "test_window_keys", "test_device_choice", "test_driver_version"]' \
    '{x["name"] for x in r["parts"]["tests"]["steps"]} == {os.path.basename(test)[:-4] for test in glob.glob(os.environ["ACCUMULUS_SOURCE"] + "/tests/unit/cuda/test_*.cpp")}' \
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
    's["2 ranks that share the GPU"]["status"] == "passed" and s["2 ranks with a GPU each, by NCCL"]["reason"] == "this machine has one GPU"' \
    'all("reason" in x and x["reason"] for x in s.values() if x["status"] in ("skipped", "not-run"))'
for text in '**passed**' '| lenet5-32x4 | 1,100 | 4,400 | 4 | 3 |' 'NVIDIA Fake 1' '123,456,789' '| sm_clock_mhz_median | 1,980 |' '### test_device_kernels: passed' 'device.capture=on'; do says whole "$text"; done

# What is wrong but ends by itself. Half of it ends with an exit code of 0.
FAKE="ranks=blind test_device_kernels=blind test_device_training=fail test_device_faults=crash cli=cpu audit=blind oracle=differs compute-sanitizer=errors bench_training=fail frameworks=fail" \
    try wrong --build "$machine/build" --minutes 30
ends_with 1 wrong
holds wrong 'r["verdict"] == "failed" and "test_device_kernels; test_device_training" in r["reason"]' 'all(status[part] == "failed" for part in ("device", "tests", "traps", "sanitizer", "bench"))' \
    's["test_device_kernels"]["status"] == "failed" and "no GPU: No GPU to run on" in s["test_device_kernels"]["reason"] and s["test_device_kernels"]["exit_code"] == 0' \
    's["test_device_training"]["status"] == "failed" and "got 2, expected 3" in s["test_device_training"]["reason"]' \
    's["test_device_faults"]["status"] == "failed" and "SIGSEGV" in s["test_device_faults"]["reason"]' 's["test_device_choice"]["status"] == "passed"' \
    's["what it ran on"]["status"] == "failed" and s["what it ran on"]["exit_code"] == 0' \
    's["audit: mean of means (T1)"]["status"] == "failed" and "equivalent none; expected" in s["audit: mean of means (T1)"]["reason"]' 's["audit: LeNet-5, fp32"]["status"] == "passed"' \
    'f["oracle: killed and resumed (T18)"]["differ"] == 2 and s["oracle: killed and resumed (T18)"]["status"] == "failed" and s["oracle: killed and resumed (T18)"]["exit_code"] == 0' \
    's["2 ranks that share the GPU"]["status"] == "failed"' \
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

# What is not there is told and is no failure, a GPU test excepted; what is too old is one. An & in the folder's name is a character as any other.
lacking=$scratch/lacking
mkdir -p "$lacking"
cp -r "$machine/build" "$lacking"
rm -r "$lacking/build/bin" "$lacking/build/tests/"{bench_training,test_rank_devices}
try "R&D" --build "$lacking/build"
ends_with 0 "R&D"
holds "R&D" 'status == {"build": "not-begun", "device": "skipped", "tests": "passed", "traps": "skipped", "sanitizer": "passed", "bench": "skipped"}' \
    '"is not there" in s["training alone"]["reason"] and r["reason"] == ""'
if ! PATH=/usr/bin:/bin command -v compute-sanitizer > /dev/null; then
    mv "$machine/tools/compute-sanitizer" "$scratch"
    try no-sanitizer --build "$lacking/build"
    ends_with 0 no-sanitizer
    holds no-sanitizer 's["memcheck, racecheck, synccheck"]["status"] == "skipped" and "not installed" in s["memcheck, racecheck, synccheck"]["reason"]' 'status["sanitizer"] == "skipped"'
    mv "$scratch/compute-sanitizer" "$machine/tools"
fi
cp -r "$machine/build" "$scratch/untested"
rm "$scratch/untested/tests/test_device_training"
FAKE="oracle=absent" try untested --build "$scratch/untested"
ends_with 1 untested
holds untested 'r["verdict"] == "failed" and "did not run: test_device_training (" in r["reason"] and "is not there" in r["reason"]' \
    's["test_device_training"]["status"] == "not-run" and s["test_device_faults"]["status"] == "passed" and status["tests"] == "not-run"' \
    's["oracle: networks from Python"]["status"] == "skipped" and s["oracle: networks from Python"]["reason"] == "python has no torch" and status["traps"] == "passed"'
says untested 'GPU tests did not run: test_device_training'
grep -q '^Failed: GPU tests did not run: test_device_training' "$scratch/untested.screen" || fail "untested: the screen does not say why it failed"
# Only what is asked for.
try traps --build "$machine/build" --minutes 30 --parts traps,device
ends_with 0 traps
holds traps 'r["asked"] == ["traps", "device"]' '{part: status[part] for part in status if part != "build"} == {"device": "passed", "tests": "skipped", "traps": "passed", "sanitizer": "skipped", "bench": "skipped"}' \
    '[x["reason"] for x in r["parts"]["tests"]["steps"]] == ["--parts does not name it"]'
FAKE="audit=blind" try blind --build "$machine/build" --minutes 30 --parts traps
ends_with 1 blind
FAKE="nvidia-smi=old" try old --build "$lacking/build" --minutes 1
ends_with 1 old
holds old 's["driver_version"]["status"] == "failed" and "550.54.14" in s["driver_version"]["reason"]' 'status["tests"] == "passed"'

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
    CUDACXX='' try no-compiler
    ends_with 1 no-compiler
    holds no-compiler '"nvcc 13" in s["build"]["reason"]' 's["set-up"]["status"] == "passed"'
fi
CUDACXX=/bin/true try from-nothing
ends_with 0 from-nothing
holds from-nothing 's["build"]["status"] == "passed"' 'status["build"] == "passed" and status["tests"] == "passed"' 's["test_device_kernels"]["command"].count("/clone/build/cuda/tests/")'
source=$ACCUMULUS_SOURCE

# What hangs is cut, deaf to signals or not, and the rest is still run; what there is no time for is listed.
rm -f "$machine"/still-there-*
FAKE="test_device_kernels=hang bench_training=hang" try hanging --build "$machine/build" --minutes 0.5
ends_with 1 hanging
holds hanging 's["test_device_kernels"]["status"] == "timed-out" and "did not end within" in s["test_device_kernels"]["reason"]' 's["test_device_training"]["status"] == "passed"' \
    's["lenet5-32x4, captured, round 1"]["status"] in ("timed-out", "not-run")' 'any(x["status"] == "not-run" and x["reason"] == "no time left" for x in s.values())'
says hanging '### test_device_kernels: CUT OFF'
all_ended hanging
# shellcheck disable=SC2016 # for the script itself
printf '#!/bin/sh\nsleep 0.2 && exec /usr/bin/sort "$@"\n' > "$machine/tools/sort" # longer than there is time for, before the first part
chmod +x "$machine/tools/sort"
try no-time --build "$machine/build" --minutes 0.001
rm "$machine/tools/sort"
ends_with 1 no-time
holds no-time 'r["verdict"] == "failed" and "did not run: test_device_kernels (no time left); " in r["reason"]' 's["what it ran on"]["reason"] == "there is no run"'

# Another program's files stay, whichever of the names they have; an earlier report gives way.
for file in logs/mine programs/mine report.json report.md; do
    rm -rf "$scratch/taken"
    mkdir -p "$(dirname "$scratch/taken/$file")"
    echo '{"program": "mine"}' > "$scratch/taken/$file"
    try taken --build "$machine/build"
    ends_with 2 taken
    grep -q '"mine"' "$scratch/taken/$file" || fail "a file of somebody else is gone: $file"
done
try taken/report.md --build "$machine/build"
ends_with 2 taken/report.md
try hanging --build "$lacking/build"
ends_with 0 hanging
holds hanging 'r["verdict"] == "passed"'
[[ -z $(find "$scratch/hanging/logs" -name '*bench*' -o -name '*lenet5*') ]] || fail "logs of an earlier report are left"

# Nobody reads the screen: the report is made all the same.
code=0
"${on_machine[@]}" "$source/packaging/test-gpu.sh" --build "$lacking/build" --report "$scratch/unread" 2>&1 | true || code=$?
[[ $code == 0 ]] || fail "unread: exit code $code"
holds unread 'r["verdict"] == "passed"'

# Killed, or asked to stop, in the middle: both reports are whole and hold what had ended.
until_it_hangs() { # NAME, what starts it: begins it, and returns when somebody hangs (FAKE). Sets script.
    rm -f "$machine"/still-there-*
    "${@:2}" "${on_machine[@]}" "$source/packaging/test-gpu.sh" --build "$machine/build" --report "$scratch/$1" > "$scratch/$1.screen" 2>&1 &
    script=$!
    for ((i = 0; i < 300; i++)); do
        if compgen -G "$machine/still-there-*" > /dev/null; then return; fi
        sleep 0.1
    done
    fail "$1: nobody came to hang"
}
ends_at() { # SIGNAL, CODE, NAME
    kill "-$1" "$script"
    code=0
    wait "$script" || code=$?
    ends_with "$2" "$3"
    all_ended "$3"
}
FAKE="test_device_training=hang" until_it_hangs killed
kill -KILL "$script"
wait "$script" 2> /dev/null || true
holds killed 'r["verdict"] == "running"' 's["test_device_kernels"]["status"] == "passed" and f["test_device_kernels"]["passed"] == 2' \
    's["test_device_training"]["status"] == "under-way" and "test_device_faults" not in s' 'status["bench"] == "not-begun"'
says killed '### test_device_training: under way'
orphan=$(echo "$machine"/still-there-*)
kill -KILL -- "-$(cut -d ' ' -f 5 "/proc/${orphan##*-}/stat")" # its group; its own limit would end it, too
FAKE="test_device_training=hang" until_it_hangs stopped
ends_at TERM 143 stopped
holds stopped 'r["verdict"] == "interrupted"' 's["test_device_kernels"]["status"] == "passed"' 's["test_device_training"]["reason"] == "interrupted"'
# A driver that does not answer when it is asked about the device; the folder can be used again.
FAKE="nvidia-smi=hang" until_it_hangs mute
ends_at TERM 143 mute
holds mute 'r["verdict"] == "interrupted"' 'status["device"] == "not-begun"'
try mute --build "$lacking/build"
ends_with 0 mute
# The terminal is gone, as when a connection breaks.
cat > "$scratch/terminal.py" << 'PYTHON'
import os, pty, signal, sys
script, terminal = pty.fork()
if script == 0:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup may have seen to it that the test ignores it
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGUSR1, lambda *_: os.close(terminal))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(script, 0)[1]))
PYTHON
FAKE="test_device_training=hang" until_it_hangs lost python3 "$scratch/terminal.py"
ends_at USR1 129 lost
holds lost 'r["verdict"] == "interrupted"' 's["test_device_kernels"]["status"] == "passed"' 's["test_device_training"]["reason"] == "interrupted"'
echo passed
