/*
 * Regular expressions: properties of characters.
 *
 * A property's edges are where it begins and ends, the first character of each
 * time.  Those of several, taken together without those that are there twice,
 * are the edges of what is in an odd number of them: so the tables have the
 * general categories and the other property that are nearest, and the edges
 * that are left, as text, each as a number from the one before.
 */

#include "regex/property.h"

#include "base/bisect.h"
#include "base/utf8.h"

#include <stdlib.h>


typedef struct {
    unsigned     categories;         /* a bit each */
    int          base;               /* of the same table, or -1 */
    const char  *edges;
} prompt_regex_property_t;


typedef struct {
    const char  *name;
    unsigned     value;              /* index of the property, number of the
                                        script; categories, a bit each */
} prompt_regex_property_name_t;


typedef struct {
    unsigned     script;
    const char  *edges;
} prompt_regex_extension_t;


#include "regex/property_tables.h"

#define prompt_regex_length(table)                                           \
    ((int) (sizeof(table) / sizeof((table)[0])))


/*
 * Numbers of properties: the names of categories, then the binary properties,
 * the scripts, and these as Script_Extensions have them.
 */
#define PROMPT_REGEX_BINARY    prompt_regex_length(prompt_regex_categories)
#define PROMPT_REGEX_SCRIPT                                                  \
    (PROMPT_REGEX_BINARY + prompt_regex_length(prompt_regex_properties))
#define PROMPT_REGEX_EXTENDED                                                \
    (PROMPT_REGEX_SCRIPT + PROMPT_REGEX_NO_SCRIPT + 1)
#define PROMPT_REGEX_NUMBERS                                                 \
    (PROMPT_REGEX_EXTENDED + PROMPT_REGEX_NO_SCRIPT + 1)

/* Cn, Co and Cs: what has no script, whatever stands around it has */
#define PROMPT_REGEX_UNKNOWN   0x38000000u

/* more than any property has, and those that it is made of */
#define PROMPT_REGEX_EDGES     (2 * PROMPT_UTF8_EDGES)


typedef struct {
    size_t    count;
    uint32_t  at[PROMPT_REGEX_EDGES];            /* ascending */
} prompt_regex_edges_t;


/* the index of a name among count that are sorted; -1: there is none */
static int
prompt_regex_property_find(const prompt_regex_property_name_t *names,
    int count, prompt_str_t name)
{
    int  low, high, middle;

    low = 0;
    high = count;
    prompt_bisect(low, high, middle,
                  prompt_str_cmp(prompt_str_from(names[middle].name), name)
                  < 0);

    return low < count && prompt_str_eq(prompt_str_from(names[low].name), name)
           ? low : -1;
}


#define prompt_regex_find(names, name)                                       \
    prompt_regex_property_find(names, prompt_regex_length(names), name)


int
prompt_regex_property(prompt_str_t text)
{
    int           index, first;
    const char   *equals;
    prompt_str_t  name;

    equals = text.len != 0 ? memchr(text.data, '=', text.len) : NULL;

    if (equals == NULL) {
        index = prompt_regex_find(prompt_regex_binaries, text);

        return index >= 0 ? PROMPT_REGEX_BINARY
                            + (int) prompt_regex_binaries[index].value
                          : prompt_regex_find(prompt_regex_categories, text);
    }

    name = prompt_str_of(text.data, (size_t) (equals - text.data));
    text = prompt_str_of(equals + 1, text.len - name.len - 1);

    if (prompt_str_eq(name, prompt_str("General_Category"))
        || prompt_str_eq(name, prompt_str("gc")))
    {
        return prompt_regex_find(prompt_regex_categories, text);
    }

    if (prompt_str_eq(name, prompt_str("Script"))
        || prompt_str_eq(name, prompt_str("sc")))
    {
        first = PROMPT_REGEX_SCRIPT;

    } else if (prompt_str_eq(name, prompt_str("Script_Extensions"))
               || prompt_str_eq(name, prompt_str("scx")))
    {
        first = PROMPT_REGEX_EXTENDED;

    } else {
        return -1;
    }

    index = prompt_regex_find(prompt_regex_scripts, text);

    return index >= 0 ? first + (int) prompt_regex_scripts[index].value : -1;
}


/* What is an edge twice is none. */
static void
prompt_regex_edge(prompt_regex_edges_t *edges, uint32_t at)
{
    size_t     low, high, middle;
    uint32_t  *place;

    low = 0;
    high = edges->count;
    prompt_bisect(low, high, middle, edges->at[middle] < at);
    place = &edges->at[low];

    if (low < edges->count && *place == at) {
        edges->count--;
        memmove(place, place + 1, (edges->count - low) * sizeof(uint32_t));

    } else if (edges->count < PROMPT_REGEX_EDGES) {
        memmove(place + 1, place, (edges->count - low) * sizeof(uint32_t));
        *place = at;
        edges->count++;
    }
}


