/*
 * Clients that keep account of what they were told while PostgreSQL fails
 * over, and the comparison with what is there afterwards.
 */

'use strict';

const g = require('./guarantee.js');


/* what clients were told */
function accounts() {
    return { there: new Map(), gone: new Set(), made: new Map(), wrong: [],
             writes: [], reads: [], executions: g.tally() };
}


async function writer(a, c, isOver) {
    for (let serial = 0; !isOver(); serial++) {
        const made = await g.post('mutation ($input: CreatePromptInput!) '
            + '{ createPrompt(input: $input) { id } }',
            { input: { name: `over ${c} ${serial}` } });

        a.writes.push(made);

        if (!made.data) {
            await g.sleep(10);
            continue;
        }

        const { id } = made.data.createPrompt;

        a.there.set(id, 0);

        for (let n = 1; n <= 3 && !isOver(); n++) {
            const r = await g.version(id, `${c} ${serial} ${n}`);

            a.writes.push(r);

            if (r.data) {
                a.there.set(id, r.data.createPromptVersion.version);
            }
        }

        if (serial % 4 === 0) {
            a.there.delete(id);

            const r = await g.post('mutation ($id: ID!) '
                                   + '{ deletePrompt(id: $id) }', { id });

            a.writes.push(r);

            if (r.data) {
                a.gone.add(id);
            }
        }
    }
}


/*
 * Writes that wait for no row: where many of these are at work, several share
 * a transaction.  Each is to be told of its own prompt.
 */
async function maker(a, c, isOver) {
    for (let n = 0; !isOver(); n++) {
        const name = `made ${c} ${n}`.replace(/ /g, '-');
        const r = await g.post('mutation ($input: CreatePromptInput!) '
            + '{ createPrompt(input: $input) { id name } }',
            { input: { name } });

        a.writes.push(r);

        if (!r.data) {
            await g.sleep(20);
            continue;
        }

        const { id } = r.data.createPrompt;
        const read = await g.post(
            'query ($id: ID!) { prompt(id: $id) { id name } }', { id });

        a.made.set(id, name);
        a.reads.push(read);
        a.wrong.push(...[r.data.createPrompt.name, ...(read.data
            ? [read.data.prompt && read.data.prompt.name] : [])]
            .filter((told) => told !== name));
    }
}


async function executor(a, id, c, isOver) {
    for (let n = 0; !isOver(); n++) {
        a.executions.add(await g.execute(id, { word: `${c} ${n}` }));
    }
}


/* how long after a moment a request that was sent then was answered well */
const since = (moment, answers) => {
    const first = answers.filter((r) => r.start > moment && r.data)
                         .map((r) => r.start + r.ms)
                         .sort((x, y) => x - y)[0];

    return first === undefined ? Infinity : first - moment;
};


async function checks(a) {
    const all = await g.sql('SELECT id, last_version, name FROM prompts');
    const rows = new Map(all.map(([id, last]) => [id, Number(last)]));
    const names = new Map(all.map(([id, , name]) => [id, name]));

    g.is([...a.there].filter(([id, told]) => !(rows.get(id) >= told)), [],
         'what was acknowledged is there');
    g.is([...a.made].filter(([id, name]) => names.get(id) !== name), [],
         'what was made in company is there');
    g.is(a.wrong, [], 'nobody was told of what is another\'s');
    g.is([...a.gone].filter((id) => rows.has(id)), [],
         'what was deleted is not');
    g.is(await g.sql(
        'SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
        + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
        + '<> p.last_version OR coalesce(max(v.version), 0) '
        + '<> p.last_version'), [], 'nothing is half done');
}


module.exports = { accounts, writer, maker, executor, since, checks };
