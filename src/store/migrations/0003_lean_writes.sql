-- compatible: 1
--
-- Writes cost less: nothing is computed or checked again in PostgreSQL that
-- the module has made sure of, and the end of an execution changes no index.
--
-- Nothing is read or written but the catalog, the executions that run now,
-- and what is new.  The locks are given up sooner than PostgreSQL looks for
-- deadlocks, so that no statement of the service ever fails for them; and they
-- are taken in the order in which most queries take theirs.

SET LOCAL lock_timeout = '500ms';
LOCK TABLE prompts, prompt_versions, executions, users, api_keys
    IN ACCESS EXCLUSIVE MODE;


-- PostgreSQL plans the expression of a generated column and of a CHECK anew at
-- every insert.  The time comes with the row; the default is for an older
-- module, which gives none.  The module of this version reads it from the id.

ALTER TABLE users
    ALTER COLUMN created_at DROP EXPRESSION,
    ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now());

ALTER TABLE api_keys
    ALTER COLUMN created_at DROP EXPRESSION,
    ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now());

ALTER TABLE prompts
    ALTER COLUMN created_at DROP EXPRESSION,
    ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now()),
    DROP CONSTRAINT IF EXISTS prompts_name_check,
    DROP CONSTRAINT IF EXISTS prompts_description_check,
    DROP CONSTRAINT IF EXISTS prompts_category_check,
    DROP CONSTRAINT IF EXISTS prompts_last_version_check;

ALTER TABLE prompt_versions
    ALTER COLUMN created_at DROP EXPRESSION,
    ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now()),
    DROP CONSTRAINT IF EXISTS prompt_versions_version_check,
    DROP CONSTRAINT IF EXISTS prompt_versions_content_check,
    DROP CONSTRAINT IF EXISTS prompt_versions_params_check,
    DROP CONSTRAINT IF EXISTS prompt_versions_input_schema_check;

-- Room on each page for the end of what began there.  Most dead rows go with
-- the next look at their page; the rest, and freezing, should not pile up
-- until a fifth of a large table is due.
ALTER TABLE executions
    ALTER COLUMN created_at DROP EXPRESSION,
    ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now()),
    DROP CONSTRAINT IF EXISTS executions_status_check,
    DROP CONSTRAINT IF EXISTS executions_latency_ms_check,
    DROP CONSTRAINT IF EXISTS executions_token_in_check,
    DROP CONSTRAINT IF EXISTS executions_token_out_check,
    DROP CONSTRAINT IF EXISTS executions_cost_usd_check,
    SET (fillfactor = 75,
         autovacuum_vacuum_scale_factor = 0.05,
         autovacuum_vacuum_insert_scale_factor = 0.05,
         autovacuum_analyze_scale_factor = 0.05);


-- Long texts are compressed by lz4 where the server has it (14 and later, if
-- it was built so), which takes a fraction of the time.
DO $do$
DECLARE
    c  record;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_settings
                   WHERE name = 'default_toast_compression'
                         AND 'lz4' = ANY (enumvals)) THEN
        RETURN;
    END IF;

    FOR c IN
        VALUES ('prompt_versions', 'content'), ('prompt_versions', 'params'),
               ('prompt_versions', 'input_schema'), ('executions', 'input'),
               ('executions', 'output')
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET COMPRESSION lz4',
                       c.column1, c.column2);
    END LOOP;
END
$do$;


-- The sweeper looks at each execution when it is 30 seconds old, and once more
-- when it is an hour old, for what came late or with the time of a clock that
-- is slow; up to where, is kept here.  What still runs then is noted below, so
-- that it need not be looked for again, however long it may run.
CREATE TABLE executions_sweep (
    id            smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    mark          uuid NOT NULL,     -- all up to it were looked at
    late_mark     uuid NOT NULL,     -- and all up to it twice
    older_scans   bigint,            -- by executions_running_idx, so far
    older_at      timestamptz        -- since when there was none
);

CREATE TABLE executions_running (
    id            uuid PRIMARY KEY,
    deadline      timestamptz NOT NULL
);

CREATE INDEX executions_running_deadline_idx ON executions_running (deadline);

-- The first 48 bits are the time.
INSERT INTO executions_sweep (mark, late_mark)
    SELECT id, id FROM (
        SELECT (lpad(to_hex((extract(epoch FROM now() - interval '1 hour')
                             * 1000)::bigint), 12, '0')
                || repeat('0', 20))::uuid AS id) m;

-- Those that run are found by the index that is for them.
SET LOCAL enable_seqscan = off;
INSERT INTO executions_running (id, deadline)
    SELECT id, deadline FROM executions
    WHERE status = 'running' AND deadline IS NOT NULL;
SET LOCAL enable_seqscan TO DEFAULT;

