-- compatible: 1
--
-- Deleted prompts that are in no sums, as most are, leave together.

DO $do$
BEGIN
    EXECUTE format($f$
CREATE OR REPLACE FUNCTION prompt_statistics_take(most integer) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    SET jit = off
    AS $$
DECLARE
    gone   uuid;
    gones  uuid[];
    none   uuid[];
    taken  integer;
    rest   integer := greatest(most / 20, 1);
BEGIN
    gones := ARRAY(SELECT g.prompt_id FROM %1$I.statistics_gone g
                   ORDER BY g.prompt_id LIMIT most FOR UPDATE SKIP LOCKED);

    IF cardinality(gones) = 0 THEN
        RETURN false;
    END IF;

    none := ARRAY(SELECT g.id FROM unnest(gones) g (id)
                  WHERE NOT EXISTS (SELECT FROM %1$I.statistics s
                                    WHERE s.prompt_id = g.id));

    DELETE FROM %1$I.log_kinds k WHERE k.prompt_id = ANY (none);
    DELETE FROM %1$I.statistics_guests g WHERE g.prompt_id = ANY (none);
    DELETE FROM %1$I.statistics_gone g WHERE g.prompt_id = ANY (none);

    IF cardinality(none) = cardinality(gones) THEN
        RETURN cardinality(gones) >= most;
    END IF;

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
$f$, current_schema());
END
$do$;
