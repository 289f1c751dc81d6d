/*
 * Documents as people like to read them: two spaces a level, one selection a
 * line, arguments on one line as long as they fit.
 */

const PRINT_WIDTH = 80;


function printComments(comments, indent) {
    return (comments || []).map((text) => `${indent}${text}\n`).join('');
}


function printBeside(node) {
    return node.beside ? ` ${node.beside.join(' ')}` : '';
}


function hasComments(items) {
    return (items.comments && items.comments.length > 0)
           || items.some((item) => item.beside
                                   || (item.comments || []).length > 0);
}


/* items between brackets: on one line where they fit, else a line each */

function printItems(items, open, close, indent, column, print) {
    if (!hasComments(items)) {
        const flat = open + items.map((item) => print(item, indent, 0))
            .join(', ') + close;

        if (!flat.includes('\n') && column + flat.length <= PRINT_WIDTH) {
            return flat;
        }

        if (items.length === 0) {
            return open + close;
        }
    }

    const inner = `${indent}  `;

    return `${open}\n`
        + items.map((item) => printComments(item.comments, inner) + inner
                              + print(item, inner, inner.length)
                              + printBeside(item) + '\n').join('')
        + printComments(items.comments, inner) + indent + close;
}


function printValue(value, indent, column) {
    if (value.list) {
        return printItems(value.list, '[', ']', indent, column,
                          (item, i, c) => printValue(item.value, i, c));
    }

    if (value.fields) {
        return printItems(value.fields, '{', '}', indent, column, printPair);
    }

    return value.text;
}


function printPair(pair, indent, column) {
    return `${pair.name}: `
           + printValue(pair.value, indent, column + pair.name.length + 2);
}


function printArgs(args, indent, column) {
    return args.length === 0
           ? '' : printItems(args, '(', ')', indent, column, printPair);
}


function printDirectives(directives, indent, column) {
    return directives.map((directive) => ` ${directive.name}`
        + printArgs(directive.args, indent, column)).join('');
}


function printVariable(variable, indent, column) {
    let text = `${variable.name}: ${variable.type}`;

    if (variable.value) {
        text += ` = ${printValue(variable.value, indent, column)}`;
    }

    return text + printDirectives(variable.directives, indent, column);
}


function printSelections(selections, indent) {
    const inner = `${indent}  `;

    return ' {\n'
        + selections.map((node) => printComments(node.comments, inner) + inner
                                   + printSelection(node, inner)
                                   + printBeside(node) + '\n').join('')
        + printComments(selections.comments, inner) + `${indent}}`;
}


function printSelection(node, indent) {
    let text;

    if (node.kind === 'field') {
        text = node.alias ? `${node.alias}: ${node.name}` : node.name;
        text += printArgs(node.args, indent, indent.length + text.length);
    } else if (node.kind === 'spread') {
        text = `...${node.name}`;
    } else {
        text = node.on ? `... on ${node.on}` : '...';
    }

    text += printDirectives(node.directives, indent,
                            indent.length + text.length);

    return node.selections ? text + printSelections(node.selections, indent)
                           : text;
}


function printDefinition(node) {
    let text = '';

    if (!node.anonymous) {
        text = node.name ? `${node.kind} ${node.name}` : node.kind;

        if (node.kind === 'fragment') {
            text += ` on ${node.on}`;
        }

        if (node.variables && node.variables.length > 0) {
            text += printItems(node.variables, '(', ')', '', text.length,
                               printVariable);
        }

        text += printDirectives(node.directives, '', text.length);
    }

    text += printSelections(node.selections, '');

    return printComments(node.comments, '')
           + (node.anonymous ? text.trimStart() : text) + printBeside(node);
}


/* The same document, laid out anew; throws GraphqlSyntaxError. */

function prettyGraphql(text) {
    const definitions = parseGraphql(text);
    const parts = definitions.map(printDefinition);

    if (definitions.comments.length > 0) {
        parts.push(definitions.comments.join('\n'));
    }

    return parts.length > 0 ? `${parts.join('\n\n')}\n` : '';
}
