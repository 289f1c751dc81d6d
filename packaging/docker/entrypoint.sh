#!/bin/sh
#
# Passwords come as files (POSTGRES_OWNER_FILE, POSTGRES_APP_FILE).  libpq wants
# one file of them that nobody else may read, whoever owns those: it is made in
# /tmp, which is memory.  Then whatever was asked for runs in place of this
# shell.

set -eu

umask 077
: > /tmp/pgpass

# line ROLE FILE: of libpq's password file, where : and \ are escaped
line() {
    [ -n "$2" ] || return 0
    password=$(sed 's/[\\:]/\\&/g' "$2")
    printf '*:*:prompt:%s:%s\n' "$1" "$password" >> /tmp/pgpass
}

line prompt_owner "${POSTGRES_OWNER_FILE:-}"
line prompt_app "${POSTGRES_APP_FILE:-}"
unset password

export PGPASSFILE=/tmp/pgpass
exec "$@"
