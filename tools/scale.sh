#!/bin/bash
#
# What the service needs as it grows, and on several hosts: fills a database,
# measures, and writes docs/scaling with the table of docs/scaling.md.  See
# tools/scale.pl and tools/scaling.pl; some 15 minutes on two quiet cores.
#
#     SCALE_EXECUTIONS  how many there are ("1e4 1e5 1e6 1e7"): at each of these
#                       sizes each operation is measured
#     SCALE_ACCOUNTS    how many there are at least (1000); there is one for
#                       each hundred executions
#     SCALE_ASKING      how many of them ask (200)
#     SCALE_SECONDS     of each measurement, whole ones (2); 0 makes warm-up and
#                       measurement one
#     SCALE_HOSTS       how many hosts are measured side by side ("1 2 4")
#     SCALE_OUT         where figures, plots and pictures go (docs/scaling)
#     SCALE_DOC         whose tables are written anew (docs/scaling.md)

. "$(dirname "$0")/measured.sh"

measured scale --durable

# as somebody sets it who has a million executions; the tables are vacuumed
# when they have been filled
psql -X -q -h "$(cat "$dir/place")/sock" -U postgres -d postgres <<'END'
ALTER SYSTEM SET shared_buffers = '1GB';
ALTER SYSTEM SET max_wal_size = '8GB';
ALTER SYSTEM SET checkpoint_timeout = '30min';
ALTER SYSTEM SET maintenance_work_mem = '256MB';
ALTER SYSTEM SET autovacuum = off;
END

"$root/tools/services.sh" stop "$dir" --keep
"$root/tools/services.sh" start "$dir" --durable

export SCALE_CORES=1
out=${SCALE_OUT:-$root/docs/scaling}

mkdir -p "$out"
perl tools/scale.pl "$out/figures.json"
perl tools/scaling.pl "$out/figures.json" "$out" \
    "${SCALE_DOC:-$root/docs/scaling.md}"
