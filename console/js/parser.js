/*
 * Executable documents as trees, for the printer, the choice of operation and
 * the marks of the editor.  Comments are kept: each belongs to the selection,
 * definition, argument or variable that follows it.
 */

class GraphqlSyntaxError extends Error {
    constructor(message, start, end) {
        super(message);
        this.start = start;
        this.end = end;
    }
}


class GraphqlParser {

    constructor(text) {
        this.text = text;
        this.comments = [];
        this.tokens = [];
        this.before = [];            /* comments, by the token they precede */
        this.at = 0;
        this.depth = 0;

        let comments = [];
        let last = 0;

        for (const token of lexGraphql(text)) {
            if (token.kind === 'comment') {
                comments.push({
                    text: token.text.trimEnd(),
                    beside: last > 0 && !/[\n\r]/.test(
                                text.slice(last, token.start)),
                });
                continue;
            }

            this.tokens.push(token);
            this.before.push(comments);
            comments = [];
            last = token.end;
        }

        this.before.push(comments);
    }

    peek(text) {
        const token = this.tokens[this.at];

        return token !== undefined && token.kind !== 'string'
               && token.text === text;
    }

    fail(wanted) {
        const token = this.tokens[this.at];

        if (token === undefined) {
            throw new GraphqlSyntaxError(
                `The document ends where ${wanted} should follow.`,
                Math.max(this.text.trimEnd().length - 1, 0),
                this.text.trimEnd().length);
        }

        throw new GraphqlSyntaxError(
            `${wanted[0].toUpperCase()}${wanted.slice(1)} should stand here, `
            + `not ${token.text.slice(0, 40)}`, token.start, token.end);
    }

    next() {
        this.comments.push(...this.before[this.at]);
        return this.tokens[this.at++];
    }

    take(text) {
        return this.peek(text) ? this.next() : null;
    }

    need(text) {
        return this.take(text) || this.fail(`"${text}"`);
    }

    kind(kind, wanted) {
        const token = this.tokens[this.at];

        return token !== undefined && token.kind === kind
               ? this.next() : this.fail(wanted);
    }

    name(wanted = 'a name') {
        return this.kind('name', wanted).text;
    }

    /* the comments that were passed, and those before the next token */
    gather(previous) {
        const all = this.comments.concat(this.before[this.at]);

        this.comments = [];
        this.before[this.at] = [];

        const own = [];

        for (const comment of all) {
            if (comment.beside && previous && own.length === 0) {
                previous.beside = previous.beside || [];
                previous.beside.push(comment.text);
            } else {
                own.push(comment.text);
            }
        }

        return own;
    }

    /* what read() reads, until the closing text; with comments */
    list(open, close, read) {
        const items = [];

        this.need(open);

        if (++this.depth > 200) {
            this.fail('less nesting');
        }

        for (;;) {
            const comments = this.gather(items[items.length - 1]);

            if (this.take(close)) {
                items.comments = comments;
                break;
            }

            const item = read();
            item.comments = comments;
            items.push(item);
        }

        this.depth--;

        return items;
    }

    document() {
        const definitions = [];

        for (;;) {
            const comments = this.gather(definitions[definitions.length - 1]);

            if (this.at >= this.tokens.length) {
                definitions.comments = comments;
                return definitions;
            }

            const definition = this.definition();
            definition.comments = comments;
            definitions.push(definition);
        }
    }

    definition() {
        const token = this.tokens[this.at];
        const start = token.start;
        const node = { kind: 'query', start, directives: [] };

        if (this.peek('{')) {
            node.anonymous = true;

        } else if (this.take('fragment')) {
            node.kind = 'fragment';
            node.name = this.name('the name of the fragment');
            this.need('on');
            node.on = this.name('a type');
            node.directives = this.directives();

        } else if (this.peek('query') || this.peek('mutation')
                   || this.peek('subscription'))
        {
            node.kind = this.next().text;

            if (this.tokens[this.at] && this.tokens[this.at].kind === 'name') {
                node.name = this.name();
            }

            if (this.peek('(')) {
                node.variables = this.list('(', ')', () => this.variable());
            }

            node.directives = this.directives();

        } else {
            this.fail('"query", "mutation", "fragment" or "{"');
        }

        node.selections = this.selections();
        node.end = this.tokens[this.at - 1].end;

        return node;
    }

    variable() {
        const node = { name: this.kind('variable', 'a variable').text };

        this.need(':');
        node.type = this.type();

        if (this.take('=')) {
            node.value = this.value();
        }

        node.directives = this.directives();

        return node;
    }

    type() {
        let text;

        if (this.take('[')) {
            if (++this.depth > 200) {
                this.fail('less nesting');
            }

            text = `[${this.type()}`;
            this.need(']');
            text += ']';
            this.depth--;

        } else {
            text = this.name('a type');
        }

        return this.take('!') ? `${text}!` : text;
    }

    directives() {
        const nodes = [];

        while (this.tokens[this.at]
               && this.tokens[this.at].kind === 'directive')
        {
            nodes.push({ name: this.next().text, args: this.args() });
        }

        return nodes;
    }

    args() {
        return this.peek('(')
               ? this.list('(', ')', () => this.pair('an argument')) : [];
    }

    pair(wanted) {
        const name = this.name(wanted);

        this.need(':');

        return { name, value: this.value() };
    }

    selections() {
        const nodes = this.list('{', '}', () => this.selection());

        if (nodes.length === 0) {
            this.at--;
            this.fail('a field');
        }

        return nodes;
    }

    selection() {
        const node = { directives: [] };

        if (this.take('...')) {
            node.kind = 'inline';

            if (this.take('on')) {
                node.on = this.name('a type');
            } else if (this.tokens[this.at]
                       && this.tokens[this.at].kind === 'name')
            {
                node.kind = 'spread';
                node.name = this.name();
            }

            node.directives = this.directives();

            if (node.kind === 'inline') {
                node.selections = this.selections();
            }

            return node;
        }

        node.kind = 'field';
        node.name = this.name('a field');

        if (this.take(':')) {
            node.alias = node.name;
            node.name = this.name('a field');
        }

        node.args = this.args();
        node.directives = this.directives();

        if (this.peek('{')) {
            node.selections = this.selections();
        }

        return node;
    }

    value() {
        if (this.peek('[')) {
            return { list: this.list('[', ']', () => (
                { value: this.value() })) };
        }

        if (this.peek('{')) {
            return { fields: this.list('{', '}',
                                       () => this.pair('a field')) };
        }

        const token = this.tokens[this.at];

        if (token === undefined
            || !['string', 'number', 'variable', 'name'].includes(token.kind)
            || (token.kind === 'string'
                && (token.text.length < 2 || !token.text.endsWith('"'))))
        {
            this.fail('a value');
        }

        return { text: this.next().text };
    }
}


/* The definitions of a document; throws GraphqlSyntaxError. */

function parseGraphql(text) {
    return new GraphqlParser(text).document();
}
