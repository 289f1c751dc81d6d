#!/bin/sh
#
# Run once by the container of PostgreSQL, when its data is made: an owner of
# the tables, and the role of nginx, which owns nothing.

set -eu

# variables and not text: whatever is in passwords is quoted by psql, and they
# do not stand among the arguments
psql -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres <<'END'
\set owner `cat /run/secrets/owner`
\set app `cat /run/secrets/app`
CREATE ROLE prompt_owner LOGIN PASSWORD :'owner';
CREATE ROLE prompt_app LOGIN PASSWORD :'app';
CREATE DATABASE prompt OWNER prompt_owner TEMPLATE template0 ENCODING 'UTF8';
REVOKE TEMPORARY ON DATABASE prompt FROM PUBLIC;
END
