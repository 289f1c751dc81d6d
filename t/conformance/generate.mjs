// Documents, values and their mutations, from a seed: the same seed gives the
// same ones.

import {
    Lexer, Source, getNullableType, isAbstractType, isEnumType,
    isInputObjectType, isInputType, isListType, isNonNullType, isObjectType,
    isRequiredArgument, isRequiredInputField, isScalarType,
    isSpecifiedScalarType, isUnionType, getNamedType, isLeafType,
    isCompositeType, doTypesOverlap
} from 'graphql';


export class Random {
    constructor(seed) {
        this.state = seed >>> 0;
    }

    // [0, 1), by Mulberry's steps
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;

        let t = this.state;

        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);

        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }

    below(n) {
        return Math.floor(this.next() * n);
    }

    chance(p) {
        return this.next() < p;
    }

    pick(list) {
        return list[this.below(list.length)];
    }
}


const strings = [
    '""', '"a"', '"é"', '"😀 two"', '"a\\nb"', '"\\u00e9"', '"1"',
    '"""block"""', '"""\n  two\n  lines 😀\n"""'
];
const ints = ['0', '1', '-1', '42', '2147483647', '-2147483648'];
const floats = ['0.5', '-1.25e3', '1e10', '7'];
const anything = [
    '1', '2.5', '"s"', 'true', 'null', 'ENUM', '[1, "a"]', '{a: 1, b: [2]}',
    '2147483648', '1e400'
];


export class DocumentMaker {
    constructor(schema, random) {
        this.schema = schema;
        this.random = random;
    }

    document() {
        const { random, schema } = this;
        const roots = [['query', schema.getQueryType()],
                       ['query', schema.getQueryType()],
                       ['mutation', schema.getMutationType()],
                       ['subscription', schema.getSubscriptionType()]]
                      .filter(([, type]) => type);
        const count = random.chance(0.8) ? 1 : 2;
        const parts = [];

        this.fragments = [];

        for (let i = 0; i < count; i++) {
            parts.push(this.operation(...random.pick(roots), i, count));
        }

        for (const fragment of this.fragments) {
            const { name, type } = fragment;

            parts.push(`${this.description()}fragment ${name} on ${type}`
                       + `${this.directives('FRAGMENT_DEFINITION')} `
                       + fragment.text);
        }

        return parts.join(this.space());
    }

    description() {
        return this.random.chance(0.05) ? '"described 😀" ' : '';
    }

    space() {
        return this.random.pick(['\n', '\n\n', ' ', '\r\n', ' # é 😀\n',
                                 ',\n', '\r', '\t']);
    }

    operation(kind, type, i, count) {
        const { random } = this;
        const name = count > 1 || random.chance(0.5) ? ` Op${i}` : '';

        this.variables = new Map();
        this.depth = 0;

        const selection = kind === 'subscription' && random.chance(0.5)
                          ? `{ ${this.field(type)} }` : this.selection(type);
        const directives = this.directives(kind.toUpperCase());
        const variables = [...this.variables.values()];

        if (kind === 'query' && name === '' && directives === ''
            && variables.length === 0 && random.chance(0.5))
        {
            return selection;
        }

        const list = variables.length === 0 ? ''
                                            : `(${variables.join(', ')})`;

        return `${this.description()}${kind}${name}${list}${directives} `
               + selection;
    }

    selection(type) {
        const { random } = this;
        const items = [];
        const n = 1 + random.below(this.depth > 3 ? 2 : 4);

        this.depth++;

        for (let i = 0; i < n; i++) {
            const p = random.next();

            if (p < 0.12) {
                items.push(this.inlineFragment(type));

            } else if (p < 0.22) {
                items.push(this.spread(type));

            } else if (isUnionType(type)) {
                items.push(random.chance(0.4) ? '__typename'
                                              : this.inlineFragment(type));

            } else {
                items.push(this.field(type));
            }
        }

        this.depth--;

        return `{${this.space()}${items.join(this.space())}${this.space()}}`;
    }

