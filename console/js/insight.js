/*
 * What the words of a document mean by the schema: for completion (what may
 * come at the end of a text), for hovering (what stands at a place) and for
 * marks (what the schema does not have).
 */

/* thrown where the tokens end: what may come is then in reader.context */
const END_OF_TOKENS = { };

const INSIGHT_DEPTH = 200;


class InsightReader {

    constructor(tokens, schema) {
        this.tokens = tokens.filter((token) => token.kind !== 'comment');
        this.schema = schema;
        this.at = 0;
        this.depth = 0;
        this.context = { kind: 'document' };
        this.meanings = new Map();           /* by token */
        this.faults = [];
        this.variables = new Map();          /* of the operation */
    }

    read() {
        try {
            for (;;) {
                this.definition();
            }
        } catch (end) {
            if (end !== END_OF_TOKENS) {
                throw end;
            }
        }
    }

    /* the next token; where there is none, context is what may come */
    want(context) {
        if (this.at >= this.tokens.length) {
            this.context = context;
            throw END_OF_TOKENS;
        }

        return this.tokens[this.at];
    }

    take(context, text) {
        if (this.want(context).text !== text) {
            return false;
        }

        this.at++;

        return true;
    }

    means(token, meaning) {
        this.meanings.set(token, meaning);
    }

    fault(token, message) {
        this.faults.push({ start: token.start, end: token.end, message });
    }

    enter() {
        if (++this.depth > INSIGHT_DEPTH) {
            this.context = { kind: 'none' };
            throw END_OF_TOKENS;
        }
    }

    definition() {
        const token = this.want({ kind: 'document' });
        const none = { kind: 'none' };

        this.variables = new Map();

        if (token.text === '{') {
            this.selections(this.schema.roots.query);
            return;
        }

        this.at++;

        if (token.text === 'fragment') {
            this.want(none);
            this.at++;

            if (this.take({ kind: 'on' }, 'on')) {
                const type = this.typeCondition();

                this.directives();
                this.braces(type);
            }

            return;
        }

        const root = this.schema.roots[token.text];

        if (token.kind !== 'name' || root === undefined) {
            return;
        }

        if (this.want(none).kind === 'name') {
            this.at++;
        }

        if (this.take(none, '(')) {
            this.variableDefinitions();
        }

        this.directives();
        this.braces(root);
    }

    braces(type) {
        if (this.want({ kind: 'none' }).text === '{') {
            this.selections(type);
        }
    }

    variableDefinitions() {
        const none = { kind: 'none' };

        for (;;) {
            const token = this.want(none);

            if (token.kind !== 'variable') {
                if (token.text === ')') {
                    this.at++;
                }

                return;
            }

            this.at++;

            if (!this.take(none, ':')) {
                return;
            }

            const type = this.writtenType();

            this.variables.set(token.text, type);
            this.means(token, { kind: 'variable', name: token.text, type });

            if (this.take({ kind: 'none' }, '=')) {
                this.value(this.writtenReference(type));
            }

            this.directives();
        }
    }

    writtenType() {
        let text = '';

        for (;;) {
            const token = this.want(/\w$/.test(text)
                                    ? { kind: 'none' }
                                    : { kind: 'input type' });

            if (token.kind === 'name') {
                if (/\w$/.test(text)) {
                    return text;
                }

                const type = this.schema.types.get(token.text);

                if (type) {
                    this.means(token, { kind: 'type', type });
                } else {
                    this.fault(token, `There is no type ${token.text}.`);
                }
            } else if (!['[', ']', '!'].includes(token.text)) {
                return text;
            }

            text += token.text;
            this.at++;
        }
    }

    /* as introspection would have it; lists do not matter here */
    writtenReference(text) {
        const type = this.schema.written(text);

        return type ? { kind: type.kind, name: type.name } : undefined;
    }

    directives() {
        for (;;) {
            const token = this.want({ kind: 'none' });

            if (token.kind !== 'directive') {
                return;
            }

            const directive = this.schema.directives.get(token.text.slice(1));

            this.at++;

            if (directive) {
                this.means(token, { kind: 'directive', directive });
            } else {
                this.fault(token, `There is no directive ${token.text}.`);
            }

            if (this.want({ kind: 'none' }).text === '(') {
                this.args(directive && directive.args);
            }
        }
    }

    typeCondition() {
        const token = this.want({ kind: 'composite type' });
        const type = this.schema.types.get(token.text);

        this.at++;

        if (type) {
            this.means(token, { kind: 'type', type });
        } else {
            this.fault(token, `There is no type ${token.text}.`);
        }

        return type;
    }

    selections(type) {
        const here = { kind: 'selection', type };

        this.enter();
        this.at++;

        while (!this.take(here, '}')) {
            const token = this.want(here);

            if (token.text === '...') {
                this.at++;
                this.spread(type);
            } else if (token.kind === 'name') {
                this.field(type, here);
            } else {
                this.at++;
            }
        }

        this.depth--;
    }

