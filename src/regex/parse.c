/*
 * Regular expressions: the parser (ECMA-262, 22.2.1, with the flag u).
 */

#include "regex/parser_impl.h"

#include "base/link.h"
#include "base/utf8.h"


#define PROMPT_REGEX_MAX_PATTERN  4096       /* bytes */
#define PROMPT_REGEX_MAX_DEPTH    50         /* groups in groups */
#define PROMPT_REGEX_MAX_REPEAT   10000
#define PROMPT_REGEX_MAX_NAMES    100        /* of groups */


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


/* a character of a name, at the position, which moves; as it is or as \u */
static bool
prompt_regex_name_char(prompt_regex_parser_t *parser, bool first)
{
    uint32_t  cp;

    if (prompt_regex_take(parser, '\\')) {
        if (!prompt_regex_take(parser, 'u')
            || !prompt_regex_code_point(parser, &cp))
        {
            return false;
        }

    } else {
        cp = prompt_utf8_next(&parser->pos, parser->end);
    }

    return prompt_utf8_is_letter(cp) || cp == '_' || cp == '$'
           || (!first && (prompt_utf8_is_digit(cp) || cp == 0x200c
                          || cp == 0x200d));
}


static bool
prompt_regex_name_known(const prompt_regex_name_t *list, prompt_str_t text)
{
    while (list != NULL && !prompt_str_eq(list->text, text)) {
        list = list->next;
    }

    return list != NULL;
}


bool
prompt_regex_name(prompt_regex_parser_t *parser, bool twice,
    prompt_regex_name_t **list)
{
    const char           *start;
    prompt_regex_name_t  *name;

    start = parser->pos;

    while (!prompt_regex_at(parser, '>')) {
        if (parser->pos == parser->end
            || !prompt_regex_name_char(parser, parser->pos == start))
        {
            (void) prompt_regex_syntax(parser, "bad name of a group");
            return false;
        }
    }

    name = prompt_arena_zalloc(parser->arena, sizeof(prompt_regex_name_t));
    if (name == NULL) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
        return false;
    }

    name->text = prompt_str_of(start, (size_t) (parser->pos - start));
    parser->pos++;

    if (++parser->nnames > PROMPT_REGEX_MAX_NAMES) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_TOO_LARGE,
                                 "too many names of groups");
        return false;
    }

    if (name->text.len == 0
        || (!twice && prompt_regex_name_known(*list, name->text)))
    {
        (void) prompt_regex_syntax(parser, "two groups of the same name, or "
                                   "one without");
        return false;
    }

    name->next = *list;
    *list = name;

    return true;
}


/*
 * What stands behind (?, and says what kind of group it is; *look: a look at
 * what comes next or before, which is not part of what matches.
 */
static bool
prompt_regex_group_kind(prompt_regex_parser_t *parser, bool *look)
{
    bool  behind;

    behind = prompt_regex_take(parser, '<');
    *look = prompt_regex_take(parser, '=') || prompt_regex_take(parser, '!');

    if (*look && !parser->check) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_UNSUPPORTED, behind
                                 ? "look-behind ((?<=, (?<!) cannot be matched "
                                   "in linear time"
                                 : "look-ahead ((?=, (?!) cannot be matched in "
                                   "linear time");
        return false;
    }

    if (behind && !*look) {
        parser->groups++;
        return prompt_regex_name(parser, false, &parser->names);
    }

    if (!*look && !prompt_regex_take(parser, ':')) {
        (void) prompt_regex_syntax(parser, "unknown kind of group");
        return false;
    }

    return true;
}


/* behind the ( */
static prompt_regex_node_t *
prompt_regex_group(prompt_regex_parser_t *parser)
{
    bool                  look;
    prompt_regex_node_t  *node;

    look = false;

    if (!prompt_regex_take(parser, '?')) {
        parser->groups++;

    } else if (!prompt_regex_group_kind(parser, &look)) {
        return NULL;
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

    /* what takes no character cannot be repeated: any such will do */

    return look && node != NULL
           ? prompt_regex_one(parser, PROMPT_REGEX_START, 0) : node;
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
    bool  ok;

    ok = prompt_regex_number(parser, min);
    *max = *min;

    if (ok && prompt_regex_take(parser, ',')) {
        *max = PROMPT_REGEX_UNBOUNDED;
        ok = prompt_regex_at(parser, '}') || prompt_regex_number(parser, max);
    }

    if (!ok || !prompt_regex_take(parser, '}') || *max < *min) {
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

        prompt_link(node, atom, next);
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

        prompt_link(node, sequence, next);

    } while (prompt_regex_take(parser, '|'));

    return node;
}


/* whether back references have groups that they refer to */
static void
prompt_regex_check_references(prompt_regex_parser_t *parser)
{
    const prompt_regex_name_t  *name;

    if (parser->highest > parser->groups) {
        (void) prompt_regex_syntax(parser, "a reference to no group");
    }

    for (name = parser->references; name != NULL; name = name->next) {
        if (!prompt_regex_name_known(parser->names, name->text)) {
            (void) prompt_regex_syntax(parser, "a reference to no group");
        }
    }
}


prompt_regex_status_t
prompt_regex_parse(prompt_regex_context_t *context, prompt_str_t pattern,
    bool check, prompt_regex_node_t **node, const char **message)
{
    prompt_regex_parser_t  parser;

    memset(&parser, 0, sizeof(parser));
    parser.arena = context->arena;
    parser.context = context;
    parser.check = check;
    parser.pos = pattern.data != NULL ? pattern.data : "";
    parser.end = parser.pos + pattern.len;
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

        prompt_regex_check_references(&parser);
    }

    *message = parser.message;

    return parser.status;
}
