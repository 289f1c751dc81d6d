-- compatible: 1
--
-- How many calls of providers an execution took, and what its cost was
-- computed from: cached input, which is a part of token_in, and the prices of
-- a million tokens by the configuration of that time.  So that
--
--     cost_usd = ((token_in - coalesce(token_cached, 0)) * price_input
--                 + coalesce(token_cached, 0) * price_cached_input
--                 + token_out * price_output) / 1000000
--
-- An execution from before took one call; its prices are not known.  No
-- checks: they would read the whole table.

ALTER TABLE executions
    ADD COLUMN attempts            integer NOT NULL DEFAULT 1,
    ADD COLUMN token_cached        integer,
    ADD COLUMN price_input         numeric,
    ADD COLUMN price_cached_input  numeric,
    ADD COLUMN price_output        numeric;
