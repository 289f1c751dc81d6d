#!/usr/bin/env node
/*
 * Version numbers are unique and without gap, however many make them at once,
 * and only committed versions are executed.
 */

'use strict';

const g = require('../lib/guarantee.js');

g.main({ slowly: true }, async () => {
    const clients = 64;
    const each = g.valgrind ? 1 : Math.round(12 * g.scale);
    const id = await g.prompt('versions', 'version {{n}}');
    const numbers = [1];
    const made = g.tally();
    const ran = g.tally();
    let over = false;

    async function executor() {
        while (!over) {
            ran.add(await g.execute(id, { n: 'x' }));
        }
    }

    const executors = g.clients(4, executor);

    await g.clients(clients, async (i) => {
        for (let n = 0; n < each; n++) {
            const r = made.add(await g.version(id, `by ${i} {{n}}`));

            if (r.data) {
                numbers.push(r.data.createPromptVersion.version);
            }
        }
    });

    over = true;
    await executors;

    g.diag(`versions: ${made}; executions: ${ran}`);
    g.is(made.others('200'), 0, 'every version was made');

    numbers.sort((a, b) => a - b);
    g.is(numbers.findIndex((n, i) => n !== i + 1), -1,
         'the numbers told are 1, 2, 3, ... each once');

    g.is(await g.sql('SELECT count(*), min(version), max(version), '
                     + 'count(DISTINCT version) FROM prompt_versions '
                     + `WHERE prompt_id = '${id}'`),
         [[String(numbers.length), '1', String(numbers.length),
           String(numbers.length)]],
         'and so does the table');
    g.is(await g.sql(`SELECT last_version FROM prompts WHERE id = '${id}'`),
         [[String(numbers.length)]], 'and the counter');
    g.is(ran.others('200'), 0, 'executions beside it all succeed');
    g.is(await g.sql('SELECT count(*) FROM executions e LEFT JOIN '
                     + 'prompt_versions v USING (prompt_id, version) '
                     + 'WHERE v.id IS NULL'), [['0']],
         'each of a version that exists');
    g.is(await g.sql('SELECT count(*) FROM executions e JOIN '
                     + 'prompt_versions v USING (prompt_id, version) WHERE '
                     + "e.output <> replace(v.content, '{{n}}', 'x')"),
         [['0']], 'and with its content');
});
