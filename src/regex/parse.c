/*
 * Regular expressions: the parser (ECMA-262, 22.2.1, with the flag u).
 */

#include "regex/parser.h"

#include "base/utf8.h"


#define PROMPT_REGEX_MAX_PATTERN  4096       /* bytes */
#define PROMPT_REGEX_MAX_DEPTH    50         /* groups in groups */
#define PROMPT_REGEX_MAX_REPEAT   10000


static prompt_regex_node_t *prompt_regex_choice(prompt_regex_parser_t *parser);


/* Keeps the first error; returns NULL. */
void *
prompt_regex_fail(prompt_regex_parser_t *parser, prompt_regex_status_t status,
    const char *message)
{
    if (parser->status == PROMPT_REGEX_OK) {
        parser->status = status;
        parser->message = message;
    }

    return NULL;
}


void *
prompt_regex_syntax(prompt_regex_parser_t *parser, const char *message)
{
    return prompt_regex_fail(parser, PROMPT_REGEX_SYNTAX, message);
}


bool
prompt_regex_at(const prompt_regex_parser_t *parser, char c)
{
    return parser->pos < parser->end && *parser->pos == c;
}


bool
prompt_regex_take(prompt_regex_parser_t *parser, char c)
{
    if (!prompt_regex_at(parser, c)) {
        return false;
    }

    parser->pos++;

    return true;
}


static prompt_regex_node_t *
prompt_regex_node(prompt_regex_parser_t *parser, prompt_regex_node_type_t type)
{
    prompt_regex_node_t  *node;

    node = prompt_arena_zalloc(parser->arena, sizeof(prompt_regex_node_t));
    if (node == NULL) {
        return prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
    }

    node->type = type;

    return node;
}


prompt_regex_node_t *
prompt_regex_one(prompt_regex_parser_t *parser, prompt_regex_op_t op,
    uint32_t x)
{
    prompt_regex_node_t  *node;

    node = prompt_regex_node(parser, PROMPT_REGEX_NODE_ONE);
    if (node == NULL) {
        return NULL;
    }

    node->one.op = op;
    node->one.x = x;

    return node;
}


static void
prompt_regex_add(prompt_regex_node_t *parent, prompt_regex_node_t *child)
{
    if (parent->last != NULL) {
        parent->last->next = child;

    } else {
        parent->first = child;
    }

    parent->last = child;
}


/* behind the ( */
static prompt_regex_node_t *
prompt_regex_group(prompt_regex_parser_t *parser)
{
    prompt_regex_node_t  *node;

    if (prompt_regex_take(parser, '?')) {

        if (prompt_regex_take(parser, '<')) {
            if (prompt_regex_at(parser, '=') || prompt_regex_at(parser, '!')) {
                return prompt_regex_fail(parser, PROMPT_REGEX_UNSUPPORTED,
                                         "look-behind");
            }

            while (!prompt_regex_take(parser, '>')) {
                if (parser->pos == parser->end) {
                    return prompt_regex_syntax(parser, "unclosed (?<");
                }

                parser->pos++;
            }

        } else if (prompt_regex_at(parser, '=') || prompt_regex_at(parser, '!'))
        {
            return prompt_regex_fail(parser, PROMPT_REGEX_UNSUPPORTED,
                                     "look-ahead");

        } else if (!prompt_regex_take(parser, ':')) {
            return prompt_regex_syntax(parser, "unknown kind of group");
        }
    }

    if (++parser->depth > PROMPT_REGEX_MAX_DEPTH) {
        return prompt_regex_fail(parser, PROMPT_REGEX_TOO_LARGE,
                                 "nested too deeply");
    }

    node = prompt_regex_choice(parser);
    parser->depth--;

    if (node != NULL && !prompt_regex_take(parser, ')')) {
        return prompt_regex_syntax(parser, "unclosed (");
    }

    return node;
}


static prompt_regex_node_t *
prompt_regex_atom(prompt_regex_parser_t *parser)
{
    char  c;

    c = *parser->pos;

    switch (c) {

    case '*': case '+': case '?':
        return prompt_regex_syntax(parser, "nothing to repeat");

    case '{': case '}': case ']':
        return prompt_regex_syntax(parser, "a bracket that must be escaped");

    case '^':
        parser->pos++;
        return prompt_regex_one(parser, PROMPT_REGEX_START, 0);

    case '$':
        parser->pos++;
        return prompt_regex_one(parser, PROMPT_REGEX_END, 0);

    case '.':
        parser->pos++;
        return prompt_regex_one(parser, PROMPT_REGEX_ANY, 0);

    case '[':
        parser->pos++;
        return prompt_regex_set(parser);

    case '(':
        parser->pos++;
        return prompt_regex_group(parser);

    case '\\':
        parser->pos++;
        return prompt_regex_escaped(parser);

    default:
        return prompt_regex_one(parser, PROMPT_REGEX_CHAR,
                                prompt_utf8_next(&parser->pos, parser->end));
    }
}


