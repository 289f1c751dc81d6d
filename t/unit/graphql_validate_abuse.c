/*
 * Unit tests of validation against documents made to be dear: each is refused
 * or accepted as graphql-js does it, in a number of steps that is bounded by
 * the size of the document, or by a budget.
 */

#include "graphql_validate.h"


/* steps for each byte of a document, and the two budgets of validation */
#define STEPS_A_BYTE     4
#define STEPS_BUDGET     550000

#define ABORTED          ": Validation aborted."


static prompt_buf_t  doc;


static void
start(void)
{
    prompt_buf_free(&doc);
    prompt_buf_init(&doc, 16 * 1024 * 1024);
}


/* n times text, in which # is the number of the time, from 0, ^ the next */
static void
add(unsigned n, const char *text)
{
    unsigned     i;
    const char  *p;

    for (i = 0; i < n; i++) {
        for (p = text; *p != '\0'; p++) {
            if (*p == '#' || *p == '^') {
                prompt_buf_int(&doc, i + (*p == '^'));

            } else {
                prompt_buf_char(&doc, *p);
            }
        }
    }
}


/* how the errors begin, "" for none; at most so many steps */
static void
check_steps(const char *name, const char *begin, uint64_t max)
{
    uint64_t      steps;
    prompt_buf_t  errors;
    prompt_str_t  text;

    prompt_buf_init(&errors, TEST_ARENA);
    steps = validate_text(NULL, prompt_buf_view(&doc), 0, &errors);

    text = prompt_buf_view(&errors);

    if (begin[0] != '\0' && text.len > strlen(begin)) {
        text.len = strlen(begin);
    }

    is_str(text, begin, name);

    if (!ok(steps <= max, "in bounded steps")) {
        diag("%s: %llu steps, %zu bytes", name, (unsigned long long) steps,
             doc.len);
    }

    prompt_buf_free(&errors);
}


static void
check_linear(const char *name, const char *begin)
{
    check_steps(name, begin, doc.len * STEPS_A_BYTE);
}


static void
check(const char *name, const char *begin)
{
    check_steps(name, begin, STEPS_BUDGET + doc.len * STEPS_A_BYTE);
}


static void
overlapping(void)
{
    unsigned  i;

    start();
    prompt_buf_literal(&doc, "{");
    for (i = 0; i < 200; i++) {
        prompt_buf_literal(&doc, "dog{");
        add(100, "x#:name ");
        prompt_buf_literal(&doc, "}");
    }
    prompt_buf_literal(&doc, "}");
    check("200 times 100 fields that overlap", ABORTED);

    start();
    prompt_buf_literal(&doc, "{dog{");
    add(700, "name ");
    prompt_buf_literal(&doc, "}}");
    check("700 times the same field", "");

    start();
    prompt_buf_literal(&doc, "{dog{");
    add(20000, "name ");
    prompt_buf_literal(&doc, "}}");
    check("20000 times the same field", ABORTED);

    start();
    prompt_buf_literal(&doc, "{");
    add(300, "...F# ");
    prompt_buf_literal(&doc, "}");
    add(300, "fragment F# on Query{x#:int}");
    check("300 fragments beside each other", "");

    start();
    prompt_buf_literal(&doc, "{...F0}");
    add(600, "fragment F# on Query{...F^ int}");
    prompt_buf_literal(&doc, "fragment F600 on Query{int}");
    check("600 fragments in each other", ABORTED);

    start();
    prompt_buf_literal(&doc, "{dog{...F0}}");
    add(30, "fragment F# on Dog{mother{...F^} a:mother{...F^}}");
    prompt_buf_literal(&doc, "fragment F30 on Dog{name}");
    check_linear("2 to the 30 fields through fragments", "");
}


