-- What is missing, or not as it has to be; and what is of another version.
-- Stands behind found.sql.

thing (found, kind, name, part, def) AS (
  SELECT found, 'table', relname::text, relname,
    concat(relkind, relpersistence) FROM rel
  UNION ALL SELECT r.found, 'column', r.relname || '.' || a.attname,
    r.relname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      a.attnotnull, a.attgenerated,
      replace(pg_get_expr(d.adbin, d.adrelid), r.dot, ''))
  FROM rel r JOIN pg_attribute a ON a.attrelid = r.oid LEFT JOIN
    pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
  WHERE a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT r.found, 'constraint', r.relname || '.' || k.conname,
    r.relname, concat_ws(' ', k.convalidated,
      replace(pg_get_constraintdef(k.oid), r.dot, ''))
  FROM rel r JOIN pg_constraint k ON k.conrelid = r.oid
  WHERE k.contype IN ('p', 'u', 'f', 'c') AND k.conparentid = 0
  UNION ALL SELECT r.found, 'index', c.relname, r.relname,
    concat_ws(' ', i.indisvalid, i.indisready,
      replace(pg_get_indexdef(c.oid), r.dot, ''))
  FROM rel r JOIN pg_index i ON i.indrelid = r.oid
  JOIN pg_class c ON c.oid = i.indexrelid
  UNION ALL SELECT r.found, 'trigger', r.relname || '.' || g.tgname,
    r.relname, concat_ws(' ', g.tgenabled,
      replace(pg_get_triggerdef(g.oid), r.dot, ''))
  FROM rel r JOIN pg_trigger g ON g.tgrelid = r.oid
  WHERE NOT g.tgisinternal
  UNION ALL SELECT found, 'function', called, NULL,
    replace(pg_get_functiondef(oid), dot, '') FROM func)
SELECT format('%s %s %s: %s', e.kind, e.name,
  CASE WHEN f.name IS NULL THEN 'is missing'
    ELSE 'is not as it has to be' END,
  CASE WHEN e.kind = 'index' THEN CASE WHEN f.name IS NOT NULL
    THEN 'DROP INDEX ' || f.name || '; ' ELSE '' END
    || replace(substring(e.def FROM 'CREATE .*'), ' ON ONLY ', ' ON ')
    ELSE 'restore the dump again, into an empty database' END)
FROM thing e LEFT JOIN thing f
    ON f.found AND f.kind = e.kind AND f.name = e.name
WHERE NOT e.found AND f.def IS DISTINCT FROM e.def
UNION ALL SELECT format('%s %s is of another version: two are mixed,'
    ' restore the dump again, into an empty database', f.kind, f.name)
FROM thing f WHERE f.found
    AND (f.kind IN ('table', 'function') AND f.name LIKE 'prompt\_%'
    OR f.kind = 'trigger' AND f.def LIKE '% EXECUTE FUNCTION prompt\_%'
    OR f.kind = 'column' AND f.part IN
    (SELECT name FROM thing WHERE NOT found AND kind = 'table'))
    AND NOT EXISTS (SELECT FROM thing e WHERE NOT e.found
    AND e.kind = f.kind AND e.name = f.name) ORDER BY 1