    spread(type) {
        const token = this.want({ kind: 'spread', type });
        let inner = type;

        if (token.text === 'on') {
            this.at++;
            inner = this.typeCondition();
        } else if (token.kind === 'name') {
            this.at++;
            this.means(token, { kind: 'fragment', name: token.text });
            this.directives();
            return;
        }

        this.directives();
        this.braces(inner);
    }

    field(type, here) {
        let token = this.tokens[this.at++];

        if (this.want(here).text === ':') {
            this.at++;
            token = this.want(here);

            if (token.kind !== 'name') {
                return;
            }

            this.at++;
        }

        const field = this.schema.field(type, token.text);

        if (field) {
            this.means(token, { kind: 'field', parent: type, field });
        } else if (type) {
            this.fault(token, `${type.name} has no field ${token.text}.`);
        }

        if (this.want(here).text === '(') {
            this.args(field && field.args);
        }

        while (this.want(here).kind === 'directive') {
            this.directives();
        }

        if (this.want(here).text === '{') {
            this.selections(field && this.schema.named(field.type));
        }
    }

    args(args) {
        const seen = new Set();

        this.at++;

        for (;;) {
            const token = this.want({ kind: 'argument', args, seen });

            if (token.text === ')') {
                this.at++;
                return;
            }

            /* the bracket was not closed yet */
            if (token.text === '{' || token.text === '}') {
                return;
            }

            this.at++;

            if (token.kind !== 'name') {
                continue;
            }

            const arg = args && args.get(token.text);

            if (arg) {
                seen.add(token.text);
                this.means(token, { kind: 'argument', arg });
            } else if (args) {
                this.fault(token, `There is no argument ${token.text} here.`);
            }

            if (this.take({ kind: 'none' }, ':')) {
                this.value(arg && arg.type);
            }
        }
    }

    value(type) {
        const named = type && this.schema.named(type);
        const token = this.want({ kind: 'value', type: named });

        if (token.text === '[') {
            this.enter();
            this.at++;

            while (!this.take({ kind: 'value', type: named }, ']')) {
                if (['}', ')'].includes(this.tokens[this.at].text)) {
                    break;
                }

                this.value(type);
            }

            this.depth--;
            return;
        }

        if (token.text === '{') {
            this.object(named);
            return;
        }

        if ([')', '}', ']'].includes(token.text)) {
            return;
        }

        this.at++;

        if (token.kind === 'variable') {
            this.means(token, { kind: 'variable', name: token.text,
                                type: this.variables.get(token.text) });
        } else if (named && token.kind === 'name'
                   && named.enumValues.has(token.text))
        {
            this.means(token, { kind: 'enum', type: named,
                                value: named.enumValues.get(token.text) });
        }
    }

    object(type) {
        const fields = type && type.kind === 'INPUT_OBJECT'
                       ? type.inputFields : undefined;
        const seen = new Set();

        this.enter();
        this.at++;

        for (;;) {
            const token = this.want({ kind: 'argument', args: fields, seen });

            this.at++;

            if (token.text === '}') {
                break;
            }

            if (token.kind !== 'name') {
                continue;
            }

            const arg = fields && fields.get(token.text);

            if (arg) {
                seen.add(token.text);
                this.means(token, { kind: 'argument', arg });
            } else if (fields) {
                this.fault(token, `${type.name} has no field ${token.text}.`);
            }

            if (this.take({ kind: 'none' }, ':')) {
                this.value(arg && arg.type);
            }
        }

        this.depth--;
    }
}


/* what the whole text means: { meanings, faults } */

function insight(text, schema) {
    const reader = new InsightReader(lexGraphql(text), schema);

    reader.read();

    return reader;
}


function completionOf(label, detail, doc, insert, caret) {
    return { label, detail, doc, insert: insert ?? label, caret };
}


function completeField(schema, field) {
    const composite = schema.isComposite(schema.named(field.type));
    const needs = [...field.args.values()].some((arg) => schema.required(arg));

    let insert;
    let caret;

    if (needs) {
        insert = `${field.name}()`;
        caret = field.name.length + 1;
    } else if (composite) {
        insert = `${field.name} {\n  \n}`;
        caret = field.name.length + 5;
    }

    return completionOf(field.name, typeText(field.type), field.description,
                        insert, caret);
}


function completeTypes(schema, fits) {
    return [...schema.types.values()]
        .filter((type) => !type.name.startsWith('__') && fits(type))
        .map((type) => completionOf(type.name, type.kind.toLowerCase()
                                    .replace('_', ' '), type.description));
}


function completeValue(schema, type, reader) {
    const items = [...reader.variables].map(
        ([name, written]) => completionOf(name, written, 'A variable.'));

    if (!type) {
        return items;
    }

    if (type.kind === 'ENUM') {
        items.unshift(...[...type.enumValues.values()].map(
            (value) => completionOf(value.name, type.name,
                                    value.description)));
    } else if (type.kind === 'INPUT_OBJECT') {
        items.unshift(completionOf('{ }', type.name, type.description,
                                   '{  }', 2));
    } else if (type.name === 'Boolean') {
        items.unshift(completionOf('true', 'Boolean'),
                      completionOf('false', 'Boolean'));
    }

    return items;
}


