/*
 * A record as JSON, for json_to_recordset(): a column of each kind that an
 * import may have.
 */

#include "store/column.h"

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "tap.h"


typedef struct {
    bool            shown;
    int32_t         rank;
    prompt_maybe_t  size;
    prompt_maybe_t  none;
    prompt_str_t    name;
    prompt_str_t    params;
    prompt_str_t    missing;
    prompt_texts_t  tags;
    prompt_texts_t  empty;
} thing_t;

#define column(member, kind, flags)                                          \
    prompt_column_is(thing_t, member, kind, flags)

static const prompt_column_t  columns[] = {
    column(shown, BOOL, 0),
    column(rank, INT, 0),
    column(size, INT, PROMPT_COLUMN_NULLABLE),
    column(none, INT, PROMPT_COLUMN_NULLABLE),
    column(name, TEXT, 0),
    column(params, JSON, 0),
    column(missing, TEXT, PROMPT_COLUMN_NULLABLE),
    column(tags, TEXTS, 0),
    column(empty, TEXTS, 0)
};

static const prompt_resource_t  resource = {
    "thing", 't', prompt_columns(columns)
};


int
main(void)
{
    thing_t               thing;
    prompt_buf_t          out;
    prompt_arena_t       *arena;
    prompt_json_t        *list;
    prompt_json_error_t   error;

    arena = prompt_arena_create(64 * 1024);
    list = prompt_json_read(arena, prompt_str("[\"a \\\"b\\\"\",\"\"]"), 2,
                            &error);

    memset(&thing, 0, sizeof(thing_t));
    thing.shown = true;
    thing.rank = -7;
    thing.size = prompt_maybe(5);
    thing.name = prompt_str("x\ny");
    thing.params = prompt_str("{\"n\":1.0}");
    ok(prompt_texts_of(arena, list, &thing.tags), "a list of texts");

    prompt_buf_init(&out, 4096);
    prompt_columns_write(&resource, 0x1ff, &thing, &out);

    is_str(prompt_buf_view(&out),
           ",\"shown\":true,\"rank\":-7,\"size\":5,\"none\":null"
           ",\"name\":\"x\\ny\",\"params\":{\"n\":1.0},\"missing\":null"
           ",\"tags\":[\"a \\\"b\\\"\",\"\"],\"empty\":[]",
           "each kind is what json_to_recordset() takes");

    prompt_buf_free(&out);
    prompt_arena_destroy(arena);

    return done_testing();
}
