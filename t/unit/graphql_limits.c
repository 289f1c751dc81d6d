/*
 * Unit tests of limits.c: each limit, what it counts, and that the queries of
 * usual tools pass with the defaults.
 */

#include <stdlib.h>

#include "graphql/limits.h"
#include "graphql/syntax/parser.h"
#include "schema/schema_build.h"
#include "tap.h"


#define TEST_ARENA  (64 * 1024 * 1024)


static const char  test_sdl[] =
    "type Query { me: User! prompts(first: Int, after: ID): [Prompt!]!"
    "             last(last: Int = 5): [Prompt] all(limit: Int = 5000): [User]"
    "             none(first: Int = -1): [User!] odd(first: String): [User] }"
    "type Mutation { a: Int b: Int c: Int d: Int e: Int f: Int }"
    "type Subscription { x: Int }"
    "type User { id: ID! friend: User friends: [User!]! tags: [String] }"
    "type Prompt { id: ID! versions: [Version!]! createdBy: User! }"
    "type Version { id: ID! executions(first: Int = 100): [Execution!]! }"
    "type Execution { id: ID! }";


static prompt_arena_t  *schema_arena;
static gql_schema_t    *schema;
static prompt_buf_t     doc;


/* as a location has them that sets none */
static void
default_limits(gql_limits_t *limits)
{
    memset(limits, 0, sizeof(gql_limits_t));

    limits->tokens = 10000;
    limits->depth = 20;
    limits->aliases = 30;
    limits->root_fields = 15;
    limits->mutation_fields = 5;
    limits->directives = 100;
    limits->complexity = 250000;
    limits->introspection = true;
}


static void
open_schema(void)
{
    gql_errors_t  errors;

    schema_arena = prompt_arena_create(TEST_ARENA);
    gql_errors_init(&errors, schema_arena, prompt_str_from(test_sdl), 0);
    schema = gql_schema_build(schema_arena, prompt_str_from(test_sdl),
                              &errors);

    if (!ok(schema != NULL, "the schema is sound")) {
        exit(1);
    }
}


/* the errors, a line each: "line:column: message" */
static void
check(const char *name, const gql_limits_t *limits, prompt_str_t text,
    const char *expected)
{
    prompt_buf_t        buf;
    gql_errors_t        errors;
    prompt_arena_t     *arena, *scratch;
    gql_document_t     *document;
    const gql_error_t  *error;

    arena = prompt_arena_create(TEST_ARENA);
    scratch = prompt_arena_create(TEST_ARENA);
    prompt_buf_init(&buf, TEST_ARENA);

    gql_errors_init(&errors, arena, text, 0);
    document = gql_parse(arena, text, 0, &errors);

    if (document != NULL) {
        gql_limits_check(scratch, limits, schema, document, &errors);
    }

    for (error = errors.first; error != NULL; error = error->next) {
        prompt_buf_printf(&buf, "%u:%u: %.*s%s", error->locations[0].line,
                          error->locations[0].column,
                          prompt_str_arg(error->message),
                          error->next != NULL ? "\n" : "");
    }

    is_str(prompt_buf_view(&buf), expected, name);
    ok(!errors.nomem, "and memory is not short");

    prompt_buf_free(&buf);
    prompt_arena_destroy(scratch);
    prompt_arena_destroy(arena);
}


static void
depth(void)
{
    gql_limits_t  limits = { .depth = 3 };

    check("no limit", &(gql_limits_t) { .depth = 0 },
          prompt_str("{ me { friend { friend { friend { id } } } } }"), "");
    check("as deep as may be", &limits,
          prompt_str("{ me { friend { id } } }"), "");
    check("deeper", &limits,
          prompt_str("\n query Q { me { friend { friend { id } } } }"),
          "2:2: Operation \"Q\" exceeds the depth limit of 3: its depth is "
          "4.");
    check("through fragments", &limits,
          prompt_str("{ ...A } fragment A on Query { me { ... { ...B } } } "
                     "fragment B on User { friend { ...C } } "
                     "fragment C on User { friend { friend { id } } }"),
          "1:1: The anonymous operation exceeds the depth limit of 3: its "
          "depth is 5.");
    check("the first operation that exceeds any", &limits,
          prompt_str("query A { me { id } } "
                     "query B { me { friend { friend { id } } } } "
                     "query C { me { friend { friend { id } } } }"),
          "1:23: Operation \"B\" exceeds the depth limit of 3: its depth is "
          "4.");
    check("a fragment within itself, which validation refuses", &limits,
          prompt_str("{ ...A } "
                     "fragment A on Query { me { friend { ...A } } }"),
          "");
    check("fields and types that are not there", &limits,
          prompt_str("{ a { b { c { d } } } ... on No { x } ...No }"),
          "1:1: The anonymous operation exceeds the depth limit of 3: its "
          "depth is 4.");
}


