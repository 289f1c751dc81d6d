/*
 * node rehearsal.js ROOT WORK: the part of t/packages/rehearsal that is in
 * namespaces of its own.  ROOT is a Debian in which the first version runs, as
 * installed by the document; /root there has the commands of the upgrade, and
 * in next/ the packages to upgrade to.
 *
 * While it is upgraded no request fails, and afterwards all that was
 * acknowledged is there, and all sums are right (t/soak).  Then the dump that
 * was made before goes back into a new database, with the first version's
 * packages: what was acknowledged before the dump is there, what was deleted
 * since is deleted, the database is whole, and the service runs.
 */

'use strict';

const { execFile, spawn } = require('child_process');
const fs = require('fs');
const readline = require('readline');

const g = require('../lib/guarantee.js');
const load = require('../soak/load.js');
const sums = require('../soak/sums.js');

const [root, work] = process.argv.slice(2);
const provider_key = 'sk-canary-provider-key';
const rate = 30;
let failed = false;


/* in the Debian: { rc, out }, with promptctl's variables and BACK */
const there = (script, name) => new Promise((done) => {
    const text = 'set -euo pipefail; cd /root; set -a; . /etc/default/promptctl;'
                 + ' set +a; BACK=${PROMPT_DATABASE_URL%/prompt}/prompt_back\n'
                 + script;

    execFile('chroot', [root, '/usr/bin/env', '-i', 'HOME=/root',
                        'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8',
                        'DEBIAN_FRONTEND=noninteractive', 'timeout', '600',
                        'bash', '-c', text],
             { maxBuffer: 1 << 26 }, (error, out, err) => {
        if (name) {
            fs.writeFileSync(`${work}/${name}.log`, out + err);
        }

        done({ rc: error ? error.code : 0, out: out + err });
    });
});

const check = (what, said) => {
    const good = said === true || (said && said.rc === 0);

    process.stdout.write(`${good ? 'ok' : 'not ok'} - ${what}\n`);

    if (!good) {
        failed = true;
        g.diag(said && said.out ? said.out.slice(-3000) : JSON.stringify(said));
    }

    return good;
};

/* nothing that the load found since then */
const sound = (what, s) => {
    check(what, s.faults.size === 0
          || { rc: 1, out: [...s.faults].map(([text, n]) => `${n} x ${text}`)
                                        .join('\n') });
    s.faults.clear();
};

/* the commands of a section of the document */
function commands(title) {
    const text = fs.readFileSync('docs/operating.md', 'utf8');
    const [, , section] = new RegExp(`^(#+) ${title}$(.*?)^(?!\\1#)#+ `, 'ms')
        .exec(text);

    /* there is no sudo in a Debian that has nothing */
    return [...section.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block]) =>
        block.replace(/^ {3}/gm, '')
             .replace(/sudo -u postgres/g, 'runuser -u postgres --'));
}


const provider = () => new Promise((done) => {
    const child = spawn('node', ['t/lib/provider.js', '127.0.0.1:0'],
                        { stdio: ['pipe', 'pipe', 'inherit'] });

    readline.createInterface({ input: child.stdout })
            .once('line', (line) => done(Number(/\d+/.exec(line)[0])));
});

const location = (port, path, to) => `
    location = /_provider/${path} {
        internal;
        proxy_pass http://127.0.0.1:${port}${to};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Accept-Encoding "";
        proxy_set_header Authorization "Bearer ${provider_key}";
        proxy_ignore_client_abort on;
    }`;

