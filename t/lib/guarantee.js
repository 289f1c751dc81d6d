/*
 * What the tests of the promises (t/guarantees) share: an nginx with its own
 * PostgreSQL, Redis and provider, a client, and ways to do harm.
 *
 *     const g = require('../lib/guarantee.js');
 *
 *     g.main({ workers: 2 }, async () => { ...; g.ok(true, 'name'); });
 *
 * PROMPT_GUARANTEE_SCALE (1) multiplies how much is done, not how long a
 * thing may take: those limits are wide, since a machine may be busy.
 */

'use strict';

const { spawn, execFile, execFileSync } = require('child_process');
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const path = require('path');
const readline = require('readline');

const { difference } = require('./difference.js');

const root = path.join(__dirname, '..', '..');
const valgrind = process.env.TEST_NGINX_USE_VALGRIND;

/* where what is tested was built, which is not build/ with sanitizers */
exports.built = (name) => `${process.env.PROMPT_BUILD
                             || `${exports.config.root}/build`}/${name}`;

exports.scale = Number(process.env.PROMPT_GUARANTEE_SCALE || 1);
exports.slow = Number(process.env.PROMPT_TEST_SLOW || 1);
exports.valgrind = valgrind !== undefined;
exports.asan = Boolean(process.env.TEST_NGINX_LD_PRELOAD);

let config = null;
let tests = 0;
let failed = 0;
let server = null;            /* nginx, where it is our child */

/* instead of main(): a service that somebody else has started */
exports.attach = (to) => {
    config = to;
    exports.config = to;
};


/* TAP */

exports.diag = (text) => {
    process.stdout.write(`# ${String(text).replace(/\n/g, '\n# ')}\n`);
};

/* where what failed is told: the file that is run */
const suite = path.relative(root, process.argv[1] || '');

/* not ok, and why: on one line, as others write there, too */
function fail(name, why) {
    process.stderr.write(`# ${suite}: ${name}${why ? `: ${why}` : ''}\n`);
}

function check(cond, name) {
    tests++;
    failed += cond ? 0 : 1;
    process.stdout.write(`${cond ? 'ok' : 'not ok'} ${tests} - ${name}\n`);

    return Boolean(cond);
}

exports.ok = (cond, name) => {
    if (!check(cond, name)) {
        fail(name);
    }

    return Boolean(cond);
};

exports.is = (got, want, name) => {
    if (!check(JSON.stringify(got) === JSON.stringify(want), name)) {
        fail(name, difference(got, want));

        if (process.env.PROMPT_TEST_VERBOSE) {
            exports.diag(`got: ${JSON.stringify(got, null, 2)}`);
            exports.diag(`wanted: ${JSON.stringify(want, null, 2)}`);
        }
    }
};


/* time */

exports.sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/*
 * Waits until act() answers something true; false when it never does.  What
 * takes long is asked less often: it has better things to do.
 */
exports.until = async (seconds, act) => {
    const end = Date.now() + seconds * 1000 * exports.slow;
    let pause = 20;

    do {
        const value = await act();

        if (value) {
            return value;
        }

        await exports.sleep(pause);
        pause = Math.min(pause * 1.2, 200);
    } while (Date.now() < end);

    return false;
};

/* n clients at once; client(i) */
exports.clients = (n, client) =>
    Promise.all(Array.from({ length: n }, (_, i) => client(i)));

/* a pool of workers that do act(i) for i below total */
exports.share = async (n, total, act) => {
    let next = 0;

    await exports.clients(n, async () => {
        while (next < total) {
            await act(next++);
        }
    });
};

exports.any = (list) => list[Math.floor(Math.random() * list.length)];

/* the q-th quantile of times */
exports.quantile = (times, q) => {
    const sorted = [...times].sort((a, b) => a - b);

    return sorted.length === 0
           ? 0 : sorted[Math.min(sorted.length - 1,
                                 Math.floor(sorted.length * q))];
};


/*
 * GraphQL: { status, data, errors, code, bytes, ms } or { broken }.  options:
 * key (null: none), headers, method, path, port, agent, onRequest; chunks: the body
 * goes out byte by byte.  data is that of an answer without errors: what
 * stands beside errors is in partial.
 */

exports.agent = (sockets) => new http.Agent({ keepAlive: true,
                                              maxSockets: sockets || 512 });

const everyone = exports.agent();

