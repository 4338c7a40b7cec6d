#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/oracles.sh TORCH FOLDER, called by packaging/setup.sh --oracles: makes FOLDER/python, a Python that imports the torch of LibTorch's wheel and what else
# the oracles of tests/oracle compare with.
#
# The small CPU set leaves the CUDA libraries out, which Python's `import torch` loads all the same and a CPU never calls. FOLDER/stubs has stand-ins for them, some
# 300 KB in place of 4 GB; a function that is called after all ends the process.
set -euo pipefail
site=$(cd "$1/.." && pwd)
torch=$site/torch/lib out=$2
requirements=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/requirements/oracles.txt
[[ -e $out/python && ! $requirements -nt $out/python ]] && exit
rm -rf "$out.partial"
mkdir -p "$out.partial/.tmp"
TMPDIR=$out.partial/.tmp PIP_USER=0 python3 -m pip install --quiet --no-cache-dir --disable-pip-version-check --no-compile --root-user-action=ignore \
    --only-binary=:all: --no-deps --require-hashes --target "$out.partial/packages" -r "$requirements"
rm -rf "$out.partial/.tmp"
folder=$out.partial/stubs
mkdir "$folder"
libraries=("$torch"/*.so*)
mapfile -t shipped < <(printf '%s\n' "${libraries[@]}" && find "$site/nvidia" -name 'lib*.so*' -type f 2>/dev/null)

# What is wanted as "symbol version", without what the shipped libraries define.
nm -D --undefined-only "${libraries[@]}" 2>/dev/null | awk 'NF == 2 {split($2, part, "@+"); print part[1], part[2]}' |
    grep -E '^(cu|nv|nccl)[A-Za-z0-9_]+ ' | sort -u >"$folder/wanted"
nm -D --defined-only "${shipped[@]}" 2>/dev/null | awk 'NF == 3 {sub(/@.*/, "", $3); print $3}' | sort -u >"$folder/defined"
join -v 1 "$folder/wanted" "$folder/defined" >"$folder/missing"
# Which library is to define which version.
readelf -V "${libraries[@]}" 2>/dev/null | awk '/File: / {for (i = 1; i < NF; i++) if ($i == "File:") file = $(i + 1)}
    /Name: / && file {for (i = 1; i < NF; i++) if ($i == "Name:") print $(i + 1), file} /^Version symbols/ {file = ""}' | sort -u >"$folder/versions"

stub() { # <library>: "symbol version" from standard input
    local script=
    awk -v name="$1" -v script="$folder/script" 'NR == FNR {if ($2 == name) of[$1] = ""; next}
        {print "void " $1 "(void) { __builtin_trap(); }"} NF == 2 {of[$2] = of[$2] " " $1 ";"}
        END {for (v in of) print v " {" (of[v] ? " global:" of[v] : "") " };" > script}' "$folder/versions" - >"$folder/stub.c"
    [[ ! -e $folder/script ]] || script=-Wl,--version-script=$folder/script
    gcc -w -fno-builtin -shared -fPIC -Wl,-soname,"$1" ${script:+"$script"} -o "$folder/$1" "$folder/stub.c"
    rm -f "$folder/script"
}
for name in $(readelf -d "${libraries[@]}" | sed -nE 's/.*\(NEEDED\).*\[(lib(cu|nv|nccl)[^]]*)\]/\1/p' | sort -u); do
    [[ -z $(find "$site" -name "$name" -print -quit) ]] || continue
    awk -v name="$name" 'NR == FNR {if ($2 == name) mine[$1]; next} $2 in mine' "$folder/versions" "$folder/missing" | stub "$name"
done
# Symbols without a version may be anywhere: in one library that all processes preload.
awk 'NF == 1' "$folder/missing" | stub libunversioned.so
rm "$folder"/{wanted,defined,missing,versions,stub.c}

# Preloaded by its name alone, which may hold no space; LD_LIBRARY_PATH leads to it.
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }
cat >"$out.partial/python" <<TEXT
#!/bin/sh
PYTHONPATH=$(quoted "$out/packages:$site") LD_LIBRARY_PATH=$(quoted "$out/stubs") LD_PRELOAD=libunversioned.so exec python3 "\$@"
TEXT
chmod +x "$out.partial/python"
rm -rf "$out"
mv "$out.partial" "$out"
