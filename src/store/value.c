/*
 * Values in PostgreSQL's binary formats: big-endian integers, bytes as they
 * are.
 */

#include "store/value.h"

#include <endian.h>


/*
 * An array of one dimension begins with five numbers: dimensions, nulls, type,
 * length, lower bound.  Each item has its size in front.
 */
#define PROMPT_ARRAY_HEAD  20


#define PROMPT_ACTOR_MEMBER(id, name, letter, member)                        \
    { letter, offsetof(prompt_actor_t, member) },

static const struct {
    char    letter;
    size_t  offset;
} prompt_actor_members[] = {
    PROMPT_ACTOR_MEMBERS(PROMPT_ACTOR_MEMBER)
};


static void prompt_bind_actor(prompt_bind_t *bind,
    prompt_actor_member_e member);
static void prompt_bind_put(prompt_bind_t *bind, const char *data, size_t len);


void
prompt_bind_begin(prompt_bind_t *bind, prompt_query_t *query,
    const prompt_statement_t *statement)
{
    prompt_bound_t  *bound;

    bind->query = query;
    bind->bound = NULL;
    bind->n = 0;

    if (statement == NULL || query->count >= PROMPT_STORE_MAX_STATEMENTS) {
        return;
    }

    bound = &query->bound[query->count];

    bound->statement = statement;
    bound->params = prompt_arena_alloc(query->arena,
                                       statement->nparams
                                       * sizeof(prompt_param_t));

    if (bound->params != NULL) {
        bind->bound = bound;
    }
}


/* Goes over the parameters that are the actor's. */
static void
prompt_bind_by(prompt_bind_t *bind)
{
    unsigned                   n;
    const unsigned char       *by;
    const prompt_statement_t  *statement;

    while (bind->bound != NULL) {
        statement = bind->bound->statement;
        by = statement->by;
        n = bind->n;

        if (by == NULL || n >= statement->nparams || by[n] == 0) {
            return;
        }

        prompt_bind_actor(bind, (prompt_actor_member_e) (by[n] - 1));

        if (bind->n == n) {
            bind->bound = NULL;
        }
    }
}


/* The next parameter is that, which lives as long as the query. */
static void
prompt_bind_next(prompt_bind_t *bind, const char *data, size_t len)
{
    prompt_bind_by(bind);
    prompt_bind_put(bind, data, len);
}


static void
prompt_bind_put(prompt_bind_t *bind, const char *data, size_t len)
{
    prompt_param_t  *param;

    if (bind->bound == NULL) {
        return;
    }

    if (bind->n >= bind->bound->statement->nparams) {
        bind->bound = NULL;
        return;
    }

    param = &bind->bound->params[bind->n++];
    param->data = data;
    param->len = len;
}


/* room in the query; NULL: there is none, or something failed before */
static char *
prompt_bind_alloc(prompt_bind_t *bind, size_t len)
{
    char  *p;

    if (bind->bound == NULL) {
        return NULL;
    }

    p = prompt_arena_alloc(bind->query->arena, len);

    if (p == NULL) {
        bind->bound = NULL;
    }

    return p;
}


/* Binds a copy of the bytes; NULL is SQL NULL. */
static void
prompt_bind_bytes(prompt_bind_t *bind, const void *data, size_t len)
{
    char  *copy;

    if (data == NULL) {
        prompt_bind_next(bind, NULL, 0);
        return;
    }

    copy = prompt_bind_alloc(bind, len);
    if (copy == NULL) {
        return;
    }

    if (len != 0) {
        memcpy(copy, data, len);
    }

    prompt_bind_next(bind, copy, len);
}


const prompt_actor_t  prompt_actor_nobody = {
    .anew = true,
    .input = true,
    .output = true,
    .quota = { PROMPT_QUOTA_NONE, PROMPT_QUOTA_NONE, PROMPT_QUOTA_NONE,
               PROMPT_QUOTA_NONE, PROMPT_QUOTA_NONE, PROMPT_QUOTA_NONE }
};


/* Without an actor it is nobody: texts are SQL NULL. */
static void
prompt_bind_actor(prompt_bind_t *bind, prompt_actor_member_e member)
{
    char          *copy, yes;
    uint64_t       number;
    const void    *value;
    prompt_str_t   text;

    value = (const char *) (bind->query->actor != NULL ? bind->query->actor
                                                       : &prompt_actor_nobody)
            + prompt_actor_members[member].offset;

    if (prompt_actor_members[member].letter == 'b') {
        yes = *(const bool *) value;
        text = prompt_str_of(&yes, 1);

    } else if (prompt_actor_members[member].letter == 'l') {
        number = htobe64((uint64_t) *(const int64_t *) value);
        text = prompt_str_of((const char *) &number, sizeof(number));

    } else {
        text = *(const prompt_str_t *) value;
    }

    if (text.data == NULL) {
        prompt_bind_put(bind, NULL, 0);
        return;
    }

    copy = prompt_bind_alloc(bind, text.len);

    if (copy != NULL) {
        memcpy(copy, text.data, text.len);
        prompt_bind_put(bind, copy, text.len);
    }
}


