/*
 * The engine: documents and plans that are found again, bounded, and alive
 * for as long as somebody holds them.
 */

#include "tap.h"
#include "graphql_fixture.h"
#include "failing_malloc.h"


static const gql_limits_t  open_limits = { .introspection = true };
static const gql_limits_t  closed_limits = { .introspection = false };
static const gql_limits_t  few_tokens = { .tokens = 5, .introspection = true };

static unsigned  compiled;
static bool      compile_result = true;


static bool
compile(void *data, gql_plan_t *plan)
{
    (void) data;

    compiled += plan->root != NULL;

    return compile_result;
}


static gql_prepared_t *
prepare(gql_engine_t *engine, const char *query)
{
    return gql_prepare(engine, &open_limits, prompt_str_from(query),
                       &fixture_errors);
}


static gql_engine_stats_t
stats(const gql_engine_t *engine)
{
    gql_engine_stats_t  s;

    gql_engine_stats(engine, &s);

    return s;
}


static const gql_operation_definition_t *
operation(const gql_prepared_t *prepared)
{
    return gql_prepared_operation(prepared, prompt_str_absent,
                                  &fixture_errors);
}


static const gql_plan_t *
plan(gql_prepared_t *prepared, const char *variables)
{
    return gql_prepared_plan(prepared, operation(prepared),
                             fixture_json(variables), &fixture_errors);
}


static void
test_cache(void)
{
    char                query[64];
    unsigned            i;
    gql_engine_t       *engine;
    gql_prepared_t     *a, *b, *c;
    const gql_plan_t   *first;

    fixture_reset(FIXTURE_ARENA);
    compiled = 0;

    engine = gql_engine_create(fixture_schema, 4, 1 << 20, compile, NULL);

    a = prepare(engine, "{ int }");
    b = prepare(engine, "{ int }");
    c = gql_prepare(engine, &few_tokens, prompt_str("{ int }"),
                    &fixture_errors);

    ok(a != NULL && b != NULL && c != NULL, "three references");
    is_int(stats(engine).hits, 1, "one hit");
    is_int(stats(engine).misses, 2, "limits are part of the key");
    is_int(stats(engine).entries, 2, "entries");
    ok(stats(engine).bytes > 1000, "bytes");
    is_str(fixture_errors.source, "{ int }", "what locations count in");

    first = plan(a, "{}");
    ok(first != NULL && plan(b, "{}") == first, "one plan for both");
    ok(plan(a, "{\"other\":true}") == first, "whatever else is given");
    ok(plan(c, "{}") != first, "and another for the other entry");
    is_int(compiled, 2, "the hook saw two");

    /* used last stays, the rest goes; what is referred to stays alive */

    for (i = 0; i < 3; i++) {
        snprintf(query, sizeof(query), "{ a%u: int }", i);
        gql_prepared_release(prepare(engine, query));
        gql_prepared_release(prepare(engine, "{ int }"));
    }

    is_int(stats(engine).entries, 4, "bounded in entries");
    ok(stats(engine).evictions > 0, "others went");
    is_str(first->root->fields[0].key, "int", "a plan that is held");

    i = (unsigned) stats(engine).misses;
    gql_prepared_release(prepare(engine, "{ int }"));
    is_int(stats(engine).misses, i, "used last");
    gql_prepared_release(prepare(engine, "{ a0: int }"));
    is_int(stats(engine).misses, i, "used lately");
    gql_prepared_release(gql_prepare(engine, &few_tokens,
                                     prompt_str("{ int }"), &fixture_errors));
    is_int(stats(engine).misses, i + 1, "used long ago");

    gql_prepared_release(a);
    gql_prepared_release(b);
    gql_prepared_release(c);
    gql_prepared_release(NULL);
    gql_engine_destroy(engine);
    gql_engine_destroy(NULL);

    /* bounded in bytes: nothing fits, everything works */

    engine = gql_engine_create(fixture_schema, 4, 1, compile, NULL);
    a = prepare(engine, "{ int }");
    is_int(stats(engine).entries, 0, "nothing is kept");
    is_int(stats(engine).bytes, 0, "no bytes");
    first = plan(a, "{}");
    ok(first != NULL && plan(a, "{}") == first, "but there is a plan");

    /* references outlive the engine */

    gql_engine_destroy(engine);
    is_str(first->root->fields[0].key, "int", "without an engine");
    gql_prepared_release(a);
}


