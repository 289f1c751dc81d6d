-- compatible: 3
--
-- Executions by the month.
--
-- Ids are UUIDv7, so a month is a range of them, and a partition of its own:
-- what is old goes as a whole.  The partitions cover all ids there can be.
-- The first one, executions_before, has what is older than the second one; the
-- last one, executions_later, is empty but for ids of clocks that are wrong,
-- and months are cut off its beginning before they come.  There is no default
-- partition: with one PostgreSQL could not read the partitions one after the
-- other in the order of the ids.
--
-- The table that is there becomes executions_before.  No row of it is written:
-- promptctl takes the steps below, one after the other, outside of this
-- transaction, and where it is broken off, the next one goes on.  An empty
-- table needs none of them.
--
-- The key stays the id alone, since modules of before say ON CONFLICT (id),
-- and owner_id NULL where the owner ran it, as they would else read their own
-- executions twice.

SET LOCAL lock_timeout = '500ms';
LOCK TABLE prompt_versions, executions, users IN ACCESS EXCLUSIVE MODE;

-- when the sweeper looks whether there are months ahead
ALTER TABLE executions_sweep
    ADD COLUMN ahead_at timestamptz NOT NULL DEFAULT '-infinity';


-- the first id of a time, and of so many months behind the beginning of its
-- own, whatever the time zone
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

-- the least and the greatest of them: for PostgreSQL to know which months an
-- array of ids is about
CREATE FUNCTION prompt_ids_range(ids uuid[], OUT low uuid, OUT high uuid)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (SELECT i FROM unnest($1) i ORDER BY i LIMIT 1),
           (SELECT i FROM unnest($1) i ORDER BY i DESC LIMIT 1)
$$;


-- these get a parameter more
DROP FUNCTION prompt_executions_sweep(integer);
DROP FUNCTION prompt_log_add(uuid[]);

-- Functions name what they use, as prompt_remove() does.  Some make statements
-- by format(), so their own names are put in by replace(): {schema} where a
-- name stands, {literal} in a literal, {format} in the literal of a format().
DO $do$
DECLARE
    text  text := $f$
CREATE FUNCTION prompt_id_month(timestamptz, months integer) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT {schema}.prompt_id_of(
        (date_trunc('month', $1 AT TIME ZONE 'UTC')
         + $2 * interval '1 month') AT TIME ZONE 'UTC')
$$;

-- The partitions in their order.  NULL: no limit.  None where the table is not
-- divided.
CREATE FUNCTION prompt_executions_parts(OUT part regclass, OUT low uuid,
                                        OUT high uuid)
    RETURNS SETOF record LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT i.inhrelid::regclass,
           substring(b.bound FROM 'FROM \(''([-0-9a-f]+)''\)')::uuid,
           substring(b.bound FROM 'TO \(''([-0-9a-f]+)''\)')::uuid AS high
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) b (bound)
        WHERE i.inhparent = to_regclass({executions})
        ORDER BY high NULLS LAST
$$;

-- A table as those that are there: with the options of the last one.
CREATE FUNCTION prompt_executions_table(name text) RETURNS regclass
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    parent   pg_class;
    pattern  pg_class;
BEGIN
    SELECT * INTO parent FROM pg_class c
        WHERE c.oid = to_regclass({executions});
    SELECT c.* INTO pattern FROM {schema}.prompt_executions_parts() p
        JOIN pg_class c ON c.oid = p.part ORDER BY p.high DESC NULLS FIRST
        LIMIT 1;

    EXECUTE format('CREATE TABLE {format}.%I (LIKE {format}.executions'
                   ' INCLUDING ALL EXCLUDING CONSTRAINTS EXCLUDING INDEXES'
                   ' EXCLUDING STATISTICS)%s TABLESPACE %I', name,
                   coalesce(' WITH ('
                            || array_to_string(pattern.reloptions, ', ')
                            || ')', ''),
                   coalesce((SELECT t.spcname FROM pg_tablespace t
                             WHERE t.oid = pattern.reltablespace),
                            (SELECT t.spcname FROM pg_database d
                             JOIN pg_tablespace t ON t.oid = d.dattablespace
                             WHERE d.datname = current_database())));
    EXECUTE format('ALTER TABLE {format}.%I OWNER TO %I', name,
                   pg_get_userbyid(parent.relowner));

    RETURN to_regclass(format('{format}.%I', name));
END
$$;

CREATE FUNCTION prompt_executions_attach(part regclass, low uuid, high uuid)
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE {format}.executions ATTACH PARTITION %s'
                   ' FOR VALUES FROM (%s) TO (%s)', part,
                   coalesce(quote_literal(low), 'MINVALUE'),
                   coalesce(quote_literal(high), 'MAXVALUE'));
END
$$;

-- The switch: what is there becomes a part of the table, below a bound that
-- its CHECK has proved, and so without being read.  What is there is either
-- the table that was not divided, or executions_later, where that has grown.
CREATE FUNCTION prompt_executions_divide(bound uuid) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    part  regclass;
    since uuid;
