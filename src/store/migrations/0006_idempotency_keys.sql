-- compatible: 1
--
-- What is known of requests that carry an Idempotency-Key: one row a user and
-- key, for 24 hours.
--
-- Whoever does the request holds the row, under an id of its own, until the
-- lease runs out, which it renews.  Each change says in its own transaction,
-- in steps, that it was made, and only while the row is held: so where another
-- took the row over, what is not in steps was not done, and never will be.

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

-- those that are to go
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
