#!/bin/bash
#
# versions.sh build [NAME...]   the module for each release, and nginx -t with it
# versions.sh test [NAME...]    then tests, for each combination of versions, and
#                               a table of what came of it; also with the
#                               servers beside nginx of a later release
#
# Those of the table below, or those that are named.  What is not installed
# comes from later releases of Debian, unpacked below build/versions: nothing is
# installed.  The nginx and PostgreSQL are the very programs of those packages,
# run by the libc and with the libraries that came with them; the module is
# compiled here, by nginx's own configure with the options of its package,
# against their headers, and linked with their hiredis and libpq.  So what is
# tested is what an administrator of that release has, but for the compiler.
#
# SUITES='t/http.t' runs those instead.  What cannot be had is no failure: the
# table says so.

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
at=$root/build/versions
arch=$(gcc -print-multiarch 2>/dev/null || true)

# name  nginx of  hiredis and libpq of  PostgreSQL of  suites; - is what is
# installed.  The first two are releases as they are, then it is mixed: each
# library and server beside what is oldest of the others.
table() {
    cat <<'END'
debian-13      trixie    trixie    trixie    whole
unstable       unstable  unstable  unstable  whole
new-libraries  -         unstable  -         data
postgresql-17  -         -         trixie    data
postgresql-18  -         -         unstable  data
old-server     unstable  unstable  -         data
END
}

# Servers that are run in the place of the installed ones, beside what is
# installed of everything else.
#
# name  release  packages  program:its name here,...  suites
servers() {
    cat <<'END'
valkey-8       trixie  valkey-server  valkey-server:redis-server,valkey-cli:redis-cli  keys
pgbouncer-1.24 trixie  pgbouncer      pgbouncer:pgbouncer                      pooler
END
}

# what no release has any more, or not yet: said, so that nobody takes it for
# tested
absent() {
    cat <<'END'
not run: hiredis 1.0 and 1.1, libpq 16, PostgreSQL 16 (in no release of Debian)
END
}

whole='t/http.t t/http2.t t/http3.t t/transport.t t/execute.t t/executions.t
    t/retries.t t/fallbacks.t t/streaming.t t/streaming_attempts.t
    t/streaming_faults.t t/streaming_transport.t t/reload.t t/leaving.t
    t/abandoned.t t/subrequests.t t/provider_body.t t/provider_faults.t
    t/provider_held.t t/provider_locations.t t/provider_quit.t
    t/provider_turn.t t/providers.t t/session.t t/dashboard.t t/directives.t
    t/io.t t/io_rows.t t/io_server.t t/io_tls.t t/unavailable.t
    t/revocation.t t/guarantees/reload.t t/guarantees/streams.t'

data='t/auth.t t/execute.t t/streaming.t t/prompts.t t/versions.t t/labels.t
    t/log.t t/statistics.t t/once.t t/revocation.t t/unavailable.t t/io.t
    t/io_rows.t t/io_server.t t/io_tls.t t/ctl.t t/unit/store_concurrent.c
    t/unit/store_idempotency.c t/unit/store_labels.c t/unit/store_log.c
    t/unit/store_sql.c t/unit/store_statistics.c'

keys='t/auth.t t/revocation.t t/unavailable.t t/session.t t/io.t t/ctl.t
    t/guarantees/keys.t t/guarantees/sessions.t t/guarantees/redis_cluster.t
    t/guarantees/redis_sentinel.t t/guarantees/redis_rights.t'

pooler='t/io_pooler.t t/guarantees/pooler.t'

say() {
    echo "versions: $*" >&2
}

# server_of RELEASE: the name of its package of PostgreSQL
server_of() {
    case $1 in
        trixie)   echo postgresql-17 ;;
        unstable) echo postgresql-18 ;;
    esac
}

