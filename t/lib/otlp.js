/*
 * The rules of OTLP's JSON (opentelemetry-proto, "JSON Protobuf Encoding"), as
 * far as traces go, to the letter: faults(body) is a list of what is wrong.
 */

'use strict';

const INT64 = /^-?(0|[1-9][0-9]{0,18})$/;

const VALUES = {
    stringValue: (v) => typeof v === 'string',
    boolValue: (v) => typeof v === 'boolean',
    intValue: (v) => typeof v === 'string' && INT64.test(v),
    doubleValue: (v) => typeof v === 'number' && Number.isFinite(v),
    arrayValue: null,
    kvlistValue: null,
    bytesValue: (v) => typeof v === 'string',
};

exports.faults = function (body) {
    const faults = [];
    const fault = (where, what) => faults.push(`${where}: ${what}`);

    // only these members, each of this kind; what is wanted ends with !
    function object(where, value, members) {
        if (value === null || typeof value !== 'object'
            || Array.isArray(value))
        {
            fault(where, 'is no object');
            return {};
        }

        for (const name of Object.keys(value)) {
            if (!(name in members) && !(`${name}!` in members)) {
                fault(where, `has no member ${name}`);
            }
        }

        for (const [key, check] of Object.entries(members)) {
            const name = key.replace('!', '');

            if (value[name] === undefined) {
                if (key.endsWith('!')) {
                    fault(where, `lacks ${name}`);
                }
            } else {
                check(`${where}.${name}`, value[name]);
            }
        }

        return value;
    }

    const list = (check) => (where, value) => {
        if (!Array.isArray(value)) {
            fault(where, 'is no list');
            return;
        }

        value.forEach((item, i) => check(`${where}[${i}]`, item));
    };

    const text = (where, value) => {
        if (typeof value !== 'string') {
            fault(where, 'is no string');
        }
    };

    const id = (digits) => (where, value) => {
        if (typeof value !== 'string'
            || !new RegExp(`^[0-9a-f]{${digits}}$`).test(value)
            || /^0+$/.test(value))
        {
            fault(where, `is no id: ${JSON.stringify(value)}`);
        }
    };

    const time = (where, value) => {
        if (typeof value !== 'string' || !/^[1-9][0-9]{18}$/.test(value)) {
            fault(where, `is no time: ${JSON.stringify(value)}`);
        }
    };

    const number = (from, to) => (where, value) => {
        if (!Number.isInteger(value) || value < from || value > to) {
            fault(where, `is not from ${from} to ${to}`);
        }
    };

    function any(where, value) {
        const kinds = value !== null && typeof value === 'object'
            ? Object.keys(value) : [];

        if (kinds.length !== 1 || !(kinds[0] in VALUES)) {
            fault(where, `is no value: ${JSON.stringify(value)}`);
        } else if (kinds[0] === 'arrayValue') {
            object(where, value.arrayValue, { values: list(any) });
        } else if (kinds[0] === 'kvlistValue') {
            object(where, value.kvlistValue, { values: attributes });
        } else if (!VALUES[kinds[0]](value[kinds[0]])) {
            fault(where, `is no ${kinds[0]}: ${JSON.stringify(value)}`);
        }
    }

    function attributes(where, value) {
        const seen = new Set();

        list((at, pair) => {
            object(at, pair, { 'key!': text, 'value!': any });

            if (!pair || !pair.key || seen.has(pair.key)) {
                fault(at, `a key that is empty or twice: ${pair.key}`);
            }

            seen.add(pair && pair.key);
        })(where, value);
    }

    function span(where, value) {
        object(where, value, {
            'traceId!': id(32), 'spanId!': id(16), parentSpanId: id(16),
            traceState: text, flags: number(0, 0xffffffff),
            'name!': text, 'kind!': number(1, 5),
            'startTimeUnixNano!': time, 'endTimeUnixNano!': time,
            attributes, status,
        });

        if (value && BigInt(value.endTimeUnixNano || 0)
                     < BigInt(value.startTimeUnixNano || 0))
        {
            fault(where, 'ends before it begins');
        }

        if (value && value.name === '') {
            fault(where, 'has no name');
        }
    }

    function status(where, value) {
        object(where, value, { message: text, code: number(0, 2) });
    }

    function resource(where, value) {
        object(where, value, { attributes });

        if (!exports.attributes(value)['service.name']) {
            fault(where, 'has no service.name');
        }
    }

    const scope = (where, value) =>
        object(where, value, { name: text, version: text, attributes });

    object('body', body, {
        'resourceSpans!': list((where, spans) => object(where, spans, {
            'resource!': resource,
            'scopeSpans!': list((at, scoped) => object(at, scoped, {
                'scope!': scope, 'spans!': list(span),
            })),
        })),
    });

    return faults;
};

// the attributes of a span or a resource, by name, as plain values
exports.attributes = function (of) {
    const plain = (value) => {
        const [kind, v] = Object.entries(value)[0];

        return kind === 'arrayValue' ? v.values.map(plain)
            : kind === 'intValue' ? Number(v) : v;
    };

    return Object.fromEntries(((of && of.attributes) || [])
        .map((pair) => [pair.key, plain(pair.value)]));
};
