/*
 * Where two values differ first, in words: what was wanted there, and what
 * came.
 */

'use strict';

const most = 160;               /* characters of either that are shown */


/* a text from a little before where it matters */
function cut(text, at) {
    const from = Math.max(0, Math.min(at - most / 2, text.length - most));

    return (from > 0 ? '...' : '') + text.slice(from, from + most)
           + (from + most < text.length ? '...' : '');
}

function texts(got, want, place) {
    let at = 0;

    while (at < got.length && got[at] === want[at]) {
        at++;
    }

    const line = got.slice(0, at).split('\n').length;
    const where = got.length <= most && want.length <= most ? place
                  : `${place ? `${place}, ` : ''}from character ${at} `
                    + `(line ${line})`;

    return `${where ? `${where}: ` : ''}wanted `
           + `${JSON.stringify(cut(want, at))}, got `
           + `${JSON.stringify(cut(got, at))}`;
}

const isObject = (value) => typeof value === 'object' && value !== null;

/* JSON of both, and undefined, which has none */
const json = (value) => JSON.stringify(value) ?? 'undefined';

/* the first member or element that differs; both are of one kind */
function inside(got, want) {
    const names = Array.isArray(want)
                  ? [...Array(Math.max(got.length, want.length)).keys()]
                  : [...new Set([...Object.keys(want), ...Object.keys(got)])];

    return names.find((name) => json(got[name]) !== json(want[name]));
}

exports.difference = (got, want, place = '') => {
    if (typeof got === 'string' && typeof want === 'string') {
        return texts(got, want, place);
    }

    const [a, b] = [json(got), json(want)];

    if ((a.length > most || b.length > most) && isObject(got) && isObject(want)
        && Array.isArray(got) === Array.isArray(want))
    {
        const name = inside(got, want);

        if (name !== undefined) {
            return exports.difference(got[name], want[name],
                typeof name === 'number' ? `${place}[${name}]`
                                         : `${place}.${name}`);
        }
    }

    return `${place ? `${place}: ` : ''}wanted ${cut(b, 0)}, got ${cut(a, 0)}`;
};
