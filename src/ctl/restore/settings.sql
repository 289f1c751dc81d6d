-- Settings of roles are in no dump.  Those named by $1, which migrate sets as a
-- superuser, are missing where the role has them for another database; where it
-- has them nowhere, the service does without.

WITH setting AS (SELECT s.setrole AS role, s.setdatabase IN (0, d.oid)
    AS here, split_part(c, '=', 1) AS name FROM pg_database d,
    pg_db_role_setting s, unnest(s.setconfig) c
  WHERE d.datname = current_database()
    AND split_part(c, '=', 1) = ANY ($1::text[])
    AND s.setrole IN (SELECT a.grantee FROM pg_attribute t,
      aclexplode(t.attacl) a WHERE t.attrelid = to_regclass('prompts')
      AND t.attname = 'last_version' AND a.privilege_type = 'UPDATE'))
SELECT format('settings of the role %s for other databases are missing'
    ' for this one (%s): run "promptctl migrate --grant %s" as a superuser',
    pg_get_userbyid(e.role), string_agg(DISTINCT e.name, ', '),
    pg_get_userbyid(e.role)) FROM setting e WHERE NOT e.here
    AND NOT EXISTS (SELECT FROM setting f WHERE f.here
    AND f.role = e.role AND f.name = e.name) GROUP BY e.role ORDER BY 1