void
prompt_bind_null(prompt_bind_t *bind)
{
    prompt_bind_next(bind, NULL, 0);
}


void
prompt_bind_bool(prompt_bind_t *bind, bool value)
{
    char  byte;

    byte = value ? 1 : 0;

    prompt_bind_bytes(bind, &byte, 1);
}


void
prompt_bind_int4(prompt_bind_t *bind, int32_t value)
{
    uint32_t  u;

    u = htobe32((uint32_t) value);

    prompt_bind_bytes(bind, &u, sizeof(u));
}


void
prompt_bind_int8(prompt_bind_t *bind, int64_t value)
{
    uint64_t  u;

    u = htobe64((uint64_t) value);

    prompt_bind_bytes(bind, &u, sizeof(u));
}


void
prompt_bind_uuid(prompt_bind_t *bind, prompt_str_t id)
{
    if (id.data == NULL) {
        bind->bound = NULL;
    }

    prompt_bind_maybe_uuid(bind, id);
}


void
prompt_bind_maybe_uuid(prompt_bind_t *bind, prompt_str_t id)
{
    if (id.data != NULL && id.len != PROMPT_UUID_LEN) {
        bind->bound = NULL;
    }

    prompt_bind_bytes(bind, id.data, id.len);
}


/* They write what an array begins with, and an item; and return behind it. */

static char *
prompt_array_head(char *p, uint32_t type, size_t n)
{
    uint32_t  head[5];

    head[0] = htobe32(1);
    head[1] = 0;
    head[2] = htobe32(type);
    head[3] = htobe32((uint32_t) n);
    head[4] = htobe32(1);
    memcpy(p, head, sizeof(head));

    return p + sizeof(head);
}


static char *
prompt_array_item(char *p, const char *data, size_t len)
{
    uint32_t  size;

    size = htobe32((uint32_t) len);
    memcpy(p, &size, sizeof(size));
    p += sizeof(size);

    if (len != 0) {
        memcpy(p, data, len);
    }

    return p + len;
}


void
prompt_bind_uuids(prompt_bind_t *bind, prompt_str_t ids)
{
    char    *array, *p;
    size_t   i, n, len;

    n = ids.len / PROMPT_UUID_LEN;
    len = PROMPT_ARRAY_HEAD + n * (4 + PROMPT_UUID_LEN);

    array = prompt_bind_alloc(bind, len);
    if (array == NULL) {
        return;
    }

    p = prompt_array_head(array, PROMPT_OID_UUID, n);

    for (i = 0; i < n; i++) {
        p = prompt_array_item(p, ids.data + i * PROMPT_UUID_LEN,
                              PROMPT_UUID_LEN);
    }

    prompt_bind_next(bind, array, len);
}


void
prompt_bind_text(prompt_bind_t *bind, prompt_str_t text)
{
    prompt_bind_bytes(bind, text.data, text.len);
}


void
prompt_bind_maybe_int4(prompt_bind_t *bind, prompt_maybe_t value)
{
    if (!value.known) {
        prompt_bind_null(bind);
        return;
    }

    if (value.value < INT32_MIN || value.value > INT32_MAX) {
        bind->bound = NULL;
        return;
    }

    prompt_bind_int4(bind, (int32_t) value.value);
}


void
prompt_bind_time(prompt_bind_t *bind, int64_t time)
{
    prompt_bind_int8(bind, prompt_time_to_postgres(time));
}


void
prompt_bind_id_time(prompt_bind_t *bind, prompt_str_t id)
{
    prompt_bind_time(bind, prompt_id_time(id));
}


void
prompt_bind_maybe_int8(prompt_bind_t *bind, prompt_maybe_t value)
{
    if (!value.known) {
        prompt_bind_null(bind);
        return;
    }

    prompt_bind_int8(bind, value.value);
}


void
prompt_bind_maybe_time(prompt_bind_t *bind, prompt_maybe_t time)
{
    time.value = prompt_time_to_postgres(time.value);

    prompt_bind_maybe_int8(bind, time);
}


/* no dimension, no nulls, of texts */
static const char  prompt_texts_none[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PROMPT_OID_TEXT
};


void
prompt_bind_texts(prompt_bind_t *bind, const prompt_texts_t *texts)
{
    if (texts->cell.data != NULL) {
        prompt_bind_bytes(bind, texts->cell.data, texts->cell.len);
        return;
    }

    prompt_bind_bytes(bind, prompt_texts_none, sizeof(prompt_texts_none));
}


bool
prompt_bind_end(prompt_bind_t *bind)
{
    prompt_bind_by(bind);

    if (bind->bound == NULL || bind->n != bind->bound->statement->nparams) {
        return false;
    }

    bind->query->count++;

    return true;
}


