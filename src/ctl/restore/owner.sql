-- Functions have the rights of their owner: it is that of the tables.  A
-- superuser has them where one restored, and they should be the database's
-- owner's.
-- Stands behind found.sql.

thing AS (SELECT found, 'TABLE' AS kind, relname::text AS name,
    relowner AS owner FROM rel
  UNION ALL SELECT found, 'FUNCTION', called, proowner FROM func
  UNION ALL SELECT true, 'TABLE', c.relname, c.relowner
  FROM pg_inherits h JOIN rel r ON r.found AND r.oid = h.inhparent
  JOIN pg_class c ON c.oid = h.inhrelid),
owner AS (SELECT o.oid, o.rolname AS name FROM rel r
  JOIN pg_roles t ON t.oid = r.relowner
  JOIN pg_database d ON d.datname = current_database()
  JOIN pg_roles b ON b.oid = d.datdba
  JOIN pg_roles o ON o.oid = CASE WHEN t.rolsuper AND NOT b.rolsuper
    THEN b.oid ELSE t.oid END
  WHERE r.found AND r.relname = 'prompt_migrations')
SELECT format('%s belongs to %I, not to %I: ALTER %s %s OWNER TO %I',
    t.name, pg_get_userbyid(t.owner), o.name, t.kind, t.name, o.name)
FROM thing t, owner o WHERE t.found AND t.owner <> o.oid
    AND (EXISTS (SELECT FROM thing e WHERE NOT e.found AND e.kind = t.kind
      AND e.name = t.name) OR t.name LIKE 'executions\_%'
      OR t.name LIKE 'audit\_%') ORDER BY 1
