/*
 * HTTP/2 by hand: frames over a socket, for what no decent client does.
 *
 *     const c = new Raw({ port, tls });      HTTP/2 from the first byte on
 *     await c.open({ window: 0 });           the preface and our SETTINGS
 *     const id = c.request({ body, key });   HEADERS and DATA
 *     await c.ended(id);                     { status, body, reset }
 *
 * While hold() is in force nothing is read from the socket, so that the
 * server's own buffers fill up.  A status is read where it stands in the
 * static table, or as three digits in plain text: nginx writes no other.
 */

'use strict';

const net = require('net');
const tls = require('tls');

const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;

const END_STREAM = 1;
const ACK = 1;
const END_HEADERS = 4;

const statuses = { 8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404,
                   14: 500 };

function number(...bytes) {
    return Buffer.from(bytes);
}

function uint32(n) {
    const b = Buffer.alloc(4);

    b.writeUInt32BE(n);
    return b;
}

function frame(type, flags, id, payload) {
    const head = Buffer.alloc(9);

    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(id, 5);
    return Buffer.concat([head, payload]);
}

/* a literal without indexing and without Huffman's code */
function literal(name, value) {
    const string = (text) => {
        const b = Buffer.from(text);

        if (b.length < 127) {
            return Buffer.concat([number(b.length), b]);
        }

        const length = [127];
        let n = b.length - 127;

        for (; n >= 128; n >>= 7) {
            length.push(n & 127 | 128);
        }

        return Buffer.concat([Buffer.from([...length, n]), b]);
    };

    return Buffer.concat([number(0), string(name), string(value)]);
}

function block(headers) {
    return Buffer.concat(Object.entries(headers)
                               .map(([name, value]) => literal(name, value)));
}

/* :status is the first header; a change of the table's size can precede it */
function statusOf(payload) {
    let at = 0;

    while ((payload[at] & 0xe0) === 0x20) {
        at++;
    }

    if (payload[at] & 0x80) {
        return statuses[payload[at] & 0x7f];
    }

    return Number(payload.subarray(at + 2, at + 5).toString());
}


class Raw {
    constructor(options) {
        this.options = options;
        this.streams = new Map();
        this.next = 1;
        this.left = Buffer.alloc(0);
        this.bytes = 0;               /* received, as they came */
        this.closed = false;
        this.goaway = null;           /* the error code of a GOAWAY */
        this.foreign = null;          /* see forbid() */
        this.forbidden = null;
        this.waiting = [];
    }

    open(settings) {
        const o = this.options;

        return new Promise((done, fail) => {
            const ready = () => {
                this.socket.on('data', (data) => this.receive(data));
                this.start(settings || {});
                done(this);
            };

            this.socket = o.tls
                ? tls.connect({ host: '127.0.0.1', port: o.port,
                                ALPNProtocols: ['h2'],
                                rejectUnauthorized: false }, ready)
                : net.connect(o.port, '127.0.0.1', ready);
            this.socket.setNoDelay(true);
            this.socket.on('error', fail);
            this.socket.on('close', () => {
                this.closed = true;
                this.wake();
            });
        });
    }

    /* window: of each stream; the connection's is as large as can be */
    start(settings) {
        const pairs = [[2, 0]];

        if (settings.window !== undefined) {
            pairs.push([4, settings.window]);
        }

        this.socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
        this.send(SETTINGS, 0, 0, Buffer.concat(pairs.map(([id, value]) =>
            Buffer.concat([number(0, id), uint32(value)]))));

        if (!settings.small) {
            this.update(0, 0x7fffffff - 65535);
        }
    }

    send(type, flags, id, payload) {
        if (!this.closed) {
            this.socket.write(frame(type, flags, id, payload));
        }
    }

    update(id, n) {
        this.send(WINDOW_UPDATE, 0, id, uint32(n));
    }

    reset(id, code) {
        this.send(RST_STREAM, 0, id, uint32(code === undefined ? 8 : code));
    }

    leave() {
        this.send(GOAWAY, 0, 0, Buffer.concat([uint32(0), uint32(0)]));
    }

    close() {
        this.socket.destroy();
    }

