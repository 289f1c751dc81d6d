/*
 * Execution: results of every kind, null propagation, errors and their
 * places, the answer in pieces, and what happens when memory is short.
 */

#include "graphql.h"
#include "tap.h"
#include "graphql_fixture.h"
#include "failing_malloc.h"

#include <math.h>


/*
 * The resolver: values are a tree of JSON.  A member {"error": "text"} is an
 * error; what is no member is null.
 */

static unsigned  resolved;

/* lists are NOTED; or, where it is there, are this text */
static bool          noted;
static prompt_str_t  given;


static void
resolve(gql_execution_t *e, const gql_plan_field_t *field,
    const prompt_json_t *value, gql_result_t *out)
{
    const prompt_json_t  *error, *code;

    resolved++;

    error = prompt_json_get(value, prompt_str("error"));

    if (error != NULL) {
        code = prompt_json_get(value, prompt_str("code"));
        out->kind = GQL_RESULT_ERROR;
        out->u.error = gql_execution_error(e,
                                           code != NULL ? code->text
                                                        : prompt_str_absent,
                                           prompt_str_absent, "%.*s",
                                           prompt_str_arg(error->text));
        return;
    }

    if (given.data != NULL && value != NULL
        && value->type == PROMPT_JSON_ARRAY)
    {
        out->kind = GQL_RESULT_JSON_TEXT;
        out->u.text = given;
        return;
    }

    if (value != NULL && value->type == PROMPT_JSON_ARRAY) {
        out->kind = noted ? GQL_RESULT_LIST_NOTED : GQL_RESULT_LIST;
        out->u.list.handle = (void *) value;
        out->u.list.count = value->count;
        return;
    }

    gql_result_of_json(e, field, gql_ref_named(field->def->type), value, out);
}


static void
resolve_field(gql_execution_t *e, void *data, const gql_plan_field_t *field,
    void *parent, const prompt_json_t *arguments, gql_result_t *out)
{
    (void) data;

    if (prompt_str_eq(field->def->name, prompt_str("greet"))) {
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_json_get(arguments, prompt_str("name"))->text;
        return;
    }

    resolve(e, field, prompt_json_get(parent, field->def->name), out);
}


static void
resolve_item(gql_execution_t *e, void *data, const gql_plan_field_t *field,
    void *list, uint32_t index, gql_result_t *out)
{
    (void) data;

    resolve(e, field, prompt_json_at(list, index), out);
}


/* the text of the last list that was NOTED */
static char      written[256];
static unsigned  nwritten;


static void
resolve_written(void *data, const gql_plan_field_t *field, void *list,
    prompt_str_t text)
{
    (void) data;
    (void) field;
    (void) list;

    nwritten++;
    snprintf(written, sizeof(written), "%.*s", prompt_str_arg(text));
}


static const gql_resolver_t  resolver = {
    resolve_field, resolve_item, resolve_written
};

/* the items of a step; 0: everything in one go */
static uint32_t  pace;


static gql_execution_t *
start(const char *text, const char *variables, size_t max_response)
{
    gql_plan_t       *plan;
    prompt_json_t    *coerced;
    gql_document_t   *document;
    gql_execution_t  *e;

    document = fixture_parse(text);
    if (document == NULL) {
        fixture_die(text);
    }

    coerced = gql_coerce_variables(fixture_arena, fixture_schema,
                                   fixture_operation(document),
                                   fixture_json(variables), &fixture_errors);
    plan = gql_plan_compile(fixture_arena, fixture_schema, document,
                            fixture_operation(document), coerced,
                            &fixture_errors);
    if (plan == NULL) {
        fixture_die(text);
    }

    e = gql_execution_create(fixture_arena, plan, coerced, &resolver, NULL,
                             max_response);
    gql_execution_pace(e, pace, SIZE_MAX);

    return e;
}


static void
complete(gql_execution_t *e, uint32_t i, const prompt_json_t *root)
{
    gql_step_t               step;
    gql_error_t             *error;
    gql_result_t             result;
    const gql_plan_field_t  *field;
    const prompt_json_t     *arguments;

    field = &gql_execution_plan(e)->root->fields[i];
    memset(&result, 0, sizeof(result));

    if (gql_field_is_meta(field)) {
        gql_execution_complete(e, i, NULL);
        return;
    }

    arguments = gql_execution_arguments(e, field, &error);

    if (arguments == NULL) {
        result.kind = GQL_RESULT_ERROR;
        result.u.error = error;

    } else {
        resolve_field(e, NULL, field, (void *) root, arguments, &result);
    }

    gql_execution_pace(e, pace, SIZE_MAX);
    step = gql_execution_begin(e, i, &result);

    while (step == GQL_STEP_PAUSED) {
        step = gql_execution_go_on(e, i);
    }
}


/*
 * The answer in one piece, which outlives its execution; absent when memory
 * is short.
 */