static void
prompt_regex_text_edges(prompt_regex_edges_t *edges, const char *text)
{
    uint32_t  at;

    at = 0;

    while (*text != '\0') {
        at += prompt_utf8_number(&text);
        prompt_regex_edge(edges, at);
    }
}


/* of the runs of a script, what has one at all */
static void
prompt_regex_script_edges(prompt_regex_edges_t *edges, unsigned script)
{
    uint32_t            first, next;
    const char         *text;
    prompt_utf8_run_t   run;

    memset(&run, 0, sizeof(run));
    next = 0;

    for (text = prompt_regex_script_runs; *text != '\0'; /* void */) {
        first = next;
        next += 1 + prompt_utf8_number(&text);

        if (prompt_utf8_number(&text) != script) {
            continue;
        }

        while (run.next <= first) {
            (void) prompt_utf8_categories(&run);
        }

        for ( ;; ) {
            if ((PROMPT_REGEX_UNKNOWN & 1u << run.class) == 0) {
                prompt_regex_edge(edges, run.first > first ? run.first : first);
                prompt_regex_edge(edges, run.next < next ? run.next : next);
            }

            if (run.next >= next) {
                break;
            }

            (void) prompt_utf8_categories(&run);
        }
    }
}


/* extended: as Script_Extensions has it */
static void
prompt_regex_whole_script_edges(prompt_regex_edges_t *edges, unsigned script,
    bool extended)
{
    int  i;

    prompt_regex_script_edges(edges, script);

    if (script == PROMPT_REGEX_NO_SCRIPT) {
        edges->count = prompt_utf8_category_edges(PROMPT_REGEX_UNKNOWN,
                                                  edges->at);
    }

    for (i = 0; i < prompt_regex_length(prompt_regex_extensions); i++) {
        if (extended && prompt_regex_extensions[i].script == script) {
            prompt_regex_text_edges(edges, prompt_regex_extensions[i].edges);
        }
    }
}


/* a property, and those that it is made of; categories are all together */
static void
prompt_regex_binary_edges(prompt_regex_edges_t *edges, int index)
{
    int       i;
    unsigned  categories;

    categories = 0;

    for (i = index; i >= 0; i = prompt_regex_properties[i].base) {
        categories ^= prompt_regex_properties[i].categories;
    }

    edges->count = prompt_utf8_category_edges(categories, edges->at);

    for (i = index; i >= 0; i = prompt_regex_properties[i].base) {
        prompt_regex_text_edges(edges, prompt_regex_properties[i].edges);
    }
}


static void
prompt_regex_property_edges(prompt_regex_edges_t *edges, int number)
{
    edges->count = 0;

    if (number >= PROMPT_REGEX_EXTENDED) {
        prompt_regex_whole_script_edges(edges,
                               (unsigned) (number - PROMPT_REGEX_EXTENDED),
                               true);

    } else if (number >= PROMPT_REGEX_SCRIPT) {
        prompt_regex_whole_script_edges(edges,
                               (unsigned) (number - PROMPT_REGEX_SCRIPT),
                               false);

    } else if (number >= PROMPT_REGEX_BINARY) {
        prompt_regex_binary_edges(edges, number - PROMPT_REGEX_BINARY);

    } else {
        edges->count
            = prompt_utf8_category_edges(prompt_regex_categories[number].value,
                                         edges->at);
    }
}


const prompt_regex_ranges_t *
prompt_regex_property_ranges(prompt_regex_context_t *context, int number)
{
    size_t                  size;
    prompt_regex_edges_t   *edges;
    prompt_regex_ranges_t  *ranges;

    if (context->properties == NULL) {
        context->properties
            = prompt_arena_array(context->arena, (size_t) PROMPT_REGEX_NUMBERS,
                                 sizeof(prompt_regex_ranges_t *));
        if (context->properties == NULL) {
            return NULL;
        }
    }

    if (context->properties[number] != NULL) {
        return context->properties[number];
    }

    edges = malloc(sizeof(prompt_regex_edges_t));
    if (edges == NULL) {
        return NULL;
    }

    prompt_regex_property_edges(edges, number);

    /* each two are a range, and what is behind it */

    size = edges->count * sizeof(uint32_t);
    ranges = prompt_arena_alloc(context->arena,
                                sizeof(prompt_regex_ranges_t) + size);

    if (ranges != NULL) {
        ranges->count = (uint32_t) (edges->count / 2);
        memcpy(ranges->ranges, edges->at, size);
        context->properties[number] = ranges;
    }

    free(edges);

    return ranges;
}


bool
prompt_regex_in_ranges(const prompt_regex_ranges_t *ranges, uint32_t cp)
{
    uint32_t  low, high, middle;

    low = 0;
    high = ranges->count;
    prompt_bisect(low, high, middle, ranges->ranges[middle].next <= cp);

    return low < ranges->count && cp >= ranges->ranges[low].first;
}
