/*
 * Redis servers of a test's own, on ports of loopback: a cluster of three
 * masters with a replica each, or a master with replicas and three Sentinels.
 */

'use strict';

const { execFile, spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const host = '127.0.0.1';
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/*
 * A node of a cluster writes its file to the disk before it votes, and answers
 * nobody meanwhile.  Beside PostgreSQLs on a slow disk that takes longer than
 * the others wait, so that they never agree: their files are in memory.
 */
const memory = '/dev/shm';

let place = null;
const servers = new Map();           /* by port */


function free(port) {
    return new Promise((done) => {
        const server = net.createServer();

        server.on('error', () => done(false));
        server.listen(port, host, () => server.close(() => done(true)));
    });
}

/*
 * n ports, each with the next one free for the bus of a cluster: below those
 * that the kernel gives to connections and other tests to their servers, so
 * that they are free yet when a server that was killed comes back.
 */
exports.ports = async (n) => {
    const found = [];

    while (found.length < n) {
        const port = 10000 + 2 * Math.floor(Math.random() * 5000);

        if (!found.includes(port) && await free(port) && await free(port + 1)) {
            found.push(port);
        }
    }

    return found;
};

const bus = (port) => port + 1;

exports.cli = (port, ...args) => new Promise((done, fail) => {
    execFile('redis-cli', ['-h', host, '-p', String(port), ...args],
             { maxBuffer: 16 * 1024 * 1024, timeout: 60000 },
             (error, out) => (error ? fail(new Error(`${error} ${out}`))
                                    : done(out.trim())));
});

async function until(what, act) {
    for (let i = 0; i < 1200; i++) {
        if (await act().catch(() => false)) {
            return;
        }

        await sleep(50);
    }

    throw new Error(`not within a minute: ${what}`);
}

exports.until = until;

function writable(dir) {
    try {
        fs.accessSync(dir, fs.constants.W_OK);
        return true;
    } catch (e) {
        return false;
    }
}

exports.pid = (port) => servers.get(port).pid;

exports.start = async (port, ...options) => {
    if (place === null) {
        place = fs.mkdtempSync(path.join(writable(memory) ? memory
                                                          : os.tmpdir(),
                                         'prompt-redis-'));
    }

    const dir = path.join(place, String(port));

    fs.mkdirSync(dir, { recursive: true });

    const server = spawn('redis-server', [...options, '--port', String(port),
                                          '--bind', host, '--dir', dir],
                         { stdio: 'ignore' });

    server.options = options;
    servers.set(port, server);

    await until('redis', async () => await exports.cli(port, 'PING') === 'PONG');
};

/* with what it knew, as after a crash */
exports.again = (port) => exports.start(port, ...servers.get(port).options);

exports.kill = async (port) => {
    const server = servers.get(port);
    const gone = new Promise((done) => server.on('exit', done));

    server.kill('SIGKILL');
    await gone;
};

exports.stop = () => {
    for (const server of servers.values()) {
        server.kill('SIGKILL');
    }

    if (place !== null) {
        fs.rmSync(place, { recursive: true, force: true });
    }
};

process.on('exit', exports.stop);


/*
 * The user that docs/operating.md describes, with exactly those rights, as
 * options of a server: for one server, and the words of a line that begins so.
 */
const password = 'a-password-of-redis';

exports.login = `user=prompt password=${password}`;

exports.user = (line) => {
    const text = fs.readFileSync(path.join(__dirname,
                                           '../../docs/operating.md'), 'utf8');
    const words = /^- One server: `ACL SETUSER (.*?)`$/m.exec(text)[1];
    const more = line === undefined ? '' : text.split('\n')
        .find((l) => l.startsWith(`- ${line}`)).split('`')[1];

    return ['--user', ...`${words} ${more}`.replace('PASSWORD', password)
                                           .trim().split(' ')];
};

/* what a server has refused to somebody, for want of a right */
exports.denied = async (ports) => {
    const lists = await Promise.all(ports.map((port) =>
        exports.cli(port, 'ACL', 'LOG').catch(() => '')));

    return lists.filter((text) => text !== '');
};


/* ports: masters, then as many replicas */
exports.cluster = async (ports) => {
    const user = exports.user('A cluster');

    for (const port of ports) {
        await exports.start(port, '--cluster-enabled', 'yes',
                            '--cluster-port', String(bus(port)),
                            '--cluster-node-timeout', '1500',
                            '--cluster-replica-validity-factor', '0',
                            '--repl-diskless-sync-delay', '0', ...user,
                            '--save', '', '--appendonly', 'no');
    }

    await exports.cli(ports[0], '--cluster', 'create',
                      ...ports.map((port) => `${host}:${port}@${bus(port)}`),
                      '--cluster-replicas', '1', '--cluster-yes');

    await exports.settled(ports);
};

/* of a node: not all is well with what it sees, or copies */
async function unsettled(port) {
    const replication = await exports.cli(port, 'INFO', 'replication');

    return !/cluster_state:ok/.test(await exports.cli(port, 'CLUSTER', 'INFO'))
           || (/role:slave/.test(replication)
               && !/master_link_status:up/.test(replication));
}

/* how each of them sees all, for whoever reads why a test failed */
async function described(ports) {
    for (const port of ports) {
        const said = [];

        for (const words of [['CLUSTER', 'NODES'], ['CLUSTER', 'INFO'],
                             ['INFO', 'replication']])
        {
            said.push(await exports.cli(port, ...words).catch(String));
        }

        process.stderr.write(`# ${host}:${port}\n${said.join('\n')}`
                             .replace(/\r?\n/g, '\n#     ') + '\n');
    }
}

exports.settled = async (ports) => {
    try {
        await until('the cluster is whole', async () => {
            for (const port of ports) {
                if (await unsettled(port)) {
                    return false;
                }
            }

            return true;
        });
    } catch (e) {
        await described(ports);
        throw e;
    }
};

/* [port of a master, its replicas' ports] for each master */
exports.masters = async (port) => {
    const lines = (await exports.cli(port, 'CLUSTER', 'NODES')).split('\n')
        .map((line) => line.split(' '))
        .filter((words) => !/fail|noaddr/.test(words[2]));
    const portOf = (words) => Number(/:(\d+)@/.exec(words[1])[1]);

    return lines.filter((words) => /master/.test(words[2])).map((master) => ({
        id: master[0], port: portOf(master), slots: master.slice(8),
        replicas: lines.filter((words) => words[3] === master[0]).map(portOf)
    }));
};

/* as soon as all of them agree on who has what */
exports.reshard = (port, from, to, slots) => until('resharded', async () => {
    await exports.cli(port, '--cluster', 'reshard', `${host}:${port}`,
                      '--cluster-from', from, '--cluster-to', to,
                      '--cluster-slots', String(slots), '--cluster-yes',
                      '--cluster-pipeline', '10');
    return true;
});


/* redis: ports of a master, then of a replica; of three Sentinels */
exports.sentinel = async (name, redis, sentinels, secret) => {
    const user = exports.user('Behind Sentinel');

    process.env.REDISCLI_AUTH = secret;

    for (const [i, port] of redis.entries()) {
        await exports.start(port, '--save', '', '--appendonly', 'no',
                            '--requirepass', secret,
                            '--masterauth', secret, ...user,
                            ...(i === 0 ? []
                                : ['--replicaof', `${host} ${redis[0]}`]));
    }

    for (const port of sentinels) {
        const file = path.join(place, `sentinel-${port}.conf`);

        fs.writeFileSync(file, `sentinel monitor ${name} ${host} ${redis[0]} 2
sentinel down-after-milliseconds ${name} 1000
sentinel failover-timeout ${name} 5000
sentinel auth-pass ${name} ${secret}
`);

        await exports.start(port, file, '--sentinel');
    }

    await until('Sentinels know each other and the replicas', async () => {
        for (const port of sentinels) {
            const text = await exports.cli(port, 'SENTINEL', 'MASTER', name);

            if (!/num-slaves\n1\b/.test(text)
                || !/num-other-sentinels\n2\b/.test(text))
            {
                return false;
            }
        }

        return true;
    });
};
