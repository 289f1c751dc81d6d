#!/usr/bin/env node
// What graphql-js finds wrong with a schema, a line each: whether it is SDL,
// keeps to the rules of SDL, and has sound types.
//
//     npm ci; node schema.mjs FILE.graphql

import fs from 'node:fs';
import { buildSchema, validateSchema } from 'graphql';

const [file] = process.argv.slice(2);


function check(sdl) {
    try {
        return validateSchema(buildSchema(sdl));
    } catch (error) {
        return [error];
    }
}


const errors = check(fs.readFileSync(file, 'utf8'));

for (const error of errors) {
    console.log(error.toString());
}

process.exit(errors.length === 0 ? 0 : 1);
