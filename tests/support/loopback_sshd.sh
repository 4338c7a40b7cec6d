#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A host for tests that work over SSH: an sshd of its own on 127.0.0.1 and a free port, with all its files in FOLDER.
#   loopback_sshd.sh start FOLDER [PID]   prints FOLDER/ssh_config, whose host is accumulus-loopback; with PID, stops once that process has gone
#   loopback_sshd.sh cut FOLDER           ends every open connection, as a lost network does; programs that were started through one go on
#   loopback_sshd.sh down FOLDER          nothing listens any more, and every connection is cut
#   loopback_sshd.sh up FOLDER            listens again, on the same port
#   loopback_sshd.sh stop FOLDER          ends all, also the programs that were started through it
# Where something for it is missing or not allowed: one line "SKIP: reason" and exit code 77. FOLDER's path has no quotes and no percent signs.
#
# Programs on the host see the HOME, PATH, ACCUMULUS_* and so on that `start` was called with, and begin in that HOME. A variable of `passed` that was not set
# then can come from the client. As root, /run/sshd is made where it is missing: sshd insists on it.
set -eu

passed=(HOME PATH TMPDIR LANG 'LC_*' 'XDG_*' 'QT_*' 'LD_*' 'ACCUMULUS_*' 'OMPI_*' 'PMIX_*' 'OMP_*' SLURM_CONF '?SAN_OPTIONS' UBSAN_OPTIONS)

usage() { sed -n 's/^#   //p' "$0" >&2 && exit 2; }

skip() { echo "SKIP: $1" && exit 77; }

fail() { echo "$1" >&2 && exit 1; }