/*
 * What may stand at offset, as { start, items }; start is where the word
 * begins that is there already.  null: nothing is known.
 */

function completeGraphql(text, offset, schema) {
    const word = /[$@]?[_0-9A-Za-z]*$/.exec(text.slice(0, offset))[0];
    const start = offset - word.length;
    const tokens = lexGraphql(text.slice(0, start));
    const last = tokens[tokens.length - 1];

    /* in a comment, or in a string that is not closed */
    if (last && last.end === start
        && (last.kind === 'comment'
            || (last.kind === 'string'
                && !/^("""[^]*"""|"[^]*[^\\]"|"")$/.test(last.text))))
    {
        return null;
    }

    const reader = new InsightReader(tokens, schema);

    reader.read();

    if (word.startsWith('@')) {
        return { start, items: [...schema.directives.values()]
            .filter((directive) => !directive.locations.every(
                (location) => /^[A-Z_]*DEFINITION$|^(SCHEMA|SCALAR|OBJECT|ENUM|ENUM_VALUE|INTERFACE|UNION|INPUT_OBJECT)$/
                    .test(location)))
            .map((directive) => completionOf(`@${directive.name}`,
                'directive', directive.description,
                directive.args.size > 0 ? `@${directive.name}()` : undefined,
                directive.args.size > 0 ? directive.name.length + 2
                                        : undefined)) };
    }

    const context = reader.context;
    const fragments = () => [...text.matchAll(
        /\bfragment\s+([_A-Za-z]\w*)\s+on\s+([_A-Za-z]\w*)/g)].map(
            ([, name, type]) => completionOf(name, `fragment on ${type}`));
    let items = [];

    switch (context.kind) {

    case 'document':
        items = Object.keys(schema.roots).map((kind) => completionOf(kind,
            schema.roots[kind].name));
        items.push(completionOf('fragment', 'on a type'));
        break;

    case 'selection':
        if (context.type) {
            items = [...context.type.fields.values()].map(
                (field) => completeField(schema, field));
            items.push(completionOf('__typename', 'String!',
                                    TYPENAME.description));

            if (context.type === schema.roots.query) {
                items.push(...[...schema.metaFields().values()].map(
                    (field) => completeField(schema, field)));
            }
        }
        break;

    case 'spread':
        items = [completionOf('on', 'a type', undefined, 'on '),
                 ...fragments()];
        break;

    case 'on':
        items = [completionOf('on', 'a type', undefined, 'on ')];
        break;

    case 'composite type':
        items = completeTypes(schema, (type) => schema.isComposite(type));
        break;

    case 'input type':
        items = completeTypes(schema, (type) => schema.isInput(type));
        break;

    case 'argument':
        items = [...(context.args ? context.args.values() : [])]
            .filter((arg) => !context.seen.has(arg.name))
            .map((arg) => completionOf(arg.name, typeText(arg.type),
                                       arg.description, `${arg.name}: `));
        break;

    case 'value':
        items = completeValue(schema, context.type, reader);
        break;
    }

    return { start, items };
}


/* The variables of a document's operations, as Map of name to type text. */

function documentVariables(text, operation) {
    try {
        const definitions = parseGraphql(text).filter(
            (node) => node.kind !== 'fragment'
                      && (!operation || node.name === operation));

        return new Map(definitions.flatMap(
            (node) => (node.variables || []).map(
                (variable) => [variable.name.slice(1), variable.type])));
    } catch {
        return new Map();
    }
}


/* As completeGraphql(), for the JSON of the variables. */

function completeVariables(text, offset, schema, variables) {
    const word = /"?[_0-9A-Za-z]*$/.exec(text.slice(0, offset))[0];
    const start = offset - word.length;
    const { path, key, inside } = jsonPath(text.slice(0, start));

    if (!inside) {
        return null;
    }

    let fields = new Map([...variables].map(
        ([name, written]) => [name, { name, written }]));
    let type;

    for (const step of path) {
        if (step === 0) {
            continue;
        }

        const field = fields.get(step);

        type = field && (field.written ? schema.written(field.written)
                                       : schema.named(field.type));
        fields = (type && type.inputFields) || new Map();
    }

    /* the quote that the editor closed by itself is written over */
    const over = word.startsWith('"') && text[offset] === '"' ? 1 : 0;

    if (key) {
        return { start, over, items: [...fields.values()].map(
            (field) => completionOf(field.name,
                field.written || typeText(field.type), field.description,
                `"${field.name}": `)) };
    }

    if (type && type.kind === 'ENUM') {
        return { start, over, items: [...type.enumValues.values()].map(
            (value) => completionOf(value.name, type.name, value.description,
                                    `"${value.name}"`)) };
    }

    return null;
}