BEGIN
    LOCK TABLE ONLY {schema}.prompt_versions, ONLY {schema}.executions,
               ONLY {schema}.users IN ACCESS EXCLUSIVE MODE;

    SELECT p.part, p.low INTO part, since
        FROM {schema}.prompt_executions_parts() p WHERE p.high IS NULL;

    -- done by one that was broken off, but ended after that

    IF since >= bound THEN
        RETURN;
    END IF;

    IF part IS NULL THEN
        part := {schema}.prompt_executions_parent();
    ELSE
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', part);
        EXECUTE format('ALTER TABLE {format}.executions DETACH PARTITION %s',
                       part);
        EXECUTE format('ALTER TABLE %s RENAME TO %I', part,
                       {schema}.prompt_executions_name(since));
        PERFORM {schema}.prompt_executions_free(part);
    END IF;

    PERFORM {schema}.prompt_executions_attach(part, since, bound);
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS'
                   ' executions_bound', part);
    PERFORM {schema}.prompt_executions_attach(
        {schema}.prompt_executions_table('executions_later'), bound, NULL);
END
$$;

CREATE FUNCTION prompt_executions_name(since uuid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT 'executions_' || to_char({schema}.prompt_id_time($1)
                                    AT TIME ZONE 'UTC', 'YYYY_MM')
$$;

-- Gives the table's indexes names with the table's own, so that those that
-- they had are free.
CREATE FUNCTION prompt_executions_free(part regclass) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    name  text := (SELECT c.relname FROM pg_class c WHERE c.oid = part);
    i     record;
BEGIN
    FOR i IN
        SELECT c.oid::regclass AS index,
               regexp_replace(c.relname, '^executions_(later_)?', '') AS rest
            FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
            WHERE x.indrelid = part
                  AND c.oid IS DISTINCT FROM to_regclass({running})
    LOOP
        EXECUTE format('ALTER INDEX %s RENAME TO %I', i.index,
                       name || '_' || i.rest);
    END LOOP;
END
$$;

-- Makes the table that is divided, in place of the one that is not: with its
-- columns, keys, indexes, triggers and rights.  Gives the other one.
CREATE FUNCTION prompt_executions_parent() RETURNS regclass
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    part      regclass := to_regclass({executions});
    commands  text[];
    command   text;
    t         record;
BEGIN
    IF EXISTS (SELECT FROM pg_index i
               WHERE i.indrelid = part AND NOT i.indisvalid)
    THEN
        RAISE EXCEPTION 'an index of executions is not ready';
    END IF;

    SELECT array_agg(c.command ORDER BY c.first) INTO commands FROM (
        SELECT 1 AS first, format('ALTER TABLE {format}.executions'
                                  ' ADD CONSTRAINT %I %s', k.conname,
                                  pg_get_constraintdef(k.oid)) AS command
            FROM pg_constraint k
            WHERE k.conrelid = part AND k.contype IN ('p', 'f')
        UNION ALL
        SELECT 2, pg_get_indexdef(i.indexrelid) FROM pg_index i
            WHERE i.indrelid = part AND NOT i.indisprimary
                  AND i.indexrelid IS DISTINCT FROM to_regclass({running})
        UNION ALL
        SELECT 3, pg_get_triggerdef(g.oid) FROM pg_trigger g
            WHERE g.tgrelid = part AND NOT g.tgisinternal
        UNION ALL
        SELECT 4, format('GRANT %s%s ON {format}.executions TO %s%s',
                         a.privilege_type, ' (' || quote_ident(a.attname)
                                           || ')',
                         CASE WHEN a.grantee = 0 THEN 'PUBLIC'
                         ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                         CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION'
                         END)
            FROM (SELECT e.*, NULL AS attname
                      FROM pg_class c, aclexplode(c.relacl) e
                      WHERE c.oid = part AND e.grantee <> c.relowner
                  UNION ALL
                  SELECT e.*, u.attname
                      FROM pg_attribute u, aclexplode(u.attacl) e
                      WHERE u.attrelid = part AND NOT u.attisdropped) a) c;

    FOR t IN SELECT g.tgname FROM pg_trigger g
        WHERE g.tgrelid = part AND NOT g.tgisinternal
    LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, part);
    END LOOP;

    ALTER TABLE {schema}.executions RENAME TO executions_before;
    PERFORM {schema}.prompt_executions_free(part);

    CREATE TABLE {schema}.executions (
        LIKE {schema}.executions_before INCLUDING ALL EXCLUDING CONSTRAINTS
             EXCLUDING INDEXES EXCLUDING STATISTICS) PARTITION BY RANGE (id);
    EXECUTE format('ALTER TABLE {format}.executions OWNER TO %I',
                   (SELECT pg_get_userbyid(c.relowner) FROM pg_class c
                    WHERE c.oid = part));

    FOREACH command IN ARRAY commands LOOP
        EXECUTE format('%s', command);
    END LOOP;

    RETURN part;
