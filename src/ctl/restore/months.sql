-- The tables of months, as migrate makes them.

DO $$
DECLARE
    step record;
BEGIN
    LOOP
        SELECT * INTO step FROM prompt_months_step();
        EXIT WHEN step.sql IS NULL;
        EXECUTE step.sql;
    END LOOP;
END $$