    field(type) {
        const { random } = this;
        const fields = isUnionType(type) ? [] : Object.values(type.getFields());
        const usable = fields.filter((field) => this.depth < 6
                                     || isLeafType(getNamedType(field.type)));

        if (usable.length === 0 || random.chance(0.06)) {
            return `__typename${this.directives('FIELD')}`;
        }

        if (type === this.schema.getQueryType() && random.chance(0.04)) {
            return this.introspection();
        }

        const field = random.pick(usable);
        const alias = random.chance(0.25)
                      ? `${random.pick(['x', 'y', field.name, 'id'])}: ` : '';
        const named = getNamedType(field.type);
        const below = isCompositeType(named) ? ' ' + this.selection(named)
                                             : '';

        return alias + field.name + this.args(field.args)
               + this.directives('FIELD') + below;
    }

    introspection() {
        const { random, schema } = this;

        if (random.chance(0.5)) {
            return `__schema ${this.selection(schema.getType('__Schema'))}`;
        }

        const name = random.pick(Object.keys(schema.getTypeMap()));

        return `__type(name: "${random.chance(0.1) ? 'Nope' : name}") `
               + this.selection(schema.getType('__Type'));
    }

    args(defs) {
        const list = [];

        for (const def of defs) {
            if (isRequiredArgument(def) || this.random.chance(0.4)) {
                list.push(`${def.name}: ${this.value(def.type, true)}`);
            }
        }

        return list.length === 0 ? '' : `(${list.join(', ')})`;
    }

    overlapping(type) {
        return Object.values(this.schema.getTypeMap()).filter((other) =>
            isCompositeType(other) && (type.name.startsWith('__')
                || !other.name.startsWith('__'))
            && doTypesOverlap(this.schema, type, other));
    }

    inlineFragment(type) {
        const on = this.random.chance(0.15)
                   ? type : this.random.pick(this.overlapping(type));
        const condition = on === type && this.random.chance(0.5)
                          ? '' : ` on ${on}`;

        return `...${condition}${this.directives('INLINE_FRAGMENT')} `
               + this.selection(on);
    }

    spread(type) {
        const { random } = this;
        const known = this.fragments.filter((fragment) => fragment.text
                          && doTypesOverlap(this.schema, type, fragment.type));

        if (known.length !== 0 && (random.chance(0.6) || this.depth > 4)) {
            return `...${random.pick(known).name}`
                   + this.directives('FRAGMENT_SPREAD');
        }

        if (this.fragments.length > 4) {
            return '__typename';
        }

        const fragment = { name: `F${this.fragments.length}`,
                           type: random.pick(this.overlapping(type)) };

        this.fragments.push(fragment);
        fragment.text = this.selection(fragment.type);

        return `...${fragment.name}${this.directives('FRAGMENT_SPREAD')}`;
    }

    directives(location) {
        const { random, schema } = this;
        const list = [];

        while (random.chance(0.07)) {
            const known = schema.getDirectives().filter((directive) =>
                directive.locations.includes(location));

            if (known.length === 0) {
                break;
            }

            const directive = random.pick(known);

            list.push(` @${directive.name}${this.args(directive.args)}`);
        }

        return list.join('');
    }

    // a literal or, where allowed, sometimes a variable
    value(type, variables) {
        const { random } = this;

        if (variables && random.chance(0.3)) {
            return this.variable(type);
        }

        if (isNonNullType(type)) {
            return this.present(type.ofType, variables);
        }

        return random.chance(0.05) ? 'null' : this.present(type, variables);
    }

    present(type, variables) {
        const { random } = this;

        if (isListType(type)) {
            if (random.chance(0.15)) {
                return this.value(type.ofType, variables);
            }

            const items = Array.from({ length: random.below(4) },
                                     () => this.value(type.ofType, variables));

            return `[${items.join(', ')}]`;
        }

        if (isInputObjectType(type)) {
            return this.object(type, variables);
        }

        if (isEnumType(type)) {
            return random.pick(type.getValues()).name;
        }

        switch (type.name) {
        case 'Int':
            return random.pick(ints);
        case 'Float':
            return random.pick([...ints, ...floats]);
        case 'String':
            return random.pick(strings);
        case 'Boolean':
            return random.pick(['true', 'false']);
        case 'ID':
            return random.pick([...strings, ...ints]);
        default:
            return random.pick(anything);
        }
    }

    object(type, variables) {
        const fields = Object.values(type.getFields());
        const list = [];

        this.nested = (this.nested ?? 0) + 1;

