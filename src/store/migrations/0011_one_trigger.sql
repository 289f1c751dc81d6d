-- compatible: 1
--
-- Less to do for each execution: one trigger fewer.

SET LOCAL lock_timeout = '500ms';
LOCK TABLE executions IN ACCESS EXCLUSIVE MODE;

-- PostgreSQL makes the condition of each trigger ready at every insert.  So
-- that of rows without an owner, which older modules add, goes with that of
-- rows that are late.
DROP TRIGGER executions_owner ON executions;
DROP FUNCTION prompt_log_owner();

DO $do$
BEGIN
    EXECUTE format($f$
CREATE OR REPLACE FUNCTION prompt_log_came() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    low  uuid;
BEGIN
    IF NOT new.by_owner AND new.owner_id IS NULL THEN
        UPDATE %1$I.executions e SET owner_id = p.owner_id
            FROM %1$I.prompts p
            WHERE e.id = new.id AND p.id = new.prompt_id;
    END IF;

    SELECT m.mark INTO low FROM %1$I.log_mark m FOR SHARE;

    IF new.id <= low THEN
        INSERT INTO %1$I.log_waiting (id, owner_id, executed_by, look)
            SELECT new.id, p.owner_id, new.executed_by, now()
                FROM %1$I.prompts p WHERE p.id = new.prompt_id
                ON CONFLICT DO NOTHING;
    END IF;

    RETURN NULL;
END
$$;
$f$, current_schema());
END
$do$;

DROP TRIGGER executions_came ON executions;

-- A start in time, by a module that knows the owner, costs no more than this
-- look.
CREATE TRIGGER executions_came AFTER INSERT ON executions FOR EACH ROW
    WHEN (new.status <> 'running' OR new.deadline IS NULL
          OR (new.created_at >= CURRENT_TIMESTAMP - interval '4 minutes')
             IS NOT TRUE
          OR (NOT new.by_owner AND new.owner_id IS NULL))
    EXECUTE FUNCTION prompt_log_came();
