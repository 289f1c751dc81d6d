-- The schema: users, projects and their members, API keys and sessions,
-- prompts, versions, labels, datasets, executions with their scores, log and
-- statistics, and what keeps all that in order.
--
-- Ids are UUIDv7 made by the module.  created_at is the time inside the id,
-- so "newest first, then by id" is the order of the ids alone, and no index
-- or sort is spent on the time.  The module gives it with each row, and reads
-- it from the id; the default is for rows that somebody adds by hand.
--
-- PostgreSQL plans the expression of a generated column and of a CHECK anew at
-- every insert.  So what is written all the time (prompts, versions, labels,
-- executions) has neither: the module makes sure of it.  Users and keys have
-- CHECKs, since they are seldom written, and by hand, too.
--
-- What takes statements of its own for large tables goes behind the end, as
-- src/store/README.md says of migrations.


-- Functions with the rights of their owner name tables in full, and nothing is
-- looked for beside them but in pg_catalog: whoever may create anything in
-- this schema could else have them call a function or an operator of theirs
-- with these rights.  So do those that they call.  How the schema is called is
-- known only here: {schema} in a text is its name, {literal} the same within a
-- literal.

CREATE PROCEDURE prompt_define(definitions text) LANGUAGE plpgsql AS $$
DECLARE
    name  text := quote_ident(current_schema());