static bool
prompt_regex_number(prompt_regex_parser_t *parser, uint32_t *n)
{
    const char  *start;

    *n = 0;
    start = parser->pos;

    while (parser->pos < parser->end && *parser->pos >= '0'
           && *parser->pos <= '9')
    {
        *n = *n * 10 + (uint32_t) (*parser->pos++ - '0');

        if (*n > PROMPT_REGEX_MAX_REPEAT) {
            (void) prompt_regex_fail(parser, PROMPT_REGEX_TOO_LARGE,
                                     "repeated too often");
            return false;
        }
    }

    return parser->pos != start;
}


/* {n}, {n,} or {n,m}, behind the brace */
static bool
prompt_regex_counts(prompt_regex_parser_t *parser, uint32_t *min,
    uint32_t *max)
{
    if (!prompt_regex_number(parser, min)) {
        (void) prompt_regex_syntax(parser, "bad {");
        return false;
    }

    *max = *min;

    if (prompt_regex_take(parser, ',')) {
        *max = PROMPT_REGEX_UNBOUNDED;

        if (!prompt_regex_at(parser, '}')
            && !prompt_regex_number(parser, max))
        {
            (void) prompt_regex_syntax(parser, "bad {");
            return false;
        }
    }

    if (!prompt_regex_take(parser, '}') || *max < *min) {
        (void) prompt_regex_syntax(parser, "bad {");
        return false;
    }

    return true;
}


/* the quantifier that may stand behind the atom */
static prompt_regex_node_t *
prompt_regex_repeat(prompt_regex_parser_t *parser, prompt_regex_node_t *atom)
{
    uint32_t              min, max;
    prompt_regex_node_t  *node;

    min = 0;
    max = PROMPT_REGEX_UNBOUNDED;

    if (prompt_regex_take(parser, '?')) {
        max = 1;

    } else if (prompt_regex_take(parser, '+')) {
        min = 1;

    } else if (prompt_regex_take(parser, '{')) {
        if (!prompt_regex_counts(parser, &min, &max)) {
            return NULL;
        }

    } else if (!prompt_regex_take(parser, '*')) {
        return atom;
    }

    /* lazy or not: the same texts match */

    (void) prompt_regex_take(parser, '?');

    if (atom->type == PROMPT_REGEX_NODE_ONE
        && atom->one.op >= PROMPT_REGEX_START)
    {
        return prompt_regex_syntax(parser, "nothing to repeat");
    }

    node = prompt_regex_node(parser, PROMPT_REGEX_NODE_REPEAT);
    if (node == NULL) {
        return NULL;
    }

    node->min = min;
    node->max = max;
    node->first = atom;

    return node;
}


static prompt_regex_node_t *
prompt_regex_sequence(prompt_regex_parser_t *parser)
{
    prompt_regex_node_t  *node, *atom;

    node = prompt_regex_node(parser, PROMPT_REGEX_NODE_SEQUENCE);

    while (node != NULL && parser->pos < parser->end && *parser->pos != '|'
           && *parser->pos != ')')
    {
        atom = prompt_regex_atom(parser);

        if (atom != NULL) {
            atom = prompt_regex_repeat(parser, atom);
        }

        if (atom == NULL) {
            return NULL;
        }

        prompt_regex_add(node, atom);
    }

    return node;
}


/* Recursion goes no deeper than groups may be nested. */
static prompt_regex_node_t *
prompt_regex_choice(prompt_regex_parser_t *parser)
{
    prompt_regex_node_t  *node, *sequence;

    node = prompt_regex_node(parser, PROMPT_REGEX_NODE_CHOICE);
    if (node == NULL) {
        return NULL;
    }

    do {
        sequence = prompt_regex_sequence(parser);
        if (sequence == NULL) {
            return NULL;
        }

        prompt_regex_add(node, sequence);

    } while (prompt_regex_take(parser, '|'));

    return node;
}


prompt_regex_status_t
prompt_regex_parse(prompt_arena_t *arena, prompt_str_t pattern,
    prompt_regex_node_t **node, const char **message)
{
    prompt_regex_parser_t  parser;

    parser.arena = arena;
    parser.pos = pattern.data != NULL ? pattern.data : "";
    parser.end = parser.pos + pattern.len;
    parser.depth = 0;
    parser.status = PROMPT_REGEX_OK;
    parser.message = "";

    if (pattern.len > PROMPT_REGEX_MAX_PATTERN) {
        (void) prompt_regex_fail(&parser, PROMPT_REGEX_TOO_LARGE, "too long");

    } else if (!prompt_utf8_valid(pattern)) {
        (void) prompt_regex_syntax(&parser, "not valid UTF-8");

    } else {
        *node = prompt_regex_choice(&parser);

        if (*node != NULL && parser.pos != parser.end) {
            (void) prompt_regex_syntax(&parser, ") without (");
        }
    }

    *message = parser.message;

    return parser.status;
}