        if (type.isOneOf) {
            const field = this.random.pick(fields.filter((f) => this.nested < 3
                              || !isInputObjectType(getNamedType(f.type))));

            list.push(`${field.name}: ${this.present(field.type, false)}`);

        } else {
            for (const field of fields) {
                if (isRequiredInputField(field)
                    || this.random.chance(this.nested < 3 ? 0.3 : 0.05))
                {
                    list.push(`${field.name}: `
                              + this.value(field.type, variables));
                }
            }
        }

        this.nested--;

        return `{${list.join(', ')}}`;
    }

    variable(type) {
        const { random } = this;
        const name = `v${this.variables.size}`;
        const same = [...this.variables.keys()].filter((key) =>
                         this.variables.get(key).startsWith(`$${key}: ${type}`
                                                            + ' '));

        if (same.length !== 0 && random.chance(0.5)) {
            return `$${random.pick(same)}`;
        }

        const strict = !isNonNullType(type) && random.chance(0.2) ? '!' : '';
        const initial = strict === '' && random.chance(0.2)
                        ? ` = ${this.value(type, false)}` : '';

        this.variables.set(name, `$${name}: ${type}${strict} ${initial}`
                           + this.directives('VARIABLE_DEFINITION'));

        return `$${name}`;
    }
}


// Variables as JSON, some of them wrong.
export function variablesOf(schema, operation, typeFromAST, random) {
    const variables = {};

    for (const { variable, type: node } of operation.variableDefinitions ?? [])
    {
        const type = typeFromAST(schema, node);

        if (type && isInputType(type)
            && (isNonNullType(type) ? random.chance(0.97)
                                    : random.chance(0.7)))
        {
            variables[variable.name.value] = jsonOf(type, random, 0);
        }
    }

    if (random.chance(0.05)) {
        variables.unknown = 1;
    }

    return variables;
}


const wrong = [
    null, 1, -1, 2.5, 1e20, 2147483648, '', 'a', '1', true, false, [], [1],
    [[1]], {}, { a: 1 }, { a: { b: 'é😀' } }, 'RED', '2.5', [null], ['x', 2],
    'line\nend', 9007199254740993, 1e-7, { id: '1', name: 'b' }, 'DOG'
];


function jsonOf(type, random, depth) {
    if (random.chance(0.04)) {
        return random.pick(wrong);
    }

    if (isNonNullType(type)) {
        return jsonOf(type.ofType, random, depth);
    }

    if (random.chance(0.04)) {
        return null;
    }

    if (isListType(type)) {
        if (random.chance(0.1)) {
            return jsonOf(type.ofType, random, depth);
        }

        return Array.from({ length: random.below(4) },
                          () => jsonOf(type.ofType, random, depth));
    }

    if (isInputObjectType(type)) {
        return jsonObject(type, random, depth + 1);
    }

    if (isEnumType(type)) {
        return random.pick(type.getValues()).name;
    }

    switch (type.name) {
    case 'Int':
        return random.pick([0, 1, -1, 7, 2147483647, 1.0]);
    case 'Float':
        return random.pick([0, 1, 0.5, -1e10, 1e21, 1e-9]);
    case 'String':
        return random.pick(['', 'a', 'é', '😀', 'a\nb', '"']);
    case 'Boolean':
        return random.chance(0.5);
    case 'ID':
        return random.pick(['1', 'x', 5, -3]);
    default:
        return random.pick(wrong);
    }
}


function jsonObject(type, random, depth) {
    const object = {};
    const fields = Object.values(type.getFields());

    if (type.isOneOf && random.chance(0.85)) {
        const field = random.pick(fields.filter((f) => depth < 3
                                  || !isInputObjectType(getNamedType(f.type))));

        object[field.name] = jsonOf(field.type, random, depth);
        return object;
    }

    for (const field of fields) {
        if (isRequiredInputField(field) ? random.chance(0.96)
            : random.chance(depth < 3 ? 0.3 : 0.05))
        {
            object[field.name] = jsonOf(field.type, random, depth);
        }
    }

    if (random.chance(0.05)) {
        object[random.pick(['nme', 'extra', 'levl', 'id'])] = 1;
    }

    return object;
}