END
$$;

-- Where the step for which executions_bound was made did not come, it must be
-- gone before its time does: it refuses what is later.
CREATE FUNCTION prompt_executions_bound(OUT part regclass, OUT bound uuid,
                                        OUT proved boolean)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.conrelid::regclass,
           substring(pg_get_constraintdef(k.oid)
                     FROM '''([-0-9a-f]+)''::')::uuid, k.convalidated
        FROM pg_constraint k
        WHERE k.conname = 'executions_bound' AND k.conrelid IN (
            to_regclass({executions}), to_regclass({later}))
        LIMIT 1
$$;

-- Makes this month and the next two, where there are none: how many were made.
-- What executions_later has of them goes into them; where that is much,
-- nothing is done (-1), and promptctl does it in steps.
CREATE FUNCTION prompt_executions_ahead() RETURNS integer
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    most   integer := 12;
    ends   uuid := {schema}.prompt_id_month(now(), 3);
    later  regclass;
    since  uuid;
    until  uuid;
    part   regclass;
    parts  regclass[] := '{}';
    lows   uuid[] := '{}';
    b      record;
BEGIN
    SELECT * INTO b FROM {schema}.prompt_executions_bound();

    IF b.bound < {schema}.prompt_id_of(now() + interval '1 day') THEN
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT executions_bound',
                       b.part);
    END IF;

    since := (SELECT p.low FROM {schema}.prompt_executions_parts() p
              WHERE p.high IS NULL);

    IF since IS NULL OR since >= ends THEN
        RETURN 0;
    END IF;

    LOCK TABLE ONLY {schema}.prompt_versions, ONLY {schema}.executions,
               ONLY {schema}.executions_later, ONLY {schema}.users
        IN ACCESS EXCLUSIVE MODE;

    SELECT p.part, p.low INTO later, since
        FROM {schema}.prompt_executions_parts() p WHERE p.high IS NULL;

    IF (SELECT count(*) FROM (SELECT FROM {schema}.executions_later
                              LIMIT 1001) l) > 1000
    THEN
        RETURN -1;
    END IF;

    WHILE since < ends AND cardinality(parts) < most LOOP
        until := {schema}.prompt_id_month(
                     {schema}.prompt_id_time(since), 1);
        part := {schema}.prompt_executions_table(
                    {schema}.prompt_executions_name(since));

        EXECUTE format('INSERT INTO %s SELECT * FROM %s'
                       ' WHERE id >= %L AND id < %L', part, later, since,
                       until);

        parts := parts || part;
        lows := lows || since;
        since := until;
    END LOOP;

    part := {schema}.prompt_executions_table('executions_rest');
    EXECUTE format('INSERT INTO %s SELECT * FROM %s WHERE id >= %L', part,
                   later, since);
    EXECUTE format('DROP TABLE %s', later);
    ALTER TABLE {schema}.executions_rest RENAME TO executions_later;

    parts := parts || part;
    lows := lows || since;

    FOR i IN 1 .. cardinality(parts) LOOP
        PERFORM {schema}.prompt_executions_attach(parts[i], lows[i],
                                                  lows[i + 1]);
    END LOOP;

    RETURN cardinality(parts) - 1;
END
$$;

-- What promptctl is to do next, and in which words it says so; NULL: nothing.
CREATE FUNCTION prompt_executions_step(OUT what text, OUT sql text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    part   regclass;
    since  uuid;
    last   uuid;
    many   boolean := true;
    b      record;
BEGIN
    -- who makes months just now, a sweeper say, is waited for

    LOCK TABLE ONLY {schema}.executions IN ACCESS SHARE MODE;

    SELECT p.part, p.low INTO part, since
        FROM {schema}.prompt_executions_parts() p WHERE p.high IS NULL;

    IF part IS NULL THEN
        part := to_regclass({executions});
    ELSE
        EXECUTE format('SELECT count(*) > 1000 FROM (SELECT FROM %s'
                       ' LIMIT 1001) l', part) INTO many;
    END IF;

    IF NOT many THEN
        IF since < {schema}.prompt_id_month(now(), 3) THEN
            what := 'months of executions are made ahead';
            sql := 'SELECT {literal}.prompt_executions_ahead()';
        END IF;

        RETURN;
    END IF;

    SELECT * INTO b FROM {schema}.prompt_executions_bound();

    IF b.bound < {schema}.prompt_id_of(now() + interval '2 days') THEN
        what := 'a bound that is near is taken away';
        sql := format('ALTER TABLE %s DROP CONSTRAINT executions_bound',
                      b.part);

    ELSIF b.proved THEN
        what := 'the executions that there are become a part';
        sql := format('SELECT {format}.prompt_executions_divide(%L)',
                      b.bound);

    ELSIF b.bound IS NOT NULL THEN
        what := 'executions are read, for their bound';
        sql := format('ALTER TABLE %s VALIDATE CONSTRAINT executions_bound',
                      b.part);

    ELSE
        EXECUTE format('SELECT id FROM %s ORDER BY id DESC LIMIT 1', part)
            INTO last;

        IF last > {schema}.prompt_id_of(now() + interval '32 days') THEN
            RAISE EXCEPTION 'executions have ids of the time to come, up to '
                '%, by a clock that was wrong: see "Months" in operating.md',
                last;
        END IF;

        what := 'executions get a bound';

        -- both ends, since the table has none while it is in no other one

        sql := format('ALTER TABLE %s ADD CONSTRAINT executions_bound'
                      ' CHECK (id < %L%s) NOT VALID', part,
                      {schema}.prompt_id_month(
                          greatest(now(), {schema}.prompt_id_time(last))
                          + interval '3 days', 1),
                      ' AND id >= ' || quote_literal(since));
    END IF;
END
$$;

-- The partition that may go as a whole, if all below an id is to: the first
-- one is emptied, the second one dropped.  NULL: there is none.
CREATE FUNCTION prompt_executions_old(below uuid, OUT part regclass,
                                      OUT low uuid, OUT high uuid)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT p.part, p.low, p.high
        FROM {schema}.prompt_executions_parts() p
        WHERE p.high <= below
              AND p.high <= (SELECT m.mark FROM {schema}.log_mark m)
              AND (p.low IS NOT NULL OR pg_relation_size(p.part) > 0)
        ORDER BY p.high LIMIT 1
$$;

-- Drops it: what is in no sum yet is added before.  False where that cannot be
-- done, since something in it runs, or much is in no sum: then its rows have
-- to go one by one.
CREATE FUNCTION prompt_executions_drop(below uuid) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    old      record;
    waiting  uuid[];
    runs     boolean;
BEGIN
    PERFORM FROM {schema}.log_mark m FOR UPDATE;

    SELECT * INTO old FROM {schema}.prompt_executions_old(below);

    IF old.part IS NULL THEN
        RETURN false;
    END IF;

    IF old.low IS NULL THEN
        LOCK TABLE ONLY {schema}.executions_before IN ACCESS EXCLUSIVE MODE;
    ELSE
        LOCK TABLE ONLY {schema}.prompt_versions, ONLY {schema}.executions,
                   ONLY {schema}.executions_before, ONLY {schema}.users
            IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE',
                       old.part);

        IF (SELECT p.low FROM {schema}.prompt_executions_parts() p
            WHERE p.part = to_regclass({before})) IS NOT NULL
           OR pg_relation_size(to_regclass({before})) > 0
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

    IF old.low IS NULL THEN
        TRUNCATE {schema}.executions_before;
        RETURN true;
    END IF;

    EXECUTE format('DROP TABLE %s', old.part);
    DROP TABLE {schema}.executions_before;
    PERFORM {schema}.prompt_executions_attach(
        {schema}.prompt_executions_table('executions_before'), NULL,
        old.high);

    RETURN true;
END
$$;

-- Takes so many of those below an id that are not there any more out of lists,
-- beginning behind a kind: which kind was reached, NULL at the end.
CREATE FUNCTION prompt_log_forget(below uuid, most integer,
                                  INOUT behind bigint)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    k     bigint;
    gone  integer;
    rest  integer := most;
BEGIN
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
        behind := k;

        IF rest <= 0 THEN
            RETURN;
        END IF;
    END LOOP;

    behind := NULL;
END
$$;

-- What was there, as it was; but each looks at the months only that its ids
-- are of.
--
-- steady: the clock did not jump, so deadlines are what they were meant to be.
-- failed: which month cannot be made, and why.
CREATE FUNCTION prompt_executions_sweep(most integer,
                                        steady boolean DEFAULT true,
                                        OUT lost bigint, OUT more boolean,
                                        OUT failed text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    s        {schema}.executions_sweep;
    older    regclass := to_regclass({running});
    scans    bigint;
    lower    uuid;
    upper    uuid;
    last     uuid;
    due      uuid[];
    running  uuid[];   -- those that are held
    low      uuid;     -- of what is due, the first and the last
    high     uuid;
BEGIN
    lost := 0;
    more := false;

    SELECT * INTO s FROM {schema}.executions_sweep FOR UPDATE SKIP LOCKED;

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
                DROP INDEX {schema}.executions_running_idx;
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

        last := (SELECT x.id FROM {schema}.executions x
                 WHERE x.id > lower AND x.id <= upper
                 ORDER BY x.id OFFSET most - 1 LIMIT 1);

        IF last IS NULL THEN
            last := upper;
        ELSE
            more := true;
        END IF;

        -- not by an index of status, whoever looks into which is an older
        -- module; nor below

        INSERT INTO {schema}.executions_running (id, deadline)
            SELECT x.id, x.deadline FROM {schema}.executions x
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

    UPDATE {schema}.executions_sweep
        SET mark = s.mark, late_mark = s.late_mark,
            older_scans = s.older_scans, older_at = s.older_at;

    due := ARRAY(SELECT r.id FROM {schema}.executions_running r
                 WHERE steady AND r.deadline < now() - interval '30 seconds'
                 ORDER BY r.deadline LIMIT most);

    IF cardinality(due) > 0 THEN
        SELECT r.low, r.high INTO low, high FROM {schema}.prompt_ids_range(due) r;

        WITH held AS (
            SELECT e.id FROM {schema}.executions e
                WHERE e.id = ANY (due) AND e.id >= low AND e.id <= high
                      AND e.status || '' = 'running'
                FOR UPDATE SKIP LOCKED),
        marked AS (
            UPDATE {schema}.executions e SET status = 'lost',
                error = 'the process that ran it ended before the call did'
                WHERE e.id = ANY (ARRAY(SELECT h.id FROM held h))
                      AND e.id >= low AND e.id <= high RETURNING 1)
        SELECT count(*) INTO lost FROM marked;

        running := ARRAY(SELECT e.id FROM {schema}.executions e
                         WHERE e.id = ANY (due) AND e.id >= low AND e.id <= high
                               AND e.status || '' = 'running');

        DELETE FROM {schema}.executions_running r
            WHERE r.id = ANY (due) AND r.id <> ALL (running);

        more := more OR (cardinality(due) >= most
                         AND cardinality(running) < most);
    END IF;

    -- at the end, since the locks stay until then; not to be had now, they
    -- are tried for later, and that is no failure while a month is left

    IF steady
       AND (s.ahead_at < now() OR s.ahead_at > now() + interval '10 minutes')
    THEN
        low := (SELECT p.low FROM {schema}.prompt_executions_parts() p
                WHERE p.high IS NULL);

        BEGIN
            IF {schema}.prompt_executions_ahead() < 0 THEN
                failed := 'executions_later has more than 1000 rows: run '
                          '"promptctl migrate"';
            END IF;
        EXCEPTION
            WHEN lock_not_available THEN
                failed := CASE WHEN low < {schema}.prompt_id_month(now(), 2)
                          THEN SQLERRM ELSE '' END;
            WHEN OTHERS THEN
                failed := SQLERRM;
        END;

        s.ahead_at := now() + CASE WHEN failed IS NULL
                                   THEN interval '10 minutes'
                                   ELSE interval '30 seconds' END;
        failed := {schema}.prompt_executions_name(low) || ': '
                  || nullif(failed, '');

        UPDATE {schema}.executions_sweep SET ahead_at = s.ahead_at;
    END IF;
END
$$;

-- Adds executions to sums and lists, as before; or takes them out of these
-- again: sign is 1 or -1.
CREATE FUNCTION prompt_log_add(ids uuid[], sign integer DEFAULT 1)
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    nobody  uuid := '00000000-0000-0000-0000-000000000000';
    low     uuid;
    high    uuid;
BEGIN
    SELECT r.low, r.high INTO low, high FROM {schema}.prompt_ids_range(ids) r;

    UPDATE {schema}.executions x SET owner_id = p.owner_id
        FROM {schema}.prompts p
        WHERE x.id IN (SELECT e.id FROM {schema}.executions e
                       WHERE e.id = ANY (ids) AND e.id >= low
                             AND e.id <= high AND NOT e.by_owner
                             AND e.owner_id IS NULL
                       FOR UPDATE SKIP LOCKED)
              AND x.id >= low AND x.id <= high AND p.id = x.prompt_id;

    INSERT INTO {schema}.statistics_guests (user_id, prompt_id)
        SELECT DISTINCT x.executed_by, x.prompt_id
            FROM {schema}.executions x JOIN {schema}.prompts p ON p.id = x.prompt_id
            WHERE x.id = ANY (ids) AND x.id >= low AND x.id <= high
                  AND NOT x.by_owner AND p.state = 0
            ON CONFLICT DO NOTHING;

    WITH x AS MATERIALIZED (
        SELECT u.user_id, x.prompt_id, coalesce('=' || x.model, '-') AS model,
               (('x' || left(replace(x.id::text, '-', ''), 12))::bit(48)
                ::bigint / 3600000)::integer AS hour,
               x.status, x.token_in, x.token_out, x.cost_usd, x.latency_ms
            FROM {schema}.executions x JOIN {schema}.prompts p ON p.id = x.prompt_id
            CROSS JOIN LATERAL (
                SELECT p.owner_id AS user_id
                UNION ALL SELECT x.executed_by WHERE NOT x.by_owner) u
            WHERE x.id = ANY (ids) AND x.id >= low AND x.id <= high
                  AND p.state = 0),
    sums AS (
        SELECT x.user_id, l.prompt_id, l.model, h.hours,
               x.hour / h.hours * h.hours AS hour,
               count(*) * sign AS executions,
               count(*) FILTER (WHERE x.status = 'succeeded') * sign
                   AS succeeded,
               count(*) FILTER (WHERE x.status = 'failed') * sign AS failed,
               coalesce(sum(x.token_in), 0) * sign AS token_in,
               coalesce(sum(x.token_out), 0) * sign AS token_out,
               coalesce(sum(x.cost_usd), 0) * sign AS cost_usd,
               count(*) FILTER (WHERE x.cost_usd IS NULL) * sign
                   AS cost_unknown,
               {schema}.prompt_latency_add(
                   array_agg({schema}.prompt_latency(x.latency_ms))
                       FILTER (WHERE x.latency_ms IS NOT NULL),
                   '{}', 1) AS latency
            FROM x CROSS JOIN LATERAL (
                VALUES (x.prompt_id, x.model), (x.prompt_id, ''),
                       (nobody, x.model), (nobody, '')) l (prompt_id, model)
            CROSS JOIN (VALUES (1), (24)) h (hours)
            GROUP BY 1, 2, 3, 4, 5)
    INSERT INTO {schema}.statistics AS s
        SELECT * FROM sums
        ON CONFLICT (user_id, prompt_id, model, hours, hour) DO UPDATE
        SET executions = s.executions + excluded.executions,
            succeeded = s.succeeded + excluded.succeeded,
            failed = s.failed + excluded.failed,
            token_in = s.token_in + excluded.token_in,
            token_out = s.token_out + excluded.token_out,
            cost_usd = s.cost_usd + excluded.cost_usd,
            cost_unknown = s.cost_unknown + excluded.cost_unknown,
            latency = {schema}.prompt_latency_add(s.latency, excluded.latency,
                                                  sign);

    WITH x AS MATERIALIZED (
        SELECT u.user_id, l.prompt_id, l.version, x.status, x.model, x.label,
               x.id, {schema}.prompt_log_kind(u.user_id, l.prompt_id, l.version,
                                          x.status, x.model, x.label) AS kind
            FROM {schema}.executions x JOIN {schema}.prompts p ON p.id = x.prompt_id
            CROSS JOIN LATERAL (
                SELECT p.owner_id AS user_id
                UNION ALL SELECT x.executed_by WHERE NOT x.by_owner) u
            CROSS JOIN LATERAL (
                VALUES (nobody, 0), (x.prompt_id, x.version))
                l (prompt_id, version)
            WHERE x.id = ANY (ids) AND x.id >= low AND x.id <= high
                  AND p.state = 0),
    kinds AS (
        INSERT INTO {schema}.log_kinds
            SELECT DISTINCT x.kind, x.user_id, x.prompt_id, x.version,
                            x.status, x.model, x.label FROM x
            WHERE sign > 0 ON CONFLICT DO NOTHING),
    less AS (
        DELETE FROM {schema}.log_entries e USING x
            WHERE sign < 0 AND e.kind = x.kind AND e.id = x.id)
    INSERT INTO {schema}.log_entries (kind, id)
        SELECT x.kind, x.id FROM x WHERE sign > 0 ON CONFLICT DO NOTHING;
END
$$;

-- Those above an id and up to another whose prompt is there, and whether they
-- are in the sums: then they are in the list of their kind.
CREATE FUNCTION prompt_log_counted(low uuid, high uuid, OUT id uuid,
                                   OUT owner_id uuid, OUT executed_by uuid,
                                   OUT counted boolean)
    RETURNS SETOF record LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT x.id, p.owner_id, x.executed_by,
           EXISTS (SELECT FROM {schema}.log_entries e
                   WHERE e.id = x.id AND e.kind = {schema}.prompt_log_kind(
                       p.owner_id, '00000000-0000-0000-0000-000000000000', 0,
                       x.status, x.model, x.label))
        FROM {schema}.executions x JOIN {schema}.prompts p ON p.id = x.prompt_id
        WHERE x.id > $1 AND x.id <= $2 AND p.state = 0
$$;

CREATE OR REPLACE FUNCTION prompt_log_look(most integer) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    due    uuid[];
    ended  uuid[];
    low    uuid;
    high   uuid;
    month  uuid := (lpad(to_hex((extract(epoch FROM now()
                                         - interval '30 days')
                                 * 1000)::bigint), 12, '0')
                    || repeat('0', 20))::uuid;
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
        SET look = now() + greatest(interval '10 seconds',
                                    (now() - to_timestamp(
                       ('x' || left(replace(w.id::text, '-', ''), 12))
                       ::bit(48)::bigint / 1000.0::float8)) / 16)
        WHERE w.id = ANY (due);

    RETURN cardinality(due) >= most;
END
$$;

CREATE OR REPLACE FUNCTION prompt_log_sweep(most integer, OUT more boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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

    upper := (lpad(to_hex((extract(epoch FROM now() - interval '5 minutes')
                           * 1000)::bigint), 12, '0')
              || repeat('0', 20))::uuid;

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
            SELECT x.id, p.owner_id, x.executed_by, now()
                FROM {schema}.executions x
                JOIN {schema}.prompts p ON p.id = x.prompt_id
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
    more := {schema}.prompt_statistics_take(most) OR more;
END
$$;

CREATE OR REPLACE FUNCTION prompt_executions_prune(below uuid, most integer,
                                        INOUT above uuid, OUT deleted integer)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $$
DECLARE
    old      uuid[];
    waiting  uuid[];
    low      uuid;
    last     uuid;
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

    waiting := ARRAY(SELECT w.id FROM {schema}.log_waiting w
                     WHERE w.id = ANY (old) FOR UPDATE);

    PERFORM {schema}.prompt_log_add(waiting);

    DELETE FROM {schema}.executions x WHERE x.id = ANY (old)
        AND x.id > above AND x.id < below;

    GET DIAGNOSTICS deleted = ROW_COUNT;

    above := last;
END
$$;
$f$;
    name  text;
BEGIN
    name := quote_ident(current_schema());
    text := replace(text, '{schema}', name);
    name := replace(name, '''', '''''');
    text := replace(text, '{literal}', name);
    text := replace(text, '{format}', replace(name, '%', '%%'));

    FOREACH name IN ARRAY ARRAY['executions', 'executions_before',
                                'executions_later', 'executions_running_idx']
    LOOP
        text := replace(text, '{' || regexp_replace(
                            name, 'executions_(before|later|running).*', '\1')
                        || '}',
                        quote_literal(format('%I.%I', current_schema(),
                                             name)));
    END LOOP;

    EXECUTE text;
END
$do$;


DO $do$
DECLARE
    f  text;
BEGIN
    FOREACH f IN ARRAY ARRAY[
        'prompt_executions_parts()', 'prompt_executions_table(text)',
        'prompt_executions_attach(regclass, uuid, uuid)',
        'prompt_executions_divide(uuid)', 'prompt_executions_name(uuid)',
        'prompt_executions_free(regclass)', 'prompt_executions_parent()',
        'prompt_executions_bound()', 'prompt_executions_ahead()',
        'prompt_executions_step()', 'prompt_executions_old(uuid)',
        'prompt_executions_drop(uuid)',
        'prompt_executions_sweep(integer, boolean)',
        'prompt_log_add(uuid[], integer)', 'prompt_log_counted(uuid, uuid)',
        'prompt_log_forget(uuid, integer, bigint)']
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    END LOOP;

    -- as they were set before

    FOREACH f IN ARRAY ARRAY[
        'prompt_executions_sweep(integer, boolean)', 'prompt_log_add(uuid[], integer)',
        'prompt_log_look(integer)', 'prompt_log_sweep(integer)',
        'prompt_executions_prune(uuid, integer, uuid)',
        'prompt_log_forget(uuid, integer, bigint)']
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET jit = off', f);
    END LOOP;

    FOREACH f IN ARRAY ARRAY[
        'prompt_executions_sweep(integer, boolean)', 'prompt_log_sweep(integer)',
        'prompt_executions_prune(uuid, integer, uuid)',
        'prompt_log_forget(uuid, integer, bigint)']
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
        EXECUTE format('ALTER FUNCTION %s SET enable_bitmapscan = off', f);
    END LOOP;

    ALTER FUNCTION prompt_executions_sweep(integer, boolean) SET enable_sort = off;

    -- planned for the months that they are about, each time: nothing is kept

    ALTER FUNCTION prompt_executions_sweep(integer, boolean)
        SET plan_cache_mode = force_custom_plan;
    ALTER FUNCTION prompt_log_sweep(integer)
        SET plan_cache_mode = force_custom_plan;

    -- less than PostgreSQL waits before it looks for deadlocks

    ALTER FUNCTION prompt_executions_sweep(integer, boolean)
        SET lock_timeout = '100ms';
    ALTER FUNCTION prompt_executions_drop(uuid) SET lock_timeout = '100ms';
END
$do$;


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
                   latency_ms integer, token_in integer, token_out integer,
                   cost_usd numeric, model text, label text, attempts integer,
                   input json, output text, error text, finish_reason text,
                   tool_calls json, trace_id bytea, finished_at timestamptz,
                   executed_by uuid)
    LANGUAGE plpgsql STABLE ROWS 10
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    IF guest IS NULL THEN
        RETURN QUERY SELECT x.prompt_id, x.version, x.id, x.status,
                x.latency_ms, x.token_in, x.token_out, x.cost_usd, x.model,
                x.label, x.attempts, x.input, x.output, x.error,
                x.finish_reason, x.tool_calls, x.trace_id, x.finished_at,
                x.executed_by
            FROM executions x
            WHERE x.prompt_id = of_prompt AND x.version = number
                  AND x.id >= low AND x.id < high
            ORDER BY x.id DESC LIMIT most;
    ELSE
        RETURN QUERY SELECT x.prompt_id, x.version, x.id, x.status,
                x.latency_ms, x.token_in, x.token_out, x.cost_usd, x.model,
                x.label, x.attempts, x.input, x.output, x.error,
                x.finish_reason, x.tool_calls, x.trace_id, x.finished_at,
                x.executed_by
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
                   latency_ms integer, token_in integer, token_out integer,
                   cost_usd numeric, model text, label text, attempts integer,
                   input json, output text, error text, finish_reason text,
                   tool_calls json, trace_id bytea, finished_at timestamptz,
                   executed_by uuid)
    LANGUAGE plpgsql STABLE ROWS 50
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    r  record := prompt_ids_range(ids);
BEGIN
    RETURN QUERY SELECT x.prompt_id, x.version, x.id, x.status, x.latency_ms,
            x.token_in, x.token_out, x.cost_usd, x.model, x.label, x.attempts,
            x.input, x.output, x.error, x.finish_reason, x.tool_calls,
            x.trace_id, x.finished_at, x.executed_by
        FROM unnest(ids) i (id) CROSS JOIN LATERAL (
            SELECT e.* FROM executions e
                WHERE e.id = i.id AND e.id >= r.low AND e.id <= r.high
                OFFSET 0) x;
END
$$;

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
                      AND (number IS NULL OR x.version = number)
                      AND (SELECT p.state = 0
                                  AND (p.owner_id = caller OR p.is_public)
                           FROM prompts p WHERE p.id = x.prompt_id)
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
                  AND (number IS NULL OR x.version = number)
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
                  AND (number IS NULL OR x.version = number)
                  AND (SELECT p.state = 0
                              AND (p.owner_id = caller
                                   OR (p.is_public
                                       AND x.executed_by = caller))
                       FROM prompts p WHERE p.id = x.prompt_id)
            ORDER BY w.id DESC LIMIT most);
END
$$;

-- A page of the log: ids descending.
CREATE FUNCTION prompt_log_page(caller uuid, low uuid, high uuid, most bigint,
                                statuses text[], of_model text, of_label text,
                                of_prompt uuid, number integer)
    RETURNS uuid[] LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    kinds  boolean := cardinality(statuses) > 0 OR of_model IS NOT NULL
                      OR of_label IS NOT NULL;
    guest  uuid;
    ids    uuid[];
BEGIN
    -- of a prompt: a look for each version into an index that ends in the id

    IF of_prompt IS NOT NULL AND NOT kinds THEN
        SELECT nullif(caller, p.owner_id) INTO guest FROM prompts p
            WHERE p.id = of_prompt AND p.state = 0
                  AND (p.owner_id = caller OR p.is_public);

        IF NOT found THEN
            RETURN '{}';
        END IF;

        RETURN ARRAY(
            SELECT x.id FROM prompt_versions v
                CROSS JOIN LATERAL prompt_executions_of_version(
                    v.prompt_id, v.version, guest, low, high, most) x
                WHERE v.prompt_id = of_prompt
                      AND (number IS NULL OR v.version = number)
                ORDER BY x.id DESC LIMIT most);
    END IF;

    ids := prompt_log_new(caller, low, high, most, statuses, of_model,
                          of_label, of_prompt, number, kinds);

    -- what is in lists already: those of kinds that match are merged

    IF kinds THEN
        ids := ids || ARRAY(
            SELECT e.id FROM log_kinds k CROSS JOIN LATERAL (
                SELECT l.id FROM log_entries l CROSS JOIN LATERAL (
                    SELECT x.* FROM executions x
                        WHERE x.id = l.id AND x.id >= low AND x.id < high
                              AND (SELECT p.state = 0
                                          AND (p.owner_id = caller
                                               OR (p.is_public
                                                   AND x.executed_by = caller))
                                   FROM prompts p WHERE p.id = x.prompt_id)
                        OFFSET 0) x
                    WHERE l.kind = k.kind AND l.id >= low AND l.id < high
                    ORDER BY l.id DESC LIMIT most) e
                WHERE k.user_id = caller AND k.prompt_id
                      = coalesce(of_prompt,
                                 '00000000-0000-0000-0000-000000000000')
                      AND (cardinality(statuses) = 0
                           OR k.status = ANY (statuses))
                      AND (of_model IS NULL OR k.model = of_model)
                      AND (of_label IS NULL OR k.label = of_label)
                      AND (number IS NULL OR k.version = number)
                ORDER BY e.id DESC LIMIT most);
    END IF;

    RETURN ARRAY(SELECT i FROM unnest(ids) i ORDER BY i DESC LIMIT most);
END
$$;


-- An empty table is divided at once; its indexes are made here, which
-- promptctl would else make below.
DO $do$
BEGIN
    IF NOT EXISTS (SELECT FROM executions) THEN
        CREATE INDEX IF NOT EXISTS executions_user_idx
            ON executions (executed_by);
        CREATE INDEX IF NOT EXISTS executions_log_idx
            ON executions (executed_by, by_owner, id DESC);
        CREATE INDEX IF NOT EXISTS executions_owner_idx
            ON executions (owner_id, id DESC) WHERE owner_id IS NOT NULL;

        PERFORM prompt_executions_divide(prompt_id_month(now(), 0));
        PERFORM prompt_executions_ahead();
    END IF;
END
$do$;

-- afterwards

-- steps: SELECT what, sql FROM prompt_executions_step()