exports.request = (body, options) => new Promise((done) => {
    const start = performance.now();
    const o = options || {};
    const headers = {
        'Content-Type': 'application/json',
        ...(o.chunks ? { 'Transfer-Encoding': 'chunked' }
                     : { 'Content-Length': Buffer.byteLength(body) })
    };

    if (o.key !== null) {
        headers['X-API-Key'] = o.key === undefined ? config.alice_key : o.key;
    }

    const request = http.request({
        host: '127.0.0.1', port: o.port || config.port, path: o.path || '/graphql',
        method: o.method || 'POST',
        agent: o.agent === undefined ? everyone : o.agent,
        headers: { ...headers, ...(o.headers || {}) }
    }, (response) => {
        let text = '';

        response.setEncoding('utf8');
        response.on('data', (data) => { text += data; });
        response.on('error', (e) => done({ broken: e.message || 'cut', text,
                                           reused: request.reusedSocket, start,
                                           ms: performance.now() - start }));
        response.on('end', () => {
            const r = { status: response.statusCode, start,
                        http: response.statusCode,
                        headers: response.headers,
                        bytes: Buffer.byteLength(text),
                        ms: performance.now() - start };

            try {
                Object.assign(r, JSON.parse(text));
            } catch {
                r.text = text;
            }

            r.code = r.errors && r.errors[0].extensions
                     ? r.errors[0].extensions.code : undefined;

            if (r.errors) {
                r.partial = r.data;
                delete r.data;
            }

            done(r);
        });
    });

    if (o.onRequest) {
        o.onRequest(request);
    }

    request.on('error', (e) => done({ broken: e.code || e.message,
                                      reused: request.reusedSocket, start,
                                      ms: performance.now() - start }));

    if (o.chunks) {
        for (const byte of Buffer.from(body)) {
            request.write(Buffer.of(byte));
        }

        request.end();
        return;
    }

    request.end(body);
});

/* another location; the answer is in text where it is not JSON */
exports.get = (where, options) =>
    exports.request('', { key: null, ...options, path: where, method: 'GET' });

exports.post = (query, variables, options) =>
    exports.request(JSON.stringify({ query, variables }), options);

/* how a request ended, in a word or two: for counting */
exports.ending = (r) => {
    if (r.broken) {
        return `broken ${r.broken}`;
    }

    return r.code ? `${r.status} ${r.code}` : String(r.status);
};

exports.tally = () => {
    const seen = {};

    return {
        seen,
        add(r) {
            const name = exports.ending(r);

            seen[name] = (seen[name] || 0) + 1;
            return r;
        },
        toString() {
            return Object.entries(seen).map(([k, v]) => `${v} x ${k}`)
                         .join(', ') || 'nothing';
        },
        /* how many ended in another way than these */
        others(...names) {
            return Object.entries(seen)
                         .filter(([k]) => !names.includes(k))
                         .reduce((sum, [, v]) => sum + v, 0);
        }
    };
};


/* prompts */

exports.prompt = async (name, content, params, options) => {
    const made = await exports.post(
        'mutation ($input: CreatePromptInput!) '
        + '{ createPrompt(input: $input) { id } }',
        { input: { name, isPublic: Boolean(options && options.isPublic) } },
        options);

    if (!made.data) {
        throw new Error(`createPrompt: ${JSON.stringify(made)}`);
    }

    const id = made.data.createPrompt.id;

    if (content !== undefined) {
        const r = await exports.version(id, content, params, options);

        if (!r.data) {
            throw new Error(`createPromptVersion: ${JSON.stringify(r)}`);
        }
    }

    return id;
};

exports.version = (promptId, content, params, options) => exports.post(
    'mutation ($input: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $input) { id version } }',
    { input: { promptId, content, params: params || { model: 'fx:ok' } } },
    options);

exports.execute = (promptId, input, options) => exports.post(
    'mutation ($id: ID!, $input: JSON!, $version: Int) { executePrompt('
    + 'promptId: $id, input: $input, version: $version) '
    + '{ output executionId versionUsed } }',
    { id: promptId, input, version: options && options.version }, options);


/* the database, as its superuser, or who config names: rows of columns */

exports.sql = (text, database) => new Promise((done, fail) => {
    execFile(config.psql, ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1',
                           '-h', config.pg_host,
                           '-U', config.pg_user || 'postgres',
                           '-d', database || config.db, '-c', text],
             { maxBuffer: 64 * 1024 * 1024 }, (error, out) => {
        if (error) {
            fail(error);
            return;
        }

        done(out.split('\n').filter((line) => line !== '')
                .map((line) => line.split('|')));
    });
});