# fetch RELEASE WHAT PACKAGE...: those and all they need, unpacked; once
fetch() {
    local release=$1 what=$2 deb

    shift 2
    [ ! -e "$at/$release/$what.done" ] || return 0

    say "fetching of $release: $*"
    rm -rf "$at/$release/deb"
    mkdir -p "$at/$release/root"

    if [ "$what" = build ]; then
        # which needs no more than to be unpacked, but would ask for a compiler
        "$root/tools/debian.sh" "$release" "$at/$release/deb" nginx-dev \
            || return 1
    fi

    "$root/tools/debian.sh" --whole "$release" "$at/$release/deb" "$@" \
        || return 1

    # the compiler here has headers of its own libc
    rm -f "$at/$release"/deb/{libc6,linux-libc,libcrypt}-dev_*.deb

    for deb in "$at/$release"/deb/*.deb; do
        dpkg -x "$deb" "$at/$release/root" || return 1
    done

    rm -rf "$at/$release/deb"
    touch "$at/$release/$what.done"
}

# fetch_for HOW RELEASE...: what is built with, and what is tested with
fetch_for() {
    local how=$1 release

    shift

    for release in "$@"; do
        [ "$release" != - ] || continue

        fetch "$release" build nginx libhiredis-dev libpq-dev libargon2-dev \
            libcurl4-openssl-dev libjansson-dev || return 1
        [ "$how" = build ] || fetch "$release" test curl \
            "$(server_of "$release")" || return 1
    done
}

linker() {
    echo "$at/$1/root/usr/lib64/ld-linux-x86-64.so.2"
}

libraries() {
    echo "$at/$1/root/usr/lib/$arch"
}

# fit RELEASE PROGRAM COPY: COPY is that program, run by the libc and with the
# libraries of RELEASE, wherever it is started from
fit() {
    local tmp=$3.new.$$

    mkdir -p "$(dirname "$3")"
    cp "$2" "$tmp"
    patchelf --set-interpreter "$(linker "$1")" --force-rpath \
        --set-rpath "$(libraries "$1")" "$tmp"
    mv "$tmp" "$3"
}

# programs RELEASE: of its PostgreSQL, fitted where they are, as they look for
# the rest of theirs from there; prints the folder
programs() {
    local bin program

    bin=$(echo "$at/$1"/root/usr/lib/postgresql/*/bin)

    if [ ! -e "$at/$1/programs.done" ]; then
        for program in "$bin"/*; do
            [ "$(head -c 4 "$program" | tail -c 3)" = ELF ] || continue
            fit "$1" "$program" "$program"
        done

        touch "$at/$1/programs.done"
    fi

    echo "$bin"
}

# stand_in NAME RELEASE PACKAGES PROGRAMS: a folder that has them, fitted, under
# the names by which the installed ones are called; prints it
stand_in() {
    local dir=$at/servers/$1 pair program

    fetch "$2" "$1" "$3" || return 1
    mkdir -p "$dir"

    for pair in ${4//,/ }; do
        program=$(find "$at/$2"/root/usr/{bin,sbin} -name "${pair%:*}")
        fit "$2" "$program" "$dir/${pair#*:}" || return 1
    done

    echo "$dir"
}

# build_of NGINX LIBRARIES: the folder that is built in, below the project's
build_of() {
    if [ "$1$2" = -- ]; then
        echo build
    else
        echo "build/versions/nginx-${1/-/installed}-with-${2/-/installed}"
    fi
}

# settings NGINX LIBRARIES: how make is to build for them
settings() {
    local lib

    settings=(B="$(build_of "$@")")
    unset NGINX_SRC PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR

    if [ "$1" != - ]; then
        export NGINX_SRC=$at/$1/root/usr/share/nginx/src
    fi

    # what is installed is built as `make' does it
    [ "$2" != - ] || return 0

    lib=$(libraries "$2")
    export PKG_CONFIG_SYSROOT_DIR=$at/$2/root
    export PKG_CONFIG_LIBDIR=$lib/pkgconfig

    # libraries want symbols of a newer libc, which is there when they run
    settings+=(CFLAGS="-O1 -g -I$at/$2/root/usr/include"
        LDFLAGS="-L$lib -Wl,--allow-shlib-undefined -Wl,--disable-new-dtags \
-Wl,-rpath,$lib -Wl,--dynamic-linker,$(linker "$2")")
}

# binary NGINX LIBRARIES: the nginx that is run with them
binary() {
    local program=$at/$1/root/usr/sbin/nginx fitted

    [ "$1" != - ] || program=$(PATH=$PATH:/usr/sbin command -v nginx)

    if [ "$2" = - ]; then
        echo "$program"
        return
    fi

    fitted=$root/$(build_of "$@")/nginx-fitted
    [ "$fitted" -nt "$program" ] || fit "$2" "$program" "$fitted"
    echo "$fitted"
}

# configured NGINX MODULE DIR: nginx -t with what needs a line of each room
configured() {
    mkdir -p "$3"
    cat > "$3/nginx.conf" <<END
load_module $2;
pid $3/nginx.pid;
error_log stderr;
events { }
http {
    access_log off;
    client_body_temp_path $3/body;
    proxy_temp_path $3/proxy;
    fastcgi_temp_path $3/fastcgi;
    uwsgi_temp_path $3/uwsgi;
    scgi_temp_path $3/scgi;
    prompt_postgres "host=$3 dbname=prompt user=prompt_app";
    prompt_redis unix:$3/redis.sock;
    prompt_provider openai /_provider;
    prompt_model * provider=openai;
    server {
        listen unix:$3/http.sock;
        location = /graphql { prompt_graphql; }
        location = /_provider { internal; proxy_pass http://127.0.0.1:9; }
    }
}
END
    "$1" -t -q -p "$3" -c "$3/nginx.conf"
}

# build HOW NGINX LIBRARIES: the module, and its nginx loads it; for tests what
# they need besides
build() {
    local how=$1 dir settings log names=(ngx_http_prompt_module.so) name

    shift
    dir=$(build_of "$@")
    log=$at/build-$(basename "$dir").log
    settings "$@"

    if [ "$how" = test ]; then
        names+=(promptctl)

        for name in $data; do
            case $name in
                t/unit/*) names+=("unit/$(basename "$name" .c)") ;;
            esac
        done
    fi

    mkdir -p "$root/$dir" "$at"

    make -C "$root" --no-print-directory $parallel "${settings[@]}" \
        "${names[@]/#/$dir/}" > "$log" 2>&1 </dev/null \
        || { tail -n 30 "$log" >&2; return 1; }

    configured "$(binary "$@")" "$root/$dir/ngx_http_prompt_module.so" \
        "$root/$dir/conf" >> "$log" 2>&1 \
        || { tail -n 10 "$log" >&2; return 1; }
}

# run_tests SUITES NGINX LIBRARIES POSTGRESQL: their last line
run_tests() {
    local log=$root/build/versions/$1.log suites=$2

    export PROMPT_BUILD PROMPT_NGINX PROMPT_PG_BIN= PROMPT_CURL3=
    shift 2
    settings "$1" "$2"
    # for the module that tests of src/io build
    unset LDFLAGS
    [ "$2" = - ] || export "${settings[-1]?}"
    PROMPT_BUILD=$(build_of "$1" "$2")
    PROMPT_NGINX=$(binary "$1" "$2")
    [ "$3" = - ] || PROMPT_PG_BIN=$(programs "$3")

    if [ "$1" != - ]; then
        PROMPT_CURL3=$root/$PROMPT_BUILD/curl
        fit "$1" "$at/$1/root/usr/bin/curl" "$PROMPT_CURL3"
    fi

    (cd "$root" && t/run $suites) > "$log" 2>&1 </dev/null || true
    grep -E '^(Test Summary|t/|  )' "$log" | grep -vE '\. ok$' >&2 || true
    tail -n 1 "$log"
}

# the versions of what a line of the table names
version_of() {
    case $1 in
        nginx)
            "$(binary "$2" "$3")" -v 2>&1 | sed 's,.*/,,; s/ .*//' ;;
        hiredis | libpq)
            (settings "$2" "$3"; pkg-config --modversion "$1") ;;
        postgres)
            if [ "$2" = - ]; then
                "$(ls -d /usr/lib/postgresql/*/bin | sort -V \
                    | tail -n 1)/postgres" -V
            else
                "$(programs "$2")/postgres" -V
            fi | sed 's/^[^0-9]*//; s/ .*//' ;;
    esac
}

