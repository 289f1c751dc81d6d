#!/bin/bash
#
# A PostgreSQL and a Redis of our own, on unix sockets, for tests, benchmark
# and demo.  No system service and no TCP port is touched.
#
# services.sh start DIR [--durable] [--private] [--env=FILE] [--from=OTHER]
#                                    starts what does not run yet, writes FILE
#                                    (DIR/env), to be sourced; data are those of
#                                    OTHER, which was stopped and kept, or none
# services.sh stop DIR [--keep]      stops both, removes the data unless it is
#                                    to be kept
# services.sh running DIR            succeeds when both answer
# services.sh standby DIR            a second PostgreSQL, its data in standby, its
#                                    socket in sock2, to which the first one
#                                    commits synchronously from then on
# services.sh promote DIR            makes it the first one
# services.sh tls DIR PORT           PostgreSQL on 127.0.0.1:PORT, too, there by
#                                    TLS only, with a certificate of its own
# services.sh disk DIR NAME SIZE     mounts a small disk in memory for data of
#                                    PostgreSQL; fails where that is not allowed
#
# Where SERVICES_CLOCK is the name of a file, start gives PostgreSQL a clock that
# is away from this machine's by what stands in it ("+25h", by libfaketime).
# The last four are for tests, and print where their folder is.  Programs of
# PostgreSQL are those in PROMPT_PG_BIN, or of the newest that is installed.
#
# Durable: PostgreSQL waits for the disk, as a real one does.  Private: other
# users of this host are not PostgreSQL's superuser, and cannot write Redis.
# Root cannot run
# PostgreSQL, so it runs as the user postgres then.  Where DIR is a place that
# this user cannot reach, or too deep for a socket's name (107 characters),
# the data and sockets are in a folder below ${TMPDIR:-/tmp}, and DIR/place
# says which.

set -euo pipefail

cmd=${1:-}
dir=${2:-}
mode=
private=
from=
env=$dir/env

die() {
    echo "services: $*" >&2
    exit 1
}

for arg in "${@:3}"; do
    case $arg in
        --env=*) env=${arg#--env=} ;;
        --from=*) from=${arg#--from=} ;;
        --private) private=1 ;;
        --*)     mode=$arg ;;
    esac
done

[ -n "$cmd" ] && [ -n "$dir" ] \
    || die "usage: services.sh start|stop|running|standby|promote|tls|disk DIR"

bin() {
    local found

    found=${PROMPT_PG_BIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null \
        | sort -V | tail -n 1)}

    if [ -n "$found" ] && [ -x "$found/$1" ]; then
        echo "$found/$1"
    else
        command -v "$1" || die "no $1 here; \`make deps' installs PostgreSQL"
    fi
}

# as_pg COMMAND...: as the user that PostgreSQL runs as, in a folder it can see
as_pg() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && runuser -u postgres -- "$@")
    else
        (cd / && "$@")
    fi
}

