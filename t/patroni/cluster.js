/*
 * Three PostgreSQL under Patroni on loopback, which agree by Patroni's own
 * Raft: synchronous replication, a place of their own below a directory.
 */

'use strict';

const { execFile, execFileSync, spawn } = require('child_process');
const fs = require('fs');
const http = require('http');
const path = require('path');

const redis = require('../lib/redis_servers.js');

const host = '127.0.0.1';
const bin = execFileSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin'])
    .toString().trim().split('\n').pop();
const nodes = [];
let place = null;

const yaml = (node) => `
scope: prompts
name: ${node.name}
restapi:
  listen: ${host}:${node.api}
  connect_address: ${host}:${node.api}
raft:
  data_dir: ${node.at}/raft
  self_addr: ${host}:${node.raft}
  partner_addrs: [${nodes.filter((n) => n !== node)
                         .map((n) => `'${host}:${n.raft}'`).join(', ')}]
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    master_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 60
        shared_buffers: 32MB
        wal_log_hints: 'on'
        hot_standby: 'on'
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
postgresql:
  listen: ${host}:${node.port}
  connect_address: ${host}:${node.port}
  data_dir: ${node.at}/data
  bin_dir: ${bin}
  pgpass: ${node.at}/pgpass
  authentication:
    superuser: {username: postgres, password: postgres}
    replication: {username: replicator, password: replicator}
    rewind: {username: rewinder, password: rewinder}
  pg_hba:
    - local all all trust
    - host all all ${host}/32 trust
    - host replication all ${host}/32 trust
  parameters:
    unix_socket_directories: '${node.at}'
watchdog: {mode: 'off'}
tags: {nofailover: false}
`;

exports.nodes = nodes;
exports.host = host;

exports.conninfo = (user, database) =>
    `host=${nodes.map(() => host).join(',')} `
    + `port=${nodes.map((n) => n.port).join(',')} user=${user} `
    + `dbname=${database} target_session_attrs=read-write connect_timeout=2`;

function begin(node) {
    const log = fs.openSync(`${node.at}/log`, 'a');

    node.process = spawn('runuser', ['-u', 'postgres', '--', 'patroni',
                                     `${node.at}/patroni.yml`],
                         { stdio: ['ignore', log, log], detached: true });
    fs.closeSync(log);
}

exports.start = async (at) => {
    const ports = await redis.ports(9);

    place = at;
    fs.mkdirSync(place, { recursive: true });

    for (let i = 0; i < 3; i++) {
        nodes.push({ name: `p${i}`, port: ports[i], api: ports[3 + i],
                     raft: ports[6 + i], at: path.join(place, `p${i}`) });
    }

    for (const node of nodes) {
        fs.mkdirSync(`${node.at}/raft`, { recursive: true });
        fs.writeFileSync(`${node.at}/patroni.yml`, yaml(node));
    }

    execFileSync('chown', ['-R', 'postgres', place]);
    nodes.forEach(begin);

    await redis.until('a leader with a synchronous standby', async () =>
        await exports.leader() && await exports.members('sync_standby') > 0);
};

exports.ask = (node) => new Promise((done) => {
    const request = http.get({ host, port: node.api, path: '/patroni',
                               agent: false, timeout: 1000 }, (response) => {
        let text = '';

        response.on('data', (data) => { text += data; });
        response.on('end', () => {
            try {
                done(JSON.parse(text));
            } catch {
                done({});
            }
        });
    });

    request.on('timeout', () => request.destroy());
    request.on('error', () => done({}));
});

exports.leader = async () => {
    for (const node of nodes) {
        const said = await exports.ask(node);

        if (said.role === 'master' && said.state === 'running') {
            return node;
        }
    }

    return null;
};

exports.members = async (role) => {
    const list = await new Promise((done) => {
        const request = http.get({ host, port: nodes[0].api, path: '/cluster',
                                   agent: false, timeout: 2000 }, (r) => {
            let text = '';

            r.on('data', (data) => { text += data; });
            r.on('end', () => done(JSON.parse(text).members || []));
        });

        request.on('timeout', () => request.destroy());
        request.on('error', () => done([]));
    });

    return list.filter((m) => m.role === role && m.state !== 'stopped').length;
};

/* everything that runs on a node: Patroni, and PostgreSQL below it */
function processes(node) {
    const found = [];

    for (const pid of fs.readdirSync('/proc').filter((p) => /^\d+$/.test(p))) {
        try {
            const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
            const cwd = fs.readlinkSync(`/proc/${pid}/cwd`);

            if (words.includes(`${node.at}/`) || cwd.startsWith(node.at)) {
                found.push(Number(pid));
            }
        } catch {
            /* it is gone */
        }
    }

    return found;
}

exports.signal = (node, name) => {
    for (const pid of processes(node)) {
        try {
            process.kill(pid, name);
        } catch {
            /* it is gone */
        }
    }
};

exports.again = begin;

exports.switchover = (from) => new Promise((done, fail) => {
    execFile('patronictl', ['-c', `${from.at}/patroni.yml`, 'switchover',
                            '--master', from.name, '--force', 'prompts'],
             { env: { ...process.env, LC_ALL: 'C.UTF-8' } },
             (error, out, err) => (error ? fail(new Error(`${out} ${err}`))
                                         : done(out)));
});

exports.stop = () => {
    for (let i = 0; i < 3; i++) {
        nodes.forEach((node) => exports.signal(node, 'SIGKILL'));
    }

    if (place !== null) {
        fs.rmSync(place, { recursive: true, force: true });
    }
};

process.on('exit', exports.stop);