int64_t
prompt_cell_int(prompt_str_t cell)
{
    uint16_t  u2;
    uint32_t  u4;
    uint64_t  u8;

    if (cell.data == NULL) {
        return 0;
    }

    switch (cell.len) {

    case sizeof(u2):
        memcpy(&u2, cell.data, sizeof(u2));
        return (int16_t) be16toh(u2);

    case sizeof(u4):
        memcpy(&u4, cell.data, sizeof(u4));
        return (int32_t) be32toh(u4);

    case sizeof(u8):
        memcpy(&u8, cell.data, sizeof(u8));
        return (int64_t) be64toh(u8);

    default:
        return 0;
    }
}


double
prompt_cell_double(prompt_str_t cell)
{
    double   value;
    int64_t  bits;

    bits = cell.len == sizeof(bits) ? prompt_cell_int(cell) : 0;
    memcpy(&value, &bits, sizeof(value));

    return value;
}


bool
prompt_cell_bool(prompt_str_t cell)
{
    return cell.data != NULL && cell.len == 1 && cell.data[0] != 0;
}


prompt_maybe_t
prompt_cell_maybe(prompt_str_t cell)
{
    if (cell.data == NULL
        || (cell.len != 2 && cell.len != 4 && cell.len != 8))
    {
        return prompt_maybe_unknown;
    }

    return prompt_maybe(prompt_cell_int(cell));
}


int64_t
prompt_id_time(prompt_str_t id)
{
    uint64_t  first;

    if (id.len != PROMPT_UUID_LEN) {
        return 0;
    }

    memcpy(&first, id.data, sizeof(first));

    return (int64_t) (be64toh(first) >> 16) * 1000;
}


int64_t
prompt_cell_time(prompt_str_t cell)
{
    int64_t  time, value;

    if (cell.data == NULL) {
        return 0;
    }

    value = prompt_cell_int(cell);

    if (!prompt_time_from_postgres(value, &time)) {
        return value < 0 ? PROMPT_TIME_MIN : PROMPT_TIME_MAX;
    }

    return time;
}


prompt_maybe_t
prompt_cell_maybe_time(prompt_str_t cell)
{
    if (cell.data == NULL) {
        return prompt_maybe_unknown;
    }

    return prompt_maybe(prompt_cell_time(cell));
}


static uint32_t
prompt_array_int(prompt_str_t array, size_t at)
{
    uint32_t  value;

    memcpy(&value, array.data + at, sizeof(value));

    return be32toh(value);
}


prompt_texts_t
prompt_cell_texts(prompt_str_t cell)
{
    size_t          at, len;
    uint32_t        i;
    prompt_texts_t  texts;

    memset(&texts, 0, sizeof(prompt_texts_t));

    if (cell.len == sizeof(prompt_texts_none)) {
        texts.cell = cell;
    }

    if (cell.len < PROMPT_ARRAY_HEAD
        || prompt_array_int(cell, 0) != 1 || prompt_array_int(cell, 4) != 0
        || prompt_array_int(cell, 8) != PROMPT_OID_TEXT)
    {
        return texts;
    }

    texts.count = prompt_array_int(cell, 12);

    for (i = 0, at = PROMPT_ARRAY_HEAD; i < texts.count; i++) {

        if (cell.len - at < 4) {
            break;
        }

        len = prompt_array_int(cell, at);
        at += 4;

        if (len > cell.len - at) {
            break;
        }

        at += len;
    }

    if (i < texts.count) {
        texts.count = 0;               /* never seen of PostgreSQL */
        return texts;
    }

    texts.cell = cell;

    return texts;
}


prompt_str_t
prompt_texts_item(prompt_texts_t *texts, uint32_t index)
{
    size_t        at;
    prompt_str_t  text;

    if (index < texts->index) {
        texts->index = 0;
        texts->next = 0;
    }

    do {
        at = PROMPT_ARRAY_HEAD + texts->next;
        text = prompt_str_of(texts->cell.data + at + 4,
                             prompt_array_int(texts->cell, at));
        texts->next += 4 + text.len;

    } while (texts->index++ != index);

    return text;
}


bool
prompt_texts_of(prompt_arena_t *arena, const prompt_json_t *list,
    prompt_texts_t *texts)
{
    char                 *p;
    size_t                len;
    uint32_t              n;
    const prompt_json_t  *item;

    memset(texts, 0, sizeof(prompt_texts_t));

    n = 0;
    len = PROMPT_ARRAY_HEAD;

    for (item = list->first; item != NULL; item = item->next) {
        n++;
        len += 4 + item->text.len;
    }

    if (n == 0) {
        texts->cell = prompt_str_of(prompt_texts_none,
                                    sizeof(prompt_texts_none));
        return true;
    }

    p = prompt_arena_alloc(arena, len);
    if (p == NULL) {
        return false;
    }

    texts->cell = prompt_str_of(p, len);
    texts->count = n;

    p = prompt_array_head(p, PROMPT_OID_TEXT, n);

    for (item = list->first; item != NULL; item = item->next) {
        p = prompt_array_item(p, item->text.data, item->text.len);
    }

    return true;
}
