/*
 * What the GraphQL engine costs, in nanoseconds of one core, and as a ratio
 * of what the same answer costs when it is only copied.
 *
 *     cc -O2 -Isrc -o graphql t/bench/graphql.c build/libprompt-core.a -lm
 *
 * prepare   a document: parsed, validated and planned; then found again
 * complete  250 rows of 8 fields, strings of 5 to 60 bytes, numbers, enums
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/service_schema.h"
#include "graphql/values/values.h"


#define BENCH_ARENA  (16 * 1024 * 1024)
#define BENCH_ROWS   250
#define BENCH_TIME   300000000       /* ns for each number */


static const char  bench_query[] =
    "query List($first: Int, $category: PromptCategory) {\n"
    "  prompts(first: $first, category: $category) {\n"
    "    ...P\n    createdBy { id email }\n  }\n}\n"
    "fragment P on Prompt {\n"
    "  id name description category isPublic createdAt\n}\n";

static const gql_limits_t  bench_limits = { .introspection = true };

/* volatile: not optimized away */
static volatile size_t  bench_sink;


static double
bench_now(void)
{
    struct timespec  ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);

    return (double) ts.tv_sec * 1e9 + (double) ts.tv_nsec;
}


static void
bench_field(gql_execution_t *e, void *data, const gql_plan_field_t *field,
    void *parent, const prompt_json_t *arguments, gql_result_t *out)
{
    (void) e;
    (void) parent;
    (void) arguments;

    switch ((int) (intptr_t) field->def->data) {

    case 1:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("0192d3e4-5f60-7a1b-8c2d-3e4f50617283");
        break;

    case 2:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("summarize-customer-feedback");
        break;

    case 3:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("Condenses what customers wrote, \"as is\", "
                                 "to a paragraph.");
        break;

    case 4:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("SUMMARIZATION");
        break;

    case 5:
        out->kind = GQL_RESULT_BOOLEAN;
        out->u.boolean = true;
        break;

    case 6:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("2026-11-21T03:46:13.123Z");
        break;

    case 7:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("ada@example.org");
        break;

    case 8:
        out->kind = GQL_RESULT_OBJECT;
        out->u.object.handle = data;
        out->u.object.type = NULL;
        break;

    default:
        out->kind = GQL_RESULT_LIST;
        out->u.list.handle = data;
        out->u.list.count = BENCH_ROWS;
        break;
    }
}


static void
bench_item(gql_execution_t *e, void *data, const gql_plan_field_t *field,
    void *list, uint32_t index, gql_result_t *out)
{
    (void) e;
    (void) field;
    (void) list;
    (void) index;

    out->kind = GQL_RESULT_OBJECT;
    out->u.object.handle = data;
    out->u.object.type = NULL;
}


static const gql_resolver_t  bench_resolver = {
    bench_field, bench_item, NULL
};


/* numbers the fields, so that the resolver costs next to nothing */
static void
bench_number(const gql_schema_t *schema)
{
    size_t            i;
    gql_field_def_t  *field;

    static const struct {
        const char  *type, *field;
        int          number;
    } fields[] = {
        { "Prompt", "id", 1 }, { "Prompt", "name", 2 },
        { "Prompt", "description", 3 }, { "Prompt", "category", 4 },
        { "Prompt", "isPublic", 5 }, { "Prompt", "createdAt", 6 },
        { "Prompt", "createdBy", 8 }, { "User", "id", 1 },
        { "User", "email", 7 },
    };

    for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        field = gql_type_field(gql_schema_type(schema,
                                               prompt_str_from(fields[i].type)),
                               prompt_str_from(fields[i].field));
        field->data = (void *) (intptr_t) fields[i].number;
    }
}


static void
bench_die(const char *why)
{
    fprintf(stderr, "graphql: %s\n", why);
    exit(1);
}


/* one reference to the document and its plan, and back */
static void
bench_prepare(gql_engine_t *engine, prompt_arena_t *arena, bool plan)
{
    gql_errors_t                       errors;
    gql_prepared_t                    *prepared;
    const gql_operation_definition_t  *operation;

    gql_errors_init(&errors, arena, prompt_str(""), 0);

    prepared = gql_prepare(engine, &bench_limits, prompt_str(bench_query),
                           &errors);
    if (prepared == NULL) {
        bench_die("not prepared");
    }

    operation = gql_prepared_operation(prepared, prompt_str_absent, &errors);

    if (plan && gql_prepared_plan(prepared, operation, NULL, &errors) == NULL)
    {
        bench_die("not planned");
    }

    gql_prepared_release(prepared);
}