static prompt_str_t
finish(gql_execution_t *e, prompt_arena_t *arena)
{
    size_t               i, n;
    prompt_buf_t         buf;
    prompt_str_t         text, *taken;
    const prompt_str_t  *pieces;

    n = gql_execution_finish(e, prompt_str_absent, &pieces);
    taken = n != 0 ? prompt_arena_array(arena, n, sizeof(prompt_str_t)) : NULL;

    if (taken == NULL) {
        gql_execution_destroy(e);
        return prompt_str_absent;
    }

    gql_execution_take(e, taken);
    gql_execution_destroy(e);

    prompt_buf_init(&buf, FIXTURE_ARENA);

    for (i = 0; i < n; i++) {
        prompt_buf_str(&buf, taken[i]);
        free((char *) taken[i].data);
    }

    text = buf.status == PROMPT_BUF_OK
           ? prompt_arena_copy(arena, prompt_buf_view(&buf))
           : prompt_str_absent;
    prompt_buf_free(&buf);

    return text;
}


static prompt_str_t
run(const char *text, const char *variables, const char *root)
{
    uint32_t          i;
    prompt_json_t    *values;
    gql_execution_t  *e;

    fixture_reset(FIXTURE_ARENA);

    values = fixture_json(root);
    e = start(text, variables, FIXTURE_ARENA);

    for (i = 0; i < gql_execution_plan(e)->root->nfields
         && !gql_execution_aborted(e); i++)
    {
        complete(e, i, values);
    }

    return finish(e, fixture_arena);
}


typedef struct {
    const char  *document;
    const char  *variables;
    const char  *root;
    const char  *want;
} execute_case_t;


