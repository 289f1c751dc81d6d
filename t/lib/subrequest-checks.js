/*
 * Endpoints as subrequests; t/subrequests_endpoints.t has the nginx.
 *
 *     node subrequest-checks.js CONFIG.json
 *
 * CONFIG: http1 and http2 (ports), endpoints (names; /NAME/ asks one as it
 * is), kinds (/KIND/NAME asks it by a subrequest), key, query (a
 * subscription), prompt, paused (ids of what it executes).  /graphql is
 * mirrored to itself.  Prints TAP without a plan.
 */

'use strict';

const fs = require('fs');
const net = require('net');

const { Raw } = require('./http2.js');

const config = JSON.parse(fs.readFileSync(process.argv[2]));

const accepts = [undefined, '*/*', 'application/json', 'text/event-stream',
                 'application/graphql-response+json',
                 'text/event-stream, application/json'];

let tests = 0;

function ok(cond, name, detail) {
    tests++;
    process.stdout.write(`${cond ? 'ok' : 'not ok'} ${tests} - ${name}\n`);

    if (!cond && detail !== undefined) {
        process.stdout.write(`# ${String(detail).slice(0, 600)}\n`);
    }
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));


/*
 * A connection of HTTP/1.1 that takes nothing but whole answers, one after the
 * other: { status, body }, or { broken } and it is of no use any more.
 */

class Strict {
    constructor() {
        this.text = '';
        this.over = false;
        this.wake = () => {};
    }

    open() {
        return new Promise((done, fail) => {
            this.socket = net.connect(config.http1, '127.0.0.1',
                                      () => done(this));
            this.socket.on('error', fail);
            this.socket.on('data', (data) => {
                this.text += data.toString('latin1');
                this.wake();
            });
            this.socket.on('close', () => {
                this.over = true;
                this.wake();
            });
        });
    }

    async ask(o) {
        const body = o.body === undefined ? '' : o.body;
        const headers = { Host: 'localhost', ...o.headers };

        if (o.body !== undefined) {
            headers['Content-Type'] = 'application/json';
            headers['Content-Length'] = body.length;
        }

        if (this.text !== '') {
            return { broken: `between answers: ${this.text}` };
        }

        this.socket.write(`${o.body === undefined ? 'GET' : 'POST'} ${o.path} `
            + 'HTTP/1.1\r\n'
            + Object.entries(headers).map(([name, value]) =>
                                          `${name}: ${value}\r\n`).join('')
            + `\r\n${body}`);

        const until = Date.now() + 20000 * config.slow;

        for (;;) {
            const answer = this.take();

            if (answer !== null) {
                return answer;
            }

            if (this.over || Date.now() > until) {
                return { broken: `${this.over ? 'closed' : 'late'} after: `
                                 + this.text };
            }

            await Promise.race([sleep(1000),
                                new Promise((done) => { this.wake = done; })]);
        }
    }

    /* null: not yet */
    take() {
        const end = this.text.indexOf('\r\n\r\n');

        if (this.text !== ''
            && !'HTTP/1.1 '.startsWith(this.text.slice(0, 9)))
        {
            return { broken: `no status line: ${this.text}` };
        }

        if (end < 0) {
            return null;
        }

        const head = this.text.slice(0, end);
        const status = Number(head.slice(9, 12));
        const length = /^content-length: (\d+)/im.exec(head);
        let at = end + 4;
        let body = '';

        if (length) {
            body = this.text.slice(at, at + Number(length[1]));
            at += Number(length[1]);

            if (at > this.text.length) {
                return null;
            }

        } else if (/^transfer-encoding: chunked/im.test(head)) {

            for (;;) {
                const line = this.text.indexOf('\r\n', at);

                if (line < 0) {
                    return null;
                }

                const hex = this.text.slice(at, line);
                const n = parseInt(hex, 16);

                if (!/^[0-9a-f]+$/i.test(hex)) {
                    return { broken: `no chunk: ${this.text.slice(at)}` };
                }

                at = line + 2 + n + 2;

                if (at > this.text.length) {
                    return null;
                }

                if (n === 0) {
                    break;
                }

                body += this.text.slice(line + 2, line + 2 + n);
            }

        } else if (status !== 204) {
            return { broken: `no length: ${this.text}` };
        }

        this.text = this.text.slice(at);

        return { status, body, last: /^connection: close/im.test(head) };
    }

    close() {
        this.socket.destroy();
    }
}


/* the same over HTTP/2 */

class Frames {
    async open() {
        this.raw = new Raw({ port: config.http2 });
        await this.raw.open({ window: 1 << 24 });
        return this;
    }

    async ask(o) {
        const headers = {};

        for (const [name, value] of Object.entries(o.headers)) {
            headers[name.toLowerCase()] = value;
        }

        const id = this.raw.request({ path: o.path, body: o.body, headers });
        const answer = await Promise.race([this.raw.ended(id),
                                           sleep(20000 * config.slow)]);

        if (answer === undefined) {
            return { broken: 'late' };
        }

        if (answer.early) {
            return { broken: `before the status: ${answer.body}` };
        }

        if (answer.closed || answer.reset || this.raw.goaway) {
            return { broken: `reset ${answer.reset}: ${answer.body}` };
        }

        return answer;
    }

    close() {
        this.raw.close();
    }
}