/* the document's, with the provider of tests and all protocols */
async function configure(port) {
    fs.writeFileSync(`${root}/etc/nginx/prompt.d/prompt.conf`, `
prompt_postgres "host=localhost dbname=prompt user=prompt_app
                 passfile=/etc/nginx/prompt.pgpass";
prompt_redis localhost:6379;
prompt_quota prompts=500 keys=500;
prompt_provider openai /_provider/openai timeout=2s;
prompt_provider anthropic /_provider/anthropic format=anthropic timeout=2s;
prompt_model fx:* provider=openai input=0.15 output=0.60 cached_input=0.075;
prompt_model claude-fx:* provider=anthropic input=3 output=15 cached_input=0.3;

server {
    listen 127.0.0.1:8080 backlog=4096;
    client_max_body_size 8m;

    location = /graphql  { prompt_graphql; }
    location /openai/v1/ { prompt_openai; }
    location = /mcp      { prompt_mcp; }
    location = /session  { prompt_session; }
    location = /health   { prompt_health; }
    location = /metrics  { prompt_metrics; }
${location(port, 'openai', '/v1/chat/completions')}
${location(port, 'anthropic', '/v1/messages')}
}
`);
    check('the configuration of the load is taken',
          await there('nginx -t && service nginx reload'));
}

/* a key of somebody who has nothing yet */
const newKey = async (name) => /pmt_\w+/.exec((await there(
    `promptctl user add ${name}@example.com > /dev/null; `
    + `promptctl key add ${name}@example.com --name load`)).out)[0];

/* what the load needs to look at the service from outside of it */
async function attach(port) {
    const [, password] = /^PROMPT_DATABASE_URL='\w+:\/\/\w+:(\w+)@/m
        .exec(fs.readFileSync(`${root}/etc/default/promptctl`, 'utf8'));
    const psql = (await new Promise((done) => execFile('sh', ['-c',
        'ls -d /usr/lib/postgresql/*/bin/psql | tail -n 1'],
        (error, out) => done(out.trim())))) || 'psql';

    process.env.PGPASSWORD = password;
    g.attach({ psql, pg_host: 'localhost', pg_user: 'prompt_owner',
               db: 'prompt', provider: port });
}

/* a load as somebody who has nothing yet, under a budget */
async function somebody(name) {
    const key = await newKey(name);
    const { data } = await g.post('{ me { id } }', {}, { port: 8080, key,
                                                         agent: false });
    const s = await load.make({
        port: 8080, key, user: data.me.id,
        person: { email: 'alice@example.com',
                  password: 'a long password of alice' }
    });

    await load.ask(s, 'setBudget', 'mutation { setBudget(limitUsd: "1000", '
                                   + 'per: TOTAL) { id } }');

    return s;
}


/* what was acknowledged at this moment, and nobody changes now */
const mark = (s) => ({
    prompts: new Map([...s.prompts].filter(([name]) => !s.busy.has(name))),
    words: new Map([...s.words].filter(([, w]) => w.said !== undefined
                                                  && !w.gone)),
    keys: [...s.keys], deleted: s.deleted.length
});

/* of that, what was the same when the dump was there */
const kept = (before, s) => {
    for (const [name, p] of before.prompts) {
        if (s.prompts.get(name) !== p || s.busy.has(name)) {
            before.prompts.delete(name);
        }
    }

    return before;
};

/* nginx's master, the files that it has loaded, and whether they are there */
const master = () => Number(fs.readFileSync(`${root}/run/nginx.pid`, 'utf8'));

const loaded = async () => !/prompt_module\.so \(deleted\)/.test(
    fs.readFileSync(`${root}/proc/${master()}/maps`, 'utf8'));

const schema = async () => (await g.sql('SELECT max(version) FROM '
                                        + 'prompt_migrations'))[0][0];

const versions = async () => (await there('dpkg-query -W -f \'${Version}\\n\' '
    + 'libnginx-mod-http-prompt promptctl prompt-dashboard | sort -u')).out
    .trim();


async function upgrade(s) {
    const old = master();

    await there('mkdir old; mv *.deb old/; cp next/*.deb .');
    check('the upgrade is done as it is written',
          await there('bash /root/upgrade.sh', 'upgrade'));
    await g.sleep(10000);
    check('the later version is there', await versions() === '1.1.0~rc1');
    check('with its schema', await schema() === '4');
    check('another master has loaded it', master() !== old && await loaded());
    check('the old one has gone', await g.until(60, () => !g.alive(old)));
    sound('no request has failed', s);
}