static const execute_case_t  execute_cases[] = {
    { "{ me { id name age } }", "{}",
      "{\"me\":{\"id\":1,\"name\":\"N\"}}",
      "{\"data\":{\"me\":{\"id\":\"1\",\"name\":\"N\",\"age\":null}}}" },
    { "{ a: int b: string c: __typename }", "{}",
      "{\"int\":1,\"string\":\"\\\"\\u0001\"}",
      "{\"data\":{\"a\":1,\"b\":\"\\\"\\u0001\",\"c\":\"Query\"}}" },
    { "{ int @skip(if: true) }", "{}", "{}", "{\"data\":{}}" },
    { "{ me { friends { id } } }", "{}",
      "{\"me\":{\"friends\":[{\"id\":1},{\"id\":\"b\"}]}}",
      "{\"data\":{\"me\":{\"friends\":[{\"id\":\"1\"},{\"id\":\"b\"}]}}}" },
    { "{ me { friends { id } grid } }", "{}",
      "{\"me\":{\"friends\":[],\"grid\":[[1,2],[]]}}",
      "{\"data\":{\"me\":{\"friends\":[],\"grid\":[[1,2],[]]}}}" },
    { "{ things { __typename ... on Human { id } ... on Robot { serial } } }",
      "{}", "{\"things\":[{\"__typename\":\"Robot\",\"serial\":7},"
      "{\"__typename\":\"Human\",\"id\":1}]}",
      "{\"data\":{\"things\":[{\"__typename\":\"Robot\",\"serial\":7},"
      "{\"__typename\":\"Human\",\"id\":\"1\"}]}}" },

    /* arguments */

    { "query ($n: String) { me { a: greet b: greet(name: \"x\") "
      "c: greet(name: $n) } }", "{\"n\":\"y\"}", "{\"me\":{}}",
      "{\"data\":{\"me\":{\"a\":\"you\",\"b\":\"x\",\"c\":\"y\"}}}" },
    { "{ human(id: [1]) { id } int }", "{}", "{\"int\":1}",
      "{\"data\":{\"human\":null,\"int\":1},\"errors\":[{\"message\":"
      "\"Argument \\\"id\\\" has invalid value [1].\",\"locations\":"
      "[{\"line\":1,\"column\":13}],\"path\":[\"human\"]}]}" },
    { "query ($i: ID) { human(id: $i) { id } }", "{}", "{}",
      "{\"data\":{\"human\":null},\"errors\":[{\"message\":\"Argument "
      "\\\"id\\\" of required type \\\"ID!\\\" was provided the variable "
      "\\\"$i\\\" which was not provided a runtime value.\",\"locations\":"
      "[{\"line\":1,\"column\":28}],\"path\":[\"human\"]}]}" },

    /* null and errors */

    { "{ strings }", "{}", "{\"strings\":[\"a\",null,{\"error\":\"E\"}]}",
      "{\"data\":{\"strings\":[\"a\",null,null]},\"errors\":[{\"message\":"
      "\"E\",\"locations\":[{\"line\":1,\"column\":3}],\"path\":"
      "[\"strings\",2]}]}" },
    { "{ strings }", "{}", "{\"strings\":\"a\"}",
      "{\"data\":{\"strings\":null},\"errors\":[{\"message\":\"Expected "
      "Iterable, but did not find one for field \\\"Query.strings\\\".\","
      "\"locations\":[{\"line\":1,\"column\":3}],\"path\":[\"strings\"]}]}" },
    { "{ me { best { id name } id } }", "{}",
      "{\"me\":{\"id\":1,\"best\":{\"id\":2}}}",
      "{\"data\":{\"me\":{\"best\":null,\"id\":\"1\"}},\"errors\":["
      "{\"message\":\"Cannot return null for non-nullable field "
      "Human.name.\",\"locations\":[{\"line\":1,\"column\":18}],\"path\":"
      "[\"me\",\"best\",\"name\"]}]}" },
    { "{ me { age } x: int me { name } }", "{}", "{\"me\":{},\"int\":1}",
      "{\"data\":null,\"errors\":[{\"message\":\"Cannot return null for "
      "non-nullable field Human.name.\",\"locations\":[{\"line\":1,"
      "\"column\":26}],\"path\":[\"me\",\"name\"]}]}" },
    { "{ me { best { grid } } }", "{}",
      "{\"me\":{\"best\":{\"grid\":[[1],[2,null]]}}}",
      "{\"data\":{\"me\":{\"best\":{\"grid\":null}}},\"errors\":["
      "{\"message\":\"Cannot return null for non-nullable field "
      "Human.grid.\",\"locations\":[{\"line\":1,\"column\":15}],\"path\":"
      "[\"me\",\"best\",\"grid\",1,1]}]}" },
    { "{ me { age best { age name } } int }", "{}",
      "{\"me\":{\"age\":{\"error\":\"A\"},\"best\":{\"age\":"
      "{\"error\":\"B\"}}},\"int\":{\"error\":\"C\",\"code\":\"NOT_FOUND\"}}",
      "{\"data\":{\"me\":{\"age\":null,\"best\":null},\"int\":null},"
      "\"errors\":[{\"message\":\"A\",\"locations\":[{\"line\":1,"
      "\"column\":8}],\"path\":[\"me\",\"age\"]},{\"message\":\"B\","
      "\"locations\":[{\"line\":1,\"column\":19}],\"path\":[\"me\",\"best\","
      "\"age\"]},{\"message\":\"Cannot return null for non-nullable field "
      "Human.name.\",\"locations\":[{\"line\":1,\"column\":23}],\"path\":"
      "[\"me\",\"best\",\"name\"]},{\"message\":\"C\",\"locations\":"
      "[{\"line\":1,\"column\":32}],\"path\":[\"int\"],\"extensions\":"
      "{\"code\":\"NOT_FOUND\"}}]}" },
    { "mutation { third first second }", "{}",
      "{\"third\":\"x\",\"first\":{\"error\":\"F\"},\"second\":1}",
      "{\"data\":null,\"errors\":[{\"message\":\"F\",\"locations\":"
      "[{\"line\":1,\"column\":18}],\"path\":[\"first\"]}]}" },

    /* types at run time */

    { "{ node(id: 1) { id } }", "{}", "{\"node\":{}}",
      "{\"data\":{\"node\":null},\"errors\":[{\"message\":\"Abstract type "
      "\\\"Node\\\" must resolve to an Object type at runtime for field "
      "\\\"Query.node\\\". Either the \\\"Node\\\" type should provide a "
      "\\\"resolveType\\\" function or each possible type should provide an "
      "\\\"isTypeOf\\\" function.\",\"locations\":[{\"line\":1,\"column\":3}]"
      ",\"path\":[\"node\"]}]}" },
    { "{ node(id: 1) { id } }", "{}", "{\"node\":{\"__typename\":\"No\"}}",
      "{\"data\":{\"node\":null},\"errors\":[{\"message\":\"Abstract type "
      "\\\"Node\\\" was resolved to a type \\\"No\\\" that does not exist "
      "inside the schema.\",\"locations\":[{\"line\":1,\"column\":3}],"
      "\"path\":[\"node\"]}]}" },
    { "{ node(id: 1) { id } }", "{}", "{\"node\":{\"__typename\":\"Query\"}}",
      "{\"data\":{\"node\":null},\"errors\":[{\"message\":\"Runtime Object "
      "type \\\"Query\\\" is not a possible type for \\\"Node\\\".\","
      "\"locations\":[{\"line\":1,\"column\":3}],\"path\":[\"node\"]}]}" },
    { "{ node(id: 1) { id } }", "{}", "{\"node\":{\"__typename\":\"Thing\"}}",
      "{\"data\":{\"node\":null},\"errors\":[{\"message\":\"Abstract type "
      "\\\"Node\\\" was resolved to a non-object type \\\"Thing\\\".\","
      "\"locations\":[{\"line\":1,\"column\":3}],\"path\":[\"node\"]}]}" },

    /* conditions that cannot be evaluated */

    { "query ($s: Boolean) { int me { best { id @skip(if: $s) } } }",
      "{\"s\":null}", "{\"int\":1,\"me\":{\"best\":{}}}",
      "{\"data\":{\"int\":1,\"me\":{\"best\":null}},\"errors\":[{\"message\":"
      "\"Argument \\\"if\\\" of non-null type \\\"Boolean!\\\" must not be "
      "null.\",\"locations\":[{\"line\":1,\"column\":52}],\"path\":[\"me\","
      "\"best\"]}]}" },
    { "query ($s: Boolean) { int @skip(if: $s) }", "{\"s\":null}", "{}",
      "{\"data\":null,\"errors\":[{\"message\":\"Argument \\\"if\\\" of "
      "non-null type \\\"Boolean!\\\" must not be null.\",\"locations\":"
      "[{\"line\":1,\"column\":37}]}]}" },
    { "subscription { x }", "{}", "{}",
      "{\"data\":null,\"errors\":[{\"message\":\"Schema is not configured to "
      "execute subscription operation.\",\"locations\":[{\"line\":1,"
      "\"column\":1}]}]}" },
};