# Sets name and parent of process $1; fails where there is none, or only a zombie.
look() {
    local line state
    { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    name=${line#*\(} name=${name%)*}
    read -r state parent _ <<<"${line##*) }"
    [[ $state != [ZX] ]]
}

is_listener() { [[ -n $1 ]] && look "$1" && [[ $name == sshd ]]; }

find_listener() { { read -r listener <"$folder/sshd.pid"; } 2>/dev/null && is_listener "$listener"; }

# The processes that serve connections of process $1: with an ordinary user, two each.
connections() {
    local process
    for process in /proc/[0-9]*; do
        process=${process#/proc/}
        if look "$process" && [[ $parent == "$1" && $name == sshd* ]]; then
            echo "$process"
            connections "$process"
        fi
    done
}

# Kills processes, and waits until they have gone, 5 s at most.
end() {
    local pid
    kill -KILL "$@" 2>/dev/null || :
    for pid; do
        for ((i = 0; i < 100; ++i)); do
            look "$pid" || break
            sleep 0.05
        done
    done
}

# The listener is left stopped, so that no connection begins meanwhile.
cut() {
    local pids
    kill -STOP "$listener"
    mapfile -t pids < <(connections "$listener")
    end "${pids[@]}"
}

down() {
    cut
    end "$listener"
}

# Fails where the port is taken.
up() {
    rm -f "$folder/sshd.pid"
    setsid "$sshd" -D -f "$folder/sshd_config" -E "$folder/sshd.log" </dev/null >/dev/null 2>&1 &
    local pid=$!
    disown
    for ((i = 0; i < 200; ++i)); do
        [[ ! -s $folder/sshd.pid ]] || return 0
        look "$pid" || return 1
        sleep 0.05
    done
    return 1
}

# Also what carries the mark of this host in its environment.
stop() {
    local process
    ! is_listener "$listener" || down
    while read -r process; do
        process=${process#/proc/}
        kill -KILL "${process%/environ}" 2>/dev/null || :
    done < <(grep -lsaFxz -- "ACCUMULUS_LOOPBACK_SSHD=$folder" /proc/[0-9]*/environ)
}

# sshd takes all variables in one line, and lets them win over what it sets itself.
environment() {
    local variable pattern value
    printf 'SetEnv "ACCUMULUS_LOOPBACK_SSHD=%s"' "$folder"
    while read -r variable; do
        for pattern in "${passed[@]}"; do
            # shellcheck disable=SC2053
            [[ $variable == $pattern && $variable != ACCUMULUS_LOOPBACK_SSHD ]] || continue
            value=${!variable//\\/\\\\} value=${value//\"/\\\"}
            [[ $value == *$'\n'* ]] || printf ' "%s=%s"' "$variable" "$value"
            break
        done
    done < <(compgen -e)
    echo
}

# The forced command is what moves from the home of the user database to HOME.
configure() {
    cat >"$folder/sshd_config" <<TEXT
ListenAddress 127.0.0.1
Port $1
HostKey "$folder/host_key"
PidFile "$folder/sshd.pid"
AuthorizedKeysFile "$folder/client_key.pub"
AuthenticationMethods publickey
StrictModes no
UsePAM no
PermitUserRC no
PrintMotd no
MaxSessions 100
MaxStartups 100
Subsystem sftp $sftp_server
ForceCommand exec /bin/sh -c 'cd "\$HOME" && c=\$SSH_ORIGINAL_COMMAND && unset SSH_ORIGINAL_COMMAND && exec "\$SHELL" \${c:+-c "\$c"}'
AcceptEnv ${passed[*]}
$(environment)
TEXT
    # From OpenSSH 9.8 on, a connection that was cut would bar this address for a while.
    if "$sshd" -t -f "$folder/sshd_config" -o 'PerSourcePenalties no' 2>/dev/null; then
        echo 'PerSourcePenalties no' >>"$folder/sshd_config"
    fi
    echo "[127.0.0.1]:$1 $(<"$folder/host_key.pub")" >"$folder/known_hosts"
    cat >"$folder/ssh_config" <<TEXT
Host accumulus-loopback
    HostName 127.0.0.1
    Port $1
    User $user
    IdentityFile "$folder/client_key"
    IdentitiesOnly yes
    IdentityAgent none
    PreferredAuthentications publickey
    UserKnownHostsFile "$folder/known_hosts"
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    UpdateHostKeys no
    SendEnv ${passed[*]}
TEXT
}

start() {
    local program key error
    [[ -r /proc/self/stat ]] || skip "/proc is missing"
    user=$(id -un 2>/dev/null) || skip "this user has no name"
    for program in sshd ssh ssh-keygen setsid; do
        [[ -n $(command -v "$program") || $program == sshd && -n $sshd ]] || skip "$program is missing"
    done
    for sftp_server in /usr/lib{,exec}/openssh/sftp-server /usr/lib{/ssh,exec}/sftp-server ''; do
        [[ ! -x $sftp_server ]] || break
    done
    [[ -n $sftp_server ]] || skip "sftp-server is missing"
    ((UID)) || [[ -e /run/sshd ]] || mkdir -m 755 /run/sshd 2>/dev/null || skip "/run/sshd cannot be made"
    for key in host_key client_key; do
        [[ -e $folder/$key ]] || ssh-keygen -q -t ed25519 -N '' -C accumulus-test -f "$folder/$key"
    done
    # Below the ports that the system hands out itself, so that `up` finds its port free.
    for ((try = 0; try < 20; ++try)); do
        configure $((20000 + RANDOM % 12000))
        error=$("$sshd" -t -f "$folder/sshd_config" 2>&1) || fail "$error"
        ! up || break
    done
    find_listener || fail "sshd does not start: $(cat "$folder/sshd.log")"
    if ! error=$(timeout 20 ssh -F "$folder/ssh_config" -o BatchMode=yes accumulus-loopback true 2>&1 </dev/null); then
        down
        ! grep -q 'account is locked' "$folder/sshd.log" || skip "the account of $user is locked"
        fail "no login: $error $(cat "$folder/sshd.log")"
    fi
}

# Says in the folder whose the watch is: a process, or nobody.
own() { echo "$1" >"$folder/owner.new" && mv "$folder/owner.new" "$folder/owner"; }

# Until the owner or the folder has gone; `stop`, or a start with another owner, needs this watch no more.
watch() {
    local now
    while now=$(cat owner 2>/dev/null) && look "$owner"; do
        [[ $now == "$owner" ]] || exit 0
        find_listener || :
        sleep 0.5
    done
    stop
}

(($# == 2)) || [[ $# == 3 && $1 == start && $3 =~ ^[0-9]+$ ]] || usage
[[ $1 != start ]] || mkdir -p "$2"
folder=$(cd "$2" 2>/dev/null && pwd -P) || exit 0
sshd=$(PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin command -v sshd || :)
owner=${3-} listener=
case $1 in
    start)
        cd "$folder"
        if ! find_listener; then start; fi
        own "${owner:-nobody}"
        if [[ -n $owner ]]; then
            # In a process group of its own.
            set -m
            watch </dev/null >/dev/null 2>&1 &
        fi
        echo "$folder/ssh_config"
        ;;
    cut)
        find_listener || exit 0
        cut
        kill -CONT "$listener"
        ;;
    down) ! find_listener || down ;;
    up) find_listener || up ;;
    stop)
        own nobody
        find_listener || :
        stop
        ;;
    *) usage ;;
esac
