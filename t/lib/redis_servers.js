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

let place = null;
const servers = new Map();           /* by port */


function free(port) {
    return new Promise((done) => {
        const server = net.createServer();

        server.on('error', () => done(false));
        server.listen(port, host, () => server.close(() => done(true)));
    });
}

/* n ports, such that the bus of a cluster has one 10,000 above each */
exports.ports = async (n) => {
    const found = [];

    while (found.length < n) {
        const port = 20000 + Math.floor(Math.random() * 12000);

        if (!found.includes(port) && await free(port)
            && await free(port + 10000))
        {
            found.push(port);
        }
    }

    return found;
};

exports.cli = (port, ...args) => new Promise((done, fail) => {
    execFile('redis-cli', ['-h', host, '-p', String(port), ...args],
             { maxBuffer: 16 * 1024 * 1024 },
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

exports.pid = (port) => servers.get(port).pid;

exports.start = async (port, ...options) => {
    if (place === null) {
        place = fs.mkdtempSync(path.join(os.tmpdir(), 'prompt-redis-'));
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


/* ports: masters, then as many replicas */
exports.cluster = async (ports) => {
    for (const port of ports) {
        await exports.start(port, '--cluster-enabled', 'yes',
                            '--cluster-node-timeout', '1500',
                            '--cluster-replica-validity-factor', '0',
                            '--save', '', '--appendonly', 'no');
    }

    await exports.cli(ports[0], '--cluster', 'create',
                      ...ports.map((port) => `${host}:${port}`),
                      '--cluster-replicas', '1', '--cluster-yes');

    await exports.settled(ports);
};

exports.settled = (ports) => until('the cluster is whole', async () => {
    for (const port of ports) {
        const info = await exports.cli(port, 'CLUSTER', 'INFO');

        if (!/cluster_state:ok/.test(info)) {
            return false;
        }

        if (/role:slave/.test(await exports.cli(port, 'INFO', 'replication'))
            && !/master_link_status:up/.test(
                await exports.cli(port, 'INFO', 'replication')))
        {
            return false;
        }
    }

    return true;
});

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
exports.sentinel = async (name, redis, sentinels, password) => {
    process.env.REDISCLI_AUTH = password;

    for (const [i, port] of redis.entries()) {
        await exports.start(port, '--save', '', '--appendonly', 'no',
                            '--requirepass', password,
                            '--masterauth', password,
                            ...(i === 0 ? []
                                : ['--replicaof', `${host} ${redis[0]}`]));
    }

    for (const port of sentinels) {
        const file = path.join(place, `sentinel-${port}.conf`);

        fs.writeFileSync(file, `sentinel monitor ${name} ${host} ${redis[0]} 2
sentinel down-after-milliseconds ${name} 1000
sentinel failover-timeout ${name} 5000
sentinel auth-pass ${name} ${password}
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
