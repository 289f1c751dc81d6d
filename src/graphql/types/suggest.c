/*
 * Suggestions by lexical distance: the Damerau-Levenshtein distance of the
 * lower-cased names in UTF-16 units, where a change of case alone counts 1,
 * up to a threshold that grows with the length of what was written.
 */

#include "base/utf8.h"
#include "graphql/types/suggest.h"


#define GQL_MAX_SUGGESTIONS  5


/* a lower-cased name */
typedef struct {
    uint16_t  *data;
    size_t     len;
} gql_units_t;


typedef struct {
    prompt_str_t  input;
    gql_units_t   lower;
    size_t        threshold;
    uint32_t     *rows[3];           /* of the distance table, taken in turn */
    gql_units_t   option;            /* room for the longest option */
} gql_distance_t;


typedef struct {
    prompt_str_t  option;
    size_t        distance;
} gql_suggestion_t;


#define GQL_FAR              SIZE_MAX


/* to has room for two units a byte of s, which is more than lower case takes */
static void
gql_units_lower(gql_units_t *to, prompt_str_t s)
{
    uint32_t     code;
    const char  *p, *end;

    to->len = 0;

    p = s.data;
    end = s.data + s.len;

    while (p < end) {
        code = prompt_utf8_next(&p, end);

        if (code == PROMPT_UTF8_INVALID) {
            code = 0xfffd;
        }

        /* the one character whose lower case is two */

        if (code == 0x130) {
            to->data[to->len++] = 'i';
            to->data[to->len++] = 0x307;
            continue;
        }

        code = prompt_utf8_lower(code);

        if (code > 0xffff) {
            code -= 0x10000;
            to->data[to->len++] = (uint16_t) (0xd800 + (code >> 10));
            to->data[to->len++] = (uint16_t) (0xdc00 + (code & 0x3ff));
            continue;
        }

        to->data[to->len++] = (uint16_t) code;
    }
}


static bool
gql_units_alloc(prompt_arena_t *arena, gql_units_t *units, size_t bytes)
{
    units->len = 0;
    units->data = prompt_arena_array(arena, bytes + 1, 2 * sizeof(uint16_t));

    return units->data != NULL;
}


/*
 * Fills row i of the table; returns its smallest cell.  b is the shorter
 * name, above and before are the two rows before it.
 */
static uint32_t
gql_distance_row(const gql_units_t *a, const gql_units_t *b, size_t i,
    const uint32_t *before, const uint32_t *above, uint32_t *row)
{
    size_t    j;
    uint32_t  cell, smallest;

    row[0] = (uint32_t) i;
    smallest = row[0];

    for (j = 1; j <= b->len; j++) {
        cell = above[j - 1] + (a->data[i - 1] == b->data[j - 1] ? 0 : 1);

        if (above[j] + 1 < cell) {
            cell = above[j] + 1;
        }

        if (row[j - 1] + 1 < cell) {
            cell = row[j - 1] + 1;
        }

        if (i > 1 && j > 1
            && a->data[i - 1] == b->data[j - 2]
            && a->data[i - 2] == b->data[j - 1]
            && before[j - 2] + 1 < cell)
        {
            cell = before[j - 2] + 1;
        }

        if (cell < smallest) {
            smallest = cell;
        }

        row[j] = cell;
    }

    return smallest;
}


/* the distance of an option, or GQL_FAR */
static size_t
gql_distance(gql_distance_t *d, prompt_str_t option)
{
    size_t              i;
    const gql_units_t  *a, *b;

    if (prompt_str_eq(d->input, option)) {
        return 0;
    }

    gql_units_lower(&d->option, option);

    if (d->lower.len == d->option.len
        && memcmp(d->lower.data, d->option.data,
                  d->lower.len * sizeof(uint16_t)) == 0)
    {
        return 1;
    }

    a = &d->option;
    b = &d->lower;

    if (a->len < b->len) {
        a = &d->lower;
        b = &d->option;
    }

    if (a->len - b->len > d->threshold) {
        return GQL_FAR;
    }

    for (i = 0; i <= b->len; i++) {
        d->rows[0][i] = (uint32_t) i;
    }

    for (i = 1; i <= a->len; i++) {
        if (gql_distance_row(a, b, i, d->rows[(i + 1) % 3],
                             d->rows[(i - 1) % 3], d->rows[i % 3])
            > d->threshold)
        {
            return GQL_FAR;
        }
    }

    i = d->rows[a->len % 3][b->len];

    return i <= d->threshold ? i : GQL_FAR;
}


/* Prepares for options of at most max bytes; false: memory is short. */
static bool
gql_distance_init(gql_distance_t *d, prompt_arena_t *arena, prompt_str_t input,
    size_t units, size_t max)
{
    size_t  i;

    d->input = input;
    d->threshold = units * 2 / 5 + 1;

    if (!gql_units_alloc(arena, &d->lower, input.len)
        || !gql_units_alloc(arena, &d->option, max))
    {
        return false;
    }

    gql_units_lower(&d->lower, input);

    for (i = 0; i < 3; i++) {
        d->rows[i] = prompt_arena_array(arena, max * 2 + 1, sizeof(uint32_t));
        if (d->rows[i] == NULL) {
            return false;
        }
    }

    return true;
}


