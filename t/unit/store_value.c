/*
 * Binding, decoding, the registry of statements, SQLSTATEs: what the store
 * does without a database.
 */

#include <time.h>

#include "store/api_key.h"
#include "store/execution.h"
#include "store/label.h"
#include "store/prompt.h"
#include "store/schema_version.h"
#include "store/sqlstate.h"
#include "store/statement.h"
#include "store/user.h"
#include "store/version.h"
#include "tap.h"


/* that of the texts of statements, and so many hours later */
static time_t  hours;


time_t
time(time_t *now)
{
    if (now != NULL) {
        *now = 1795000000 + hours * 3600;
    }

    return 1795000000 + hours * 3600;
}


static const char  id[PROMPT_UUID_LEN] = "0123456789abcdef";


static prompt_str_t
cell(const char *bytes, size_t len)
{
    return prompt_str_of(bytes, len);
}


static void
test_decoding(void)
{
    is_int(prompt_cell_int(cell("\x00\x2a", 2)), 42, "int2");
    is_int(prompt_cell_int(cell("\xff\xff\xff\xfe", 4)), -2, "int4 below 0");
    is_int(prompt_cell_int(cell("\x7f\xff\xff\xff\xff\xff\xff\xff", 8)),
           INT64_MAX, "int8, the greatest");
    is_int(prompt_cell_int(cell("\x80\0\0\0\0\0\0\0", 8)), INT64_MIN,
           "int8, the least");
    is_int(prompt_cell_int(cell("\x01\x02\x03", 3)), 0, "no such width");
    is_int(prompt_cell_int(prompt_str_absent), 0, "NULL is 0");

    ok(prompt_cell_bool(cell("\x01", 1)), "true");
    ok(!prompt_cell_bool(cell("\x00", 1)), "false");
    ok(!prompt_cell_bool(prompt_str_absent), "NULL is false");

    ok(!prompt_cell_maybe(prompt_str_absent).known, "NULL is unknown");
    ok(prompt_cell_maybe(cell("\0\0\0\0", 4)).known, "0 is known");

    is_int(prompt_cell_time(cell("\0\0\0\0\0\0\0\0", 8)),
           INT64_C(946684800000000), "time 0 is the year 2000");
    is_int(prompt_cell_time(cell("\x7f\xff\xff\xff\xff\xff\xff\xff", 8)),
           PROMPT_TIME_MAX, "infinity is the end of time");
    is_int(prompt_cell_time(cell("\x80\0\0\0\0\0\0\0", 8)), PROMPT_TIME_MIN,
           "-infinity is its beginning");
    ok(!prompt_cell_maybe_time(prompt_str_absent).known, "no time");
}


/* "2: a=1 b=\"x\"; a=…;" of the members a and b */
static void
objects(const char *json, const char *want)
{
    uint32_t          i, count;
    prompt_buf_t      out;
    prompt_objects_t  all;

    prompt_buf_init(&out, 4096);
    memset(&all, 0, sizeof(all));
    all.cell = prompt_str_from(json);

    count = prompt_objects_begin(&all);
    prompt_buf_printf(&out, "%u:", count);

    for (i = 0; i <= count; i++) {
        prompt_objects_next(&all);
        prompt_buf_printf(&out, " %.*s,%.*s;",
                          prompt_str_arg(prompt_objects_member(&all,
                                                           prompt_str("a"))),
                          prompt_str_arg(prompt_objects_member(&all,
                                                           prompt_str("b"))));
    }

    is_str(prompt_buf_view(&out), want, json != NULL ? json : "SQL NULL");
    prompt_buf_free(&out);
}


static void
test_objects(void)
{
    objects(NULL, "0: ,;");
    objects("[]", "0: ,;");
    objects("[ {} ]", "1: ,; ,;");
    objects("[{\"a\":1,\"b\":\"x{[\"} , {\"b\":null,\"a\":\"\\\"}\"}]",
            "2: 1,\"x{[\"; \"\\\"}\",; ,;");
    objects("[{\"b\" : {\"a\":[2]}}]", "1: ,{\"a\":[2]}; ,;");
    objects("0", "0: ,;");
    objects("[{\"a\":1},{\"a\"", "1: 1,; ,;");
    objects("[\"{\\\"\", 1,null , {\"a\":1}]", "4: ,; ,; ,; 1,; ,;");
    objects("[[{\"a\":1}],{\"a\":2}]", "2: ,; 2,; ,;");
}


/* an array as PostgreSQL sends it, which ends early, or says what is not so */

static bool
is_no_array(prompt_str_t array, size_t at, char byte)
{
    char  copy[64];

    memcpy(copy, array.data, array.len);
    copy[at] = byte;

    return prompt_cell_texts(prompt_str_of(copy, array.len)).count == 0;
}