static void
many(void)
{
    start();
    prompt_buf_literal(&doc, "{");
    add(10000, "a#:int ");
    prompt_buf_literal(&doc, "}");
    check_linear("10000 aliases", "");

    start();
    prompt_buf_literal(&doc, "{int ");
    add(5000, "@unknown# ");
    prompt_buf_literal(&doc, "}");
    check_linear("5000 unknown directives",
                 "1:6: Unknown directive \"@unknown0\".");

    start();
    prompt_buf_literal(&doc, "{int ");
    add(5000, "@skip(if:true)");
    prompt_buf_literal(&doc, "}");
    check_linear("5000 times the same directive",
                 "1:6 1:20: The directive \"@skip\" can only be used once at "
                 "this location.");

    start();
    prompt_buf_literal(&doc, "query(");
    add(5000, "$v#:Int ");
    prompt_buf_literal(&doc, "){ints(x:[");
    add(5000, "$v# ");
    prompt_buf_literal(&doc, "])}");
    check_linear("5000 variables",
                 "1:7 1:53907: Variable \"$v0\" of type \"Int\" used in "
                 "position expecting type \"Int!\".");

    start();
    prompt_buf_literal(&doc, "{int(");
    add(3000, "x#:1 ");
    prompt_buf_literal(&doc, ")}");
    check_linear("3000 unknown arguments",
                 "1:6: Unknown argument \"x0\" on field \"Query.int\". Did "
                 "you mean \"x\"?");

    start();
    prompt_buf_literal(&doc, "{a:box(box:{");
    add(3000, "width:1 ");
    prompt_buf_literal(&doc, "})}");
    check_linear("3000 times the same input field",
                 "1:13 1:21: There can be only one input field named "
                 "\"width\".");
}


static void
deep(void)
{
    start();
    prompt_buf_literal(&doc, "{dog");
    add(400, "{mother");
    prompt_buf_literal(&doc, "{name}");
    add(400, "}");
    prompt_buf_literal(&doc, "}");
    check_linear("400 levels", "");

    start();
    prompt_buf_literal(&doc, "{");
    add(400, "...{");
    prompt_buf_literal(&doc, "int");
    add(400, "}");
    prompt_buf_literal(&doc, "}");
    check("400 inline fragments in each other", "");

    start();
    prompt_buf_literal(&doc, "{box(box:");
    add(400, "{width:1 inner:");
    prompt_buf_literal(&doc, "null");
    add(400, "}");
    prompt_buf_literal(&doc, ")}");
    check_linear("400 input objects in each other", "");

    start();
    prompt_buf_literal(&doc, "query($a:");
    add(400, "[");
    prompt_buf_literal(&doc, "Int");
    add(400, "]");
    prompt_buf_literal(&doc, "=1){int(x:$a)}");
    check_linear("a type of 400 lists",
                 "1:7 1:823: Variable \"$a\" of type \"[[");
}


static void
fragments(void)
{
    unsigned  i;

    start();
    prompt_buf_literal(&doc, "{...F0}");
    add(2000, "fragment F# on Query{...F^}");
    prompt_buf_literal(&doc, "fragment F2000 on Query{int}");
    check_linear("a chain of 2000 fragments", "");

    start();
    prompt_buf_literal(&doc, "{...F0}");
    add(9000, "fragment F# on Query{...F^}");
    prompt_buf_literal(&doc, "fragment F9000 on Query{int}");
    check_linear("a chain of 9000 fragments", "");

    start();
    prompt_buf_literal(&doc, "{int ...F0}");
    add(9000, "fragment F# on Query{...F^}");
    prompt_buf_literal(&doc, "fragment F9000 on Query{int}");
    check("one that is compared, deeper than it may be", ABORTED);

    start();
    prompt_buf_literal(&doc, "{...F0}");
    for (i = 0; i < 100; i++) {
        prompt_buf_printf(&doc, "fragment F%u on Query{", i);
        add(100, "...F# ");
        prompt_buf_literal(&doc, "}");
    }
    check("100 fragments, each spreads each",
          "1:29: Cannot spread fragment \"F0\" within itself.");

    start();
    add(300, "query Q#($v:Int){...F0}");
    add(300, "fragment F# on Query{...F^ x#:int(x:$v)}");
    prompt_buf_literal(&doc, "fragment F300 on Query{int}");
    check("300 operations use 300 variables", ABORTED);

    start();
    prompt_buf_literal(&doc, "subscription{...F0}");
    add(300, "fragment F# on Subscription{...F^ x#:born{name}}");
    prompt_buf_literal(&doc, "fragment F300 on Subscription{born{name}}");
    check("a subscription through 300 fragments",
          "1:15876 1:15822 1:15768 ");
}