static void
test_variants(void)
{
    char               variables[128];
    unsigned           i;
    gql_engine_t      *engine;
    gql_prepared_t    *a, *b;
    const gql_plan_t  *plans[32];

    static const char  query[] =
        "query ($a: Boolean = false, $b: Boolean = false, $c: Boolean = "
        "false, $d: Boolean = false) { int @skip(if: $a) string "
        "@skip(if: $b) id @skip(if: $c) float @skip(if: $d) }";

    fixture_reset(FIXTURE_ARENA);
    compiled = 0;

    engine = gql_engine_create(fixture_schema, 4, 1 << 20, compile, NULL);
    a = prepare(engine, query);

    for (i = 0; i < 16; i++) {
        snprintf(variables, sizeof(variables),
                 "{\"a\":%s,\"b\":%s,\"c\":%s,\"d\":%s}",
                 i & 1 ? "true" : "false", i & 2 ? "true" : "false",
                 i & 4 ? "true" : "false", i & 8 ? "true" : "false");
        plans[i] = plan(a, variables);
    }

    is_int(compiled, 16, "a plan for each outcome");
    ok(plans[15]->root->nfields == 0 && plans[0]->root->nfields == 4
       && plans[5]->root->nfields == 2, "all of them alive");

    b = prepare(engine, query);
    (void) plan(b, "{\"a\":false,\"b\":false,\"c\":false,\"d\":false}");
    is_int(compiled, 16, "the first are cached");
    (void) plan(b, "{\"a\":true,\"b\":true,\"c\":true,\"d\":true}");
    is_int(compiled, 17, "the last, for which all were in use, are not");

    gql_prepared_release(a);

    (void) plan(b, "{\"a\":true,\"b\":true,\"c\":true}");
    is_int(compiled, 18, "a variable that is not given is another outcome");
    (void) plan(b, "{\"a\":true,\"b\":true,\"c\":true}");
    is_int(compiled, 18, "which is kept where there is room again");

    gql_prepared_release(b);
    gql_engine_destroy(engine);
}


static void
test_operations(void)
{
    gql_engine_t    *engine;
    gql_prepared_t  *p;

    engine = gql_engine_create(fixture_schema, 4, 1 << 20, NULL, NULL);

    fixture_reset(FIXTURE_ARENA);
    p = prepare(engine, "query A { int } query B { string }");
    ok(operation(p) == NULL, "two operations and no name");
    is_str(fixture_message(&fixture_errors, 0), "Must provide operation name "
           "if query contains multiple operations.", "says so");
    ok(gql_prepared_operation(p, prompt_str("C"), &fixture_errors) == NULL,
       "an unknown name");
    is_str(fixture_message(&fixture_errors, 1),
           "Unknown operation named \"C\".", "says so");
    ok(gql_prepared_operation(p, prompt_str("B"), &fixture_errors) != NULL,
       "a known one");
    gql_prepared_release(p);

    fixture_reset(FIXTURE_ARENA);
    p = prepare(engine, "{ int }");
    ok(gql_prepared_operation(p, prompt_str(""), &fixture_errors) == NULL,
       "the empty name");
    is_str(fixture_message(&fixture_errors, 0),
           "Unknown operation named \"\".", "is a name");
    gql_prepared_release(p);

    gql_engine_destroy(engine);
}


static void
test_refusals(void)
{
    unsigned         i;
    prompt_buf_t     buf;
    gql_engine_t    *engine;
    gql_prepared_t  *p;

    engine = gql_engine_create(fixture_schema, 4, 1 << 20, compile, NULL);

    fixture_reset(FIXTURE_ARENA);
    ok(prepare(engine, "{ int ") == NULL, "syntax");
    is_str(fixture_message(&fixture_errors, 0),
           "Syntax Error: Expected Name, found <EOF>.", "says so");

    fixture_reset(FIXTURE_ARENA);
    ok(prepare(engine, "{ nope }") == NULL, "validation");
    is_str(fixture_message(&fixture_errors, 0),
           "Cannot query field \"nope\" on type \"Query\". Did you mean "
           "\"node\" or \"one\"?", "says so");

    fixture_reset(FIXTURE_ARENA);
    ok(gql_prepare(engine, &few_tokens, prompt_str("{ a b c d e f g }"),
                   &fixture_errors) == NULL, "tokens");
    is_str(fixture_message(&fixture_errors, 0), "Syntax Error: Document "
           "contains more that 5 tokens. Parsing aborted.", "says so");

    fixture_reset(FIXTURE_ARENA);
    ok(gql_prepare(engine, &closed_limits,
                   prompt_str("{ __typename __schema { types { name } } }"),
                   &fixture_errors) == NULL, "introspection");
    is_str(fixture_message(&fixture_errors, 0), "GraphQL introspection has "
           "been disabled, but the requested query contained the field "
           "\"__schema\".", "says so");

    fixture_reset(FIXTURE_ARENA);
    p = gql_prepare(engine, &closed_limits, prompt_str("{ __typename }"),
                    &fixture_errors);
    ok(p != NULL, "but __typename is allowed");
    gql_prepared_release(p);

    is_int(stats(engine).entries, 1, "what was refused is not kept");

    /* a hook without memory */

    fixture_reset(FIXTURE_ARENA);
    p = prepare(engine, "{ int }");
    compile_result = false;
    ok(plan(p, "{}") == NULL && fixture_errors.nomem, "the hook failed");
    compile_result = true;
    fixture_reset(FIXTURE_ARENA);
    ok(plan(p, "{}") != NULL, "and does not the next time");
    gql_prepared_release(p);

    /* a plan that is larger than its document allows */

    fixture_reset(FIXTURE_ARENA);
    prompt_buf_init(&buf, FIXTURE_ARENA);
    prompt_buf_literal(&buf, "{ me { ...F0 } } ");

    for (i = 0; i < 16; i++) {
        prompt_buf_printf(&buf, "fragment F%u on Human { a: best { ...F%u } "
                          "b: best { ...F%u } } ", i, i + 1, i + 1);
    }

    prompt_buf_literal(&buf, "fragment F16 on Human { id }");

    p = gql_prepare(engine, &open_limits, prompt_buf_view(&buf),
                    &fixture_errors);

    if (p != NULL) {
        ok(plan(p, "{}") == NULL && !fixture_errors.nomem, "a huge plan");
        ok(fixture_message(&fixture_errors, 0).len > 20, "says so");
    } else {
        ok(fixture_errors.count != 0, "a huge plan");
        ok(fixture_message(&fixture_errors, 0).len > 20, "says so");
    }

    gql_prepared_release(p);
    prompt_buf_free(&buf);
    gql_engine_destroy(engine);
}


