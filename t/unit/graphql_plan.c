/*
 * Plans: collecting and merging, conditions, and what is refused.
 */

#include "tap.h"
#include "graphql_fixture.h"
#include "failing_malloc.h"


/* a document, its variables, and its plan as show() writes it */
typedef struct {
    const char  *document;
    const char  *variables;
    const char  *want;
} plan_case_t;


static const plan_case_t  plan_cases[] = {
    { "{ me { id name } }", "{}", "me{Human:id name}" },
    { "{ me { id } me { name id } }", "{}", "me*2{Human:id*2 name}" },
    { "{ a: me { id } me { id } }", "{}", "a{Human:id} me{Human:id}" },
    { "{ me { ...F name ...F } } fragment F on Human { id best { id } }",
      "{}", "me{Human:id best{Human:id} name}" },
    { "{ me { ... { id } ... on Human { name } ... on Robot { serial } } }",
      "{}", "me{Human:id name}" },
    { "{ me { ... on Node { id } ... on Thing { __typename } } }", "{}",
      "me{Human:id __typename}" },
    { "{ node(id: 1) { id ... on Human { name } ... on Robot { id serial } "
      "} }", "{}", "node{Human:id name}{Robot:id*2 serial}" },
    { "{ things { __typename ... on Robot { owner { id } } } }", "{}",
      "things{Human:__typename}{Robot:__typename owner{Human:id}}" },
    { "{ me { best { id } ...F } } fragment F on Human { best { name "
      "best { id } } }", "{}",
      "me{Human:best*2{Human:id name best{Human:id}}}" },
    { "{ me { id @skip(if: true) name @include(if: false) age } }", "{}",
      "me{Human:age}" },
    { "query ($s: Boolean!, $i: Boolean!) { me { id @skip(if: $s) "
      "name @include(if: $i) age @skip(if: $s) @include(if: $i) } }",
      "{\"s\":false,\"i\":true}", "me{Human:id name age}" },
    { "query ($s: Boolean!, $i: Boolean!) { me { id @skip(if: $s) "
      "name @include(if: $i) age @skip(if: $s) @include(if: $i) } }",
      "{\"s\":true,\"i\":true}", "me{Human:name}" },
    { "query ($s: Boolean) { me { ... @include(if: $s) { id } ...F "
      "@skip(if: $s) } } fragment F on Human { name }", "{\"s\":true}",
      "me{Human:id}" },
    { "{ me @skip(if: true) { id } }", "{}", "" },
    { "query ($s: Boolean) { me { id } int @skip(if: $s) }", "{}",
      "!Argument \"if\" of required type \"Boolean!\" was provided the "
      "variable \"$s\" which was not provided a runtime value." },
    { "query ($s: Boolean) { me { id @skip(if: $s) } int }",
      "{\"s\":null}", "me{Human:!Argument \"if\" of non-null type "
      "\"Boolean!\" must not be null.} int" },
    { "{ nope me { nope id ...Unknown ... on Unknown { age } } }", "{}",
      "me{Human:id}" },
    { "{ __typename __schema { queryType { name } } "
      "__type(name: \"A\") { kind } }", "{}",
      "__typename __schema{__Schema:queryType{__Type:name}} "
      "__type{__Type:kind}" },
    { "mutation { first second }", "{}", "first second" },
    { "subscription { first }", "{}",
      "!Schema is not configured to execute subscription operation." },
};


static void
show(prompt_buf_t *buf, const gql_plan_selection_t *selection)
{
    uint32_t                 i, j;
    const gql_plan_field_t  *field;

    if (selection->invalid != NULL) {
        prompt_buf_char(buf, '!');
        prompt_buf_str(buf, selection->invalid->message);
        return;
    }

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];

        if (i != 0) {
            prompt_buf_char(buf, ' ');
        }

        prompt_buf_str(buf, field->key);

        if (field->noffsets > 1) {
            prompt_buf_printf(buf, "*%u", field->noffsets);
        }

        for (j = 0; j < field->nselections; j++) {
            prompt_buf_char(buf, '{');
            prompt_buf_str(buf, field->selections[j]->type->name);
            prompt_buf_char(buf, ':');
            show(buf, field->selections[j]);
            prompt_buf_char(buf, '}');
        }
    }
}


static gql_plan_t *
compile(const char *text, const char *variables)
{
    gql_document_t  *document;

    document = fixture_parse(text);
    if (document == NULL) {
        fixture_die("a document that does not parse");
    }

    return gql_plan_compile(fixture_arena, fixture_schema, document,
                            fixture_operation(document),
                            fixture_json(variables), &fixture_errors);
}