static double
bench_prepare_time(gql_engine_t *engine, bool plan)
{
    double           start, end;
    unsigned         i, n;
    prompt_arena_t  *arena;

    n = 0;
    start = bench_now();

    do {
        arena = prompt_arena_create(BENCH_ARENA);

        for (i = 0; i < 1000; i++) {
            bench_prepare(engine, arena, plan);
        }

        n += i;
        prompt_arena_destroy(arena);
        end = bench_now();

    } while (end - start < BENCH_TIME);

    return (end - start) / n;
}


/* the whole answer; its length */
static size_t
bench_execute(const gql_plan_t *plan)
{
    size_t               i, n, len;
    gql_result_t         result;
    prompt_arena_t      *arena;
    gql_execution_t     *e;
    const prompt_str_t  *pieces;

    arena = prompt_arena_create(BENCH_ARENA);
    e = arena != NULL ? gql_execution_create(arena, plan, NULL,
                                             &bench_resolver, arena,
                                             BENCH_ARENA)
                      : NULL;
    if (e == NULL) {
        bench_die("no memory");
    }

    bench_field(e, arena, &plan->root->fields[0], NULL, NULL, &result);
    gql_execution_complete(e, 0, &result);

    n = gql_execution_finish(e, prompt_str_absent, &pieces);
    len = 0;

    for (i = 0; i < n; i++) {
        len += pieces[i].len;
    }

    if (gql_execution_errors(e)->count != 0 || n == 0) {
        bench_die("an answer with errors");
    }

    gql_execution_destroy(e);
    prompt_arena_destroy(arena);

    return len;
}


/*
 * The floor: the same number of bytes, appended in pieces of the size of a
 * field to a buffer that grows.
 */
static double
bench_copy_time(size_t len, size_t piece)
{
    size_t         i;
    double         start, end;
    unsigned       n;
    prompt_buf_t   buf;

    static const char  text[256];

    n = 0;
    start = bench_now();

    do {
        prompt_buf_init(&buf, BENCH_ARENA);

        for (i = 0; i < len; i += piece) {
            prompt_buf_append(&buf, text, piece);
        }

        bench_sink += buf.len;
        prompt_buf_free(&buf);
        n++;
        end = bench_now();

    } while (end - start < BENCH_TIME);

    return (end - start) / n;
}


int
main(void)
{
    double             start, end, miss, hit, found, whole, copy;
    size_t             len, fields;
    unsigned           n;
    gql_errors_t       errors;
    gql_engine_t      *engine, *none;
    prompt_arena_t    *arena;
    gql_prepared_t    *prepared;
    const gql_plan_t  *plan;

    arena = prompt_arena_create(BENCH_ARENA);
    if (arena == NULL) {
        bench_die("no memory");
    }

    gql_errors_init(&errors, arena, prompt_str(""), 0);

    engine = gql_engine_create(&gql_service_schema, 100, BENCH_ARENA, NULL,
                               NULL);
    none = gql_engine_create(&gql_service_schema, 0, 0, NULL, NULL);

    if (engine == NULL || none == NULL) {
        bench_die("no engine");
    }

    bench_number(&gql_service_schema);

    miss = bench_prepare_time(none, true);
    hit = bench_prepare_time(engine, false);
    found = bench_prepare_time(engine, true);

    printf("prepare, not found  %8.0f ns\n", miss);
    printf("prepare, found      %8.0f ns   1/%.0f\n", hit, miss / hit);
    printf("  with its plan     %8.0f ns   1/%.0f\n", found, miss / found);

    prepared = gql_prepare(engine, &bench_limits, prompt_str(bench_query),
                           &errors);
    plan = gql_prepared_plan(prepared,
                             gql_prepared_operation(prepared,
                                                    prompt_str_absent,
                                                    &errors),
                             NULL, &errors);

    fields = BENCH_ROWS * 8;
    n = 0;
    len = bench_execute(plan);
    start = bench_now();

    do {
        bench_sink += bench_execute(plan);
        n++;
        end = bench_now();

    } while (end - start < BENCH_TIME);

    whole = (end - start) / n;
    copy = bench_copy_time(len, len / fields / 2);

    printf("complete, %u rows  %8.0f ns   %zu bytes, %.1f ns a field\n",
           BENCH_ROWS, whole, len, whole / (double) fields);
    printf("  copied            %8.0f ns   %.2f times that\n", copy,
           whole / copy);

    gql_prepared_release(prepared);
    gql_engine_destroy(engine);
    gql_engine_destroy(none);
    prompt_arena_destroy(arena);

    return 0;
}
