# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The parts of packaging/test-gpu.sh, which sources this file; what they call is explained there.
# shellcheck disable=SC2034,SC2154 # variables of that script

# Kernels first: where they are wrong, all else is. One that is not there has not passed.
gpu_tests=(test_device_kernels test_device_training test_device_faults test_device_graphs test_window_keys test_device_choice test_driver_version)

# Without a limit, and with the terminal: sudo may ask for a password, and a download takes what it takes. So it is no job that the shell waits for, and a
# signal to the script alone is heard when it has ended; Ctrl+C reaches both.
attended() { # NAME, COMMAND...
    local name=$1 log=$folder/logs/${1//[^a-zA-Z0-9_-]/-} code=0
    shift
    report begin "$part" "$name" 0 "$@"
    "$@" 2>&1 | tee "$log.out" || code=$?
    report end exit - "$code" "$log"
}

set_up_and_build() {
    part=build
    attended "set-up" "$here/setup.sh" --cuda || return 1
    if [[ -n ${ACCUMULUS_PYTHON-} ]]; then
        leave "Python for the oracles" skipped "ACCUMULUS_PYTHON names one"
    elif [[ -n ${LIBTORCH-} ]]; then
        leave "Python for the oracles" skipped "it needs the LibTorch of packaging/setup.sh, and LIBTORCH names another; ACCUMULUS_PYTHON may name a Python with torch"
    elif ! "$here/setup.sh" --cuda --oracles 2>&1 | tee "$folder/logs/oracles.out"; then
        leave "Python for the oracles" skipped "it could not be set up: $(tail -1 "$folder/logs/oracles.out")"
    fi
    if [[ -z ${CUDACXX-} ]] && ! command -v nvcc >/dev/null; then
        leave "build" failed "the CUDA compiler is missing: install nvcc 13 and put its folder into PATH, or bring a build (--build DIR)"
        return 1
    fi
    report facts nvcc="$("${CUDACXX:-nvcc}" --version 2>/dev/null | sed -nE 's/.*release .*, (V[0-9.]+).*/\1/p')"
    attended "build" "$here/build.sh" cuda accumulus-cli "${gpu_tests[@]}" test_rank_devices bench_training bench_workbench model_logits
}

quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

# Variables for the programs, a Python for the oracles, a command line that computes on the GPU, and what there is to know of LibTorch.
prepare() {
    local cache=${XDG_CACHE_HOME:-$HOME/.cache}/accumulus root=${LIBTORCH-} cuda libraries=${LD_LIBRARY_PATH-}
    isolated=$source/tests/support/run_isolated.sh
    cli=$build/bin/accumulus-cli
    export QT_QPA_PLATFORM=offscreen ACCUMULUS_TEST_PROGRAMS=$build/bin ACCUMULUS_SOURCE=$source ACCUMULUS_RESOURCES=${ACCUMULUS_RESOURCES:-$source/resources}
    export CUDA_CACHE_PATH=$work/compiled TMPDIR=$work # all programs share what the driver compiles
    [[ -n $root || ! -e $build/CMakeCache.txt ]] || root=$(sed -n 's/^LIBTORCH_ROOT:PATH=//p' "$build/CMakeCache.txt")
    root=${root:-$cache/libtorch-2.11.0-cuda/torch}
    [[ -e $root/lib/libtorch_cpu.so ]] || root=$root/torch
    if [[ -n ${LIBTORCH-} && -d $root/lib ]]; then export LD_LIBRARY_PATH=$root/lib${libraries:+:$libraries}; fi # a build from elsewhere looks for another place
    libraries=${LD_LIBRARY_PATH-}
    cuda=$(sed -nE "s/^cuda.*= '([0-9.]+)'.*/\1/p" "$root/version.py" 2>/dev/null || sed -nE 's/.*\+cu([0-9]+)([0-9])$/\1.\2/p' "$root/build-version" "$root/../build-version" 2>/dev/null || true)
    report facts libtorch="$(sed -nE "s/^__version__ = '(.*)'/\1/p" "$root/version.py" 2>/dev/null || cat "$root/build-version" 2>/dev/null || true)" libtorch_cuda="$cuda"

    # The Python of the oracles has stand-ins for CUDA libraries in its search path, the driver's among them: not for a machine with a driver.
    python=${ACCUMULUS_PYTHON-}
    local packages
    packages=$(quoted "$cache/oracles/packages:$cache/libtorch-2.11.0-cuda")
    if [[ -z $python && -d $cache/oracles/packages && -d $cache/libtorch-2.11.0-cuda/torch ]]; then
        python=$folder/programs/python
        printf '#!/bin/sh\nPYTHONPATH=%s exec python3 "$@"\n' "$packages" >"$python"
        chmod +x "$python"
    fi
    # Nor for the programs that an oracle starts. The device is demanded: "auto" would take the CPU.
    on_gpu=$folder/programs/accumulus-cli
    cat >"$on_gpu" <<TEXT
#!/bin/sh
unset LD_PRELOAD
export LD_LIBRARY_PATH=$(quoted "$libraries")
case \$1 in run | audit | plan) set -- "\$@" --set device.kind=cuda:0 ;; esac
exec $(quoted "$cli") "\$@"
TEXT
    chmod +x "$on_gpu"
    report facts environment="$(env | grep -E '^(ACCUMULUS_(RESOURCES|SOURCE|TEST_PROGRAMS)|CUDA_(DEVICE_ORDER|VISIBLE_DEVICES)|LD_LIBRARY_PATH|QT_QPA_PLATFORM)=' | sort | tr '\n' ' ')"
}