/* a field of Query, a result, and what stands behind the key, or a message */
static struct {
    const char     *field;
    gql_result_t    result;
    const char     *want;
} result_cases[] = {
#define R_BOOLEAN(v)  { .kind = GQL_RESULT_BOOLEAN, .u.boolean = (v) }
#define R_INTEGER(v)  { .kind = GQL_RESULT_INTEGER, .u.integer = (v) }
#define R_DOUBLE(v)   { .kind = GQL_RESULT_DOUBLE, .u.number = (v) }
#define R_STRING(v)   { .kind = GQL_RESULT_STRING,                           \
                        .u.text = prompt_str_init(v) }
#define R_TEXT(v)     { .kind = GQL_RESULT_JSON_TEXT,                        \
                        .u.text = prompt_str_init(v) }
#define R_OBJECT      { .kind = GQL_RESULT_OBJECT }
#define R_LIST        { .kind = GQL_RESULT_LIST }

    { "int", R_INTEGER(5), "5" },
    { "int", R_INTEGER(2147483648), "!Int cannot represent non 32-bit signed "
      "integer value: 2147483648" },
    { "int", R_BOOLEAN(true), "1" },
    { "int", R_DOUBLE(3.0), "3" },
    { "int", R_DOUBLE(3.5),
      "!Int cannot represent non-integer value: 3.5" },
    { "int", R_DOUBLE(NAN),
      "!Int cannot represent non-integer value: NaN" },
    { "int", R_STRING("0x10"), "16" },
    { "int", R_STRING(""), "!Int cannot represent non-integer value: \"\"" },
    { "int", R_STRING("a"),
      "!Int cannot represent non-integer value: \"a\"" },
    { "int", R_OBJECT, "!Int cannot represent non-integer value: [Object]" },
    { "float", R_INTEGER(5), "5" },
    { "float", R_INTEGER(INT64_MAX), "9223372036854775807" },
    { "float", R_DOUBLE(0.1), "0.1" },
    { "float", R_DOUBLE(INFINITY),
      "!Float cannot represent non numeric value: Infinity" },
    { "float", R_STRING("1e3"), "1000" },
    { "float", R_STRING(""),
      "!Float cannot represent non numeric value: \"\"" },
    { "float", R_BOOLEAN(false), "0" },
    { "string", R_STRING("a\nb"), "\"a\\nb\"" },
    { "string", R_INTEGER(-5), "\"-5\"" },
    { "string", R_DOUBLE(1e21), "\"1e+21\"" },
    { "string", R_BOOLEAN(true), "\"true\"" },
    { "string", R_DOUBLE(-INFINITY),
      "!String cannot represent value: -Infinity" },
    { "string", R_LIST, "!String cannot represent value: [Array]" },
    { "boolean", R_BOOLEAN(false), "false" },
    { "boolean", R_INTEGER(2), "true" },
    { "boolean", R_DOUBLE(0.0), "false" },
    { "boolean", R_STRING("true"),
      "!Boolean cannot represent a non boolean value: \"true\"" },
    { "id", R_STRING("x"), "\"x\"" },
    { "id", R_INTEGER(12), "\"12\"" },
    { "id", R_DOUBLE(1e3), "\"1000\"" },
    { "id", R_DOUBLE(1.5), "!ID cannot represent value: 1.5" },
    { "id", R_BOOLEAN(true), "!ID cannot represent value: true" },
    { "color", R_STRING("RED"), "\"RED\"" },
    { "color", R_STRING("red"),
      "!Enum \"Color\" cannot represent value: \"red\"" },
    { "color", R_INTEGER(1), "!Enum \"Color\" cannot represent value: 1" },
    { "json", R_TEXT("{\"a\":1.10}"), "{\"a\":1.10}" },
    { "json", R_STRING("s"), "\"s\"" },
    { "json", R_INTEGER(1), "1" },
    { "json", R_BOOLEAN(true), "true" },
    { "json", R_DOUBLE(0.5), "0.5" },
    { "me", R_STRING("x"),
      "!Expected value of type \"Human\" but got: \"x\"." },
};


static void
test_results(void)
{
    size_t               i;
    char                 document[64], name[160];
    prompt_str_t         answer, want;
    const char          *selection;
    gql_execution_t     *e;
    const gql_errors_t  *errors;

    for (i = 0; i < sizeof(result_cases) / sizeof(result_cases[0]); i++) {
        fixture_reset(FIXTURE_ARENA);

        selection = strcmp(result_cases[i].field, "me") == 0 ? "{ id }" : "";
        snprintf(document, sizeof(document), "{ %s %s }",
                 result_cases[i].field, selection);
        snprintf(name, sizeof(name), "%s: %s", result_cases[i].field,
                 result_cases[i].want);

        e = start(document, "{}", FIXTURE_ARENA);
        gql_result_serialize(e,
               gql_ref_named(gql_execution_plan(e)->root->fields[0].def->type),
               &result_cases[i].result);
        gql_execution_complete(e, 0, &result_cases[i].result);

        errors = gql_execution_errors(e);

        if (result_cases[i].want[0] == '!') {
            is_str(fixture_message(errors, 0), result_cases[i].want + 1,
                   name);
            gql_execution_destroy(e);
            continue;
        }

        answer = finish(e, fixture_arena);
        want = prompt_arena_printf(fixture_arena, "{\"data\":{\"%s\":%s}}",
                                   result_cases[i].field,
                                   result_cases[i].want);
        is_str(answer, want.data, name);
    }
}


