/*
 * Checks of datasets: what may be stored, and what they say of an output.
 */

#include "prompt/checks.h"

#include "tap.h"


static prompt_arena_t  *arena;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, prompt_str_from(text), 200, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_NULL);
    }

    return value;
}


/* field == NULL: accepted; else what the message is, too */
static void
checks(const char *text, const char *field, const char *message)
{
    prompt_check_t   rc;
    prompt_fault_t   fault;
    prompt_checks_t  compiled;

    fault.field = prompt_str_absent;
    fault.message = prompt_str_absent;

    rc = prompt_checks_compile(arena, json(text), &compiled, &fault);

    is_str(fault.field, field, text);

    if ((rc == PROMPT_CHECK_OK) != (field == NULL)) {
        ok(false, "result and field");
    }

    if (message != NULL) {
        is_str(fault.message, message, text);
    }
}


/* the first of these, of an output that took 1,200 ms and cost 0.0125 */
static void
score(const char *text, const char *output, const char *expected,
    prompt_score_t want)
{
    prompt_fault_t    fault;
    prompt_checks_t   compiled;
    prompt_checked_t  of;

    if (prompt_checks_compile(arena, json(text), &compiled, &fault)
        != PROMPT_CHECK_OK)
    {
        diag("%.*s", prompt_str_arg(fault.message));
        ok(false, text);
        return;
    }

    memset(&of, 0, sizeof(prompt_checked_t));

    of.arena = arena;
    of.cost_usd = prompt_str("0.0125");
    of.latency_ms = 1200;

    if (output != NULL) {
        of.output = prompt_str_from(output);
    }

    if (expected != NULL) {
        of.expected = prompt_str_from(expected);
    }

    is_int(prompt_checks_score(&compiled.list[0], &of), want, text);
    is_int(prompt_checks_score(&compiled.list[0], &of), want, "once more");
}


static void
test_form(void)
{
    char    *many, *p;
    size_t   i;

    checks("[]", NULL, NULL);
    checks("{}", "checks", "checks must be an array of at most 64 objects");
    checks("[1]", "checks.0", "checks.0 must be a JSON object");
    checks("[{}]", "checks.0.name", "checks.0.name must be a string");
    checks("[{\"name\":\"a\"}]", "checks.0.type",
           "checks.0.type must be equals, contains, json_equals, regex, "
           "json_schema, max_cost, max_latency or judge");
    checks("[{\"name\":\"a\",\"type\":\"EQUALS\"}]", "checks.0.type", NULL);
    checks("[{\"name\":\"\",\"type\":\"equals\"}]", "checks.0.name",
           "checks.0.name must not be empty or blank");
    checks("[{\"name\":\"a\",\"type\":\"equals\"},"
           "{\"name\":\"b\",\"type\":\"equals\"},"
           "{\"name\":\"a\",\"type\":\"contains\"}]", "checks.2.name",
           "checks.2.name is that of another check");
    checks("[{\"name\":\"a\",\"type\":\"equals\",\"pattern\":\"a\"}]",
           "checks.0.pattern",
           "checks.0.pattern is no member of a check of type equals");
    checks("[{\"name\":\"a\",\"type\":\"equals\",\"what\":1}]", "checks.0.what",
           NULL);

    checks("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"a.b.0\"}]", NULL,
           NULL);
    checks("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"\"}]",
           "checks.0.path", "checks.0.path must be a string of 1 to 256 bytes");
    checks("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"a..b\"}]",
           "checks.0.path", "checks.0.path must be names or numbers with dots "
           "between them");
    checks("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\".a\"}]",
           "checks.0.path", NULL);
    checks("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"a.\"}]",
           "checks.0.path", NULL);
    checks("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":1,\"path\":\"a\"}]",
           "checks.0.path", NULL);
    checks("[{\"name\":\"a\",\"type\":\"contains\",\"value\":\"\"}]",
           "checks.0.value", "checks.0.value must not be empty");

    checks("[{\"name\":\"a\",\"type\":\"regex\"}]", "checks.0.pattern",
           "checks.0.pattern must be given");
    checks("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":1}]",
           "checks.0.pattern", NULL);
    checks("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"(\"}]",
           "checks.0.pattern", NULL);
    checks("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"(a)\\\\1\"}]",
           "checks.0.pattern", NULL);
    checks("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"(a{90}){90}\"},"
           "{\"name\":\"b\",\"type\":\"regex\",\"pattern\":\"(a{90}){90}\"},"
           "{\"name\":\"c\",\"type\":\"regex\",\"pattern\":\"(a{90}){90}\"}]",
           "checks.2.pattern", NULL);

    checks("[{\"name\":\"a\",\"type\":\"json_schema\"}]", "checks.0.schema",
           NULL);
    checks("[{\"name\":\"a\",\"type\":\"json_schema\",\"schema\":true}]",
           "checks.0.schema", "checks.0.schema must be a JSON object");
    checks("[{\"name\":\"a\",\"type\":\"json_schema\",\"schema\":"
           "{\"properties\":{\"b\":{\"type\":\"x\"}}}}]",
           "checks.0.schema.properties.b.type", NULL);

    checks("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"(a{90}){90}\"},"
           "{\"name\":\"b\",\"type\":\"json_schema\",\"schema\":"
           "{\"pattern\":\"(a{90}){90}\"}},"
           "{\"name\":\"c\",\"type\":\"json_schema\",\"schema\":"
           "{\"pattern\":\"(a{90}){90}\"}}]", "checks.2.schema.pattern", NULL);

    checks("[{\"name\":\"a\",\"type\":\"max_cost\"}]", "checks.0.usd", NULL);
    checks("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":-1}]",
           "checks.0.usd", NULL);
    checks("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":\"1 USD\"}]",
           "checks.0.usd", NULL);
    checks("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":\"0.05\"}]", NULL,
           NULL);
    checks("[{\"name\":\"a\",\"type\":\"max_latency\",\"ms\":1.5}]",
           "checks.0.ms", NULL);
    checks("[{\"name\":\"a\",\"type\":\"max_latency\",\"ms\":2147483648}]",
           "checks.0.ms", NULL);
    checks("[{\"name\":\"a\",\"type\":\"judge\"}]", "checks.0.promptId", NULL);
    checks("[{\"name\":\"a\",\"type\":\"judge\",\"promptId\":\"j\","
           "\"label\":\"Production\"}]", "checks.0.label", NULL);
    checks("[{\"name\":\"a\",\"type\":\"judge\",\"promptId\":\"j\","
           "\"label\":\"production\"}]", NULL, NULL);

    many = prompt_arena_alloc(arena, 65 * 64);
    p = many;

    for (i = 0; i < 65; i++) {
        p += sprintf(p, "%c{\"name\":\"n%zu\",\"type\":\"equals\"}",
                     i == 0 ? '[' : ',', i);
    }

    strcpy(p, "]");
    checks(many, "checks", NULL);
}


