-- compatible: 1
--
-- Prompts that nobody sees: those whose rows are still being deleted, and
-- copies that are still being made.  Both are done in small steps, so that
-- their size does not matter to anybody else.
--
-- The lock on prompts is short, since no row is written.

ALTER TABLE prompts
    -- 0: there; 1: deleted, its rows are on their way out; 2: a copy in the
    -- making, since updated_at
    ADD COLUMN state smallint NOT NULL DEFAULT 0;


-- A step of deleting what belongs to a hidden prompt, and at the end the
-- prompt itself: of the one given (NULL: of any that nobody else is at), for
-- about so many milliseconds, but at least so many rows, unless they are
-- large.  Any is taken by chance: one that cannot be removed for now would
-- else come before all others.  A copy in the making is left alone for five
-- minutes, which is longer than anybody makes one.
--
-- Gives the prompt, NULL where there was none to be found.  version and
-- execution say where the next step goes on, version is NULL where the prompt
-- is gone.  They only spare the next step a look at rows that are deleted
-- already: it may as well begin from the beginning.  It does look at those of
-- the step before, so that PostgreSQL marks their entries in the index as
-- dead: else the foreign key would come upon all of them at once, when the
-- version is deleted.
--
-- The version's row is locked before its executions are, as by whoever
-- records one.  With the rights of the owner of the tables: the role of the
-- service deletes nothing but whole prompts.
--
-- Tables by their full names, and nothing is looked for beside them but in
-- pg_catalog: whoever may create anything in this schema could else have it
-- call a function or an operator of theirs with the rights of the owner.
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_remove(INOUT prompt uuid, INOUT version integer,
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
                          + coalesce(pg_column_size(x.input_schema), 0) AS size
            FROM %1$I.prompt_versions x
            WHERE x.prompt_id = target AND x.version >= first
            ORDER BY x.version
    LOOP
        PERFORM FROM %1$I.prompt_versions x
            WHERE x.prompt_id = target AND x.version = v.version FOR UPDATE;

        FOR e IN
            SELECT x.id, coalesce(pg_column_size(x.input), 0)
                         + coalesce(pg_column_size(x.output), 0) AS size
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

REVOKE ALL ON FUNCTION prompt_remove(uuid, integer, uuid, integer, integer)
    FROM PUBLIC;

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


-- afterwards

-- what is hidden: to leave it out of lists, and to find it for prompt_remove()
CREATE INDEX CONCURRENTLY IF NOT EXISTS prompts_hidden_idx
    ON prompts (owner_id, id) WHERE state <> 0;

-- who deletes a user deletes the user's executions: all of them are theirs,
-- also those of prompts of their own
CREATE INDEX CONCURRENTLY IF NOT EXISTS executions_user_idx
    ON executions (executed_by);