/* Redis: one command by hand */

exports.redis = (...args) => new Promise((done, fail) => {
    execFile('redis-cli', ['-s', config.redis, ...args],
             { maxBuffer: 64 * 1024 * 1024 },
             (error, out) => (error ? fail(error) : done(out.trim())));
});


/* the version of a prompt is held by somebody else, who is let go by end() */
exports.hold = async (id) => {
    const held = exports.sql('BEGIN; SELECT 1 FROM prompt_versions WHERE prompt_id = '
                       + `'${id}' FOR UPDATE; SELECT pg_sleep(600)`)
                  .catch(() => null);
    const holder = () => exports.sql('SELECT pid FROM pg_stat_activity WHERE '
                               + "query LIKE '%FOR UPDATE%' AND query LIKE "
                               + `'%${id}%' AND wait_event = 'PgSleep'`);

    await exports.until(20, async () => (await holder()).length === 1);

    return { end: async () => {
        await exports.sql(`SELECT pg_terminate_backend(${(await holder())[0][0]})`);
        await held;
    } };
};

/* how many starts of executions wait for a lock */
exports.blocked = async () => Number((await exports.sql(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
    + "AND query LIKE 'INSERT INTO executions%'"))[0][0]);


/* what the provider received */

exports.calls = (what) => new Promise((done, fail) => {
    http.get({ host: '127.0.0.1', port: config.provider, agent: false,
               path: `/_control/${what || 'log'}` }, (response) => {
        let text = '';

        response.on('data', (data) => { text += data; });
        response.on('end', () => done(JSON.parse(text)));
    }).on('error', fail);
});


/* processes */

function pidIn(file) {
    try {
        return Number(/^\d+/.exec(fs.readFileSync(file, 'utf8'))[0]);
    } catch {
        return 0;
    }
}

function statOf(pid) {
    try {
        const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
        const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');

        return { pid, state: rest[0], parent: Number(rest[1]) };
    } catch {
        return null;
    }
}

exports.alive = (pid) => {
    const stat = statOf(pid);

    return stat !== null && stat.state !== 'Z';
};

