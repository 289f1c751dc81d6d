# Sourced by what measures: PostgreSQL and Redis of its own while it runs.

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

# measured NAME [OPTION...]: starts both in build/NAME, $dir; they end with
# this program
measured() {
    dir=$root/build/$1

    trap measured_end EXIT
    trap 'exit 130' INT TERM HUP

    mkdir -p "$dir"
    measured_end
    "$root/tools/services.sh" start "$dir" "${@:2}"

    export PROMPT_TEST_SERVICES=$dir
    export PERL5LIB=$root/t/lib${PERL5LIB:+:$PERL5LIB}
}

measured_end() {
    "$root/tools/services.sh" stop "$dir"
    rm -f "$dir"/template.*
}
