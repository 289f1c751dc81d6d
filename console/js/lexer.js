/*
 * GraphQL's lexical grammar, tolerant: whatever is typed becomes tokens, what
 * no token begins with is one of kind "error".  White space and commas are
 * left out, comments stay.
 */

const GRAPHQL_TOKEN = new RegExp([
    '([\\s,\\uFEFF]+)',
    '(#[^\\n\\r]*)',
    '("(?:\\\\.|[^"\\\\\\n\\r])*(?:"|(?=[\\n\\r])|$))',
    '(-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)',
    '(\\$[_A-Za-z][_0-9A-Za-z]*)',
    '(@[_A-Za-z][_0-9A-Za-z]*)',
    '([_A-Za-z][_0-9A-Za-z]*)',
    '(\\.\\.\\.|[!$&():=@\\[\\]{|}])',
].join('|'), 'y');

const GRAPHQL_KINDS = [
    null, null, 'comment', 'string', 'number', 'variable', 'directive',
    'name', 'punct',
];


/* where the block string that begins at start ends */

function blockStringEnd(text, start) {
    let at = start + 3;

    for (;;) {
        at = text.indexOf('"""', at);

        if (at < 0) {
            return text.length;
        }

        if (text[at - 1] !== '\\') {
            return at + 3;
        }

        at += 3;
    }
}


function lexGraphql(text) {
    const tokens = [];
    let at = 0;

    while (at < text.length) {
        let kind = 'error';
        let end = at + 1;

        if (text.startsWith('"""', at)) {
            kind = 'string';
            end = blockStringEnd(text, at);

        } else {
            GRAPHQL_TOKEN.lastIndex = at;
            const match = GRAPHQL_TOKEN.exec(text);

            if (match) {
                end = GRAPHQL_TOKEN.lastIndex;
                kind = GRAPHQL_KINDS[match.findIndex(
                    (group, i) => i > 0 && group !== undefined)];
            }
        }

        if (kind !== null) {
            tokens.push({ kind, start: at, end, text: text.slice(at, end) });
        }

        at = end;
    }

    return tokens;
}


/* kinds of GraphQL tokens as they are coloured */

const GRAPHQL_KEYWORDS = new Set(['query', 'mutation', 'subscription',
    'fragment', 'on']);

const GRAPHQL_CONSTANTS = new Set(['true', 'false', 'null']);

function colourGraphql(text) {
    const tokens = lexGraphql(text);
    let depth = 0;
    let parens = 0;

    tokens.forEach((token, i) => {
        const next = tokens[i + 1];

        token.colour = token.kind;

        if (token.text === '{') {
            depth++;
        } else if (token.text === '}') {
            depth--;
        } else if (token.text === '(') {
            parens++;
        } else if (token.text === ')') {
            parens--;
        }

        if (token.kind !== 'name') {
            return;
        }

        if (parens > 0) {
            if (next && next.text === ':') {
                token.colour = 'argument';
            } else if (GRAPHQL_CONSTANTS.has(token.text)) {
                token.colour = 'constant';
            } else {
                token.colour = 'type';
            }

        } else if (GRAPHQL_KEYWORDS.has(token.text)
                   && (depth <= 0 || (token.text === 'on' && i > 0
                                      && tokens[i - 1].text === '...')))
        {
            token.colour = 'keyword';

        } else if (i > 0 && tokens[i - 1].text === 'on') {
            token.colour = 'type';

        } else if (depth <= 0) {
            token.colour = 'definition';

        } else {
            token.colour = 'field';
        }
    });

    return tokens;
}