/* processor time of a process and all its threads, ms */
exports.cpu = (pid) => fs.readdirSync(`/proc/${pid}/task`)
    .map((task) => fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`,
                                   'utf8'))
    .reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);

exports.children = (pid) => fs.readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name)))
    .filter((stat) => stat !== null && stat.parent === pid
                      && stat.state !== 'Z')
    .map((stat) => stat.pid);

exports.pidIn = pidIn;
exports.master = () => pidIn(`${config.at}/nginx.pid`);

function title(pid) {
    try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
        return '';
    }
}

/* the workers that take connections, and those that do not any more */
exports.workers = () => exports.children(exports.master())
    .filter((pid) => /^nginx: worker process(?! is)/.test(title(pid)));
exports.leaving = (master) => exports.children(master || exports.master())
    .filter((pid) => /worker process is shutting/.test(title(pid)));

exports.signal = (name, pids) => {
    /* 0 is who is not there, and to kill() all of this test and its harness */
    for (const pid of [].concat(pids).filter((one) => one > 0)) {
        try {
            process.kill(pid, name);
        } catch {
            /* it is gone */
        }
    }
};

exports.hup = () => exports.signal('SIGHUP', exports.master());

exports.postmaster = () => pidIn(`${config.pg_data}/postmaster.pid`);

/* the postmaster and all its children, also those of this very moment */
exports.stopPostgres = () => {
    const pid = exports.postmaster();

    exports.signal('SIGSTOP', pid);
    exports.signal('SIGSTOP', exports.children(pid));
};

exports.continuePostgres = () => {
    const pid = exports.postmaster();

    exports.signal('SIGCONT', exports.children(pid));
    exports.signal('SIGCONT', pid);
};

/* kills the postmaster and waits for its children, who notice */
exports.killPostgres = async () => {
    const pid = exports.postmaster();
    const children = exports.children(pid);

    exports.signal('SIGKILL', pid);
    await exports.until(10, () => ![pid, ...children].some(exports.alive));

    /* where nobody reaps it, its number would be taken for a running one */
    fs.rmSync(`${config.pg_data}/postmaster.pid`, { force: true });
    fs.rmSync(`${config.pg_host}/.s.PGSQL.5432.lock`, { force: true });
};

exports.redisPid = () => pidIn(config.redis_pid);

/* tools/services.sh; what it prints */
exports.services = (command, ...args) => new Promise((done, fail) => {
    execFile(path.join(root, 'tools/services.sh'),
             [command, config.services, ...args],
             (error, out) => (error ? fail(error) : done(out.trim())));
});

/* starts again what is down */
exports.startServices = () => exports.services('start');

exports.memory = (pid) => {
    const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');

    return Number(/^Private_Dirty:\s+(\d+)/m.exec(text)[1]);     /* KiB */
};

exports.descriptors = (pid) => fs.readdirSync(`/proc/${pid}/fd`).length;


/* nginx */

exports.log = () => fs.readFileSync(`${config.at}/error.log`, 'utf8');

function writeConf(options) {
    const main = options.main || '';

    fs.writeFileSync(`${config.at}/nginx.conf`, `
load_module ${config.module};
${config.user ? `user ${config.user};` : ''}
worker_processes ${options.workers || 2};
pid ${config.at}/nginx.pid;
error_log ${config.at}/error.log ${options.level || 'info'};
${main}
events { worker_connections ${options.connections || 1024}; }
http {
    access_log off;
    keepalive_requests 1000000;
    client_body_temp_path ${config.at}/body;
    proxy_temp_path ${config.at}/proxy;
    fastcgi_temp_path ${config.at}/fastcgi;
    uwsgi_temp_path ${config.at}/uwsgi;
    scgi_temp_path ${config.at}/scgi;
${config.http}
${options.http || ''}
    server {
        listen 127.0.0.1:${config.port};
${config.server}
${(options.locations || '').replace('%PROVIDER%', config.provider)
                           .replace('%AT%', config.at)}
    }
}
`);
}

exports.start = async (options) => {
    writeConf(options || {});

    const args = ['-e', `${config.at}/error.log`, '-p', config.at,
                  '-c', `${config.at}/nginx.conf`];
    const env = { ...process.env, ...(options && options.env) };
    let command = config.nginx;

    if (!(options && options.daemon)) {
        args.push('-g', 'daemon off;');
    }

    if (valgrind) {
        args.unshift('-q', ...valgrind.split(' '), command);
        command = 'valgrind';
    }

    if (process.env.TEST_NGINX_LD_PRELOAD) {
        env.LD_PRELOAD = [process.env.TEST_NGINX_LD_PRELOAD]
            .concat((options && options.env && options.env.LD_PRELOAD) || [])
            .join(':');
    }

    server = spawn(command, args, { env, stdio: ['ignore', 'inherit',
                                                 'inherit'] });
    server.on('exit', () => { server = null; });

    const up = await exports.until(10, async () => {
        const r = await exports.post('{ me { id } }', undefined,
                                     { agent: false });

        return r.status === 200 && r.data;
    });

    if (!up) {
        throw new Error('nginx does not answer');
    }
};

/* asks nginx to go; true when it went in time */
exports.quit = async (seconds) => {
    const pid = exports.master();

    if (!pid) {
        return true;
    }

    exports.signal('SIGQUIT', pid);

    return exports.until(seconds || 20, () => !exports.alive(pid));
};

/* what a log must not hold */
exports.faults = (allow) => exports.log().split('\n').filter((line) =>
    (/\[(alert|crit|emerg)\]|open socket|exited on signal/.test(line)
     || /runtime error:|AddressSanitizer/.test(line)
     || config.secrets.some((secret) => line.includes(secret)))
    && !(allow && allow.test(line)));


/*
 * The clock of PostgreSQL, where the option clock is true: how far it is away
 * from ours, as libfaketime has it ("+25h", "-10m", "+0").
 */
const clock = path.join(os.tmpdir(), `prompt-clock-${process.pid}`);

exports.clock = (away) => {
    fs.writeFileSync(`${clock}.new`, `${away}\n`, { mode: 0o644 });
    fs.renameSync(`${clock}.new`, clock);
};

exports.clockMissing = () => (
    execFileSync('sh', ['-c', 'ls /usr/lib/*/faketime/libfaketime.so.1 || :'],
                 { stdio: ['ignore', 'pipe', 'ignore'] }).length === 0
    ? 'no libfaketime here' : null);

function host(options) {
    return new Promise((done, fail) => {
        const child = spawn('perl', [`-I${root}/t/lib`,
                                     '-MPromptTest::Guarantee', '-e',
                                     'PromptTest::Guarantee::host'],
                            { stdio: ['pipe', 'pipe', 'inherit'],
                              cwd: root,
                              env: { ...process.env, ...(options.clock
                                     ? { SERVICES_CLOCK: clock } : {}) } });

        readline.createInterface({ input: child.stdout })
                .once('line', (line) => done({ child,
                                               config: JSON.parse(line) }));
        child.on('error', fail);
        child.on('exit', () => fail(new Error('no services')));
        child.stdin.write(`${JSON.stringify({
            ...(options.postgres ? { postgres: options.postgres } : {}),
            ...(options.redis ? { redis: options.redis } : {})
        })}\n`);
    });
}

/* gives the services back */
function release(owner) {
    const gone = new Promise((done) => {
        owner.child.removeAllListeners('exit').on('exit', done);
    });

    owner.child.stdin.end();

    return gone;
}

/*
 * Runs a test.  options: workers, connections of each; main, http, locations
 * (added to nginx.conf);
 * allow (log lines that are expected); slowly (it makes sense under valgrind);
 * postgres and redis (arguments of the directives; %CONNINFO%, %REDIS%); env;
 * clock (PostgreSQL's can be set);
 * before(config), called before nginx is started: what it returns, if
 * anything, is why the test cannot run here.
 */
exports.main = async (options, test) => {
    let owner = null;

    if (valgrind && !options.slowly) {
        process.stdout.write('1..0 # SKIP too slow under valgrind\n');
        return;
    }

    if (options.clock) {
        const missing = exports.clockMissing();

        if (missing) {
            process.stdout.write(`1..0 # SKIP ${missing}\n`);
            return;
        }

        exports.clock('+0');
    }

    try {
        owner = await host({ clock: options.clock });
        config = owner.config;
        config.at = `${config.dir}`;
        fs.mkdirSync(`${config.at}/logs`, { recursive: true });
        fs.chmodSync(config.at, 0o777);
        exports.config = config;

        const why = options.before ? await options.before(config) : null;

        if (why) {
            process.stdout.write(`1..0 # SKIP ${why}\n`);
            fs.rmSync(config.at, { recursive: true });
            await release(owner);
            return;
        }

        for (const [name, value] of [['postgres', options.postgres],
                                     ['redis', options.redis]]) {
            if (value) {
                config.http = config.http.replace(
                    new RegExp(`^ *prompt_${name} .*;$`, 'm'),
                    `    prompt_${name} ${value
                        .replace('%CONNINFO%', `"${config.conninfo}"`)
                        .replace('%REDIS%', `unix:${config.redis} `
                                            + `prefix=${config.prefix}`)};`);
            }
        }

        await exports.start(options);
        await test(config);

        exports.ok(await exports.quit(40), 'nginx leaves when it is told to');

        const faults = exports.faults(options.allow);

        exports.is(faults.slice(0, 5), [], 'a clean log');

    } catch (error) {
        check(false, 'the test itself');
        fail('the test itself', error.stack);
    }

    process.stdout.write(`1..${tests}\n`);

    if (config !== null) {
        try {
            exports.continuePostgres();
            exports.signal('SIGCONT', exports.redisPid());
        } catch {
            /* they are gone */
        }

        const pid = exports.master();

        if (pid) {
            exports.signal('SIGKILL', exports.children(pid));
            exports.signal('SIGKILL', pid);
        }

        if (server !== null) {
            server.kill('SIGKILL');
        }

        if (failed > 0 || process.env.PROMPT_TEST_KEEP) {
            exports.diag(`kept: ${config.at}`);
        } else {
            fs.rmSync(config.at, { recursive: true, force: true });
        }
    }

    if (owner !== null) {
        await release(owner);
    }

    process.exit(failed > 0 ? 1 : 0);
};

/* of the loopback interface, free at this moment */
exports.freePort = () => new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address();

        server.close(() => done(port));
    });
});

/* a raw connection to nginx */
exports.connect = () => net.connect(config.port, '127.0.0.1');

/* an HTTP request as text, for raw connections */
exports.raw = (query, variables, key) => {
    const body = JSON.stringify({ query, variables });

    return 'POST /graphql HTTP/1.1\r\nHost: t\r\nContent-Type: '
           + `application/json\r\nX-API-Key: ${key || config.alice_key}\r\n`
           + `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