static void
test_score(void)
{
    const char  *whole, *member, *schema;

    whole = "[{\"name\":\"a\",\"type\":\"equals\"}]";
    score(whole, "yes", "\"yes\"", PROMPT_SCORE_1);
    score(whole, "yes ", "\"yes\"", PROMPT_SCORE_0);
    score(whole, "5", "5", PROMPT_SCORE_1);
    score(whole, "{\"a\":1}", "{ \"a\": 1 }", PROMPT_SCORE_1);
    score(whole, "yes", NULL, PROMPT_SCORE_0);
    score(whole, NULL, "\"yes\"", PROMPT_SCORE_0);
    score("[{\"name\":\"a\",\"type\":\"equals\",\"value\":\"no\"}]", "no",
          "\"yes\"", PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"equals\",\"value\":null}]", "null",
          "\"yes\"", PROMPT_SCORE_1);

    member = "[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"b.1.c\"}]";
    score(member, "{\"b\":[0,{\"c\":\"yes\"}]}", "\"yes\"", PROMPT_SCORE_1);
    score(member, "{\"b\":[0,{\"c\":5}]}", "5", PROMPT_SCORE_1);
    score(member, "{\"b\":[0]}", "5", PROMPT_SCORE_0);
    score(member, "{\"b\":{\"1\":{\"c\":5}}}", "5", PROMPT_SCORE_1);
    score(member, "no JSON", "5", PROMPT_SCORE_0);
    score("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"01\"}]", "[1,2]",
          "2", PROMPT_SCORE_0);

    score("[{\"name\":\"a\",\"type\":\"contains\",\"value\":\"es\"}]", "yes",
          NULL, PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"contains\",\"value\":\"ES\"}]", "yes",
          NULL, PROMPT_SCORE_0);
    score("[{\"name\":\"a\",\"type\":\"contains\"}]", "yes", "\"\"",
          PROMPT_SCORE_0);

    score("[{\"name\":\"a\",\"type\":\"json_equals\"}]", "{\"b\":1.0,\"a\":[]}",
          "{\"a\":[],\"b\":1}", PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"json_equals\"}]", "yes", "\"yes\"",
          PROMPT_SCORE_0);

    score("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"^y.s$\"}]", "yes",
          NULL, PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"^y.s$\"}]", "yees",
          NULL, PROMPT_SCORE_0);
    score("[{\"name\":\"a\",\"type\":\"regex\",\"pattern\":\"^y\","
          "\"path\":\"b\"}]", "{\"b\":\"yes\"}", NULL, PROMPT_SCORE_1);

    schema = "[{\"name\":\"a\",\"type\":\"json_schema\",\"schema\":"
             "{\"type\":\"object\",\"required\":[\"b\"]}}]";
    score(schema, "{\"b\":1}", NULL, PROMPT_SCORE_1);
    score(schema, "{\"c\":1}", NULL, PROMPT_SCORE_0);
    score(schema, "b", NULL, PROMPT_SCORE_0);

    score("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":0.0125}]", "x", NULL,
          PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":1.2e-2}]", "x", NULL,
          PROMPT_SCORE_0);
    score("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":\"1\"}]", NULL, NULL,
          PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"max_latency\",\"ms\":1200}]", "x", NULL,
          PROMPT_SCORE_1);
    score("[{\"name\":\"a\",\"type\":\"max_latency\",\"ms\":1199}]", "x", NULL,
          PROMPT_SCORE_0);
    score("[{\"name\":\"a\",\"type\":\"judge\",\"promptId\":\"j\"}]", "x", NULL,
          PROMPT_SCORE_JUDGE);
}


