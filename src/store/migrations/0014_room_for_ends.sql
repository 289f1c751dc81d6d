-- compatible: 3
--
-- More room in the pages of executions for their ends.
--
-- A row grows by its output when its execution ends.  Where there is no room
-- left in its page it goes to another one, and so does each of its index
-- entries.  No row is written here: pages that are there stay as they are.
-- Who has chosen another fillfactor keeps it.

-- Nobody who reads or writes waits for this lock; an autovacuum that has it
-- gives way after deadlock_timeout.
SET LOCAL lock_timeout = '2s';

-- who makes months just now, or drops one, is waited for
LOCK TABLE ONLY executions IN ACCESS SHARE MODE;

DO $do$
DECLARE
    part  regclass;
BEGIN
    FOR part IN
        SELECT c.oid FROM pg_class c
            WHERE c.oid IN (SELECT p.part FROM prompt_executions_parts() p
                            UNION ALL SELECT 'executions'::regclass)
                  AND c.relkind = 'r'
                  AND c.reloptions @> ARRAY['fillfactor=75']
    LOOP
        EXECUTE format('ALTER TABLE %s SET (fillfactor = 40)', part);
    END LOOP;
END
$do$;
