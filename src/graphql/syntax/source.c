/*
 * Places in a source text: byte offsets to lines and columns.
 *
 * A document that has many errors, each with many locations, must not be read
 * from its start for each of them, so an index keeps the place of every
 * GQL_SOURCE_STRIDE-th byte.
 */

#include "graphql/syntax/source.h"


#define GQL_SOURCE_STRIDE  512


/*
 * Goes on from a place at byte "from" to byte "to".  A byte that begins a
 * sequence of UTF-8 is one UTF-16 unit, or two where the sequence has four
 * bytes; those that follow are none.  That counts broken text too, somehow.
 */
static void
gql_source_walk(prompt_str_t text, size_t from, size_t to,
    gql_location_t *mark)
{
    size_t         i;
    unsigned char  c;

    for (i = from; i < to; i++) {
        c = (unsigned char) text.data[i];

        if (c == '\n' || c == '\r') {
            /* CR LF is one line end: it counts at its LF */
            if (c == '\r' && i + 1 < text.len && text.data[i + 1] == '\n') {
                mark->column++;
                continue;
            }

            mark->line++;
            mark->column = 1;
            continue;
        }

        if ((c & 0xc0) != 0x80) {
            mark->column += c >= 0xf0 ? 2 : 1;
        }
    }
}


gql_source_index_t *
gql_source_index(prompt_arena_t *arena, prompt_str_t text)
{
    size_t               i, at;
    gql_location_t       mark;
    gql_source_index_t  *index;

    index = prompt_arena_alloc(arena, sizeof(gql_source_index_t));
    if (index == NULL) {
        return NULL;
    }

    index->text = text;
    index->nmarks = text.len / GQL_SOURCE_STRIDE + 1;
    index->marks = prompt_arena_array(arena, index->nmarks,
                                      sizeof(gql_location_t));
    if (index->marks == NULL) {
        return NULL;
    }

    mark.line = 1;
    mark.column = 1;

    for (i = 0; i < index->nmarks; i++) {
        index->marks[i] = mark;

        at = i * GQL_SOURCE_STRIDE;

        if (text.len - at >= GQL_SOURCE_STRIDE) {
            gql_source_walk(text, at, at + GQL_SOURCE_STRIDE, &mark);
        }
    }

    return index;
}


gql_location_t
gql_source_index_location(const gql_source_index_t *index, uint32_t offset)
{
    size_t          i, end;
    gql_location_t  mark;

    end = offset < index->text.len ? offset : index->text.len;
    i = end / GQL_SOURCE_STRIDE;
    mark = index->marks[i];

    gql_source_walk(index->text, i * GQL_SOURCE_STRIDE, end, &mark);

    return mark;
}
