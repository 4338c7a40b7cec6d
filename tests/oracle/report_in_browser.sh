#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports as a browser shows them: Chromium, without a window and without a network, says nothing on its console and draws every figure.
# report_in_browser.sh ACCUMULUS-CLI. Exit code 0: so it is, and a page with a fault is noticed; 1: not; 77: there is no Chromium.
set -euo pipefail
cli=$1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "skipped: Chromium is not installed"
    exit 77
}
apart=(unshare -rn)
"${apart[@]}" true 2> /dev/null || apart=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_CONFIG_HOME=$scratch XDG_CACHE_HOME=$scratch
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
# The page as the browser has it to shown.html, what the console says to console.
show() { # FILE
    "${apart[@]}" timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$scratch/profile" \
        --enable-logging=stderr --virtual-time-budget=3000 --dump-dom "file://$1" > "$scratch/shown.html" 2> "$scratch/said" || fail "$browser ended with $?: $(tail -3 "$scratch/said")"
    grep CONSOLE "$scratch/said" > "$scratch/console" || true
}

cat > "$scratch/small.toml" << 'TOML'
[data]
dataset = "digits-generated"
train_limit = 600
test_limit = 100
[batch]
effective = 128
micro = 32
[train]
length = "2 epochs"
[study]
seeds = [0, 1, 2]
large_batch = true
TOML
"$cli" run "$scratch/small.toml" --library "$scratch/small.sqlite" > "$scratch/run.log" || fail "run: $(cat "$scratch/run.log")"
for what in study run; do
    id=$("$cli" list --json --library "$scratch/small.sqlite" | grep -o "\"$what\":\"[^\"]*\"" | head -1 | cut -d'"' -f4)
    "$cli" report "$id" --library "$scratch/small.sqlite" --out "$scratch/$what.html"
    show "$scratch/$what.html"
    [[ ! -s $scratch/console ]] || fail "$what: $(cat "$scratch/console")"
    figures=$(grep -c '<svg' "$scratch/$what.html" || true)
    [[ $figures -ge 3 && $(grep -c '<svg' "$scratch/shown.html") == "$figures" ]] || fail "$what: not every figure is there"
    if grep -oE '(src|href|url\()=?["'"'"']?https?:[^"'"'"' ]*' "$scratch/shown.html" | grep -v '^href'; then fail "$what loads something from elsewhere"; fi
done
sed 's#</body>#<script>notThere()</script></body>#' "$scratch/study.html" > "$scratch/fault.html"
show "$scratch/fault.html"
grep -q notThere "$scratch/console" || fail "a fault was not noticed"
echo passed