static void
test_plan(const plan_case_t *t)
{
    gql_plan_t    *plan;
    prompt_buf_t   buf;

    fixture_reset(FIXTURE_ARENA);

    plan = compile(t->document, t->variables);
    if (plan == NULL) {
        ok(false, t->document);
        return;
    }

    prompt_buf_init(&buf, FIXTURE_ARENA);
    show(&buf, plan->root);
    is_str(prompt_buf_view(&buf), t->want, t->document);
    prompt_buf_free(&buf);
}


static void
test_fields(void)
{
    gql_plan_t              *plan;
    const gql_plan_field_t  *fields;

    fixture_reset(FIXTURE_ARENA);

    plan = compile("query ($n: String) { me { x: greet(name: $n) "
                   "y: greet greet(name: \"a\", point: {x: 1}) id "
                   "z: greet(point: 5) } __typename }", "{}");

    is_int(plan->nfields, 7, "fields are counted");
    is_str(plan->root->fields[0].json_key, "\"me\":", "key as JSON");
    ok(plan->root->fields[0].json_key.data[-1] == ',', "a comma before it");
    ok(plan->root->fields[0].parent == NULL, "a root field has no parent");
    is_int(plan->root->fields[1].kind, GQL_PLAN_TYPENAME, "__typename");
    ok(gql_field_is_meta(&plan->root->fields[1]), "is the engine's");

    fields = plan->root->fields[0].selections[0]->fields;

    ok(fields[0].parent == &plan->root->fields[0], "parent");
    ok(fields[0].arguments == NULL, "arguments that need variables");
    is_str(fixture_text(fields[1].arguments), "{\"name\":\"you\"}",
           "defaults");
    is_str(fixture_text(fields[2].arguments),
           "{\"name\":\"a\",\"point\":{\"x\":1,\"y\":2}}", "constants");
    is_str(fixture_text(fields[3].arguments), "{}", "no arguments");
    ok(fields[4].arguments == NULL, "arguments that are invalid");
}


static void
test_conditions(void)
{
    int                n;
    gql_document_t    *document;
    prompt_str_t      *names;

    fixture_reset(FIXTURE_ARENA);

    document = fixture_parse(
        "query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) {"
        " me @skip(if: $b) { ...F @include(if: $a) ... @skip(if: $b) { id }"
        " id @include(if: true) greet(name: $d) } }"
        " fragment F on Human { best @skip(if: $c) { ...F } }"
        " fragment G on Human { best @skip(if: $d) { ...F } }");

    n = gql_conditions(fixture_arena, document, fixture_operation(document),
                       &names);
    is_int(n, 3, "conditions");
    is_str(names[0], "b", "in their order");
    is_str(names[1], "a", "each once");
    is_str(names[2], "c", "those of fragments");
}


/* count times text, between head and tail */
static char *
repeat(const char *head, const char *text, unsigned count, const char *tail)
{
    unsigned       i;
    prompt_buf_t   buf;

    prompt_buf_init(&buf, FIXTURE_ARENA);
    prompt_buf_str(&buf, prompt_str_from(head));

    for (i = 0; i < count; i++) {
        prompt_buf_str(&buf, prompt_str_from(text));
    }

    prompt_buf_str(&buf, prompt_str_from(tail));
    prompt_buf_char(&buf, '\0');

    if (buf.status != PROMPT_BUF_OK) {
        fixture_die("no memory");
    }

    return buf.data;
}


