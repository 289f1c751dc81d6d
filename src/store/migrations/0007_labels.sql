-- compatible: 1
--
-- Labels: names of versions that can be moved.
--
-- Only the owner of a prompt, who never changes, moves its labels: owner_id is
-- who did.  Whoever does so holds the prompt's row, so that the moves of a
-- prompt are numbered as they were made, whatever the clocks of hosts say that
-- made their ids.
--
-- The locks are short, since no row is written, and taken as in 0003.

SET LOCAL lock_timeout = '500ms';
LOCK TABLE prompts, prompt_versions, executions IN ACCESS EXCLUSIVE MODE;


CREATE TABLE prompt_labels (
    prompt_id         uuid NOT NULL,
    owner_id          uuid NOT NULL,
    label             text COLLATE "C" NOT NULL,
    version           integer NOT NULL,
    set_at            timestamptz NOT NULL,

    PRIMARY KEY (prompt_id, label),
    FOREIGN KEY (owner_id, prompt_id) REFERENCES prompts (owner_id, id)
        ON DELETE CASCADE,
    FOREIGN KEY (prompt_id, version)
        REFERENCES prompt_versions (prompt_id, version) ON DELETE CASCADE
);

CREATE TABLE prompt_label_moves (
    id                uuid NOT NULL UNIQUE,
    prompt_id         uuid NOT NULL,
    owner_id          uuid NOT NULL,
    number            integer NOT NULL,      -- 1, 2, 3 ... of the prompt
    label             text COLLATE "C" NOT NULL,
    version           integer,               -- NULL: it was removed
    previous_version  integer,               -- NULL: it was not set
    moved_at          timestamptz NOT NULL,

    PRIMARY KEY (prompt_id, number),
    FOREIGN KEY (owner_id, prompt_id) REFERENCES prompts (owner_id, id)
        ON DELETE CASCADE
);

-- The label that an execution was asked for by, NULL where it was not.

ALTER TABLE executions ADD COLUMN label text;


-- A step of deleting, as before; but first go the labels, and all that is known
-- of their moves.  While these are on their way out, version is the number of
-- the first one of this step, below zero.
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
    start    bigint;
    removed  integer := 0;
    bytes    bigint := 0;
    m        record;
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

    IF first <= 0 THEN
        DELETE FROM %1$I.prompt_labels x WHERE x.prompt_id = target;

        FOR m IN
            SELECT x.number FROM %1$I.prompt_label_moves x
                WHERE x.prompt_id = target AND x.number >= - first
                ORDER BY x.number
        LOOP
            DELETE FROM %1$I.prompt_label_moves x
                WHERE x.prompt_id = target AND x.number = m.number;

            start := coalesce(start, m.number);
            removed := removed + 1;

            IF removed >= least_rows AND clock_timestamp() > ends THEN
                version := - start;
                execution := NULL;
                RETURN;
            END IF;
        END LOOP;
    END IF;

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