static void
test_texts(void)
{
    bool                 right;
    size_t               len;
    prompt_texts_t       texts, read;
    prompt_arena_t      *arena;
    prompt_json_t       *list;
    prompt_json_error_t  error;

    static const char  array[] =
        "\0\0\0\1" "\0\0\0\0" "\0\0\0\x19" "\0\0\0\3" "\0\0\0\1"
        "\0\0\0\1" "a" "\0\0\0\0" "\0\0\0\2" "\xc3\xa9";

    arena = prompt_arena_create(65536);
    list = prompt_json_read(arena, prompt_str("[\"a\", \"\", \"é\"]"), 2,
                            &error);

    ok(prompt_texts_of(arena, list, &texts) && texts.count == 3
       && prompt_str_eq(texts.cell, prompt_str_of(array, sizeof(array) - 1)),
       "a list of texts is an array");

    read = prompt_cell_texts(texts.cell);
    is_int(read.count, 3, "which is read");
    is_str(prompt_texts_item(&read, 0), "a", "the first");
    is_str(prompt_texts_item(&read, 1), "", "an empty one");
    is_str(prompt_texts_item(&read, 2), "é", "the last");
    is_str(prompt_texts_item(&read, 0), "a", "again from the first");
    is_str(prompt_texts_item(&read, 2), "é", "or not one by one");

    right = true;

    for (len = 0; len < texts.cell.len; len++) {
        read = prompt_cell_texts(prompt_str_of(array, len));
        right = right && read.count == 0;
    }

    ok(right, "what ends early is empty");
    ok(is_no_array(texts.cell, 3, 2), "so are two dimensions");
    ok(is_no_array(texts.cell, 7, 1), "what has nulls");
    ok(is_no_array(texts.cell, 11, 23), "what has no texts");
    ok(is_no_array(texts.cell, 12, (char) 0xff), "a count beyond the end");
    ok(is_no_array(texts.cell, 20, (char) 0xff), "a length beyond it");
    is_int(prompt_cell_texts(prompt_str_absent).count, 0, "and SQL NULL");

    list = prompt_json_read(arena, prompt_str("[]"), 2, &error);
    ok(prompt_texts_of(arena, list, &texts) && texts.count == 0
       && texts.cell.len == 12
       && prompt_cell_texts(texts.cell).count == 0
       && prompt_cell_texts(texts.cell).cell.data != NULL
       && prompt_cell_texts(prompt_str_absent).cell.data == NULL,
       "no texts are an empty array, which is not NULL");

    prompt_arena_destroy(arena);
}


static void
test_binding(void)
{
    char                   text[] = "text";
    prompt_query_t         query;
    prompt_api_key_t       key;
    const prompt_param_t  *params;

    query.actor = NULL;
    query.arena = prompt_arena_create(65536);
    query.count = 0;
    query.actor = NULL;

    memset(&key, 0, sizeof(key));
    key.id = cell(id, sizeof(id));
    key.user_id = cell(id, sizeof(id));
    key.hash = prompt_str("0123456789abcdef0123456789abcdef");
    key.name = cell(text, 4);
    key.hint = prompt_str("");
    key.scopes = PROMPT_KEY_SCOPE_KEYS;
    key.expires_at = prompt_maybe(INT64_C(946684800000001));

    ok(prompt_api_key_create(&query, &key), "a key to create");
    is_int(query.count, 1, "one statement");

    params = query.bound[0].params;
    text[0] = 'X';

    is_str(prompt_str_of(params[5].data, params[5].len), "text",
           "bound text is a copy");
    is_str(prompt_str_of(params[6].data, params[6].len), "",
           "empty text is not NULL");
    ok(params[7].len == 4 && memcmp(params[7].data, "\0\0\0\x08", 4) == 0,
       "int4, big-endian");
    ok(params[8].len == 8
       && memcmp(params[8].data, "\0\0\0\0\0\0\0\x01", 8) == 0,
       "a time counts from 2000");

    key.expires_at = prompt_maybe_unknown;
    ok(prompt_api_key_create(&query, &key)
       && query.bound[1].params[8].data == NULL, "unknown is NULL");

    key.id = prompt_str("short");
    ok(!prompt_api_key_create(&query, &key) && query.count == 2,
       "an id of another length is refused, the query as before");

    key.id = cell(id, sizeof(id));
    key.hash = prompt_str("short");
    ok(!prompt_api_key_create(&query, &key), "so is a hash");

    while (prompt_schema_version(&query)) {
        /* until it is full */
    }

    is_int(query.count, PROMPT_STORE_MAX_STATEMENTS, "a query has its limit");

    prompt_arena_destroy(query.arena);
}