there() { # FILE, NAME OF THE STEP
    [[ -x $1 ]] && return
    leave "$2" skipped "$1 is not there"
    return 1
}

device_part() {
    local run small=(data.dataset=digits-generated data.train_limit=64 data.test_limit=16 model.name=mlp batch.effective=16 batch.micro=4 "train.length=2 updates")
    part device 25 2
    there "$cli" "a run on cuda:0" || return 0
    step "a run on cuda:0" run - "$isolated" "$on_gpu" run /dev/null --json --library "$work/device.sqlite" "${small[@]/#/--set=}"
    run=$(sed -nE 's/.*"run-started", *"run": *"([^"]+)".*/\1/p' "$folder"/logs/*-a-run-on-cuda-0.out 2>/dev/null | head -1 || true)
    if [[ -z $run ]]; then
        leave "what it ran on" not-run "there is no run"
    else
        step "what it ran on" recorded - "$isolated" "$on_gpu" export "$run" --format json --library "$work/device.sqlite" --out @LOG@.json
    fi
}

tests_part() {
    local name
    part tests 40 "${#gpu_tests[@]}"
    for name in "${gpu_tests[@]}"; do
        if [[ -x $build/tests/$name ]]; then
            step "$name" qtest - "$isolated" "$build/tests/$name" -o @LOG@.xml,junitxml -o -,txt
        else
            leave "$name" not-run "$build/tests/$name is not there"
        fi
    done
}

audit() { # NAME, "VERDICT PATTERN", EXPERIMENT, SETTINGS...
    local name=$1 expected=$2 file=$source/experiments/$3.toml
    shift 3
    step "audit: $name" audit "$expected" "$isolated" "$on_gpu" audit "$file" --json --library "$work/none.sqlite" "${@/#/--set=}"
}
oracle() { # NAME, SCRIPT, ARGUMENTS...
    local name=$1 script=$source/tests/oracle/$2
    shift 2
    step "oracle: $name" oracle - "$source/tests/oracle/run_python.sh" "${python:-python3}" "$script" "$@"
}

# Two ranks (T24): first on one GPU, where gradients meet in the host's memory, then with one each, by NCCL.
ranks_on_gpus() {
    local name="2 ranks that share the GPU" each="2 ranks with a GPU each, by NCCL" test=$build/tests/test_rank_devices
    local ranks=(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 ACCUMULUS_TEST_RANKS=2 ACCUMULUS_TEST_DEMANDS_GPU=yes)
    there "$test" "$name" || return 0
    if ! command -v mpirun >/dev/null; then
        leave "$name" skipped "there is no mpirun"
        return
    fi
    # Only the cards that CUDA_VISIBLE_DEVICES allows, or all where it is not set.
    local allowed=${CUDA_VISIBLE_DEVICES-$(nvidia-smi -L 2>/dev/null | sed -n 's/^GPU \([0-9]*\):.*/\1/p' | paste -sd,)}
    step "$name" exit - "$isolated" env CUDA_VISIBLE_DEVICES="${allowed%%,*}" "${ranks[@]}" mpirun -n 2 "$test"
    if [[ $allowed != *,* ]]; then
        leave "$each" skipped "$([[ -n ${CUDA_VISIBLE_DEVICES-} ]] && echo "CUDA_VISIBLE_DEVICES names" || echo "this machine has") one GPU"
    else
        step "$each" exit - "$isolated" env CUDA_VISIBLE_DEVICES="$allowed" "${ranks[@]}" mpirun -n 2 "$test"
    fi
}

# Set-ups that are right, and mistakes that are settings; what is built into the engine on purpose is refused on a GPU, and says so.
traps_part() {
    local lenet=(data.train_limit=2000) deep=(data.dataset=textures-generated data.train_limit=64 model.name=resnet18 model.stem=cifar batch.effective=8 batch.micro=2)
    part traps 45 17
    if there "$cli" "audits and oracles"; then
        audit "LeNet-5, fp32" "equivalent none" first-comparison "${lenet[@]}"
        audit "LeNet-5, fp64" "equivalent none" first-comparison "${lenet[@]}" numerics.precision=fp64
        audit "mean of means (T1)" "not-equivalent mean-of-means" first-comparison "${lenet[@]}" loss.normalise=mean-of-means
        audit "not divided (T2)" "not-equivalent factor-k" first-comparison "${lenet[@]}" loss.normalise=sum-of-means
        audit "nominal divisor, leaking tail (T3, T4)" "not-equivalent remainder-window" first-comparison "${lenet[@]}" loss.normalise=nominal-steps batch.tail=leak
        audit "accumulator in bf16 (T8)" "not-equivalent low-precision-accumulator" first-comparison "${lenet[@]}" numerics.accumulator=bf16
        oracle "PyTorch's weights (T1, T2, T7)" pytorch_weights.py --device cuda --cli "$on_gpu" --mnist "$source/resources/datasets/mnist"
        audit "char-gpt, fp64" "equivalent none" char-gpt-shakespeare data.train_limit=256 numerics.precision=fp64
        audit "bert-mini, fp64: unequal units" "equivalent none" bert-mini-shakespeare data.train_limit=256 numerics.precision=fp64
        audit "ResNet-18: BatchNorm (T9)" "expected batch-norm" first-comparison "${deep[@]}"
        audit "LeNet-5, bf16" "equivalent none" first-comparison "${lenet[@]}" numerics.precision=bf16
        if there "$build/tests/model_logits" "oracle: torchvision's ResNets (T9)"; then
            oracle "torchvision's ResNets (T9)" torchvision_resnet.py --device cuda --cli "$on_gpu" --logits "$build/tests/model_logits"
        fi
        oracle "networks from Python" export_networks.py --device cuda --cli "$on_gpu" --part training
        oracle "killed and resumed (T18)" export_networks.py --device cuda --cli "$on_gpu" --part resume
        oracle "ResNet-18 from a file of weights" finetune_resnet.py --device cuda --cli "$on_gpu"
    fi
    ranks_on_gpus
    leave "the other traps of tests/README.md" skipped "their tests name the CPU as device (tests/support/training.h), and planted faults are refused on a GPU"
}

sanitizer_part() {
    local tool lenet=(device.kind=cuda:0 model.name=lenet5 data.dataset=digits-generated data.train_limit=64 data.test_limit=8 batch.effective=32 batch.micro=8)
    # By the name of the program and not of the link to it, which a tool that starts it may resolve.
    local kernels=("$build/tests/tests_unit_cuda" test_device_kernels) bench=$build/tests/bench_training
    part sanitizer 40 5
    tool=$(command -v compute-sanitizer || compgen -G "${CUDA_HOME:-/usr/local/cuda}/compute-sanitizer/compute-sanitizer" || true)
    if [[ -z $tool ]]; then
        leave "memcheck, racecheck, synccheck" skipped "compute-sanitizer is not installed (it comes with the CUDA toolkit)"
        return
    fi
    report facts compute_sanitizer="$(timeout 30 "$tool" --version 2>/dev/null | sed -nE 's/^Version ([0-9.]+).*/\1/p' | head -1)"
    # Every tensor an allocation of its own: in the pools of LibTorch's allocator, what lies beyond one tensor is another.
    local alone=(env PYTORCH_NO_CUDA_MEMORY_CACHING=1) quiet=(--error-exitcode 86 --report-api-errors no)
    if there "${kernels[0]}" "memcheck, racecheck and synccheck: the kernels"; then
        step "memcheck: the kernels" sanitizer - "$isolated" "${alone[@]}" "$tool" --tool memcheck "${quiet[@]}" "${kernels[@]}"
        step "racecheck: the kernels" sanitizer - "$isolated" "$tool" --tool racecheck --error-exitcode 86 "${kernels[@]}"
        step "synccheck: the kernels" sanitizer - "$isolated" "$tool" --tool synccheck --error-exitcode 86 "${kernels[@]}"
    fi
    if there "$bench" "memcheck: training"; then
        step "memcheck: training, captured" sanitizer - "$isolated" "$tool" --tool memcheck "${quiet[@]}" "$bench" 2 "${lenet[@]}" device.capture=on
        step "memcheck: training, eager" sanitizer - "$isolated" "${alone[@]}" "$tool" --tool memcheck "${quiet[@]}" "$bench" 2 "${lenet[@]}" device.capture=off
    fi
}

# One round of all cases, then the peers, then more rounds: eager and captured in turn, so that a GPU that slows down slows both.
declare -A broken=()
round() { # NUMBER
    local name captured eager words way settings
    while read -r name captured eager words; do
        read -ra settings <<<"$words"
        for way in captured eager; do
            if [[ -n ${broken[$name $way]-} ]]; then continue; fi
            sampled=yes step "$name, $way, round $1" bench - "$isolated" "$build/tests/bench_training" "${!way}" device.kind=cuda:0 \
                device.capture="$([[ $way == captured ]] && echo on || echo off)" data.test_limit=1000 optimizer.momentum=0.9 "${settings[@]}"
            if [[ $state == failed ]]; then broken[$name $way]=yes; fi
        done
    done <<'TEXT'
lenet5-32x4 2000 400 model.name=lenet5 data.resize=32 batch.micro=32 batch.effective=128
resnet18-32x2 100 100 model.name=resnet18 model.stem=cifar data.dataset=textures-generated data.train_limit=2048 batch.micro=32 batch.effective=64
resnet18-32x2-bf16 300 150 model.name=resnet18 model.stem=cifar data.dataset=textures-generated data.train_limit=2048 batch.micro=32 batch.effective=64 numerics.precision=bf16
char-gpt-4x4 300 100 model.name=char-gpt data.dataset=tinyshakespeare data.block=64 model.layers=4 model.heads=4 model.width=128 loss.normalise=tokens optimizer.name=adamw optimizer.lr=1e-3 batch.micro=4 batch.effective=16
lenet5-4096x4 60 60 model.name=lenet5 data.resize=32 batch.micro=4096 batch.effective=16384
resnet18-256x2 30 30 model.name=resnet18 model.stem=cifar data.dataset=textures-generated data.train_limit=2048 batch.micro=256 batch.effective=512
TEXT
}
# Each case gets most of what is left: rounds that come after it only make the figures above steadier. compare_frameworks.py knows how long it has.
peers() {
    local compare=$source/tests/bench/compare_frameworks.py least=90000 case window=()
    if [[ -x $build/tests/bench_workbench ]]; then window=(--window); fi
    if [[ -z $python ]] || ! timeout 60 "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' >/dev/null 2>&1; then
        leave "peers" skipped "there is no Python whose torch finds the GPU; ACCUMULUS_PYTHON may name one"
        return
    fi
    for case in lenet5-32x4 resnet18-512x2-bf16 char-gpt-6x384-64x4 lenet5-4096x4 resnet18-512x2 char-gpt-6x384-4x4 resnet18-32x2 resnet18-32x2-bf16; do
        if (((part_end - $(now)) * 3 / 5 < least)); then
            leave "peers: $case" not-run "no time left: a case takes $((least / 1000)) s or more"
            continue
        fi
        steps_left=3
        sampled=yes step "peers: $case" frameworks "$case" "$python" "$compare" --device cuda --programs "$build" --python "$python" --cases "$case" \
            --rounds 2 --seconds 1 --within @SECONDS@ --json @LOG@.json "${window[@]}"
    done
    steps_left=24
}
bench_part() {
    part bench 100 36
    there "$build/tests/bench_training" "training alone" || return 0
    round 1
    peers
    round 2
    round 3
}
