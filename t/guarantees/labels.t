#!/usr/bin/env node
/*
 * Labels that move while they are asked by: who asks gets the version from
 * before or from after a move, never another nor none; moves follow on each
 * other; and no more labels are set than there may be.
 */

'use strict';

const g = require('../lib/guarantee.js');

const set = 'mutation ($id: ID!, $label: String!, $version: Int!) '
            + '{ setPromptLabel(promptId: $id, label: $label, '
            + 'version: $version) { version setAt } }';
const remove = 'mutation ($id: ID!, $label: String!) '
               + '{ removePromptLabel(promptId: $id, label: $label) }';
const run = 'mutation ($id: ID!) { executePrompt(promptId: $id, '
            + 'input: {}, label: "production") '
            + '{ output versionUsed executionId } }';
const read = 'query ($id: ID!) { prompt(id: $id) '
             + '{ labels { label version } labelHistory(first: 1) { version } '
             + 'version(label: "production") { version content } } }';

const VERSIONS = 5;


/* where the label was, and may be by now, when somebody asks */
const standing = { versions: [], acknowledged: 0 };

const move = async (id, version) => {
    standing.versions.push(version);

    const r = await g.post(set, { id, label: 'production', version });

    standing.acknowledged = standing.versions.length - 1;

    return r;
};

/* the versions that it may have named from then until now */
const possible = (from) => standing.versions.slice(from);


/* One moves it, many ask. */

async function asked(id)
{
    const moves = g.valgrind ? 20 : Math.round(150 * g.scale);
    const ended = g.tally();
    const wrong = [];
    let over = false;
    let executed = 0;

    await move(id, 1);

    const mover = (async () => {
        for (let i = 0; i < moves; i++) {
            ended.add(await move(id, 1 + i % VERSIONS));
        }

        over = true;
    })();

    await g.clients(6, async (n) => {
        while (!over) {
            const from = standing.acknowledged;
            const r = ended.add(await g.post(n % 2 ? run : read, { id }));
            const may = possible(from);
            const got = r.data && (r.data.executePrompt || r.data.prompt);

            if (!got) {
                continue;
            }

            if (n % 2) {
                executed++;

                if (!may.includes(got.versionUsed)) {
                    wrong.push([got.versionUsed, may]);
                }

                continue;
            }

            /* the answer is of one moment */

            const label = got.labels.find((l) => l.label === 'production');

            if (!may.includes(label.version)
                || got.version.version !== label.version
                || got.version.content !== `version ${label.version}`
                || got.labelHistory[0].version !== label.version)
            {
                wrong.push([got, may]);
            }
        }
    });

    await mover;

    g.diag(`asked by a label that moves: ${ended}`);
    g.is(ended.others('200'), 0, 'each is answered');
    g.is(wrong, [], 'with the version from before or from after a move');
    g.is(await g.sql("SELECT count(*) FROM executions WHERE label = "
                     + `'production' AND prompt_id = '${id}'`),
         [[String(executed)]], 'each execution knows the label');
}


/* Many move and remove it. */

async function raced(id)
{
    const rounds = g.valgrind ? 20 : Math.round(240 * g.scale);
    const ended = g.tally();

    await g.share(12, rounds, async (i) => {
        const label = g.any(['production', 'staging']);

        ended.add(i % 5 === 0
                  ? await g.post(remove, { id, label })
                  : await g.post(set, { id, label,
                                        version: 1 + i % VERSIONS }));
    });

    g.diag(`moved by many: ${ended}`);
    g.is(ended.others('200', '200 NOT_FOUND'), 0, 'each is done, or not');
    g.is(await g.sql('SELECT count(*) FROM (SELECT version, previous_version, '
                     + 'lag(version) OVER (PARTITION BY prompt_id, label '
                     + 'ORDER BY number) AS before FROM prompt_label_moves) m '
                     + 'WHERE previous_version IS DISTINCT FROM before '
                     + 'OR version IS NOT DISTINCT FROM before'),
         [['0']], 'each move begins where the one before it ended');
    g.is(await g.sql('SELECT count(*) FROM (SELECT number, moved_at, '
                     + 'row_number() OVER w AS n, lag(moved_at) OVER w '
                     + 'AS before FROM prompt_label_moves WINDOW w AS '
                     + '(PARTITION BY prompt_id ORDER BY number)) m '
                     + 'WHERE n <> number OR moved_at <= before'),
         [['0']], 'they are numbered without gap, each later than the last');
    g.is(await g.sql('SELECT count(*) FROM (SELECT DISTINCT ON (prompt_id, '
                     + 'label) * FROM prompt_label_moves ORDER BY prompt_id, '
                     + 'label, number DESC) m FULL JOIN prompt_labels l '
                     + 'ON l.prompt_id = m.prompt_id AND l.label = m.label '
                     + 'WHERE l.version IS DISTINCT FROM m.version '
                     + 'OR (l.version IS NOT NULL '
                     + 'AND l.set_at <> m.moved_at)'),
         [['0']], 'labels stand where the last ones left them');
}


/* More are set at once than a prompt may have. */

async function many()
{
    const id = await g.prompt('many labels', 'x', { model: 'fx:ok' });
    const ended = g.tally();

    await g.share(16, 100, async (i) => {
        ended.add(await g.post(set, { id, label: `label-${i}`, version: 1 }));
    });

    g.diag(`a hundred labels: ${ended}`);
    g.is(ended.seen['200'], 64, '64 of 100 are set');
    g.is(ended.seen['200 BAD_USER_INPUT'], 36, 'the others are refused');
    g.is(await g.sql('SELECT count(*) FROM prompt_labels '
                     + `WHERE prompt_id = '${id}'`), [['64']], 'so many stand');
}


/* The prompt is deleted meanwhile. */

async function deleted()
{
    const ended = g.tally();

    await g.share(4, g.valgrind ? 3 : Math.round(20 * g.scale), async (i) => {
        const id = await g.prompt(`labelled ${i}`, 'x', { model: 'fx:ok' });

        for (const r of await Promise.all([
            g.post(set, { id, label: 'a', version: 1 }),
            g.post(set, { id, label: 'b', version: 1 }),
            g.post('mutation ($id: ID!) { deletePrompt(id: $id) }', { id }),
            g.post(set, { id, label: 'c', version: 1 }),
            g.post(remove, { id, label: 'a' })
        ]))
        {
            ended.add(r);
        }
    });

    g.diag(`of prompts that are deleted: ${ended}`);
    g.is(ended.others('200', '200 NOT_FOUND'), 0, 'each is done, or not');
    g.is(await g.sql('SELECT count(*) FROM (SELECT prompt_id FROM '
                     + 'prompt_labels UNION ALL SELECT prompt_id FROM '
                     + 'prompt_label_moves) l WHERE prompt_id NOT IN '
                     + '(SELECT id FROM prompts WHERE state = 0)'),
         [['0']], 'no label without its prompt');
}


g.main({ workers: 2, slowly: true }, async () => {
    const id = await g.prompt('labelled', 'version 1', { model: 'fx:ok' });

    for (let n = 2; n <= VERSIONS; n++) {
        await g.version(id, `version ${n}`);
    }

    await asked(id);
    await raced(id);
    await many();
    await deleted();
});
