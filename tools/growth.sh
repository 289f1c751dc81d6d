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

. "$(dirname "$0")/measured.sh"

measured growth

# a socket for each of ten thousand connections, on both sides
ulimit -n "$(ulimit -Hn)"

perl tools/growth.pl