    /*
     * o: body (absent: GET), path, key, headers; cut: bytes of a header
     * block in a frame; half: the body's end is never sent.
     */
    request(o) {
        const id = this.next;
        const headers = block({
            ':method': o.body === undefined ? 'GET' : 'POST',
            ':scheme': this.options.tls ? 'https' : 'http',
            ':path': o.path || '/graphql',
            ':authority': 'localhost',
            ...(o.body === undefined ? {}
                                     : { 'content-type': 'application/json' }),
            ...(o.key ? { 'x-api-key': o.key } : {}),
            ...(o.headers || {})
        });
        const cut = o.cut || headers.length;
        const end = o.body === undefined ? END_STREAM : 0;

        this.next += 2;
        this.streams.set(id, { status: 0, body: [], ended: false,
                               reset: null });

        for (let at = 0; at < headers.length; at += cut) {
            const last = at + cut >= headers.length ? END_HEADERS : 0;

            this.send(at === 0 ? HEADERS : CONTINUATION,
                      last | (at === 0 ? end : 0), id,
                      headers.subarray(at, at + cut));
        }

        if (o.body !== undefined) {
            const body = Buffer.from(o.body);
            const half = o.half ? body.length >> 1 : body.length;

            this.send(DATA, o.half ? 0 : END_STREAM, id,
                      body.subarray(0, half));
        }

        return id;
    }

    /* a text that must never come; what came around it is in foreign */
    forbid(text) {
        this.forbidden = Buffer.from(text);
    }

    hold() {
        this.socket.pause();
    }

    go() {
        this.socket.resume();
    }

    receive(data) {
        this.bytes += data.length;
        this.left = this.left.length === 0 ? data
                                           : Buffer.concat([this.left, data]);

        while (this.left.length >= 9) {
            const length = this.left.readUIntBE(0, 3);

            if (this.left.length < 9 + length) {
                break;
            }

            this.take(this.left[3], this.left[4],
                      this.left.readUInt32BE(5) & 0x7fffffff,
                      this.left.subarray(9, 9 + length));
            this.left = this.left.subarray(9 + length);
        }

        this.wake();
    }

    take(type, flags, id, payload) {
        const stream = this.streams.get(id);

        if (this.forbidden && payload.includes(this.forbidden)) {
            const at = payload.indexOf(this.forbidden);

            this.foreign = payload.subarray(at, at + 80).toString();
        }

        if (type === SETTINGS && !(flags & ACK)) {
            this.send(SETTINGS, ACK, 0, Buffer.alloc(0));

        } else if (type === PING && (flags & ACK)) {
            this.pong = true;

        } else if (type === GOAWAY) {
            this.goaway = payload.readUInt32BE(4);

        } else if (stream && type === HEADERS) {
            stream.status = statusOf(payload);
            stream.ended = stream.ended || Boolean(flags & END_STREAM);

        } else if (stream && type === DATA) {
            stream.body.push(Buffer.from(payload));
            stream.early = stream.early || stream.status === 0;
            stream.ended = stream.ended || Boolean(flags & END_STREAM);
            this.options.onData && this.options.onData(id, payload.length);

        } else if (stream && type === RST_STREAM) {
            stream.reset = payload.readUInt32BE(0);
        }
    }

    wake() {
        this.waiting = this.waiting.filter(({ test, done }) => {
            const over = this.closed || test();

            if (over) {
                done();
            }

            return !over;
        });
    }

    /* until test() is true, or the connection closed */
    until(test) {
        return new Promise((done) => {
            this.waiting.push({ test, done });
            this.wake();
        });
    }

    /* how a stream ended; closed: the connection did, before it */
    async ended(id) {
        const stream = this.streams.get(id);

        await this.until(() => stream.ended || stream.reset !== null);

        return { status: stream.status, reset: stream.reset,
                 early: Boolean(stream.early),   /* DATA before HEADERS */
                 body: Buffer.concat(stream.body).toString(),
                 closed: !stream.ended && stream.reset === null };
    }

    /* all that we sent has been read by the server, and answered */
    async ping() {
        this.pong = false;
        this.send(PING, 0, 0, Buffer.alloc(8));
        await this.until(() => this.pong);
        return !this.closed;
    }
}

module.exports = { Raw };
