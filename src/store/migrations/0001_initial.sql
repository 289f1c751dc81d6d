-- Users, API keys, prompts, versions and executions.
--
-- Ids are UUIDv7 made by the module.  created_at is the time inside the id,
-- so "newest first, then by id" is the order of the ids alone, and no index
-- or sort is spent on the time.

-- the time in the first 48 bits of a UUIDv7 (milliseconds since 1970)
CREATE FUNCTION prompt_uuid_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_timestamp(
        ('x' || substr(replace($1::text, '-', ''), 1, 12))::bit(48)::bigint
        / 1000.0::double precision)
$$;

-- Lower case for searching.  By ICU where the server has it, because the
-- lower() of a database with locale C knows ASCII only.
DO $do$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_collation
               WHERE collname = 'und-x-icu'
                     AND collnamespace = 'pg_catalog'::regnamespace) THEN
        CREATE FUNCTION prompt_fold(text) RETURNS text
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT lower($1 COLLATE pg_catalog."und-x-icu")
        $$;
    ELSE
        CREATE FUNCTION prompt_fold(text) RETURNS text
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT lower($1)
        $$;
    END IF;
END
$do$;


-- Which database this is: random bytes, which promptctl migrate makes where
-- there are none.
CREATE TABLE prompt_database (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    random  bytea NOT NULL CHECK (octet_length(random) = 16)
);

-- The identifier of the cluster.  A function of its own, as whether it may be
-- read is looked at where it is called.
CREATE FUNCTION prompt_cluster() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT system_identifier FROM pg_control_system()
$$;

REVOKE ALL ON FUNCTION prompt_cluster() FROM PUBLIC;

-- What a copy has not, by dump or as a template, nor another cluster.  With the
-- rights of the owner, so that everybody is told the same; NULL where there is
-- no row.
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_identity() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT ('x' || left(encode(sha256(p.random || int8send(d.oid::bigint)
                || CASE WHEN has_function_privilege('pg_control_system()',
                                                    'EXECUTE')
                   THEN int8send(%1$I.prompt_cluster()) ELSE '' END), 'hex'),
                        16))::bit(64)::bigint
        FROM %1$I.prompt_database p, pg_database d
        WHERE d.datname = current_database()
$$;
$f$, current_schema());
END
$do$;

REVOKE ALL ON FUNCTION prompt_identity() FROM PUBLIC;


CREATE TABLE users (
    id          uuid PRIMARY KEY,
    email       text NOT NULL
                CHECK (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'
                       AND char_length(email) <= 320),
    name        text CHECK (char_length(name) <= 200),
    created_at  timestamptz NOT NULL
                GENERATED ALWAYS AS (prompt_uuid_time(id)) STORED
);

-- ASCII alone is folded, whatever the database's locale has of other letters
CREATE UNIQUE INDEX users_email_key ON users (lower(email COLLATE "C"));


-- A key itself is never stored, only its SHA-256.  Deleting marks the row:
-- deleting again can then repeat the revocation in Redis.
CREATE TABLE api_keys (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    hash        bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    name        text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 128),
    hint        text NOT NULL CHECK (char_length(hint) <= 32),
    -- 1 read, 2 write, 4 execute, 8 keys; 0: all that the user may
    scopes      integer NOT NULL DEFAULT 0 CHECK (scopes BETWEEN 0 AND 15),
    created_at  timestamptz NOT NULL
                GENERATED ALWAYS AS (prompt_uuid_time(id)) STORED,
    expires_at  timestamptz,
    deleted_at  timestamptz
);

CREATE INDEX api_keys_user_id_idx ON api_keys (user_id, id);


CREATE TABLE prompts (
    id            uuid PRIMARY KEY,
    owner_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 128),
    description   text CHECK (char_length(description) <= 10000),
    category      text NOT NULL
                  CHECK (category IN ('GENERAL', 'SUMMARIZATION', 'ANALYSIS',
                                      'GENERATION', 'CLASSIFICATION',
                                      'EXTRACTION', 'ROUTING', 'CUSTOM')),
    is_public     boolean NOT NULL DEFAULT false,
    -- the number of the latest version, 0 where there is none yet
    last_version  integer NOT NULL DEFAULT 0 CHECK (last_version >= 0),
    created_at    timestamptz NOT NULL
                  GENERATED ALWAYS AS (prompt_uuid_time(id)) STORED,
    updated_at    timestamptz NOT NULL,

    UNIQUE (owner_id, name),
    -- the way to the list of an owner, and what versions refer to
    UNIQUE (owner_id, id)
) WITH (fillfactor = 90);


-- Immutable.  The owner, who never changes, stands here too: all versions of
-- an owner's prompts are one range of one index.  json, not jsonb: what was
-- sent comes back.
CREATE TABLE prompt_versions (
    id            uuid PRIMARY KEY,
    prompt_id     uuid NOT NULL,
    owner_id      uuid NOT NULL,
    version       integer NOT NULL CHECK (version > 0),
    content       text NOT NULL CHECK (octet_length(content) <= 1048576),
    params        json NOT NULL
                  CHECK (octet_length(params::text) <= 262144),
    input_schema  json
                  CHECK (octet_length(input_schema::text) <= 262144),
    created_at    timestamptz NOT NULL
                  GENERATED ALWAYS AS (prompt_uuid_time(id)) STORED,

    UNIQUE (prompt_id, version),
    FOREIGN KEY (owner_id, prompt_id) REFERENCES prompts (owner_id, id)
        ON DELETE CASCADE
);

CREATE INDEX prompt_versions_owner_id_idx
    ON prompt_versions (owner_id, prompt_id DESC, version);


CREATE TABLE executions (
    id           uuid PRIMARY KEY,
    prompt_id    uuid NOT NULL,
    version      integer NOT NULL,
    executed_by  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- whether executed_by is the owner of the prompt
    by_owner     boolean NOT NULL,
    status       text NOT NULL
                 CHECK (status IN ('running', 'succeeded', 'failed',
                                   'cancelled', 'lost')),
    model        text,
    input        json,
    output       text,
    error        text,
    latency_ms   integer CHECK (latency_ms >= 0),
    token_in     integer CHECK (token_in >= 0),
    token_out    integer CHECK (token_out >= 0),
    cost_usd     numeric CHECK (cost_usd >= 0),
    created_at   timestamptz NOT NULL
                 GENERATED ALWAYS AS (prompt_uuid_time(id)) STORED,
    -- when the call is over at the latest: what the sweeper looks at
    deadline     timestamptz,
    finished_at  timestamptz,

    FOREIGN KEY (prompt_id, version)
        REFERENCES prompt_versions (prompt_id, version) ON DELETE CASCADE
);

-- what the owner of a prompt reads: all executions of a version
CREATE INDEX executions_version_idx
    ON executions (prompt_id, version, id DESC);

-- what anybody else reads: their own, however many others there are
CREATE INDEX executions_guest_idx
    ON executions (executed_by, prompt_id, version, id DESC)
    WHERE NOT by_owner;

CREATE INDEX executions_running_idx
    ON executions (deadline) WHERE status = 'running';
