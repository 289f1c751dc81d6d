-- All that there is, expected and found, under names and with definitions that
-- do not have the schema's.  Parts of executions are looked at apart, and what
-- operators add (indexes, checks, triggers, tables, views) is their own.

WITH place AS (SELECT oid, nspname, nspname = $1 AS found,
    quote_ident(nspname) || '.' AS dot FROM pg_namespace
  WHERE nspname IN ('prompt_restore_check', $1)),
rel AS (SELECT p.found, p.dot, c.* FROM place p
  JOIN pg_class c ON c.relnamespace = p.oid
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition),
func AS (SELECT p.found, p.dot, f.*, f.proname || '('
    || pg_get_function_identity_arguments(f.oid) || ')' AS called
  FROM place p JOIN pg_proc f ON f.pronamespace = p.oid
  WHERE f.prokind = 'f'),
