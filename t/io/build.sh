#!/bin/bash
#
# t/io/build.sh DIR [CFLAG...]: DIR/ngx_http_prompt_io_test_module.so, built
# against the installed nginx, or NGINX_SRC.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=$1
shift

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

cd "${NGINX_SRC:-/usr/share/nginx/src}"
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
    --with-ld-opt="-fPIC $*" --add-dynamic-module="$here" --builddir="$dir" \
    > "$dir/build.log" 2>&1 \
    && make -f "$dir/Makefile" modules >> "$dir/build.log" 2>&1 \
    || { tail -n 20 "$dir/build.log" >&2; exit 1; }
