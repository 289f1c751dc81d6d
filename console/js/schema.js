/*
 * The API as introspection describes it.
 */

const INTROSPECTION = `query ConsoleSchema {
  __schema {
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types {
      kind
      name
      description
      fields(includeDeprecated: true) {
        name
        description
        args { ...Value }
        type { ...Type }
        isDeprecated
        deprecationReason
      }
      inputFields { ...Value }
      interfaces { name }
      enumValues(includeDeprecated: true) {
        name
        description
        isDeprecated
        deprecationReason
      }
      possibleTypes { name }
    }
    directives {
      name
      description
      locations
      args { ...Value }
    }
  }
}

fragment Value on __InputValue {
  name
  description
  type { ...Type }
  defaultValue
}

fragment Type on __Type {
  kind
  name
  ofType { kind name ofType { kind name ofType { kind name } } }
}
`;


/* [Prompt!]! */

function typeText(type) {
    if (!type) {
        return '';
    }

    if (type.kind === 'NON_NULL') {
        return `${typeText(type.ofType)}!`;
    }

    if (type.kind === 'LIST') {
        return `[${typeText(type.ofType)}]`;
    }

    return type.name || '';
}


function byName(list) {
    return new Map((list || []).map((item) => [item.name, item]));
}


const TYPENAME = {
    name: '__typename',
    description: 'The name of the object\'s type.',
    args: new Map(),
    type: { kind: 'NON_NULL', ofType: { kind: 'SCALAR', name: 'String' } },
};


class Schema {

    /* data: of the answer to INTROSPECTION */
    constructor(data) {
        const schema = data.__schema;

        this.types = byName(schema.types);
        this.directives = byName(schema.directives);

        for (const directive of schema.directives) {
            directive.args = byName(directive.args);
        }

        for (const type of schema.types) {
            for (const field of type.fields || []) {
                field.args = byName(field.args);
            }

            type.fields = byName(type.fields);
            type.inputFields = byName(type.inputFields);
            type.enumValues = byName(type.enumValues);
        }

        this.roots = {};

        for (const kind of ['query', 'mutation', 'subscription']) {
            const root = schema[`${kind}Type`];

            if (root) {
                this.roots[kind] = this.types.get(root.name);
            }
        }
    }

    /* the type itself, without lists and "!" */
    named(type) {
        while (type && type.ofType) {
            type = type.ofType;
        }

        return type ? this.types.get(type.name) : undefined;
    }

    /* the type of a variable from how it is written */
    written(text) {
        return this.types.get((text || '').replace(/[[\]!\s]/g, ''));
    }

    isComposite(type) {
        return type !== undefined
               && ['OBJECT', 'INTERFACE', 'UNION'].includes(type.kind);
    }

    isInput(type) {
        return ['SCALAR', 'ENUM', 'INPUT_OBJECT'].includes(type.kind);
    }

    field(type, name) {
        if (name === '__typename') {
            return TYPENAME;
        }

        const field = type ? type.fields.get(name) : undefined;

        if (field || !type || type !== this.roots.query) {
            return field;
        }

        return this.metaFields().get(name);
    }

    /* what every query root has beside its own fields */
    metaFields() {
        const schema = this.types.get('__Schema');
        const type = this.types.get('__Type');

        return byName([schema && {
            name: '__schema', description: 'This API.', args: new Map(),
            type: { kind: 'OBJECT', name: '__Schema' },
        }, type && {
            name: '__type', description: 'One type of this API.',
            args: byName([{
                name: 'name', type: { kind: 'NON_NULL', ofType: {
                    kind: 'SCALAR', name: 'String' } },
            }]),
            type: { kind: 'OBJECT', name: '__Type' },
        }].filter(Boolean));
    }

    required(arg) {
        return arg.type.kind === 'NON_NULL' && !arg.defaultValue;
    }

    /* a value to begin with, as JSON */
    example(type, depth = 0) {
        if (type.kind === 'NON_NULL') {
            return this.example(type.ofType, depth);
        }

        if (type.kind === 'LIST') {
            return [];
        }

        const named = this.types.get(type.name);

        switch (named && named.kind) {

        case 'ENUM':
            return [...named.enumValues.keys()][0];

        case 'INPUT_OBJECT':
            return depth > 4 ? {} : Object.fromEntries(
                [...named.inputFields.values()]
                    .filter((field) => this.required(field))
                    .map((field) => [field.name,
                                     this.example(field.type, depth + 1)]));

        default:
            return { Int: 0, Float: 0, Boolean: false, JSON: {} }[type.name]
                   ?? '';
        }
    }

    /* the fields of a type that need nothing further */
    plainFields(type) {
        return [...type.fields.values()].filter((field) => (
            !field.isDeprecated
            && !this.isComposite(this.named(field.type))
            && ![...field.args.values()].some((arg) => this.required(arg))));
    }

    /* an operation that asks for one root field: { text, variables } */
    operation(kind, field) {
        const args = [...field.args.values()].filter(
            (arg) => this.required(arg));
        const type = this.named(field.type);
        const name = field.name[0].toUpperCase() + field.name.slice(1);
        const variables = args.map(
            (arg) => `$${arg.name}: ${typeText(arg.type)}`).join(', ');
        const passed = args.map(
            (arg) => `${arg.name}: $${arg.name}`).join(', ');

        let text = `${kind} ${name}${variables && `(${variables})`} {\n`
                   + `${field.name}${passed && `(${passed})`}`;

        if (this.isComposite(type)) {
            let fields = this.plainFields(type).map((plain) => plain.name);

            fields.push(...this.nested(type));

            if (fields.length === 0) {
                fields = ['__typename'];
            }

            text += ` { ${fields.join(' ')} }`;
        }

        return {
            text: prettyGraphql(`${text} }`),
            variables: Object.fromEntries(args.map(
                (arg) => [arg.name, this.example(arg.type)])),
        };
    }

    /* single objects below, such as the apiKey of a CreatedApiKey */
    nested(type) {
        return [...type.fields.values()].filter((field) => (
            this.isComposite(this.named(field.type))
            && !typeText(field.type).startsWith('[')
            && field.args.size === 0
            && this.named(field.type) !== type))
            .map((field) => {
                const plain = this.plainFields(this.named(field.type));

                return plain.length === 0 ? '' : `${field.name} { ${
                    plain.map((below) => below.name).join(' ')} }`;
            });
    }
}
