-- compatible: 1
--
-- People: passwords, and sessions, which are keys of another kind.
--
-- deleted_at of a session that lives is infinity: modules and promptctl of
-- older schemas, which know of no kinds, take it for a deleted key.  So they
-- neither list nor accept it, and what they delete again stays as it is.

LOCK TABLE users, api_keys;

-- Argon2id with its parameters, as libargon2 encodes it; NULL: none was set
ALTER TABLE users ADD COLUMN password text;

ALTER TABLE api_keys
    ADD COLUMN kind text NOT NULL DEFAULT 'key',
    ADD COLUMN last_used_at timestamptz,
    -- of a session: how long it may rest, and where it was begun
    ADD COLUMN idle interval,
    ADD COLUMN address text,
    -- the address; of IPv6 the first 64 bits
    ADD COLUMN network text,
    ADD COLUMN user_agent text,
    DROP CONSTRAINT api_keys_scopes_check,
    -- 1 read, 2 write, 4 execute, 8 keys, 16 session; 0: all but the last
    ADD CONSTRAINT api_keys_kind_check CHECK (
        CASE kind
            WHEN 'key' THEN scopes BETWEEN 0 AND 15
            WHEN 'session' THEN scopes = 31 AND expires_at IS NOT NULL
                                AND idle IS NOT NULL
                                AND last_used_at IS NOT NULL
                                AND deleted_at IS NOT NULL
            ELSE false
        END) NOT VALID,
    -- last_used_at stands in no index, and has room beside the row
    SET (fillfactor = 70);


-- Deletes sessions of more than 31 days ago; none lives for so long.  Until
-- then a row says from where its user has signed in.
DO $do$
BEGIN
    EXECUTE format($f$
CREATE FUNCTION prompt_sessions_sweep(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    old   uuid := (lpad(to_hex((extract(epoch FROM now() - interval '31 days')
                                * 1000)::bigint), 12, '0')
                   || repeat('0', 20))::uuid;
    gone  integer;
BEGIN
    DELETE FROM %1$I.api_keys k
        WHERE k.id IN (SELECT s.id FROM %1$I.api_keys s
                       WHERE s.kind = 'session' AND s.id < old
                       ORDER BY s.id LIMIT most FOR UPDATE SKIP LOCKED);

    GET DIAGNOSTICS gone = ROW_COUNT;

    RETURN gone;
END
$$;
$f$, current_schema());
END
$do$;

REVOKE ALL ON FUNCTION prompt_sessions_sweep(integer) FROM PUBLIC;

-- afterwards

-- where they were begun, and of which accounts
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_sessions_idx
    ON api_keys (network, user_id, id) WHERE kind = 'session';

-- those of an account that are not over
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_sessions_end_idx
    ON api_keys (user_id, expires_at) WHERE kind = 'session';

-- the keys of an account, which may have many more sessions
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_listed_idx
    ON api_keys (user_id, id) WHERE kind = 'key' AND deleted_at IS NULL;

-- the oldest first
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_sessions_age_idx
    ON api_keys (id) WHERE kind = 'session';