-- An index that knows of `running` must be told of each end.  The sweeper of
-- an older module needs it, or would read all executions each time: so it
-- stays until nobody has looked into it for ten minutes.
DO $do$
BEGIN
    IF NOT EXISTS (SELECT FROM executions) THEN
        DROP INDEX executions_running_idx;
    END IF;
END
$do$;


-- A step of the sweep: looks at so many executions of each age at most, and
-- marks as many as lost that should have ended 30 seconds ago; passes over
-- those that somebody holds.  `more`: the next step should not wait.
--
-- One at a time: whoever comes meanwhile finds nothing to do.  With the rights
-- of the owner of the tables, and names as in prompt_remove().
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_executions_sweep(most integer, OUT lost bigint,
                                        OUT more boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    s        %1$I.executions_sweep;
    older    regclass := to_regclass(%2$L);
    scans    bigint;
    lower    uuid;
    upper    uuid;
    last     uuid;
    due      uuid[];
    running  uuid[];   -- those that are held
BEGIN
    lost := 0;
    more := false;

    SELECT * INTO s FROM %1$I.executions_sweep FOR UPDATE SKIP LOCKED;

    IF NOT found THEN
        RETURN;
    END IF;

    IF older IS NOT NULL THEN
        scans := pg_stat_get_numscans(older);

        IF scans IS DISTINCT FROM s.older_scans THEN
            s.older_scans := scans;
            s.older_at := now();

        ELSIF s.older_at < now() - interval '10 minutes' THEN
            BEGIN
                DROP INDEX %1$I.executions_running_idx;
            EXCEPTION WHEN lock_not_available THEN
                s.older_at := now() - interval '9 minutes';
            END;
        END IF;
    END IF;

    FOR pass IN 1 .. 2 LOOP
        upper := (lpad(to_hex((extract(epoch FROM now()
                  - CASE pass WHEN 1 THEN interval '30 seconds'
                              ELSE interval '1 hour' END) * 1000)::bigint),
                  12, '0') || repeat('0', 20))::uuid;

        lower := CASE pass WHEN 1 THEN s.mark ELSE s.late_mark END;

        last := (SELECT x.id FROM %1$I.executions x
                 WHERE x.id > lower AND x.id <= upper
                 ORDER BY x.id OFFSET most - 1 LIMIT 1);

        IF last IS NULL THEN
            last := upper;
        ELSE
            more := true;
        END IF;

        -- not by an index of status, whoever looks into which is an older
        -- module; nor below

        INSERT INTO %1$I.executions_running (id, deadline)
            SELECT x.id, x.deadline FROM %1$I.executions x
                WHERE x.id > lower AND x.id <= last
                      AND x.status || '' = 'running'
                      AND x.deadline IS NOT NULL
                ON CONFLICT DO NOTHING;

        -- back, too, where the clock was: what it was ahead of is to come

        IF pass = 1 THEN
            s.mark := last;
        ELSE
            s.late_mark := last;
        END IF;
    END LOOP;

    UPDATE %1$I.executions_sweep
        SET mark = s.mark, late_mark = s.late_mark,
            older_scans = s.older_scans, older_at = s.older_at;

    due := ARRAY(SELECT r.id FROM %1$I.executions_running r
                 WHERE r.deadline < now() - interval '30 seconds'
                 ORDER BY r.deadline LIMIT most);

    IF cardinality(due) = 0 THEN
        RETURN;
    END IF;

    WITH held AS (
        SELECT e.id FROM %1$I.executions e
            WHERE e.id = ANY (due) AND e.status || '' = 'running'
            FOR UPDATE SKIP LOCKED),
    marked AS (
        UPDATE %1$I.executions e SET status = 'lost',
            error = 'the process that ran it ended before the call did'
            WHERE e.id = ANY (ARRAY(SELECT h.id FROM held h)) RETURNING 1)
    SELECT count(*) INTO lost FROM marked;

    running := ARRAY(SELECT e.id FROM %1$I.executions e
                     WHERE e.id = ANY (due) AND e.status || '' = 'running');

    DELETE FROM %1$I.executions_running r
        WHERE r.id = ANY (due) AND r.id <> ALL (running);

    more := more OR (cardinality(due) >= most
                     AND cardinality(running) < most);
END
$$;
$f$, current_schema(), format('%I.executions_running_idx', current_schema()));
END
$do$;

REVOKE ALL ON FUNCTION prompt_executions_sweep(integer) FROM PUBLIC;

-- In the order of an index, as in prompt_remove().
ALTER FUNCTION prompt_executions_sweep(integer) SET enable_seqscan = off;
ALTER FUNCTION prompt_executions_sweep(integer) SET enable_bitmapscan = off;
ALTER FUNCTION prompt_executions_sweep(integer) SET enable_sort = off;
ALTER FUNCTION prompt_executions_sweep(integer) SET jit = off;

-- for the lock of the index that is dropped
ALTER FUNCTION prompt_executions_sweep(integer) SET lock_timeout = '100ms';
