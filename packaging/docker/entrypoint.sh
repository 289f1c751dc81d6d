#!/bin/sh
#
# Passwords come as files (POSTGRES_OWNER_FILE, POSTGRES_APP_FILE).  libpq wants
# one file of them that nobody else may read, whoever owns those: it is made in
# /tmp, which is memory.  PROMPT_NAMES has the names that nginx serves,
# PROMPT_PROXIES addresses and networks of proxies that say who asks.  Then
# whatever was asked for runs in place of this shell.

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

names=${PROMPT_NAMES:-localhost 127.0.0.1 nginx}

case $names in
    *[!A-Za-z0-9.*\ _-]*)
        echo "PROMPT_NAMES has a character that no name of a host has" >&2
        exit 1
    ;;
esac

echo "server_name $names;" > /tmp/names.conf

case ${PROMPT_PROXIES:-} in
    *[!0-9A-Fa-f.:/\ ]*)
        echo "PROMPT_PROXIES has a character that no address has" >&2
        exit 1
    ;;
esac

: > /tmp/proxies.conf

for proxy in ${PROMPT_PROXIES:-}; do
    echo "set_real_ip_from $proxy;"
done >> /tmp/proxies.conf

[ ! -s /tmp/proxies.conf ] || cat >> /tmp/proxies.conf <<'END'
real_ip_header X-Forwarded-For;
real_ip_recursive on;
END

export PGPASSFILE=/tmp/pgpass
exec "$@"