// An entry of "resolved" for a type; undefined: nothing was returned.
export function resolvedOf(schema, type, random, depth) {
    if (random.chance(0.04)) {
        return undefined;
    }

    if (random.chance(0.03)) {
        return { error: random.pick(['bad', 'é😀', 'a "quoted" thing', '']),
                 ...(random.chance(0.3)
                     && { errorExtensions: random.pick(extensions) }) };
    }

    if (random.chance(0.02)) {
        return { v: random.pick([null, ...wrong]) };
    }

    type = getNullableType(type);

    if (random.chance(0.03)) {
        return { v: plainOf(schema, type, random, depth) };
    }

    if (isScalarType(type) && !isSpecifiedScalarType(type)
        && random.chance(0.3))
    {
        return { arguments: true };
    }

    if (isListType(type)) {
        if (random.chance(0.02)) {
            return { notList: random.pick([1, 'text', true]) };
        }

        return { list: random.below(depth > 4 ? 2 : 4) };
    }

    if (isObjectType(type)) {
        return { object: type.name };
    }

    if (isAbstractType(type)) {
        if (random.chance(0.02)) {
            return { object: random.pick(['Nope', 'Int',
                                          schema.getQueryType().name]) };
        }

        return { object: random.pick(schema.getPossibleTypes(type)).name };
    }

    if (random.chance(0.05)) {
        return { v: random.pick(wrong) };
    }

    return { v: leafOf(type, random) };
}


const extensions = [null, {}, { code: 'X' }, { at: [1, { deep: null }] }];


// a list or an object as one value: what is in lists has no entries of its own
function plainOf(schema, type, random, depth) {
    type = getNullableType(type);

    if (random.chance(0.05)) {
        return random.pick(wrong);
    }

    if (isListType(type)) {
        return Array.from({ length: random.below(depth > 4 ? 2 : 4) },
                          () => plainOf(schema, type.ofType, random, depth));
    }

    if (isAbstractType(type)) {
        return { __typename: random.pick(schema.getPossibleTypes(type)).name };
    }

    return isObjectType(type) ? {} : leafOf(type, random);
}


function leafOf(type, random) {
    if (isEnumType(type)) {
        return random.pick(type.getValues()).name;
    }

    switch (type.name) {
    case 'Int':
        return random.pick([0, 1, -5, 2147483647, true, '12', 3.0]);
    case 'Float':
        return random.pick([0, 1.5, 1e21, 1e-7, -0.1, '2.5', true, 1e300]);
    case 'String':
        return random.pick(['', 'a', 'é😀', 'a"b\\c\n', 5, 1.5, true]);
    case 'Boolean':
        return random.pick([true, false, 0, 1, 2.5]);
    case 'ID':
        return random.pick(['x', '', 7, -1]);
    default:
        return random.pick(wrong.filter((value) => value !== null));
    }
}


function tokensOf(text) {
    const tokens = [];
    const lexer = new Lexer(new Source(text));

    for (;;) {
        const token = lexer.advance();

        if (token.kind === '<EOF>') {
            return tokens;
        }

        tokens.push(token);
    }
}


const keywords = [
    'query', 'mutation', 'subscription', 'fragment', 'on', 'true', 'null',
    'type', 'extend', 'schema', 'input', 'interface', 'union', 'enum',
    'scalar', 'directive', 'implements', 'repeatable', '__typename',
    '__schema', '__type', 'skip', 'include', 'if', 'deprecated', 'oneOf',
    'Int', 'String', 'Query'
];
const punctuators = ['!', '$', '&', '(', ')', '...', ':', '=', '@', '[', ']',
                     '{', '|', '}'];
const odd = ['é', '😀', '\u0000', '\ufeff', '\u2028', '"', '"""', '\\', '#',
             "'", '%', '.', '-', '0', '"\\u{1F600}"', '"\\uD83D\\uDE00"',
             '"\\uD83D"', '"\\u{110000}"', '"\\x"', '01', '1.', '1e', '\r',
             '"é', '"\\u12😀"', '"\\😀"', '"""é\n😀'];


// some of a list, in another order
export function someOf(list, random) {
    const some = list.filter(() => random.chance(0.5));

    for (let i = some.length - 1; i > 0; i--) {
        const j = random.below(i + 1);

        [some[i], some[j]] = [some[j], some[i]];
    }

    return some;
}


// near to a name, for suggestions
function misspelt(name, random) {
    const i = random.below(name.length);

    switch (random.below(5)) {
    case 0:
        return name.slice(0, i) + name.slice(i + 1) || 'x';
    case 1:
        return name.slice(0, i) + 'e' + name.slice(i);
    case 2:
        return name.toUpperCase();
    case 3:
        return name + 's';
    default:
        return name.slice(0, i) + (name[i + 1] ?? '') + name[i]
               + name.slice(i + 2);
    }
}


