// Asks over many connections: the client of tools/growth.pl.
//
//     node growth.js PORT < settings
//
// The first line of its input are the settings as JSON: connections, of which
// each asks again when it was answered; idle, how many only stand open beside;
// seconds, after which nothing is asked any more; requests, how many at most;
// key; body, in which @N@ is another word each time.  It prints "ready" when
// each connection was answered once, begins with the next line of its input,
// and when all is answered prints how many there were, the times in
// milliseconds and what was wrong, as JSON.

'use strict';

const net = require('net');
const readline = require('readline');

const port = Number(process.argv[2]);
const opening = 256;               // connections at once

const run = { times: [], faults: {}, asked: 0, flying: 0, until: 0, n: 0 };
let settings;


function fault(text) {
    run.faults[text] = (run.faults[text] || 0) + 1;
}


function request() {
    const body = settings.body.replaceAll('@N@', `${process.pid}-${run.n++}`);

    return 'POST /graphql HTTP/1.1\r\nHost: t\r\n'
        + `Authorization: Bearer ${settings.key}\r\n`
        + 'Content-Type: application/json\r\n'
        + `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}


// Asks once: told(answer) when it is whole.  Long answers come chunked.
function ask(socket, told) {
    const parts = [];
    let need = -1;
    let have = 0;
    let tail = '';

    function take(data) {
        parts.push(data);
        have += data.length;
        tail = (tail + data.subarray(-5).toString('latin1')).slice(-5);

        if (need < 0) {
            const head = Buffer.concat(parts);
            const end = head.indexOf('\r\n\r\n');

            if (end < 0) {
                return;
            }

            const length = /\r\nContent-Length: (\d+)/i
                .exec(head.toString('latin1', 0, end + 2));

            need = length ? end + 4 + Number(length[1]) : Infinity;
        }

        if (have < need && !(need === Infinity && tail === '0\r\n\r\n')) {
            return;
        }

        socket.off('data', take);
        told(Buffer.concat(parts).toString());
    }

    socket.on('data', take);
    socket.write(request());
}


function check(text) {
    if (!text.startsWith('HTTP/1.1 200') || text.includes('"errors":')) {
        fault(text.slice(0, 15) + ' ' + text.split('\r\n\r\n')[1].slice(0, 300));
    }
}


function connect() {
    return new Promise((done) => {
        const socket = net.connect(port, '127.0.0.1', () => done(socket));

        socket.setNoDelay(true);
        socket.on('error', (e) => { fault(e.message); done(null); });
    });
}


// n connections, each of them answered once where they are to ask
async function open(n, warm) {
    const all = [];

    while (all.length < n) {
        const some = await Promise.all(
            Array.from({ length: Math.min(opening, n - all.length) }, connect));

        all.push(...some);

        if (warm) {
            await Promise.all(some.filter(Boolean).map((socket) =>
                new Promise((done) => ask(socket, (text) => {
                    check(text);
                    done();
                }))));
        }
    }

    return all.filter(Boolean);
}


function finish() {
    run.times.sort((a, b) => a - b);
    process.stdout.write(JSON.stringify({ count: run.times.length,
        median: run.times[Math.floor(run.times.length / 2)] || 0,
        late: run.times[Math.floor(run.times.length * 0.99)] || 0,
        faults: run.faults }) + '\n', () => process.exit(0));
}


function next(socket) {
    if (run.asked >= settings.requests || performance.now() > run.until) {
        if (run.flying === 0) {
            finish();
        }
        return;
    }

    const start = performance.now();

    run.asked++;
    run.flying++;

    ask(socket, (text) => {
        run.times.push(performance.now() - start);
        run.flying--;
        check(text);
        next(socket);
    });
}


async function main() {
    const lines = readline.createInterface({ input: process.stdin });
    const input = lines[Symbol.asyncIterator]();

    settings = JSON.parse((await input.next()).value);

    await open(settings.idle, false);

    const sockets = await open(settings.connections, true);

    process.stdout.write('ready\n');
    await input.next();

    run.until = performance.now() + settings.seconds * 1000;
    sockets.forEach(next);
}


main();
