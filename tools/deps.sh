#!/bin/bash
#
# deps.sh check GROUP...     says what is missing, on standard error, and fails
# deps.sh install GROUP...   installs it, with root by sudo where needed; where
#                            nothing is missing it is silent and quick
#
# Groups: build run test browser soak bench lint fuzz versions valgrind
# dashboard deb test-deb rehearsal arm64.
# No service is started: while packages are unpacked a policy-rc.d forbids it
# (one that exists already is left as it is), and units that came with them are
# disabled, so that none starts with the machine either.

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
policy=/usr/sbin/policy-rc.d
mark='# made by tools/deps.sh of ngx_http_prompt_module'

export PERL5LIB=$root/build/perl5/lib/perl5${PERL5LIB:+:$PERL5LIB}

# group  probe  argument  Debian package
table() {
    cat <<'END'
build    cmd    cc                      gcc
build    cmd    make                    make
build    cmd    pkg-config              pkg-config
build    file   /usr/include/stdio.h    libc6-dev
build    pc     hiredis                 libhiredis-dev
build    pc     libpq                   libpq-dev
build    pc     libcurl                 libcurl4-openssl-dev
build    pc     libargon2               libargon2-dev
build    pc     jansson                 libjansson-dev
build    nginx  -                       nginx-dev
run      cmd    nginx                   nginx
run      cmd    redis-server            redis-server
run      cmd    redis-cli               redis-tools
run      cmd    postgres                postgresql
run      cmd    curl                    curl
run      cmd    ps                      procps
test     cmd    node                    nodejs
test     cmd    prove                   perl
test     cmd    curl                    curl
test     cmd    openssl                 openssl
test     cmd    mandoc                  mandoc
test     cmd    jq                      jq
test     cmd    pgbouncer               pgbouncer
test     glob   /usr/lib/*/faketime/libfaketime.so.1  libfaketime
test     cmd    promtool                prometheus
test     perl   Test::Nginx::Socket     libtest-nginx-perl
test     file   /usr/share/perl5/Test/JSON/Schema/Acceptance.pm  libtest-json-schema-acceptance-perl
browser  file   /usr/bin/chromium       chromium
browser  cmd    node                    nodejs
browser  cmd    npm                     npm
soak     cmd    node                    nodejs
soak     cmd    openssl                 openssl
patroni  cmd    patroni                 patroni
patroni  file   /usr/lib/python3/dist-packages/pysyncobj/__init__.py  python3-pysyncobj
patroni  file   /usr/lib/python3/dist-packages/cdiff.py  python3-cdiff
patroni  cmd    runuser                 util-linux
bench    cmd    wrk                     wrk
bench    cmd    node                    nodejs
lint     cmd    perl                    perl
lint     cmd    clang                   clang
lint     cmd    clang-tidy              clang-tidy
lint     cmd    cppcheck                cppcheck
lint     cmd    node                    nodejs
fuzz     cmd    clang                   clang
fuzz     glob   /usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer*  libclang-rt-dev
fuzz     cmd    node                    nodejs
dashboard cmd   node                    nodejs
dashboard cmd   npm                     npm
versions cmd    patchelf                patchelf
versions cmd    dpkg-architecture       dpkg-dev
deb      cmd    dpkg-buildpackage       dpkg-dev
deb      file   /usr/share/build-essential/list  build-essential
deb      cmd    dh                      debhelper
deb      cmd    nginx                   nginx
deb      cmd    node                    nodejs
deb      cmd    npm                     npm
test-deb cmd    lintian                 lintian
test-deb cmd    mmdebstrap              mmdebstrap
test-deb cmd    python3                 python3
test-deb cmd    ip                      iproute2
test-deb cmd    systemd-analyze         systemd
rehearsal cmd   psql                    postgresql-client
rehearsal cmd   node                    nodejs
arm64    cmd    aarch64-linux-gnu-gcc   gcc-aarch64-linux-gnu
arm64    file   /usr/aarch64-linux-gnu/include/stdio.h  libc6-dev-arm64-cross
arm64    cmd    qemu-aarch64            qemu-user
valgrind cmd    valgrind                valgrind
valgrind file   /usr/lib/debug/.build-id  libc6-dbg
END
}

have() {
    case $1 in
        cmd)   PATH=$PATH:/usr/sbin:/sbin:$(echo /usr/lib/postgresql/*/bin \
                   | tr ' ' ':') command -v "$2" >/dev/null ;;
        file)  [ -e "$2" ] ;;
        glob)  compgen -G "$2" >/dev/null ;;
        pc)    pkg-config --exists "$2" 2>/dev/null ;;
        perl)  perl -M"$2" -e 1 >/dev/null 2>&1 ;;
        nginx) [ -n "${NGINX_SRC:-}" ] || [ -f /usr/share/nginx/src/conf_flags ]
        ;;
    esac
}

# missing GROUP...: the Debian packages that are wanted and not there
missing() {
    local group probe arg package wanted=" $* "

    table | while read -r group probe arg package; do
        case $wanted in
            *" $group "*) have "$probe" "$arg" || echo "$package" ;;
        esac
    done | sort -u
}

say() {
    echo "deps: $*" >&2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -n "${CI:-}" ] || [ ! -t 0 ]; then
        sudo -n "$@"
    else
        sudo "$@"
    fi
}

policy_on() {
    [ -e $policy ] && return

    printf '#!/bin/sh\n%s\nexit 101\n' "$mark" \
        | as_root sh -c "cat > $policy && chmod 755 $policy"
    trap policy_off EXIT
    trap 'exit 130' INT TERM HUP
}

policy_off() {
    if [ -e $policy ] && grep -qxF "$mark" $policy; then
        as_root rm -f $policy
    fi
}