static void
test_order(void)
{
    prompt_str_t      answer;
    prompt_json_t    *root;
    gql_execution_t  *e;

    fixture_reset(FIXTURE_ARENA);

    root = fixture_json("{\"int\":{\"error\":\"1\"},\"string\":"
                        "{\"error\":\"2\"},\"id\":{\"error\":\"3\"}}");
    e = start("{ int boolean string id }", "{}", FIXTURE_ARENA);

    ok(!gql_execution_serial(e), "a query is not serial");
    ok(gql_execution_arena(e) == fixture_arena, "the arena");

    complete(e, 3, root);
    complete(e, 0, root);
    complete(e, 2, root);
    complete(e, 1, root);
    complete(e, 1, root);

    is_int(gql_execution_errors(e)->count, 3, "errors");
    is_str(fixture_message(gql_execution_errors(e), 0), "1",
           "in the order of the fields");
    is_str(fixture_message(gql_execution_errors(e), 1), "2", "whatever");
    is_str(fixture_message(gql_execution_errors(e), 2), "3", "came first");

    answer = finish(e, fixture_arena);
    ok(answer.len > 60 && memcmp(answer.data, "{\"data\":{\"int\":null,"
                                 "\"boolean\":null,\"string\":null,"
                                 "\"id\":null},", 60) == 0, "and the data");

    /* a field that was never completed */

    fixture_reset(FIXTURE_ARENA);
    e = start("{ int boolean }", "{}", FIXTURE_ARENA);
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"int\":null,\"boolean\":null}}", "nothing completed");

    fixture_reset(FIXTURE_ARENA);
    e = start("mutation { first second }", "{}", FIXTURE_ARENA);
    ok(gql_execution_serial(e), "a mutation is");
    complete(e, 0, fixture_json("{\"first\":null}"));
    ok(gql_execution_aborted(e), "and ends with the first that fails");
    complete(e, 1, fixture_json("{\"second\":{\"error\":\"not seen\"}}"));
    is_int(gql_execution_errors(e)->count, 1, "one error");
    gql_execution_destroy(e);
}


/* a list of n objects */
static prompt_json_t *
many(unsigned n)
{
    unsigned        i;
    prompt_json_t  *list, *object;

    list = prompt_json_new(fixture_arena, PROMPT_JSON_ARRAY);

    for (i = 0; i < n; i++) {
        object = prompt_json_new(fixture_arena, PROMPT_JSON_OBJECT);
        prompt_json_set(object, prompt_str("id"),
                        prompt_json_new_integer(fixture_arena, i));
        prompt_json_append(list, object);
    }

    return list;
}


static void
test_limit(void)
{
    prompt_str_t      answer;
    prompt_json_t    *root, *me;
    gql_execution_t  *e;

    fixture_reset(FIXTURE_ARENA);

    me = prompt_json_new(fixture_arena, PROMPT_JSON_OBJECT);
    prompt_json_set(me, prompt_str("friends"), many(1000000 / 100));
    prompt_json_set(me, prompt_str("id"),
                    prompt_json_new_integer(fixture_arena, 1));
    root = fixture_json("{\"int\":1,\"string\":\"abcdef\"}");
    prompt_json_set(root, prompt_str("human"), me);
    prompt_json_set(root, prompt_str("me"), prompt_json_copy(fixture_arena,
                                                             me));

    resolved = 0;
    e = start("{ int human(id: 1) { friends { id } } string }", "{}", 1000);
    complete(e, 0, root);
    complete(e, 1, root);
    ok(resolved < 500, "a field stops where the answer is too long");
    complete(e, 2, root);

    is_str(finish(e, fixture_arena),
           "{\"data\":{\"int\":1,\"human\":null,\"string\":\"abcdef\"},"
           "\"errors\":[{\"message\":\"The answer would be larger than 1000 "
           "bytes: ask for less.\",\"locations\":[{\"line\":1,\"column\":7}],"
           "\"path\":[\"human\"],\"extensions\":{\"reason\":\"TOO_LARGE\"}}]}",
           "it gets an error, the others do not");

    e = start("{ int human(id: 1) { friends { id } } string }", "{}", 1000);
    gql_execution_spent(e, 1, fixture_json("{\"run\":\"r1\"}"));
    complete(e, 0, root);
    complete(e, 1, root);
    complete(e, 2, root);
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"int\":1,\"human\":null,\"string\":\"abcdef\"},"
           "\"errors\":[{\"message\":\"It was done, but its answer would be "
           "larger than 1000 bytes: do not ask for it again, but for what it "
           "did, by its id, and less at once.\",\"locations\":[{\"line\":1,"
           "\"column\":7}],\"path\":[\"human\"],\"extensions\":{\"run\":"
           "\"r1\",\"reason\":\"TOO_LARGE\"}}]}",
           "that of one which was done says what it did");

    e = start("{ int me { friends { id } } string }", "{}", 1000);
    complete(e, 0, root);
    complete(e, 1, root);
    ok(gql_execution_aborted(e), "also where it must not be null");
    answer = finish(e, fixture_arena);
    ok(answer.len > 20 && memcmp(answer.data, "{\"data\":null,", 13) == 0,
       "data is null");

    e = start("{ human(id: 1) { friends { id } } }", "{}", FIXTURE_ARENA);
    complete(e, 0, root);
    answer = finish(e, fixture_arena);
    ok(answer.len > 130000, "and enough room is enough");
}


