/*
 * For node -r: a server that would listen on all addresses listens on loopback.
 */

'use strict';

const net = require('net');

const { listen } = net.Server.prototype;

net.Server.prototype.listen = function local(where, ...more) {
    return typeof where === 'object' && where !== null
           ? listen.call(this, { ...where, host: '127.0.0.1' }, ...more)
           : listen.call(this, where, '127.0.0.1',
                         ...more.filter((one) => typeof one === 'function'));
};