/* each may be as long as the document: they are paid for by their length */
static void
cycles(void)
{
    uint64_t      steps;
    prompt_buf_t  errors;
    prompt_str_t  end;

    start();
    prompt_buf_literal(&doc, "{...F0}");
    add(1999, "fragment F# on Query{...F^}");
    prompt_buf_literal(&doc, "fragment F1999 on Query{");
    add(60, "...F# ");
    prompt_buf_literal(&doc, "}");

    prompt_buf_init(&errors, TEST_ARENA);
    steps = validate_text(NULL, prompt_buf_view(&doc), 0, &errors);

    end = prompt_str_of(errors.data + errors.len - strlen(ABORTED),
                        strlen(ABORTED));

    is_str(end, ABORTED, "60 cycles through 2000 fragments");
    ok(steps < STEPS_BUDGET, "in bounded steps");
    ok(errors.len < 4 * 1024 * 1024, "and in bounded text");

    prompt_buf_free(&errors);
}


static void
errors_limit(void)
{
    uint64_t      steps;
    prompt_buf_t  errors;

    start();
    prompt_buf_literal(&doc, "{");
    add(200, "x# ");
    prompt_buf_literal(&doc, "}");

    prompt_buf_init(&errors, TEST_ARENA);
    steps = validate_text(NULL, prompt_buf_view(&doc), 2, &errors);

    is_str(prompt_buf_view(&errors),
           "1:2: Cannot query field \"x0\" on type \"Query\".\n"
           "1:5: Cannot query field \"x1\" on type \"Query\".\n"
           ": Too many validation errors, error limit reached. Validation "
           "aborted.", "no more errors than wanted, and one that says so");
    ok(steps < doc.len, "and no step after that");

    prompt_buf_free(&errors);
}


/* all rules at work, and each allocation refused in turn */
static void
memory(void)
{
    bool             sound, refused;
    size_t           limit, whole;
    gql_errors_t     errors;
    prompt_arena_t  *arena, *scratch;
    gql_document_t  *document;

    static const char  text[] =
        "query Q($a: Int, $a: [Int!]! = [1], $b: Box = { width: 1 }) @onQuery "
        "{ ...A ...B dog { x: name x: nickname mother { y: age } } dog "
        "{ x: age mother { y: name } } int(x: $c, x: $a) @skip(if: true) "
        "@skip(if: false) box(box: { width: 1, width: 2, nope: 3 }) "
        "command(x: JUMP) pet { nam } required } "
        "fragment A on Query { ...B dog { nam } } "
        "fragment B on Query { ...A ...C @unknown } "
        "fragment B on Nothing { x } query Q { dog } { cat } "
        "subscription { ...S } fragment S on Subscription { born { name } "
        "died { name } } fragment T on Int { __schema { types { fields { type "
        "{ fields { type { fields { name } } } } } } } }";

    arena = prompt_arena_create(TEST_ARENA);
    gql_errors_init(&errors, arena, prompt_str_from(text), 0);
    document = gql_parse(arena, errors.source, 0, &errors);

    scratch = prompt_arena_create(TEST_ARENA);
    (void) gql_validate(scratch, test_schema, document, NULL, 0, &errors);
    whole = prompt_arena_used(scratch);
    prompt_arena_destroy(scratch);

    ok(errors.count > 20 && !errors.nomem, "with memory there are errors");

    sound = true;
    refused = false;

    for (limit = 0; limit < whole * 2; limit += 512) {
        scratch = prompt_arena_create(limit);
        if (scratch == NULL) {
            continue;
        }

        gql_errors_init(&errors, arena, prompt_str_from(text), 0);
        (void) gql_validate(scratch, test_schema, document, NULL, 0, &errors);

        refused = refused || errors.nomem;
        sound = sound && (errors.nomem || errors.count != 0);

        prompt_arena_destroy(scratch);
    }

    ok(refused && !errors.nomem, "where memory gives out that is told");
    ok(sound, "and never taken for a sound document");

    prompt_arena_destroy(arena);
}


int
main(void)
{
    schema_open();
    prompt_buf_init(&doc, 0);

    overlapping();
    many();
    deep();
    fragments();
    cycles();
    errors_limit();
    memory();

    prompt_buf_free(&doc);
    schema_close();

    return done_testing();
}
