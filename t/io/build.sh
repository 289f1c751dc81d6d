#!/bin/bash
#
# t/io/build.sh DIR [CFLAG...]: DIR/ngx_http_prompt_io_test_module.so, built
# against the installed nginx, or NGINX_SRC, and linked with LDFLAGS.  Suites
# share it: who comes while it is built waits, and where nothing has changed it
# is quick.  configure is run where files have come or gone, or what it is told
# is another.  PROMPT_TEST_MODULE names another module, in t/NAME.

set -euo pipefail

name=${PROMPT_TEST_MODULE:-io}
here=$(cd "$(dirname "$0")/../$name" && pwd)
root=$here/../..
dir=$1
shift

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
module=$dir/ngx_http_prompt_${name}_test_module.so

exec 9> "$dir.lock"
flock 9

cd "${NGINX_SRC:-/usr/share/nginx/src}"

inputs="$PWD $(sed -n 's/^#define NGINX_VERSION *//p' src/core/nginx.h) $*
${LDFLAGS:-} ${PKG_CONFIG_LIBDIR:-}
$(cksum < "$here/config") $(find "$root/src" -type f | sort | cksum)"

compile() {
    MAKEFLAGS='' make -j"$(nproc 2>/dev/null || echo 1)" -f "$dir/Makefile" \
        modules \
        > "$dir/build.log" 2>&1 9>&- \
        || { tail -n 20 "$dir/build.log" >&2; rm -f "$module"; return 1; }
}

if [ -f "$module" ] && [ "$(cat "$dir.inputs" 2>/dev/null)" = "$inputs" ]; then
    [ -n "$(find "$here" "$root/src" -newer "$module" -print -quit)" ] \
        || exit 0

    # nginx's Makefile does not know what includes what
    find "$dir/addon" -name '*.o' -delete
    compile
    exit
fi

rm -rf "$dir"
mkdir -p "$dir"
echo "$inputs" > "$dir.inputs"

script=./configure
[ -f $script ] || script=auto/configure

if [ -f conf_flags ]; then
    # shellcheck disable=SC1091
    . ./conf_flags
    flags=("${NGX_CONF_FLAGS[@]}")
else
    flags=(--with-compat --with-debug --with-threads --with-http_ssl_module
           --with-http_v2_module)
fi

bash "$script" "${flags[@]}" --with-cc-opt="-g -O1 -fPIC $*" \
    --with-ld-opt="-fPIC ${LDFLAGS:-} $*" --add-dynamic-module="$here" \
    --builddir="$dir" > "$dir/build.log" 2>&1 9>&- \
    || { tail -n 20 "$dir/build.log" >&2; exit 1; }

compile
