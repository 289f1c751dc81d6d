/*
 * Regular expressions: characters and classes of them (ECMA-262, 22.2.1:
 * AtomEscape and CharacterClass).
 */

#include "regex/parser_impl.h"

#include "base/digits.h"
#include "base/utf8.h"


static bool
prompt_regex_set_add(prompt_regex_parser_t *parser, prompt_regex_set_t *set,
    const prompt_regex_item_t *item)
{
    prompt_regex_item_t  *added;

    if (parser->context->room == 0) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_TOO_LARGE,
                                 "too large, together with others of this "
                                 "schema");
        return false;
    }

    parser->context->room--;
    added = prompt_arena_alloc(parser->arena, sizeof(prompt_regex_item_t));
    if (added == NULL) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
        return false;
    }

    *added = *item;
    added->next = set->items;
    set->items = added;
    set->weight += item->class == PROMPT_REGEX_PROPERTY ? 4 : 1;

    return true;
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
        if (prompt_hex_digit(*p) < 0) {
            return false;
        }

        *value = *value << 4 | (uint32_t) prompt_hex_digit(*p);
    }

    parser->pos = p;

    return true;
}


bool
prompt_regex_code_point(prompt_regex_parser_t *parser, uint32_t *cp)
{
    uint32_t     low;
    const char  *behind;

    if (prompt_regex_take(parser, '{')) {
        *cp = 0;
        behind = parser->pos;

        while (parser->pos < parser->end && prompt_hex_digit(*parser->pos) >= 0
               && *cp <= 0x10ffff)
        {
            *cp = *cp << 4 | (uint32_t) prompt_hex_digit(*parser->pos++);
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
prompt_regex_braces(prompt_regex_parser_t *parser, prompt_regex_item_t *item)
{
    int           number;
    const char   *close;

    close = parser->pos < parser->end
            ? memchr(parser->pos, '}', (size_t) (parser->end - parser->pos))
            : NULL;

    if (!prompt_regex_at(parser, '{') || close == NULL) {
        (void) prompt_regex_syntax(parser, "\\p needs a name in braces");
        return false;
    }

    number = prompt_regex_property(prompt_str_of(parser->pos + 1,
                                       (size_t) (close - parser->pos - 1)));
    if (number < 0) {
        (void) prompt_regex_syntax(parser, "a property of characters that "
                                   "Unicode does not have");
        return false;
    }

    parser->pos = close + 1;
    item->class = PROMPT_REGEX_PROPERTY;
    item->property = NULL;

    if (parser->check) {
        return true;
    }

    item->property = prompt_regex_property_ranges(parser->context, number);

    if (item->property == NULL) {
        (void) prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
        return false;
    }

    return true;
}


/* c, which stands behind the backslash, is the short name of a character */
static bool
prompt_regex_short(char c, uint32_t *cp)
{
    static const char  controls[128] = {
        ['t'] = '\t', ['n'] = '\n', ['v'] = '\v', ['f'] = '\f', ['r'] = '\r'
    };

    *cp = (unsigned char) c;

    if (*cp < sizeof(controls) && controls[*cp] != '\0') {
        *cp = (unsigned char) controls[*cp];
        return true;
    }

    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@')
           || (c >= '[' && c <= '`') || (c >= '{' && c <= '~') || c == ' ';
}


/*
 * Where a digit or a k stands behind the backslash.  What it stands for depends
 * on what was matched before: that takes trying one way after the other.
 */
static prompt_regex_node_t *
prompt_regex_back_reference(prompt_regex_parser_t *parser)
{
    unsigned  n;

    if (!parser->check) {
        return prompt_regex_fail(parser, PROMPT_REGEX_UNSUPPORTED,
                                 "a back reference (\\1, \\k<name>) cannot "
                                 "be matched in linear time");
    }

    if (prompt_regex_take(parser, 'k')) {
        if (!prompt_regex_take(parser, '<')) {
            return prompt_regex_syntax(parser, "\\k without <");
        }

        if (!prompt_regex_name(parser, true, &parser->references)) {
            return NULL;
        }

        return prompt_regex_one(parser, PROMPT_REGEX_ANY, 0);
    }

    n = 0;

    while (parser->pos < parser->end && *parser->pos >= '0'
           && *parser->pos <= '9')
    {
        n = n < 10000 ? n * 10 + (unsigned) (*parser->pos - '0') : n;
        parser->pos++;
    }

    parser->highest = n > parser->highest ? n : parser->highest;

    return prompt_regex_one(parser, PROMPT_REGEX_ANY, 0);
}


/* the character of an escape sequence; what is wrong with it, or NULL */
static const char *
prompt_regex_escaped_char(prompt_regex_parser_t *parser, char c, uint32_t *out)
{
    switch (c) {

    case 'x':
        return prompt_regex_hex_digits(parser, 2, out) ? NULL : "bad \\x";

    case 'u':
        return prompt_regex_code_point(parser, out) ? NULL : "bad \\u";

    case 'c':
        if (parser->pos == parser->end
            || (*parser->pos | 0x20) < 'a' || (*parser->pos | 0x20) > 'z')
        {
            return "bad \\c";
        }

        *out = *parser->pos++ & 0x1f;
        return NULL;

    case '0':
        if (parser->pos < parser->end && *parser->pos >= '0'
            && *parser->pos <= '9')
        {
            return "bad \\0";
        }

        *out = 0;
        return NULL;

    default:
        return prompt_regex_short(c, out) ? NULL : "unknown escape sequence";
    }
}


/*
 * Behind a backslash: what stands for a character or a class of them, the same
 * within brackets and outside.
 */
static bool
prompt_regex_escape(prompt_regex_parser_t *parser, prompt_regex_item_t *item)
{
    char         c;
    const char  *wrong;

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
        return prompt_regex_braces(parser, item);

    default:
        wrong = prompt_regex_escaped_char(parser, c, &item->first);
    }

    if (wrong != NULL) {
        (void) prompt_regex_syntax(parser, wrong);
        return false;
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

    if (!prompt_regex_take(parser, '\\')) {
        item->first = prompt_utf8_next(&parser->pos, parser->end);

    } else if (prompt_regex_take(parser, 'b')) {
        item->first = '\b';

    } else {
        return prompt_regex_escape(parser, item);
    }

    item->last = item->first;

    return true;
}


/* an empty set, which *set is, too */
static prompt_regex_node_t *
prompt_regex_new_set(prompt_regex_parser_t *parser, prompt_regex_set_t **set)
{
    prompt_regex_node_t  *node;

    node = prompt_regex_one(parser, PROMPT_REGEX_SET, 0);
    *set = prompt_arena_zalloc(parser->arena, sizeof(prompt_regex_set_t));

    if (node == NULL || *set == NULL) {
        return prompt_regex_fail(parser, PROMPT_REGEX_NOMEM, "out of memory");
    }

    node->one.set = *set;

    return node;
}


/* behind the [ */
prompt_regex_node_t *
prompt_regex_set(prompt_regex_parser_t *parser)
{
    prompt_regex_set_t   *set;
    prompt_regex_item_t   item, last;
    prompt_regex_node_t  *node;

    node = prompt_regex_new_set(parser, &set);
    if (node == NULL) {
        return NULL;
    }

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


/* behind the backslash, outside brackets */
prompt_regex_node_t *
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

    if (parser->pos < parser->end
        && (prompt_regex_at(parser, 'k')
            || (*parser->pos >= '1' && *parser->pos <= '9')))
    {
        return prompt_regex_back_reference(parser);
    }

    if (!prompt_regex_escape(parser, &item)) {
        return NULL;
    }

    if (item.class == PROMPT_REGEX_RANGE) {
        return prompt_regex_one(parser, PROMPT_REGEX_CHAR, item.first);
    }

    node = prompt_regex_new_set(parser, &set);

    return node != NULL && prompt_regex_set_add(parser, set, &item) ? node
                                                                    : NULL;
}