static const char  memory_document[] =
    "query ($n: String) { me { id name a: greet(name: $n) friends { id name "
    "best { id } } } things { __typename ... on Robot { serial owner { id } }"
    " } x: int @skip(if: false) list(v: \"a\") }";

static const char  memory_root[] =
    "{\"me\":{\"id\":1,\"name\":\"N\",\"friends\":[{\"id\":1,\"name\":\"A\"},"
    "{\"id\":2,\"name\":\"B\",\"best\":{\"id\":null}},{\"id\":3,\"name\":"
    "\"C\",\"best\":{\"error\":\"E\"}}]},\"things\":[{\"__typename\":"
    "\"Robot\",\"serial\":1,\"owner\":{\"id\":1}},{\"__typename\":\"Human\"}]"
    ",\"int\":\"x\"}";


/* everything from the text on; the answer in fixture_arena, or absent */
static prompt_str_t
run_all(prompt_arena_t *arena)
{
    uint32_t                           i;
    gql_plan_t                        *plan;
    gql_errors_t                       errors;
    prompt_json_t                     *variables, *root;
    gql_document_t                    *document;
    gql_execution_t                   *e;
    prompt_json_error_t                error;
    const gql_operation_definition_t  *operation;

    gql_errors_init(&errors, arena, prompt_str_from(memory_document), 0);

    root = prompt_json_read(arena, prompt_str_from(memory_root), 64, &error);
    document = gql_parse(arena, errors.source, 0, &errors);

    if (root == NULL || document == NULL) {
        return prompt_str_absent;
    }

    operation = gql_document_operation(document, prompt_str_absent, &errors);
    variables = gql_coerce_variables(arena, fixture_schema, operation, NULL,
                                     &errors);
    plan = variables != NULL
           ? gql_plan_compile(arena, fixture_schema, document, operation,
                              variables, &errors)
           : NULL;
    e = plan != NULL
        ? gql_execution_create(arena, plan, variables, &resolver, NULL,
                               FIXTURE_ARENA)
        : NULL;

    if (e == NULL) {
        return prompt_str_absent;
    }

    for (i = 0; i < plan->root->nfields && !gql_execution_aborted(e); i++) {
        complete(e, i, root);
    }

    return finish(e, fixture_arena);
}


/* items as a part of a list, step by step; false: the field is complete */
static bool
part(gql_execution_t *e, uint32_t field, const char *items, bool last)
{
    gql_step_t    step;
    gql_result_t  result;

    memset(&result, 0, sizeof(result));

    result.kind = GQL_RESULT_LIST;
    result.u.list.handle = fixture_json(items);
    result.u.list.count = ((prompt_json_t *) result.u.list.handle)->count;

    step = gql_execution_part(e, field, &result, last);

    while (step == GQL_STEP_PAUSED) {
        step = gql_execution_go_on(e, field);
    }

    return step == GQL_STEP_WANTED;
}


static void
test_parts(void)
{
    gql_error_t      *error;
    gql_result_t      result;
    prompt_str_t      answer;
    gql_execution_t  *e;

    fixture_reset(FIXTURE_ARENA);

    e = start("{ all { id } int }", "{}", FIXTURE_ARENA);
    ok(part(e, 0, "[{\"id\":1},{\"id\":2}]", false), "a part");
    complete(e, 1, fixture_json("{\"int\":7}"));
    ok(part(e, 0, "[]", false), "an empty one");
    ok(part(e, 0, "[{\"id\":3}]", false), "another field in between");
    ok(!part(e, 0, "[{\"id\":4}]", true), "the last one");
    ok(!part(e, 0, "[{\"id\":5}]", true), "and no more");
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"all\":[{\"id\":\"1\"},{\"id\":\"2\"},{\"id\":\"3\"},"
           "{\"id\":\"4\"}],\"int\":7}}", "as if it had been written at once");

    e = start("{ all { id } }", "{}", FIXTURE_ARENA);
    ok(!part(e, 0, "[]", true), "nothing at all");
    is_str(finish(e, fixture_arena), "{\"data\":{\"all\":[]}}", "no items");

    e = start("{ all { id age } }", "{}", FIXTURE_ARENA);
    ok(part(e, 0, "[{\"id\":1,\"age\":1}]", false), "a part");
    ok(!part(e, 0, "[{\"id\":2,\"age\":\"x\"},null]", true), "with errors");
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"all\":[{\"id\":\"1\",\"age\":1},{\"id\":\"2\","
           "\"age\":null},null]},\"errors\":[{\"message\":\"Int cannot "
           "represent non-integer value: \\\"x\\\"\",\"locations\":"
           "[{\"line\":1,\"column\":12}],\"path\":[\"all\",1,\"age\"]}]}",
           "paths count through all parts");

    e = start("{ must { id } int }", "{}", FIXTURE_ARENA);
    ok(part(e, 0, "[{\"id\":1}]", false), "of items that must be");
    ok(!part(e, 0, "[null]", false), "one is not");
    complete(e, 1, fixture_json("{\"int\":7}"));
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"must\":null,\"int\":7},\"errors\":[{\"message\":"
           "\"Cannot return null for non-nullable field Query.must.\","
           "\"locations\":[{\"line\":1,\"column\":3}],\"path\":[\"must\",1]}]}",
           "the whole list is null");

    e = start("{ all { id } me { id } }", "{}", FIXTURE_ARENA);
    ok(part(e, 0, "[{\"id\":1}]", false), "a part");
    complete(e, 1, fixture_json("{\"me\":null}"));
    ok(!part(e, 0, "[{\"id\":2}]", false), "aborted by another field");
    answer = finish(e, fixture_arena);
    ok(memcmp(answer.data, "{\"data\":null,", 13) == 0, "data is null");

    e = start("{ all { id } int }", "{}", FIXTURE_ARENA);
    ok(part(e, 0, "[{\"id\":1}]", false), "a part");
    error = gql_execution_error(e, prompt_str("GONE"), prompt_str_absent,
                                "gone");
    result.kind = GQL_RESULT_ERROR;
    result.u.error = error;
    gql_execution_complete(e, 0, &result);
    complete(e, 1, fixture_json("{\"int\":7}"));
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"all\":null,\"int\":7},\"errors\":[{\"message\":"
           "\"gone\",\"locations\":[{\"line\":1,\"column\":3}],\"path\":"
           "[\"all\"],\"extensions\":{\"code\":\"GONE\"}}]}",
           "an error in place of what was begun");

    e = start("{ all { id } page(first: 1) { id } int }", "{}", 70);
    ok(part(e, 0, "[{\"id\":1}]", false), "within the limit");
    ok(part(e, 1, "[{\"id\":1}]", false), "which is one for all fields");
    ok(!part(e, 1, "[{\"id\":\"123456789012345678901234567890\"}]", false),
       "beyond it");
    ok(!part(e, 0, "[{\"id\":2}]", true), "the others go on");
    complete(e, 2, fixture_json("{\"int\":7}"));
    is_str(finish(e, fixture_arena),
           "{\"data\":{\"all\":[{\"id\":\"1\"},{\"id\":\"2\"}],\"page\":null,"
           "\"int\":7},\"errors\":[{\"message\":\"The answer would be larger "
           "than 70 bytes: ask for fewer fields, or page by page: page(first: "
           "…, after: …).\",\"locations\":[{\"line\":1,\"column\":14}],"
           "\"path\":[\"page\"],\"extensions\":{\"field\":\"first\","
           "\"reason\":\"TOO_LARGE\"}}]}",
           "the one that is too long is null");

    e = start("{ all { id } }", "{}", FIXTURE_ARENA);
    ok(part(e, 0, "[{\"id\":1}]", false), "left as it is");
    gql_execution_destroy(e);
}


