#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm cluster of one node for tests: munged, slurmctld and slurmd of its own on 127.0.0.1, with all their files in FOLDER.
#   one_node_slurm.sh start FOLDER [PID]   prints FOLDER/slurm.conf, for SLURM_CONF; with PID, stops once that process has gone
#   one_node_slurm.sh stop FOLDER          ends all, also the jobs
# Where something for it is missing: one line "SKIP: reason" and exit code 77. FOLDER's path has at most 60 characters, and no blanks.
#
# The node has 8 CPUs at least, whatever the machine has. No cgroups, no accounting; MPI through PMIx where this Slurm has it. A job starts at once, is killed
# some seconds after scancel where SIGTERM does not end it, and can be asked about for five minutes after its end.
set -eu

usage() { sed -n 's/^#   //p' "$0" >&2 && exit 2; }

skip() { echo "SKIP: $1" && exit 77; }

fail() { echo "$1" >&2 && exit 1; }

# Sets name and state of process $1; fails where there is none, or only a zombie.
look() {
    local line
    { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    name=${line#*\(} name=${name%)*}
    line=${line##*) }
    [[ $line != [ZX]* ]]
}

# The daemons that run, out of what start noted: pairs of process and name.
daemons() {
    local pid wanted
    while read -r pid wanted; do
        ! look "$pid" || [[ $name != "$wanted" ]] || echo "$pid"
    done <<<"$1"
}

# The steps, which outlive slurmd, and the processes of jobs, which know both the cluster and a job.
jobs_left() {
    local process
    for process in /proc/[0-9]*; do
        if look "${process#/proc/}" && [[ $name == slurmstepd && $(readlink "$process"/fd/* 2>/dev/null) == *"$folder/"* ]]; then
            echo "${process#/proc/}"
        fi
    done
    while read -r process; do
        process=${process%/environ}
        ! grep -qsaz '^SLURM_JOB_ID=' "$process/environ" || echo "${process#/proc/}"
    done < <(grep -lsaFxz -- "SLURM_CONF=$folder/slurm.conf" /proc/[0-9]*/environ)
}

# $1: the daemons as start noted them, which may be more than the folder still says.
stop() {
    local pids
    for list in "daemons" "jobs_left"; do
        mapfile -t pids < <("$list" "$1")
        ((${#pids[@]})) || continue
        kill -KILL "${pids[@]}" 2>/dev/null || :
        for pid in "${pids[@]}"; do
            for ((i = 0; i < 100; ++i)); do
                look "$pid" || break
                sleep 0.05
            done
        done
    done
}

noted() { cat "$folder/daemons" 2>/dev/null || :; }

launch() {
    setsid "$@" </dev/null >>"$folder/$1.out" 2>&1 &
    disown
    echo "$! $1" >>"$folder/daemons"
}

# Two ports in a row, below those that the system hands out itself.
find_port() {
    local port
    for ((i = 0; i < 20; ++i)); do
        port=$((12000 + RANDOM % 8000))
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || (: <"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null || break
    done
    echo "$port"
}

configure() {
    local node user port cpus memory version plugin
    node=$(uname -n) node=${node%%.*}
    user=$(id -un 2>/dev/null) || skip "this user has no name"
    port=$(find_port)
    cpus=$(nproc)
    memory=$(awk '/^MemTotal:/ {print int($2 / 1024)}' /proc/meminfo)
    cat >"$folder/slurm.conf" <<TEXT
ClusterName=accumulus
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MinJobAge=300
MailProg=/bin/true
NodeName=$node NodeAddr=127.0.0.1 CPUs=$((cpus > 8 ? cpus : 8)) RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
TEXT
    # Nothing below uses cgroups, and slurmd is not to make any of its own; before 24.05, version 1 is what leaves them alone.
    version=$(slurmd -V) || fail "slurmd does not run"
    plugin=disabled
    printf '%s\n' 24.05 "${version##* }" | sort -VC || plugin=cgroup/v1
    echo "CgroupPlugin=$plugin" >"$folder/cgroup.conf"
    if srun --mpi=list 2>&1 | grep -qw pmix; then
        echo 'MpiDefault=pmix' >>"$folder/slurm.conf"
    fi
}

start() {
    local program pid
    [[ -r /proc/self/stat ]] || skip "/proc is missing"
    for program in munged slurmctld slurmd srun sinfo setsid; do
        [[ -n $(command -v "$program") ]] || skip "$program is missing"
    done
    ((${#folder} <= 60)) || fail "the path $folder is too long for the sockets in it"
    stop "$(noted)"
    rm -rf "$folder/state" "$folder/spool" "$folder/daemons" "$folder"/munge*
    mkdir "$folder/state" "$folder/spool"
    (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
    configure
    launch munged --foreground --force --socket="$folder/munge.socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
        --seed-file="$folder/munge.seed"
    for ((i = 0; i < 100; ++i)); do
        [[ ! -S $folder/munge.socket ]] || break
        sleep 0.05
    done
    launch slurmctld -D -i
    launch slurmd -D
    for ((i = 0; i < 100; ++i)); do
        [[ $(timeout 5 sinfo -h -o %T 2>/dev/null) != idle ]] || return 0
        while read -r pid _; do
            look "$pid" || break 2
        done <"$folder/daemons"
        sleep 0.2
    done
    stop "$(noted)"
    fail "Slurm does not start: $(grep -hE 'error:|fatal:|Error:' "$folder"/*.out)"
}

# Says in the folder whose the watch is: a process, or nobody.
own() { echo "$1" >"$folder/owner.new" && mv "$folder/owner.new" "$folder/owner"; }

# Until the owner or the folder has gone; `stop`, or a start with another owner, needs this watch no more.
watch() {
    local noted now
    noted=$(noted)
    while now=$(cat owner 2>/dev/null) && look "$owner"; do
        [[ $now == "$owner" ]] || exit 0
        sleep 0.5
    done
    stop "$noted"
}

(($# == 2)) || [[ $# == 3 && $1 == start && $3 =~ ^[0-9]+$ ]] || usage
[[ $1 != start ]] || mkdir -p "$2"
folder=$(cd "$2" 2>/dev/null && pwd -P) || exit 0
owner=${3-}
export SLURM_CONF=$folder/slurm.conf PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
case $1 in
    start)
        cd "$folder"
        if [[ $(daemons "$(noted)" | wc -l) != 3 ]]; then start; fi
        own "${owner:-nobody}"
        if [[ -n $owner ]]; then
            # In a process group of its own.
            set -m
            watch </dev/null >/dev/null 2>&1 &
        fi
        echo "$folder/slurm.conf"
        ;;
    stop)
        own nobody
        stop "$(noted)"
        ;;
    *) usage ;;
esac