# what the module asks of its libpq beside what the oldest one has
asks() {
    local module

    module=$root/$(build_of "$@")/ngx_http_prompt_module.so

    if nm -D --undefined-only "$module" \
        | grep PQsendPipelineSync > /dev/null
    then
        echo yes
    else
        echo no
    fi
}

# version_in FOLDER: of the first program there
version_in() {
    "$(find "$1" -type f | sort | tail -n 1)" --version 2>/dev/null \
        | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1
}

row() {
    printf '%-14s %-8s %-8s %-8s %-11s %-10s %s\n' "$@"
}

usage() {
    echo "usage: versions.sh build|test [NAME...]" >&2
    exit 2
}

# what run_tests() said, into the sums of main()
count() {
    local counts='^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped'

    if [[ $outcome =~ $counts ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        skipped=$((skipped + BASH_REMATCH[3]))
        [ "${BASH_REMATCH[2]}" = 0 ] || bad=1
    else
        outcome="FAILED: tests"
        bad=1
        failed=$((failed + 1))
    fi
}

# whole before anything runs: the file may change meanwhile
main() {
    local name nginx libs server suites outcome with rows
    local release packages programs dir
    local bad=0 passed=0 failed=0 skipped=0

    how=${1:-}
    shift || usage
    [ "$how" = build ] || [ "$how" = test ] || usage

    for name in "$@"; do
        { table; servers; } | grep "^$name " > /dev/null \
            || { say "no such combination: $name"; exit 2; }
    done

    case " ${MAKEFLAGS:-}" in
        *-j*) parallel= ;;
        *)    parallel=-j$(nproc 2>/dev/null || echo 2) ;;
    esac

    rows=$(row combination nginx hiredis libpq "batch sync" PostgreSQL outcome)

    while read -r name nginx libs server suites; do
        case " ${*:-$name} " in
            *" $name "*) ;;
            *) continue ;;
        esac

        # what is mixed has no header that the releases do not have
        [ "$how$suites" != builddata ] || [ $# -gt 0 ] || continue

        if ! fetch_for "$how" "$nginx" "$libs" "$server"; then
            rows+=$'\n'$(row "$name" - - - - - "not run: could not be had")
            continue
        fi

        say "$name"

        if ! build "$how" "$nginx" "$libs"; then
            outcome="FAILED: build"
            bad=1
            failed=$((failed + 1))
        elif [ "$how" = build ]; then
            outcome="built, loaded"
        else
            outcome=$(run_tests "$name" "${SUITES:-${!suites}}" "$nginx" \
                "$libs" "$server")

            count
        fi

        [ "$how" = test ] && with=$(version_of postgres "$server") || with=-
        rows+=$'\n'$(row "$name" "$(version_of nginx "$nginx" "$libs")" \
            "$(version_of hiredis "$nginx" "$libs")" \
            "$(version_of libpq "$nginx" "$libs")" \
            "$(asks "$nginx" "$libs" || echo -)" "$with" "$outcome")
    done < <(table)

    while read -r name release packages programs suites; do
        case " ${*:-$name} " in
            *" $name "*) ;;
            *) continue ;;
        esac

        [ "$how" = test ] || continue

        if ! dir=$(stand_in "$name" "$release" "$packages" "$programs"); then
            rows+=$'\n'$(row "$name" - - - - - "not run: could not be had")
            continue
        fi

        say "$name"
        outcome=$(PATH=$dir:$PATH run_tests "$name" "${SUITES:-${!suites}}" \
            - - -)
        count
        rows+=$'\n'$(row "$name" "$(version_of nginx - -)" \
            "$(version_of hiredis - -)" "$(version_of libpq - -)" \
            "$(asks - - || echo -)" "$(version_of postgres -)" \
            "with $(version_in "$dir"): $outcome")
    done < <(servers)

    echo "$rows"

    if [ "$how" = test ]; then
        absent
        echo "$passed passed, $failed failed, $skipped skipped"
    fi

    exit $bad
}

main "$@"
