#!/usr/bin/env node
/*
 * The service behind pgbouncer in transaction mode, with more clients than
 * connections, so that operations share a Sync: prepared statements where it
 * knows them (1.21 and later), fewer at a server than there are.  Statements
 * fail, servers are lost, pgbouncer pauses, makes its connections anew, is
 * killed, and tables change under prepared statements: what was acknowledged
 * is there, once, and nobody has another's outcome.
 *
 * One that prepares no statements counts Syncs alone: an answer that comes
 * while the next transaction is half-way to the server makes it give that
 * server to somebody else.  So nothing may be sent behind a transaction there.
 */

'use strict';

const { execFile, execFileSync, spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const path = require('path');

const g = require('../lib/guarantee.js');
const redis = require('../lib/redis_servers.js');
const { accounts, writer, maker, executor, checks }
    = require('../lib/failover.js');

const internal = ['200 INTERNAL_SERVER_ERROR', '503 INTERNAL_SERVER_ERROR'];

let prepares = false;
let pooler = null;
let config = null;
let transactions = 0;
let crossed = 0;              /* of them, sent before the last was answered */


function version() {
    try {
        return /(\d+)\.(\d+)/.exec(execFileSync('pgbouncer', ['--version']))
            .slice(1).map(Number);
    } catch {
        return null;
    }
}


/* pgbouncer will not be root */
const as = () => (process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--']
                                         : []);

async function start() {
    const command = [...as(), 'pgbouncer', '-q',
                     path.join(pooler.at, 'pgbouncer.ini')];

    pooler.child = spawn(command[0], command.slice(1), { stdio: 'ignore' });
    await redis.until('pgbouncer', async () => await said('SHOW VERSION'));
    pooler.pid = Number(fs.readFileSync(path.join(pooler.at, 'pid')));
}

/* what its console answers */
const said = (text) => new Promise((done, fail) => {
    execFile(config.psql, ['-X', '-q', '-A', '-t', '-h', '127.0.0.1',
                           '-p', String(pooler.port), '-U', 'postgres',
                           '-d', 'pgbouncer', '-c', text],
             (error, out) => (error ? fail(error) : done(out || 'done')));
});

/*
 * Calls message(type) for each message of a stream in PostgreSQL's protocol,
 * when it begins; untyped: a client's, whose first ones have no type.
 */
function messages(untyped, message) {
    let rest = Buffer.alloc(0);
    let skip = 0;

    return (data) => {
        rest = Buffer.concat([rest, data]);

        for (;;) {
            const n = Math.min(skip, rest.length);
            const head = untyped ? 4 : 5;

            rest = rest.subarray(n);
            skip -= n;

            if (skip > 0 || rest.length < head) {
                return;
            }

            skip = rest.readInt32BE(head - 4) + head - 4;

            if (!untyped) {
                message(String.fromCharCode(rest[0]));
            } else if (rest.length < 8) {
                return;
            } else {
                /* but for requests of encryption, what begins a session */
                untyped = rest.readInt32BE(4) >> 16 !== 3;
            }
        }
    };
}

/* in front of pgbouncer: sees what is sent before what is answered */
const watch = (port) => new Promise((done) => {
    const server = net.createServer((client) => {
        const to = net.connect(port, '127.0.0.1');
        let open = 0;
        let begun = false;

        const asked = messages(true, (type) => {
            if (!begun && type !== 'X') {
                begun = true;
                transactions++;
                crossed += open > 0 ? 1 : 0;
            }

            if (type === 'S' || type === 'Q') {
                begun = false;
                open++;
            }
        });

        const answered = messages(false, (type) => {
            if (type === 'Z') {
                open = Math.max(open - 1, 0);
            }
        });

        client.on('data', (data) => { asked(data); to.write(data); });
        to.on('data', (data) => { answered(data); client.write(data); });

        for (const [one, other] of [[client, to], [to, client]]) {
            one.on('end', () => other.end()).on('error', () => other.destroy())
               .on('close', () => other.destroy());
        }
    });

    server.listen(0, '127.0.0.1', () => done(server.unref().address().port));
});

async function gone() {
    const end = new Promise((done) => pooler.child.on('exit', done));

    process.kill(pooler.pid, 'SIGKILL');
    await end;
}

async function prepare(c) {
    config = c;

    const [port] = await redis.ports(1);
    const at = fs.mkdtempSync('/tmp/prompt-pooler-');

    pooler = { at, port };

    fs.writeFileSync(path.join(at, 'pgbouncer.ini'), `[databases]
${config.db} = ${config.conninfo}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = postgres
pool_mode = transaction
default_pool_size = 3
; a pause in the middle of a login counts as a failure of it, for 15 s else
server_login_retry = 0.2
logfile = ${at}/log
pidfile = ${at}/pid
${prepares ? 'max_prepared_statements = 10' : ''}
`);

    if (process.getuid() === 0) {
        execFileSync('chown', ['-R', 'postgres', at]);
    }

    await start();
    config.conninfo = config.conninfo.replace(/host=\S+/,
        `host=127.0.0.1 port=${await watch(port)} sslmode=disable`);
}


/*
 * A PAUSE or RECONNECT that meets a login counts as a failure of it: pgbouncer
 * then refuses whoever waits for that server, and nobody knows what it has done.
 */
const calm = (logged) => (/server login has been failing/.test(logged)
    ? internal : []);

const log = () => fs.readFileSync(path.join(pooler.at, 'log'), 'utf8');

/*
 * act() under load; allowed(logged): how requests may end beside well, by what
 * pgbouncer has logged meanwhile
 */
async function under(name, act, allowed) {
    const a = accounts();
    const id = await g.prompt(`executed ${name}`, '{{word}}',
                              { model: 'fx:ok' });
    const from = log().length;
    let over = false;
    const isOver = () => over;

    const clients = [g.clients(24, (c) => maker(a, `${name} ${c}`, isOver)),
                     g.clients(4, (c) => writer(a, `${name} ${c}`, isOver)),
                     g.clients(4, (c) => executor(a, id, c, isOver))];

    await g.sleep(300);

    await act();

    await g.sleep(300);
    over = true;
    await Promise.all(clients);

    const ends = ['200', ...allowed(log().slice(from))];
    const sum = g.tally();
    const reads = g.tally();

    a.writes.forEach((r) => sum.add(r));
    a.reads.forEach((r) => reads.add(r));

    g.diag(`${name}: ${sum}; reads: ${reads}; executions: ${a.executions}`);
    g.ok(a.made.size > 0, `${name}: something was made`);
    g.is(sum.others(...ends), 0, `${name}: writes`);
    g.is(reads.others(...ends), 0, `${name}: reads`);
    g.is(a.executions.others(...ends), 0, `${name}: executions`);
    await checks(a);
    g.ok(await g.until(10, async () => g.ending(await g.post(
        '{ prompts(first: 1) { id } }')) === '200'), `${name}: afterwards`);
}


/* what fails in the database fails alone, whatever it was sent with */
async function failing() {
    await g.sql("CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ "
                + "BEGIN IF NEW.name LIKE 'bad-%' THEN RAISE 'no'; END IF; "
                + 'RETURN NEW; END $$');
    await g.sql('CREATE TRIGGER fails BEFORE INSERT ON prompts '
                + 'FOR EACH ROW EXECUTE FUNCTION fails()');

    const bad = g.tally();

    await under('failing', () => g.share(6, 150, async (i) => bad.add(
        await g.post('mutation ($input: CreatePromptInput!) '
                     + '{ createPrompt(input: $input) { id } }',
                     { input: { name: `bad-${i}` } }))), calm);
    await g.sql('DROP TRIGGER fails ON prompts');
    g.is(bad.others('200 INTERNAL_SERVER_ERROR'), 0,
         `failing: those that fail, and nobody else (${bad})`);
}


const servers = () => g.sql('SELECT pg_terminate_backend(pid) FROM '
    + "pg_stat_activity WHERE usename = 'prompt_app'");

/* a column has another type, and then its own again */
async function retyped() {
    for (const type of ['varchar', 'text']) {
        await g.sql(`ALTER TABLE prompts ALTER COLUMN description TYPE ${type}`);
        await g.sql(`ALTER TABLE prompt_versions ALTER COLUMN content `
                    + `TYPE ${type}`);
        await g.sleep(400);
    }
}


const known = version();

if (known === null) {
    process.stdout.write('1..0 # SKIP no pgbouncer here\n');
    process.exit(0);
}

prepares = known[0] > 1 || known[1] >= 21;

process.on('exit', () => {
    if (pooler !== null) {
        try {
            process.kill(pooler.pid, 'SIGKILL');
        } catch {
            /* it is gone */
        }

        fs.rmSync(pooler.at, { recursive: true, force: true });
    }
});

g.main({
    postgres: '%CONNINFO% connections=2 timeout=20s',
    before: prepare
}, async () => {
    await under('calm', () => g.sleep(500), calm);
    await failing();
    await under('a table changes', retyped, calm);
    await under('paused', async () => {
        for (let i = 0; i < 3; i++) {
            await said('PAUSE');
            await g.sleep(150);
            await said('RESUME');
            await g.sleep(100);
        }
    }, calm);
    await under('made anew', async () => {
        for (let i = 0; i < 5; i++) {
            await said('RECONNECT');
            await g.sleep(150);
        }
    }, calm);
    await under('servers are lost', async () => {
        for (let i = 0; i < 8; i++) {
            await servers();
            await g.sleep(100);
        }
    }, () => internal);
    await under('killed', async () => {
        await gone();
        await g.sleep(200);
        await start();
        await g.sleep(500);
    }, () => internal);

    g.diag(`${transactions} transactions, ${crossed} sent before the one in `
           + 'front of them was answered');
    g.ok(transactions > 100, 'all of it was watched');

    g.is(/may pass on the names/.test(g.log()), !prepares,
         'a pooler without names is found out, and no other one');

    if (!prepares) {
        g.is(crossed, 0, 'one transaction at a time, where none is prepared');
    }
});
