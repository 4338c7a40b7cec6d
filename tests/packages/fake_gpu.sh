#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fake_gpu.sh FOLDER makes up a machine with a GPU: FOLDER/tools (nvidia-smi, compute-sanitizer, a Python with torch) and FOLDER/build, shell programs that
# answer as the real ones do. FAKE="NAME=HOW ..." in their environment says who misbehaves.
set -euo pipefail
mkdir -p "$1/tools" "$1/build/tests" "$1/build/bin"
folder=$(cd "$1" && pwd)

program() { # FILE: its text from standard input
    {
        cat << TEXT
#!/usr/bin/env bash
name=\${0##*/}
folder='$folder'
TEXT
        cat << 'TEXT'
how() { # NAME
    local word
    for word in ${FAKE-}; do
        if [[ ${word%%=*} == "$1" ]]; then echo "${word#*=}"; fi
    done
}
# For two minutes, deaf to a polite signal; the mark tells who does.
hang() {
    trap '' TERM
    touch "$folder/still-there-$$"
    for ((i = 0; i < 1200; i++)); do sleep 0.1; done
}
TEXT
        cat
    } > "$folder/$1"
    chmod +x "$folder/$1"
}

program tools/nvidia-smi << 'TEXT'
if [[ $(how nvidia-smi) == absent ]]; then
    echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    exit 9
fi
case "$*" in
    -L)
        echo "WARNING: infoROM is corrupted at gpu 0000:01:00.0" >&2
        echo "GPU 0: NVIDIA Fake 1 (UUID: GPU-0000)"
        ;;
    '') echo "| NVIDIA-SMI 580.65.06    Driver Version: 580.65.06    CUDA Version: 13.0 |" ;;
    *-lms*)
        echo "1980, 2619, 300.5, 51, 97, 4000"
        touch "$folder/sampled" # once: bench_training takes it away
        while sleep 0.02; do echo "1980, 2619, 300.5, 51, 97, 4000"; done
        ;;
    *)
        if [[ $(how nvidia-smi) == hang ]]; then hang; fi
        driver=580.65.06
        if [[ $(how nvidia-smi) == old ]]; then driver=550.54.14; fi
        echo "index, name, driver_version, compute_cap, memory.total [MiB]"
        echo "0, NVIDIA Fake 1, $driver, 9.0, 81559 MiB"
        ;;
esac
TEXT

program build/tests/tests_unit_cuda << 'TEXT'
if [[ $name == tests_unit_cuda ]]; then name=$1 && shift; fi
results=
while (($# > 0)); do
    if [[ $1 == -o && $2 == *,junitxml ]]; then results=${2%,junitxml}; fi
    shift
done
gpu='<testcase name="sums(GPU)"/>' code=0
case $(how "$name") in
    hang) hang ;;
    crash) kill -SEGV $$ ;;
    fail) code=1 gpu='<testcase name="sums(GPU)"><failure type="fail" message="got 2, expected 3"/></testcase>' ;;
    blind)
        echo 'SKIP   : TestDevice::sums(GPU) No GPU to run on: no NVIDIA driver is installed'
        gpu='<testcase name="sums(GPU)"><skipped message="No GPU to run on: no NVIDIA driver is installed"/></testcase>'
        ;;
esac
if [[ -n $results ]]; then
    echo "<testsuite><testcase name=\"initTestCase\"/><testcase name=\"sums(loops)\"/>$gpu<testcase name=\"cleanupTestCase\"/></testsuite>" > "$results"
fi
echo "Totals: 4 passed"
exit "$code"
TEXT
for test in test_device_choice test_device_faults test_device_graphs test_device_kernels test_device_training test_driver_version test_window_keys; do ln -s tests_unit_cuda "$folder/build/tests/$test"; done

program build/tests/test_rank_devices << 'TEXT'
if [[ $ACCUMULUS_TEST_DEMANDS_GPU != yes || $(how ranks) == blind ]]; then echo "No GPU to run on" >&2 && exit 1; fi
echo "Totals: 4 passed"
TEXT
program tools/mpirun << 'TEXT'
shift 2 # -n 2: one of them will do
exec "$@"
TEXT

