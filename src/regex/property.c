/*
 * Regular expressions: properties of characters.
 *
 * The tables have the ranges of a property as text: two numbers each, how far
 * it begins behind the end of the one before, and how many characters follow
 * its first one.  A number is written in digits of base 32, the lowest first,
 * with 32 added to all but the last; a digit is a letter of base64.
 */

#include "regex/property.h"


typedef enum {
    PROMPT_REGEX_BINARY = 0,
    PROMPT_REGEX_CATEGORY,
    PROMPT_REGEX_SCRIPT
} prompt_regex_property_kind_t;


typedef struct {
    prompt_regex_property_kind_t   kind;
    const char                    *ranges;
    const char                    *extended; /* Script_Extensions; NULL: the
                                                same as ranges */
} prompt_regex_property_t;


typedef struct {
    prompt_str_t  name;
    bool          lone;              /* needs no Script= before it */
    unsigned      property;
} prompt_regex_property_name_t;


#include "regex/property_tables.h"

#define PROMPT_REGEX_NPROPERTIES                                             \
    (sizeof(prompt_regex_properties) / sizeof(prompt_regex_properties[0]))

#define PROMPT_REGEX_NNAMES                                                  \
    (sizeof(prompt_regex_property_names)                                     \
     / sizeof(prompt_regex_property_names[0]))


/* the property of that name, or -1 */
static int
prompt_regex_property_find(prompt_str_t name, bool lone)
{
    int                                  order;
    size_t                               low, high, middle;
    const prompt_regex_property_name_t  *at;

    low = 0;
    high = PROMPT_REGEX_NNAMES;

    while (low < high) {
        middle = low + (high - low) / 2;
        at = &prompt_regex_property_names[middle];

        order = at->lone != lone ? (lone ? -1 : 1)
                                 : prompt_str_cmp(name, at->name);

        if (order == 0) {
            return (int) at->property;
        }

        if (order < 0) {
            high = middle;

        } else {
            low = middle + 1;
        }
    }

    return -1;
}


int
prompt_regex_property(prompt_str_t text)
{
    int           number;
    const char   *equals;
    prompt_str_t  name;

    equals = text.len != 0 ? memchr(text.data, '=', text.len) : NULL;

    if (equals == NULL) {
        return prompt_regex_property_find(text, true);
    }

    name = prompt_str_of(text.data, (size_t) (equals - text.data));
    text = prompt_str_of(equals + 1, text.len - name.len - 1);

    if (prompt_str_eq(name, prompt_str("General_Category"))
        || prompt_str_eq(name, prompt_str("gc")))
    {
        number = prompt_regex_property_find(text, true);

        return number >= 0 && prompt_regex_properties[number].kind
                              == PROMPT_REGEX_CATEGORY ? number : -1;
    }

    if (prompt_str_eq(name, prompt_str("Script"))
        || prompt_str_eq(name, prompt_str("sc")))
    {
        return prompt_regex_property_find(text, false);
    }

    if (prompt_str_eq(name, prompt_str("Script_Extensions"))
        || prompt_str_eq(name, prompt_str("scx")))
    {
        number = prompt_regex_property_find(text, false);

        return number >= 0 ? number + (int) PROMPT_REGEX_NPROPERTIES : -1;
    }

    return -1;
}


static uint32_t
prompt_regex_property_digit(char c)
{
    if (c >= 'a') {
        return (uint32_t) (c - 'a') + 26;
    }

    if (c >= 'A') {
        return (uint32_t) (c - 'A');
    }

    return c >= '0' ? (uint32_t) (c - '0') + 52 : c == '+' ? 62 : 63;
}


static uint32_t
prompt_regex_property_read(const char **p)
{
    unsigned  shift;
    uint32_t  digit, n;

    n = 0;
    shift = 0;

    do {
        digit = prompt_regex_property_digit(*(*p)++);
        n |= (digit & 31) << shift;
        shift += 5;
    } while (digit > 31);

    return n;
}


static prompt_regex_ranges_t *
prompt_regex_property_decode(prompt_arena_t *arena, const char *text)
{
    size_t                  n;
    uint32_t                i, at;
    const char             *p;
    prompt_regex_ranges_t  *ranges;

    n = 0;

    for (p = text; *p != '\0'; p++) {
        n += prompt_regex_property_digit(*p) < 32;
    }

    ranges = prompt_arena_alloc(arena, sizeof(prompt_regex_ranges_t)
                                       + n / 2 * sizeof(prompt_regex_range_t));
    if (ranges == NULL) {
        return NULL;
    }

    ranges->count = (uint32_t) (n / 2);
    at = 0;
    p = text;

    for (i = 0; i < ranges->count; i++) {
        at += prompt_regex_property_read(&p);
        ranges->ranges[i].first = at;
        at += prompt_regex_property_read(&p);
        ranges->ranges[i].last = at++;
    }

    return ranges;
}


const prompt_regex_ranges_t *
prompt_regex_property_ranges(prompt_regex_context_t *context, int number)
{
    bool                            extended;
    size_t                          index;
    const char                     *text;
    const prompt_regex_property_t  *property;

    index = (size_t) number;
    extended = index >= PROMPT_REGEX_NPROPERTIES;
    property = &prompt_regex_properties[index % PROMPT_REGEX_NPROPERTIES];
    text = property->ranges;

    if (extended && property->extended != NULL) {
        text = property->extended;

    } else if (extended) {
        index -= PROMPT_REGEX_NPROPERTIES;
    }

    if (context->properties == NULL) {
        context->properties
            = prompt_arena_array(context->arena, 2 * PROMPT_REGEX_NPROPERTIES,
                                 sizeof(prompt_regex_ranges_t *));
        if (context->properties == NULL) {
            return NULL;
        }
    }

    if (context->properties[index] == NULL) {
        context->properties[index]
            = prompt_regex_property_decode(context->arena, text);
    }

    return context->properties[index];
}


bool
prompt_regex_in_ranges(const prompt_regex_ranges_t *ranges, uint32_t cp)
{
    uint32_t  low, high, middle;

    low = 0;
    high = ranges->count;

    while (low < high) {
        middle = low + (high - low) / 2;

        if (cp < ranges->ranges[middle].first) {
            high = middle;

        } else if (cp > ranges->ranges[middle].last) {
            low = middle + 1;

        } else {
            return true;
        }
    }

    return false;
}
