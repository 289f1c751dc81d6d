/*
 * Regular expressions: the parser (ECMA-262, 22.2.1, with the flag u).
 */

#include "prompt/regex_program.h"

#include "base/utf8.h"


#define PROMPT_REGEX_MAX_PATTERN  4096       /* bytes */
#define PROMPT_REGEX_MAX_DEPTH    50         /* groups in groups */
#define PROMPT_REGEX_MAX_REPEAT   10000


typedef struct {
    prompt_arena_t         *arena;
    const char             *pos;
    const char             *end;
    unsigned                depth;
    prompt_regex_status_t   status;
    const char             *message;
} prompt_regex_parser_t;


static prompt_regex_node_t *prompt_regex_choice(prompt_regex_parser_t *parser);


/* Keeps the first error; returns NULL. */
static void *
prompt_regex_fail(prompt_regex_parser_t *parser, prompt_regex_status_t status,
    const char *message)
{
    if (parser->status == PROMPT_REGEX_OK) {
        parser->status = status;
        parser->message = message;
    }

    return NULL;
}


static void *
prompt_regex_syntax(prompt_regex_parser_t *parser, const char *message)
{
    return prompt_regex_fail(parser, PROMPT_REGEX_SYNTAX, message);
}


static bool
prompt_regex_at(const prompt_regex_parser_t *parser, char c)
{
    return parser->pos < parser->end && *parser->pos == c;
}


static bool
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


static prompt_regex_node_t *
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


static bool
prompt_regex_set_add(prompt_regex_parser_t *parser, prompt_regex_set_t *set,
    const prompt_regex_item_t *item)
{
    prompt_regex_item_t  *added;

    added = prompt_arena_alloc(parser->arena, sizeof(prompt_regex_item_t));
    if (added == NULL) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
        return false;
    }

    *added = *item;
    added->next = set->items;
    set->items = added;
    set->count++;

    return true;
}


static int
prompt_regex_hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
        return (c | 0x20) - 'a' + 10;
    }

    return -1;
}


/* exactly n hexadecimal digits */
static bool
prompt_regex_hex_digits(prompt_regex_parser_t *parser, unsigned n,
    uint32_t *value)
{
    const char  *p;

    *value = 0;
    p = parser->pos;

    if ((size_t) (parser->end - p) < n) {
        return false;
    }

    for ( /* void */ ; n != 0; n--, p++) {
        if (prompt_regex_hex(*p) < 0) {
            return false;
        }

        *value = *value << 4 | (uint32_t) prompt_regex_hex(*p);
    }

    parser->pos = p;

    return true;
}


/* behind \u: HHHH, a pair of surrogates, or {H...} */
static bool
prompt_regex_code_point(prompt_regex_parser_t *parser, uint32_t *cp)
{
    uint32_t     low;
    const char  *behind;

    if (prompt_regex_take(parser, '{')) {
        *cp = 0;
        behind = parser->pos;

        while (parser->pos < parser->end && prompt_regex_hex(*parser->pos) >= 0
               && *cp <= 0x10ffff)
        {
            *cp = *cp << 4 | (uint32_t) prompt_regex_hex(*parser->pos++);
        }

        return parser->pos != behind && *cp <= 0x10ffff
               && prompt_regex_take(parser, '}');
    }

    if (!prompt_regex_hex_digits(parser, 4, cp)) {
        return false;
    }

    if (*cp >= 0xd800 && *cp <= 0xdbff) {
        behind = parser->pos;

        if (prompt_regex_take(parser, '\\') && prompt_regex_take(parser, 'u')
            && prompt_regex_hex_digits(parser, 4, &low)
            && low >= 0xdc00 && low <= 0xdfff)
        {
            *cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
            return true;
        }

        parser->pos = behind;
    }

    return true;
}