BEGIN
    EXECUTE replace(replace(definitions, '{schema}', name), '{literal}',
                    replace(name, '''', ''''''));
END
$$;


-- Ids and texts

-- the first id of a time: its first 48 bits are milliseconds since 1970
CREATE FUNCTION prompt_id_of(timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM $1) * 1000)::bigint), 12, '0')
            || repeat('0', 20))::uuid
$$;

CREATE FUNCTION prompt_id_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_timestamp(('x' || left(replace($1::text, '-', ''), 12))::bit(48)
                        ::bigint / 1000.0::float8)
$$;

-- the first id of so many months behind the beginning of the time's own month,
-- whatever the time zone
CALL prompt_define($define$
CREATE FUNCTION prompt_id_month(timestamptz, months integer) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT {schema}.prompt_id_of(
        (date_trunc('month', $1 AT TIME ZONE 'UTC')
         + $2 * interval '1 month') AT TIME ZONE 'UTC')
$$;
$define$);

-- the least and the greatest of them: for PostgreSQL to know which months an
-- array of ids is about
CREATE FUNCTION prompt_ids_range(ids uuid[], OUT low uuid, OUT high uuid)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (SELECT i FROM unnest($1) i WHERE i IS NOT NULL ORDER BY i LIMIT 1),
           (SELECT i FROM unnest($1) i WHERE i IS NOT NULL ORDER BY i DESC LIMIT 1)
$$;

-- Lower case for searching.  By ICU where the server has it, because the
-- lower() of a database with locale C knows ASCII only.
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_fold(text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower($1 COLLATE pg_catalog.%I)
$$
$f$, CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_collation
                       WHERE collname = 'und-x-icu'
                             AND collnamespace = 'pg_catalog'::regnamespace)
          THEN 'und-x-icu' ELSE 'default' END);
END
$do$;


-- Users

CREATE TABLE users (
    id          uuid PRIMARY KEY,
    email       text NOT NULL
                CHECK (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'
                       AND char_length(email) <= 320),
    name        text CHECK (char_length(name) <= 200),
    -- Argon2id with its parameters, as libargon2 encodes it; NULL: none was set
    password    text,
    created_at  timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
    -- since when the user has no session and no key, and gets none
    disabled_at timestamptz
);

-- ASCII alone is folded, whatever the database's locale has of other letters
CREATE UNIQUE INDEX users_email_key ON users (lower(email COLLATE "C"));



-- Projects: what prompts, keys and executions belong to
--
-- Each user has a personal one, which has the user's id, and goes with the
-- user: so what belongs to a user and what belongs to a project are found in
-- the same way.  In it nobody else is a member.
--
-- owner_id of prompts and of what hangs on them, and executed_by of
-- executions, are projects.  Which person it was stands beside them, and NULL
-- is the person whose personal project it is: most rows have nothing there.

CREATE TABLE projects (
    id                uuid PRIMARY KEY,
    -- whose personal one it is; NULL: of several
    user_id           uuid UNIQUE REFERENCES users ON DELETE CASCADE
                      CHECK (user_id = id),
    name              text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- 0: there; 1: deleted, what it owns is on its way out
    state             smallint NOT NULL DEFAULT 0,
    protected_labels  text[] NOT NULL DEFAULT '{}',
    records_content   boolean NOT NULL DEFAULT true,
    created_at        timestamptz NOT NULL
                      DEFAULT date_trunc('milliseconds', now())
);

-- those whose rows are on their way out
CREATE INDEX projects_deleted_idx ON projects (id) WHERE state <> 0;

CREATE TABLE project_members (
    project_id  uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- 0 not any more, 1 VIEWER, 2 EDITOR, 3 ADMIN, 4 OWNER: whoever was one is
    -- found as who made something
    role        smallint NOT NULL CHECK (role BETWEEN 0 AND 4),
    since       timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
    PRIMARY KEY (project_id, user_id)
);

CREATE INDEX project_members_user_idx ON project_members (user_id);

CALL prompt_define($define$
-- with the rights of its owner, so that who adds users needs no others
CREATE FUNCTION prompt_users_came() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO {schema}.projects (id, user_id, name, created_at)
        VALUES (new.id, new.id, 'Personal', new.created_at);
    INSERT INTO {schema}.project_members (project_id, user_id, role, since)
        VALUES (new.id, new.id, 4, new.created_at);

    RETURN NULL;
END
$$;
$define$);

CREATE TRIGGER users_came AFTER INSERT ON users FOR EACH ROW
    EXECUTE FUNCTION prompt_users_came();


-- Keys and sessions
--
-- A key itself is never stored, only its SHA-256.  Deleting marks the row:
-- deleting again can then repeat the revocation in Redis.  A session is a key
-- of another kind, which ends when it was not used for a while.

CREATE TABLE api_keys (
    id            uuid PRIMARY KEY,
    -- who made it, and whose rights it has at most
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- in which it acts; of a session the personal one, where it names no other
    project_id    uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    -- the key that made it; NULL: a session, or an operator
    parent_id     uuid,
    kind          text NOT NULL DEFAULT 'key',
    hash          bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 128),
    hint          text NOT NULL CHECK (char_length(hint) <= 32),
    -- 1 read, 2 write, 4 execute, 8 keys, 64 admin, 128 promote; 0: all of
    -- these; a session has 31
    scopes        integer NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL
                  DEFAULT date_trunc('milliseconds', now()),
    expires_at    timestamptz,
    last_used_at  timestamptz,
    deleted_at    timestamptz,
    -- of a session: how long it may rest, and where it was begun
    idle          interval,
    address       text,
    -- the address; of IPv6 the first 64 bits
    network       text,
    user_agent    text,
    -- of a session that somebody trusted said whose it is: the first 16 bytes
    -- of the SHA-256 of the e-mail, in lower case
    trusted       bytea CHECK (octet_length(trusted) = 16),

    CONSTRAINT api_keys_kind_check CHECK (
        CASE kind
            WHEN 'key' THEN scopes & 207 = scopes
            WHEN 'session' THEN scopes = 31 AND expires_at IS NOT NULL
                                AND idle IS NOT NULL
                                AND last_used_at IS NOT NULL
            ELSE false
        END)
) WITH (fillfactor = 70);   -- last_used_at stands in no index, and has room

CREATE INDEX api_keys_user_id_idx ON api_keys (user_id, id);

-- the keys of a project, and those that a key made
CREATE INDEX api_keys_listed_idx ON api_keys (project_id, id)
    WHERE kind = 'key' AND deleted_at IS NULL;
CREATE INDEX api_keys_parent_idx ON api_keys (parent_id)
    WHERE parent_id IS NOT NULL;
CREATE INDEX api_keys_project_id_idx ON api_keys (project_id);

-- sessions: where they were begun, and of which accounts
CREATE INDEX api_keys_sessions_idx ON api_keys (network, user_id, id)
    WHERE kind = 'session';

-- those of an account that are not over
CREATE INDEX api_keys_sessions_end_idx ON api_keys (user_id, expires_at)
    WHERE kind = 'session';

-- the oldest first
CREATE INDEX api_keys_sessions_age_idx ON api_keys (id)
    WHERE kind = 'session';

-- who names no project means the personal one
CREATE FUNCTION prompt_api_keys_come() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.project_id := coalesce(new.project_id, new.user_id);

    RETURN new;
END
$$;

CREATE TRIGGER api_keys_come BEFORE INSERT ON api_keys FOR EACH ROW
    EXECUTE FUNCTION prompt_api_keys_come();

CALL prompt_define($define$
-- The names in the caches of all that a user is let into a project with: the
-- hashes of keys, and of each session with the project.  What ended within the
-- last 70 seconds is among it, as it may be in a cache.
CREATE FUNCTION prompt_member_hashes(of_project uuid, of_user uuid)
    RETURNS SETOF bytea LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE kind WHEN 'key' THEN k.hash
           ELSE sha256(k.hash || uuid_send(of_project)) END
        FROM {schema}.api_keys k
        WHERE k.user_id = of_user
              AND coalesce(k.deleted_at, now()) > now() - interval '70 seconds'
              AND (k.kind <> 'key' OR k.project_id = of_project)
              AND coalesce(k.expires_at, now()) > now() - interval '1 hour'
$$;

-- The same of a session: its own, and those with each project.
CREATE FUNCTION prompt_session_hashes(hash bytea, of_user uuid)
    RETURNS SETOF bytea LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT $1
    UNION ALL
    SELECT sha256($1 || uuid_send(m.project_id))
        FROM {schema}.project_members m WHERE m.user_id = $2 AND m.role > 0
$$;

-- Ends keys, and all that were made with them and with these: their hashes.
CREATE FUNCTION prompt_keys_end(keys uuid[]) RETURNS SETOF bytea
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    WITH RECURSIVE k AS (
        SELECT x.id FROM {schema}.api_keys x
            WHERE x.id = ANY ($1) AND x.kind = 'key'
        UNION
        SELECT x.id FROM k JOIN {schema}.api_keys x ON x.parent_id = k.id)
    UPDATE {schema}.api_keys x SET deleted_at = least(x.deleted_at, now())
        FROM k WHERE x.id = k.id RETURNING x.hash
$$;
$define$);


-- Invitations: whoever has the token, and has signed in with that e-mail,
-- becomes a member.  One that was accepted is deleted.

CREATE TABLE project_invitations (
    id          uuid PRIMARY KEY,
    project_id  uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    email       text NOT NULL
                CHECK (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'
                       AND char_length(email) <= 320),
    role        smallint NOT NULL CHECK (role BETWEEN 1 AND 4),
    -- of the token
    hash        bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    invited_by  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at  timestamptz NOT NULL
                DEFAULT date_trunc('milliseconds', now()),
    expires_at  timestamptz NOT NULL
);

-- who is invited once more gets another token in the place of the one before
CREATE UNIQUE INDEX project_invitations_email_key
    ON project_invitations (project_id, lower(email COLLATE "C"));
CREATE INDEX project_invitations_invited_by_idx
    ON project_invitations (invited_by);

CALL prompt_define($define$
-- Makes the account of who was invited, by the token's hash: 0, 1 where there
-- is no such invitation, 15 where the project has as many members as it may, 22
-- where there is an account.  With the rights of the owner, as the role of the
-- service adds no users.
CREATE FUNCTION prompt_invited(of_token bytea, id uuid, name text,
                               password text, most_members bigint)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    address  text;
    project  uuid;
BEGIN
    SELECT i.email, i.project_id INTO address, project FROM {schema}.project_invitations i
        JOIN {schema}.projects p ON p.id = i.project_id AND p.state = 0
        WHERE i.hash = $1 AND i.expires_at > now()
        FOR UPDATE OF i;

    IF NOT found THEN
        RETURN 1;
    END IF;

    IF (SELECT count(*) FROM {schema}.project_members m
        WHERE m.project_id = project AND m.role > 0) >= most_members
    THEN
        RETURN 15;
    END IF;

    INSERT INTO {schema}.users (id, email, name, password, created_at)
        VALUES ($2, address, $3, $4, {schema}.prompt_id_time($2))
        ON CONFLICT (lower(email COLLATE "C")) DO NOTHING;

    RETURN CASE WHEN found THEN 0 ELSE 22 END;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_invited(bytea, uuid, text, text, bigint)
    FROM PUBLIC;


-- Budgets: what a project, or a key of it, may spend in a day, a month, or ever
--
-- A call reserves the most that it may cost, of each budget that it is under,
-- in the statement that starts its execution, whose row says what; the one that
-- ends it puts what it did cost in the place of that.
--
-- Calls of a project would all wait for one row, each until another's commit is
-- on disk.  So what is free stands in slots, which together have the limit: a
-- connection to the database has one of them, and reserves and settles there,
-- as long as it has room (escrow).  Where it has not, all slots are held and
-- looked at together, and what is free is shared out anew: so what one call is
-- refused for want of is nowhere.  In a slot each amount may be below zero, as
-- what was reserved in one is settled in another; only their sums mean
-- something.
--
-- A slot counts one period.  The first who comes in the next one begins anew.
-- What was reserved before is settled without being counted: its period is over.
--
-- Whoever holds a slot waits for no other row but slots: of the budgets of the
-- project first, then of those of keys, by their ids, then by their numbers.

CREATE TABLE budgets (
    id               uuid PRIMARY KEY,
    project_id       uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    -- NULL: of all that the project pays for
    key_id           uuid REFERENCES api_keys ON DELETE CASCADE,
    -- the most that a run may cost; it goes with the run
    run_id           uuid,
    per              text NOT NULL CHECK (per IN ('DAY', 'MONTH', 'TOTAL')),
    limit_usd        numeric NOT NULL CHECK (limit_usd >= 0),
    warn_at_percent  integer CHECK (warn_at_percent BETWEEN 1 AND 100),
    -- the end of the period in which it was told that so much is spent
    warned_until     timestamptz
);

CREATE UNIQUE INDEX budgets_of_idx ON budgets (
    project_id,
    coalesce(run_id, key_id, '00000000-0000-0000-0000-000000000000'), per);
CREATE INDEX budgets_key_id_idx ON budgets (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX budgets_run_id_idx ON budgets (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE budget_slots (
    budget_id     uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
    slot          integer NOT NULL,      -- 0 to 15
    -- as the budget has them: who reserves looks at nothing else.  key_id is
    -- all zero where that is NULL, or the run; warns: warn_at_percent is not
    project_id    uuid NOT NULL,
    key_id        uuid NOT NULL,
    warns         boolean NOT NULL,
    -- when the period that is counted is over, which never goes back; infinity
    ends          timestamptz NOT NULL,
    free_usd      numeric NOT NULL,
    spent_usd     numeric NOT NULL DEFAULT 0,
    reserved_usd  numeric NOT NULL DEFAULT 0,

    PRIMARY KEY (budget_id, slot)
) WITH (fillfactor = 20);

CREATE INDEX budget_slots_of_idx
    ON budget_slots (project_id, slot, key_id, budget_id);

-- What was reserved by calls that were given up, or whose rows went while they
-- ran: nobody will say what they cost, so it is spent.
CREATE TABLE budget_orphans (
    execution_id    uuid PRIMARY KEY,
    reserved_of     uuid[] NOT NULL,
    reserved_until  timestamptz[] NOT NULL,
    usd             numeric NOT NULL
);

-- When the present period is over; days and months of UTC.
CREATE FUNCTION prompt_budget_ends(per text) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT CASE per
           WHEN 'DAY' THEN (date_trunc('day', now() AT TIME ZONE 'UTC')
                            + interval '1 day') AT TIME ZONE 'UTC'
           WHEN 'MONTH' THEN (date_trunc('month', now() AT TIME ZONE 'UTC')
                              + interval '1 month') AT TIME ZONE 'UTC'
           ELSE 'infinity' END
$$;

-- What a slot has of an amount: all together have all of it.
CREATE FUNCTION prompt_budget_share(usd numeric, slot integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE slot WHEN 0 THEN usd - 15 * trunc(usd / 16, 9)
           ELSE trunc(usd / 16, 9) END
$$;

-- A deleted key has none, whoever deletes it.
CALL prompt_define($define$
CREATE FUNCTION prompt_api_keys_go() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM {schema}.budgets b WHERE b.key_id = new.id;

    RETURN NULL;
END
$$;
$define$);

CREATE TRIGGER api_keys_go AFTER UPDATE OF deleted_at ON api_keys
    FOR EACH ROW WHEN (new.deleted_at IS NOT NULL)
    EXECUTE FUNCTION prompt_api_keys_go();

CALL prompt_define($define$
-- Holds all slots of budgets, and brings them to the present period.
CREATE FUNCTION prompt_budget_hold(budgets uuid[]) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM {schema}.budget_slots s WHERE s.budget_id = ANY (budgets)
        ORDER BY s.key_id, s.budget_id, s.slot FOR NO KEY UPDATE;

    UPDATE {schema}.budget_slots s SET
        ends = {schema}.prompt_budget_ends(b.per),
        free_usd = {schema}.prompt_budget_share(b.limit_usd, s.slot),
        spent_usd = 0, reserved_usd = 0
        FROM {schema}.budgets b
        WHERE s.budget_id = ANY (budgets) AND b.id = s.budget_id
              AND s.ends <= now();
END
$$;

-- A key and those that it comes from: what one may spend is for what it makes,
-- too, or who has it would only have to make another one.
CREATE FUNCTION prompt_key_line(key uuid) RETURNS uuid[]
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    line  uuid[] := ARRAY[key];
BEGIN
    LOOP
        SELECT k.parent_id INTO key FROM {schema}.api_keys k WHERE k.id = key;

        EXIT WHEN key IS NULL OR key = ANY (line);

        line := line || key;
    END LOOP;

    RETURN line;
END
$$;

-- Looks for usd in all slots of the budgets that a call by the key is under.
-- Where each has so much, the own slot has it afterwards, and the others as
-- much as each other of the rest.  Else the budget that has not, of several the
-- one that lasts longest: of a key or not, its limit, and when it begins anew,
-- NULL: never.  For a transaction of its own.
CREATE FUNCTION prompt_budget_gather(project uuid, key uuid, run uuid,
                                     usd numeric, own integer,
                                     OUT refused text,
                                     OUT of_key boolean, OUT limit_usd numeric,
                                     OUT resets timestamptz)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    keys     uuid[] := '00000000-0000-0000-0000-000000000000'::uuid
                       || {schema}.prompt_key_line(key) || run;
    budgets  uuid[] := ARRAY(SELECT b.id FROM {schema}.budgets b
                             WHERE b.project_id = project
                                   AND coalesce(b.run_id, b.key_id,
                                       '00000000-0000-0000-0000-000000000000')
                                       = ANY (keys));
BEGIN
    PERFORM {schema}.prompt_budget_hold(budgets);

    SELECT CASE WHEN b.run_id IS NULL THEN b.per ELSE 'RUN' END,
           b.key_id IS NOT NULL, b.limit_usd, nullif(max(s.ends), 'infinity')
        INTO refused, of_key, limit_usd, resets
        FROM {schema}.budgets b
        JOIN {schema}.budget_slots s ON s.budget_id = b.id
        WHERE b.id = ANY (budgets)
        GROUP BY b.id HAVING sum(s.free_usd) < usd
        ORDER BY 4 DESC NULLS FIRST LIMIT 1;

    IF found THEN
        RETURN;
    END IF;

    UPDATE {schema}.budget_slots s SET
        free_usd = {schema}.prompt_budget_share(t.free, s.slot)
                   + CASE s.slot WHEN own THEN usd ELSE 0 END
        FROM (SELECT x.budget_id, sum(x.free_usd) - usd AS free
                  FROM {schema}.budget_slots x
                  WHERE x.budget_id = ANY (budgets) GROUP BY 1) t
        WHERE s.budget_id = t.budget_id;
END
$$;

-- Reserves usd for calls by a key (NULL: by none), and of a run (NULL: they are
-- of none), of all budgets that they are
-- under, if each has so much in the slot of this connection; exact: if each has
-- so much at all.  admitted: so it is.  budgets are these, NULL: there are
-- none, and until says which period of each.  The rest is that of
-- prompt_budget_gather(), where it was exact.
CREATE FUNCTION prompt_budget_reserve(project uuid, key uuid, run uuid,
                                      usd numeric, exact boolean,
                                      OUT admitted boolean, OUT budgets uuid[],
                                      OUT until timestamptz[], OUT refused text,
                                      OUT of_key boolean,
                                      OUT limit_usd numeric,
                                      OUT resets timestamptz)
    LANGUAGE plpgsql AS $$
DECLARE
    own   integer := pg_backend_pid() % 16;
    keys  uuid[] := '00000000-0000-0000-0000-000000000000'::uuid
                    || {schema}.prompt_key_line(key) || run;
    s     {schema}.budget_slots;
    over  boolean;       -- a period is
BEGIN
    admitted := false;

    IF exact THEN
        SELECT * INTO refused, of_key, limit_usd, resets
            FROM {schema}.prompt_budget_gather(project, key, run, usd,
                                               own);

        IF refused IS NOT NULL THEN
            RETURN;
        END IF;
    END IF;

    FOR try IN 1 .. 2 LOOP
        admitted := true;
        over := false;
        budgets := NULL;
        until := NULL;

        FOR s IN
            UPDATE {schema}.budget_slots x SET
                free_usd = x.free_usd - usd,
                reserved_usd = x.reserved_usd + usd
                WHERE x.project_id = project AND x.slot = own
                      AND x.key_id = ANY (keys)
                RETURNING x.*
        LOOP
            over := over OR s.ends <= now();
            admitted := admitted AND s.free_usd >= 0 AND NOT over;
            budgets := budgets || s.budget_id;
            until := until || s.ends;
        END LOOP;

        IF admitted THEN
            RETURN;
        END IF;

        -- it was too early to say so

        UPDATE {schema}.budget_slots x SET
            free_usd = x.free_usd + usd, reserved_usd = x.reserved_usd - usd
            WHERE x.budget_id = ANY (budgets) AND x.slot = own;

        EXIT WHEN NOT over;

        UPDATE {schema}.budget_slots x SET
            ends = {schema}.prompt_budget_ends(b.per),
            free_usd = {schema}.prompt_budget_share(b.limit_usd, own),
            spent_usd = 0, reserved_usd = 0
            FROM {schema}.budgets b
            WHERE x.budget_id = ANY (budgets) AND x.slot = own
                  AND x.ends <= now() AND b.id = x.budget_id;
    END LOOP;
END
$$;

-- Settles what was reserved, of these budgets in these periods, for what was
-- spent.  Where so much is spent now that it is to be told, and was not yet,
-- and somebody hears of it: which, and how much.
CREATE FUNCTION prompt_budget_settle(budgets uuid[], until timestamptz[],
                                     reserved numeric, spent numeric,
                                     heard boolean)
    RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    own    integer := pg_backend_pid() % 16;
    warns  boolean;
    told   boolean := false;   -- it may have to be
BEGIN
    FOR i IN 1 .. cardinality(budgets) LOOP
        UPDATE {schema}.budget_slots s SET
            free_usd = s.free_usd + reserved - spent,
            spent_usd = s.spent_usd + spent,
            reserved_usd = s.reserved_usd - reserved
            WHERE s.budget_id = budgets[i] AND s.slot = own
                  AND s.ends = until[i]
            RETURNING s.warns INTO warns;

        told := told OR (found AND warns);

        -- a slot that was not used since its period is over; or that of the
        -- budget is, and then it is nowhere to be counted

        CONTINUE WHEN found;

        UPDATE {schema}.budget_slots s SET
            ends = until[i],
            free_usd = {schema}.prompt_budget_share(b.limit_usd, own)
                       + reserved - spent,
            spent_usd = spent, reserved_usd = - reserved
            FROM {schema}.budgets b
            WHERE s.budget_id = budgets[i] AND s.slot = own
                  AND s.ends < until[i] AND b.id = s.budget_id;
    END LOOP;

    IF heard AND told THEN
        RETURN {schema}.prompt_budget_warn(budgets, until);
    END IF;

    RETURN NULL;
END
$$;

-- Which of these budgets are to be told of, once in a period; the audit log has
-- a row of it, of which nobody is the actor.
CREATE FUNCTION prompt_budget_warn(uuid[], timestamptz[], OUT words text)
    LANGUAGE plpgsql AS $$
BEGIN
    WITH told AS (
        UPDATE {schema}.budgets b SET warned_until = h.ends
            FROM unnest($1, $2) h (id, ends) CROSS JOIN LATERAL (
                SELECT sum(s.spent_usd) AS usd FROM {schema}.budget_slots s
                    WHERE s.budget_id = h.id AND s.ends = h.ends) t
            WHERE b.id = h.id AND (b.warned_until >= h.ends) IS NOT TRUE
                  AND t.usd * 100 >= b.limit_usd * b.warn_at_percent
            RETURNING b.*, t.usd),
    noted AS (
        INSERT INTO {schema}.audit (id, project_id, action, subject, subject_id,
                                    detail)
            SELECT (substr({schema}.prompt_id_of(now())::text, 1, 14) || '7'
                    || substr(gen_random_uuid()::text, 16))::uuid,
                   t.project_id, 'budgetWarning', 'Budget', t.id,
                   json_build_object('per', t.per,
                                     'limitUsd', trim_scale(t.limit_usd)::text,
                                     'spentUsd', trim_scale(t.usd)::text,
                                     'keyId', t.key_id,
                                     'warnAtPercent', t.warn_at_percent)
                FROM told t)
    SELECT string_agg(format('project %s%s, %s of %s USD per %s', project_id,
                             ', key ' || key_id, trim_scale(usd),
                             trim_scale(limit_usd), per), '; ')
        INTO words FROM told;
END
$$;

-- The slots of a new budget.
CREATE FUNCTION prompt_budget_slots(budget uuid) RETURNS void LANGUAGE sql
    AS $$
    INSERT INTO {schema}.budget_slots (budget_id, slot, project_id, key_id,
                                       warns, ends, free_usd)
        SELECT b.id, n, b.project_id,
               coalesce(b.run_id, b.key_id,
                        '00000000-0000-0000-0000-000000000000'),
               b.warn_at_percent IS NOT NULL,
               {schema}.prompt_budget_ends(b.per),
               {schema}.prompt_budget_share(b.limit_usd, n)
            FROM {schema}.budgets b, generate_series(0, 15) n
            WHERE b.id = budget
$$;

-- Another limit of a budget: what is spent and reserved stays.
CREATE FUNCTION prompt_budget_change(budget uuid, usd numeric, percent integer)
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    b  {schema}.budgets;
BEGIN
    PERFORM {schema}.prompt_budget_hold(ARRAY[budget]);

    -- whoever had the slots may have changed it

    SELECT * INTO b FROM {schema}.budgets x WHERE x.id = budget;

    UPDATE {schema}.budgets x SET limit_usd = usd, warn_at_percent = percent,
                                  warned_until = NULL
        WHERE x.id = budget;

    -- each slot has its part of what is left: none goes on with more

    UPDATE {schema}.budget_slots s SET
        warns = percent IS NOT NULL,
        free_usd = {schema}.prompt_budget_share(t.free, s.slot)
        FROM (SELECT sum(x.free_usd) + usd - b.limit_usd AS free
                  FROM {schema}.budget_slots x WHERE x.budget_id = budget) t
        WHERE s.budget_id = budget;
END
$$;

-- Makes a budget, whose id is then the one given; or changes the one that there
-- is: what is spent and reserved stays.  Gives its id, NULL where the key is
-- none of the project's.  Members are held, so that no key or session of theirs
-- comes to be in the caches between the look for those and the commit.
CREATE FUNCTION prompt_budget_set(id uuid, project uuid, key uuid, per text,
                                  usd numeric, percent integer) RETURNS uuid
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    b  {schema}.budgets;
BEGIN
    PERFORM FROM {schema}.users u WHERE u.id = ANY (ARRAY(
        SELECT m.user_id FROM {schema}.project_members m
            WHERE m.project_id = project AND m.role > 0))
        ORDER BY u.id FOR NO KEY UPDATE;

    IF key IS NOT NULL
       AND NOT EXISTS (SELECT FROM {schema}.api_keys k
                       WHERE k.id = key AND k.project_id = project
                             AND k.kind = 'key' AND k.deleted_at IS NULL)
    THEN
        RETURN NULL;
    END IF;

    INSERT INTO {schema}.budgets (id, project_id, key_id, per, limit_usd,
                                  warn_at_percent)
        VALUES ($1, project, key, $4, usd, percent)
        ON CONFLICT DO NOTHING;

    IF found THEN
        PERFORM {schema}.prompt_budget_slots($1);
        RETURN $1;
    END IF;

    SELECT * INTO b FROM {schema}.budgets x
        WHERE x.project_id = project AND x.per = $4
              AND x.key_id IS NOT DISTINCT FROM key AND x.run_id IS NULL;

    PERFORM {schema}.prompt_budget_change(b.id, usd, percent);

    RETURN b.id;
END
$$;

-- What executions reserved that are deleted while they run.
CREATE FUNCTION prompt_budget_left() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO {schema}.budget_orphans
        VALUES (old.id, old.reserved_of, old.reserved_until, old.reserved_usd);

    RETURN NULL;
END
$$;

-- The names in the caches of all who act in a project: its keys, and sessions
-- of its members.
CREATE FUNCTION prompt_project_hashes(of_project uuid) RETURNS SETOF bytea
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT h.hash FROM {schema}.project_members m
        CROSS JOIN LATERAL {schema}.prompt_member_hashes(
            of_project, m.user_id) h (hash)
        WHERE m.project_id = of_project
    UNION
    SELECT k.hash FROM {schema}.api_keys k
        WHERE k.user_id = of_project AND k.kind = 'session'
              AND k.expires_at > now() - interval '1 hour'
    UNION
    SELECT k.hash FROM {schema}.api_keys k
        WHERE k.project_id = of_project AND k.kind = 'key'
              AND k.deleted_at IS NULL
$$;
$define$);


-- Prompts

CREATE TABLE prompts (
    id            uuid PRIMARY KEY,
    owner_id      uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    name          text NOT NULL,
    description   text,
    category      text NOT NULL,
    is_public     boolean NOT NULL DEFAULT false,
    -- the number of the latest version, 0 where there is none yet
    last_version  integer NOT NULL DEFAULT 0,
    -- 0: there; hidden are 1: deleted, its rows are on their way out; and 2: a
    -- copy in the making, since updated_at.  Both are done in small steps, so
    -- that their size does not matter to anybody else.
    state         smallint NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL
                  DEFAULT date_trunc('milliseconds', now()),
    updated_at    timestamptz NOT NULL,
    created_by    uuid,
    -- of what its versions have stored
    bytes         bigint NOT NULL DEFAULT 0,

    UNIQUE (owner_id, name),
    -- the way to the list of an owner, and what versions refer to
    UNIQUE (owner_id, id)
) WITH (fillfactor = 90);

-- what is hidden: to leave it out of lists, and to find it for prompt_remove()
CREATE INDEX prompts_hidden_idx ON prompts (owner_id, id) WHERE state <> 0;


-- Datasets: inputs to run versions on, and what is wanted of the outputs
--
-- Items never change.  Whoever adds or removes some holds the dataset's row.

CREATE TABLE datasets (
    id           uuid PRIMARY KEY,
    project_id   uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    name         text NOT NULL,
    description  text,
    checks       json NOT NULL,
    item_count   integer NOT NULL DEFAULT 0,
    -- of description, checks and items
    bytes        bigint NOT NULL DEFAULT 0,
    -- 0: there; 1: deleted, its items are on their way out
    state        smallint NOT NULL DEFAULT 0,
    -- up to which they are gone
    gone_to      uuid,
    created_at   timestamptz NOT NULL
                 DEFAULT date_trunc('milliseconds', now()),
    created_by   uuid
) WITH (fillfactor = 90);

CREATE UNIQUE INDEX datasets_name_key ON datasets (project_id, name)
    WHERE state = 0;
CREATE INDEX datasets_project_idx ON datasets (project_id, id);
CREATE INDEX datasets_hidden_idx ON datasets (id) WHERE state <> 0;

CREATE TABLE dataset_items (
    id            uuid PRIMARY KEY,
    dataset_id    uuid NOT NULL REFERENCES datasets ON DELETE CASCADE,
    input         json NOT NULL,
    expected      json,
    metadata      json,
    -- what it was made of, which may be gone
    execution_id  uuid,
    bytes         integer NOT NULL
);

CREATE INDEX dataset_items_dataset_idx ON dataset_items (dataset_id, id);


-- Quotas: how much a project has, counted exactly
--
-- A project's count is the sum of its slots.  A connection of PostgreSQL counts
-- in a slot of its own, so that no writer waits for another one's commit, and
-- may do so while the slot has room, which was set apart for it: used and room
-- of all slots are never more than the quota.  Where there is no room it is
-- shared out again, by whoever holds all slots (prompt_room()).  A transaction
-- that is rolled back gives back what it took by itself.

CREATE TABLE project_room (
    project_id     uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    slot           integer NOT NULL,     -- pg_backend_pid() & 63
    -- below zero where what goes was counted in another slot
    prompts        bigint NOT NULL DEFAULT 0,
    prompts_room   bigint NOT NULL DEFAULT 0,
    prompts_quota  bigint NOT NULL DEFAULT 0,    -- of which it is a part
    bytes          bigint NOT NULL DEFAULT 0,
    bytes_room     bigint NOT NULL DEFAULT 0,
    bytes_quota    bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, slot)
) WITH (fillfactor = 40);    -- a row stays in its page

CALL prompt_define($define$
-- So much is to be used, of a quota of which slots have parts: whether it fits,
-- what the slot in question gets beside it, and, where the others' parts are
-- needed for that, what each slot has from now on.
CREATE FUNCTION prompt_room_share(need bigint, quota bigint, used bigint,
                                  room bigint, slots integer,
                                  OUT fits boolean, OUT more bigint,
                                  OUT each bigint)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT $3 + $1 <= $2,
           CASE WHEN $2 - $3 - $4 >= $1 THEN ($2 - $3 - $4 - $1) / 8 ELSE 0 END,
           CASE WHEN $2 - $3 - $4 < $1 THEN ($2 - $3 - $1) / ($5 + 1) END
$$;

-- Takes so much for the project: 0, or 11 where that is more prompts than its
-- quota, 12 where it is more bytes.  Holds all slots of the project until the
-- transaction ends.
CREATE FUNCTION prompt_room(of_project uuid, prompts bigint, bytes bigint,
                            most_prompts bigint, most_bytes bigint)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    mine  integer := pg_backend_pid() & 63;
    had   record;
    p     record;
    b     record;
BEGIN
    -- no slot is made meanwhile

    PERFORM FROM {schema}.projects j WHERE j.id = of_project
        FOR NO KEY UPDATE;
    PERFORM FROM {schema}.project_room r WHERE r.project_id = of_project
        ORDER BY r.slot FOR UPDATE;

    SELECT count(*)::integer AS slots, sum(r.prompts)::bigint AS prompts,
           sum(r.prompts_room)::bigint AS prompts_room,
           sum(r.bytes)::bigint AS bytes,
           sum(r.bytes_room)::bigint AS bytes_room
        INTO had FROM {schema}.project_room r WHERE r.project_id = of_project;

    -- the first slot has what is there

    IF had.slots = 0 THEN
        SELECT 0 AS slots, count(*) AS prompts, 0::bigint AS prompts_room,
               coalesce(sum(x.bytes), 0)::bigint AS bytes,
               0::bigint AS bytes_room
            INTO had FROM {schema}.prompts x
            WHERE x.owner_id = of_project AND x.state <> 1;
        had.bytes := had.bytes + (
            SELECT coalesce(sum(d.bytes), 0)::bigint FROM {schema}.datasets d
                WHERE d.project_id = of_project AND d.state = 0);
        INSERT INTO {schema}.project_room (project_id, slot, prompts, bytes)
            VALUES (of_project, mine, had.prompts, had.bytes);
    END IF;

    p := {schema}.prompt_room_share(prompts, most_prompts, had.prompts,
                                    had.prompts_room, had.slots);
    b := {schema}.prompt_room_share(bytes, most_bytes, had.bytes,
                                    had.bytes_room, had.slots);

    IF prompts > 0 AND NOT p.fits THEN
        RETURN 11;
    END IF;

    IF bytes > 0 AND NOT b.fits THEN
        RETURN 12;
    END IF;

    -- what is above its quota, since that is lower now, has no room

    UPDATE {schema}.project_room r
        SET prompts_room = greatest(coalesce(p.each, r.prompts_room), 0),
            bytes_room = greatest(coalesce(b.each, r.bytes_room), 0)
        WHERE r.project_id = of_project
              AND (p.each IS NOT NULL OR b.each IS NOT NULL);

    INSERT INTO {schema}.project_room AS r
        (project_id, slot, prompts, prompts_room, prompts_quota, bytes,
         bytes_room, bytes_quota)
        VALUES (of_project, mine, prompts,
                greatest(p.more + coalesce(p.each, 0), 0), most_prompts, bytes,
                greatest(b.more + coalesce(b.each, 0), 0), most_bytes)
        ON CONFLICT (project_id, slot) DO UPDATE
        SET prompts = r.prompts + excluded.prompts,
            prompts_room = r.prompts_room + greatest(p.more, 0),
            prompts_quota = excluded.prompts_quota,
            bytes = r.bytes + excluded.bytes,
            bytes_room = r.bytes_room + greatest(b.more, 0),
            bytes_quota = excluded.bytes_quota;

    RETURN 0;
END
$$;

-- What was taken and could not be used, since another transaction was faster:
-- the statement is to be done again.
CREATE FUNCTION prompt_room_lost() RETURNS integer
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'another transaction was faster' USING ERRCODE = '40001';
END
$$;

-- How many keys a project has.  Who asks may add one until the transaction ends,
-- and nobody else.
CREATE FUNCTION prompt_room_keys(of_project uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    PERFORM FROM {schema}.projects j WHERE j.id = of_project
        FOR NO KEY UPDATE;

    RETURN (SELECT count(*) FROM {schema}.api_keys k
            WHERE k.project_id = of_project AND k.kind = 'key'
                  AND k.deleted_at IS NULL
                  AND coalesce(k.expires_at, 'infinity') > now());
END
$$;

-- What was answered and shows this is forgotten, wherever it is kept: what was
-- done stays.
CREATE FUNCTION prompt_unkeep(shown uuid) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE {schema}.idempotency_keys SET answer = NULL, shows = '{}'
        WHERE shows @> ARRAY[shown] AND shows <> '{}';
END
$$;

-- So much that a project had is not counted any more.
CREATE FUNCTION prompt_room_less(of_project uuid, less_prompts bigint,
                                 less_bytes bigint)
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    mine  integer := pg_backend_pid() & 63;
BEGIN
    UPDATE {schema}.project_room r
        SET prompts = r.prompts - less_prompts, bytes = r.bytes - less_bytes
        WHERE r.project_id = of_project AND r.slot = mine;

    IF found THEN
        RETURN;
    END IF;

    -- before the first slot nothing is counted yet

    PERFORM FROM {schema}.projects j WHERE j.id = of_project
        FOR NO KEY UPDATE;

    IF found AND EXISTS (SELECT FROM {schema}.project_room r
                         WHERE r.project_id = of_project)
    THEN
        INSERT INTO {schema}.project_room AS r
            (project_id, slot, prompts, bytes)
            VALUES (of_project, mine, - less_prompts, - less_bytes)
            ON CONFLICT (project_id, slot) DO UPDATE
            SET prompts = r.prompts - less_prompts,
                bytes = r.bytes - less_bytes;
    END IF;
END
$$;

-- A prompt that is deleted, or goes to another project, is not counted from
-- then on, however long its rows take to go.
CREATE FUNCTION prompt_room_back() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    PERFORM {schema}.prompt_unkeep(old.id);
    PERFORM {schema}.prompt_room_less(old.owner_id, 1, old.bytes);

    RETURN NULL;
END
$$;

-- The same of a dataset, and of what is taken out of one.
CREATE FUNCTION prompt_dataset_back() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    PERFORM {schema}.prompt_unkeep(old.id);
    PERFORM {schema}.prompt_room_less(old.project_id, 0,
        CASE WHEN TG_OP = 'UPDATE' AND new.state = 0
                  AND new.project_id = old.project_id
             THEN old.bytes - new.bytes ELSE old.bytes END);

    RETURN NULL;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_room(uuid, bigint, bigint, bigint, bigint),
    prompt_room_keys(uuid), prompt_unkeep(uuid),
    prompt_room_less(uuid, bigint, bigint), prompt_room_back(),
    prompt_dataset_back() FROM PUBLIC;

CREATE TRIGGER prompts_back AFTER UPDATE OF state, owner_id ON prompts
    FOR EACH ROW WHEN (old.state <> 1 AND (new.state = 1
                                           OR new.owner_id <> old.owner_id))
    EXECUTE FUNCTION prompt_room_back();

CREATE TRIGGER prompts_go AFTER DELETE ON prompts
    FOR EACH ROW WHEN (old.state <> 1) EXECUTE FUNCTION prompt_room_back();

CREATE TRIGGER datasets_back AFTER UPDATE OF state, bytes, project_id
    ON datasets FOR EACH ROW
    WHEN (old.state = 0 AND (new.state <> 0 OR new.bytes < old.bytes
                             OR new.project_id <> old.project_id))
    EXECUTE FUNCTION prompt_dataset_back();

CREATE TRIGGER datasets_go AFTER DELETE ON datasets
    FOR EACH ROW WHEN (old.state = 0) EXECUTE FUNCTION prompt_dataset_back();


-- Versions
--
-- Immutable.  The owner, who never changes, stands here too: all versions of
-- an owner's prompts are one range of one index.  json, not jsonb: what was
-- sent comes back.

CREATE TABLE prompt_versions (
    id            uuid PRIMARY KEY,
    prompt_id     uuid NOT NULL,
    owner_id      uuid NOT NULL,
    version       integer NOT NULL,
    content       text NOT NULL,
    -- before the content; NULL: none, else
    -- [{"role": "SYSTEM", "content": …} | {"placeholder": …}]
    messages      json,
    params        json NOT NULL,
    input_schema  json,
    output_schema json,
    note          text,
    created_at    timestamptz NOT NULL
                  DEFAULT date_trunc('milliseconds', now()),
    created_by    uuid,

    UNIQUE (prompt_id, version),
    FOREIGN KEY (owner_id, prompt_id) REFERENCES prompts (owner_id, id)
        ON DELETE CASCADE
);

CREATE INDEX prompt_versions_owner_id_idx
    ON prompt_versions (owner_id, prompt_id DESC, version);


-- Labels: names of versions that can be moved
--
-- Whoever moves one holds the prompt's row, so that the moves of a
-- prompt are numbered as they were made, whatever the clocks of hosts say that
-- made their ids.

CREATE TABLE prompt_labels (
    prompt_id         uuid NOT NULL,
    owner_id          uuid NOT NULL,
    label             text COLLATE "C" NOT NULL,
    version           integer NOT NULL,
    set_at            timestamptz NOT NULL,
    set_by            uuid,

    -- Of a split, which names several versions: [{"version", "permille"}, ...],
    -- of which `version` has most; since when it is what somebody set, which a
    -- guard is not; what is taken to be wrong with one.  A subject has the slot
    -- sha256(salt, subject) says, and the slot, a byte, the place of a version.
    -- The salt stays while the label is there.
    split             json,
    split_at          timestamptz,
    guard             json,
    salt              uuid,
    slots             bytea,

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
    moved_by          uuid,
    split             json,                  -- NULL: it names one version
    reason            text,                  -- why a guard moved it, or NULL

    PRIMARY KEY (prompt_id, number),
    FOREIGN KEY (owner_id, prompt_id) REFERENCES prompts (owner_id, id)
        ON DELETE CASCADE
);

-- those that are looked at by the sweeper of guards, and up to which it came
CREATE INDEX prompt_labels_guard_idx ON prompt_labels (prompt_id, label)
    WHERE guard IS NOT NULL;

CREATE TABLE label_guards (
    id         smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    prompt_id  uuid NOT NULL,
    label      text COLLATE "C" NOT NULL,
    begun_at   timestamptz NOT NULL     -- this round
);

INSERT INTO label_guards (prompt_id, label, begun_at)
    VALUES ('00000000-0000-0000-0000-000000000000', '', '-infinity');

-- The slots of a split, `after`, of a label that named `version`, or what
-- `before` says: each stays with its version, unless that has fewer from then
-- on; what is free goes to those that have more, in their order.
CREATE FUNCTION prompt_split_slots(version integer, before json, slots bytea,
                                   after json)
    RETURNS bytea LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    free      integer := 255;
    versions  integer[];    -- of after
    lacks     integer[];    -- how many slots each is still to get
    places    integer[];    -- where in after what is in before stands
    place     integer;
    result    bytea := decode(repeat('ff', 1000), 'hex');
BEGIN
    SELECT array_agg((x.e ->> 'version')::integer ORDER BY x.n),
           array_agg((x.e ->> 'permille')::integer ORDER BY x.n)
        INTO versions, lacks
        FROM json_array_elements(after) WITH ORDINALITY x (e, n);

    IF slots IS NULL THEN
        places := ARRAY[array_position(versions, version)];
    ELSE
        places := ARRAY(
            SELECT array_position(versions, (x.e ->> 'version')::integer)
            FROM json_array_elements(before) WITH ORDINALITY x (e, n)
            ORDER BY x.n);
    END IF;

    FOR i IN 0 .. 999 LOOP
        place := places[1 + CASE WHEN slots IS NULL THEN 0
                            ELSE get_byte(slots, i) END];

        IF lacks[place] > 0 THEN
            lacks[place] := lacks[place] - 1;
            result := set_byte(result, i, place - 1);
        END IF;
    END LOOP;

    place := 1;

    FOR i IN 0 .. 999 LOOP
        CONTINUE WHEN get_byte(result, i) <> free;

        WHILE lacks[place] = 0 LOOP
            place := place + 1;
        END LOOP;

        lacks[place] := lacks[place] - 1;
        result := set_byte(result, i, place - 1);
    END LOOP;

    RETURN result;
END
$$;

REVOKE ALL ON FUNCTION prompt_split_slots(integer, json, bytea, json)
    FROM PUBLIC;


-- Executions, by the month
--
-- A month is a range of ids, and a partition of its own: what is old goes as a
-- whole.  The partitions cover all ids there can be.  The first one,
-- executions_before, has what is older than the second one; the last one,
-- executions_later, is empty but for ids of clocks that are wrong, and months
-- are cut off its beginning before they come.  There is no default partition:
-- with one PostgreSQL could not read the partitions one after the other in the
-- order of the ids.
--
-- The cost is, by the prices of a million tokens that the configuration of that
-- time had for so much input:
--
--     cost_usd = ((token_in - token_cached - token_cache_write) * price_input
--                 + token_cached * price_cached_input
--                 + (token_cache_write - token_cache_write_1h)
--                   * price_cache_write
--                 + token_cache_write_1h * price_cache_write_1h
--                 + token_out * price_output) / 1000000
--
-- where NULL among the tokens is 0, and so is what is NULL for a price that is
-- multiplied by 0.  Read from a cache, and written to one (all of it, and what
-- of it for an hour), are parts of token_in; token_reasoning is one of
-- token_out.  cost_usd is NULL where token_in, token_out or a price is that is
-- needed, and where something else was billed, or counts contradicted.

CREATE TABLE executions (
    id                  uuid PRIMARY KEY,
    prompt_id           uuid NOT NULL,
    -- NULL: a draft, which was not saved.  No foreign key holds it, so that it
    -- holds the prompt's row where a version is held
    version             integer,
    -- the project that paid
    executed_by         uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    -- whether executed_by is the owner of the prompt
    by_owner            boolean NOT NULL,
    -- the owner of the prompt where another ran it, else NULL: most are run by
    -- owners, and cost the index that is for this nothing
    owner_id            uuid,
    -- running, succeeded, failed, cancelled, lost
    status              text NOT NULL,
    -- what it was asked for by; NULL: by no label
    label               text,
    model               text,
    input               json,
    output              text,
    error               text,
    finish_reason       text,
    -- NULL: none; else [{"id": …, "name": …, "arguments": …}]
    tool_calls          json,
    -- what is wrong with the output by the version's output_schema; NULL: it
    -- was not looked at
    output_errors       text[],
    -- calls of providers
    attempts            integer NOT NULL DEFAULT 1,
    latency_ms          integer,
    token_in            integer,
    token_cached        integer,
    token_cache_write   integer,
    token_cache_write_1h  integer,
    token_out           integer,
    token_reasoning     integer,
    price_input         numeric,
    price_cached_input  numeric,
    price_cache_write   numeric,
    price_cache_write_1h  numeric,
    price_output        numeric,
    cost_usd            numeric,
    -- W3C Trace Context: 16 bytes
    trace_id            bytea,
    -- of a failure: the status of the provider's answer, and its words
    provider_status     integer,
    provider_message    text,
    -- on whose behalf, and what else the caller noted; {"name": "text", …}
    subject             text,
    metadata            json,
    -- messages that came with the call, behind the version's own
    appended            json,
    created_at          timestamptz NOT NULL
                        DEFAULT date_trunc('milliseconds', now()),
    -- when the call is over at the latest: what the sweeper looks at
    deadline            timestamptz,
    finished_at         timestamptz,
    -- who asked for it, and by which key; NULL: in a session
    user_id             uuid,
    key_id              uuid,
    -- which it is a cell of, or judges one of
    run_id              uuid,
    -- where budgets stood: the most that it could cost, and what of that counts
    -- as spent, once it is over or lost; of which budgets, and which periods of
    -- these, by their ends
    reserved_usd        numeric,
    spent_usd           numeric,
    reserved_of         uuid[],
    reserved_until      timestamptz[],

    FOREIGN KEY (prompt_id, version)
        REFERENCES prompt_versions (prompt_id, version) ON DELETE CASCADE
) PARTITION BY RANGE (id);

-- No index has a column that the end of an execution sets, nor a condition
-- about one: so its row stays where it began.

-- what the owner of a prompt reads: all executions of a version
CREATE INDEX executions_version_idx
    ON executions (prompt_id, version, id DESC);

-- what anybody else reads: their own, however many others there are
CREATE INDEX executions_guest_idx
    ON executions (executed_by, prompt_id, version, id DESC)
    WHERE NOT by_owner;

-- who deletes a project deletes what it paid for
CREATE INDEX executions_user_idx ON executions (executed_by);

-- what a user ran: of their own prompts, and of others'
CREATE INDEX executions_log_idx
    ON executions (executed_by, by_owner, id DESC);

-- what others ran of an owner's prompts
CREATE INDEX executions_owner_idx ON executions (owner_id, id DESC)
    WHERE owner_id IS NOT NULL;

-- what a user ran for a subject of theirs
CREATE INDEX executions_subject_idx
    ON executions (executed_by, subject, id DESC) WHERE subject IS NOT NULL;

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
               ('prompt_versions', 'input_schema'),
               ('prompt_versions', 'output_schema'), ('executions', 'input'),
               ('executions', 'output'), ('dataset_items', 'input'),
               ('dataset_items', 'expected')
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET COMPRESSION lz4',
                       c.column1, c.column2);
    END LOOP;
END
$do$;

-- A row grows by its output when its execution ends.  Where there is no room
-- left in its page it goes to another one, and so does each of its index
-- entries: so pages keep room for the ends of what began there.  Most dead rows
-- go with the next look at their page; the rest, and freezing, should not pile
-- up until a fifth of a large table is due.  Months get these settings from
-- executions_later.
CREATE TABLE executions_before PARTITION OF executions
    FOR VALUES FROM (MINVALUE) TO (prompt_id_month(now(), 0))
    WITH (fillfactor = 40,
          autovacuum_vacuum_scale_factor = 0.05,
          autovacuum_vacuum_insert_scale_factor = 0.05,
          autovacuum_analyze_scale_factor = 0.05);

CREATE TABLE executions_later PARTITION OF executions
    FOR VALUES FROM (prompt_id_month(now(), 0)) TO (MAXVALUE)
    WITH (fillfactor = 40,
          autovacuum_vacuum_scale_factor = 0.05,
          autovacuum_vacuum_insert_scale_factor = 0.05,
          autovacuum_analyze_scale_factor = 0.05);

CALL prompt_define($define$
-- The partitions of a table in their order.  NULL: no limit.
CREATE FUNCTION prompt_months_parts(of_table text DEFAULT 'executions',
                                    OUT part regclass, OUT low uuid,
                                    OUT high uuid)
    RETURNS SETOF record LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT i.inhrelid::regclass,
           substring(b.bound FROM 'FROM \(''([-0-9a-f]+)''\)')::uuid,
           substring(b.bound FROM 'TO \(''([-0-9a-f]+)''\)')::uuid AS high
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) b (bound)
        WHERE i.inhparent = to_regclass('{literal}.' || of_table)
        ORDER BY high NULLS LAST
$$;

CREATE FUNCTION prompt_months_name(since uuid,
                                   of_table text DEFAULT 'executions')
    RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT $2 || to_char({schema}.prompt_id_time($1) AT TIME ZONE 'UTC',
                         '"_"YYYY_MM')
$$;

-- whether the last one has so many that it is not emptied while others wait
CREATE FUNCTION prompt_months_many(of_table text) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    many  boolean;
BEGIN
    EXECUTE format('SELECT count(*) > 1000 FROM (SELECT FROM %s LIMIT 1001) l',
                   to_regclass('{literal}.' || of_table || '_later'))
        INTO many;

    RETURN many;
END
$$;

CREATE FUNCTION prompt_months_lock(of_table text, part regclass) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    whole  boolean := of_table = 'executions';
BEGIN
    EXECUTE format('LOCK TABLE %sONLY %s, ONLY %s%s IN ACCESS EXCLUSIVE MODE',
                   CASE WHEN whole THEN 'ONLY {literal}.prompt_versions, ' END,
                   to_regclass('{literal}.' || of_table), part,
                   CASE WHEN whole THEN ', ONLY {literal}.projects' END);
END
$$;

-- A table as those that are there: with the options of the last one.
CREATE FUNCTION prompt_months_table(name text,
                                    of_table text DEFAULT 'executions')
    RETURNS regclass
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    parent   pg_class;
    pattern  pg_class;
    made     regclass;
BEGIN
    SELECT * INTO parent FROM pg_class c
        WHERE c.oid = to_regclass('{literal}.' || of_table);
    SELECT c.* INTO pattern FROM {schema}.prompt_months_parts(of_table) p
        JOIN pg_class c ON c.oid = p.part ORDER BY p.high DESC NULLS FIRST
        LIMIT 1;

    EXECUTE format('CREATE TABLE %s.%I (LIKE %s'
                   ' INCLUDING ALL EXCLUDING CONSTRAINTS EXCLUDING INDEXES'
                   ' EXCLUDING STATISTICS)%s TABLESPACE %I',
                   parent.relnamespace::regnamespace, name,
                   parent.oid::regclass,
                   coalesce(' WITH ('
                            || array_to_string(pattern.reloptions, ', ')
                            || ')', ''),
                   coalesce((SELECT t.spcname FROM pg_tablespace t
                             WHERE t.oid = pattern.reltablespace),
                            (SELECT t.spcname FROM pg_database d
                             JOIN pg_tablespace t ON t.oid = d.dattablespace
                             WHERE d.datname = current_database())));
    made := to_regclass(format('%s.%I', parent.relnamespace::regnamespace,
                               name));
    EXECUTE format('ALTER TABLE %s OWNER TO %I', made,
                   pg_get_userbyid(parent.relowner));

    RETURN made;
END
$$;

CREATE FUNCTION prompt_months_attach(part regclass, low uuid, high uuid,
                                     of_table text DEFAULT 'executions')
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s'
                   ' FOR VALUES FROM (%s) TO (%s)',
                   to_regclass('{literal}.' || of_table), part,
                   coalesce(quote_literal(low), 'MINVALUE'),
                   coalesce(quote_literal(high), 'MAXVALUE'));
END
$$;

-- Makes this month and the next two, where there are none: how many were made.
-- What the last table has of them goes into them; where that is much, nothing
-- is done (-1), and promptctl does it in steps.
CREATE FUNCTION prompt_months_ahead(of_table text DEFAULT 'executions')
    RETURNS integer
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    most   integer := 12;
    ends   uuid := {schema}.prompt_id_month(now(), 3);
    later  regclass := to_regclass('{literal}.' || of_table || '_later');
    since  uuid;
    until  uuid;
    part   regclass;
    parts  regclass[] := '{}';
    lows   uuid[] := '{}';
BEGIN
    -- Where the step for which the bound was made did not come, it must be
    -- gone before its time does: it refuses what is later.

    IF (SELECT b.bound FROM {schema}.prompt_months_bound(of_table) b)
       < {schema}.prompt_id_of(now() + interval '1 day')
    THEN
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', later,
                       of_table || '_bound');
    END IF;

    since := (SELECT p.low FROM {schema}.prompt_months_parts(of_table) p
              WHERE p.high IS NULL);

    IF since >= ends THEN
        RETURN 0;
    END IF;

    PERFORM {schema}.prompt_months_lock(of_table, later);

    SELECT p.part, p.low INTO later, since
        FROM {schema}.prompt_months_parts(of_table) p WHERE p.high IS NULL;

    IF {schema}.prompt_months_many(of_table) THEN
        RETURN -1;
    END IF;

    WHILE since < ends AND cardinality(parts) < most LOOP
        until := {schema}.prompt_id_month(
                     {schema}.prompt_id_time(since), 1);
        part := {schema}.prompt_months_table(
                    {schema}.prompt_months_name(since, of_table), of_table);

        EXECUTE format('INSERT INTO %s SELECT * FROM %s'
                       ' WHERE id >= %L AND id < %L', part, later, since,
                       until);

        parts := parts || part;
        lows := lows || since;
        since := until;
    END LOOP;

    part := {schema}.prompt_months_table(of_table || '_rest', of_table);
    EXECUTE format('INSERT INTO %s SELECT * FROM %s WHERE id >= %L', part,
                   later, since);
    EXECUTE format('DROP TABLE %s', later);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', part, of_table || '_later');

    parts := parts || part;
    lows := lows || since;

    FOR i IN 1 .. cardinality(parts) LOOP
        PERFORM {schema}.prompt_months_attach(parts[i], lows[i], lows[i + 1],
                                              of_table);
    END LOOP;

    RETURN cardinality(parts) - 1;
END
$$;

-- Where the last table has grown, it becomes a month: below a bound that a
-- CHECK of it proves, so that it is not read while tables are locked.
CREATE FUNCTION prompt_months_bound(of_table text, OUT bound uuid,
                                    OUT proved boolean)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT substring(pg_get_constraintdef(k.oid)
                     FROM '''([-0-9a-f]+)''::')::uuid, k.convalidated
        FROM pg_constraint k
        WHERE k.conname = of_table || '_bound'
              AND k.conrelid = to_regclass('{literal}.' || of_table
                                           || '_later')
$$;

CREATE FUNCTION prompt_months_divide(bound uuid,
                                     of_table text DEFAULT 'executions')
    RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    since  uuid;
    month  text;
    later  text := of_table || '_later';
    part   regclass := to_regclass('{literal}.' || later);
    i      record;
BEGIN
    PERFORM {schema}.prompt_months_lock(of_table, part);

    since := (SELECT p.low FROM {schema}.prompt_months_parts(of_table) p
              WHERE p.high IS NULL);

    -- done by one that was broken off, but ended after that

    IF since >= bound THEN
        RETURN;
    END IF;

    month := {schema}.prompt_months_name(since, of_table);
    part := to_regclass('{literal}.' || later);

    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s',
                   to_regclass('{literal}.' || of_table), part);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', part, month);

    -- the names of its indexes are for those of the next one

    FOR i IN
        SELECT c.oid::regclass AS index,
               regexp_replace(c.relname, '^[a-z]+_(later_)?', '') AS rest
            FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
            WHERE x.indrelid = part
    LOOP
        EXECUTE format('ALTER INDEX %s RENAME TO %I', i.index,
                       month || '_' || i.rest);
    END LOOP;

    PERFORM {schema}.prompt_months_attach(part, since, bound, of_table);
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', part,
                   of_table || '_bound');
    PERFORM {schema}.prompt_months_attach(
        {schema}.prompt_months_table(later, of_table), bound, NULL, of_table);