/*
 * Puts an option in its place among n, of which the last makes room where
 * there are as many as may be; returns how many there are then.
 */
static size_t
gql_suggestion_insert(gql_suggestion_t *list, size_t n, size_t most,
    prompt_str_t option, size_t distance)
{
    size_t  i;

    if (n == most && distance > list[n - 1].distance) {
        return n;
    }

    for (i = 0; i < n; i++) {
        if (prompt_str_eq(list[i].option, option)) {
            return n;
        }
    }

    for (i = n; i != 0; i--) {
        if (list[i - 1].distance < distance
            || (list[i - 1].distance == distance
                && gql_natural_compare(list[i - 1].option, option) <= 0))
        {
            break;
        }

        if (i != most) {
            list[i] = list[i - 1];
        }
    }

    if (i == most) {
        return n;
    }

    list[i].option = option;
    list[i].distance = distance;

    return n < most ? n + 1 : n;
}


size_t
gql_suggestion_list(prompt_arena_t *arena, prompt_str_t input,
    const gql_index_t *options, size_t most, prompt_str_t **out)
{
    size_t             i, n, max, units, distance;
    gql_distance_t     d;
    gql_suggestion_t  *list;

    *out = NULL;
    max = 0;

    for (i = 0; i < options->count; i++) {
        if (options->names[i]->len > max) {
            max = options->names[i]->len;
        }
    }

    /*
     * What is so much longer than every option is near to none, and is not
     * worth its memory: a difference in length of more than 0.4 * units + 1.
     */

    units = prompt_utf8_utf16_length(input);

    if (options->count == 0 || most == 0 || units / 2 > max + 2) {
        return 0;
    }

    list = prompt_arena_array(arena, most, sizeof(gql_suggestion_t));

    if (list == NULL || !gql_distance_init(&d, arena, input, units, max)) {
        return 0;
    }

    n = 0;

    for (i = 0; i < options->count; i++) {
        distance = gql_distance(&d, *options->names[i]);

        if (distance != GQL_FAR) {
            n = gql_suggestion_insert(list, n, most, *options->names[i],
                                      distance);
        }
    }

    *out = prompt_arena_array(arena, n, sizeof(prompt_str_t));
    if (*out == NULL) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        (*out)[i] = list[i].option;
    }

    return n;
}


prompt_str_t
gql_did_you_mean(const gql_errors_t *errors, prompt_arena_t *arena,
    prompt_str_t sub_message, prompt_str_t input, const gql_index_t *options)
{
    size_t         n;
    prompt_str_t  *list;

    if (errors->discreet) {
        return prompt_str("");
    }

    n = gql_suggestion_list(arena, input, options, GQL_MAX_SUGGESTIONS, &list);

    return gql_did_you_mean_list(errors, arena, sub_message, list, n);
}


prompt_str_t
gql_did_you_mean_list(const gql_errors_t *errors, prompt_arena_t *arena,
    prompt_str_t sub_message, const prompt_str_t *list, size_t n)
{
    size_t        i;
    prompt_buf_t  buf;
    prompt_str_t  message;

    if (n == 0 || errors->discreet) {
        return prompt_str("");
    }

    if (n > GQL_MAX_SUGGESTIONS) {
        n = GQL_MAX_SUGGESTIONS;
    }

    prompt_buf_init(&buf, SIZE_MAX);
    prompt_buf_literal(&buf, " Did you mean ");

    if (sub_message.len != 0) {
        prompt_buf_str(&buf, sub_message);
        prompt_buf_char(&buf, ' ');
    }

    for (i = 0; i < n; i++) {
        if (i != 0 && n > 2) {
            prompt_buf_literal(&buf, ", ");
        }

        if (i != 0 && i == n - 1) {
            prompt_buf_str(&buf, n > 2 ? prompt_str("or ")
                                       : prompt_str(" or "));
        }

        prompt_buf_char(&buf, '"');
        prompt_buf_str(&buf, list[i]);
        prompt_buf_char(&buf, '"');
    }

    prompt_buf_char(&buf, '?');
    message = prompt_arena_take(arena, &buf);

    return message.data != NULL ? message : prompt_str("");
}


static bool
gql_is_digit(prompt_str_t s, size_t i)
{
    return i < s.len && s.data[i] >= '0' && s.data[i] <= '9';
}


/* the number at *i: a zero in front is a number by itself */
static double
gql_natural_number(prompt_str_t s, size_t *i)
{
    double  n;

    n = 0;

    do {
        n = n * 10 + (s.data[*i] - '0');
        (*i)++;
    } while (gql_is_digit(s, *i) && n > 0);

    return n;
}


int
gql_natural_compare(prompt_str_t a, prompt_str_t b)
{
    double         m, n;
    size_t         i, j;
    unsigned char  c, d;

    i = 0;
    j = 0;

    while (i < a.len && j < b.len) {

        if (gql_is_digit(a, i) && gql_is_digit(b, j)) {
            m = gql_natural_number(a, &i);
            n = gql_natural_number(b, &j);

            if (m < n || m > n) {
                return m < n ? -1 : 1;
            }

            continue;
        }

        c = (unsigned char) a.data[i++];
        d = (unsigned char) b.data[j++];

        if (c != d) {
            return c < d ? -1 : 1;
        }
    }

    return a.len < b.len ? -1 : a.len > b.len;
}
