#!/bin/sh
#
# make.sh FILE.graphql OUT.c   the schema as tables of the engine
#
# Builds the program that makes them, with HOSTCC, which is CC unless it is
# said: a compiler for the machine that builds, where CC is one for another
# machine.  OUT.c is there as a whole or not at all.

set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
sdl=$1
out=$2

trap 'rm -f "$out.host" "$out.tmp"' EXIT

${HOSTCC:-${CC:-cc}} -std=gnu11 -O0 -I"$root/src" -I"$root/tools" \
    -o "$out.host" "$root"/tools/schema/*.c \
    "$root"/src/graphql/syntax/*.c "$root"/src/graphql/types/*.c \
    "$root"/src/graphql/values/*.c "$root"/src/base/json*.c \
    "$root/src/base/arena.c" "$root/src/base/buf.c" \
    "$root/src/base/decimal.c" "$root/src/base/digits.c" \
    "$root/src/base/utf8.c" -lm

case $out in
    /*) program=$out.host ;;
    *)  program=./$out.host ;;
esac

"$program" "$sdl" gql_service_schema graphql/service_schema.h > "$out.tmp"
mv "$out.tmp" "$out"