END
$$;

-- What promptctl is to do next, and in which words it says so; NULL: nothing.
CREATE FUNCTION prompt_months_step(OUT what text, OUT sql text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    of_table  text;
    rows      text;
    since     uuid;
    last      uuid;
    later     regclass;
    b         record;
BEGIN
    FOREACH of_table IN ARRAY ARRAY['executions', 'audit'] LOOP
        rows := CASE of_table WHEN 'audit' THEN 'audit rows' ELSE of_table END;

        -- who makes months just now, a sweeper say, is waited for

        EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE',
                       to_regclass('{literal}.' || of_table));

        since := (SELECT p.low FROM {schema}.prompt_months_parts(of_table) p
                  WHERE p.high IS NULL);

        IF NOT {schema}.prompt_months_many(of_table) THEN
            IF since < {schema}.prompt_id_month(now(), 3) THEN
                what := format('months of %s are made ahead', rows);
                sql := format('SELECT %s(%L)',
                              '{literal}.prompt_months_ahead', of_table);
                RETURN;
            END IF;

            CONTINUE;
        END IF;

        SELECT * INTO b FROM {schema}.prompt_months_bound(of_table);
        later := to_regclass('{literal}.' || of_table || '_later');

        IF b.bound < {schema}.prompt_id_of(now() + interval '2 days') THEN
            what := 'a bound that is near is taken away';
            sql := format('ALTER TABLE %s DROP CONSTRAINT %I', later,
                          of_table || '_bound');

        ELSIF b.proved THEN
            what := format('the %s that there are become a month', rows);
            sql := format('SELECT %s(%L, %L)',
                          '{literal}.prompt_months_divide', b.bound, of_table);

        ELSIF b.bound IS NOT NULL THEN
            what := format('%s are read, for their bound', rows);
            sql := format('ALTER TABLE %s VALIDATE CONSTRAINT %I', later,
                          of_table || '_bound');

        ELSE
            EXECUTE format('SELECT l.id FROM %s l ORDER BY l.id DESC LIMIT 1',
                           later) INTO last;

            IF last > {schema}.prompt_id_of(now() + interval '32 days') THEN
                RAISE EXCEPTION '% have ids of the time to come, up to %, by a '
                    'clock that was wrong: see "Months" in operating.md',
                    rows, last;
            END IF;

            what := format('%s get a bound', rows);

            -- both ends, since the table has none while it is in no other one

            sql := format('ALTER TABLE %s ADD CONSTRAINT %I'
                          ' CHECK (id < %L AND id >= %L) NOT VALID', later,
                          of_table || '_bound', {schema}.prompt_id_month(
                              greatest(now(), {schema}.prompt_id_time(last))
                              + interval '3 days', 1), since);
        END IF;

        RETURN;
    END LOOP;
END
$$;

-- Takes away the partition below which nothing is left; it is locked.
CREATE FUNCTION prompt_months_drop(part regclass, low uuid, high uuid,
                                   of_table text DEFAULT 'executions')
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    before  text := of_table || '_before';
BEGIN
    IF low IS NULL THEN
        EXECUTE format('TRUNCATE %s', part);
        RETURN;
    END IF;

    EXECUTE format('DROP TABLE %s, %s', part,
                   to_regclass('{literal}.' || before));
    PERFORM {schema}.prompt_months_attach(
        {schema}.prompt_months_table(before, of_table), NULL, high, of_table);
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_months_parts(text),
    prompt_months_name(uuid, text), prompt_months_many(text),
    prompt_months_lock(text, regclass), prompt_months_table(text, text),
    prompt_months_attach(regclass, uuid, uuid, text),
    prompt_months_ahead(text), prompt_months_bound(text),
    prompt_months_divide(uuid, text), prompt_months_step(),
    prompt_months_drop(regclass, uuid, uuid, text) FROM PUBLIC;

SELECT prompt_months_ahead();


-- What is read of months.  Statements that name all of them would each be
-- planned for all, and PostgreSQL keeps such plans as long as the connection:
-- here each is planned once, whoever asks.  So there are few, with one look
-- into executions each.

-- The columns that the service reads, of executions of a version: of whoever
-- ran them, or of a guest.
CREATE FUNCTION prompt_executions_of_version(of_prompt uuid, number integer,
                                             guest uuid, low uuid, high uuid,
                                             most bigint)
    RETURNS TABLE (prompt_id uuid, version integer, id uuid, status text,
                   latency_ms integer, token_in integer, token_cached integer,
                   token_cache_write integer, token_out integer,
                   token_reasoning integer, cost_usd numeric, model text,
                   label text, attempts integer, input json, appended json,
                   output text,
                   error text, finish_reason text, tool_calls json,
                   output_errors text[], trace_id bytea,
                   provider_status integer, provider_message text,
                   subject text, metadata json,
                   finished_at timestamptz, executed_by uuid,
                   user_id uuid, key_id uuid, run_id uuid)
    LANGUAGE plpgsql STABLE ROWS 10
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    IF guest IS NULL THEN
        RETURN QUERY SELECT x.prompt_id, x.version, x.id, x.status,
                x.latency_ms, x.token_in, x.token_cached,
                x.token_cache_write, x.token_out, x.token_reasoning,
                x.cost_usd, x.model, x.label, x.attempts, x.input,
                x.appended, x.output, x.error, x.finish_reason, x.tool_calls, x.output_errors,
                x.trace_id, x.provider_status, x.provider_message, x.subject,
                x.metadata, x.finished_at, x.executed_by, x.user_id,
                x.key_id, x.run_id
            FROM executions x
            WHERE x.prompt_id = of_prompt AND x.version = number
                  AND x.id >= low AND x.id < high
            ORDER BY x.id DESC LIMIT most;
    ELSE
        RETURN QUERY SELECT x.prompt_id, x.version, x.id, x.status,
                x.latency_ms, x.token_in, x.token_cached,
                x.token_cache_write, x.token_out, x.token_reasoning,
                x.cost_usd, x.model, x.label, x.attempts, x.input,
                x.appended, x.output, x.error, x.finish_reason, x.tool_calls, x.output_errors,
                x.trace_id, x.provider_status, x.provider_message, x.subject,
                x.metadata, x.finished_at, x.executed_by, x.user_id,
                x.key_id, x.run_id
            FROM executions x
            WHERE x.executed_by = guest AND NOT x.by_owner
                  AND x.prompt_id = of_prompt AND x.version = number
                  AND x.id >= low AND x.id < high
            ORDER BY x.id DESC LIMIT most;
    END IF;
END
$$;

-- The same of ids, in their order.
CREATE FUNCTION prompt_executions_of_ids(ids uuid[])
    RETURNS TABLE (prompt_id uuid, version integer, id uuid, status text,
                   latency_ms integer, token_in integer, token_cached integer,
                   token_cache_write integer, token_out integer,
                   token_reasoning integer, cost_usd numeric, model text,
                   label text, attempts integer, input json, appended json,
                   output text,
                   error text, finish_reason text, tool_calls json,
                   output_errors text[], trace_id bytea,
                   provider_status integer, provider_message text,
                   subject text, metadata json,
                   finished_at timestamptz, executed_by uuid,
                   user_id uuid, key_id uuid, run_id uuid)
    LANGUAGE plpgsql STABLE ROWS 50
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    r  record := prompt_ids_range(ids);
BEGIN
    RETURN QUERY SELECT x.prompt_id, x.version, x.id, x.status, x.latency_ms,
            x.token_in, x.token_cached, x.token_cache_write, x.token_out,
            x.token_reasoning, x.cost_usd, x.model, x.label, x.attempts,
            x.input, x.appended, x.output, x.error, x.finish_reason,
            x.tool_calls, x.output_errors, x.trace_id, x.provider_status,
            x.provider_message, x.subject, x.metadata, x.finished_at,
            x.executed_by, x.user_id, x.key_id, x.run_id
        FROM unnest(ids) i (id) CROSS JOIN LATERAL (
            SELECT e.* FROM executions e
                WHERE e.id = i.id AND e.id >= r.low AND e.id <= r.high
                OFFSET 0) x;
END
$$;


-- Scores: what people, programs, checks and judges say of executions
--
-- They belong to who paid, and go with the execution: what is deleted by a
-- trigger, of months that went by prompt_log_forget().  No reference: a month
-- could not be dropped then.

CREATE TABLE scores (
    id            uuid PRIMARY KEY,
    execution_id  uuid NOT NULL,
    -- the project that paid
    project_id    uuid NOT NULL,
    name          text COLLATE "C" NOT NULL,
    value         float8 NOT NULL,
    comment       text,
    -- HUMAN, API, CHECK, JUDGE
    source        text NOT NULL,
    -- zeros: a check or judge
    created_by    uuid NOT NULL
) WITH (fillfactor = 90);

CREATE UNIQUE INDEX scores_of_idx ON scores (execution_id, name, created_by);
-- what is found by a score
CREATE INDEX scores_name_idx
    ON scores (project_id, name, execution_id, value);