const protocols = { 'HTTP/1.1': Strict, 'HTTP/2': Frames };


/* what the page should be, by what the endpoint itself answers */

function expected(kind, direct) {
    const sound = direct.status < 300;

    switch (kind) {

    case 'auth_request':
        return sound ? { status: 200, body: 'begin end' }
               : { status: [401, 403].includes(direct.status) ? direct.status
                                                               : 500 };
    case 'post_action':
    case 'mirror':
        return { status: 200, body: 'begin end' };

    case 'ssi':
        return { status: 200, begin: 'begin ', end: ' end',
                 body: sound ? `begin ${direct.body} end` : undefined };

    case 'addition':
        return { status: 200, within: 'begin end',
                 body: sound ? `${direct.body}begin end${direct.body}`
                             : undefined };
    default:
        return direct;
    }
}

/* numbers that go up meanwhile */
const still = (text) => text.replace(/ [0-9.e+-]+(?=\n|$)/g, ' N');

function fits(got, want) {
    return got.broken === undefined && got.status === want.status
           && (want.body === undefined || still(got.body) === still(want.body))
           && (want.begin === undefined
               || (got.body.startsWith(want.begin)
                   && got.body.endsWith(want.end)))
           && (want.within === undefined || got.body.includes(want.within));
}

async function pages(protocol, kind) {
    const faults = [];
    const direct = await new protocols[protocol]().open();
    let c = await new protocols[protocol]().open();

    for (const name of config.endpoints) {
        for (const accept of accepts) {
            for (const key of [config.key, undefined]) {
                const headers = { ...(accept ? { Accept: accept } : {}),
                                  ...(key ? { 'X-API-Key': key } : {}) };
                const answer = await direct.ask({ path: `/${name}/`, headers });
                const want = expected(kind, answer);
                const got = await c.ask({ path: `/${kind}/${name}`, headers });

                if (answer.broken !== undefined || !fits(got, want)) {
                    faults.push(`${name}, ${accept}, ${key ? 'key' : 'none'}: `
                                + `${JSON.stringify(got).slice(0, 160)} for `
                                + JSON.stringify(want).slice(0, 160));
                }

                if (got.broken !== undefined || got.last) {
                    c.close();
                    c = await new protocols[protocol]().open();
                }
            }
        }
    }

    /* what came too late would stand here */

    const end = await c.ask({ path: '/health/', headers: {} });

    ok(faults.length === 0 && end.status === 200,
       `${kind} over ${protocol}: pages are whole`,
       `${faults.length}: ${faults.slice(0, 3).join('\n# ')}`);

    c.close();
    direct.close();
}


/* nobody but who asks: { connections, writing } */

async function status() {
    const c = await new Strict().open();
    const { body } = await c.ask({ path: '/status', headers: {} });

    c.close();

    return { connections: Number(/Active connections: (\d+)/.exec(body)[1]),
             writing: Number(/Writing: (\d+)/.exec(body)[1]) };
}

async function idle(name) {
    const until = Date.now() + 20000 * config.slow;
    let now;

    do {
        await sleep(50);
        now = await status();
    } while ((now.connections > 1 || now.writing > 1) && Date.now() < until);

    ok(now.connections === 1 && now.writing === 1,
       `${name}: connections and requests are given back`, JSON.stringify(now));
}

const bodyOf = (id) => JSON.stringify({ query: config.query,
                                        variables: { id, in: {} } });
const headers = { Accept: 'text/event-stream', 'X-API-Key': config.key };

/* several hundred, one after the other and side by side */

async function mirrored(protocol, connections, streams) {
    const faults = [];

    await Promise.all(Array.from({ length: 8 }, async () => {
        for (let i = 0; i < connections; i++) {
            const c = await new protocols[protocol]().open();

            for (let j = 0; j < streams; j++) {
                const got = await c.ask({ path: '/graphql', headers,
                                          body: bodyOf(config.prompt) });

                if (got.status !== 200
                    || !got.body.endsWith('\n\nevent: complete\ndata:\n\n')
                    || !/"output":"one two three"/.test(got.body)
                    || got.body.match(/event: complete/g).length !== 1)
                {
                    faults.push(JSON.stringify(got));
                    break;
                }
            }

            c.close();
        }
    }));

    ok(faults.length === 0, `mirrored streams over ${protocol}: each is whole`,
       `${faults.length}: ${faults[0]}`);
    await idle(`mirrored streams over ${protocol}`);
}

/* and clients that leave in the middle */

async function left(protocol) {
    await Promise.all(Array.from({ length: 8 }, async () => {
        const c = await new protocols[protocol]().open();

        await Promise.race([c.ask({ path: '/graphql', headers,
                                    body: bodyOf(config.paused) }),
                            sleep(250)]);
        c.close();
    }));

    await idle(`mirrored streams whose clients left, over ${protocol}`);
}


async function main() {
    for (const protocol of Object.keys(protocols)) {
        for (const kind of config.kinds) {
            await pages(protocol, kind);
        }

        await idle(`endpoints over ${protocol}`);
    }

    await mirrored('HTTP/1.1', 25, 1);
    await mirrored('HTTP/2', 2, 13);
    await left('HTTP/1.1');
    await left('HTTP/2');
}

main().then(() => process.exit(0), (e) => {
    process.stderr.write(`${e.stack}\n`);
    process.exit(1);
});