static void
aliases(void)
{
    gql_limits_t  limits = { .aliases = 2 };

    check("as many aliases as may be", &limits,
          prompt_str("{ a: me { b: id id } }"), "");
    check("more", &limits, prompt_str("{ a: me { b: id c: id } }"),
          "1:1: The anonymous operation exceeds the limit of 2 aliases: it "
          "has 3.");
    check("as often as their fragment is spread", &limits,
          prompt_str("{ me { ...A friend { ...A friend { ...A } } } } "
                     "fragment A on User { a: id }"),
          "1:1: The anonymous operation exceeds the limit of 2 aliases: it "
          "has 3.");
}


static void
root_fields(void)
{
    gql_limits_t  limits = { .root_fields = 3, .mutation_fields = 2 };

    check("as many root fields as may be", &limits,
          prompt_str("{ a: me { id } b: me { id } c: me { id friend { id } } "
                     "}"), "");
    check("more", &limits,
          prompt_str("{ a: me { id } ...A } fragment A on Query "
                     "{ b: me { id } ... { c: me { id } ...B } } "
                     "fragment B on Query { d: me { id } }"),
          "1:1: The anonymous operation exceeds the limit of 3 root fields: "
          "it has 4.");
    check("the same field is one", &limits,
          prompt_str("{ me { id } me { id } me { id } me { id } ...A ...A } "
                     "fragment A on Query { me { id } a: me { id } }"), "");
    check("of a mutation", &limits, prompt_str("mutation M { a b c a }"),
          "1:1: Operation \"M\" exceeds the limit of 2 root fields of a "
          "mutation: it has 3.");
}


static void
directives(void)
{
    gql_limits_t  limits = { .directives = 3 };

    check("as many directives as may be", &limits,
          prompt_str("query @x { me @skip(if: true) { id } ... @x { me { id } "
                     "} }"), "");
    check("more, wherever", &limits,
          prompt_str("query ($a: Int @x) @x { me @x { ...F @x } } "
                     "fragment F on User @x { id @x @x }"),
          "1:38: The document exceeds the limit of 3 directives: it has 7.");
}


