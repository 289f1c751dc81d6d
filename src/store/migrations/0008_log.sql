-- compatible: 1
--
-- The log: executions by who may read them, newest first; and statistics,
-- summed up once.
--
-- A sweeper goes over the ids, five minutes behind the present.  All up to its
-- mark is in the sums and in the lists below, or is one of those that had not
-- ended then and wait; all behind it is read from the rows.  So both are right
-- at any moment, also while the sweeper has years to go over.
--
-- The locks are short, since no row is written.

SET LOCAL lock_timeout = '500ms';
LOCK TABLE prompts, prompt_versions, executions, users, api_keys
    IN ACCESS EXCLUSIVE MODE;

-- The owner of the prompt where another ran it, else NULL.  Rows from before
-- have none until the sweeper comes by.
ALTER TABLE executions ADD COLUMN owner_id uuid;


CREATE TABLE log_mark (
    id    smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    mark  uuid NOT NULL,
    late  uuid NOT NULL     -- up to which the sweeper has looked once more
);

INSERT INTO log_mark (mark, late)
    VALUES ('00000000-0000-0000-0000-000000000000',
            '00000000-0000-0000-0000-000000000000');

-- Those up to the mark that are not in the sums: they run, are lost and may
-- still end, or came late.
CREATE TABLE log_waiting (
    id           uuid PRIMARY KEY,
    owner_id     uuid NOT NULL,
    executed_by  uuid NOT NULL,
    look         timestamptz NOT NULL    -- when to look again
) WITH (fillfactor = 80);

CREATE INDEX log_waiting_owner_idx ON log_waiting (owner_id, id DESC);
CREATE INDEX log_waiting_guest_idx ON log_waiting (executed_by, id DESC)
    WHERE executed_by <> owner_id;
CREATE INDEX log_waiting_look_idx ON log_waiting (look);


-- What is alike in status, model and label, of all that a user may read
-- (prompt_id of zeros, version 0), and of each prompt and version.  Few, and
-- each has a list of its executions, so that a page of what is rare is found
-- as soon as one of what is not.  `kind` is a hash of the rest, one that
-- nobody finds another text for: models and labels are users' own.
CREATE TABLE log_kinds (
    kind       bigint PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    prompt_id  uuid NOT NULL,
    version    integer NOT NULL,
    status     text NOT NULL,
    model      text,
    label      text
);

CREATE INDEX log_kinds_user_idx ON log_kinds (user_id, prompt_id);
CREATE INDEX log_kinds_prompt_idx ON log_kinds (prompt_id);

CREATE TABLE log_entries (
    kind  bigint NOT NULL,
    id    uuid NOT NULL,
    PRIMARY KEY (kind, id)
);


-- Sums of what a user may read: of a prompt, or all of them (zeros); of a
-- model ('=' and its name, '-': none), or all of them (''); of an hour, or
-- the 24 of a day.
CREATE TABLE statistics (
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    prompt_id     uuid NOT NULL,
    model         text NOT NULL,
    hours         smallint NOT NULL,     -- 1 or 24
    hour          integer NOT NULL,      -- the first, since 1970, UTC
    executions    bigint NOT NULL,
    succeeded     bigint NOT NULL,
    failed        bigint NOT NULL,
    token_in      bigint NOT NULL,
    token_out     bigint NOT NULL,
    cost_usd      numeric NOT NULL,
    cost_unknown  bigint NOT NULL,
    -- how many took how long, as prompt_latency() has it
    latency       bigint[] NOT NULL,
    PRIMARY KEY (user_id, prompt_id, model, hours, hour)
) WITH (fillfactor = 80);

CREATE INDEX statistics_prompt_idx ON statistics (prompt_id);

-- whose prompts are in the sums of users who do not own them
CREATE TABLE statistics_guests (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    prompt_id  uuid NOT NULL,
    PRIMARY KEY (user_id, prompt_id)
);

CREATE INDEX statistics_guests_prompt_idx ON statistics_guests (prompt_id);

-- prompts that were deleted, and are still in sums
CREATE TABLE statistics_gone (
    prompt_id  uuid PRIMARY KEY
);


