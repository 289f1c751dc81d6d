-- Who else is connected.  Of others some columns are shown to superusers alone:
-- type is NULL then.

SELECT count(*), string_agg(DISTINCT usename, ', ') FROM pg_stat_activity
WHERE datname = current_database() AND usename IS NOT NULL
    AND pid <> pg_backend_pid()
    AND coalesce(backend_type, 'client backend') = 'client backend'