# the folder of data and sockets; made where it does not exist
place() {
    local want=$dir

    if [ -f "$dir/place" ] && [ -d "$(cat "$dir/place")" ]; then
        cat "$dir/place"
        return
    fi

    if [ ${#want} -gt 80 ] || ! as_pg test -x "$want"; then
        want=$(mktemp -d "${TMPDIR:-/tmp}/prompt-XXXXXX")
        chmod 755 "$want"
    fi

    echo "$want" > "$dir/place"
    echo "$want"
}

pg_running() {
    as_pg "$(bin pg_ctl)" status -D "$1/pg" >/dev/null 2>&1
}

redis_running() {
    [ "$(redis-cli -s "$1/redis.sock" ping 2>/dev/null)" = PONG ]
}

# the environment of a PostgreSQL that has a clock of its own
pg_clock() {
    [ -z "${SERVICES_CLOCK:-}" ] \
        || echo "LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketime.so.1)" \
                "FAKETIME_TIMESTAMP_FILE=$SERVICES_CLOCK" FAKETIME_NO_CACHE=1 \
                DONT_FAKE_MONOTONIC=1
}

start_pg() {
    local at=$1 log=$1/pg/server.log trust=${private:+peer map=own}

    trust=${trust:-trust}

    if [ ! -f "$at/pg/PG_VERSION" ]; then
        mkdir -p "$at/pg" "$at/sock"
        chmod 700 "$at/pg"
        [ "$(id -u)" -ne 0 ] || chown postgres: "$at/pg" "$at/sock"

        if [ -n "$from" ]; then
            as_pg cp -a "$(cat "$from/place")/pg/." "$at/pg"
        else
            as_pg "$(bin initdb)" -D "$at/pg" -U postgres -E UTF8 \
                --locale=C.UTF-8 --no-sync --auth=trust \
                > "$dir/initdb.log" 2>&1 \
                || { cat "$dir/initdb.log" >&2; die "initdb failed"; }
            echo "include 'services.conf'" \
                | as_pg tee -a "$at/pg/postgresql.conf" >/dev/null
        fi

        as_pg tee "$at/pg/services.conf" >/dev/null <<END
listen_addresses = ''
unix_socket_directories = '$at/sock'
max_connections = 200
shared_buffers = 64MB
$([ "$mode" = --durable ] || printf '%s\n' 'fsync = off' \
    'full_page_writes = off')
log_min_messages = warning
log_line_prefix = '%m [%p] %u@%d '
END
        as_pg tee "$at/pg/pg_hba.conf" >/dev/null <<END
local all         postgres $trust
local replication postgres $trust
local all         all      scram-sha-256
END
        as_pg tee "$at/pg/pg_ident.conf" >/dev/null <<END
own $(id -un) postgres
own $(as_pg id -un) postgres
END
    fi

    # shellcheck disable=SC2046
    as_pg env $(pg_clock) "$(bin pg_ctl)" start -w -s -D "$at/pg" -l "$log" \
        >/dev/null </dev/null \
        || { as_pg tail -n 20 "$log" >&2; die "PostgreSQL does not start"; }
}

pg_standby() {
    local at=$1 i

    mkdir -p "$at/standby" "$at/sock2"
    chmod 700 "$at/standby"
    [ "$(id -u)" -ne 0 ] || chown postgres: "$at/standby" "$at/sock2"

    as_pg "$(bin pg_basebackup)" -h "$at/sock" -U postgres -D "$at/standby" -R \
        -c fast --no-sync
    as_pg tee -a "$at/standby/postgresql.conf" >/dev/null <<END
unix_socket_directories = '$at/sock2'
END
    as_pg "$(bin pg_ctl)" start -w -s -D "$at/standby" \
        -l "$at/standby/server.log" >/dev/null </dev/null

    # after the copy was made: the standby itself has to wait for nobody
    psql_as "$at" -c "ALTER SYSTEM SET synchronous_standby_names = '*'" \
        -c 'SELECT pg_reload_conf()' >/dev/null

    for i in $(seq 200); do
        [ "$(psql_as "$at" \
            -c 'SELECT sync_state FROM pg_stat_replication')" != sync ] \
            || return 0
        sleep 0.05
    done

    die "the standby does not follow"
}

pg_tls() {
    local at=$1 port=$2

    as_pg openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -keyout "$at/pg/server.key" -out "$at/pg/server.crt" 2>/dev/null
    as_pg chmod 600 "$at/pg/server.key"

    as_pg tee -a "$at/pg/postgresql.conf" >/dev/null <<END
listen_addresses = '127.0.0.1'
port = $port
ssl = on
END
    as_pg tee -a "$at/pg/pg_hba.conf" >/dev/null <<END
hostssl all all 127.0.0.1/32 trust
END
    as_pg "$(bin pg_ctl)" restart -w -s -D "$at/pg" -l "$at/pg/server.log" \
        >/dev/null </dev/null
}

psql_as() {
    psql -X -q -A -t -h "$1/sock" -U postgres -d postgres "${@:2}"
}

stop_pg() {
    local how=immediate

    [ -d "$1" ] && as_pg "$(bin pg_ctl)" status -D "$1" >/dev/null 2>&1 \
        || return 0

    # what is to be removed needs no checkpoint
    [ "$mode" != --keep ] || how=fast

    as_pg "$(bin pg_ctl)" stop -s -w -m $how -D "$1" \
        || as_pg "$(bin pg_ctl)" stop -s -w -m immediate -D "$1"
}

start_redis() {
    local at=$1 perm=${private:+700} i

    perm=${perm:-777}
    redis-server --port 0 --unixsocket "$at/redis.sock" --unixsocketperm "$perm" \
        --daemonize yes --pidfile "$at/redis.pid" --logfile "$at/redis.log" \
        --save '' --appendonly no --dir "$at" >/dev/null </dev/null

    for i in $(seq 100); do
        redis_running "$at" && break
        sleep 0.05
    done

    if redis_running "$at"; then
        # root's workers are nobody
        [ -z "$private" ] || [ "$(id -u)" -ne 0 ] \
            || chown nobody "$at/redis.sock"
        return
    fi

    tail -n 20 "$at/redis.log" >&2
    die "Redis does not start"
}

case $cmd in
    start)
        mkdir -p "$dir"
        dir=$(cd "$dir" && pwd)
        at=$(place)

        pg_running "$at" || start_pg "$at"
        redis_running "$at" || start_redis "$at"

        cat > "$env" <<END
SERVICES_PG='host=$at/sock user=postgres dbname=postgres'
SERVICES_PG_HOST='$at/sock'
SERVICES_PG_DATA='$at/pg'
SERVICES_REDIS='$at/redis.sock'
SERVICES_PLACE='$at'
END
    ;;

    running)
        [ -f "$dir/place" ] || exit 1
        at=$(cat "$dir/place")
        pg_running "$at" && redis_running "$at"
    ;;

    standby)
        at=$(place)
        pg_standby "$at"
        echo "$at"
    ;;

    promote)
        at=$(place)
        as_pg "$(bin pg_ctl)" promote -w -s -D "$at/standby"
        echo "$at"
    ;;

    tls)
        at=$(place)
        pg_tls "$at" "${3:-}"
        echo "$at"
    ;;

    disk)
        at=$(place)/disk-${3:-}
        mkdir -p "$at"
        mount -t tmpfs -o "size=${4:-},mode=700,uid=$(id -u postgres)" \
            tmpfs "$at"
        echo "$at"
    ;;

    stop)
        [ -f "$dir/place" ] || exit 0
        dir=$(cd "$dir" && pwd)
        at=$(cat "$dir/place")

        # a server waits for its standby, also while it stops
        stop_pg "$at/pg"
        stop_pg "$at/standby"

        if redis_running "$at"; then
            redis-cli -s "$at/redis.sock" shutdown nosave >/dev/null 2>&1 || true
        fi

        rm -f "$at"/redis.*
        [ "$mode" != --keep ] || exit 0

        for disk in "$at"/disk-*; do
            ! mountpoint -q "$disk" || umount "$disk" || umount -l "$disk"
        done

        rm -rf "${at:?}/pg" "$at"/sock "$at"/sock2 "$at"/standby "$at"/disk-*
        rm -f "$dir"/env* "$dir/place" "$dir/initdb.log"
        [ "$at" = "$dir" ] || rm -rf "$at"
    ;;

    *)
        die "unknown command: $cmd"
    ;;
esac