static void
test_memory(void)
{
    bool             done;
    size_t           limit;
    prompt_query_t   query;
    prompt_record_t  prompt;

    memset(&prompt, 0, sizeof(prompt));
    prompt.id = cell(id, sizeof(id));
    prompt.owner_id = cell(id, sizeof(id));
    prompt.name = prompt_str("name");
    prompt.category = prompt_str("GENERAL");

    done = false;

    for (limit = 0; limit < 65536 && !done; limit += 16) {
        query.actor = NULL;
    query.arena = prompt_arena_create(limit);
        query.count = 0;
        query.actor = NULL;

        if (query.arena == NULL) {
            continue;
        }

        done = prompt_create(&query, &prompt);

        if (query.count != (done ? 1 : 0)) {
            break;
        }

        prompt_arena_destroy(query.arena);
    }

    ok(done && limit > 16, "short memory at any place leaves the query empty");
}


static void
test_execution_limits(void)
{
    prompt_query_t          query;
    prompt_execution_run_t  run;

    query.actor = NULL;
    query.arena = prompt_arena_create(65536);
    query.count = 0;
    query.actor = NULL;

    memset(&run, 0, sizeof(run));
    run.id = cell(id, sizeof(id));
    run.prompt_id = run.id;
    run.caller = run.id;
    run.token_in = prompt_maybe(INT64_C(2147483648));

    ok(!prompt_execution_finish(&query, &run),
       "tokens beyond 32 bits are refused");

    run.token_in = prompt_maybe(INT64_C(2147483647));
    ok(prompt_execution_finish(&query, &run), "2,147,483,647 are not");

    prompt_arena_destroy(query.arena);
}


#define ALL(resource)  PROMPT_MASK_ALL(&(resource))


static void
test_registry(void)
{
    bool                       same;
    prompt_mask_t              small;
    unsigned                   i, j;
    const prompt_statement_t  *a, *b;

    same = true;

    for (i = 0; i < PROMPT_STATEMENT_FIXED; i++) {
        a = prompt_statement_fixed((prompt_statement_id_t) i);
        same = same && a != NULL && a->id == i
               && strpbrk(a->sql, "{}") == NULL
               && prompt_statement_fixed((prompt_statement_id_t) i) == a;

        for (j = 0; same && j < i; j++) {
            b = prompt_statement_fixed((prompt_statement_id_t) j);
            same = strcmp(b->name, a->name) != 0;
        }
    }

    ok(same, "each fixed statement is made, has its id and a name of its own");

    small = prompt_columns_small(&prompt_prompt_resource);
    a = prompt_statement_family(PROMPT_FAMILY_PROMPT_ALL,
                                prompt_bit(&prompt_prompt_resource,
                                           prompt_record_t, name));

    is_str(prompt_str_from(a->sql),
           "SELECT p.id, p.owner_id = $1 OR p.is_public, p.owner_id, p.name,"
           " p.category, p.is_public, p.updated_at, p.last_version,"
           " p.created_by FROM (SELECT $3::int8 AS bytes) g"
           " CROSS JOIN prompts p WHERE p.owner_id = ANY (ARRAY[$1])"
           " AND p.state = 0 ORDER BY p.owner_id DESC, p.id DESC LIMIT $2",
           "a family reads what is small, whatever is asked for");
    is_int(a->columns, small, "and knows what it reads");
    is_int(a->ncolumns, 9, "and how many");

    ok(prompt_statement_family(PROMPT_FAMILY_PROMPT_ALL, 0) == a
       && prompt_statement_family(PROMPT_FAMILY_PROMPT_ALL, 0xfffff000u) == a,
       "it is made once, and bits that no column has do not count");

    prompt_statement_free_all();
}


static const prompt_resource_t *
resource_of(unsigned family)
{
    return family < PROMPT_FAMILY_VERSION_BY_ID ? &prompt_prompt_resource
           : family < PROMPT_FAMILY_EXECUTION_BY_ID ? &prompt_version_resource
           : family < PROMPT_FAMILY_LABEL_BY_ID ? &prompt_execution_resource
           : family < PROMPT_FAMILY_MOVE_BY_ID ? &prompt_label_resource
           : family < PROMPT_FAMILY_LOG_PAGE ? &prompt_move_resource
           : family < PROMPT_FAMILY_LOG_PROMPTS_PAGE
             || family >= PROMPT_FAMILY_RUN_CELLS
             ? &prompt_execution_resource
           : &prompt_prompt_resource;
}


/* with those that are read where the one before them is */
static prompt_mask_t
beside(const prompt_resource_t *resource, prompt_mask_t mask)
{
    prompt_mask_t  with;

    with = prompt_columns_with(resource, PROMPT_COLUMN_BESIDE);

    return mask | (mask << 1 & with) | (mask & with) >> 1;
}


/* Who goes through all selections takes nothing from others. */

