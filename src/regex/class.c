/*
 * Regular expressions: characters and classes of them (ECMA-262, 22.2.1:
 * AtomEscape and CharacterClass).
 */

#include "regex/parser.h"
#include "base/hex.h"

#include "base/utf8.h"


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


/* behind \u: HHHH, a pair of surrogates, or {H...} */
static bool
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
prompt_regex_node_t *
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
