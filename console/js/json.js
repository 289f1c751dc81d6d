/*
 * JSON as text: tokens with places, layout, and what is wrong where.  Numbers
 * and strings stay as they were written, because a number that goes through
 * the browser's own does not always come back the same.
 */

const JSON_TOKEN = new RegExp([
    '([ \\t\\n\\r]+)',
    '("(?:\\\\.|[^"\\\\\\n\\r])*(?:"|(?=[\\n\\r])|$))',
    '(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)',
    '(true|false|null)\\b',
    '([{}\\[\\],:])',
].join('|'), 'y');

const JSON_KINDS = [null, null, 'string', 'number', 'constant', 'punct'];


function lexJson(text) {
    const tokens = [];
    let at = 0;

    while (at < text.length) {
        JSON_TOKEN.lastIndex = at;

        const match = JSON_TOKEN.exec(text);
        const end = match ? JSON_TOKEN.lastIndex : at + 1;
        const kind = match ? JSON_KINDS[match.findIndex(
            (group, i) => i > 0 && group !== undefined)] : 'error';

        if (kind !== null) {
            tokens.push({ kind, colour: kind, start: at, end,
                          text: text.slice(at, end) });
        }

        at = end;
    }

    tokens.forEach((token, i) => {
        if (token.kind === 'string' && tokens[i + 1]
            && tokens[i + 1].text === ':')
        {
            token.colour = 'key';
        }
    });

    return tokens;
}


/* The same value, laid out with two spaces a level. */

function prettyJson(text) {
    const tokens = lexJson(text);
    const parts = [];
    let indent = '\n';

    tokens.forEach((token, i) => {
        const previous = tokens[i - 1];
        const next = tokens[i + 1];

        if (token.kind !== 'punct') {
            parts.push(token.text);

        } else if (token.text === '{' || token.text === '[') {
            parts.push(token.text);
            indent += '  ';

            if (next && next.text !== '}' && next.text !== ']') {
                parts.push(indent);
            }

        } else if (token.text === '}' || token.text === ']') {
            indent = indent.slice(0, -2) || '\n';

            if (previous && previous.kind === 'punct'
                && (previous.text === '{' || previous.text === '['))
            {
                parts.push(token.text);
            } else {
                parts.push(indent, token.text);
            }

        } else if (token.text === ',') {
            parts.push(',', indent);

        } else {
            parts.push(': ');
        }
    });

    return parts.join('');
}


/*
 * What is wrong with the text, as { message, start, end }, or null.  Nothing
 * at all is right as well: no variables.
 */

function jsonFault(text) {
    const tokens = lexJson(text);
    const open = [];
    let state = 'value';

    const fault = (token, message) => (token
        ? { message, start: token.start, end: token.end }
        : { message, start: Math.max(text.trimEnd().length - 1, 0),
            end: text.trimEnd().length });

    if (tokens.length === 0) {
        return null;
    }

    if (tokens[0].text !== '{') {
        return fault(tokens[0], 'Variables are a JSON object: { … }');
    }

    const closed = () => {
        open.pop();
        state = open.length > 0 ? 'after' : 'end';
    };

    for (const token of tokens) {
        const punct = token.kind === 'punct' ? token.text : '';

        if (token.kind === 'error'
            || (token.kind === 'string'
                && (token.text.length < 2 || !token.text.endsWith('"'))))
        {
            return fault(token, 'This is no JSON.');
        }

        switch (state) {

        case 'end':
            return fault(token, 'Something follows the end of the object.');

        case 'key':
        case 'first key':
            if (state === 'first key' && punct === '}') {
                closed();
                break;
            }

            if (token.kind !== 'string') {
                return fault(token, 'A name in double quotes should stand '
                                    + 'here.');
            }

            state = 'colon';
            break;

        case 'colon':
            if (punct !== ':') {
                return fault(token, '":" should stand here.');
            }

            state = 'value';
            break;

        case 'after':
            if (punct === ',') {
                state = open[open.length - 1] === '{' ? 'key' : 'value';
            } else if (punct === (open[open.length - 1] === '{' ? '}' : ']')) {
                closed();
            } else {
                return fault(token, '"," or the closing bracket should stand '
                                    + 'here.');
            }
            break;

        default:
            if (state === 'first value' && punct === ']') {
                closed();
            } else if (punct === '{') {
                open.push('{');
                state = 'first key';
            } else if (punct === '[') {
                open.push('[');
                state = 'first value';
            } else if (punct !== '') {
                return fault(token, 'A value should stand here.');
            } else {
                state = 'after';
            }
        }
    }

    if (open.length > 0) {
        return fault(null, 'The object is not closed.');
    }

    try {
        JSON.parse(text);
    } catch (error) {
        return fault(tokens[0], error.message);
    }

    return null;
}


/*
 * Where the text ends: the names that lead to the value or name that would
 * come next, as { path, key }, key telling that a name would come.
 */

function jsonPath(text) {
    const path = [];
    const open = [];
    let name = null;
    let key = false;

    lexJson(text).forEach((token, i, tokens) => {
        const punct = token.kind === 'punct' ? token.text : '';

        if (punct === '{' || punct === '[') {
            if (open.length > 0) {
                path.push(open[open.length - 1] === '{' ? name : 0);
            }

            open.push(punct);
            key = punct === '{';
        } else if (punct === '}' || punct === ']') {
            open.pop();
            path.pop();
            key = false;
        } else if (punct === ':') {
            name = i > 0 && tokens[i - 1].kind === 'string'
                   ? tokens[i - 1].text.slice(1, -1) : null;
            key = false;
        } else if (punct === ',') {
            key = open[open.length - 1] === '{';
        }
    });

    if (open.length > 0 && !key) {
        path.push(open[open.length - 1] === '{' ? name : 0);
    }

    return { path, key, inside: open.length > 0 };
}
