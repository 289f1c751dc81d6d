#!/bin/bash
#
# module.sh inputs B FILE...  writes B/nginx.inputs: all that decides how
#                             nginx's configure is to be run; the file is
#                             touched only when that has changed
# module.sh build B           B/ngx_http_prompt_module.so from it
# module.sh binary B          B/nginx/nginx: with NGINX_SRC, the nginx that the
#                             module fits
#
# NGINX_SRC names an nginx source tree; without it Debian's nginx-dev is
# taken.  NGINX_CONF_OPTS are configure options for NGINX_SRC: those of the
# nginx that is to load the module.  The tree of an nginx-dev has its own.

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
debian=/usr/share/nginx/src
cmd=$1
B=$2
shift 2

die() {
    echo "$*" >&2
    exit 1
}

inputs() {
    local src=${NGINX_SRC:-}

    "$root/tools/deps.sh" check build

    mkdir -p "$B"

    {
        if [ -n "$src" ]; then
            [ -f "$src/src/core/nginx.h" ] \
                || die "NGINX_SRC=$src is no nginx source tree"
            src=$(cd "$src" && pwd)
            echo "src=$src"
            echo "version=$(sed -n 's/^#define NGINX_VERSION *//p' \
                "$src/src/core/nginx.h")"
            if [ -z "${NGINX_CONF_OPTS:-}" ] && [ -f "$src/conf_flags" ]; then
                echo "opts=debian"
            else
                echo "opts=${NGINX_CONF_OPTS:---with-compat --with-debug \
--with-threads --with-http_ssl_module --with-http_v2_module}"
            fi
        else
            echo "src=$debian"
            echo "version=$(sed -n 's/^#define NGINX_VERSION *//p' \
                "$debian/src/core/nginx.h")"
            echo "opts=debian"
        fi

        echo "prefix=${PROMPT_PREFIX:-/usr/local}"
        echo "cc=${CC:-cc}"
        echo "hostcc=${HOSTCC:-${CC:-cc}}"
        echo "cflags=${CFLAGS:-} ${SANFLAGS:-}"
        echo "ldflags=${LDFLAGS:-}"
        echo "sanflags=${SANFLAGS:-}"
        echo "ldflags=${LDFLAGS:-}"
        printf '%s\n' "$@"
    } > "$B/nginx.inputs.new"

    if cmp -s "$B/nginx.inputs.new" "$B/nginx.inputs"; then
        rm "$B/nginx.inputs.new"
    else
        mv "$B/nginx.inputs.new" "$B/nginx.inputs"
    fi
}

value() {
    sed -n "s/^$1=//p" "$B/nginx.inputs"
}

# configure SRC OBJS: unless it has been, since nginx.inputs and config changed
configure() {
    local src=$1 objs=$2 opts ld_opt cc_opt script=./configure

    if [ -f "$objs/configured" ] \
        && [ ! "$B/nginx.inputs" -nt "$objs/configured" ] \
        && [ ! "$root/config" -nt "$objs/configured" ] \
        && [ ! "$root/config.make" -nt "$objs/configured" ]
    then
        return
    fi

    rm -rf "$objs"
    mkdir -p "$objs"

    opts=$(value opts)

    if [ "$opts" = debian ]; then
        . "$src/conf_flags"
    else
        eval "NGX_CONF_FLAGS=($opts)"
    fi

    [ -f "$src/configure" ] || script=auto/configure

    cc_opt="$(value cflags) -fPIC -fstack-protector-strong -Wformat
            -Werror=format-security -ffile-prefix-map=$root=."
    ld_opt="-fPIC -Wl,-z,relro -Wl,-z,now $(value ldflags) $(value sanflags)"

    # _FORTIFY_SOURCE and the sanitizers do not go together
    [ -n "$(value sanflags)" ] || cc_opt="$cc_opt -D_FORTIFY_SOURCE=2"

    (cd "$src" && PROMPT_PREFIX=$(value prefix) HOSTCC=$(value hostcc) \
        bash "$script" "${NGX_CONF_FLAGS[@]}" \
        --with-cc="$(value cc)" --with-cc-opt="$(echo $cc_opt)" \
        --with-ld-opt="$(echo $ld_opt)" --add-dynamic-module="$root" \
        --builddir="$objs") > "$objs.log" 2>&1 \
        || {
            tail -n 20 "$objs.log" >&2
            die "nginx's configure failed: $objs.log"
        }

    touch "$objs/configured"
}

# make_in SRC OBJS TARGET: with all cores, unless the make above says how many;
# without its variables, which would stand above those of nginx's Makefile: the
# CFLAGS of the command line above the sanitizers' and -fPIC
make_in() {
    local jobs

    case " ${MAKEFLAGS:-}" in
        *-j*) jobs= ;;
        *)    jobs=-j$(nproc 2>/dev/null || echo 2) ;;
    esac

    MAKEFLAGS=${MAKEFLAGS%%-- *} \
        make --no-print-directory -s $jobs -f "$2/Makefile" -C "$1" "$3"
}

# sanitized FILE: whether what was to be sanitized is
sanitized() {
    case $(value sanflags) in
        *address*) nm -D "$1" | grep __asan_ > /dev/null ;;
    esac
}

# source_tree: prints the tree to build in, a copy where it cannot be written
source_tree() {
    local src

    src=$(value src)

    if [ "$src" != "$debian" ] && [ ! -w "$src" ]; then
        [ -d "$B/nginx-src" ] && rm -rf "$B/nginx-src"
        cp -r "$src" "$B/nginx-src"
        chmod -R u+w "$B/nginx-src"
        src=$B/nginx-src
    fi

    (cd "$src" && pwd)
}

case $cmd in
    inputs)
        inputs "$@"
    ;;

    build | binary)
        mkdir -p "$B"
        B=$(cd "$B" && pwd)
        src=$(source_tree)
        configure "$src" "$B/nginx"

        if [ "$cmd" = binary ]; then
            make_in "$src" "$B/nginx" binary
        else
            make_in "$src" "$B/nginx" modules
            sanitized "$B/nginx/ngx_http_prompt_module.so" \
                || die "the module was built without AddressSanitizer"
            cp "$B/nginx/ngx_http_prompt_module.so" "$B/.module.so"
            mv "$B/.module.so" "$B/ngx_http_prompt_module.so"
        fi
    ;;

    *)
        die "usage: module.sh inputs|build|binary BUILDDIR"
    ;;
esac