static void
complexity(void)
{
    gql_limits_t  limits = { .complexity = 1 };

    check("one field", &limits, prompt_str("{ __typename }"), "");

#define COUNTS(name, text, n)                                                \
    check(name, &limits, prompt_str(text), "1:1: The anonymous operation "   \
          "exceeds the complexity limit of 1: its complexity is " n ".")

    COUNTS("two fields", "{ me { id } }", "2");
    COUNTS("lists count ten times", "{ me { friends { id friend { id } } } }",
           "32");
    COUNTS("lists of leaves have nothing below", "{ me { tags } }", "2");
    COUNTS("what is asked for", "{ prompts(first: 7) { id } }", "8");
    COUNTS("nothing is one", "{ prompts(first: 0) { id } }", "2");
    COUNTS("less than nothing, too", "{ prompts(first: -5) { id } }", "2");
    COUNTS("beyond what resolvers allow", "{ prompts(first: "
           "99999999999999999999999999999999) { id } }", "1001");
    COUNTS("null is as without", "{ prompts(first: null) { id } }", "11");
    COUNTS("a default", "{ last { id } }", "6");
    COUNTS("a default that is large", "{ all { id } }", "1001");
    COUNTS("a default below nothing", "{ none { id } }", "2");
    COUNTS("an argument that counts nothing", "{ odd { id } }", "11");
    COUNTS("another argument", "{ prompts(after: \"x\") { id } }", "11");
    COUNTS("lists in lists", "{ prompts { versions { executions { id } } } }",
           "10111");
    COUNTS("fragments", "{ me { ...A friend { ...A } } } "
           "fragment A on User { friends { id } }", "24");
    COUNTS("introspection", "{ __schema { types { fields { name } } } }",
           "4");

#undef COUNTS

    check("a variable", &limits,
          prompt_str("query Q($n: Int) { prompts(first: $n) { id } }"),
          "1:1: Operation \"Q\" exceeds the complexity limit of 1: its "
          "complexity is 101.");
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


static void
abuse(void)
{
    gql_limits_t  limits;

    default_limits(&limits);

    prompt_buf_init(&doc, TEST_ARENA);
    prompt_buf_literal(&doc, "{ me { ...F0 } }");
    add(200, "fragment F# on User { a: friends { ...F^ } b: friends { ...F^ } "
             "}");
    prompt_buf_literal(&doc, "fragment F200 on User { id }");
    check("2 to the 200 fields through fragments", &limits,
          prompt_buf_view(&doc),
          "1:1: The anonymous operation exceeds the depth limit of 20: its "
          "depth is 202.\n"
          "1:1: The anonymous operation exceeds the limit of 30 aliases: it "
          "has 4294967295.\n"
          "1:1: The anonymous operation exceeds the complexity limit of "
          "250000: its complexity is 999999999999999.");
    prompt_buf_free(&doc);

    prompt_buf_init(&doc, TEST_ARENA);
    prompt_buf_literal(&doc, "{ ...F0 }");
    add(20000, "fragment F# on Query { ...F^ }");
    prompt_buf_literal(&doc, "fragment F20000 on Query { me { id } }");
    check("20000 fragments in each other", &limits, prompt_buf_view(&doc),
          "1:1: The anonymous operation exceeds the depth limit of 20: its "
          "depth is 4294967295.");
    prompt_buf_free(&doc);

    prompt_buf_init(&doc, TEST_ARENA);
    prompt_buf_literal(&doc, "mutation {");
    add(5000, "a#:a ");
    prompt_buf_literal(&doc, "}");
    check("5000 mutations", &limits, prompt_buf_view(&doc),
          "1:1: The anonymous operation exceeds the limit of 30 aliases: it "
          "has 5000.\n"
          "1:1: The anonymous operation exceeds the limit of 5 root fields of "
          "a mutation: it has 5000.");
    prompt_buf_free(&doc);
}


static void
memory(void)
{
    gql_errors_t     errors;
    gql_limits_t     limits;
    prompt_str_t     text;
    prompt_arena_t  *arena, *scratch;
    gql_document_t  *document;

    text = prompt_str("{ ...A } fragment A on Query { me { id } }");
    default_limits(&limits);

    arena = prompt_arena_create(TEST_ARENA);
    scratch = prompt_arena_create(1);

    gql_errors_init(&errors, arena, text, 0);
    document = gql_parse(arena, text, 0, &errors);

    if (scratch != NULL) {
        gql_limits_check(scratch, &limits, schema, document, &errors);
        ok(errors.nomem && errors.count == 0, "memory that gives out is told");

    } else {
        ok(document != NULL, "no arena is that small");
    }

    prompt_arena_destroy(scratch);
    prompt_arena_destroy(arena);
}


/* what getIntrospectionQuery() makes, all its options on */
static void
tools(void)
{
    gql_limits_t  limits;

    static const char  introspection[] =
        "query IntrospectionQuery { __schema { description "
        "queryType { name kind } mutationType { name kind } "
        "subscriptionType { name kind } types { ...FullType } "
        "directives { name description isRepeatable locations "
        "args(includeDeprecated: true) { ...InputValue } } } } "
        "fragment FullType on __Type { kind name description specifiedByURL "
        "isOneOf fields(includeDeprecated: true) { name description "
        "args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } "
        "isDeprecated deprecationReason } "
        "inputFields(includeDeprecated: true) { ...InputValue } "
        "interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name "
        "description isDeprecated deprecationReason } "
        "possibleTypes { ...TypeRef } } "
        "fragment InputValue on __InputValue { name description "
        "type { ...TypeRef } defaultValue isDeprecated deprecationReason } "
        "fragment TypeRef on __Type { kind name ofType { kind name "
        "ofType { kind name ofType { kind name ofType { kind name "
        "ofType { kind name ofType { kind name ofType { kind name "
        "ofType { kind name ofType { kind name } } } } } } } } } }";

    default_limits(&limits);
    limits.tokens = 0;

    ok(limits.introspection, "introspection is allowed by default");
    check("introspection of the usual tools", &limits,
          prompt_str_from(introspection), "");
    check("all of one's own", &limits,
          prompt_str("query Everything { me { id } prompts { id createdBy "
                     "{ id } versions { id executions { id } } } }"), "");

    limits.depth = 15;
    check("introspection is 15 deep", &limits, prompt_str_from(introspection),
          "");

    limits.depth = 14;
    limits.complexity = 500;
    check("and not simpler than the comment says", &limits,
          prompt_str_from(introspection),
          "1:1: Operation \"IntrospectionQuery\" exceeds the depth limit of "
          "14: its depth is 15.");
}


int
main(void)
{
    open_schema();

    depth();
    aliases();
    root_fields();
    directives();
    complexity();
    abuse();
    memory();
    tools();

    prompt_arena_destroy(schema_arena);

    return done_testing();
}
