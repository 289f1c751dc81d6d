/*
 * People in projects, for the tests of promises: accounts, projects, sessions
 * and keys by SQL, and requests as these.
 */

'use strict';

const crypto = require('crypto');
const g = require('./guarantee.js');

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function crc32(text) {
    let sum = ~0;

    for (const byte of Buffer.from(text)) {
        sum ^= byte;

        for (let i = 0; i < 8; i++) {
            sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
        }
    }

    return ~sum >>> 0;
}

/* with its checksum */
exports.token = (prefix) => {
    let text = prefix;
    let check = '';

    for (const byte of crypto.randomBytes(32)) {
        text += digits[byte % 62];
    }

    for (let i = 0, sum = crc32(text); i < 6; i++, sum = Math.floor(sum / 62)) {
        check = digits[sum % 62] + check;
    }

    return text + check;
};

/* a UUIDv7 of now */
exports.uuid = () => {
    const hex = Date.now().toString(16).padStart(12, '0') + '7'
                + crypto.randomBytes(2).toString('hex').slice(1) + '8'
                + crypto.randomBytes(8).toString('hex').slice(1);

    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const hash = (token) => crypto.createHash('sha256').update(token)
                              .digest('hex');

exports.user = async (name) => {
    const id = exports.uuid();

    await g.sql(`INSERT INTO users (id, email) VALUES ('${id}', `
                + `'${name}@example.com')`);

    return id;
};

exports.project = async (owner) => {
    const id = exports.uuid();

    await g.sql(`INSERT INTO projects (id, name) VALUES ('${id}', 'Team'); `
        + 'INSERT INTO project_members (project_id, user_id, role) VALUES '
        + `('${id}', '${owner}', 4)`);

    return id;
};

exports.session = async (user) => {
    const token = exports.token('pms_');

    await g.sql('INSERT INTO api_keys (id, user_id, hash, name, hint, kind, '
        + `scopes, expires_at, idle, last_used_at) VALUES ('${exports.uuid()}', `
        + `'${user}', '\\x${hash(token)}', 'session', '', 'session', 31, now() `
        + "+ interval '1 day', interval '1 day', now())");

    return token;
};

exports.key = async (user, project) => {
    const token = exports.token('pmt_');

    await g.sql('INSERT INTO api_keys (id, user_id, project_id, hash, name, '
        + `hint) VALUES ('${exports.uuid()}', '${user}', '${project}', `
        + `'\\x${hash(token)}', 'key', 'pmt')`);

    return token;
};

/* who has signed in, in a project */
exports.as = (session, project) => ({ key: null, headers: {
    Cookie: `prompt_session=${session}`, 'Sec-Fetch-Site': 'same-origin',
    ...project ? { 'Prompt-Project': project } : {}
} });