static void
test_hostile(void)
{
    char           *text, *more;
    unsigned        i;
    gql_plan_t     *plan;
    prompt_buf_t    buf;

    /* a fragment that contains itself below a field */

    fixture_reset(FIXTURE_ARENA);
    plan = compile("{ me { ...F } } fragment F on Human { best { ...F } }",
                   "{}");
    ok(plan == NULL, "a fragment without end");
    is_str(fixture_message(&fixture_errors, 0),
           "Operation is nested too deeply: fields more than 512 deep.",
           "is too deep");

    fixture_reset(FIXTURE_ARENA);
    text = repeat("{ me { ", "best { ", 400, "id ");
    more = repeat(text, "} ", 402, "");
    plan = compile(more, "{}");
    ok(plan != NULL, "400 levels are fine");
    free(text);
    free(more);

    /* fragments that double each other */

    fixture_reset(FIXTURE_ARENA);
    prompt_buf_init(&buf, FIXTURE_ARENA);
    prompt_buf_literal(&buf, "{ me { ...F0 } } ");

    for (i = 0; i < 40; i++) {
        prompt_buf_printf(&buf, "fragment F%u on Human { a: best { ...F%u } "
                          "b: best { ...F%u } } ", i, i + 1, i + 1);
    }

    prompt_buf_literal(&buf, "fragment F40 on Human { id }");
    prompt_buf_char(&buf, '\0');

    plan = compile(buf.data, "{}");
    ok(plan == NULL, "fragments that double each other");
    is_str(fixture_message(&fixture_errors, 0), "Operation is too complex: "
           "its fragments multiply each other.", "are too complex");

    /* and where the arena ends before the work does */

    fixture_reset(128 * 1024);
    plan = compile(buf.data, "{}");
    ok(plan == NULL && fixture_errors.nomem, "and too large for the arena");
    prompt_buf_free(&buf);

    /* a chain of fragments */

    for (i = 900; i <= 2000; i += 1100) {
        fixture_reset(FIXTURE_ARENA);
        prompt_buf_literal(&buf, "{ me { ...F0 } } ");

        for (unsigned j = 0; j < i; j++) {
            prompt_buf_printf(&buf, "fragment F%u on Human { ...F%u } ", j,
                              j + 1);
        }

        prompt_buf_printf(&buf, "fragment F%u on Human { id }", i);
        prompt_buf_char(&buf, '\0');
        plan = compile(buf.data, "{}");
        ok((plan != NULL) == (i == 900), "a chain of fragments");
        prompt_buf_free(&buf);
    }

    /* many response keys */

    fixture_reset(FIXTURE_ARENA);
    prompt_buf_literal(&buf, "{ ");

    for (i = 0; i < 20000; i++) {
        prompt_buf_printf(&buf, "a%u: int ", i);
    }

    prompt_buf_literal(&buf, "}");
    prompt_buf_char(&buf, '\0');
    plan = compile(buf.data, "{}");
    is_int(plan != NULL ? plan->root->nfields : 0, 20000, "many fields");
    prompt_buf_free(&buf);
}


static const char  memory_document[] =
    "query ($s: Boolean!) { me { ...F best { ...F } } things { ...F "
    "... on Robot { owner { ...F } } } } fragment F on Human { id "
    "name @skip(if: $s) greet(name: \"a\", point: {x: 1}) }";


static void
test_memory(void)
{
    bool             sane;
    size_t           limit;
    unsigned long    i, total;
    gql_plan_t      *plan;
    gql_errors_t     errors;
    prompt_str_t    *names;
    prompt_json_t   *variables;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    fixture_reset(FIXTURE_ARENA);
    document = fixture_parse(memory_document);
    variables = fixture_json("{\"s\":false}");
    sane = true;

    for (limit = 512; limit < 32768; limit += 16) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            continue;
        }

        gql_errors_init(&errors, arena, document->source, 0);
        plan = gql_plan_compile(arena, fixture_schema, document,
                                fixture_operation(document), variables,
                                &errors);
        sane = sane && (plan != NULL) == !errors.nomem;
        prompt_arena_destroy(arena);
    }

    ok(sane, "little memory");

    if (!failing_malloc_works()) {
        skip(2, "this malloc does not fail");
        return;
    }

    failing_malloc_reset(0);
    total = 1;

    for (i = 0; i <= total && sane; i++) {
        failing_malloc_reset(i);

        arena = prompt_arena_create(FIXTURE_ARENA);
        if (arena != NULL) {
            gql_errors_init(&errors, arena, document->source, 0);
            plan = gql_plan_compile(arena, fixture_schema, document,
                                    fixture_operation(document), variables,
                                    &errors);
            sane = sane && (plan != NULL) == !errors.nomem
                   && (i != 0 || plan != NULL);

            if (gql_conditions(arena, document, fixture_operation(document),
                               &names) != 1)
            {
                sane = sane && i != 0;
            }

            prompt_arena_destroy(arena);
        }

        if (i == 0) {
            total = failing_malloc_count;
        }

        sane = sane && failing_malloc_blocks == 0;
    }

    failing_malloc_reset(0);
    ok(sane, "each allocation fails in turn");
    ok(total > 5, "there are some");
}


int
main(void)
{
    size_t  i;

    fixture_init();

    for (i = 0; i < sizeof(plan_cases) / sizeof(plan_cases[0]); i++) {
        test_plan(&plan_cases[i]);
    }

    test_fields();
    test_conditions();
    test_hostile();
    test_memory();

    fixture_done();

    return done_testing();
}
