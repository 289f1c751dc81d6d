#!/bin/sh
#
# embed.sh text SYMBOL FILE          one text as  const char SYMBOL[]  with
#                                    const size_t SYMBOL_len
# embed.sh list TYPE SYMBOL FILE...  texts as  const TYPE SYMBOL[]  of
#                                    { base name, text, length }, with
#                                    const size_t SYMBOL_count
# embed.sh count SYMBOL FILE...      how many they are as  const int SYMBOL
#
# Writes C to standard output.  HEADERS in the environment names the headers
# that declare the symbols, so that the compiler compares.

set -eu

quote() {
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' \
        -e 's/^/    "/' -e 's/$/\\n"/' "$1"
}

usage() {
    echo "usage: embed.sh text SYMBOL FILE |" \
         "embed.sh list TYPE SYMBOL FILE... |" \
         "embed.sh count SYMBOL FILE..." >&2
    exit 2
}

[ $# -ge 3 ] || usage

kind=$1
shift

echo "/* made by tools/embed.sh: do not edit */"
echo
echo "#include <stddef.h>"

for header in ${HEADERS:-}; do
    echo "#include \"$header\""
done

case $kind in
    text)
        [ $# -eq 2 ] || usage

        [ -n "${HEADERS:-}" ] || {
            echo "extern const char  $1[];"
            echo "extern const size_t  $1_len;"
        }

        echo
        echo "const char  $1[] ="
        quote "$2"
        echo "    ;"
        echo
        echo "const size_t  $1_len = sizeof($1) - 1;"
    ;;

    list)
        [ $# -ge 3 ] || usage
        type=$1
        symbol=$2
        shift 2

        n=0
        for file in "$@"; do
            echo
            echo "static const char  text_$n[] ="
            quote "$file"
            echo "    ;"
            n=$((n + 1))
        done

        echo
        echo "const $type  $symbol[] = {"

        n=0
        for file in "$@"; do
            echo "    { \"${file##*/}\", text_$n, sizeof(text_$n) - 1 },"
            n=$((n + 1))
        done

        echo "};"
        echo
        echo "const size_t  ${symbol}_count = $n;"
    ;;

    count)
        symbol=$1
        shift

        echo
        echo "const int  $symbol = $#;"
    ;;

    *)
        usage
    ;;
esac