/* behind \p or \P: {name} */
static bool
prompt_regex_property(prompt_regex_parser_t *parser, prompt_regex_item_t *item)
{
    size_t        i;
    prompt_str_t  name;
    const char   *close;

    static const struct {
        prompt_str_t          name;
        prompt_regex_class_t  class;
    } properties[] = {
        { prompt_str_init("L"),                 PROMPT_REGEX_LETTER },
        { prompt_str_init("Letter"),            PROMPT_REGEX_LETTER },
        { prompt_str_init("Lu"),                PROMPT_REGEX_UPPER },
        { prompt_str_init("Uppercase_Letter"),  PROMPT_REGEX_UPPER },
        { prompt_str_init("Ll"),                PROMPT_REGEX_LOWER },
        { prompt_str_init("Lowercase_Letter"),  PROMPT_REGEX_LOWER },
        { prompt_str_init("Nd"),                PROMPT_REGEX_NUMBER },
        { prompt_str_init("Decimal_Number"),    PROMPT_REGEX_NUMBER },
        { prompt_str_init("digit"),             PROMPT_REGEX_NUMBER }
    };

    close = parser->pos < parser->end
            ? memchr(parser->pos, '}', (size_t) (parser->end - parser->pos))
            : NULL;

    if (!prompt_regex_at(parser, '{') || close == NULL) {
        (void) prompt_regex_syntax(parser, "\\p needs a name in braces");
        return false;
    }

    name = prompt_str_of(parser->pos + 1, (size_t) (close - parser->pos - 1));

    for (i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
        if (prompt_str_eq(properties[i].name, name)) {
            item->class = properties[i].class;
            parser->pos = close + 1;
            return true;
        }
    }

    (void) prompt_regex_fail(parser, PROMPT_REGEX_UNSUPPORTED,
                             "a property of characters other than L, Lu, Ll "
                             "and Nd");

    return false;
}


static bool
prompt_regex_is_punctuation(char c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@')
           || (c >= '[' && c <= '`') || (c >= '{' && c <= '~') || c == ' ';
}


/* c, which stands behind the backslash, is the short name of a character */
static bool
prompt_regex_short(char c, uint32_t *cp)
{
    switch (c) {

    case 't':
        *cp = '\t';
        return true;

    case 'n':
        *cp = '\n';
        return true;

    case 'v':
        *cp = '\v';
        return true;

    case 'f':
        *cp = '\f';
        return true;

    case 'r':
        *cp = '\r';
        return true;

    default:
        *cp = (unsigned char) c;
        return prompt_regex_is_punctuation(c);
    }
}


/*
 * Behind a backslash: what stands for a character or a class of them, the same
 * within brackets and outside.
 */
static bool
prompt_regex_escape(prompt_regex_parser_t *parser, prompt_regex_item_t *item)
{
    char  c;

    if (parser->pos == parser->end) {
        (void) prompt_regex_syntax(parser, "\\ at the end");
        return false;
    }

    c = *parser->pos++;
    item->class = PROMPT_REGEX_RANGE;
    item->negated = c == 'D' || c == 'W' || c == 'S' || c == 'P';

    switch (c) {

    case 'd': case 'D':
        item->class = PROMPT_REGEX_DIGIT;
        return true;

    case 'w': case 'W':
        item->class = PROMPT_REGEX_WORD;
        return true;

    case 's': case 'S':
        item->class = PROMPT_REGEX_SPACE;
        return true;

    case 'p': case 'P':
        return prompt_regex_property(parser, item);

    case 'x':
        if (!prompt_regex_hex_digits(parser, 2, &item->first)) {
            (void) prompt_regex_syntax(parser, "bad \\x");
            return false;
        }

        break;

    case 'u':
        if (!prompt_regex_code_point(parser, &item->first)) {
            (void) prompt_regex_syntax(parser, "bad \\u");
            return false;
        }

        break;

    case 'c':
        if (parser->pos == parser->end
            || (*parser->pos | 0x20) < 'a' || (*parser->pos | 0x20) > 'z')
        {
            (void) prompt_regex_syntax(parser, "bad \\c");
            return false;
        }

        item->first = *parser->pos++ & 0x1f;
        break;

    case '0':
        if (parser->pos < parser->end && *parser->pos >= '0'
            && *parser->pos <= '9')
        {
            (void) prompt_regex_syntax(parser, "bad \\0");
            return false;
        }

        item->first = 0;
        break;

    case '1': case '2': case '3': case '4': case '5': case '6': case '7':
    case '8': case '9': case 'k':
        (void) prompt_regex_fail(parser, PROMPT_REGEX_UNSUPPORTED,
                                 "a back reference");
        return false;

    default:
        if (!prompt_regex_short(c, &item->first)) {
            (void) prompt_regex_syntax(parser, "unknown escape sequence");
            return false;
        }
    }

    item->last = item->first;

    return true;
}


