-- Neither fewer nor more than migrate gives, to the roles of the service and to
-- everybody; other roles are the operator's.  The parts of a table have no
-- rights that it has not.
-- Stands behind found.sql.

tab AS (SELECT found, oid, relname::text AS name, relname::text AS part,
    relowner, relacl, relrowsecurity OR relforcerowsecurity AS hides FROM rel
  UNION ALL SELECT true, c.oid, r.relname, c.relname, c.relowner, c.relacl,
    c.relrowsecurity OR c.relforcerowsecurity
  FROM rel r JOIN pg_inherits h ON h.inhparent = r.oid
  JOIN pg_class c ON c.oid = h.inhrelid WHERE r.found),
    acl (found, whole, name, kind, part, of, owner, list) AS (
  SELECT found, name = part, name, '', part, '', relowner, relacl FROM tab
  UNION ALL SELECT t.found, t.name = t.part, t.name || '.' || a.attname,
    '', t.part, format(' (%I)', a.attname), t.relowner, a.attacl
  FROM tab t JOIN pg_attribute a ON a.attrelid = t.oid
    AND NOT a.attisdropped
  UNION ALL SELECT found, true, called, 'FUNCTION ', called, '', proowner,
    coalesce(proacl, acldefault('f', proowner)) FROM func),
right_of AS (SELECT a.*, x.privilege_type, x.grantee
  FROM acl a, aclexplode(a.list) x),
service AS (SELECT DISTINCT grantee FROM right_of
  WHERE NOT found AND name = 'prompts.last_version')
SELECT format('the role %s has not the right %s on %s: run "promptctl'
    ' migrate --grant %s"', pg_get_userbyid(e.grantee), e.privilege_type,
    e.name, pg_get_userbyid(e.grantee)) FROM right_of e
WHERE NOT e.found AND e.grantee IN (SELECT grantee FROM service)
    AND NOT EXISTS (SELECT FROM right_of f WHERE f.found AND f.whole
    AND f.name = e.name AND f.privilege_type = e.privilege_type
    AND f.grantee = e.grantee)
UNION ALL SELECT format('the role %s may not use the schema: run'
    ' "promptctl migrate --grant %s"', r.rolname, r.rolname)
FROM pg_roles r WHERE r.oid IN (SELECT grantee FROM service)
    AND NOT has_schema_privilege(r.oid, $1, 'USAGE')
UNION ALL SELECT format('%s the right %s on %s, which is too much:'
    ' REVOKE %s ON %s%s FROM %s', CASE f.grantee WHEN 0
    THEN 'everybody has' ELSE format('the role %I has',
      pg_get_userbyid(f.grantee)) END,
    string_agg(DISTINCT f.privilege_type, ', '), f.part,
    string_agg(f.privilege_type || f.of, ', ' ORDER BY f.of,
      f.privilege_type), f.kind, f.part, CASE f.grantee WHEN 0
    THEN 'PUBLIC' ELSE format('%1$I, then run "promptctl migrate --grant'
      ' %1$s"', pg_get_userbyid(f.grantee)) END)
FROM right_of f WHERE f.found AND f.grantee <> f.owner
    AND f.grantee IN (SELECT 0 UNION ALL SELECT grantee FROM service)
    AND f.name IN (SELECT a.name FROM acl a WHERE NOT a.found)
    AND NOT EXISTS (SELECT FROM right_of e WHERE NOT e.found
    AND e.name = f.name AND e.privilege_type = f.privilege_type
    AND e.grantee = f.grantee) GROUP BY f.kind, f.part, f.grantee
UNION ALL SELECT format('row security hides what is in %s: ALTER TABLE %s'
    ' DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY', t.part, t.part)
FROM tab t WHERE t.found AND t.hides
    AND t.name IN (SELECT e.name FROM tab e WHERE NOT e.found)
UNION ALL SELECT 'no role has the rights of the service: run "promptctl'
    ' migrate --grant ROLE"' WHERE NOT EXISTS (SELECT FROM service)
ORDER BY 1
