#!/bin/bash
#
# server.sh fetch        llama.cpp's llama-server and all that it needs, from
#                        Debian unstable, unpacked below build/llama: nothing is
#                        installed.  Quick where it is there already
# server.sh run ARGS...  runs it in place of this shell
#
# The libc of unstable is newer than the system's, so the server is run by the
# dynamic linker that came with it.

set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$root/build/llama
server=$dir/root/usr/bin/llama-server

fetch() {
    [ ! -e "$dir/root.done" ] || return 0

    rm -rf "$dir"
    mkdir -p "$dir/root"
    "$root/tools/debian.sh" --whole unstable "$dir/deb" \
        llama.cpp-tools

    for deb in "$dir"/deb/*.deb; do
        dpkg -x "$deb" "$dir/root"
    done

    rm -rf "$dir/deb"
    [ -x "$server" ]
    touch "$dir/root.done"
}

run() {
    local libraries linker backends

    libraries=$(find "$dir/root/usr/lib" -name '*.so*' -printf '%h\n' \
        | sort -u | tr '\n' ':')
    linker=$(find "$dir/root/usr" -name 'ld-linux*.so*' | sort | head -n 1)
    backends=$(find "$dir/root/usr/lib" -name 'libggml-cpu*.so' -printf '%h\n' \
        | sort -u | head -n 1)

    # beside the places of an installation, processors' backends are looked
    # for where the server is started
    cd "${backends:-$dir}"
    exec "$linker" --library-path "$libraries" "$server" "$@"
}

case ${1:-} in
    fetch)
        fetch
    ;;
    run)
        shift
        run "$@"
    ;;
    *)
        echo "usage: server.sh fetch | run ARGS..." >&2
        exit 2
    ;;
esac