static gql_step_t
begin(gql_execution_t *e, uint32_t i, const char *value)
{
    gql_result_t  result;

    memset(&result, 0, sizeof(result));

    result.kind = GQL_RESULT_OBJECT;
    result.u.object.handle = fixture_json(value);

    return gql_execution_begin(e, i, &result);
}


/* fields that pause take turns; errors stay in the order of the fields */
static void
test_turns(void)
{
    unsigned          turns;
    gql_step_t        a, b;
    gql_execution_t  *e;

    static const char  value[] = "{\"id\":1,\"friends\":[{\"age\":1},"
        "{\"age\":\"x\"},{\"grid\":[[1],[2,null]]}],\"age\":9}";

    fixture_reset(FIXTURE_ARENA);

    e = start("{ human(id: 1) { ...f } b: human(id: 2) { ...f } } fragment f "
              "on Human { id friends { age grid } age }", "{}",
              FIXTURE_ARENA);
    a = begin(e, 0, value);
    b = begin(e, 1, value);

    for (turns = 0; a == GQL_STEP_PAUSED || b == GQL_STEP_PAUSED; turns++) {

        if (b == GQL_STEP_PAUSED) {
            b = gql_execution_go_on(e, 1);
        }

        if (a == GQL_STEP_PAUSED) {
            a = gql_execution_go_on(e, 0);
        }
    }

    ok(pace == 0 ? turns == 0 : turns > 2, "they pause");

#define TURN  "{\"id\":\"1\",\"friends\":[{\"age\":1,\"grid\":null},"      \
        "{\"age\":null,\"grid\":null},{\"age\":null,\"grid\":null}],"      \
        "\"age\":9}"
#define TURN_ERRORS(name)                                                    \
        "{\"message\":\"Int cannot represent non-integer value: \\\"x\\\""  \
        "\",\"locations\":[{\"line\":1,\"column\":87}],\"path\":[\""         \
        name "\",\"friends\",1,\"age\"]},{\"message\":\"Cannot return "      \
        "null for non-nullable field Human.grid.\",\"locations\":[{\"line\""  \
        ":1,\"column\":91}],\"path\":[\"" name "\",\"friends\",2,"           \
        "\"grid\",1,1]}"

    is_str(finish(e, fixture_arena), "{\"data\":{\"human\":" TURN ",\"b\":"
           TURN "},\"errors\":[" TURN_ERRORS("human") "," TURN_ERRORS("b")
           "]}", "as if they had come one after the other");
}


