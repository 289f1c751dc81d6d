#!/bin/bash
#
# debian.sh RELEASE DIR PACKAGE...    downloads packages of a release of Debian
#                                     (trixie, unstable) into DIR, nothing else
# debian.sh --whole RELEASE DIR PACKAGE...
#                                     with all that they depend on, libc too, as
#                                     if nothing were installed
# debian.sh --arch ARCH ...           those of another machine
# debian.sh --source ...              their sources, as they were published
#
# From the mirror that this system uses, with a private configuration of apt:
# neither its sources nor its lists or packages are touched.  Fails, and says
# why on standard error, where that mirror is not reached.

set -euo pipefail

whole=
arch=$(dpkg --print-architecture)

if [ "${1:-}" = --arch ]; then
    arch=$2
    shift 2
fi

case ${1:-} in
    --whole | --source)
        whole=${1#--}
        shift
    ;;
esac

if [ $# -lt 3 ]; then
    echo "usage: debian.sh [--arch ARCH] [--whole|--source] RELEASE DIR PACKAGE..." >&2
    exit 2
fi

release=$1
mkdir -p "$2"
into=$(cd "$2" && pwd)
shift 2

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$tmp"
mkdir -p "$tmp/lists/partial" "$tmp/cache/archives/partial" "$tmp/state"
touch "$tmp/state/status"

uri=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' \
    'Created-By: Packages' 2>/dev/null \
    | sed -n 's/^Debian \(.*\/debian\/\{0,1\}\)$/\1/p' | head -n 1) || uri=

if [ -z "$uri" ]; then
    echo "debian: no mirror of Debian is known here: apt-get update?" >&2
    exit 1
fi

kind=deb
[ "$whole" != source ] || kind=deb-src

echo "$kind [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
     "$uri $release main" > "$tmp/sources.list"

opts=(-q -o APT::Architecture="$arch" -o APT::Architectures="$arch"
      -o Dir::Etc::SourceList="$tmp/sources.list"
      -o Dir::Etc::SourceParts=/dev/null
      -o Dir::State::Lists="$tmp/lists"
      -o Dir::Cache="$tmp/cache"
      -o Acquire::Languages=none
      -o Acquire::Retries=1
      -o Acquire::http::Timeout=30
      # the list is signed; a clock or mirror may be some days off
      -o Acquire::Check-Valid-Until=false
      -o APT::Sandbox::User="$(id -un)")

get() {
    apt-get "${opts[@]}" update || return 1

    case $whole in
        "")
            (cd "$into" && apt-get "${opts[@]}" download "$@")
            return
        ;;
        source)
            (cd "$into" && apt-get "${opts[@]}" --download-only --tar-only \
                source "$@")
            return
        ;;
    esac

    apt-get "${opts[@]}" -o Dir::State="$tmp/state" \
        -o Dir::State::Lists="$tmp/lists" \
        -o Dir::State::Status="$tmp/state/status" \
        -y --no-install-recommends --download-only install "$@" || return 1
    mv "$tmp"/cache/archives/*.deb "$into/"
}

get "$@" </dev/null >"$tmp/log" 2>&1 || {
    tail -n 5 "$tmp/log" >&2
    echo "debian: apt-get could not bring of $release: $*" >&2
    exit 1
}