# As the real one does, it takes the CPU where it is not told otherwise.
program build/bin/accumulus-cli << 'TEXT'
verb=$1 out= device=cpu
for word in "$@"; do
    if [[ $last == --out ]]; then out=$word; fi
    if [[ $word == device.kind=cuda:0 ]]; then device=cuda:0; fi
    last=$word
done
if [[ $(how cli) == cpu ]]; then device=cpu; fi
case $verb in
    run)
        echo "$device" > "$folder/device"
        echo "[W1124 00:00:00 Context.cpp:1] Warning: no line of JSON, although it begins as one could"
        echo '{"event":"run-started","run":"0123-4567","study":"s"}'
        echo '{"event":"run-finished","run":"0123-4567","updates":2,"test_loss":2.25}'
        ;;
    export) echo "{\"id\":\"0123-4567\",\"environment\":{\"device\":\"$(< "$folder/device")\",\"driver\":\"NVIDIA 580.65.06, CUDA 13.0\",\"libtorch\":\"2.11.0\"}}" > "$out" ;;
    audit)
        verdict=equivalent pattern=null code=0
        wrong() { verdict=$1 pattern="\"$2\"" code=$3; }
        if [[ $(how audit) != blind ]]; then
            case "$*" in
                *mean-of-means*) wrong not-equivalent mean-of-means 10 ;;
                *sum-of-means*) wrong not-equivalent factor-k 10 ;;
                *nominal-steps*) wrong not-equivalent remainder-window 10 ;;
                *accumulator=bf16*) wrong not-equivalent low-precision-accumulator 10 ;;
                *resnet18*) wrong expected batch-norm 11 ;;
            esac
        fi
        echo "{\"verdict\":\"$verdict\",\"pattern\":$pattern,\"worst_error\":1e-07,\"tolerance\":1e-05,\"precision\":\"fp32\"}"
        exit "$code"
        ;;
esac
TEXT

# The speeds of rounds 1, 2 and 3: 1000, 1300 and 1100, four times that when captured.
program build/tests/bench_training << 'TEXT'
if [[ -n ${sampled-} ]]; then # its clocks are asked for: until there are some
    until [[ -e $folder/sampled ]]; do sleep 0.02; done
    rm "$folder/sampled"
fi
case $(how bench_training) in
    hang) hang ;;
    fail) echo "There is no cuda:0 in this machine." >&2 && exit 1 ;;
esac
way=1 place=$folder/rounds-$(printf '%s' "$*" | cksum | tr ' ' '-')
if [[ $* == *capture=on* ]]; then way=4; fi
echo >> "$place"
speeds=(1000 1000 1300 1100)
echo "{\"samples_per_second\":$((way * ${speeds[$(grep -c '' "$place")]:-1})).0,\"peak_bytes\":123456789,\"milliseconds_per_window\":{\"all\":4.0,\"forward\":1.5},\"first_loss\":2.3}"
TEXT
: > "$folder/build/tests/model_logits" && chmod +x "$folder/build/tests/model_logits"

program tools/compute-sanitizer << 'TEXT'
if [[ $1 == --version ]]; then echo "Version 2025.3.0" && exit; fi
tool=$2 errors=0
while [[ $1 == --* ]]; do shift 2; done
"$@"
code=$?
if [[ $(how compute-sanitizer) == errors ]]; then
    errors=1
    echo "========= Invalid __global__ write of size 4 bytes"
fi
if [[ $tool == racecheck ]]; then echo "========= RACECHECK SUMMARY: $errors hazards displayed ($errors errors, 0 warnings)"; else echo "========= ERROR SUMMARY: $errors errors"; fi
exit "$code"
TEXT

program tools/python << 'TEXT'
if [[ $1 == -c ]]; then # whether torch finds the GPU
    if [[ $(how torch) == absent ]]; then exit 1; fi
    exit 0
