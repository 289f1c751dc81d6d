/*
 * A DNS server on loopback, that answers for a few names what it is told at that
 * moment: addresses of IPv4, or that there is no such name.
 */

'use strict';

const dgram = require('dgram');

const noSuchName = 3;

/* { port, asked, set(name, [address, …]), close() }; asked: how often, by name */
exports.server = () => new Promise((done) => {
    const names = new Map();
    const asked = {};
    const socket = dgram.createSocket('udp4');

    socket.on('message', (query, from) => {
        const labels = [];
        let at = 12;

        while (query[at] !== 0) {
            labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
            at += 1 + query[at];
        }

        const name = labels.join('.');
        const type = query.readUInt16BE(at + 1);
        const question = query.subarray(12, at + 5);
        const known = names.get(name);
        const addresses = type === 1 ? known || [] : [];
        const head = Buffer.from(query.subarray(0, 12));

        if (type === 1) {
            asked[name] = (asked[name] || 0) + 1;
        }

        head.writeUInt16BE(0x8180 | (known ? 0 : noSuchName), 2);
        head.writeUInt16BE(1, 4);
        head.writeUInt16BE(addresses.length, 6);
        head.writeUInt32BE(0, 8);

        socket.send(Buffer.concat([head, question, ...addresses.map((a) =>
            Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4,
                         ...a.split('.').map(Number)]))]),
                    from.port, from.address);
    });

    socket.bind(0, '127.0.0.1', () => done({
        port: socket.address().port, asked,
        set: (name, addresses) => names.set(name, addresses),
        close: () => socket.close()
    }));
});