/* what is not known passes nothing, and what takes too long scores 0 */
static void
test_bounds(void)
{
    char              *large;
    prompt_fault_t     fault;
    prompt_checks_t    compiled;
    prompt_checked_t   of;

    memset(&of, 0, sizeof(prompt_checked_t));

    of.arena = arena;
    of.latency_ms = -1;

    ok(prompt_checks_compile(arena,
               json("[{\"name\":\"a\",\"type\":\"max_cost\",\"usd\":1},"
                    "{\"name\":\"b\",\"type\":\"max_latency\",\"ms\":1},"
                    "{\"name\":\"c\",\"type\":\"regex\","
                    "\"pattern\":\"(x*)*(x*)*(x*)*y\"},"
                    "{\"name\":\"d\",\"type\":\"json_equals\",\"value\":1}]"),
               &compiled, &fault)
       == PROMPT_CHECK_OK, "checks");

    is_int(prompt_checks_score(&compiled.list[0], &of), PROMPT_SCORE_0,
           "a cost that is not known");
    is_int(prompt_checks_score(&compiled.list[1], &of), PROMPT_SCORE_0,
           "a latency that is not known");

    large = prompt_arena_alloc(arena, 4 * 1024 * 1024);
    memset(large, 'x', 4 * 1024 * 1024);
    of.output = prompt_str_of(large, 4 * 1024 * 1024);

    is_int(prompt_checks_score(&compiled.list[2], &of), PROMPT_SCORE_0,
           "an expression that takes too many steps");

    memset(large, ' ', 4 * 1024 * 1024);
    large[0] = '1';

    is_int(prompt_checks_score(&compiled.list[3], &of), PROMPT_SCORE_0,
           "JSON that is too large");

    of.output.len = 1024;
    of.output_read = false;

    is_int(prompt_checks_score(&compiled.list[3], &of), PROMPT_SCORE_1,
           "and what is not");
}


/* what the text of a member takes is given back */
static void
test_memory(void)
{
    char              *large;
    size_t             used;
    unsigned           i, passed;
    prompt_fault_t     fault;
    prompt_checks_t    compiled;
    prompt_checked_t   of;

    memset(&of, 0, sizeof(prompt_checked_t));

    large = prompt_arena_alloc(arena, 1000 * 1000);
    memset(large, 'x', 1000 * 1000);
    memcpy(large, "{\"a\":[\"", 7);
    memcpy(large + 1000 * 1000 - 3, "\"]}", 3);

    of.arena = arena;
    of.output = prompt_str_of(large, 1000 * 1000);
    of.expected = prompt_str_of(large + 5, 1000 * 1000 - 6);

    ok(prompt_checks_compile(arena,
               json("[{\"name\":\"a\",\"type\":\"equals\",\"path\":\"a\"},"
                    "{\"name\":\"b\",\"type\":\"regex\",\"path\":\"a\","
                    "\"pattern\":\"^.*x\"}]"),
               &compiled, &fault)
       == PROMPT_CHECK_OK, "checks of a member");

    passed = prompt_checks_score(&compiled.list[0], &of) == PROMPT_SCORE_1;
    used = prompt_arena_used(arena);

    for (i = 0; i < 32; i++) {
        passed += prompt_checks_score(&compiled.list[i % 2], &of)
                  == PROMPT_SCORE_1;
    }

    is_int(passed, 33, "all pass");
    is_int((long) (prompt_arena_used(arena) - used), 0,
           "and keep nothing of it");
}


int
main(void)
{
    arena = prompt_arena_create(64 * 1024 * 1024);

    test_form();
    test_score();
    test_bounds();
    test_memory();

    prompt_arena_destroy(arena);

    return done_testing();
}