-- A latency and how often, in one number: below bit 40 how often, above it a
-- bucket of four percent, 0 for nothing, n for 1.04^(n-1) to 1.04^n ms.
CREATE FUNCTION prompt_latency(ms integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $1 < 1 THEN 1
           ELSE ((floor(ln($1::float8) / ln(1.04::float8))::bigint + 1) << 40)
                + 1 END
$$;

-- adds the second to the first as often as the third says: 1 or -1
CREATE FUNCTION prompt_latency_add(bigint[], bigint[], integer)
    RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(array_agg((s.bucket << 40) | s.n ORDER BY s.bucket), '{}')
    FROM (SELECT v.e >> 40 AS bucket,
                 sum(v.times * (v.e & 1099511627775))::bigint AS n
          FROM (SELECT unnest($1) AS e, 1 AS times
                UNION ALL SELECT unnest($2), $3) v
          GROUP BY 1 HAVING sum(v.times * (v.e & 1099511627775)) > 0) s
$$;

CREATE FUNCTION prompt_log_kind(user_id uuid, prompt_id uuid, version integer,
                                status text, model text, label text)
    RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ('x' || encode(substr(sha256(replace(
        $1::text || $2::text || $3::text || $4
        || coalesce('=' || length($5) || '/' || $5, '-')
        || coalesce('=' || $6, '-'), '\', '\\')::bytea), 1, 8), 'hex'))
        ::bit(64)::bigint
$$;


-- Adds executions to sums and lists, if their prompts are there.  Those of
-- whoever owns the prompt, and those of whoever else ran it.  With the rights
-- of the owner of the tables, as all that follows, and names as in
-- prompt_remove().
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_log_add(ids uuid[]) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    nobody  uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    UPDATE %1$I.executions x SET owner_id = p.owner_id
        FROM %1$I.prompts p
        WHERE x.id IN (SELECT e.id FROM %1$I.executions e
                       WHERE e.id = ANY (ids) AND NOT e.by_owner
                             AND e.owner_id IS NULL
                       FOR UPDATE SKIP LOCKED)
              AND p.id = x.prompt_id;

    INSERT INTO %1$I.statistics_guests (user_id, prompt_id)
        SELECT DISTINCT x.executed_by, x.prompt_id
            FROM %1$I.executions x JOIN %1$I.prompts p ON p.id = x.prompt_id
            WHERE x.id = ANY (ids) AND NOT x.by_owner AND p.state = 0
            ON CONFLICT DO NOTHING;

    WITH x AS MATERIALIZED (
        SELECT u.user_id, x.prompt_id, coalesce('=' || x.model, '-') AS model,
               (('x' || left(replace(x.id::text, '-', ''), 12))::bit(48)
                ::bigint / 3600000)::integer AS hour,
               x.status, x.token_in, x.token_out, x.cost_usd, x.latency_ms
            FROM %1$I.executions x JOIN %1$I.prompts p ON p.id = x.prompt_id
            CROSS JOIN LATERAL (
                SELECT p.owner_id AS user_id
                UNION ALL SELECT x.executed_by WHERE NOT x.by_owner) u
            WHERE x.id = ANY (ids) AND p.state = 0),
    sums AS (
        SELECT x.user_id, l.prompt_id, l.model, h.hours,
               x.hour / h.hours * h.hours AS hour,
               count(*) AS executions,
               count(*) FILTER (WHERE x.status = 'succeeded') AS succeeded,
               count(*) FILTER (WHERE x.status = 'failed') AS failed,
               coalesce(sum(x.token_in), 0) AS token_in,
               coalesce(sum(x.token_out), 0) AS token_out,
               coalesce(sum(x.cost_usd), 0) AS cost_usd,
               count(*) FILTER (WHERE x.cost_usd IS NULL) AS cost_unknown,
               %1$I.prompt_latency_add(
                   array_agg(%1$I.prompt_latency(x.latency_ms))
                       FILTER (WHERE x.latency_ms IS NOT NULL),
                   '{}', 1) AS latency
            FROM x CROSS JOIN LATERAL (
                VALUES (x.prompt_id, x.model), (x.prompt_id, ''),
                       (nobody, x.model), (nobody, '')) l (prompt_id, model)
            CROSS JOIN (VALUES (1), (24)) h (hours)
            GROUP BY 1, 2, 3, 4, 5)
    INSERT INTO %1$I.statistics AS s
        SELECT * FROM sums
        ON CONFLICT (user_id, prompt_id, model, hours, hour) DO UPDATE
        SET executions = s.executions + excluded.executions,
            succeeded = s.succeeded + excluded.succeeded,
            failed = s.failed + excluded.failed,
            token_in = s.token_in + excluded.token_in,
            token_out = s.token_out + excluded.token_out,
            cost_usd = s.cost_usd + excluded.cost_usd,
            cost_unknown = s.cost_unknown + excluded.cost_unknown,
            latency = %1$I.prompt_latency_add(s.latency, excluded.latency, 1);

    WITH x AS MATERIALIZED (
        SELECT u.user_id, l.prompt_id, l.version, x.status, x.model, x.label,
               x.id, %1$I.prompt_log_kind(u.user_id, l.prompt_id, l.version,
                                          x.status, x.model, x.label) AS kind
            FROM %1$I.executions x JOIN %1$I.prompts p ON p.id = x.prompt_id
            CROSS JOIN LATERAL (
                SELECT p.owner_id AS user_id
                UNION ALL SELECT x.executed_by WHERE NOT x.by_owner) u
            CROSS JOIN LATERAL (
                VALUES (nobody, 0), (x.prompt_id, x.version))
                l (prompt_id, version)
            WHERE x.id = ANY (ids) AND p.state = 0),
    kinds AS (
        INSERT INTO %1$I.log_kinds
            SELECT DISTINCT x.kind, x.user_id, x.prompt_id, x.version,
                            x.status, x.model, x.label FROM x
            ON CONFLICT DO NOTHING)
    INSERT INTO %1$I.log_entries (kind, id)
        SELECT x.kind, x.id FROM x ON CONFLICT DO NOTHING;
END
$$;
$f$, current_schema());
END
$do$;


-- A step: goes over so many executions at most, and looks again at so many of
-- those that wait; takes what was deleted out of the sums.  `more`: the next
-- step should not wait.
--
-- One at a time: whoever comes meanwhile finds nothing to do.
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_log_sweep(most integer, OUT more boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    low    uuid;
    upper  uuid;
    last   uuid;
    ended  uuid[];
    other  uuid[];
BEGIN
    more := false;

    SELECT m.mark INTO low FROM %1$I.log_mark m FOR UPDATE SKIP LOCKED;

    IF NOT found THEN
        RETURN;
    END IF;

    upper := (lpad(to_hex((extract(epoch FROM now() - interval '5 minutes')
                           * 1000)::bigint), 12, '0')
              || repeat('0', 20))::uuid;

    IF upper > low THEN
        last := (SELECT x.id FROM %1$I.executions x
                 WHERE x.id > low AND x.id <= upper
                 ORDER BY x.id OFFSET most - 1 LIMIT 1);

        more := last IS NOT NULL;
        last := coalesce(last, upper);

        -- in one look, since what runs may end

        SELECT array_agg(x.id) FILTER (WHERE x.status NOT IN ('running',
                                                              'lost')),
               array_agg(x.id) FILTER (WHERE x.status IN ('running', 'lost'))
            INTO ended, other FROM %1$I.executions x
            WHERE x.id > low AND x.id <= last;

        INSERT INTO %1$I.log_waiting (id, owner_id, executed_by, look)
            SELECT x.id, p.owner_id, x.executed_by, now()
                FROM %1$I.executions x
                JOIN %1$I.prompts p ON p.id = x.prompt_id
                WHERE x.id = ANY (other)
                ON CONFLICT DO NOTHING;

        PERFORM %1$I.prompt_log_add(ended);

        UPDATE %1$I.log_mark SET mark = last;
    END IF;

    more := %1$I.prompt_log_look(most) OR more;
    more := %1$I.prompt_statistics_take(most) OR more;
END
$$;

-- Those that wait and have ended; what is lost for thirty days has, too, and
-- what was deleted while it was put there.  The older one is, the later it is
-- looked at again.
CREATE FUNCTION prompt_log_look(most integer) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    due    uuid[];
    ended  uuid[];
    month  uuid := (lpad(to_hex((extract(epoch FROM now()
                                         - interval '30 days')
                                 * 1000)::bigint), 12, '0')
                    || repeat('0', 20))::uuid;
BEGIN
    due := ARRAY(SELECT w.id FROM %1$I.log_waiting w
                 WHERE w.look <= now() ORDER BY w.look LIMIT most
                 FOR UPDATE SKIP LOCKED);

    ended := ARRAY(SELECT x.id FROM %1$I.executions x
                   WHERE x.id = ANY (due)
                         AND (x.status NOT IN ('running', 'lost')
                              OR (x.status = 'lost' AND x.id < month)));

    PERFORM %1$I.prompt_log_add(ended);

    DELETE FROM %1$I.log_waiting w
        WHERE w.id = ANY (due)
              AND (w.id = ANY (ended)
                   OR NOT EXISTS (SELECT FROM %1$I.executions x
                                  WHERE x.id = w.id));

    UPDATE %1$I.log_waiting w
        SET look = now() + greatest(interval '10 seconds',
                                    (now() - to_timestamp(
                       ('x' || left(replace(w.id::text, '-', ''), 12))
                       ::bit(48)::bigint / 1000.0::float8)) / 16)
        WHERE w.id = ANY (due);

    RETURN cardinality(due) >= most;
END
$$;

-- Takes so many sums of deleted prompts out of those of all prompts.  Most of
-- these prompts may have none.
CREATE FUNCTION prompt_statistics_take(most integer) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    gone   uuid;
    taken  integer;
    rest   integer := greatest(most / 20, 1);
BEGIN
    WHILE rest > 0 LOOP
        SELECT g.prompt_id INTO gone FROM %1$I.statistics_gone g LIMIT 1
            FOR UPDATE SKIP LOCKED;

        IF NOT found THEN
            RETURN false;
        END IF;

        WITH d AS (
            DELETE FROM %1$I.statistics s
                WHERE s.ctid = ANY (ARRAY(SELECT s.ctid FROM %1$I.statistics s
                                          WHERE s.prompt_id = gone
                                          LIMIT rest))
                RETURNING s.*),
        less AS (
            UPDATE %1$I.statistics s
                SET executions = s.executions - d.executions,
                    succeeded = s.succeeded - d.succeeded,
                    failed = s.failed - d.failed,
                    token_in = s.token_in - d.token_in,
                    token_out = s.token_out - d.token_out,
                    cost_usd = s.cost_usd - d.cost_usd,
                    cost_unknown = s.cost_unknown - d.cost_unknown,
                    latency = %1$I.prompt_latency_add(s.latency, d.latency, -1)
                FROM d
                WHERE s.user_id = d.user_id AND s.model = d.model
                      AND s.prompt_id = '00000000-0000-0000-0000-000000000000'
                      AND s.hours = d.hours AND s.hour = d.hour)
        SELECT count(*) INTO taken FROM d;

        IF taken < rest THEN
            DELETE FROM %1$I.log_kinds k WHERE k.prompt_id = gone;
            DELETE FROM %1$I.statistics_guests g WHERE g.prompt_id = gone;
            DELETE FROM %1$I.statistics_gone g WHERE g.prompt_id = gone;
        END IF;

        rest := rest - greatest(taken, 1);
    END LOOP;

    RETURN true;
END
$$;

-- Deletes so many executions with ids below the one given, the oldest first,
-- which must be up to the mark; what runs stays.  Sums stay, with what was
-- lost.  For the owner of the tables.  How many were deleted, and whether
-- there are more.
CREATE FUNCTION prompt_executions_prune(below uuid, most integer,
                                        INOUT above uuid, OUT deleted integer)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    old      uuid[];
    waiting  uuid[];
    low      uuid;
    last     uuid;
BEGIN
    SELECT m.mark INTO low FROM %1$I.log_mark m FOR UPDATE;

    SELECT array_agg(x.id) FILTER (WHERE x.status <> 'running'),
           (max(x.id::text))::uuid
        INTO old, last
        FROM (SELECT e.id, e.status FROM %1$I.executions e
              WHERE e.id > above AND e.id < below AND e.id <= low
              ORDER BY e.id LIMIT most) x;

    above := last;
    old := ARRAY(SELECT x.id FROM %1$I.executions x
                 WHERE x.id = ANY (old) AND x.status <> 'running'
                 ORDER BY x.id FOR UPDATE SKIP LOCKED);

    waiting := ARRAY(SELECT w.id FROM %1$I.log_waiting w
                     WHERE w.id = ANY (old) FOR UPDATE);

    PERFORM %1$I.prompt_log_add(waiting);

    DELETE FROM %1$I.executions x WHERE x.id = ANY (old);

    GET DIAGNOSTICS deleted = ROW_COUNT;
END
$$;

-- What comes late waits: a row that is below the mark already.
CREATE FUNCTION prompt_log_came() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    low  uuid;
BEGIN
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

-- for an older module, which gives none
CREATE FUNCTION prompt_log_owner() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    new.owner_id := (SELECT p.owner_id FROM %1$I.prompts p
                     WHERE p.id = new.prompt_id);
    RETURN new;
END
$$;

-- What goes is in no list any more, whoever deletes it.
CREATE FUNCTION prompt_log_went() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    nobody  uuid := '00000000-0000-0000-0000-000000000000';
    owner   uuid := coalesce(old.owner_id, old.executed_by);
BEGIN
    DELETE FROM %1$I.log_entries e
        WHERE e.id = old.id AND e.kind IN (
            %1$I.prompt_log_kind(owner, nobody, 0, old.status, old.model,
                                 old.label),
            %1$I.prompt_log_kind(owner, old.prompt_id, old.version,
                                 old.status, old.model, old.label),
            %1$I.prompt_log_kind(old.executed_by, nobody, 0, old.status,
                                 old.model, old.label),
            %1$I.prompt_log_kind(old.executed_by, old.prompt_id, old.version,
                                 old.status, old.model, old.label));

    DELETE FROM %1$I.log_waiting w WHERE w.id = old.id;

    RETURN NULL;
END
$$;

-- Who deletes a user takes what a sweep takes, too: so no sweep meanwhile, which
-- would wait for the user while the user's rows wait for it.
CREATE FUNCTION prompt_log_alone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    PERFORM FROM %1$I.log_mark m FOR UPDATE;
    RETURN NULL;
END
$$;

CREATE FUNCTION prompt_statistics_went() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    INSERT INTO %1$I.statistics_gone (prompt_id) VALUES (old.id)
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
$f$, current_schema());
END
$do$;

CREATE TRIGGER executions_owner BEFORE INSERT ON executions FOR EACH ROW
    WHEN (NOT new.by_owner AND new.owner_id IS NULL)
    EXECUTE FUNCTION prompt_log_owner();

-- A start is in time, and costs no more than this look.
CREATE TRIGGER executions_came AFTER INSERT ON executions FOR EACH ROW
    WHEN (new.status <> 'running' OR new.deadline IS NULL
          OR (new.created_at >= CURRENT_TIMESTAMP - interval '4 minutes')
             IS NOT TRUE)
    EXECUTE FUNCTION prompt_log_came();

CREATE TRIGGER executions_went AFTER DELETE ON executions FOR EACH ROW
    EXECUTE FUNCTION prompt_log_went();

CREATE TRIGGER users_going BEFORE DELETE ON users FOR EACH STATEMENT
    EXECUTE FUNCTION prompt_log_alone();

CREATE TRIGGER prompts_went AFTER DELETE ON prompts FOR EACH ROW
    EXECUTE FUNCTION prompt_statistics_went();


DO $do$
DECLARE
    f  text;
BEGIN
    FOREACH f IN ARRAY ARRAY['prompt_log_add(uuid[])',
                             'prompt_log_sweep(integer)',
                             'prompt_log_look(integer)',
                             'prompt_statistics_take(integer)',
                             'prompt_executions_prune(uuid, integer, uuid)',
                             'prompt_log_owner()', 'prompt_log_came()',
                             'prompt_log_went()', 'prompt_log_alone()',
                             'prompt_statistics_went()']
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('ALTER FUNCTION %s SET jit = off', f);
    END LOOP;

    -- by an index, as in prompt_remove()

    FOREACH f IN ARRAY ARRAY['prompt_log_sweep(integer)',
                             'prompt_executions_prune(uuid, integer, uuid)']
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
        EXECUTE format('ALTER FUNCTION %s SET enable_bitmapscan = off', f);
    END LOOP;
END
$do$;


-- afterwards

-- what a user ran: of their own prompts, and of others'
CREATE INDEX CONCURRENTLY IF NOT EXISTS executions_log_idx
    ON executions (executed_by, by_owner, id DESC);

-- what others ran of an owner's prompts
CREATE INDEX CONCURRENTLY IF NOT EXISTS executions_owner_idx
    ON executions (owner_id, id DESC) WHERE owner_id IS NOT NULL;
