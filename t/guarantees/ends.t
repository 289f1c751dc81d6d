#!/usr/bin/env node
/*
 * Ends of executions that come together are written together, each in its own
 * row: also beside those whose prompts were deleted meanwhile, of which
 * nothing is left.
 */

'use strict';

const g = require('../lib/guarantee.js');

const prompts = 12;
const each = 3;


/* all of them at once; act() is called when all are running */
async function round(ids, n, act)
{
    const answers = ids.flatMap((id, i) => Array.from({ length: each }, (_, k) =>
        g.execute(id, { word: `${n}-${i}-${k}` })));

    const running = async () => Number((await g.sql(
        "SELECT count(*) FROM executions WHERE status = 'running'"))[0][0]);

    g.ok(await g.until(20, async () => await running() === answers.length),
         'all are running');
    await act();

    /* no end is written before all have come, or so */

    await g.sql('BEGIN; LOCK TABLE executions IN SHARE MODE; '
                + 'SELECT pg_sleep(2.5); COMMIT');

    return Promise.all(answers);
}

/*
 * What is known of those of a round: word, output, status.  Of prompts that are
 * there: what runs when its prompt goes is kept a while.
 */
const rows = (n) => g.sql("SELECT input->>'word', output, e.status FROM "
                          + 'executions e JOIN prompts p ON p.id = e.prompt_id '
                          + 'WHERE p.state = 0 '
                          + `AND input->>'word' LIKE '${n}-%'`);


g.main({ workers: 1, postgres: '%CONNINFO% connections=3 timeout=20s' },
       async () => {
    const make = (n) => Promise.all(Array.from({ length: prompts }, (_, i) =>
        g.prompt(`p-${n}-${i}`, 'say {{word}}', { model: 'fx:delay=1500' })));
    const wrong = [];
    const transactions = [];
    let together = 0;

    const rounds = Math.round(4 * g.scale);

    for (let n = 0; n <= rounds; n++) {

        /* at last, where what is proposed for a row is not allowed */

        if (n === rounds) {
            await g.sql('ALTER TABLE executions ADD CONSTRAINT numbered '
                        + 'CHECK (version > 0)');
        }

        const ids = await make(n);
        const gone = n % 2 ? ids.filter((_, i) => i % 4 === 3) : [];

        const answers = await round(ids, n, async () => {
            for (const id of gone) {
                const r = await g.post('mutation ($id: ID!) '
                                       + '{ deletePrompt(id: $id) }', { id });

                if (!r.data) {
                    wrong.push(['deletePrompt', r]);
                }
            }
        });

        together += Number((await g.sql('SELECT count(*) FROM pg_stat_activity '
            + "WHERE query LIKE 'INSERT INTO executions AS e (id, prompt_id, '"
            + "|| 'version, executed_by, by_owner, model,%'"))[0][0]);

        answers.forEach((r, i) => {
            const word = `${n}-${Math.floor(i / each)}-${i % each}`;

            if (!r.data || !r.data.executePrompt.output.includes(word)) {
                wrong.push(['answer', word, r]);
            }
        });

        const written = await rows(n);

        transactions.push([written.length, Number((await g.sql(
            'SELECT count(DISTINCT xmin::text) FROM executions WHERE '
            + `input->>'word' LIKE '${n}-%'`))[0][0])]);

        g.is(written.length, (prompts - gone.length) * each,
             `${gone.length} deleted: nothing else is missing`);

        for (const [word, output, status] of written) {
            if (status !== 'succeeded' || !output.includes(word)) {
                wrong.push([word, output, status]);
            }
        }
    }

    g.is(wrong.slice(0, 3), [], 'each is answered, and recorded as it ended');
    g.ok(together > 0, 'several by one statement');

    for (const [ends, commits] of transactions) {
        g.ok(commits <= ends / 2, `${ends} ends are ${commits} commits`);
    }

    g.is(await g.sql('SELECT e.id FROM executions e LEFT JOIN prompt_versions v '
                     + 'ON v.prompt_id = e.prompt_id AND v.version = e.version '
                     + 'WHERE v.id IS NULL'), [], 'no row is of no prompt');
    g.is((await g.sql('SELECT count(*) FROM executions WHERE status = '
                      + "'running'"))[0][0], '0', 'none goes on');
});
