# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of packages share; sourced. ACCUMULUS_SOURCE and ACCUMULUS_BUILD: the source folder and the build tree.
set -euo pipefail
: "${ACCUMULUS_SOURCE:?}" "${ACCUMULUS_BUILD:?}"
person=$(getent passwd "$(id -u)" | cut -d: -f6 || true) # HOME may be the test's own; empty for an unknown user
person=${person:-/home/nobody-in-particular}
scratch=$(mktemp -d "$ACCUMULUS_BUILD/packages-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/home"

skip() {
    echo "skipped: $*"
    exit 77
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
needs() {
    local program
    for program in "$@"; do command -v "$program" > /dev/null || skip "$program is not installed"; done
}
programs_are_built() {
    for program in accumulus accumulus-cli accumulus-engine; do [[ -x $ACCUMULUS_BUILD/bin/$program ]] || skip "$program is not built"; done
    grep -q '^ACCUMULUS_CUDA:.*=OFF$' "$ACCUMULUS_BUILD/CMakeCache.txt" || skip "packages are made of builds without CUDA (ACCUMULUS_CUDA=OFF)"
    local free
    free=$(df -Pm "$scratch" | awk 'NR == 2 {print $4}')
    ((free > 3000)) || skip "packing and unpacking takes 3 GB, and $free MB are free"
}

# As a person who has only just got the machine: no variable of this shell, an empty home.
as_newcomer=(env -i HOME="$scratch/home" PATH=/usr/bin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen)

# Nothing of the machine that built it: no home folder, no build tree, and every search path relative to the file.
tells_nothing_of_its_builder() { # FOLDER
    local torch places file found
    torch=$(sed -n 's/^LIBTORCH_ROOT:PATH=//p' "$ACCUMULUS_BUILD/CMakeCache.txt")
    places=(-e "$ACCUMULUS_BUILD" -e "$ACCUMULUS_SOURCE/" -e "$torch")
    grep -rlaF "${places[@]}" "$1" > "$scratch/found" || true
    # Other people's libraries may name a home folder: the one of who built them.
    grep -rlaF -e "$person/" --exclude-dir=torch --exclude-dir=nvidia --exclude-dir=bundled --exclude-dir=plugins "$1" >> "$scratch/found" || true
    while read -r file; do
        echo "$file: $(grep -aoE -m9 "($ACCUMULUS_BUILD|$ACCUMULUS_SOURCE/|$torch|$person/)[[:print:]]{0,80}" "$file" | head -3)" >&2
    done < "$scratch/found"
    [[ ! -s $scratch/found ]] || fail "files name a folder of the machine that built them"
    while read -r file; do
        found=$(readelf -d "$file" 2> /dev/null | sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]/\2/p' | tr ':' '\n' | grep -vE '^(\$ORIGIN|/usr/lib)(/|$)' || true)
        [[ -z $found ]] || fail "$file looks for libraries in $found"
    done < <(find "$1" -type f \( -path '*/bin/*' -o -name '*.so' -o -name '*.so.*' \))
}

# A tiny experiment to its verdict: two arms, one seed, its curves and weights in a library.
trains() { # FOLDER WITH PROGRAMS
    cat > "$scratch/tiny.toml" << 'TOML'
[data]
dataset = "mnist"
train_limit = 1000
test_limit = 200
[model]
name = "mlp"
[batch]
effective = 256
micro = 32
[train]
length = "1 epoch"
[study]
seeds = [0]
large_batch = true
TOML
    (cd "$scratch" && "${as_newcomer[@]}" "$1/accumulus-cli" run tiny.toml --library "$scratch/tiny.sqlite" > "$scratch/run.log" 2>&1) || {
        cat "$scratch/run.log" >&2
        fail "accumulus-cli run"
    }
    [[ $("${as_newcomer[@]}" "$1/accumulus-cli" list --json --library "$scratch/tiny.sqlite" | grep -o '"completed"' | wc -l) == 2 ]] || fail "two runs should be completed"
}

# The workbench shows its window, reads its library, and quits when it is asked to.
opens() { # FOLDER WITH PROGRAMS
    local code=0 i
    rm -f "$scratch/window.sqlite"
    "${as_newcomer[@]}" "$1/accumulus" --library "$scratch/window.sqlite" "$scratch/tiny.toml" > "$scratch/window.log" 2>&1 &
    local program=$!
    for ((i = 0; i < 600; i++)); do
        if [[ -s $scratch/window.sqlite ]] || ! kill -0 "$program" 2> /dev/null; then break; fi
        sleep 0.1
    done
    sleep 1
    kill -TERM "$program" 2> /dev/null || true
    wait "$program" || code=$?
    [[ $code == 0 && -s $scratch/window.sqlite ]] || {
        cat "$scratch/window.log" >&2
        fail "the workbench ended with $code"
    }
}