/* where graphql-js says "Validation aborted." it is said what for */
static void
test_budgets(void)
{
    unsigned         i;
    prompt_buf_t     buf;
    gql_engine_t    *engine;
    gql_prepared_t  *p;

    engine = gql_engine_create(fixture_schema, 4, 1 << 20, compile, NULL);

    fixture_reset(FIXTURE_ARENA);
    prompt_buf_init(&buf, FIXTURE_ARENA);
    prompt_buf_char(&buf, '{');

    for (i = 0; i < 400; i++) {
        prompt_buf_literal(&buf, " int");
    }

    prompt_buf_literal(&buf, " }");

    p = gql_prepare(engine, &open_limits, prompt_buf_view(&buf),
                    &fixture_errors);
    ok(p != NULL, "a field, 400 times");
    gql_prepared_release(p);
    buf.len -= 2;

    for (i = 0; i < 100; i++) {
        prompt_buf_literal(&buf, " int");
    }

    prompt_buf_literal(&buf, " }");

    ok(gql_prepare(engine, &open_limits, prompt_buf_view(&buf),
                   &fixture_errors) == NULL, "a field, 500 times");
    is_int(fixture_errors.count, 1, "one error");
    is_str(fixture_message(&fixture_errors, 0), "Document is too complex: it "
           "needs more than 200000 comparisons of fields to be validated.",
           "says so");
    prompt_buf_free(&buf);

    fixture_reset(FIXTURE_ARENA);
    prompt_buf_init(&buf, FIXTURE_ARENA);

    for (i = 0; i < 300; i++) {
        prompt_buf_printf(&buf, "query q%u { ...F0 } fragment F%u on Query { "
                          "...F%u } ", i, i, i + 1);
    }

    prompt_buf_literal(&buf, "fragment F300 on Query { int }");

    for (i = 0; i < 300; i++) {
        prompt_buf_printf(&buf, "query r%u { ...F%u }", i, i);
    }

    ok(gql_prepare(engine, &open_limits, prompt_buf_view(&buf),
                   &fixture_errors) == NULL, "operations times fragments");
    is_int(fixture_errors.count, 1, "one error");
    is_str(fixture_message(&fixture_errors, 0), "Document is too complex: it "
           "needs more than 50000 steps through fragments to be validated.",
           "says so");
    prompt_buf_free(&buf);

    gql_engine_destroy(engine);
}


static void
test_memory(void)
{
    bool             sane;
    unsigned long    i, total;
    gql_engine_t    *engine;
    gql_prepared_t  *p;

    static const char  query[] =
        "query ($s: Boolean = true) { me { ...F id @skip(if: $s) } } "
        "fragment F on Human { name best { id } }";

    if (!failing_malloc_works()) {
        skip(2, "this malloc does not fail");
        return;
    }

    p = NULL;
    sane = true;
    total = 1;

    for (i = 0; i <= total && sane; i++) {
        failing_malloc_reset(0);
        fixture_reset(FIXTURE_ARENA);
        (void) !prompt_arena_alloc(fixture_arena, 1000000);
        failing_malloc_reset(i);

        engine = gql_engine_create(fixture_schema, 4, 1 << 20, NULL, NULL);

        if (engine != NULL) {
            p = prepare(engine, query);

            if (p != NULL) {
                sane = sane && (plan(p, "{\"s\":true}") != NULL
                                || fixture_errors.nomem);
            } else {
                sane = sane && fixture_errors.nomem;
            }

            gql_prepared_release(p);
            gql_engine_destroy(engine);
        }

        if (i == 0) {
            total = failing_malloc_count;
            sane = sane && !fixture_errors.nomem && p != NULL;
        }
    }

    failing_malloc_reset(0);
    ok(sane, "each allocation fails in turn");
    ok(total > 10, "there are some");
}


int
main(void)
{
    fixture_init();

    test_cache();
    test_variants();
    test_operations();
    test_refusals();
    test_budgets();
    test_memory();

    fixture_done();

    return done_testing();
}