/* all that the load was told, in the running service */
async function complete(s, what) {
    await sums.ended(s);
    await load.check(s);
    await sums.check(s);
    sound(what, s);
}


/* by the document: the dump into a new database, with the first's packages */
async function back(s, stop) {
    const [, create, restore, hold, end, gone, change] = commands('Backups');
    const [ctl, module] = commands('Back to the version before');

    await there('rm -f *.deb; cp old/*.deb .');
    check('the first promptctl comes back', await there(ctl, 'back-promptctl'));
    check('a new database is made', await there(create));
    check('the dump is restored, and whole', await there(restore, 'restore'));
    sound('until then no request has failed', s);
    await stop();
    s.faults.clear();
    check('requests are held', await there(hold));
    check('what was ended since is ended', await there(end));
    check('what was deleted since is deleted', await there(gone));
    check('the first module comes back', await there(module, 'back-module'));
    check('the databases change their names', await there(change));
    check('the first version is there', await versions() === '1.0.0~rc1');
    check('with its schema', await schema() === '1');
    check('and serves', await g.until(60, async () => (await g.clients(8, () =>
        g.get('/health', { port: 8080, agent: false })))
        .every((r) => r.http === 200)));
    check('with its own module', await loaded());
    check('the database is whole', await there('promptctl restore-check'));
}

/* what was acknowledged before the dump, but for what was deleted since */
async function restored(s, was) {
    for (const [name, p] of was.prompts) {
        await load.there(s, name, s.prompts.get(name) === null ? null : p);
    }

    const rows = new Map(await g.sql("SELECT input->>'word', output FROM "
                                     + 'executions'));

    for (const [word, w] of was.words) {
        if (!s.words.get(word).gone && rows.get(word) !== w.said) {
            load.fault(s, `${word} was said before the dump, and is not there`);
        }
    }

    for (const { key } of was.keys) {
        await load.ask(s, 'a key of before', '{ me { id } }', {}, { key });
    }

    for (const options of s.deleted) {
        await load.refused(s, options, 'after the way back');
    }

    g.diag(`${was.prompts.size} prompts, ${was.words.size} executions, ${
        was.keys.length} keys were there before the dump; ${
        s.deleted.length - was.deleted} credentials were deleted since`);
    sound('what was acknowledged before the dump is there, and no more', s);
}


/* what no log may have, of both versions */
function clean() {
    const bad = /\[(alert|crit|emerg)\]|exited on signal|pm[tsi]_\w{30}|say w\d/;
    const lines = fs.readFileSync(`${root}/var/log/nginx/error.log`, 'utf8')
        .split('\n').filter((line) => bad.test(line)
                                      || line.includes(provider_key)
                                      || line.includes(process.env.PGPASSWORD));

    check('the error log is clean', lines.length === 0
          || { rc: 1, out: lines.slice(0, 5).join('\n') });
}

async function main() {
    const port = await provider();

    await configure(port);

    await attach(port);

    const s = await somebody('before');
    let stop = load.run(s, rate);

    await g.sleep(20000);

    const before = mark(s);

    check('the backup is made', await there(commands('Backups')[0], 'backup'));

    const was = kept(before, s);

    await g.sleep(5000);
    sound('before the upgrade no request has failed', s);

    if (!check('schema of the first', await schema() === '1')) {
        return;
    }

    await upgrade(s);
    await stop();
    g.diag(`${s.done} done: ${s.ended}`);
    await complete(s, 'what was acknowledged is there, and sums are right');

    stop = load.run(s, rate);
    await g.sleep(3000);
    await back(s, stop);
    await restored(s, was);
    await sums.collect(s);

    const after = await somebody('after');

    stop = load.run(after, rate);
    await g.sleep(10000);
    await stop();
    await complete(after, 'the first version does what it did');
    clean();
}

main().catch((error) => check('the rehearsal itself',
                              { rc: 1, out: error.stack }))
      .finally(() => process.exit(failed ? 1 : 0));