-- What was answered and shows one goes with it, and with its comment.
CALL prompt_define($define$
CREATE FUNCTION prompt_score_gone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    IF old.id > {schema}.prompt_id_of(now() - interval '2 days') THEN
        PERFORM {schema}.prompt_unkeep(old.id);
    END IF;

    RETURN NULL;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_score_gone() FROM PUBLIC;

CREATE TRIGGER scores_gone AFTER DELETE OR UPDATE OF id, comment ON scores
    FOR EACH ROW WHEN (old.source IN ('HUMAN', 'API'))
    EXECUTE FUNCTION prompt_score_gone();

CREATE FUNCTION prompt_score_json(id uuid, name text, value float8,
                                  comment text, source text, created_by uuid)
    RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT json_build_object('id', $1, 'name', $2, 'value', $3, 'comment', $4,
        'source', $5, 'createdBy',
        nullif($6, '00000000-0000-0000-0000-000000000000'), 'createdAt',
        to_char(prompt_id_time($1) AT TIME ZONE 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- Those of an execution; 0 where they are longer than so many bytes (NULL: any).
CREATE FUNCTION prompt_scores(of_execution uuid, most bigint) RETURNS json
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    list  json;
BEGIN
    SELECT json_agg(prompt_score_json(s.id, s.name, s.value, s.comment,
                                      s.source, s.created_by)
                    ORDER BY s.name, s.id)
        INTO list FROM scores s WHERE s.execution_id = of_execution;

    RETURN CASE WHEN octet_length(list::text) > most THEN json '0'
           ELSE list END;
END
$$;

-- Whether a project has paid for an execution, which stays until the
-- transaction ends: an outcome (src/store/outcome.h).
CREATE FUNCTION prompt_execution_paid(execution uuid, of_project uuid)
    RETURNS integer LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
    AS $$
DECLARE
    x  record;
BEGIN
    SELECT e.executed_by, e.owner_id INTO x FROM executions e
        WHERE e.id = execution FOR KEY SHARE;

    RETURN CASE WHEN x.executed_by = of_project THEN 0
           WHEN x.owner_id = of_project THEN 2 ELSE 1 END;
END
$$;


-- Runs: versions of a prompt on the items of a dataset, a cell for each version,
-- item and repetition
--
-- Cells are numbered, and made with their run, so each is there once.  Who
-- watches a run takes open ones for half a minute, which is renewed, with the
-- id that the execution will have: so what a cell was paid for is found by
-- whoever takes over what another one has left.
--
-- Whoever takes or finishes cells holds the run's row, and cells have the order
-- in which they were finished (seq): who watches reads what is above the last
-- one that was told.  No references of cells: they go in steps, before runs.

CREATE TABLE runs (
    id           uuid PRIMARY KEY,
    dataset_id   uuid NOT NULL REFERENCES datasets,
    prompt_id    uuid NOT NULL,      -- which may be gone
    versions     integer[] NOT NULL,
    repetitions  integer NOT NULL,
    -- 0: goes on while cells are open; 1: cancelled; 2: over its cost
    state        smallint NOT NULL DEFAULT 0,
    concurrency  integer NOT NULL DEFAULT 1,
    total        integer NOT NULL,
    done         integer NOT NULL DEFAULT 0,
    seq          integer NOT NULL DEFAULT 0,
    cost_usd     numeric NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL
                 DEFAULT date_trunc('milliseconds', now()),
    finished_at  timestamptz
) WITH (fillfactor = 50);

CREATE INDEX runs_dataset_idx ON runs (dataset_id, id);

CREATE TABLE run_cells (
    run_id        uuid NOT NULL,
    number        integer NOT NULL,
    item_id       uuid NOT NULL,     -- which may be gone, when it is done
    version       integer NOT NULL,
    repetition    integer NOT NULL,
    -- 0: open; 1: taken, by who watches; 2: done
    state         smallint NOT NULL DEFAULT 0,
    holder        uuid,
    leased_until  timestamptz,
    execution_id  uuid,
    seq           integer,
    failed        boolean NOT NULL DEFAULT false,
    latency_ms    integer,
    cost_usd      numeric,           -- with that of judges
    model         text,
    error         text,              -- where there is no execution

    PRIMARY KEY (run_id, number)
) WITH (fillfactor = 70);

CREATE INDEX run_cells_open_idx ON run_cells (run_id, number) WHERE state = 0;
-- a few: each step looks at all of them, several times
CREATE INDEX run_cells_taken_idx ON run_cells (run_id, number) WHERE state = 1;
CREATE INDEX run_cells_told_idx ON run_cells (run_id, seq)
    WHERE seq IS NOT NULL;

-- The id of a cell has its number: pages are in the order of these.
CREATE FUNCTION prompt_cell_id(run uuid, number integer) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (left(run::text, 24) || lpad(to_hex(number), 12, '0'))::uuid
$$;

-- What is known of the cells of each version that are done.
CREATE FUNCTION prompt_run_arms(run uuid) RETURNS json
    LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_object('version', v.version, 'model', a.model,
            'done', coalesce(a.done, 0), 'failed', coalesce(a.failed, 0),
            'costUsd', trim_scale(coalesce(a.usd, 0))::text,
            'latencyP50Ms', a.middle,
            'scores', coalesce(s.scores, '[]')) ORDER BY v.n)
        FROM runs r CROSS JOIN unnest(r.versions) WITH ORDINALITY v (version, n)
        LEFT JOIN (
            SELECT c.version, count(*) AS done,
                   count(*) FILTER (WHERE c.failed) AS failed,
                   sum(c.cost_usd) AS usd, max(c.model) AS model,
                   percentile_disc(0.5) WITHIN GROUP (ORDER BY c.latency_ms)
                       FILTER (WHERE NOT c.failed) AS middle
                FROM run_cells c
                WHERE c.run_id = run AND c.seq IS NOT NULL
                GROUP BY 1) a ON a.version = v.version
        LEFT JOIN (
            SELECT x.version,
                   json_agg(json_build_object('name', x.name, 'count', x.count,
                                              'mean', x.mean, 'min', x.min,
                                              'max', x.max)
                            ORDER BY x.name) AS scores
                -- that of float8 fails where squares are too great for one
                FROM (SELECT c.version, s.name, count(*),
                             round(avg(s.value::numeric), 300)::float8 AS mean,
                             min(s.value), max(s.value)
                          FROM run_cells c
                          JOIN scores s ON s.execution_id = c.execution_id
                          WHERE c.run_id = run AND c.seq IS NOT NULL
                          GROUP BY 1, 2) x
                GROUP BY 1) s ON s.version = v.version
        WHERE r.id = run
$$;

CALL prompt_define($define$
-- Makes a run with its cells; usd: the most that it may cost, NULL for any.
CREATE FUNCTION prompt_run_make(run uuid, project uuid, dataset uuid,
                                prompt uuid, versions json, repetitions integer,
                                usd numeric)
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    asked  integer[] := ARRAY(SELECT v.value::integer
                              FROM json_array_elements_text(versions)
                                  WITH ORDINALITY v (value, n) ORDER BY v.n);
    made   integer;
BEGIN
    INSERT INTO {schema}.run_cells (run_id, number, item_id, version,
                                    repetition)
        SELECT run, row_number() OVER (ORDER BY i.id, r.n, v.n), i.id,
               v.version, r.n
            FROM {schema}.dataset_items i
            CROSS JOIN generate_series(1, repetitions) r (n)
            CROSS JOIN unnest(asked) WITH ORDINALITY v (version, n)
            WHERE i.dataset_id = dataset;

    GET DIAGNOSTICS made = ROW_COUNT;

    INSERT INTO {schema}.runs (id, dataset_id, prompt_id, versions,
                               repetitions, total, created_at)
        VALUES (run, dataset, prompt, asked, repetitions, made,
                {schema}.prompt_id_time(run));

    IF usd IS NOT NULL THEN
        INSERT INTO {schema}.budgets (id, project_id, run_id, per, limit_usd)
            VALUES (run, project, run, 'TOTAL', usd);

        PERFORM {schema}.prompt_budget_slots(run);
    END IF;
END
$$;

-- What who watches a run does at once: gives back cells, takes others, and
-- hears how the run is.
--
-- me: who watches, with so many cells at a time; over: the budget of the run had
-- no room for one.  back: of cells that it has, {n: number, w: what, f: failed,
-- e: error, m: model, c: costs, l: ms}; w is 0 where it is done, 1 where it is to
-- be open again, 2 where its execution is to be looked at once more, 3 where it
-- is kept.  scored: of those that are done, {n: number, i: id, s: name, v: value, c: comment, k: source}.
-- ids: of executions of cells that it has room for.
--
-- Gives a row for each cell that it has from now on, and one without a number:
-- state, what is the last that was finished, and how many cells all have.  Of a
-- cell that another one left when its execution was over that comes, too.
CREATE FUNCTION prompt_run_step(run uuid, project uuid, me uuid,
                                wanted integer, over boolean, ids uuid[],
                                back json, scored json,
                                OUT number integer, OUT state text,
                                OUT seq integer, OUT taken integer,
                                OUT version integer, OUT input json,
                                OUT expected json, OUT execution_id uuid,
                                OUT status text, OUT output text,
                                OUT cost_usd numeric, OUT latency_ms integer,
                                OUT model text)
    RETURNS SETOF record LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    r      {schema}.runs;
    was    {schema}.runs;
    c      record;
    until  timestamptz := now() + interval '30 seconds';
    gone   integer;
    room   integer;
    bytes  bigint := 0;
    n      integer := 0;
BEGIN
    SELECT x.* INTO r FROM {schema}.runs x
        JOIN {schema}.datasets d ON d.id = x.dataset_id
        WHERE x.id = run AND d.project_id = project AND d.state = 0
        FOR NO KEY UPDATE OF x;

    IF NOT found THEN
        RETURN;
    END IF;

    was := r;

    IF back IS NOT NULL THEN
        WITH g AS (
            SELECT g.n, g.w, g.f, g.e, g.m, g.l, row_number() OVER () AS i,
                   (SELECT sum(v.value::numeric)
                        FROM json_array_elements_text(g.c) v) AS c
                FROM json_to_recordset(back) g (n integer, w integer,
                    f boolean, e text, m text, c json, l integer)
                WHERE g.w < 3),
        u AS (
            UPDATE {schema}.run_cells x SET
                state = (ARRAY[2, 0, 1])[g.w + 1],
                holder = NULL,
                leased_until = CASE g.w WHEN 2 THEN now() END,
                execution_id = CASE WHEN g.w <> 1
                                         AND (g.w = 2 OR g.e IS NULL)
                               THEN x.execution_id END,
                seq = CASE g.w WHEN 0 THEN r.seq + g.i END,
                failed = coalesce(g.f, false), error = g.e, model = g.m,
                latency_ms = g.l,
                cost_usd = CASE WHEN x.cost_usd IS NOT NULL OR g.c IS NOT NULL
                           THEN coalesce(x.cost_usd, 0) + coalesce(g.c, 0) END
                FROM g
                WHERE x.run_id = run AND x.number = g.n AND x.state = 1
                      AND x.holder = me
                RETURNING x.number, x.execution_id, x.seq, g.w, g.c),
        s AS (
            INSERT INTO {schema}.scores (id, execution_id, project_id, name,
                                         value, comment, source, created_by)
                SELECT s.i, u.execution_id, project, s.s, s.v, s.c, s.k,
                       '00000000-0000-0000-0000-000000000000'
                    FROM json_to_recordset(scored) s (n integer, i uuid,
                        s text, v float8, c text, k text)
                    JOIN u ON u.number = s.n AND u.w = 0
                    WHERE u.execution_id IS NOT NULL
                ON CONFLICT DO NOTHING)
        SELECT coalesce(max(u.seq), r.seq), r.done + count(*) FILTER (WHERE u.w = 0),
               r.cost_usd + coalesce(sum(u.c), 0)
            INTO r.seq, r.done, r.cost_usd FROM u;

        UPDATE {schema}.run_cells x SET leased_until = until
            FROM json_to_recordset(back) g (n integer, w integer)
            WHERE g.w = 3 AND x.run_id = run AND x.number = g.n
                  AND x.state = 1 AND x.holder = me;
    END IF;

    -- what others have left: that of which nobody knows what it cost is asked
    -- again

    UPDATE {schema}.run_cells x SET state = 0, holder = NULL,
                                    execution_id = NULL
        WHERE x.run_id = run AND x.state = 1 AND x.number = ANY (ARRAY(
            SELECT y.number FROM {schema}.run_cells y
                LEFT JOIN {schema}.prompt_executions_of_ids(ARRAY(
                    SELECT z.execution_id FROM {schema}.run_cells z
                        WHERE z.run_id = run AND z.state = 1
                              AND z.leased_until <= now())) e
                    ON e.id = y.execution_id
                WHERE y.run_id = run AND y.state = 1
                      AND y.leased_until <= now()
                      AND coalesce(e.status, 'lost')
                          IN ('lost', 'cancelled')));

    -- of a prompt that is gone nothing is to be done any more

    IF NOT EXISTS (SELECT FROM {schema}.prompts p
                   WHERE p.id = r.prompt_id AND p.state = 0
                         AND (p.owner_id = project OR p.is_public))
    THEN
        DELETE FROM {schema}.run_cells x
            WHERE x.ctid = ANY (ARRAY(
                SELECT y.ctid FROM {schema}.run_cells y
                    WHERE y.run_id = run AND y.state = 0
                    ORDER BY y.number LIMIT 2000 FOR UPDATE SKIP LOCKED));

        GET DIAGNOSTICS gone = ROW_COUNT;
        r.total := r.total - gone;
    END IF;

    SELECT count(*) INTO taken FROM {schema}.run_cells x
        WHERE x.run_id = run AND x.state = 1 AND x.leased_until > now();

    r.concurrency := greatest(wanted, CASE WHEN taken > 0 THEN r.concurrency
                                      END);
    r.state := CASE WHEN r.state = 0 AND over AND taken = 0 THEN 2
               ELSE r.state END;
    room := CASE WHEN r.state = 0 AND NOT over
            THEN least(r.concurrency - taken, cardinality(ids)) ELSE 0 END;

    FOR number, version, input, expected, execution_id, status, output,
        cost_usd, latency_ms, model IN
        UPDATE {schema}.run_cells x SET holder = me, leased_until = until
            FROM (SELECT y.number, i.input, i.expected, e.status, e.output,
                         e.cost_usd, e.latency_ms, e.model
                      FROM {schema}.run_cells y
                      JOIN {schema}.prompt_executions_of_ids(ARRAY(
                          SELECT z.execution_id FROM {schema}.run_cells z
                              WHERE z.run_id = run AND z.state = 1
                                    AND z.leased_until <= now())) e
                          ON e.id = y.execution_id AND e.status <> 'running'
                      LEFT JOIN {schema}.dataset_items i ON i.id = y.item_id
                      WHERE y.run_id = run AND y.state = 1
                            AND y.leased_until <= now()
                      ORDER BY y.number LIMIT least(greatest(room, 0), 4)) o
            WHERE x.run_id = run AND x.number = o.number AND x.state = 1
            RETURNING x.number, x.version, o.input, o.expected, x.execution_id,
                      o.status, o.output, o.cost_usd, o.latency_ms, o.model
    LOOP
        room := room - 1;
        taken := taken + 1;
        RETURN NEXT;
    END LOOP;

    status := NULL;
    output := NULL;
    cost_usd := NULL;
    latency_ms := NULL;
    model := NULL;

    FOR c IN
        SELECT o.number, o.version, i.id, i.input, i.expected, i.bytes
            FROM (SELECT x.number, x.version, x.item_id
                      FROM {schema}.run_cells x
                      WHERE x.run_id = run AND x.state = 0
                      ORDER BY x.number LIMIT greatest(room, 0)
                      FOR UPDATE SKIP LOCKED) o
            LEFT JOIN {schema}.dataset_items i ON i.id = o.item_id
            ORDER BY o.number
    LOOP
        IF c.id IS NULL THEN
            DELETE FROM {schema}.run_cells x
                WHERE x.run_id = run AND x.number = c.number;
            r.total := r.total - 1;
            CONTINUE;
        END IF;

        EXIT WHEN n > 0 AND bytes + c.bytes > 4194304;

        n := n + 1;
        bytes := bytes + c.bytes;
        taken := taken + 1;
        number := c.number;
        version := c.version;
        input := c.input;
        expected := c.expected;
        execution_id := ids[n];

        UPDATE {schema}.run_cells x SET state = 1, holder = me,
                                        leased_until = until,
                                        execution_id = ids[n]
            WHERE x.run_id = run AND x.number = c.number;

        RETURN NEXT;
    END LOOP;

    IF r.done >= r.total AND r.finished_at IS NULL THEN
        r.finished_at := date_trunc('milliseconds', now());
    END IF;

    IF r IS DISTINCT FROM was THEN
        UPDATE {schema}.runs x SET
            state = r.state, concurrency = r.concurrency, total = r.total,
            done = r.done, seq = r.seq, cost_usd = r.cost_usd,
            finished_at = r.finished_at
            WHERE x.id = run;
    END IF;

    number := NULL;
    input := NULL;
    expected := NULL;
    seq := r.seq;
    state := CASE WHEN r.done >= r.total THEN 'DONE'
             ELSE (ARRAY['READY', 'CANCELLED', 'OVER_COST'])[r.state + 1] END;

    RETURN NEXT;
END
$$;
$define$);


-- The log: executions by who may read them, newest first
--
-- A sweeper goes over the ids, five minutes behind the present.  All up to its
-- mark is in the lists here and in the sums of statistics, or is one of those
-- that had not ended then and wait; all behind it is read from the rows.  So
-- both are right at any moment, also while the sweeper has years to go over.

CREATE TABLE log_mark (
    id     smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    mark   uuid NOT NULL,
    late   uuid NOT NULL,    -- up to which the sweeper has looked once more
    hours  integer NOT NULL  -- from which on there are sums of hours
);

INSERT INTO log_mark (mark, late, hours)
    VALUES ('00000000-0000-0000-0000-000000000000',
            '00000000-0000-0000-0000-000000000000', 0);

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


-- What is alike in status, model and label, of all that a project may read
-- (prompt_id of zeros, version 0), and of each prompt and version: in key_id,
-- too, what the project paid for (user_id), and what others ran (user_id: the
-- prompt's).  `whole` are those of a prompt that are all of its executions
-- together, whoever owns it by now: what its owner ran, and what others did.
-- The version of drafts is the last number there is, which no version has.  Few, and each has a list of its executions, so that a page of what is rare is
-- found as soon as one of what is not; and sums.  `kind` is a hash of the rest,
-- one that nobody finds another text for: models and labels are users' own.
CREATE TABLE log_kinds (
    kind       bigint PRIMARY KEY,
    user_id    uuid NOT NULL,
    prompt_id  uuid NOT NULL,
    version    integer NOT NULL,
    status     text NOT NULL,
    model      text,
    label      text,
    key_id     uuid,
    whole      boolean NOT NULL
);

CREATE INDEX log_kinds_user_idx ON log_kinds (user_id, prompt_id);
CREATE INDEX log_kinds_whole_idx ON log_kinds (prompt_id) WHERE whole;

CREATE TABLE log_entries (
    kind  bigint NOT NULL,
    id    uuid NOT NULL,
    PRIMARY KEY (kind, id)
);

-- The sums of a kind, of an hour and of its day: of what a project paid for, and
-- of what others ran of a prompt.  Only pruning forgets them: what was spent
-- stays spent, whatever is deleted.
CREATE TABLE statistics (
    kind          bigint NOT NULL,
    token_in      bigint NOT NULL,
    token_out     bigint NOT NULL,
    -- parts of these, as executions have them
    token_cached       bigint NOT NULL,
    token_cache_write  bigint NOT NULL,
    token_reasoning    bigint NOT NULL,
    hour          integer NOT NULL,      -- since 1970, UTC; of a day -1 - hour
    executions    integer NOT NULL,
    cost_unknown  integer NOT NULL,
    cost_usd      numeric NOT NULL,
    -- how many took how long, as prompt_latency() has it
    latency       bigint[] NOT NULL,
    PRIMARY KEY (kind, hour)
) WITH (fillfactor = 90);

-- the oldest first
CREATE INDEX statistics_hour_idx ON statistics (hour) WHERE hour >= 0;

CREATE FUNCTION prompt_log_kind(user_id uuid, prompt_id uuid, version integer,
                                status text, model text, label text)
    RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ('x' || encode(substr(sha256(replace(
        $1::text || $2::text || $3::text || $4
        || coalesce('=' || length($5) || '/' || $5, '-')
        || coalesce('=' || $6, '-'), '\', '\\')::bytea), 1, 8), 'hex'))
        ::bit(64)::bigint
$$;

CALL prompt_define($define$
-- The lists that an execution is in: of which project, prompt, version and key,
-- and whether it counts there.  The owner of the prompt who did not pay has it
-- in their list of all, and not in the sums of that; the prompt has it in both.
-- A key is of one project; of a guest's kinds the version is below zero there.
CREATE FUNCTION prompt_log_lists(prompt_id uuid, version integer,
                                 executed_by uuid, owner_id uuid, status text,
                                 model text, label text, key_id uuid)
    RETURNS TABLE (kind bigint, user_id uuid, of_prompt uuid, number integer,
                   of_key uuid, whole boolean, counts boolean)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT {schema}.prompt_log_kind(
               CASE WHEN l.version = 0 THEN u.id
                    WHEN u.pays THEN coalesce($8, $3) ELSE $1 END, l.id,
               CASE WHEN u.pays AND $4 <> $3 THEN - l.version
                    ELSE l.version END, $5, $6, $7),
           CASE WHEN u.pays OR l.version = 0 THEN u.id ELSE $1 END, l.id,
           l.version, CASE WHEN u.pays AND l.version > 0 THEN $8 END,
           l.version > 0 AND (u.pays AND $4 <> $3) IS NOT TRUE,
           u.pays OR l.version > 0
        FROM (VALUES ($3, true), (nullif($4, $3), false)) u (id, pays)
        CROSS JOIN (
            VALUES ('00000000-0000-0000-0000-000000000000'::uuid, 0),
                   ($1, coalesce($2, 2147483647))) l (id, version)
        WHERE u.id IS NOT NULL
$$;

-- Those above an id and up to another, and whether they are in the sums: then
-- they are in the list of their kind.
CREATE FUNCTION prompt_log_counted(low uuid, high uuid, OUT id uuid,
                                   OUT owner_id uuid, OUT executed_by uuid,
                                   OUT counted boolean)
    RETURNS SETOF record LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT x.id, coalesce(x.owner_id, x.executed_by), x.executed_by,
           EXISTS (SELECT FROM {schema}.log_entries e
                   WHERE e.id = x.id AND e.kind = {schema}.prompt_log_kind(
                       x.executed_by, '00000000-0000-0000-0000-000000000000',
                       0, x.status, x.model, x.label))
        FROM {schema}.executions x WHERE x.id > $1 AND x.id <= $2
$$;

-- What comes late waits: a row that is below the mark already.
CREATE FUNCTION prompt_log_came() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    low  uuid;
BEGIN
    SELECT m.mark INTO low FROM {schema}.log_mark m FOR SHARE;

    IF new.id <= low THEN
        INSERT INTO {schema}.log_waiting (id, owner_id, executed_by, look)
            VALUES (new.id, coalesce(new.owner_id, new.executed_by),
                    new.executed_by, now())
            ON CONFLICT DO NOTHING;
    END IF;

    RETURN NULL;
END
$$;

-- Adds what is about to go and is in no list, and so in no sum yet: what has
-- ended, and what has not where it goes at once, since until then it may end.  A
-- sweep that is at it just now is waited for, and no other begins before the end.
CREATE FUNCTION prompt_log_settle(ids uuid[], at_once boolean DEFAULT false)
    RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    r     record := {schema}.prompt_ids_range(ids);
    rest  uuid[] := ids;
BEGIN
    FOR look IN 1 .. 2 LOOP
        rest := ARRAY(
            SELECT x.id FROM {schema}.executions x
                WHERE x.id = ANY (rest) AND x.id >= r.low AND x.id <= r.high
                      AND (at_once OR x.status NOT IN ('running', 'lost'))
                      AND NOT EXISTS (
                          SELECT FROM {schema}.log_entries e
                              WHERE e.id = x.id
                                    AND e.kind = {schema}.prompt_log_kind(
                                        x.executed_by,
                                        '00000000-0000-0000-0000-000000000000',
                                        0, x.status, x.model, x.label)));

        IF cardinality(rest) = 0 THEN
            RETURN;
        END IF;

        PERFORM FROM {schema}.log_mark m FOR UPDATE;
    END LOOP;

    PERFORM {schema}.prompt_log_add(rest);
    DELETE FROM {schema}.log_waiting w WHERE w.id = ANY (rest);
END
$$;

-- What goes leaves the lists, whoever deletes it.
CREATE FUNCTION prompt_log_goes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
BEGIN
    FOR look IN 1 .. 2 LOOP
        DELETE FROM {schema}.log_entries e
            USING {schema}.prompt_log_lists(
                old.prompt_id, old.version, old.executed_by, old.owner_id,
                old.status, old.model, old.label, old.key_id) l
            WHERE e.kind = l.kind AND e.id = old.id;

        EXIT WHEN found;

        PERFORM {schema}.prompt_log_settle(ARRAY[old.id], true);
    END LOOP;

    DELETE FROM {schema}.scores s WHERE s.execution_id = old.id;

    IF old.id > {schema}.prompt_id_of(now() - interval '2 days') THEN
        PERFORM {schema}.prompt_unkeep(old.id);
    END IF;

    RETURN old;
END
$$;

-- A project's lists and sums go at the end, behind all that goes by foreign keys.
CREATE FUNCTION prompt_log_left() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
BEGIN
    WITH k AS (
        DELETE FROM {schema}.log_kinds k WHERE k.user_id = old.id
            RETURNING k.kind),
    e AS (
        DELETE FROM {schema}.log_entries e USING k WHERE e.kind = k.kind)
    DELETE FROM {schema}.statistics s USING k WHERE s.kind = k.kind;

    RETURN NULL;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_log_counted(uuid, uuid), prompt_log_came(),
    prompt_log_settle(uuid[], boolean), prompt_log_goes(), prompt_log_left()
    FROM PUBLIC;

-- A start in time costs no more than this look.
CREATE TRIGGER executions_came AFTER INSERT ON executions FOR EACH ROW
    WHEN (new.status <> 'running' OR new.deadline IS NULL
          OR (new.created_at >= CURRENT_TIMESTAMP - interval '4 minutes')
             IS NOT TRUE)
    EXECUTE FUNCTION prompt_log_came();

CREATE TRIGGER executions_go BEFORE DELETE ON executions FOR EACH ROW
    EXECUTE FUNCTION prompt_log_goes();

CREATE TRIGGER executions_left AFTER DELETE ON executions FOR EACH ROW
    WHEN (old.status = 'running' AND old.reserved_usd IS NOT NULL)
    EXECUTE FUNCTION prompt_budget_left();

CREATE CONSTRAINT TRIGGER projects_left AFTER DELETE ON projects
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    EXECUTE FUNCTION prompt_log_left();

-- Ids that a user may read, of what is behind the mark of the log and of what
-- waits; or, unless `behind`, of all.  By indexes: what the user ran of own
-- prompts and of others', and what others ran of the user's.  So many of each
-- at most, in any order.
CREATE FUNCTION prompt_log_new(caller uuid, low uuid, high uuid, most bigint,
                               statuses text[], of_model text, of_label text,
                               of_prompt uuid, number integer, behind boolean)
    RETURNS uuid[] LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    above  uuid := '00000000-0000-0000-0000-000000000000';
    own    boolean;
    ids    uuid[] := '{}';
BEGIN
    IF behind THEN
        above := (SELECT m.mark FROM log_mark m);
    END IF;

    FOREACH own IN ARRAY ARRAY[true, false] LOOP
        ids := ids || ARRAY(
            SELECT x.id FROM executions x
                WHERE x.executed_by = caller AND x.by_owner = own
                      AND x.id >= low AND x.id < high AND x.id > above
                      AND (cardinality(statuses) = 0
                           OR x.status = ANY (statuses))
                      AND (of_model IS NULL OR x.model = of_model)
                      AND (of_label IS NULL OR x.label = of_label)
                      AND (of_prompt IS NULL OR x.prompt_id = of_prompt)
                      AND (number IS NULL OR coalesce(x.version, 0) = number)
                      AND (SELECT p.state = 0 FROM prompts p
                           WHERE p.id = x.prompt_id)
                ORDER BY x.id DESC LIMIT most);
    END LOOP;

    ids := ids || ARRAY(
        SELECT x.id FROM executions x
            WHERE x.owner_id = caller AND NOT x.by_owner
                  AND x.id >= low AND x.id < high AND x.id > above
                  AND (cardinality(statuses) = 0 OR x.status = ANY (statuses))
                  AND (of_model IS NULL OR x.model = of_model)
                  AND (of_label IS NULL OR x.label = of_label)
                  AND (of_prompt IS NULL OR x.prompt_id = of_prompt)
                  AND (number IS NULL OR coalesce(x.version, 0) = number)
                  AND (SELECT p.state = 0 AND p.owner_id = caller
                       FROM prompts p WHERE p.id = x.prompt_id)
            ORDER BY x.id DESC LIMIT most);

    IF NOT behind THEN
        RETURN ids;
    END IF;

    RETURN ids || ARRAY(
        SELECT x.id FROM (
            SELECT w.id FROM log_waiting w WHERE w.owner_id = caller
            UNION ALL
            SELECT w.id FROM log_waiting w
                WHERE w.executed_by = caller AND w.executed_by <> w.owner_id)
                w
            CROSS JOIN LATERAL (
                SELECT e.* FROM executions e
                    WHERE e.id = w.id AND e.id >= low AND e.id < high
                    OFFSET 0) x
            WHERE w.id >= low AND w.id < high
                  AND (cardinality(statuses) = 0 OR x.status = ANY (statuses))
                  AND (of_model IS NULL OR x.model = of_model)
                  AND (of_label IS NULL OR x.label = of_label)
                  AND (of_prompt IS NULL OR x.prompt_id = of_prompt)
                  AND (number IS NULL OR coalesce(x.version, 0) = number)
                  AND (SELECT p.state = 0 AND caller IN (x.executed_by,
                                                         p.owner_id)
                       FROM prompts p WHERE p.id = x.prompt_id)
            ORDER BY w.id DESC LIMIT most);
END
$$;

-- What was noted by a user, of prompts of their own or of others', a number for
-- each member: found by an index that no other notes are in the way of.
CALL prompt_define($define$
CREATE FUNCTION prompt_log_marks(user_id uuid, by_owner boolean, metadata json)
    RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT array_agg({schema}.prompt_log_kind(
        $1, '00000000-0000-0000-0000-000000000000', -1 - $2::integer,
        'metadata', m.key, m.value)) FROM json_each_text($3) m
$$;
$define$);

CREATE INDEX executions_metadata_idx
    ON executions USING gin (prompt_log_marks(executed_by, by_owner, metadata))
    WHERE metadata IS NOT NULL;

CREATE FUNCTION prompt_log_is(status text, model text, label text,
                              prompt_id uuid, version integer,
                              statuses text[], of_model text, of_label text,
                              of_prompt uuid, number integer)
    RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (cardinality($6) = 0 OR $1 = ANY ($6))
           AND ($7 IS NULL OR $2 = $7) AND ($8 IS NULL OR $3 = $8)
           AND ($9 IS NULL OR $4 = $9)
           AND ($10 IS NULL OR coalesce($5, 0) = $10)
$$;

-- Ids of what the caller ran for a subject, or with what is noted, or has a
-- score: nobody may ask for others' notes.  Those of a subject are in order by an index.  What is
-- noted often is found among the next ones of own prompts, twenty for each that
-- is asked for and a thousand at least; all else by the index of marks, some
-- months after the others.  So many at most, in any order.  Where too many of
-- what is noted are not what else is asked for, that is an error: PN001.
-- What goes over ids is planned for these: for any others PostgreSQL might go
-- over all of a month.
CREATE FUNCTION prompt_log_noted(caller uuid, low uuid, high uuid, most bigint,
                                 statuses text[], of_model text, of_label text,
                                 of_prompt uuid, number integer,
                                 of_subject text, of_metadata json,
                                 of_score text, least_value float8,
                                 most_value float8)
    RETURNS uuid[] LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    noted  jsonb := of_metadata;
    mine   uuid;                -- from here on own ones are known
    since  uuid;
    month  integer;
    own    boolean;
    found  uuid[];
    ids    uuid[] := '{}';
    many   bigint := 0;
    reach  integer := least(20000, greatest(1000, 20 * most));
BEGIN
    -- A bounded look at the scores of that name, some after the others, in
    -- the order of the only index that may be used.

    IF of_score IS NOT NULL THEN
        since := (SELECT s.execution_id FROM scores s
                  WHERE (s.project_id, s.name, s.execution_id)
                        >= (caller, of_score, low)
                        AND (s.project_id, s.name, s.execution_id)
                            < (caller, of_score, high)
                  ORDER BY s.project_id DESC, s.name DESC, s.execution_id DESC
                  OFFSET 20000 LIMIT 1);

        LOOP
            found := ARRAY(
                SELECT s.execution_id FROM scores s
                    WHERE (s.project_id, s.name, s.execution_id)
                          >= (caller, of_score, greatest(low, since))
                          AND (s.project_id, s.name, s.execution_id)
                              < (caller, of_score, high)
                          AND (least_value IS NULL OR s.value >= least_value)
                          AND (most_value IS NULL OR s.value <= most_value)
                    GROUP BY s.project_id, s.name, s.execution_id
                    ORDER BY s.project_id DESC, s.name DESC,
                             s.execution_id DESC LIMIT 1000);

            ids := ids || ARRAY(
                SELECT x.id FROM prompt_executions_of_ids(found) x
                    WHERE x.executed_by = caller
                          AND (of_subject IS NULL OR x.subject = of_subject)
                          AND (noted IS NULL OR x.metadata::jsonb @> noted)
                          AND prompt_log_is(x.status, x.model, x.label,
                                            x.prompt_id, x.version, statuses,
                                            of_model, of_label, of_prompt,
                                            number)
                          AND (SELECT p.state = 0 FROM prompts p
                               WHERE p.id = x.prompt_id));

            EXIT WHEN cardinality(found) < 1000 OR cardinality(ids) >= most;
            high := found[1000];
        END LOOP;

        IF since IS NOT NULL AND cardinality(ids) < most THEN
            RAISE EXCEPTION 'too many to look through'
                USING ERRCODE = 'PN001';
        END IF;

        RETURN ids;
    END IF;

    IF of_subject IS NOT NULL THEN

        -- where not all of them are asked for, a bounded look

        IF noted IS NOT NULL OR cardinality(statuses) > 0
           OR of_model IS NOT NULL OR of_label IS NOT NULL
           OR of_prompt IS NOT NULL
        THEN
            since := (SELECT x.id FROM executions x
                      WHERE x.executed_by = caller AND x.subject = of_subject
                            AND x.id >= low AND x.id < high
                      ORDER BY x.id DESC OFFSET 20000 LIMIT 1);
        END IF;

        ids := ARRAY(
            SELECT x.id FROM executions x
                WHERE x.executed_by = caller AND x.subject = of_subject
                      AND x.id >= greatest(low, since) AND x.id < high
                      AND (noted IS NULL OR x.metadata::jsonb @> noted)
                      AND prompt_log_is(x.status, x.model, x.label, x.prompt_id,
                                        x.version, statuses, of_model,
                                        of_label, of_prompt, number)
                      AND (SELECT p.state = 0 FROM prompts p
                           WHERE p.id = x.prompt_id)
                ORDER BY x.id DESC LIMIT most);

        IF since IS NOT NULL AND cardinality(ids) < most THEN
            RAISE EXCEPTION 'too many to look through'
                USING ERRCODE = 'PN001';
        END IF;

        RETURN ids;
    END IF;

    EXECUTE 'SELECT ARRAY(SELECT x.id FROM executions x'
        ' WHERE x.executed_by = $1 AND x.by_owner AND x.id >= $2 AND x.id < $3'
        ' ORDER BY x.id DESC LIMIT $4)'
        INTO found USING caller, low, high, reach;

    mine := coalesce(found[reach], low);
    ids := ARRAY(
        SELECT x.id FROM prompt_executions_of_ids(found) x
            WHERE x.metadata::jsonb @> noted
                  AND prompt_log_is(x.status, x.model, x.label, x.prompt_id,
                                    x.version, statuses, of_model, of_label,
                                    of_prompt, number)
                  AND (SELECT p.state = 0 FROM prompts p
                       WHERE p.id = x.prompt_id)
            ORDER BY x.id DESC LIMIT most);

    IF cardinality(ids) >= most THEN
        mine := low;
    END IF;

    FOREACH month IN ARRAY ARRAY[0, 1, 3, 7, 15, 31, NULL] LOOP
        since := greatest(low, prompt_id_month(now(), -month));

        FOREACH own IN ARRAY ARRAY[true, false] LOOP
            CONTINUE WHEN since >= high OR (own AND since >= mine);

            EXECUTE 'WITH w AS MATERIALIZED ('
                'SELECT x.id, prompt_log_is(x.status, x.model, x.label,'
                ' x.prompt_id, x.version, $4, $5, $6, $7, $8)'
                ' AND (SELECT p.state = 0 FROM prompts p'
                ' WHERE p.id = x.prompt_id) AS shown'
                ' FROM (SELECT e.* FROM executions e'
                ' WHERE prompt_log_marks(e.executed_by, e.by_owner,'
                ' e.metadata) @> $1 AND e.metadata IS NOT NULL'
                ' AND e.id >= $2 AND e.id < $3 LIMIT 10001) x)'
                'SELECT ARRAY(SELECT w.id FROM w WHERE w.shown'
                ' ORDER BY w.id DESC LIMIT $9), (SELECT count(*) FROM w)'
                INTO found, many
                USING prompt_log_marks(caller, own, of_metadata), since,
                      CASE WHEN own THEN least(high, mine) ELSE high END,
                      statuses, of_model, of_label, of_prompt, number, most;
            ids := ids || found;

            IF many > 10000 THEN
                RAISE EXCEPTION 'too many to look through'
                    USING ERRCODE = 'PN001';
            END IF;
        END LOOP;

        EXIT WHEN (SELECT count(*) FROM unnest(ids) i WHERE i >= since)
                  >= most;
        high := least(high, since);
    END LOOP;

    RETURN ids;
END
$$;

-- A page of the log: ids descending.  What is only known when an execution ends
-- and stands in no list, costs and times, is looked for among the newest 20,000
-- of what else is asked for.  Where it may be behind these, that is PN001.
CREATE FUNCTION prompt_log_page(caller uuid, low uuid, high uuid, most bigint,
                                statuses text[], of_model text, of_label text,
                                of_prompt uuid, number integer,
                                of_subject text, of_metadata json,
                                of_score text, least_value float8,
                                most_value float8,
                                min_usd numeric DEFAULT NULL,
                                max_usd numeric DEFAULT NULL,
                                min_ms integer DEFAULT NULL,
                                max_ms integer DEFAULT NULL)
    RETURNS uuid[] LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    kinds  boolean := cardinality(statuses) > 0 OR of_model IS NOT NULL
                      OR of_label IS NOT NULL;
    guest  uuid;
    ids    uuid[];
    fit    uuid[] := '{}';
    reach  bigint;             -- at once: what is noted is found as a whole
    rest   bigint := 20000;
BEGIN
    IF num_nonnulls(min_usd, max_usd, min_ms, max_ms) > 0 THEN
        reach := CASE WHEN of_subject IS NULL AND of_metadata IS NULL
                           AND of_score IS NULL
                 THEN 1000 ELSE rest END;

        LOOP
            ids := prompt_log_page(caller, low, high, reach, statuses,
                                   of_model, of_label, of_prompt, number,
                                   of_subject, of_metadata, of_score,
                                   least_value, most_value);
            fit := fit || ARRAY(
                SELECT x.id FROM prompt_executions_of_ids(ids) x
                    WHERE (min_usd IS NULL OR x.cost_usd >= min_usd)
                          AND (max_usd IS NULL OR x.cost_usd <= max_usd)
                          AND (min_ms IS NULL OR x.latency_ms >= min_ms)
                          AND (max_ms IS NULL OR x.latency_ms <= max_ms)
                    ORDER BY x.id DESC LIMIT most);
            rest := rest - reach;

            IF cardinality(fit) >= most OR cardinality(ids) < reach THEN
                RETURN fit[:most];
            ELSIF rest <= 0 THEN
                RAISE EXCEPTION 'too many to look through'
                    USING ERRCODE = 'PN001';
            END IF;

            high := ids[reach];
        END LOOP;
    END IF;

    IF of_prompt IS NOT NULL THEN
        SELECT nullif(caller, p.owner_id) INTO guest FROM prompts p
            WHERE p.id = of_prompt AND p.state = 0
                  AND (p.owner_id = caller OR p.is_public);

        IF NOT found THEN
            RETURN '{}';
        END IF;
    END IF;

    -- of a prompt: a look for each version, and one for drafts, into an index
    -- that ends in the id.  That NULL is one value PostgreSQL does not see, and
    -- would go over all ids to have them in order

    IF of_prompt IS NOT NULL AND NOT kinds AND of_subject IS NULL
       AND of_metadata IS NULL AND of_score IS NULL THEN
        IF number > 0 THEN
            ids := '{}';
        ELSIF guest IS NULL THEN
            ids := ARRAY(SELECT x.id FROM executions x
                         WHERE x.prompt_id = of_prompt AND x.version IS NULL
                               AND x.id >= low AND x.id < high
                         ORDER BY x.version, x.id DESC LIMIT most);
        ELSE
            ids := ARRAY(SELECT x.id FROM executions x
                         WHERE x.executed_by = guest AND NOT x.by_owner
                               AND x.prompt_id = of_prompt
                               AND x.version IS NULL
                               AND x.id >= low AND x.id < high
                         ORDER BY x.version, x.id DESC LIMIT most);
        END IF;

        RETURN ARRAY(
            SELECT x.id FROM prompt_versions v
                CROSS JOIN LATERAL prompt_executions_of_version(
                    v.prompt_id, v.version, guest, low, high, most) x
                WHERE v.prompt_id = of_prompt
                      AND (number IS NULL OR v.version = number)
            UNION ALL SELECT unnest(ids)
            ORDER BY id DESC LIMIT most);
    END IF;

    IF of_subject IS NOT NULL OR of_metadata IS NOT NULL
       OR of_score IS NOT NULL THEN
        kinds := false;
        ids := prompt_log_noted(caller, low, high, most, statuses, of_model,
                                of_label, of_prompt, number, of_subject,
                                of_metadata, of_score, least_value,
                                most_value);
    ELSE
        ids := prompt_log_new(caller, low, high, most, statuses, of_model,
                              of_label, of_prompt, number, kinds);
    END IF;

    -- what is in lists already: those of kinds that match are merged

    IF kinds THEN
        ids := ids || ARRAY(
            SELECT e.id FROM (
                SELECT o.* FROM log_kinds o
                    WHERE o.user_id = caller AND o.prompt_id
                          = coalesce(of_prompt,
                                     '00000000-0000-0000-0000-000000000000')
                          AND (of_prompt IS NULL OR guest IS NOT NULL)
                UNION ALL
                SELECT o.* FROM log_kinds o
                    WHERE o.prompt_id = of_prompt AND o.whole
                          AND guest IS NULL) k
            CROSS JOIN LATERAL (
                SELECT l.id FROM log_entries l CROSS JOIN LATERAL (
                    SELECT x.* FROM executions x
                        WHERE x.id = l.id AND x.id >= low AND x.id < high
                              AND (SELECT p.state = 0
                                          AND caller IN (x.executed_by,
                                                         p.owner_id)
                                   FROM prompts p WHERE p.id = x.prompt_id)
                        OFFSET 0) x
                    WHERE l.kind = k.kind AND l.id >= low AND l.id < high
                    ORDER BY l.id DESC LIMIT most) e
                WHERE (cardinality(statuses) = 0
                       OR k.status = ANY (statuses))
                      AND (of_model IS NULL OR k.model = of_model)
                      AND (of_label IS NULL OR k.label = of_label)
                      AND (number IS NULL
                           OR k.version = coalesce(nullif(number, 0),
                                                   2147483647))
                ORDER BY e.id DESC LIMIT most);
    END IF;

    RETURN ARRAY(SELECT i FROM unnest(ids) i ORDER BY i DESC LIMIT most);
END
$$;


-- Sums

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

-- hours from 1970 to the time of an id
CREATE FUNCTION prompt_id_hour(uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (('x' || left(replace($1::text, '-', ''), 12))::bit(48)::bigint
            / 3600000)::integer
$$;

-- What is in lists of a user and in no sum yet: behind the mark, and what waits.
CREATE FUNCTION prompt_statistics_new(caller uuid, low uuid, high uuid)
    RETURNS SETOF executions LANGUAGE plpgsql STABLE ROWS 100
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    above  uuid := (SELECT m.mark FROM log_mark m);
    own    boolean;
BEGIN
    FOREACH own IN ARRAY ARRAY[true, false] LOOP
        RETURN QUERY SELECT x.* FROM executions x
            WHERE x.executed_by = caller AND x.by_owner = own
                  AND x.id >= low AND x.id < high AND x.id > above;
    END LOOP;

    RETURN QUERY SELECT x.* FROM executions x
        WHERE x.owner_id = caller AND NOT x.by_owner
              AND x.id >= low AND x.id < high AND x.id > above;

    RETURN QUERY SELECT x.* FROM (
        SELECT w.id FROM log_waiting w WHERE w.owner_id = caller
        UNION ALL
        SELECT w.id FROM log_waiting w
            WHERE w.executed_by = caller AND w.executed_by <> w.owner_id) w
        CROSS JOIN LATERAL (
            SELECT e.* FROM executions e
                WHERE e.id = w.id AND e.id >= low AND e.id < high OFFSET 0) x
        WHERE w.id >= low AND w.id < high;
END
$$;

CALL prompt_define($define$
-- Adds executions to lists and sums: of whoever paid for them and, where that
-- is not its owner, of the prompt; or (others) to all but the list of all of
-- who paid.  Or takes them out of these again, unless they were forgotten: sign
-- is 1 or -1.
CREATE FUNCTION prompt_log_add(ids uuid[], sign integer DEFAULT 1,
                               others boolean DEFAULT false)
    RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    low    uuid;
    high   uuid;
    since  integer := (SELECT m.hours FROM {schema}.log_mark m);
BEGIN
    SELECT r.low, r.high INTO low, high FROM {schema}.prompt_ids_range(ids) r;

    WITH x AS MATERIALIZED (
        SELECT l.*, x.id, x.status, x.model, x.label, x.token_in, x.token_out,
               x.token_cached, x.token_cache_write, x.token_reasoning,
               x.cost_usd, x.latency_ms, {schema}.prompt_id_hour(x.id) AS hour
            FROM {schema}.executions x
            CROSS JOIN LATERAL {schema}.prompt_log_lists(
                x.prompt_id, x.version, x.executed_by, x.owner_id, x.status,
                x.model, x.label, x.key_id) l
            WHERE x.id = ANY (ids) AND x.id >= low AND x.id <= high
                  AND (NOT others OR l.user_id <> x.executed_by
                       OR l.number > 0)),
    kinds AS (
        INSERT INTO {schema}.log_kinds
            SELECT DISTINCT x.kind, x.user_id, x.of_prompt, x.number,
                            x.status, x.model, x.label, x.of_key, x.whole
                FROM x
            WHERE sign > 0 ON CONFLICT DO NOTHING),
    more AS (
        INSERT INTO {schema}.log_entries (kind, id)
            SELECT x.kind, x.id FROM x WHERE sign > 0 ON CONFLICT DO NOTHING),
    less AS (
        DELETE FROM {schema}.log_entries e USING x
            WHERE sign < 0 AND e.kind = x.kind AND e.id = x.id)
    INSERT INTO {schema}.statistics AS s (kind, hour, executions, token_in,
        token_out, token_cached, token_cache_write, token_reasoning, cost_usd,
        cost_unknown, latency)
        SELECT x.kind, h.hour, count(*) * sign,
               coalesce(sum(x.token_in), 0) * sign,
               coalesce(sum(x.token_out), 0) * sign,
               coalesce(sum(x.token_cached), 0) * sign,
               coalesce(sum(x.token_cache_write), 0) * sign,
               coalesce(sum(x.token_reasoning), 0) * sign,
               coalesce(sum(x.cost_usd), 0) * sign,
               count(*) FILTER (WHERE x.cost_usd IS NULL) * sign,
               {schema}.prompt_latency_add(
                   array_agg({schema}.prompt_latency(x.latency_ms))
                       FILTER (WHERE x.latency_ms IS NOT NULL),
                   '{}', 1)
            FROM x CROSS JOIN LATERAL (
                VALUES (x.hour), (-1 - x.hour / 24 * 24)) h (hour)
            WHERE x.counts AND (h.hour < 0 OR h.hour >= since)
                  AND (sign > 0 OR EXISTS (
                      SELECT FROM {schema}.statistics o
                          WHERE o.kind = x.kind AND o.hour = h.hour))
            GROUP BY 1, 2
        ON CONFLICT (kind, hour) DO UPDATE
        SET executions = s.executions + excluded.executions,
            token_in = s.token_in + excluded.token_in,
            token_out = s.token_out + excluded.token_out,
            token_cached = s.token_cached + excluded.token_cached,
            token_cache_write = s.token_cache_write
                                + excluded.token_cache_write,
            token_reasoning = s.token_reasoning + excluded.token_reasoning,
            cost_usd = s.cost_usd + excluded.cost_usd,
            cost_unknown = s.cost_unknown + excluded.cost_unknown,
            latency = {schema}.prompt_latency_add(s.latency, excluded.latency,
                                                  sign);
END
$$;

-- Hours are kept for ninety days.  What is older is read by the day, as sums of
-- days are there as soon as those of hours: so many of these go, and no answer
-- changes but by its buckets.  What is above the mark is in no sum: where the
-- clock that was ahead went back with it, hours are kept again from the next
-- day on.
CREATE FUNCTION prompt_statistics_sweep(most integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    since  integer;
    gone   integer;
BEGIN
    UPDATE {schema}.log_mark m SET hours = least(
        greatest(m.hours, {schema}.prompt_id_hour({schema}.prompt_id_of(now()))
                          / 24 * 24 - 90 * 24),
        {schema}.prompt_id_hour(m.mark) / 24 * 24 + 24)
        RETURNING m.hours INTO since;

    DELETE FROM {schema}.statistics s WHERE s.ctid = ANY (ARRAY(
        SELECT o.ctid FROM {schema}.statistics o
            WHERE o.hour >= 0 AND o.hour < since
            ORDER BY o.hour LIMIT most));

    GET DIAGNOSTICS gone = ROW_COUNT;

    RETURN gone >= most;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_log_add(uuid[], integer, boolean),
    prompt_statistics_sweep(integer) FROM PUBLIC;


-- Idempotency keys: what is known of requests that carry one
--
-- One row a user and key, for 24 hours.  Whoever does the request holds the
-- row, under an id of its own, until the lease runs out, which it renews.  Each
-- change says in its own transaction, in steps, that it was made, and only
-- while the row is held: so where another took the row over, what is not in
-- steps was not done, and never will be.

CREATE TABLE idempotency_keys (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- SHA-256 of user and key; of document, operation name and variables
    key          bytea NOT NULL CHECK (octet_length(key) = 32),
    fingerprint  bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    created_at   timestamptz NOT NULL DEFAULT now(),
    holder       uuid NOT NULL,
    lease        timestamptz NOT NULL,
    -- the root fields that were executed, in their order: number and id
    steps        text[] NOT NULL DEFAULT '{}',
    -- NULL: it is being done
    status       smallint,
    -- NULL where there is a status: it is not kept
    answer       bytea,
    -- what the answer shows: without any of them it is not told any more
    shows        uuid[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, key)
) WITH (fillfactor = 80);

-- those that are to go, and those that show what goes
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_shows_idx ON idempotency_keys USING gin (shows)
    WHERE shows <> '{}';


-- Identity: which database this is

-- random bytes, which promptctl migrate makes where there are none
CREATE TABLE prompt_database (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    random  bytea NOT NULL CHECK (octet_length(random) = 16)
);

CALL prompt_define($define$
-- The identifier of the cluster.  A function of its own, as whether it may be
-- read is looked at where it is called.
CREATE FUNCTION prompt_cluster() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT system_identifier FROM pg_control_system()
$$;

-- What a copy has not, by dump or as a template, nor another cluster.  With the
-- rights of the owner, so that everybody is told the same; NULL where there is
-- no row.
CREATE FUNCTION prompt_identity() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT ('x' || left(encode(sha256(p.random || int8send(d.oid::bigint)
                || CASE WHEN has_function_privilege('pg_control_system()',
                                                    'EXECUTE')
                   THEN int8send({schema}.prompt_cluster()) ELSE '' END),
                               'hex'),
                        16))::bit(64)::bigint
        FROM {schema}.prompt_database p, pg_database d
        WHERE d.datname = current_database()
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_cluster(), prompt_identity() FROM PUBLIC;


-- Sweeping: what the service does beside requests, in steps
--
-- Each is small, and done by one at a time: whoever comes meanwhile finds
-- nothing to do.  However large a table is, only a beginning of it is wanted,
-- in the order of an index: so functions have other ways switched off, which
-- holds for foreign keys, too.  What is off costs much, to the planner, where
-- there is no other way; so much that it would compile.  Looks at executions
-- name the least and the greatest id, and are planned each time for the months
-- that these are of.

-- The sweeper looks at each execution when it is 30 seconds old, and once more
-- when it is an hour old, for what came late or with the time of a clock that
-- is slow; up to where, is kept here.  What still runs then is noted below, so
-- that it need not be looked for again, however long it may run.
CREATE TABLE executions_sweep (
    id         smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    mark       uuid NOT NULL,     -- all up to it were looked at
    late_mark  uuid NOT NULL,     -- and all up to it twice
    -- when to look whether there are months ahead
    ahead_at   timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO executions_sweep (mark, late_mark)
    VALUES (prompt_id_of(now() - interval '1 hour'),
            prompt_id_of(now() - interval '1 hour'));

CREATE TABLE executions_running (
    id        uuid PRIMARY KEY,
    deadline  timestamptz NOT NULL
);

CREATE INDEX executions_running_deadline_idx ON executions_running (deadline);

CALL prompt_define($define$
-- A step of the sweep: looks at so many executions of each age at most, and
-- marks as many as lost that should have ended 30 seconds ago; passes over
-- those that somebody holds.  Makes months ahead.
--
-- more: the next step should not wait.  steady: the clock did not jump, so
-- deadlines are what they were meant to be.  failed: which month cannot be
-- made, and why.  A lock is given up sooner than PostgreSQL looks for
-- deadlocks.
CREATE FUNCTION prompt_executions_sweep(most integer,
                                        steady boolean DEFAULT true,
                                        OUT lost bigint, OUT more boolean,
                                        OUT failed text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
    SET lock_timeout = '100ms'
    AS $$
DECLARE
    s        {schema}.executions_sweep;
    lower    uuid;
    upper    uuid;
    last     uuid;
    due      uuid[];
    running  uuid[];   -- those that are held
    low      uuid;     -- of what is due, the first and the last
    high     uuid;
    months   text;     -- a table of months, and why it has not got one
    why      text;
    settled  bigint;
BEGIN
    lost := 0;
    more := false;

    SELECT * INTO s FROM {schema}.executions_sweep FOR UPDATE SKIP LOCKED;

    IF NOT found THEN
        RETURN;
    END IF;

    FOR pass IN 1 .. 2 LOOP
        upper := {schema}.prompt_id_of(
            now() - CASE pass WHEN 1 THEN interval '30 seconds'
                              ELSE interval '1 hour' END);

        lower := CASE pass WHEN 1 THEN s.mark ELSE s.late_mark END;

        last := (SELECT x.id FROM {schema}.executions x
                 WHERE x.id > lower AND x.id <= upper
                 ORDER BY x.id OFFSET most - 1 LIMIT 1);

        IF last IS NULL THEN
            last := upper;
        ELSE
            more := true;
        END IF;

        INSERT INTO {schema}.executions_running (id, deadline)
            SELECT x.id, x.deadline FROM {schema}.executions x
                WHERE x.id > lower AND x.id <= last
                      AND x.status = 'running'
                      AND x.deadline IS NOT NULL
                ON CONFLICT DO NOTHING;

        -- back, too, where the clock was: what it was ahead of is to come

        IF pass = 1 THEN
            s.mark := last;
        ELSE
            s.late_mark := last;
        END IF;
    END LOOP;

    UPDATE {schema}.executions_sweep
        SET mark = s.mark, late_mark = s.late_mark;

    due := ARRAY(SELECT r.id FROM {schema}.executions_running r
                 WHERE steady AND r.deadline < now() - interval '30 seconds'
                 ORDER BY r.deadline LIMIT most);

    IF cardinality(due) > 0 THEN
        SELECT r.low, r.high INTO low, high
            FROM {schema}.prompt_ids_range(due) r;

        WITH held AS (
            SELECT e.id FROM {schema}.executions e
                WHERE e.id = ANY (due) AND e.id >= low AND e.id <= high
                      AND e.status = 'running'
                FOR UPDATE SKIP LOCKED),
        marked AS (
            UPDATE {schema}.executions e SET status = 'lost',
                error = 'the process that ran it ended before the call did',
                spent_usd = e.reserved_usd
                WHERE e.id = ANY (ARRAY(SELECT h.id FROM held h))
                      AND e.id >= low AND e.id <= high
                RETURNING e.id, e.reserved_of, e.reserved_until, e.reserved_usd),
        left_over AS (
            INSERT INTO {schema}.budget_orphans
                SELECT * FROM marked m WHERE m.reserved_usd IS NOT NULL)
        SELECT count(*) INTO lost FROM marked;

        running := ARRAY(SELECT e.id FROM {schema}.executions e
                         WHERE e.id = ANY (due) AND e.id >= low
                               AND e.id <= high AND e.status = 'running');

        DELETE FROM {schema}.executions_running r
            WHERE r.id = ANY (due) AND r.id <> ALL (running);

        more := more OR (cardinality(due) >= most
                         AND cardinality(running) < most);
    END IF;

    WITH o AS (
        DELETE FROM {schema}.budget_orphans x RETURNING x.*),
    g AS (
        SELECT o.reserved_of, o.reserved_until, sum(o.usd) AS usd
            FROM o GROUP BY 1, 2 ORDER BY 1, 2)
    SELECT count({schema}.prompt_budget_settle(
            g.reserved_of, g.reserved_until, g.usd, g.usd, false))
        INTO settled FROM g;

    -- at the end, since the locks stay until then; not to be had now, they
    -- are tried for later, and that is no failure while a month is left

    IF steady
       AND (s.ahead_at < now() OR s.ahead_at > now() + interval '10 minutes')
    THEN
        s.ahead_at := now() + interval '10 minutes';

        FOREACH months IN ARRAY ARRAY['executions', 'audit'] LOOP
            low := (SELECT p.low FROM {schema}.prompt_months_parts(months) p
                    WHERE p.high IS NULL);
            why := NULL;

            BEGIN
                IF {schema}.prompt_months_ahead(months) < 0 THEN
                    why := months || '_later has more than 1000 rows: run '
                           '"promptctl migrate"';
                END IF;
            EXCEPTION
                WHEN lock_not_available THEN
                    why := CASE WHEN low < {schema}.prompt_id_month(now(), 2)
                           THEN SQLERRM ELSE '' END;
                WHEN OTHERS THEN
                    why := SQLERRM;
            END;

            IF why IS NOT NULL THEN
                s.ahead_at := now() + interval '30 seconds';
                failed := coalesce(failed, {schema}.prompt_months_name(
                                               low, months)
                                           || ': ' || nullif(why, ''));
            END IF;
        END LOOP;

        UPDATE {schema}.executions_sweep SET ahead_at = s.ahead_at;
    END IF;
END
$$;

-- A step of the log: goes over so many executions at most, and looks again at
-- so many of those that wait; forgets so many sums of old hours, where steady
-- says that the clock did not jump.
CREATE FUNCTION prompt_log_sweep(most integer, steady boolean DEFAULT false,
                                 OUT more boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
    AS $$
DECLARE
    low    uuid;
    upper  uuid;
    last   uuid;
    again  uuid;
    ended  uuid[];
    other  uuid[];
BEGIN
    more := false;

    SELECT m.mark, m.late INTO low, again FROM {schema}.log_mark m
        FOR UPDATE SKIP LOCKED;

    IF NOT found THEN
        RETURN;
    END IF;

    upper := {schema}.prompt_id_of(now() - interval '5 minutes');

    IF upper > low THEN
        last := (SELECT x.id FROM {schema}.executions x
                 WHERE x.id > low AND x.id <= upper
                 ORDER BY x.id OFFSET most - 1 LIMIT 1);

        more := last IS NOT NULL;
        last := coalesce(last, upper);

        -- in one look, since what runs may end

        SELECT array_agg(x.id) FILTER (WHERE x.status NOT IN ('running',
                                                              'lost')),
               array_agg(x.id) FILTER (WHERE x.status IN ('running', 'lost'))
            INTO ended, other FROM {schema}.executions x
            WHERE x.id > low AND x.id <= last;

        INSERT INTO {schema}.log_waiting (id, owner_id, executed_by, look)
            SELECT x.id, coalesce(x.owner_id, x.executed_by), x.executed_by,
                   now()
                FROM {schema}.executions x
                WHERE x.id = ANY (other) AND x.id > low AND x.id <= last
                ON CONFLICT DO NOTHING;

        PERFORM {schema}.prompt_log_add(ended);

        UPDATE {schema}.log_mark SET mark = last;
        low := last;

    -- The clock went back by so much that starts, which are in time by it, are
    -- below the mark and wait for nothing.  The mark goes back, the newest
    -- first, and what is above it then is in no sum, and is read from its row.

    ELSIF low > {schema}.prompt_id_of(now() - interval '4 minutes') THEN
        last := (SELECT x.id FROM {schema}.executions x
                 WHERE x.id > upper AND x.id <= low
                 ORDER BY x.id DESC OFFSET most LIMIT 1);

        more := last IS NOT NULL;
        last := coalesce(last, upper);

        PERFORM {schema}.prompt_log_add(
            ARRAY(SELECT c.id FROM {schema}.prompt_log_counted(last, low) c
                  WHERE c.counted), -1);

        DELETE FROM {schema}.log_waiting w WHERE w.id > last;

        UPDATE {schema}.log_waiting w SET look = now()
            WHERE w.id = ANY (ARRAY(SELECT l.id FROM {schema}.log_waiting l
                                    ORDER BY l.look DESC LIMIT most));

        UPDATE {schema}.log_mark SET mark = last;
        low := last;
    END IF;

    -- An hour later it is looked at once more, whatever the clocks did and
    -- however long a start took: what is in no sum waits.  Back, too.

    upper := least({schema}.prompt_id_of(now() - interval '1 hour'), low);
    last := (SELECT x.id FROM {schema}.executions x
             WHERE x.id > again AND x.id <= upper
             ORDER BY x.id OFFSET most - 1 LIMIT 1);

    more := more OR last IS NOT NULL;
    last := coalesce(last, upper);

    INSERT INTO {schema}.log_waiting (id, owner_id, executed_by, look)
        SELECT c.id, c.owner_id, c.executed_by, now()
            FROM {schema}.prompt_log_counted(again, last) c
            WHERE NOT c.counted
            ON CONFLICT DO NOTHING;

    UPDATE {schema}.log_mark SET late = last;

    more := {schema}.prompt_log_look(most) OR more;

    IF steady THEN
        more := {schema}.prompt_statistics_sweep(most) OR more;
    END IF;
END
$$;

-- Those that wait and have ended; what is lost for thirty days has, too, and
-- what was deleted while it was put there.  The older one is, the later it is
-- looked at again.
CREATE FUNCTION prompt_log_look(most integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    due    uuid[];
    ended  uuid[];
    low    uuid;
    high   uuid;
    month  uuid := {schema}.prompt_id_of(now() - interval '30 days');
BEGIN
    due := ARRAY(SELECT w.id FROM {schema}.log_waiting w
                 WHERE w.look <= now() ORDER BY w.look LIMIT most
                 FOR UPDATE SKIP LOCKED);

    SELECT r.low, r.high INTO low, high FROM {schema}.prompt_ids_range(due) r;

    ended := ARRAY(SELECT x.id FROM {schema}.executions x
                   WHERE x.id = ANY (due) AND x.id >= low
                         AND x.id <= high
                         AND (x.status NOT IN ('running', 'lost')
                              OR (x.status = 'lost' AND x.id < month)));

    PERFORM {schema}.prompt_log_add(ended);

    DELETE FROM {schema}.log_waiting w
        WHERE w.id = ANY (due)
              AND (w.id = ANY (ended)
                   OR NOT EXISTS (SELECT FROM {schema}.executions x
                                  WHERE x.id = w.id));

    UPDATE {schema}.log_waiting w
        SET look = now() + greatest(
            interval '10 seconds',
            (now() - {schema}.prompt_id_time(w.id)) / 16)
        WHERE w.id = ANY (due);

    RETURN cardinality(due) >= most;
END
$$;

-- Deletes an execution of a project, and what it shows: what it adds to sums
-- stays.  An outcome: 14 where it runs.
CREATE FUNCTION prompt_execution_delete(execution uuid, of_project uuid)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    x  record;
BEGIN
    SELECT e.executed_by, e.owner_id, e.status INTO x
        FROM {schema}.executions e WHERE e.id = execution FOR UPDATE;

    IF NOT found OR of_project NOT IN (x.executed_by,
                                       coalesce(x.owner_id, x.executed_by))
    THEN
        RETURN 1;
    ELSIF x.executed_by <> of_project THEN
        RETURN 2;
    ELSIF x.status = 'running' THEN
        RETURN 14;
    END IF;

    DELETE FROM {schema}.executions e WHERE e.id = execution;
    DELETE FROM {schema}.log_waiting w WHERE w.id = execution;

    RETURN 0;
END
$$;

-- Deletes sessions of more than 31 days ago; none lives for so long.  Until
-- then a row says from where its user has signed in.
CREATE FUNCTION prompt_sessions_sweep(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    old   uuid := {schema}.prompt_id_of(now() - interval '31 days');
    gone  integer;
BEGIN
    DELETE FROM {schema}.api_keys k
        WHERE k.id IN (SELECT s.id FROM {schema}.api_keys s
                       WHERE s.kind = 'session' AND s.id < old
                       ORDER BY s.id LIMIT most FOR UPDATE SKIP LOCKED);

    GET DIAGNOSTICS gone = ROW_COUNT;

    RETURN gone;
END
$$;

-- Which prompts have come to another project, and how far it is noted in their
-- executions.
CREATE TABLE {schema}.prompt_transfers (
    prompt_id  uuid PRIMARY KEY REFERENCES {schema}.prompts ON DELETE CASCADE,
    since      timestamptz NOT NULL DEFAULT now(),
    -- when to look again
    look       timestamptz NOT NULL DEFAULT now(),
    -- of the round: when it began, where it goes on, whether it passed over any
    begun      timestamptz NOT NULL DEFAULT now(),
    version    integer NOT NULL DEFAULT -1,
    execution  uuid,
    passed     boolean NOT NULL DEFAULT false
);

-- Moves a prompt to another project, by a user who is EDITOR there: versions,
-- labels and moves have the owner, and change with it, in one statement, as
-- foreign keys want it.  NULL among those who made something is the user of a
-- personal project, and does not mean another one there.  Gives an outcome
-- (src/store/outcome.h); with the rights of the owner of the tables, as nobody
-- else changes owners.
CREATE FUNCTION prompt_transfer(of_prompt uuid, from_project uuid,
                                to_project uuid, by_user uuid,
                                most_prompts bigint, most_bytes bigint)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET jit = off
    AS $$
DECLARE
    there   smallint;
    person  uuid;
    room    integer;
BEGIN
    SELECT m.role INTO there FROM {schema}.project_members m
        JOIN {schema}.projects p ON p.id = m.project_id AND p.state = 0
        WHERE m.project_id = to_project AND m.user_id = by_user
        FOR SHARE OF m;

    IF coalesce(there, 0) < 2 THEN
        RETURN 23;
    END IF;

    PERFORM FROM {schema}.prompts p
        WHERE p.id = of_prompt AND p.owner_id = from_project AND p.state = 0
        FOR UPDATE;

    IF NOT found THEN
        RETURN coalesce((SELECT CASE WHEN p.owner_id <> from_project THEN 2 END
                         FROM {schema}.prompts p
                         WHERE p.id = of_prompt AND p.state = 0), 1);
    END IF;

    IF there < 3 AND EXISTS (
        SELECT FROM {schema}.prompt_labels l JOIN {schema}.projects p
            ON l.label = ANY (p.protected_labels)
            WHERE l.prompt_id = of_prompt AND p.id = to_project)
    THEN
        RETURN 9;
    END IF;

    room := (SELECT {schema}.prompt_room(to_project, 1, p.bytes, most_prompts,
                                         most_bytes)
             FROM {schema}.prompts p WHERE p.id = of_prompt);

    IF room <> 0 THEN
        RETURN room;
    END IF;

    SELECT p.user_id INTO person FROM {schema}.projects p
        WHERE p.id = from_project;

    WITH v AS (
        UPDATE {schema}.prompt_versions x SET owner_id = to_project,
            created_by = coalesce(x.created_by, person)
            WHERE x.prompt_id = of_prompt),
    l AS (
        UPDATE {schema}.prompt_labels x SET owner_id = to_project,
            set_by = coalesce(x.set_by, person)
            WHERE x.prompt_id = of_prompt),
    m AS (
        UPDATE {schema}.prompt_label_moves x SET owner_id = to_project,
            moved_by = coalesce(x.moved_by, person)
            WHERE x.prompt_id = of_prompt)
    UPDATE {schema}.prompts p SET owner_id = to_project,
        created_by = coalesce(p.created_by, person),
        updated_at = greatest(now(), p.updated_at + interval '1 millisecond')
        WHERE p.id = of_prompt;

    -- who made something is told there, too

    INSERT INTO {schema}.project_members (project_id, user_id, role)
        SELECT to_project, m.user_id, 0 FROM {schema}.project_members m
            WHERE m.project_id = from_project
        ON CONFLICT DO NOTHING;

    INSERT INTO {schema}.prompt_transfers (prompt_id) VALUES (of_prompt)
        ON CONFLICT (prompt_id) DO UPDATE
        SET since = now(), look = now(), begun = now(), version = -1,
            execution = NULL, passed = false;

    PERFORM {schema}.prompt_transfer_step(of_prompt, 20);

    RETURN 0;
END
$$;

-- A step of noting in executions whose the prompt is now: of the one given
-- (NULL: of any that nobody else is at), for about so many milliseconds.  Gives
-- the prompt, NULL where there was none.  Who paid keeps the list and sums of
-- all; the owner before has others' no more, and the new one gets them.
--
-- A start that is under way when the prompt moves has the owner of before, and
-- an execution that somebody holds is passed over: so there is another round
-- until one that began a minute later has seen all.  The mark of the log is
-- held, so that nobody adds an execution to sums meanwhile.
CREATE FUNCTION prompt_transfer_step(INOUT prompt uuid, milliseconds integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    AS $$
#variable_conflict use_column
DECLARE
    target  uuid := prompt;
    last    uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    ends    timestamptz := clock_timestamp()
                           + milliseconds * interval '1 millisecond';
    t       {schema}.prompt_transfers;
    owner   uuid;
    ids     uuid[];
    wrong   uuid[];
    known   uuid[];
    r       record;
BEGIN
    SELECT x.* INTO t FROM {schema}.prompt_transfers x
        WHERE x.prompt_id = target OR (target IS NULL AND x.look <= now())
        ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED;

    prompt := t.prompt_id;

    IF NOT found THEN
        RETURN;
    END IF;

    -- what deletes the prompt is not let in; being deleted, it is as it is

    SELECT p.owner_id INTO owner FROM {schema}.prompts p
        WHERE p.id = t.prompt_id AND p.state = 0 FOR KEY SHARE SKIP LOCKED;

    IF NOT found THEN
        UPDATE {schema}.prompt_transfers x
            SET look = now() + interval '1 second'
            WHERE x.prompt_id = t.prompt_id;
        DELETE FROM {schema}.prompt_transfers x
            WHERE x.prompt_id = t.prompt_id
                  AND NOT EXISTS (SELECT FROM {schema}.prompts p
                                  WHERE p.id = t.prompt_id AND p.state = 0);
        RETURN;
    END IF;

    IF t.version < 0 THEN
        t.begun := now();
        t.passed := false;
        t.version := 0;
    END IF;

    PERFORM FROM {schema}.log_mark m FOR UPDATE;

    -- drafts first, then each version

    LOOP
        IF t.version = 0 THEN
            ids := ARRAY(SELECT x.id FROM {schema}.executions x
                         WHERE x.prompt_id = t.prompt_id AND x.version IS NULL
                               AND x.id < coalesce(t.execution, last)
                         ORDER BY x.version, x.id DESC LIMIT 100);
        ELSE
            ids := ARRAY(SELECT x.id FROM {schema}.executions x
                         WHERE x.prompt_id = t.prompt_id
                               AND x.version = t.version
                               AND x.id < coalesce(t.execution, last)
                         ORDER BY x.id DESC LIMIT 100);
        END IF;

        IF cardinality(ids) = 0 THEN
            t.execution := NULL;
            t.version := (SELECT x.version FROM {schema}.executions x
                          WHERE x.prompt_id = t.prompt_id
                                AND x.version > t.version
                          ORDER BY x.version LIMIT 1);

            EXIT WHEN t.version IS NULL;
            CONTINUE;
        END IF;

        r := {schema}.prompt_ids_range(ids);

        wrong := ARRAY(SELECT x.id FROM {schema}.executions x
                       WHERE x.id = ANY (ids) AND x.id >= r.low
                             AND x.id <= r.high
                             AND (x.by_owner <> (x.executed_by = owner)
                                  OR x.owner_id IS DISTINCT FROM
                                     nullif(owner, x.executed_by)));

        ids := ARRAY(SELECT x.id FROM {schema}.executions x
                     WHERE x.id = ANY (wrong) AND x.id >= r.low
                           AND x.id <= r.high
                     FOR UPDATE SKIP LOCKED);

        t.passed := t.passed OR cardinality(ids) < cardinality(wrong);

        -- those in sums, by the list of who paid

        SELECT array_agg(x.id) INTO known FROM {schema}.executions x
            WHERE x.id = ANY (ids) AND x.id >= r.low AND x.id <= r.high
                  AND EXISTS (SELECT FROM {schema}.log_entries e
                              WHERE e.id = x.id
                                    AND e.kind = {schema}.prompt_log_kind(
                                        x.executed_by,
                                        '00000000-0000-0000-0000-000000000000',
                                        0, x.status, x.model, x.label));

        PERFORM {schema}.prompt_log_add(known, -1, true);

        UPDATE {schema}.executions x SET by_owner = (x.executed_by = owner),
            owner_id = nullif(owner, x.executed_by)
            WHERE x.id = ANY (ids) AND x.id >= r.low AND x.id <= r.high;

        PERFORM {schema}.prompt_log_add(known, 1, true);

        UPDATE {schema}.log_waiting w SET owner_id = owner
            WHERE w.id = ANY (ids);

        t.execution := r.low;

        EXIT WHEN clock_timestamp() > ends;
    END LOOP;

    IF t.version IS NULL AND NOT t.passed
       AND t.begun > t.since + interval '1 minute'
    THEN
        DELETE FROM {schema}.prompt_transfers x WHERE x.prompt_id = t.prompt_id;
        RETURN;
    END IF;

    UPDATE {schema}.prompt_transfers x
        SET version = coalesce(t.version, -1), execution = t.execution,
            begun = t.begun, passed = t.passed,
            look = CASE WHEN t.version IS NULL
                   THEN greatest(now() + interval '10 seconds',
                                 t.since + interval '61 seconds')
                   ELSE now() END
        WHERE x.prompt_id = t.prompt_id;
END
$$;

-- A step of deleting what belonged to a project, and at the end the project
-- itself: of any that nobody else is at.  Gives what prompt_remove() does, of
-- the project where no prompt is left in the middle; NULL where nothing was
-- done.  Lists and sums go with it.
CREATE FUNCTION prompt_project_remove(milliseconds integer, OUT prompt uuid,
                                      OUT version integer, OUT execution uuid)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    AS $$
DECLARE
    target  uuid;
    one     uuid;
    ids     uuid[];
    r       record;
    gone    integer;
    ends    timestamptz := clock_timestamp()
                           + milliseconds * interval '1 millisecond';
BEGIN
    SELECT p.id INTO target FROM {schema}.projects p WHERE p.state <> 0
        ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED;

    IF NOT found THEN
        RETURN;
    END IF;

    ids := ARRAY(SELECT p.id FROM {schema}.prompts p
                 WHERE p.owner_id = target LIMIT 100);

    -- also what came at the very moment

    UPDATE {schema}.prompts p SET state = 1, name = '/' || p.id,
        is_public = false
        WHERE p.id = ANY (ids) AND p.state <> 1;

    FOREACH one IN ARRAY ids LOOP
        r := {schema}.prompt_remove(one, NULL, NULL, 0, milliseconds);

        IF r.version IS NOT NULL THEN
            prompt := one;
            version := r.version;
            execution := r.execution;
            RETURN;
        END IF;

        prompt := coalesce(r.prompt, prompt);

        EXIT WHEN clock_timestamp() > ends;
    END LOOP;

    IF cardinality(ids) > 0 THEN
        RETURN;
    END IF;

    prompt := target;

    UPDATE {schema}.datasets d SET state = 1 WHERE d.id = ANY (ARRAY(
        SELECT x.id FROM {schema}.datasets x
            WHERE x.project_id = target AND x.state = 0 LIMIT 100));

    IF found OR {schema}.prompt_dataset_remove(target, milliseconds)
                IS NOT NULL
    THEN
        RETURN;
    END IF;

    -- what it ran of others' prompts

    LOOP
        ids := ARRAY(SELECT x.id FROM {schema}.executions x
                     WHERE x.executed_by = target LIMIT 100);

        EXIT WHEN cardinality(ids) = 0;

        r := {schema}.prompt_ids_range(ids);

        PERFORM {schema}.prompt_log_settle(ids);

        DELETE FROM {schema}.executions x
            WHERE x.id = ANY (ids) AND x.id >= r.low AND x.id <= r.high;

        IF clock_timestamp() > ends THEN
            RETURN;
        END IF;
    END LOOP;

    LOOP
        DELETE FROM {schema}.log_entries e WHERE e.ctid = ANY (ARRAY(
            SELECT o.ctid FROM {schema}.log_kinds k
                JOIN {schema}.log_entries o ON o.kind = k.kind
                WHERE k.user_id = target LIMIT 1000));

        GET DIAGNOSTICS gone = ROW_COUNT;

        IF gone = 0 THEN
            DELETE FROM {schema}.statistics s WHERE s.ctid = ANY (ARRAY(
                SELECT o.ctid FROM {schema}.log_kinds k
                    JOIN {schema}.statistics o ON o.kind = k.kind
                    WHERE k.user_id = target LIMIT 1000));

            GET DIAGNOSTICS gone = ROW_COUNT;
        END IF;

        EXIT WHEN gone = 0;

        IF clock_timestamp() > ends THEN
            RETURN;
        END IF;
    END LOOP;

    DELETE FROM {schema}.projects p WHERE p.id = target;
END
$$;

-- A step of deleting runs and items of a dataset that was deleted, and at the end
-- the dataset itself; of a project, or (NULL) of any.  Gives the dataset, NULL
-- where there is none that nobody else is at.
CREATE FUNCTION prompt_dataset_remove(of_project uuid, milliseconds integer)
    RETURNS uuid LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET jit = off
    AS $$
DECLARE
    target  uuid;
    place   uuid;
    ids     uuid[];
    run     uuid;
    cells   integer;
    ends    timestamptz := clock_timestamp()
                           + milliseconds * interval '1 millisecond';
BEGIN
    SELECT d.id, coalesce(d.gone_to, '00000000-0000-0000-0000-000000000000')
        INTO target, place FROM {schema}.datasets d
        WHERE d.state <> 0 AND (of_project IS NULL
                                OR d.project_id = of_project)
        ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED;

    IF NOT found THEN
        RETURN NULL;
    END IF;

    -- what is gone is not looked at again: as long as a transaction from
    -- before is open, an index has it.  So runs have fewer cells in total, the
    -- further this has come.

    LOOP
        SELECT r.id, r.total INTO run, cells FROM {schema}.runs r
            WHERE r.dataset_id = target ORDER BY r.id LIMIT 1;

        EXIT WHEN NOT found;

        DELETE FROM {schema}.run_cells c
            WHERE c.run_id = run AND c.number > cells - 200;

        IF cells > 200 THEN
            UPDATE {schema}.runs r SET total = cells - 200 WHERE r.id = run;
        ELSE
            DELETE FROM {schema}.budgets b WHERE b.run_id = run;
            DELETE FROM {schema}.runs r WHERE r.id = run;
        END IF;

        IF clock_timestamp() > ends THEN
            RETURN target;
        END IF;
    END LOOP;

    LOOP
        ids := ARRAY(SELECT x.id FROM {schema}.dataset_items x
                     WHERE x.dataset_id = target AND x.id > place
                     ORDER BY x.id LIMIT 20);

        IF cardinality(ids) = 0 THEN
            DELETE FROM {schema}.datasets d WHERE d.id = target;
            RETURN target;
        END IF;

        DELETE FROM {schema}.dataset_items i WHERE i.id = ANY (ids);
        place := ids[cardinality(ids)];

        EXIT WHEN clock_timestamp() > ends;
    END LOOP;

    UPDATE {schema}.datasets d SET gone_to = place WHERE d.id = target;

    RETURN target;
END
$$;

-- What else is done in steps: NULL where there is nothing to do.
CREATE FUNCTION prompt_others_step(milliseconds integer, OUT prompt uuid,
                                   OUT version integer, OUT execution uuid)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    prompt := coalesce({schema}.prompt_transfer_step(NULL, milliseconds),
                       {schema}.prompt_dataset_remove(NULL, milliseconds));

    IF prompt IS NULL THEN
        SELECT r.prompt, r.version, r.execution INTO prompt, version, execution
            FROM {schema}.prompt_project_remove(milliseconds) r;
    END IF;
END
$$;

-- A step of deleting what belongs to a hidden prompt, and at the end the
-- prompt itself: of the one given (NULL: of any that nobody else is at), for
-- about so many milliseconds, but at least so many rows, unless they are
-- large.  Any is taken by chance: one that cannot be removed for now would
-- else come before all others.  A copy in the making is left alone for five
-- minutes, which is longer than anybody makes one.
--
-- Gives the prompt, NULL where there was none to be found, nor a step of other
-- work (prompt_others_step()).  version and execution say where the next step
-- goes on, version is NULL where the prompt is gone.  First go the labels, and
-- all that is known of their moves: then version is the number of the first one
-- of this step, below zero.  Drafts are next, then versions; it is 0 there.
--
-- They only spare the next step a look at rows that are deleted already: it may
-- as well begin from the beginning.  It does look at those of the step before,
-- so that PostgreSQL marks their entries in the index as dead: else the foreign
-- key would come upon all of them at once, when the version is deleted.
--
-- The version's row is locked before its executions are, as by whoever
-- records one.  What runs and is not overdue stays, with its version and the
-- prompt, so that what it costs is counted: then there is none to be found, and
-- whoever comes later goes on.  With the rights of the owner of the tables: the role of the
-- service deletes nothing but whole prompts.
CREATE FUNCTION prompt_remove(INOUT prompt uuid, INOUT version integer,
                              INOUT execution uuid, least_rows integer,
                              milliseconds integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
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
    settled  integer := 0;
    bytes    bigint := 0;
    runs     boolean := false;
    m        record;
    v        record;
    e        record;
BEGIN
    -- what else is done in steps has every other turn

    IF target IS NULL AND random() < 0.5 THEN
        SELECT s.prompt, s.version, s.execution INTO prompt, version, execution
            FROM {schema}.prompt_others_step(milliseconds) s;

        IF prompt IS NOT NULL THEN
            RETURN;
        END IF;
    END IF;

    IF target IS NULL THEN
        SELECT p.id INTO prompt FROM {schema}.prompts p
            WHERE p.state <> 0
                  AND (p.state = 1
                       OR p.updated_at < now() - interval '5 minutes')
            ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
        SELECT p.id INTO prompt FROM {schema}.prompts p
            WHERE p.id = target AND p.state <> 0
                  AND (p.state = 1
                       OR p.updated_at < now() - interval '5 minutes')
            FOR UPDATE SKIP LOCKED;
    END IF;

    IF NOT found THEN
        prompt := NULL;

        IF target IS NULL THEN
            SELECT s.prompt, s.version, s.execution
                INTO prompt, version, execution
                FROM {schema}.prompt_others_step(milliseconds) s;
        END IF;

        RETURN;
    END IF;

    target := prompt;

    UPDATE {schema}.prompts p SET state = 1
        WHERE p.id = target AND p.state <> 1;

    IF first <= 0 THEN
        DELETE FROM {schema}.prompt_labels x WHERE x.prompt_id = target;

        FOR m IN
            SELECT x.number FROM {schema}.prompt_label_moves x
                WHERE x.prompt_id = target AND x.number >= - first
                ORDER BY x.number
        LOOP
            DELETE FROM {schema}.prompt_label_moves x
                WHERE x.prompt_id = target AND x.number = m.number;

            start := coalesce(start, m.number);
            removed := removed + 1;

            IF removed >= least_rows AND clock_timestamp() > ends THEN
                version := - start;
                execution := NULL;
                RETURN;
            END IF;
        END LOOP;

        LOOP
            SELECT array_agg(x.id) AS ids, count(*)::integer AS n,
                   sum(x.size) AS size
                INTO v FROM (
                SELECT x.id, coalesce(pg_column_size(x.input), 0)
                             + coalesce(pg_column_size(x.output), 0)
                             + coalesce(pg_column_size(x.tool_calls), 0)
                             AS size
                    FROM {schema}.executions x
                    WHERE x.prompt_id = target AND x.version IS NULL
                          AND x.id < below
                          AND (x.status = 'running' AND x.deadline
                               > now() - interval '30 seconds') IS NOT TRUE
                    ORDER BY x.version, x.id DESC LIMIT 20) x;

            EXIT WHEN v.n = 0;

            e := {schema}.prompt_ids_range(v.ids);

            PERFORM {schema}.prompt_log_settle(v.ids);

            DELETE FROM {schema}.executions x
                WHERE x.id = ANY (v.ids) AND x.id >= e.low AND x.id <= e.high;

            removed := removed + v.n;
            bytes := bytes + v.size;
            below := v.ids[v.n];

            IF (removed >= least_rows OR bytes > 4194304)
               AND clock_timestamp() > ends
            THEN
                version := 0;
                execution := below;
                RETURN;
            END IF;
        END LOOP;

        below := last_id;
    END IF;

    FOR v IN
        SELECT x.id, x.version, coalesce(pg_column_size(x.content), 0)
                          + coalesce(pg_column_size(x.params), 0)
                          + coalesce(pg_column_size(x.input_schema), 0)
                          + coalesce(pg_column_size(x.output_schema), 0)
                          + coalesce(pg_column_size(x.messages), 0) AS size
            FROM {schema}.prompt_versions x
            WHERE x.prompt_id = target AND x.version >= first
            ORDER BY x.version
    LOOP
        PERFORM FROM {schema}.prompt_versions x
            WHERE x.prompt_id = target AND x.version = v.version FOR UPDATE;

        FOR e IN
            SELECT x.id, coalesce(pg_column_size(x.input), 0)
                         + coalesce(pg_column_size(x.output), 0)
                         + coalesce(pg_column_size(x.tool_calls), 0) AS size,
                   x.status = 'running'
                   AND x.deadline > now() - interval '30 seconds' AS runs
                FROM {schema}.executions x
                WHERE x.prompt_id = target AND x.version = v.version
                      AND x.id <= below
                ORDER BY x.id DESC
        LOOP
            IF e.runs THEN
                runs := true;
                CONTINUE;
            END IF;

            -- those that come now together, as each by itself costs more

            IF settled = 0 THEN
                settled := 100;
                PERFORM {schema}.prompt_log_settle(ARRAY(
                    SELECT x.id FROM {schema}.executions x
                        WHERE x.prompt_id = target AND x.version = v.version
                              AND x.id <= e.id
                        ORDER BY x.id DESC LIMIT settled));
            END IF;

            DELETE FROM {schema}.executions x WHERE x.id = e.id;

            mark := coalesce(mark, e.id);
            removed := removed + 1;
            settled := settled - 1;
            bytes := bytes + e.size;

            IF (removed >= least_rows OR bytes > 4194304)
               AND clock_timestamp() > ends
            THEN
                version := v.version;
                execution := mark;
                RETURN;
            END IF;
        END LOOP;

        IF NOT runs THEN
            DELETE FROM {schema}.prompt_versions x
                WHERE x.prompt_id = target AND x.version = v.version;
            PERFORM {schema}.prompt_unkeep(v.id);
        END IF;

        removed := removed + 1;
        bytes := bytes + v.size;
        runs := false;
        below := last_id;
        mark := NULL;
        settled := 0;

        IF (removed >= least_rows OR bytes > 4194304)
           AND clock_timestamp() > ends
        THEN
            version := v.version + 1;
            execution := NULL;
            RETURN;
        END IF;
    END LOOP;

    version := NULL;
    execution := NULL;

    IF EXISTS (SELECT FROM {schema}.prompt_versions x
               WHERE x.prompt_id = target)
       OR EXISTS (SELECT FROM {schema}.executions x
                  WHERE x.prompt_id = target AND x.version IS NULL)
    THEN
        prompt := NULL;
        RETURN;
    END IF;

    DELETE FROM {schema}.prompts p WHERE p.id = target;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_transfer(uuid, uuid, uuid, uuid, bigint, bigint),
    prompt_transfer_step(uuid, integer), prompt_project_remove(integer),
    prompt_dataset_remove(uuid, integer), prompt_others_step(integer)
    FROM PUBLIC;

REVOKE ALL ON FUNCTION prompt_executions_sweep(integer, boolean),
    prompt_log_sweep(integer, boolean), prompt_log_look(integer),
    prompt_execution_delete(uuid, uuid), prompt_sessions_sweep(integer),
    prompt_remove(uuid, integer, uuid, integer, integer) FROM PUBLIC;


-- Pruning: what is old goes, by the owner of the tables; sums stay

CALL prompt_define($define$
-- The partition that may go as a whole, if all below an id is to: the first
-- one is emptied, the second one dropped.  NULL: there is none.
CREATE FUNCTION prompt_months_old(below uuid, of_table text,
                                  OUT part regclass, OUT low uuid,
                                  OUT high uuid)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT p.part, p.low, p.high
        FROM {schema}.prompt_months_parts(of_table) p
        WHERE p.high <= below
              AND (of_table <> 'executions'
                   OR p.high <= (SELECT m.mark FROM {schema}.log_mark m))
              AND (p.low IS NOT NULL OR pg_relation_size(p.part) > 0)
        ORDER BY p.high LIMIT 1
$$;

-- Drops it: what is in no sum yet is added before.  False where that cannot be
-- done, since something in it runs, or much is in no sum: then its rows have
-- to go one by one.
CREATE FUNCTION prompt_executions_drop(below uuid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET lock_timeout = '100ms'
    AS $$
DECLARE
    old      record;
    waiting  uuid[];
    runs     boolean;
BEGIN
    PERFORM FROM {schema}.log_mark m FOR UPDATE;

    SELECT * INTO old FROM {schema}.prompt_months_old(below,
                                                         'executions');

    IF old.part IS NULL THEN
        RETURN false;
    END IF;

    IF old.low IS NULL THEN
        LOCK TABLE ONLY {schema}.executions_before IN ACCESS EXCLUSIVE MODE;
    ELSE
        PERFORM {schema}.prompt_months_lock(
                    'executions', to_regclass('{literal}.executions_before'));
        EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE',
                       old.part);

        IF EXISTS (SELECT FROM {schema}.prompt_months_parts() p
                   WHERE p.low IS NULL AND pg_relation_size(p.part) > 0)
        THEN
            RETURN false;
        END IF;
    END IF;

    waiting := ARRAY(SELECT w.id FROM {schema}.log_waiting w
                     WHERE w.id >= coalesce(old.low, '00000000-0000-0000-0000'
                                                     '-000000000000')
                           AND w.id < old.high LIMIT 501 FOR UPDATE);

    EXECUTE format('SELECT EXISTS (SELECT FROM %s x WHERE x.id = ANY ($1)'
                   ' AND x.status = ''running'')', old.part)
        INTO runs USING waiting;

    IF runs OR cardinality(waiting) > 500 THEN
        RETURN false;
    END IF;

    PERFORM {schema}.prompt_log_add(waiting);
    DELETE FROM {schema}.log_waiting w WHERE w.id = ANY (waiting);

    PERFORM {schema}.prompt_months_drop(old.part, old.low, old.high);

    RETURN true;
END
$$;

-- Deletes so many executions with ids below the one given, the oldest first,
-- which must be up to the mark; what runs stays.  Sums stay, with what was
-- lost.  How many were deleted, and whether there are more.
CREATE FUNCTION prompt_executions_prune(below uuid, most integer,
                                        INOUT above uuid, OUT deleted integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    AS $$
DECLARE
    old   uuid[];
    low   uuid;
    last  uuid;
BEGIN
    SELECT m.mark INTO low FROM {schema}.log_mark m FOR UPDATE;

    SELECT array_agg(x.id) FILTER (WHERE x.status <> 'running'),
           (max(x.id::text))::uuid
        INTO old, last
        FROM (SELECT e.id, e.status FROM {schema}.executions e
              WHERE e.id > above AND e.id < below AND e.id <= low
              ORDER BY e.id LIMIT most) x;

    old := ARRAY(SELECT x.id FROM {schema}.executions x
                 WHERE x.id = ANY (old) AND x.id > above
                       AND x.id < below AND x.status <> 'running'
                 ORDER BY x.id FOR UPDATE SKIP LOCKED);

    PERFORM {schema}.prompt_log_settle(old);

    DELETE FROM {schema}.executions x WHERE x.id = ANY (old)
        AND x.id > above AND x.id < below;

    GET DIAGNOSTICS deleted = ROW_COUNT;

    above := last;
END
$$;

-- Empties so many executions with ids below the one given, the oldest first, of
-- what went in and came out; what runs stays, and so do figures.  How many had
-- something, and where it goes on.
CREATE FUNCTION prompt_executions_empty(below uuid, most integer,
                                        INOUT above uuid, OUT emptied integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    AS $$
DECLARE
    old  uuid[];
BEGIN
    old := ARRAY(SELECT e.id FROM {schema}.executions e
                 WHERE e.id > above AND e.id < below
                 ORDER BY e.id LIMIT most);

    UPDATE {schema}.scores s SET comment = NULL
        WHERE s.execution_id = ANY (old) AND s.comment IS NOT NULL;

    UPDATE {schema}.executions x
        SET input = NULL, appended = NULL, output = NULL, error = NULL,
            tool_calls = NULL, output_errors = NULL, provider_message = NULL,
            subject = NULL, metadata = NULL
        WHERE x.id = ANY (old) AND x.id > above AND x.id < below
              AND x.status <> 'running'
              AND num_nonnulls(x.input, x.appended, x.output, x.error,
                               x.tool_calls, x.output_errors,
                               x.provider_message, x.subject, x.metadata) > 0;

    GET DIAGNOSTICS emptied = ROW_COUNT;

    above := CASE WHEN cardinality(old) < most THEN NULL ELSE old[most] END;
END
$$;

-- Takes so many of those below an id that are not there any more out of lists,
-- and sums of days before an hour; beginning behind a kind, which goes when
-- nothing of it is left: which kind was reached, NULL at the end, and how many
-- sums went.
CREATE FUNCTION prompt_log_forget(below uuid, until integer, most integer,
                                  INOUT behind bigint, OUT deleted integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    AS $$
DECLARE
    k     bigint;
    gone  integer;
    rest  integer := most;
BEGIN
    deleted := 0;

    PERFORM FROM {schema}.log_mark m FOR UPDATE;

    -- scores go first, as they are not told by a kind

    DELETE FROM {schema}.scores s WHERE s.id = ANY (ARRAY(
        SELECT x.id FROM {schema}.scores x
            WHERE x.execution_id < below
                  AND NOT EXISTS (SELECT FROM {schema}.executions e
                                  WHERE e.id = x.execution_id
                                        AND e.id < below)
            ORDER BY x.execution_id LIMIT most));

    IF found THEN
        RETURN;
    END IF;

    FOR k IN
        SELECT x.kind FROM {schema}.log_kinds x WHERE x.kind >= behind
            ORDER BY x.kind LIMIT most
    LOOP
        DELETE FROM {schema}.log_entries e
            WHERE e.kind = k AND e.id = ANY (ARRAY(
                SELECT l.id FROM {schema}.log_entries l
                    WHERE l.kind = k AND l.id < below
                          AND NOT EXISTS (
                              SELECT FROM {schema}.executions x
                                  WHERE x.id = l.id AND x.id < below)
                    ORDER BY l.id LIMIT rest));

        GET DIAGNOSTICS gone = ROW_COUNT;

        rest := rest - gone - 1;

        DELETE FROM {schema}.statistics s
            WHERE s.kind = k AND s.hour >= - until AND s.hour < until;

        GET DIAGNOSTICS gone = ROW_COUNT;

        rest := rest - gone;
        deleted := deleted + gone;
        behind := k;

        DELETE FROM {schema}.log_kinds x
            WHERE x.kind = k
                  AND NOT EXISTS (SELECT FROM {schema}.statistics s
                                  WHERE s.kind = k)
                  AND NOT EXISTS (SELECT FROM {schema}.log_entries e
                                  WHERE e.kind = k);

        IF rest <= 0 THEN
            RETURN;
        END IF;
    END LOOP;

    behind := NULL;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_months_old(uuid, text),
    prompt_executions_drop(uuid),
    prompt_executions_prune(uuid, integer, uuid),
    prompt_executions_empty(uuid, integer, uuid),
    prompt_log_forget(uuid, integer, integer, bigint) FROM PUBLIC;


-- Leaving: users who are disabled, and what they leave behind
--
-- By the owner of the tables.  What may be much goes in steps: each is a
-- transaction, gives the place of the next one, NULL where nothing is left,
-- and how much it did.  A place that begins with "wait" is where somebody else
-- is at it.  Who begins from the beginning only looks again.

CALL prompt_define($define$
-- Disables a user, and ends all sessions and keys of theirs, with those that
-- were made with these.  keep: keys of projects of several pass to who is the
-- first OWNER beside them, and may from then on what they might before.  (An
-- OWNER's key may what no scope says: so of others' "admin" is left out, and of
-- an EDITOR's "keys", which is for all keys of the project then.)
--
-- Names in the caches that are to be revoked, those also of what has ended or
-- passed within the time that a cache may know of it; what: session, key or
-- kept, once for each of which that is so from now on.
--
-- A sign-in, or a key that is made, holds the user's row: it was before this
-- one, which then sees it, or finds the user disabled.
CREATE FUNCTION prompt_user_disable(of_user uuid, keep boolean, OUT what text,
                                    OUT hash bytea)
    RETURNS SETOF record LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
#variable_conflict use_column
DECLARE
    since  timestamptz;
BEGIN
    UPDATE {schema}.users u SET disabled_at = coalesce(u.disabled_at, now())
        WHERE u.id = of_user RETURNING u.disabled_at INTO since;

    IF keep THEN
        RETURN QUERY
            WITH heirs AS (
                SELECT m.project_id, m.role, o.user_id
                    FROM {schema}.project_members m
                    CROSS JOIN LATERAL (
                        SELECT h.user_id FROM {schema}.project_members h
                            JOIN {schema}.users u ON u.id = h.user_id
                            WHERE h.project_id = m.project_id AND h.role = 4
                                  AND h.user_id <> of_user
                                  AND u.disabled_at IS NULL
                            ORDER BY h.since, h.user_id LIMIT 1 FOR SHARE) o
                    WHERE m.user_id = of_user AND m.role > 0),
            kept AS (
                SELECT k.id, h.user_id,
                       CASE h.role WHEN 4 THEN k.scopes
                       ELSE coalesce(nullif(k.scopes, 0), 207)
                            & CASE h.role WHEN 1 THEN 1 WHEN 2 THEN 7
                              ELSE 143 END
                       END AS scopes, h.role
                    FROM heirs h JOIN {schema}.api_keys k
                        ON k.project_id = h.project_id
                    WHERE k.user_id = of_user AND k.kind = 'key'
                          AND k.deleted_at IS NULL)
            UPDATE {schema}.api_keys k
                SET user_id = t.user_id, scopes = t.scopes
                FROM kept t
                WHERE k.id = t.id AND (t.scopes <> 0 OR t.role = 4)
                RETURNING 'kept', k.hash;
    END IF;

    IF since < now() AND since > now() - interval '70 seconds' THEN
        RETURN QUERY
            SELECT NULL, k.hash FROM {schema}.project_members m
                JOIN {schema}.api_keys k ON k.project_id = m.project_id
                WHERE m.user_id = of_user AND k.kind = 'key'
                      AND k.deleted_at IS NULL;
    END IF;

    RETURN QUERY
        WITH RECURSIVE mine AS (
            SELECT k.id FROM {schema}.api_keys k
                WHERE k.user_id = of_user
                      AND coalesce(k.deleted_at, now())
                          > now() - interval '70 seconds'
                      AND coalesce(least(k.expires_at,
                                         k.last_used_at + k.idle), now())
                          > now() - interval '1 hour'
            UNION
            SELECT k.id FROM mine m
                JOIN {schema}.api_keys k ON k.parent_id = m.id),
        ended AS (
            UPDATE {schema}.api_keys k
                SET deleted_at = least(k.deleted_at, now())
                FROM mine m WHERE k.id = m.id
                RETURNING k.kind, k.hash, k.deleted_at = now() AS lived)
        SELECT CASE WHEN e.lived AND h = e.hash THEN e.kind END, h
            FROM ended e CROSS JOIN LATERAL (
                SELECT e.hash WHERE e.kind = 'key'
                UNION ALL
                SELECT {schema}.prompt_session_hashes(e.hash, of_user)
                    WHERE e.kind = 'session') n (h);
END
$$;

-- The projects of several that would be left without an OWNER.
CREATE FUNCTION prompt_user_owns(of_user uuid, OUT id uuid, OUT name text)
    RETURNS SETOF record LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp
    AS $$
    SELECT p.id, p.name FROM {schema}.project_members m
        JOIN {schema}.projects p ON p.id = m.project_id
        WHERE m.user_id = $1 AND m.role = 4 AND p.user_id IS NULL
              AND p.state = 0
              AND NOT EXISTS (
                  SELECT FROM {schema}.project_members o
                      JOIN {schema}.users u ON u.id = o.user_id
                      WHERE o.project_id = p.id AND o.role = 4
                            AND o.user_id <> $1 AND u.disabled_at IS NULL)
        ORDER BY p.name, p.id
$$;

-- A user leaves a project of several; where nobody else is an OWNER, heir
-- becomes one.  No row where there is no such project any more.  Else one at
-- least: what: left, given; or held, where there is no heir; role: which it
-- was; hash: a name in the caches of the heir's, to be revoked.
CREATE FUNCTION prompt_user_leave(of_user uuid, heir uuid, OUT what text,
                                  OUT project text, OUT hash bytea,
                                  OUT project_id uuid, OUT role smallint)
    RETURNS SETOF record LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
#variable_conflict use_column
DECLARE
    p  {schema}.projects;
BEGIN
    -- as whoever changes a role holds it

    SELECT x.* INTO p FROM {schema}.project_members m
        JOIN {schema}.projects x ON x.id = m.project_id
        WHERE m.user_id = of_user AND m.role > 0 AND x.user_id IS NULL
        ORDER BY x.id LIMIT 1 FOR NO KEY UPDATE OF x;

    IF NOT found THEN
        RETURN;
    END IF;

    project := p.name;
    project_id := p.id;
    what := 'left';

    SELECT m.role INTO role FROM {schema}.project_members m
        WHERE m.project_id = p.id AND m.user_id = of_user;

    IF EXISTS (SELECT FROM {schema}.prompt_user_owns(of_user) o
               WHERE o.id = p.id)
    THEN
        what := CASE WHEN heir IS NULL THEN 'held' ELSE 'given' END;
    END IF;

    IF what = 'given' THEN
        INSERT INTO {schema}.project_members AS m (project_id, user_id, role)
            VALUES (p.id, heir, 4)
            ON CONFLICT (project_id, user_id) DO UPDATE SET role = 4;
    END IF;

    IF what <> 'held' THEN
        UPDATE {schema}.project_members m SET role = 0
            WHERE m.project_id = p.id AND m.user_id = of_user;
    END IF;

    RETURN NEXT;

    IF what = 'given' THEN
        RETURN QUERY SELECT NULL, NULL, h, NULL::uuid, NULL::smallint
            FROM {schema}.prompt_member_hashes(p.id, heir) h;
    END IF;
END
$$;

-- Gives a prompt to another project, under another name where its own is taken
-- there.  All that says whose it is changes at once; executions stay with who
-- paid for them.
CREATE FUNCTION prompt_user_give(of_user uuid, of_prompt uuid, heir uuid)
    RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    base  text := (SELECT p.name FROM {schema}.prompts p
                   WHERE p.id = of_prompt);
    free  text := base;
    n     integer := 1;
BEGIN
    WHILE EXISTS (SELECT FROM {schema}.prompts p
                  WHERE p.owner_id = heir AND p.name = free)
    LOOP
        n := n + 1;
        free := rtrim(left(base, 116), '-') || '-' || n;
    END LOOP;

    WITH v AS (
        UPDATE {schema}.prompt_versions x SET owner_id = heir,
            created_by = nullif(coalesce(x.created_by, of_user), heir)
            WHERE x.prompt_id = of_prompt),
    l AS (
        UPDATE {schema}.prompt_labels x SET owner_id = heir,
            set_by = nullif(coalesce(x.set_by, of_user), heir)
            WHERE x.prompt_id = of_prompt),
    m AS (
        UPDATE {schema}.prompt_label_moves x SET owner_id = heir,
            moved_by = nullif(coalesce(x.moved_by, of_user), heir)
            WHERE x.prompt_id = of_prompt)
    UPDATE {schema}.prompts p SET owner_id = heir, name = free,
        created_by = nullif(coalesce(p.created_by, of_user), heir),
        updated_at = greatest(now(), p.updated_at + interval '1 millisecond')
        WHERE p.id = of_prompt;
END
$$;

-- A dataset goes to another project, under another name where its own is taken
-- there; NULL: it is hidden, to be removed.
CREATE FUNCTION prompt_user_dataset(of_user uuid, of_dataset uuid, heir uuid)
    RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    base  text;
    free  text;
    size  bigint;
    n     integer := 1;
BEGIN
    IF heir IS NULL THEN
        UPDATE {schema}.datasets d SET state = 1 WHERE d.id = of_dataset;
        RETURN;
    END IF;

    SELECT d.name, d.name, d.bytes INTO base, free, size
        FROM {schema}.datasets d WHERE d.id = of_dataset;

    WHILE EXISTS (SELECT FROM {schema}.datasets d
                  WHERE d.project_id = heir AND d.name = free
                        AND d.state = 0)
    LOOP
        n := n + 1;
        free := left(base, 116) || '-' || n;
    END LOOP;

    PERFORM {schema}.prompt_room(heir, 0, size, 1::bigint << 60,
                                 1::bigint << 60);

    UPDATE {schema}.datasets d SET project_id = heir, name = free,
        created_by = nullif(coalesce(d.created_by, of_user), heir)
        WHERE d.id = of_dataset;

    WITH b AS (
        UPDATE {schema}.budgets b SET project_id = heir
            FROM {schema}.runs r
            WHERE r.dataset_id = of_dataset AND b.run_id = r.id
            RETURNING b.id)
    UPDATE {schema}.budget_slots s SET project_id = heir
        FROM b WHERE s.budget_id = b.id;
END
$$;

-- A prompt of the personal project is given to that of the heir, or hidden;
-- what is hidden is removed.  place: prompt, version, execution.
CREATE FUNCTION prompt_user_prompts(of_user uuid, heir uuid, INOUT place text,
                                    OUT done integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    part    text[] := string_to_array(place, ' ');
    target  uuid;
    r       record;
BEGIN
    done := 0;

    IF cardinality(part) > 1 THEN
        target := part[1]::uuid;

    ELSE
        part := NULL;
        target := (SELECT p.id FROM {schema}.prompts p
                   WHERE p.owner_id = of_user AND p.state = 0
                   ORDER BY p.id LIMIT 1 FOR UPDATE SKIP LOCKED);

        IF target IS NOT NULL THEN
            IF heir IS NOT NULL THEN
                PERFORM {schema}.prompt_user_give(of_user, target, heir);
            ELSE
                UPDATE {schema}.prompts p
                    SET state = 1, name = '/' || p.id, is_public = false
                    WHERE p.id = target;
            END IF;

            done := 1;
            place := 'next';
            RETURN;
        END IF;

        -- a dataset of the personal project, likewise

        target := (SELECT d.id FROM {schema}.datasets d
                   WHERE d.project_id = of_user AND d.state = 0
                   ORDER BY d.id LIMIT 1 FOR UPDATE SKIP LOCKED);

        IF target IS NOT NULL THEN
            PERFORM {schema}.prompt_user_dataset(of_user, target, heir);
            place := 'next';
            RETURN;
        END IF;

        -- copies in the making are nobody's now

        UPDATE {schema}.prompts p SET state = 1
            WHERE p.owner_id = of_user AND p.state = 2;

        target := (SELECT p.id FROM {schema}.prompts p
                   WHERE p.owner_id = of_user ORDER BY random() LIMIT 1);

        IF target IS NULL THEN
            place := CASE WHEN {schema}.prompt_dataset_remove(of_user, 20)
                               IS NOT NULL THEN 'next'
                     WHEN EXISTS (SELECT FROM {schema}.datasets d
                                  WHERE d.project_id = of_user) THEN 'wait'
                     END;
            RETURN;
        END IF;
    END IF;

    SELECT * INTO r FROM {schema}.prompt_remove(target, part[2]::integer,
                                                part[3]::uuid, 20, 20);

    place := CASE WHEN r.prompt IS NULL THEN 'wait'
             WHEN r.version IS NULL THEN 'next'
             ELSE concat_ws(' ', r.prompt, r.version, r.execution) END;
END
$$;

-- Takes what a user put in, and got out, from the executions of theirs, in all
-- projects; when those that run have ended, which write it at their end.
-- place: project, whether of its own prompts, and above the next id.
CREATE FUNCTION prompt_user_executions(of_user uuid, INOUT place text,
                                       OUT done integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    AS $$
DECLARE
    last_id  uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    ends     timestamptz := clock_timestamp() + interval '20 milliseconds';
    part     text[] := string_to_array(place, ' ');
    project  uuid;
    own      boolean;
    below    uuid;
    ids      uuid[];
    low      uuid;
    high     uuid;
    n        integer;
BEGIN
    done := 0;

    IF cardinality(part) > 1 THEN
        project := part[1]::uuid;
        own := part[2]::boolean;
        below := part[3]::uuid;

    ELSIF {schema}.prompt_user_runs(of_user) THEN
        place := 'wait';
        RETURN;
    END IF;

    LOOP
        -- the next project where there is nothing more, first its own

        IF below IS NULL THEN
            IF own THEN
                own := false;
            ELSE
                project := (SELECT m.project_id FROM {schema}.project_members m
                            WHERE m.user_id = of_user
                                  AND (project IS NULL
                                       OR m.project_id > project)
                            ORDER BY m.project_id LIMIT 1);
                own := true;
            END IF;

            below := last_id;
        END IF;

        IF project IS NULL THEN
            place := NULL;
            RETURN;
        END IF;

        ids := ARRAY(SELECT x.id FROM {schema}.executions x
                     WHERE x.executed_by = project AND x.by_owner = own
                           AND x.id < below ORDER BY x.id DESC LIMIT 20);

        SELECT r.low, r.high INTO low, high
            FROM {schema}.prompt_ids_range(ids) r;

        UPDATE {schema}.executions x
            SET input = NULL, output = NULL, error = NULL, metadata = NULL,
                subject = NULL, appended = NULL, tool_calls = NULL,
                output_errors = NULL, provider_message = NULL
            WHERE x.id = ANY (ids) AND x.id >= low AND x.id <= high
                  AND coalesce(x.user_id, x.executed_by) = of_user
                  AND num_nonnulls(x.input, x.output, x.error, x.metadata,
                                   x.subject, x.appended, x.tool_calls,
                                   x.output_errors, x.provider_message) > 0;

        GET DIAGNOSTICS n = ROW_COUNT;

        UPDATE {schema}.scores s SET comment = NULL
            WHERE s.execution_id = ANY (ids) AND s.created_by = of_user
                  AND s.comment IS NOT NULL;

        done := done + n;
        below := CASE WHEN cardinality(ids) = 20 THEN low END;

        EXIT WHEN clock_timestamp() > ends;
    END LOOP;

    place := concat_ws(' ', project, own, coalesce(below, '00000000-0000-0000-'
                                                   '0000-000000000000'));
END
$$;

-- Whether a call of the user's is under way: it began a moment ago, or the
-- sweeper knows it and when it is over at the latest.
CREATE FUNCTION prompt_user_runs(of_user uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    AS $$
    SELECT EXISTS (
        SELECT FROM {schema}.project_members m
            CROSS JOIN LATERAL (
                SELECT FROM {schema}.executions x
                    WHERE x.executed_by = m.project_id
                          AND x.by_owner = ANY ('{true,false}')
                          AND x.id > {schema}.prompt_id_of(
                                  now() - interval '2 minutes')
                          AND coalesce(x.user_id, x.executed_by) = $1
                          AND x.status = 'running' LIMIT 1) r
            WHERE m.user_id = $1)
        OR EXISTS (
            SELECT FROM {schema}.executions_running r
                JOIN {schema}.executions x ON x.id = r.id
                WHERE r.deadline > now() - interval '1 minute'
                      AND coalesce(x.user_id, x.executed_by) = $1
                      AND x.status = 'running')
$$;

-- Deletes what is known of sessions, and of requests that were to be done once
-- and are not being done.
CREATE FUNCTION prompt_user_traces(of_user uuid, INOUT place text,
                                   OUT done integer)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    n  integer;
BEGIN
    DELETE FROM {schema}.api_keys k WHERE k.id IN (
        SELECT s.id FROM {schema}.api_keys s
            WHERE s.user_id = of_user AND s.kind = 'session' LIMIT 200);

    GET DIAGNOSTICS done = ROW_COUNT;

    DELETE FROM {schema}.idempotency_keys i WHERE i.ctid = ANY (ARRAY(
        SELECT s.ctid FROM {schema}.idempotency_keys s
            WHERE s.user_id = of_user
                  AND (s.status IS NOT NULL OR s.lease < now())
            LIMIT 20));

    GET DIAGNOSTICS n = ROW_COUNT;

    place := CASE WHEN done + n > 0 THEN 'next'
             WHEN EXISTS (SELECT FROM {schema}.idempotency_keys i
                          WHERE i.user_id = of_user) THEN 'wait' END;
END
$$;

-- What stays of a user is a name that says so, and figures.  False where
-- something has come meanwhile, of requests that were under way.
CREATE FUNCTION prompt_user_bury(of_user uuid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    IF EXISTS (SELECT FROM {schema}.prompts p WHERE p.owner_id = of_user)
       OR EXISTS (SELECT FROM {schema}.datasets d
                  WHERE d.project_id = of_user)
       OR EXISTS (SELECT FROM {schema}.project_members m
                  WHERE m.user_id = of_user AND m.project_id <> of_user
                        AND m.role > 0)
       OR EXISTS (SELECT FROM {schema}.idempotency_keys i
                  WHERE i.user_id = of_user)
       OR {schema}.prompt_user_runs(of_user)
       OR EXISTS (SELECT FROM {schema}.users u
                      JOIN {schema}.project_members m ON m.user_id = u.id
                      CROSS JOIN LATERAL (
                          SELECT FROM {schema}.executions x
                              WHERE x.executed_by = m.project_id
                                    AND x.by_owner = ANY ('{true,false}')
                                    AND x.id > {schema}.prompt_id_of(
                                            u.disabled_at)
                                    AND coalesce(x.user_id, x.executed_by)
                                        = of_user
                                    AND num_nonnulls(x.input, x.output) > 0
                              LIMIT 1) x
                  WHERE u.id = of_user)
    THEN
        RETURN false;
    END IF;

    UPDATE {schema}.users u
        SET email = 'deleted-' || u.id || '@deleted.invalid',
            name = 'Deleted user', password = NULL
        WHERE u.id = of_user AND u.disabled_at IS NOT NULL;

    RETURN found;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_user_disable(uuid, boolean),
    prompt_user_owns(uuid), prompt_user_leave(uuid, uuid),
    prompt_user_give(uuid, uuid, uuid), prompt_user_dataset(uuid, uuid, uuid),
    prompt_user_prompts(uuid, uuid, text),
    prompt_user_executions(uuid, text), prompt_user_runs(uuid),
    prompt_user_traces(uuid, text), prompt_user_bury(uuid) FROM PUBLIC;


-- Guards of splits
--
-- How the versions of a split do is looked at by one sweeper at a time, those
-- of a label after the other, for 20 ms, and of no label more often than every
-- twenty seconds.  What is passed is decided, and done, by who asks.

CALL prompt_define($define$
-- Whether any of these versions ran within the last hour.
CREATE FUNCTION prompt_guard_ran(of_prompt uuid, of_split json)
    RETURNS boolean LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
    AS $$
DECLARE
    first  uuid := {schema}.prompt_id_of(now() - interval '1 hour');
BEGIN
    RETURN EXISTS (
        SELECT FROM json_array_elements(of_split) x CROSS JOIN LATERAL (
            SELECT FROM {schema}.executions e
                WHERE e.prompt_id = of_prompt AND e.id >= first
                      AND e.version = (x ->> 'version')::integer LIMIT 1) e);
END
$$;

-- What the last 1,000 executions that the owner ran by a label of a version
-- were like, of the last 10,000 of it; not of what still runs, or was cancelled
-- or lost.  Latency and cost are those of what succeeded.  slower: than `than`
-- times `ms`; where that is NULL, ms is where the slowest of twenty begin.
CREATE FUNCTION prompt_guard_figures(of_prompt uuid, of_version integer,
                                     of_label text, since timestamptz,
                                     INOUT ms integer, than float8,
                                     OUT runs bigint, OUT failed bigint,
                                     OUT timed bigint, OUT slower bigint,
                                     OUT priced bigint, OUT mean float8,
                                     OUT variance float8)
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
    AS $$
DECLARE
    first  uuid := {schema}.prompt_id_of(since);
BEGIN
    SELECT count(*), count(*) FILTER (WHERE x.status = 'failed'),
           count(x.latency_ms) FILTER (WHERE x.status = 'succeeded'),
           count(*) FILTER (WHERE x.status = 'succeeded'
                                  AND x.latency_ms > than * ms),
           count(x.cost_usd) FILTER (WHERE x.status = 'succeeded'),
           coalesce(avg(x.cost_usd) FILTER (WHERE x.status = 'succeeded'), 0),
           coalesce(var_samp(x.cost_usd)
                    FILTER (WHERE x.status = 'succeeded'), 0),
           coalesce(ms, percentile_disc(0.95) WITHIN GROUP (
                            ORDER BY x.latency_ms)
                        FILTER (WHERE x.status = 'succeeded'))
        INTO runs, failed, timed, slower, priced, mean, variance, ms
        FROM (SELECT * FROM (
                  SELECT e.status, e.latency_ms, e.cost_usd, e.label, e.by_owner
                      FROM {schema}.executions e
                      WHERE e.prompt_id = of_prompt AND e.version = of_version
                            AND e.id >= first
                      ORDER BY e.id DESC LIMIT 10000) e
              WHERE e.label = of_label AND e.by_owner
                    AND e.status IN ('succeeded', 'failed')
              LIMIT 1000) x;
END
$$;

-- Of some labels with a guard whose versions run: a row for each version that
-- has a share, beside what the label's `version` is like, and a row for that,
-- whose `arm` it is; and a last one, without a label, where there are more to
-- be looked at.
CREATE FUNCTION prompt_guards_sweep()
    RETURNS TABLE (prompt_id uuid, owner_id uuid, name text, label text,
                   split_at timestamptz, guard json, version integer,
                   arm integer, runs bigint, failed bigint, timed bigint,
                   slower bigint, priced bigint, mean float8, variance float8,
                   base_timed bigint, base_priced bigint, base_mean float8,
                   base_variance float8)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_sort = off
    SET jit = off
    AS $$
#variable_conflict use_column
DECLARE
    ends  timestamptz := clock_timestamp() + interval '20 milliseconds';
    m     {schema}.label_guards;
    l     record;
    a     record;
    b     record;
BEGIN
    SELECT g.* INTO m FROM {schema}.label_guards g FOR UPDATE SKIP LOCKED;

    IF NOT found
       OR (m.label = '' AND m.begun_at > now() - interval '19 seconds'
           AND m.begun_at <= now())
    THEN
        RETURN;
    END IF;

    IF m.label = '' THEN
        m.begun_at := now();
    END IF;

    LOOP
        SELECT x.*, p.name AS prompt INTO l FROM {schema}.prompt_labels x
            JOIN {schema}.prompts p ON p.id = x.prompt_id AND p.state = 0
            WHERE x.guard IS NOT NULL
                  AND (x.prompt_id, x.label) > (m.prompt_id, m.label)
            ORDER BY x.prompt_id, x.label LIMIT 1;

        EXIT WHEN NOT found OR clock_timestamp() > ends;

        m.prompt_id := l.prompt_id;
        m.label := l.label;

        CONTINUE WHEN NOT {schema}.prompt_guard_ran(l.prompt_id, l.split);

        SELECT * INTO b FROM {schema}.prompt_guard_figures(
            l.prompt_id, l.version, l.label, l.split_at, NULL, NULL);

        RETURN QUERY SELECT l.prompt_id, l.owner_id, l.prompt, l.label,
            l.split_at, l.guard, l.version, l.version, b.runs, b.failed,
            b.timed, 0::bigint, b.priced, b.mean, b.variance, b.timed,
            b.priced, b.mean, b.variance;

        FOR a IN SELECT (x ->> 'version')::integer AS version
                     FROM json_array_elements(l.split) x
                     WHERE (x ->> 'permille')::integer > 0
        LOOP
            CONTINUE WHEN a.version = l.version;

            RETURN QUERY SELECT l.prompt_id, l.owner_id, l.prompt, l.label,
                l.split_at, l.guard, l.version, a.version, f.runs, f.failed,
                f.timed, f.slower, f.priced, f.mean, f.variance, b.timed,
                b.priced, b.mean, b.variance
                FROM {schema}.prompt_guard_figures(
                    l.prompt_id, a.version, l.label, l.split_at, b.ms,
                    (l.guard ->> 'maxLatencyRatio')::float8) f;
        END LOOP;
    END LOOP;

    -- a round that is over, or in which nothing was left to look at

    IF l.prompt_id IS NULL THEN
        m.prompt_id := '00000000-0000-0000-0000-000000000000';
        m.label := '';
    ELSE
        label := NULL;
        RETURN NEXT;
    END IF;

    UPDATE {schema}.label_guards g SET prompt_id = m.prompt_id,
        label = m.label, begun_at = m.begun_at;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_guard_ran(uuid, json),
    prompt_guard_figures(uuid, integer, text, timestamptz, integer, float8),
    prompt_guards_sweep() FROM PUBLIC;


-- Audit: who changed what, by the month
--
-- Each change adds its row by its own statement: where it is rolled back, there
-- is none.  The service can add and read rows, and nothing else.  No reference:
-- rows outlive what they are about.

CREATE TABLE audit (
    id            uuid NOT NULL,
    -- who may read it; NULL: operators alone
    project_id    uuid,
    -- NULL: an operator, or who did not sign in
    user_id       uuid,
    -- NULL: in a session
    key_id        uuid,
    address       text,
    -- a root field, signIn, signOut, signInRefused, promptctl user add, ...
    action        text NOT NULL,
    -- what it was done to: its type in the API, and its name as it was then
    subject       text,
    subject_id    uuid,
    subject_name  text,
    -- {"before": {...}, "after": {...}, ...}: no contents, no secrets
    detail        json,
    trace_id      bytea
) PARTITION BY RANGE (id);

-- ascending: pages of it are filled then, as rows of a project come
CREATE INDEX audit_project_idx ON audit (project_id, id);

CREATE TABLE audit_before PARTITION OF audit
    FOR VALUES FROM (MINVALUE) TO (prompt_id_month(now(), 0));

CREATE TABLE audit_later PARTITION OF audit
    FOR VALUES FROM (prompt_id_month(now(), 0)) TO (MAXVALUE);

SELECT prompt_months_ahead('audit');

CALL prompt_define($define$
-- As prompt_executions_drop(): nothing is counted before.
CREATE FUNCTION prompt_audit_drop(below uuid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET lock_timeout = '100ms'
    AS $$
DECLARE
    old  record;
BEGIN
    SELECT * INTO old FROM {schema}.prompt_months_old(below, 'audit');

    IF old.part IS NULL THEN
        RETURN false;
    END IF;

    PERFORM {schema}.prompt_months_lock(
                'audit', to_regclass('{literal}.audit_before'));

    IF old.low IS NOT NULL
       AND pg_relation_size(to_regclass('{literal}.audit_before')) > 0
    THEN
        RETURN false;
    END IF;

    PERFORM {schema}.prompt_months_drop(old.part, old.low, old.high, 'audit');

    RETURN true;
END
$$;
$define$);

REVOKE ALL ON FUNCTION prompt_audit_drop(uuid) FROM PUBLIC;


DROP PROCEDURE prompt_define(text);

-- afterwards

-- steps: SELECT what, sql FROM prompt_months_step()
