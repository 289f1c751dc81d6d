/*
 * A second host: an nginx with a configuration of its own, on the same
 * PostgreSQL and Redis, or where edit(text) leads its nginx.conf to.
 */

'use strict';

const { spawn } = require('child_process');
const fs = require('fs');

const g = require('./guarantee.js');

let second = null;


/* { port, master() } when it answers, else false */
async function start(config, edit) {
    const at = `${config.at}/second`;
    const port = await g.freePort();
    const text = fs.readFileSync(`${config.at}/nginx.conf`, 'utf8')
        .replace(`pid ${config.at}/`, `pid ${at}/`)
        .replace(`error_log ${config.at}/`, `error_log ${at}/`)
        .replace(`listen 127.0.0.1:${config.port};`,
                 `listen 127.0.0.1:${port};`);

    fs.mkdirSync(at, { recursive: true });
    fs.chmodSync(at, 0o777);
    fs.writeFileSync(`${at}/nginx.conf`, edit ? edit(text) : text);

    second = spawn(config.nginx, ['-e', `${at}/error.log`, '-p', at, '-c',
                                  `${at}/nginx.conf`, '-g', 'daemon off;'],
                   { stdio: ['ignore', 'inherit', 'inherit'],
                     env: { ...process.env,
                            ...(process.env.TEST_NGINX_LD_PRELOAD
                                ? { LD_PRELOAD:
                                    process.env.TEST_NGINX_LD_PRELOAD }
                                : {}) } });

    const up = await g.until(10, async () => (await g.post('{ me { id } }', {},
        { port, agent: false })).status === 200);

    return up && { port, master: () => second.pid };
}


async function stop() {
    const gone = new Promise((done) => second.on('exit', done));

    second.kill('SIGQUIT');

    return Promise.race([gone.then(() => true),
                         g.sleep(40000 * g.slow).then(() => false)]);
}


/* what its log must not hold */
const faults = (config) => fs.readFileSync(`${config.at}/second/error.log`,
                                           'utf8')
    .split('\n')
    .filter((line) => /\[(alert|crit|emerg)\]|exited on signal/.test(line)
                      || config.secrets.some((s) => line.includes(s)));


module.exports = { start, stop, faults };
