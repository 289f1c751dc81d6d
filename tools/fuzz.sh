#!/bin/bash
#
# Builds every t/fuzz/NAME.c with clang's libFuzzer, AddressSanitizer and
# UBSan, in build/fuzz, and runs it for FUZZ_SECONDS (60), or only those that
# FUZZ names, as many side by side as there are cores; FUZZ_SEED makes it go the
# same way again.  Seeds are in
# t/fuzz/corpus/NAME, others are made of the recorded cases of the tests
# (t/fuzz/seeds.mjs); what was found on the way is kept in
# build/fuzz/corpus/NAME, crashes in build/fuzz/crashes.

set -uo pipefail

cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
B=build/fuzz
ran=0

case $seconds in
    '' | *[!0-9]*)
        echo "fuzz: FUZZ_SECONDS is no number: $seconds" >&2
        exit 2
    ;;
esac

jobs=$(nproc 2>/dev/null || echo 2)

make --no-print-directory -s -j"$jobs" B=$B CC=clang CFLAGS='-O1 -g' \
    SANITIZE=fuzzer-no-link,address,undefined fuzzers || exit 1

mkdir -p $B/crashes
rm -rf $B/seeds $B/failed
node t/fuzz/seeds.mjs $B/seeds || exit 1

# fuzz NAME: one target, for its time
fuzz() {
    local name=$1 corpus=$B/corpus/$1 seeds=() dir options runs

    mkdir -p "$corpus"

    for dir in "t/fuzz/corpus/$name" "$B/seeds/$name"; do
        [ -d "$dir" ] && seeds+=("$dir")
    done

    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024
             -print_final_stats=1 -artifact_prefix="$B/crashes/$name-")

    [ -n "${FUZZ_SEED:-}" ] && options+=(-seed="$FUZZ_SEED")
    [ -f "t/fuzz/$name.dict" ] && options+=(-dict="t/fuzz/$name.dict")

    if "$B/fuzz/$name" "${options[@]}" "$corpus" ${seeds[@]+"${seeds[@]}"} \
        > "$B/$name.log" 2>&1
    then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$B/$name.log")
        echo "fuzz: $name: ok, $runs runs in $seconds s"
        return 0
    fi

    tail -n 40 "$B/$name.log"
    echo "fuzz: $name: FAILED, see $B/$name.log and $B/crashes"
    echo "$name" >> $B/failed
}

for source in t/fuzz/*.c; do
    [ -f "$source" ] || { echo "fuzz: no targets in t/fuzz" >&2; exit 1; }

    name=$(basename "$source" .c)

    case " ${FUZZ:-$name} " in
        *" $name "*) ;;
        *) continue ;;
    esac

    [ "$ran" -lt "$jobs" ] || wait -n

    ran=$((ran + 1))
    fuzz "$name" &
done

wait

if [ $ran = 0 ]; then
    echo "fuzz: no target in t/fuzz is named: $FUZZ" >&2
    exit 2
fi

[ ! -e $B/failed ]
