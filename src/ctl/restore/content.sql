-- what stands in tables that are whole; $1 is not looked at

SELECT 'the database has no identity: run "promptctl migrate"'
WHERE $1::text IS NOT NULL AND prompt_identity() IS NULL
UNION ALL SELECT format('%s has %s rows in place of one: restore the'
    ' dump again, into an empty database', name, n) FROM (
  SELECT 'log_mark' AS name, count(*) AS n FROM log_mark
  UNION ALL SELECT 'executions_sweep', count(*) FROM executions_sweep) one
WHERE n <> 1
UNION ALL SELECT format('%s is ahead of the clock, at %s: what is older'
    ' is not looked at; see that PostgreSQL''s clock is right', name,
    prompt_id_time(mark)) FROM (
  SELECT 'the mark of the log' AS name, mark FROM log_mark
  UNION ALL SELECT 'the mark of the sweep', mark FROM executions_sweep) m
WHERE mark > prompt_id_of(now() + interval '1 day')
UNION ALL SELECT format('%s have no table %s: restore the dump'
    ' again, into an empty database', name, CASE WHEN low IS NULL
    THEN 'up to ' || high ELSE 'from ' || coalesce(before::text, 'the first')
    || ' on' END) FROM (SELECT name, low, high, lag(high) OVER w AS before,
    row_number() OVER w AS n FROM (VALUES ('executions', 'executions'),
    ('audit', 'audit rows')) m (months, name), prompt_months_parts(months)
    WINDOW w AS (PARTITION BY months ORDER BY high NULLS LAST)) part
WHERE low IS DISTINCT FROM before
UNION ALL SELECT format('%s: run "promptctl migrate"', what)
FROM prompt_months_step() WHERE sql IS NOT NULL
UNION ALL (SELECT format('prompt %s has %s of its %s versions: restore'
      ' the dump again, into an empty database', p.id, v.n, p.last_version)
  FROM prompts p CROSS JOIN LATERAL (SELECT count(*) AS n
    FROM prompt_versions v WHERE v.prompt_id = p.id) v
  WHERE p.state = 0 AND v.n <> p.last_version LIMIT 10)