// One change by tokens: the text mostly stays a document.
export function mutate(text, names, random) {
    let tokens;

    try {
        tokens = tokensOf(text);
    } catch {
        return text;
    }

    if (tokens.length === 0) {
        return text;
    }

    const token = random.pick(tokens);
    const other = random.pick(tokens);
    const before = text.slice(0, token.start);
    const after = text.slice(token.end);
    const raw = text.slice(token.start, token.end);

    switch (random.below(14)) {
    case 0:
        return before + after;
    case 1:
        return `${before}${raw} ${raw}${after}`;
    case 2:
        return before + text.slice(other.start, other.end) + after;
    case 3:
        return `${before} ${random.pick(punctuators)} ${raw}${after}`;
    case 4:
        return `${before}${random.pick(odd)}${raw}${after}`;
    case 5:
        return `${before} ${random.pick(keywords)} ${after}`;
    case 6:
        return copied(text, tokens, random);
    default:
        break;
    }

    // the rest changes something for something of its kind

    if (token.kind === 'Name') {
        const name = random.chance(0.4) ? misspelt(raw, random)
                                        : random.pick(names);

        return before + name + after;
    }

    if (['Int', 'Float', 'String', 'BlockString'].includes(token.kind)) {
        return before + random.pick([...anything, ...strings, ...ints])
               + after;
    }

    const same = tokens.filter(({ kind }) => kind === 'Name');

    if (same.length === 0) {
        return text;
    }

    const name = random.pick(same);

    return text.slice(0, name.start) + random.pick(names)
           + text.slice(name.end);
}


// Puts a copy of a bracketed group (with the token before it) elsewhere.
function copied(text, tokens, random) {
    const pairs = { '{': '}', '(': ')', '[': ']' };
    const opens = tokens.map((_, i) => i)
                        .filter((i) => tokens[i].kind in pairs);

    if (opens.length === 0) {
        return text;
    }

    const first = random.pick(opens);
    let last = first;
    let depth = 0;

    for (; last < tokens.length; last++) {
        if (tokens[last].kind === tokens[first].kind) {
            depth++;
        } else if (tokens[last].kind === pairs[tokens[first].kind]
                   && --depth === 0)
        {
            break;
        }
    }

    if (last === tokens.length) {
        return text;
    }

    const from = tokens[first > 0 && random.chance(0.7) ? first - 1 : first];
    const piece = text.slice(from.start, tokens[last].end);
    const place = random.pick(tokens).end;

    if (text.length + piece.length > 20000) {
        return text;
    }

    return `${text.slice(0, place)} ${piece} ${text.slice(place)}`;
}


// Values and types alone, what parseValue and its like are given.
export function literalOf(type, schema, random) {
    const maker = new DocumentMaker(schema, random);

    maker.variables = new Map();

    return maker.value(type, true);
}


// Changes characters, not tokens.
export function scramble(text, random) {
    const characters = [...text];
    const n = 1 + random.below(3);

    for (let i = 0; i < n; i++) {
        const at = random.below(characters.length + 1);

        switch (random.below(4)) {
        case 0:
            characters.splice(at, 1 + random.below(3));
            break;
        case 1:
            characters.splice(at, 0, random.pick(odd));
            break;
        case 2:
            characters.length = at;
            break;
        default:
            characters.splice(at, 1, random.pick([...punctuators, ...odd]));
        }
    }

    return characters.join('');
}


// every name that a schema knows, for mutations
export function namesOf(schema) {
    const names = new Set(keywords);

    for (const type of Object.values(schema.getTypeMap())) {
        if (type.name.startsWith('__')) {
            continue;
        }

        names.add(type.name);

        for (const field of Object.values(type.getFields?.() ?? {})) {
            names.add(field.name);

            for (const arg of field.args ?? []) {
                names.add(arg.name);
            }
        }

        for (const value of type.getValues?.() ?? []) {
            names.add(value.name);
        }
    }

    for (const name of ['F0', 'F1', 'v0', 'v1', 'Op0', 'Op1', 'x', 'y']) {
        names.add(name);
    }

    return [...names];
}
