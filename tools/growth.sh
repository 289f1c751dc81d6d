#!/bin/bash
#
# Cost against size: fills a database, measures, draws docs/growth/*.svg and
# fails where a line grows faster than its size.  See tools/growth.pl.
#
#     GROWTH_MOST     the largest size (1000000); smaller ends all lines there
#     GROWTH_SECONDS  of each measurement (1)
#     GROWTH_ONLY     some of versions prompts executions documents connections
#                     flight, by spaces
#     GROWTH_OUT      where the plots go (docs/growth)

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/build/growth

cd "$root"

stop() {
    "$root/tools/services.sh" stop "$dir"
    rm -f "$dir"/template.*
}

trap stop EXIT
trap 'exit 130' INT TERM HUP

mkdir -p "$dir"
stop
"$root/tools/services.sh" start "$dir"

# a socket for each of ten thousand connections, on both sides
ulimit -n "$(ulimit -Hn)"

export PROMPT_TEST_SERVICES=$dir
export PERL5LIB=$root/t/lib${PERL5LIB:+:$PERL5LIB}

perl tools/growth.pl