# quiet_units PACKAGE...: of the packages that are new here
quiet_units() {
    local package unit

    [ -d /run/systemd/system ] || return 0

    for package in "$@"; do
        case $package in
            nginx | nginx-dev) unit=nginx ;;
            redis-server)      unit=redis-server ;;
            pgbouncer)         unit=pgbouncer ;;
            prometheus)        unit=prometheus ;;
            patroni)           unit=patroni ;;
            postgresql*)       unit=postgresql ;;
            *)                 continue ;;
        esac

        as_root systemctl disable --quiet --now $unit >/dev/null 2>&1 || true
    done
}

# apt PACKAGE...: with fresh lists where the old ones do not do
apt() {
    local log=$root/build/deps.log
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q
                   --no-install-recommends install)

    mkdir -p "$root/build"

    if as_root "${install[@]}" "$@" </dev/null >"$log" 2>&1; then
        return
    fi

    as_root apt-get -q update </dev/null >>"$log" 2>&1 || true

    as_root "${install[@]}" "$@" </dev/null >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        say "apt-get could not install: $*"
        exit 1
    }
}

# Test::Nginx: Debian has it in unstable only; what it depends on comes from the
# system's release.
test_nginx() {
    local dir deb

    if [ -n "$(apt-cache -q policy libtest-nginx-perl 2>/dev/null \
        | grep 'Candidate: [^(]')" ]
    then
        apt libtest-nginx-perl
        return
    fi

    dir=$(mktemp -d)
    chmod 755 "$dir"

    if "$root/tools/debian.sh" unstable "$dir" libtest-nginx-perl; then
        deb=$(echo "$dir"/*.deb)
        apt "$deb"
        rm -rf "$dir"
        return
    fi

    rm -rf "$dir"

    command -v cpanm >/dev/null || apt cpanminus
    mkdir -p "$root/build"
    cpanm --quiet --notest --local-lib "$root/build/perl5" Test::Nginx \
        </dev/null >"$root/build/cpanm.log" 2>&1 || {
        tail -n 20 "$root/build/cpanm.log" >&2
        say "cpanm could not install Test::Nginx"
        exit 1
    }
}

install() {
    local packages=("$@") plain=() package again

    if ! command -v apt-get >/dev/null; then
        say "this is no Debian: please install what these packages have:" \
            "${packages[*]}"
        exit 1
    fi

    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        say "root is needed (and there is no sudo) to install: ${packages[*]}"
        exit 1
    fi

    say "installing ${packages[*]}"
    policy_on

    for package in "${packages[@]}"; do
        [ "$package" = libtest-nginx-perl ] || plain+=("$package")
    done

    [ ${#plain[@]} -eq 0 ] || apt "${plain[@]}"

    case " ${packages[*]} " in
        *" libtest-nginx-perl "*) test_nginx ;;
    esac

    quiet_units "${packages[@]}"
    policy_off
}

# node_packages DIR WITHOUT: what is wanted of npm, below DIR; where it cannot
# be had that is not an error here, and WITHOUT is said.
node_packages() {
    local dir=$root/$1 without=$2

    if [ "$dir/node_modules/.package-lock.json" -nt "$dir/package-lock.json" ]
    then
        return
    fi

    if ! command -v npm >/dev/null; then
        say "no npm here for the packages of $1: $without"
        return
    fi

    say "installing the packages of $1"
    mkdir -p "$root/build"

    if (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund \
            --fetch-retries=0 --fetch-timeout=30000) \
            </dev/null >"$root/build/npm.log" 2>&1
    then
        touch "$dir/node_modules/.package-lock.json"
        return
    fi

    rm -rf "$dir/node_modules"
    tail -n 3 "$root/build/npm.log" >&2
    say "npm ci failed for the packages of $1: $without"
}

# python_client: OpenAI's library for Python, where it can be had
python_client() {
    local python=$root/build/clients-python

    if [ -x "$python/python3" ]; then
        return
    fi

    say "fetching a Python with OpenAI's library"
    mkdir -p "$root/build"

    "$root/t/clients/python.sh" "$python" >"$root/build/python.log" 2>&1 || {
        tail -n 3 "$root/build/python.log" >&2
        say "it cannot be had: tests that need it are skipped"
    }
}

cmd=${1:-}
shift || true

case $cmd in
    check | install) ;;
    *)
        echo "usage: deps.sh check|install GROUP..." >&2
        exit 2
    ;;
esac

mapfile -t packages < <(missing "$@")

if [ ${#packages[@]} -gt 0 ] && [ "$cmd" = install ]; then
    install "${packages[@]}"
    mapfile -t packages < <(missing "$@")

    if [ ${#packages[@]} -gt 0 ]; then
        say "still missing after installation: ${packages[*]}"
        exit 1
    fi
fi

if [ ${#packages[@]} -gt 0 ]; then
    say "missing here (Debian's names): ${packages[*]}"
    say "\`make deps' installs them"
    exit 1
fi

case " $cmd $* " in
    " install"*" test "*)
        node_packages t/conformance "tests that need them are skipped"
        node_packages t/conformance/clients "tests that need them are skipped"
        node_packages t/clients "tests that need them are skipped"
        node_packages t/clients/mcp "tests that need them are skipped"
        python_client
    ;;
esac

case " $cmd $* " in
    " install"*" bench "*)
        node_packages t/bench "no gateway is measured beside it"
    ;;
esac

case " $cmd $* " in
    " install"*" browser "*)
        node_packages t/browser "tests that need them are skipped"
    ;;
esac

case " $cmd $* " in
    " install"*" dashboard "*)
        node_packages dashboard "the dashboard cannot be built"
        [ -d "$root/dashboard/node_modules" ]
    ;;
esac
