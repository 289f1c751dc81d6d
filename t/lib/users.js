/*
 * Users beside those of the fixtures, for guarantees about who is given what.
 */

'use strict';

const g = require('./guarantee.js');


/* n users with a key each, which was made for alice: { id, key, email } */
exports.make = async (n, prefix) => {
    const all = [];

    for (let i = 0; i < n; i++) {
        const email = `${prefix}${i}@example.com`;
        const { key, apiKey } = (await g.post(
            'mutation { createApiKey(input: { name: "k" }) { key apiKey { id } '
            + '} }')).data.createApiKey;
        const id = (await g.sql(
            'WITH u AS (INSERT INTO users (id, email, name, created_at) VALUES '
            + `(prompt_id_of(now()), '${email}', 'of ${email}', now()) `
            + 'RETURNING id) UPDATE api_keys k SET user_id = u.id, '
            + 'project_id = u.id FROM u '
            + `WHERE k.id = '${apiKey.id}' RETURNING u.id`))[0][0];

        all.push({ id, key, email });
    }

    return all;
};
