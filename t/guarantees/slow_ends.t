#!/usr/bin/env node
/*
 * Where each end takes PostgreSQL a while, so that those which share a
 * transaction are over its time limit, all are recorded yet.
 */

'use strict';

const g = require('../lib/guarantee.js');


g.main({
    workers: 1,
    postgres: '%CONNINFO% connections=2 timeout=2s'
}, async () => {
    const total = 32;
    const id = await g.prompt('slow', '{{word}}',
                              { model: 'fx:delay=500,echo' });

    await g.sql('CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS '
                + '$$ BEGIN PERFORM pg_sleep(0.2); RETURN new; END $$; '
                + 'CREATE TRIGGER slow BEFORE UPDATE ON executions '
                + 'FOR EACH ROW EXECUTE FUNCTION slow()');

    const all = g.clients(total, (i) => g.execute(id, { word: `w${i}` }));

    g.ok(await g.until(90, async () => (await g.sql(
        'SELECT count(*) FROM executions WHERE '
        + `prompt_id = '${id}' AND status = 'succeeded'`))[0][0]
        === `${total}`), 'all are recorded while PostgreSQL is slow');

    await all;
    await g.sql('DROP TRIGGER slow ON executions');
});