/* one end of a range, or a class, within brackets */
static bool
prompt_regex_set_item(prompt_regex_parser_t *parser, prompt_regex_item_t *item)
{
    item->class = PROMPT_REGEX_RANGE;
    item->negated = false;

    if (parser->pos == parser->end) {
        (void) prompt_regex_syntax(parser, "unclosed [");
        return false;
    }

    if (prompt_regex_take(parser, '\\')) {
        if (prompt_regex_take(parser, 'b')) {
            item->first = '\b';
            item->last = '\b';
            return true;
        }

        return prompt_regex_escape(parser, item);
    }

    item->first = prompt_utf8_next(&parser->pos, parser->end);
    item->last = item->first;

    return true;
}


/* behind the [ */
static prompt_regex_node_t *
prompt_regex_set(prompt_regex_parser_t *parser)
{
    prompt_regex_set_t   *set;
    prompt_regex_item_t   item, last;
    prompt_regex_node_t  *node;

    node = prompt_regex_one(parser, PROMPT_REGEX_SET, 0);
    set = prompt_arena_zalloc(parser->arena, sizeof(prompt_regex_set_t));

    if (node == NULL || set == NULL) {
        return prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
    }

    node->one.set = set;
    set->negated = prompt_regex_take(parser, '^');

    while (!prompt_regex_take(parser, ']')) {

        if (!prompt_regex_set_item(parser, &item)) {
            return NULL;
        }

        if (parser->end - parser->pos >= 2 && *parser->pos == '-'
            && parser->pos[1] != ']')
        {
            parser->pos++;

            if (!prompt_regex_set_item(parser, &last)) {
                return NULL;
            }

            if (item.class != PROMPT_REGEX_RANGE
                || last.class != PROMPT_REGEX_RANGE || last.last < item.first)
            {
                return prompt_regex_syntax(parser, "bad range in [...]");
            }

            item.last = last.last;
        }

        if (!prompt_regex_set_add(parser, set, &item)) {
            return NULL;
        }
    }

    return node;
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


/* behind the backslash, outside brackets */
static prompt_regex_node_t *
prompt_regex_escaped(prompt_regex_parser_t *parser)
{
    prompt_regex_set_t   *set;
    prompt_regex_item_t   item;
    prompt_regex_node_t  *node;

    if (prompt_regex_take(parser, 'b')) {
        return prompt_regex_one(parser, PROMPT_REGEX_BOUNDARY, 0);
    }

    if (prompt_regex_take(parser, 'B')) {
        return prompt_regex_one(parser, PROMPT_REGEX_NO_BOUNDARY, 0);
    }

    if (!prompt_regex_escape(parser, &item)) {
        return NULL;
    }

    if (item.class == PROMPT_REGEX_RANGE) {
        return prompt_regex_one(parser, PROMPT_REGEX_CHAR, item.first);
    }

    node = prompt_regex_one(parser, PROMPT_REGEX_SET, 0);
    set = prompt_arena_zalloc(parser->arena, sizeof(prompt_regex_set_t));

    if (node == NULL || set == NULL) {
        return prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
    }

    node->one.set = set;

    return prompt_regex_set_add(parser, set, &item) ? node : NULL;
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