/* null in place of what fills several pieces already */
static void
test_pieces(void)
{
    char             *text, *p;
    unsigned          i;
    prompt_str_t      answer;
    gql_execution_t  *e;

    enum { ITEMS = 1000, LONG = 1000 };

    fixture_reset(FIXTURE_ARENA);

    text = malloc(ITEMS * (LONG + 16) + 16);
    if (text == NULL) {
        fixture_die("memory");
    }

    p = text;
    *p++ = '[';

    for (i = 0; i < ITEMS; i++) {
        p += sprintf(p, "{\"id\":\"%0*u\"},", LONG, i);
    }

    strcpy(p, "null]");

    e = start("{ all { id } must { id } int }", "{}", FIXTURE_ARENA);
    ok(!part(e, 0, text, true), "a list of several pieces");
    ok(!part(e, 1, text, true), "one that ends with an error");
    complete(e, 2, fixture_json("{\"int\":7}"));
    answer = finish(e, fixture_arena);

    ok(answer.len > ITEMS * LONG && answer.len < ITEMS * (LONG + 11) + 300,
       "the one is there, the other is not");
    ok(strstr(answer.data, "999\"},null],\"must\":null,\"int\":7},"
              "\"errors\":[{\"message\":\"Cannot return null for "
              "non-nullable field Query.must.\"") != NULL,
       "cut where it began");

    free(text);
}


static void
test_memory(void)
{
    char              copy[4096];
    bool              sane;
    size_t            limit, answers;
    unsigned long     i, total;
    prompt_str_t      answer, whole;
    prompt_arena_t   *arena;

    fixture_reset(FIXTURE_ARENA);

    arena = prompt_arena_create(FIXTURE_ARENA);
    whole = run_all(arena);
    prompt_arena_destroy(arena);

    ok(whole.len > 100 && whole.len < sizeof(copy), "an answer with errors");

    if (whole.data == NULL || whole.len >= sizeof(copy)) {
        return;
    }

    memcpy(copy, whole.data, whole.len);

    answers = 0;
    sane = true;

    for (limit = 512; limit < 65536; limit += 32) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            continue;
        }

        answer = run_all(arena);

        if (answer.data != NULL) {
            answers++;
            sane = sane && memcmp(answer.data, "{\"data\":", 8) == 0
                   && answer.data[answer.len - 1] == '}';
        }

        prompt_arena_destroy(arena);
    }

    ok(sane && answers != 0, "little memory");

    if (!failing_malloc_works()) {
        skip(2, "this malloc does not fail");
        return;
    }

    total = 1;
    answers = 0;

    for (i = 0; i <= total; i++) {
        failing_malloc_reset(0);
        fixture_reset(FIXTURE_ARENA);
        (void) !prompt_arena_alloc(fixture_arena, 100000);
        failing_malloc_reset(i);

        arena = prompt_arena_create(FIXTURE_ARENA);

        if (arena != NULL) {
            answer = run_all(arena);
            prompt_arena_destroy(arena);

            if (answer.data != NULL) {
                answers++;
                sane = sane && memcmp(answer.data, "{\"data\":", 8) == 0;
            }

            if (i == 0) {
                sane = sane && answer.len == whole.len
                       && memcmp(answer.data, copy, whole.len) == 0;
            }
        }

        if (i == 0) {
            total = failing_malloc_count;
        }
    }

    failing_malloc_reset(0);
    ok(sane, "each allocation fails in turn");
    ok(total > 10 && answers >= 1, "there are some");
}


/* A list's text is told, and can stand in its place. */
static void
test_noted(void)
{
    prompt_str_t  answer;

    const char *const  document = "{ strings me { friends { id name } } }";
    const char *const  root =
        "{\"strings\":[\"a\\\"\",null],\"me\":{\"friends\":["
        "{\"id\":1,\"name\":\"n\"},{\"id\":2,\"name\":\"m\"}]}}";
    const char *const  want =
        "{\"data\":{\"strings\":[\"a\\\"\",null],\"me\":{\"friends\":["
        "{\"id\":\"1\",\"name\":\"n\"},{\"id\":\"2\",\"name\":\"m\"}]}}}";

    noted = true;
    nwritten = 0;

    is_str(run(document, "{}", root), want, "the answer is the same");
    is_int(nwritten, 2, "two lists were told");
    is_str(prompt_str_from(written), "[{\"id\":\"1\",\"name\":\"n\"},"
           "{\"id\":\"2\",\"name\":\"m\"}]", "as they stand there");

    run("{ strings }", "{}", "{\"strings\":[\"a\",{\"error\":\"E\"}]}");
    is_int(nwritten, 2, "not one with an error in it");

    run("{ me { friends { id } } }", "{}", "{\"me\":{\"friends\":[{}]}}");
    is_int(nwritten, 2, "nor one that is not written in the end");

    noted = false;
    given = prompt_str("[{\"id\":\"7\"}]");
    answer = run("{ me { friends { id } id } }", "{}",
                 "{\"me\":{\"id\":1,\"friends\":[]}}");
    given = prompt_str_absent;

    is_str(answer, "{\"data\":{\"me\":{\"friends\":[{\"id\":\"7\"}],"
           "\"id\":\"1\"}}}", "a text in place of a list");
}


int
main(void)
{
    size_t  i;

    fixture_init();

    for (pace = 0; pace < 3; pace++) {

        for (i = 0; i < sizeof(execute_cases) / sizeof(execute_cases[0]); i++)
        {
            is_str(run(execute_cases[i].document, execute_cases[i].variables,
                       execute_cases[i].root), execute_cases[i].want,
                   execute_cases[i].document);
        }

        test_order();
        test_limit();
        test_parts();
        test_turns();
        test_pieces();
        test_noted();
    }

    pace = 0;

    test_results();
    test_memory();

    fixture_done();

    return done_testing();
}