static void
test_variants(void)
{
    bool                       same;
    prompt_mask_t              small, large, mask;
    unsigned                   family, made;
    const prompt_resource_t   *resource;
    const prompt_statement_t  *statement;

    same = true;
    made = 0;

    for (family = 0; family < PROMPT_FAMILY_COUNT; family++) {
        resource = resource_of(family);
        small = prompt_columns_small(resource);
        large = prompt_columns_with(resource, PROMPT_COLUMN_LARGE);
        mask = 0;

        do {
            statement = prompt_statement_family((prompt_family_id_t) family,
                                                mask);
            same = same && statement != NULL
                   && statement->columns == beside(resource, small | mask);
            made += mask == (beside(resource, mask) & large)
                    && (small | mask) != ALL(*resource);
            mask = (mask - large) & large;
        } while (mask != 0);
    }

    ok(same, "each selection of large columns reads these alone");
    ok(made > 256 && made <= PROMPT_STATEMENT_VARIANTS,
       "there is room for all of them");
    diag("%u of %d", made, PROMPT_STATEMENT_VARIANTS);

    prompt_statement_free_all();
}


/* the constant of a text, which begins a month */
static prompt_str_t
month_of(const prompt_statement_t *statement)
{
    const char  *at;

    at = strstr(statement->sql, "x.id >= '");

    return at != NULL ? prompt_str_of(at, 45) : prompt_str_absent;
}


/* Texts that are made months apart are halves of one whole. */

static void
test_months(void)
{
    prompt_str_t               first;
    const prompt_statement_t  *later;

    prompt_statement_free_all();

    first = month_of(prompt_statement_fixed(
                                      PROMPT_STATEMENT_EXECUTION_NEWEST));

    hours = 62 * 24;
    later = prompt_statement_family(PROMPT_FAMILY_EXECUTION_ALL, 0);
    hours = 0;

    ok(first.len != 0 && prompt_str_eq(month_of(later), first),
       "what is older is the same months for all texts of a process");

    prompt_statement_free_all();
}


static void
test_sqlstate(void)
{
    is_int(prompt_sqlstate(prompt_str("00000")), PROMPT_SQL_OK, "00000");
    is_int(prompt_sqlstate(prompt_str("23505")), PROMPT_SQL_DUPLICATE,
           "23505");
    is_int(prompt_sqlstate(prompt_str("23503")), PROMPT_SQL_GONE, "23503");
    is_int(prompt_sqlstate(prompt_str("23514")), PROMPT_SQL_INVALID, "23514");
    is_int(prompt_sqlstate(prompt_str("40001")), PROMPT_SQL_RETRY, "40001");
    is_int(prompt_sqlstate(prompt_str("40P01")), PROMPT_SQL_RETRY, "40P01");
    is_int(prompt_sqlstate(prompt_str("26000")), PROMPT_SQL_PREPARE, "26000");
    is_int(prompt_sqlstate(prompt_str("57014")), PROMPT_SQL_TIMEOUT, "57014");
    is_int(prompt_sqlstate(prompt_str("55P03")), PROMPT_SQL_LOCKED, "55P03");
    is_int(prompt_sqlstate(prompt_str("57P01")), PROMPT_SQL_AWAY, "57P01");
    is_int(prompt_sqlstate(prompt_str("25006")), PROMPT_SQL_AWAY, "25006");
    is_int(prompt_sqlstate(prompt_str("53100")), PROMPT_SQL_FULL, "53100");
    is_int(prompt_sqlstate(prompt_str("53300")), PROMPT_SQL_AWAY, "53300");
    is_int(prompt_sqlstate(prompt_str("42P01")), PROMPT_SQL_SCHEMA, "42P01");
    is_int(prompt_sqlstate(prompt_str("42501")), PROMPT_SQL_DENIED, "42501");
    is_int(prompt_sqlstate(prompt_str("28P01")), PROMPT_SQL_DENIED, "28P01");
    is_int(prompt_sqlstate(prompt_str("42601")), PROMPT_SQL_INTERNAL,
           "42601");
    is_int(prompt_sqlstate(prompt_str_absent), PROMPT_SQL_AWAY, "none");
    is_int(prompt_sqlstate(prompt_str("2350")), PROMPT_SQL_AWAY, "too short");

    is_str(prompt_str_from(prompt_sql_status_text(PROMPT_SQL_OK)), "done",
           "the first text");
    is_str(prompt_str_from(prompt_sql_status_text(PROMPT_SQL_INTERNAL)),
           "PostgreSQL refused the statement", "the last text");
    is_str(prompt_str_from(prompt_sql_status_text((prompt_sql_status_t) 99)),
           "PostgreSQL refused the statement", "any other");
}


int
main(void)
{
    test_decoding();
    test_texts();
    test_objects();
    test_binding();
    test_memory();
    test_execution_limits();
    test_registry();
    test_variants();
    test_months();
    test_sqlstate();

    return done_testing();
}
