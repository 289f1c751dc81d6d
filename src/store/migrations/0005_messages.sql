-- compatible: 2
--
-- What comes before a version's content, why a model ended, and the tools that
-- it wants called.
--
-- The locks are short, since no row is written.

ALTER TABLE prompt_versions
    -- NULL: none; else [{"role": "SYSTEM", "content": …} | {"placeholder": …}]
    ADD COLUMN messages json;

ALTER TABLE executions
    ADD COLUMN finish_reason text,
    -- NULL: none; else [{"id": …, "name": …, "arguments": …}]
    ADD COLUMN tool_calls json;


-- A step of deleting, as before; it counts what is new among what is large.
DO $do$
BEGIN
    EXECUTE format($f$
CREATE OR REPLACE FUNCTION prompt_remove(INOUT prompt uuid, INOUT version integer,
                              INOUT execution uuid, least_rows integer,
                              milliseconds integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
#variable_conflict use_column
DECLARE
    target   uuid := prompt;
    first    integer := coalesce(version, 0);
    last_id  uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    below    uuid := coalesce(execution, last_id);
    mark     uuid;
    ends     timestamptz := clock_timestamp()
                            + milliseconds * interval '1 millisecond';
    removed  integer := 0;
    bytes    bigint := 0;
    v        record;
    e        record;
BEGIN
    IF target IS NULL THEN
        SELECT p.id INTO prompt FROM %1$I.prompts p
            WHERE p.state <> 0
                  AND (p.state = 1
                       OR p.updated_at < now() - interval '5 minutes')
            ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
        SELECT p.id INTO prompt FROM %1$I.prompts p
            WHERE p.id = target AND p.state <> 0
                  AND (p.state = 1
                       OR p.updated_at < now() - interval '5 minutes')
            FOR UPDATE SKIP LOCKED;
    END IF;

    IF NOT found THEN
        prompt := NULL;
        RETURN;
    END IF;

    target := prompt;

    FOR v IN
        SELECT x.version, coalesce(pg_column_size(x.content), 0)
                          + coalesce(pg_column_size(x.params), 0)
                          + coalesce(pg_column_size(x.input_schema), 0)
                          + coalesce(pg_column_size(x.messages), 0) AS size
            FROM %1$I.prompt_versions x
            WHERE x.prompt_id = target AND x.version >= first
            ORDER BY x.version
    LOOP
        PERFORM FROM %1$I.prompt_versions x
            WHERE x.prompt_id = target AND x.version = v.version FOR UPDATE;

        FOR e IN
            SELECT x.id, coalesce(pg_column_size(x.input), 0)
                         + coalesce(pg_column_size(x.output), 0)
                         + coalesce(pg_column_size(x.tool_calls), 0) AS size
                FROM %1$I.executions x
                WHERE x.prompt_id = target AND x.version = v.version
                      AND x.id <= below
                ORDER BY x.id DESC
        LOOP
            DELETE FROM %1$I.executions x WHERE x.id = e.id;

            mark := coalesce(mark, e.id);
            removed := removed + 1;
            bytes := bytes + e.size;

            IF (removed >= least_rows OR bytes > 4194304)
               AND clock_timestamp() > ends
            THEN
                version := v.version;
                execution := mark;
                RETURN;
            END IF;
        END LOOP;

        DELETE FROM %1$I.prompt_versions x
            WHERE x.prompt_id = target AND x.version = v.version;

        removed := removed + 1;
        bytes := bytes + v.size;
        below := last_id;
        mark := NULL;

        IF (removed >= least_rows OR bytes > 4194304)
           AND clock_timestamp() > ends
        THEN
            version := v.version + 1;
            execution := NULL;
            RETURN;
        END IF;
    END LOOP;

    DELETE FROM %1$I.prompts p WHERE p.id = target;

    version := NULL;
    execution := NULL;
END
$$;
$f$, current_schema());
END
$do$;

-- However much of a table belongs to the prompt: only its beginning is wanted,
-- in the order of an index.  This holds for the foreign keys, too.
ALTER FUNCTION prompt_remove(uuid, integer, uuid, integer, integer)
    SET enable_seqscan = off;
ALTER FUNCTION prompt_remove(uuid, integer, uuid, integer, integer)
    SET enable_bitmapscan = off;
ALTER FUNCTION prompt_remove(uuid, integer, uuid, integer, integer)
    SET enable_sort = off;

-- What is off costs much, to the planner, where there is no other way; so
-- much that it would compile.
ALTER FUNCTION prompt_remove(uuid, integer, uuid, integer, integer)
    SET jit = off;