fi
if [[ $1 == */compare_frameworks.py ]]; then exec "$folder/tools/frameworks" "$@"; fi
if [[ $(how oracle) == absent ]]; then echo "skipped: python has no torch" && exit 77; fi
cli=
for word in "$@"; do
    if [[ $last == --cli ]]; then cli=$word; fi
    last=$word
done
"$cli" run /dev/null --json > /dev/null || exit 1
if [[ $(< "$folder/device") != cuda:0 ]]; then echo "DIFFERS  the oracle trained on the CPU              1.00e+00  limit 1e-10  fc1"; fi
echo "agrees   sgd, mlp                           1.00e-12  limit 1e-10  fc1.weight"
echo "agrees   sgd, lenet5                        2.50e-11  limit 1e-10  fc1.weight"
if [[ $(how oracle) == differs ]]; then echo "DIFFERS  adam, mlp                          1.00e-03  limit 1e-08  fc1.weight"; fi
TEXT

# compare_frameworks.py --device cuda, in its JSON form (tests/oracle/bench_figures.py holds the real one against the same reader).
program tools/frameworks << 'TEXT'
case= json= device=cpu
for word in "$@"; do
    case $last in --cases) case=$word ;; --json) json=$word ;; --device) device=$word ;; esac
    last=$word
done
case $(how frameworks) in
    hang) hang ;;
    fail) echo "compare_frameworks: $case: PyTorch's eager loop cannot train: there is no torchvision" >&2 && exit 1 ;;
esac
sleep 0.1 # nvidia-smi is to see it
if [[ $device != cuda ]]; then echo "compare_frameworks: it was not told to measure the GPU" >&2 && exit 2; fi
row() { # NAME, SAMPLES/S, RATIO, MORE
    echo "\"$1\":{\"median\":$2,\"lowest\":$2,\"highest\":$2,\"rounds\":[$2,$2],\"ratio\":$3,\"ratio_lowest\":$3,\"ratio_highest\":$3,\"peak_allocated_bytes\":1000000,\"host_ms_per_window\":0.25,$4},"
}
sums='"window_ms":2.5,"device_busy_share":0.75,"device_idle_ms":0.625,"gaps":12,"longest_gap_ms":0.125,"kernels_per_window":96,"kernels_per_micro_step":24.0'
{
    echo "{\"about\":{\"gpu\":\"NVIDIA Fake 1\",\"torch\":\"2.11.0+cu130\",\"cuda\":\"13.0\",\"cudnn\":\"91000\",\"tf32\":false,\"device\":\"cuda\"},\"cases\":{\"$case\":{"
    echo '"best_pytorch":"PyTorch, CUDA graph of a window","micro_batch":32,"steps":4,"layout":"default",'
    echo '"asked":["Accumulus, engine alone","accumulus-cli run","PyTorch, eager","PyTorch, CUDA graph of a window","PyTorch, compiled for less overhead"],"rows":{'
    row "Accumulus, engine alone" 5000.0 1.25 '"power_w":310.5'
    row "accumulus-cli run" 4800.0 1.2 '"power_w":305.5'
    row "PyTorch, eager" 1000.0 0.25 '"peak_reserved_bytes":2000000,"power_w":150.5'
    row "PyTorch, CUDA graph of a window" 4000.0 1.0 '"peak_reserved_bytes":4000000,"power_note":"nvidia-smi tells no power of this GPU"' | sed 's/,$//'
    echo '},"not_measured":{"PyTorch, compiled for less overhead":"does not survive accumulation: RuntimeError: overwritten"},'
    echo "\"timelines\":{\"PyTorch, eager\":{\"file\":\"eager.trace.json\",$sums},\"Accumulus, engine alone\":{\"not_traced\":\"no time left\"}}}}}"
} > "$json"
if [[ $(how frameworks) == no-figure ]]; then sed -i '0,/"host_ms_per_window":0.25,/s///' "$json"; fi
TEXT
