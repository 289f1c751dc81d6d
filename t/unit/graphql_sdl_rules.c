/*
 * SDL rules: a good and a bad document for each, alone and all together, with
 * the words and places of graphql-js; and short memory at every allocation.
 */

#include "graphql/schema_build.h"
#include "graphql/syntax/parser.h"
#include "graphql/validate/validate.h"
#include "tap.h"


#define ARENA  (16 << 20)


static gql_schema_t  standard;


typedef struct {
    const char  *rule;               /* NULL: all */
    const char  *base;               /* NULL: none */
    const char  *sdl;
    const char  *errors;
} rule_case_t;


static const rule_case_t  cases[] = {
    {
        "LoneSchemaDefinitionRule",
        NULL,
        "schema { query: Q } type Q { a: Int }",
        ""
    },
    {
        "LoneSchemaDefinitionRule",
        NULL,
        "schema { query: Q }\n"
        "schema { query: Q }\n"
        "type Q { a: Int }",
        "Must provide only one schema definition. (2:1)"
    },
    {
        "LoneSchemaDefinitionRule",
        "type Query { a: Int }",
        "schema { query: Q } type Q { a: Int }",
        "Cannot define a new schema within a schema extension. (1:1)"
    },
    {
        "UniqueOperationTypesRule",
        NULL,
        "schema { query: Q } extend schema { mutation: Q } type Q { a: Int }",
        ""
    },
    {
        "UniqueOperationTypesRule",
        NULL,
        "schema { query: Q query: R }\n"
        "extend schema { query: Q }\n"
        "type Q { a: Int } type R { a: Int }",
        "There can be only one query type in schema. (1:10) (1:19)\n"
        "There can be only one query type in schema. (1:10) (2:17)"
    },
    {
        "UniqueOperationTypesRule",
        "type Query { a: Int }",
        "extend schema { query: Q } type Q { a: Int }",
        "Type for query already defined in the schema. It cannot be "
        "redefined. (1:17)"
    },
    {
        "UniqueTypeNamesRule",
        NULL,
        "type A { a: Int } type B { a: Int }",
        ""
    },
    {
        "UniqueTypeNamesRule",
        NULL,
        "type A { a: Int }\n"
        "scalar A\n"
        "enum A { B }",
        "There can be only one type named \"A\". (1:6) (2:8)\n"
        "There can be only one type named \"A\". (1:6) (3:6)"
    },
    {
        "UniqueTypeNamesRule",
        "type A { a: Int }",
        "input A { a: Int } type B { a: Int }",
        "Type \"A\" already exists in the schema. It cannot also be defined "
        "in this type definition. (1:7)"
    },
    {
        "UniqueEnumValueNamesRule",
        NULL,
        "enum E { A } extend enum E { B } enum F { A }",
        ""
    },
    {
        "UniqueEnumValueNamesRule",
        NULL,
        "enum E { A B A }\n"
        "extend enum E { B C }",
        "Enum value \"E.A\" can only be defined once. (1:10) (1:14)\n"
        "Enum value \"E.B\" can only be defined once. (1:12) (2:17)"
    },
    {
        "UniqueEnumValueNamesRule",
        NULL,
        "enum E { A B C D E F G H I J K L M N O P Q B }",
        "Enum value \"E.B\" can only be defined once. (1:12) (1:44)"
    },
    {
        "UniqueEnumValueNamesRule",
        "enum E { A }",
        "extend enum E { A B }",
        "Enum value \"E.A\" already exists in the schema. It cannot also be "
        "defined in this type extension. (1:17)"
    },
    {
        "UniqueFieldDefinitionNamesRule",
        NULL,
        "type A { a: Int } extend type A { b: Int } input I { a: Int }",
        ""
    },
    {
        "UniqueFieldDefinitionNamesRule",
        NULL,
        "type A { a: Int a: Int }\n"
        "interface I { b: Int }\n"
        "extend interface I { b: Int }\n"
        "input J { c: Int c: Int }",
        "Field \"A.a\" can only be defined once. (1:10) (1:17)\n"
        "Field \"I.b\" can only be defined once. (2:15) (3:22)\n"
        "Field \"J.c\" can only be defined once. (4:11) (4:18)"
    },
    {
        "UniqueFieldDefinitionNamesRule",
        "type A { a: Int } input I { b: Int }",
        "extend type A { a: Int } extend input I { b: Int c: Int }",
        "Field \"A.a\" already exists in the schema. It cannot also be "
        "defined in this type extension. (1:17)\n"
        "Field \"I.b\" already exists in the schema. It cannot also be "
        "defined in this type extension. (1:43)"
    },
    {
        "UniqueArgumentDefinitionNamesRule",
        NULL,
        "type A { a(b: Int, c: Int): Int d(b: Int): Int } directive @e(b: "
        "Int) on FIELD",
        ""
    },
    {
        "UniqueArgumentDefinitionNamesRule",
        NULL,
        "type A { a(b: Int, b: Int, c: Int, b: Int, c: Int): Int }\n"
        "directive @e(b: Int, b: Int) on FIELD\n"
        "interface I { a: Int }\n"
        "extend interface I { c(d: Int d: Int): Int }",
        "Argument \"A.a(b:)\" can only be defined once. (1:12) (1:20) "
        "(1:36)\n"
        "Argument \"A.a(c:)\" can only be defined once. (1:28) (1:44)\n"
        "Argument \"@e(b:)\" can only be defined once. (2:14) (2:22)\n"
        "Argument \"I.c(d:)\" can only be defined once. (4:24) (4:31)"
    },
    {
        "UniqueDirectiveNamesRule",
        NULL,
        "directive @a on FIELD directive @b on FIELD directive @skip on FIELD",
        ""
    },
    {
        "UniqueDirectiveNamesRule",
        NULL,
        "directive @a on FIELD\n"
        "directive @a on QUERY",
        "There can be only one directive named \"@a\". (1:12) (2:12)"
    },
    {
        "UniqueDirectiveNamesRule",
        "directive @a on FIELD",
        "directive @a on FIELD directive @skip on FIELD",
        "Directive \"@a\" already exists in the schema. It cannot be "
        "redefined. (1:12)\n"
        "Directive \"@skip\" already exists in the schema. It cannot be "
        "redefined. (1:34)"
    },
    {
        "KnownTypeNamesRule",
        NULL,
        "type A implements I { a(b: [In!]! = []): B } interface I { c: "
        "String } scalar B input In { a: ID } union U = A | A schema { "
        "query: A } type C { d: __Schema }",
        ""
    },
    {
        "KnownTypeNamesRule",
        NULL,
        "type Query implements Itn { a(b: [Strng!]): Booleanl }\n"
        "interface Int { c: Q }\n"
        "union U = Qery\n"
        "schema { query: Quer }\n"
        "directive @d(a: Xyz) on FIELD",
        "Unknown type \"Itn\". Did you mean \"Int\" or \"ID\"? (1:23)\n"
        "Unknown type \"Strng\". Did you mean \"String\"? (1:35)\n"
        "Unknown type \"Booleanl\". Did you mean \"Boolean\"? (1:45)\n"
        "Unknown type \"Q\". Did you mean \"U\"? (2:20)\n"
        "Unknown type \"Qery\". Did you mean \"Query\"? (3:11)\n"
        "Unknown type \"Quer\". Did you mean \"Query\"? (4:17)\n"
        "Unknown type \"Xyz\". (5:17)"
    },
    {
        "KnownTypeNamesRule",
        "type Foo { a: Int }",
        "extend type Foo { b: Foo c: Fooo }",
        "Unknown type \"Fooo\". Did you mean \"Foo\"? (1:29)"
    },
    {
        "KnownTypeNamesRule",
        NULL,
        "query ($a: Int) { a ... on B { c } } fragment F on String { a } "
        "type String2 { a: Int }",
        "Unknown type \"Int\". (1:12)\n"
        "Unknown type \"B\". (1:28)\n"
        "Unknown type \"String\". Did you mean \"String2\"? (1:52)"
    },
    {
        "KnownDirectivesRule",
        NULL,
        "type A { a(b: Int @d): Int @deprecated } directive @d on "
        "ARGUMENT_DEFINITION",
        ""
    },
    {
        "KnownDirectivesRule",
        NULL,
        "type A @deprecated { a(b: Int @a): Int @b }\n"
        "extend type A @nope\n"
        "enum E @deprecated { A @a @deprecated }\n"
        "union U @a = A\n"
        "interface I @deprecated { a: Int }\n"
        "scalar S @a\n"
        "input J @a { a: Int @a }\n"
        "extend input J { b: Int @a }\n"
        "schema @a { query: A }\n"
        "directive @a on OBJECT",
        "Directive \"@deprecated\" may not be used on OBJECT. (1:8)\n"
        "Directive \"@a\" may not be used on ARGUMENT_DEFINITION. (1:31)\n"
        "Unknown directive \"@b\". (1:40)\n"
        "Unknown directive \"@nope\". (2:15)\n"
        "Directive \"@deprecated\" may not be used on ENUM. (3:8)\n"
        "Directive \"@a\" may not be used on ENUM_VALUE. (3:24)\n"
        "Directive \"@a\" may not be used on UNION. (4:9)\n"
        "Directive \"@deprecated\" may not be used on INTERFACE. (5:13)\n"
        "Directive \"@a\" may not be used on SCALAR. (6:10)\n"
        "Directive \"@a\" may not be used on INPUT_OBJECT. (7:9)\n"
        "Directive \"@a\" may not be used on INPUT_FIELD_DEFINITION. (7:21)\n"
        "Directive \"@a\" may not be used on ARGUMENT_DEFINITION. (8:25)\n"
        "Directive \"@a\" may not be used on SCHEMA. (9:8)"
    },
    {
        "KnownDirectivesRule",
        NULL,
        "directive @a on INPUT_FIELD_DEFINITION\n"
        "input J { a: Int @a }\n"
        "extend input J { b: Int @a }",
        "Directive \"@a\" may not be used on ARGUMENT_DEFINITION. (3:25)"
    },
    {
        "KnownDirectivesRule",
        "directive @a on OBJECT",
        "type A @a { a: Int @a }",
        "Directive \"@a\" may not be used on FIELD_DEFINITION. (1:20)"
    },
    {
        "KnownDirectivesRule",
        NULL,
        "query ($a: Int @skip) @skip(if: true) { a @skip(if: $a) ...F "
        "@deprecated ... @skip(if: true) { b } }",
        "Directive \"@skip\" may not be used on VARIABLE_DEFINITION. (1:16)\n"
        "Directive \"@skip\" may not be used on QUERY. (1:23)\n"
        "Directive \"@deprecated\" may not be used on FRAGMENT_SPREAD. (1:62)"
    },
    {
        "UniqueDirectivesPerLocationRule",
        NULL,
        "type A { a: Int @deprecated b: Int @deprecated } directive @r "
        "repeatable on OBJECT type B @r @r { a: Int }",
        ""
    },
    {
        "UniqueDirectivesPerLocationRule",
        NULL,
        "type A @o { a: Int @deprecated @deprecated }\n"
        "extend type A @o\n"
        "schema @s { query: A }\n"
        "extend schema @s\n"
        "directive @o on OBJECT\n"
        "directive @s on SCHEMA",
        "The directive \"@deprecated\" can only be used once at this "
        "location. (1:20) (1:32)\n"
        "The directive \"@o\" can only be used once at this location. (1:8) "
        "(2:15)\n"
        "The directive \"@s\" can only be used once at this location. (3:8) "
        "(4:15)"
    },
    {
        "PossibleTypeExtensionsRule",
        NULL,
        "type A { a: Int } extend type A { b: Int } scalar S extend scalar S "
        "@s",
        ""
    },
    {
        "PossibleTypeExtensionsRule",
        NULL,
        "extend scalar Foo @s\n"
        "extend type Fooo { a: Int }\n"
        "extend type String { a: Int }\n"
        "type Foo2 { a: Int }\n"
        "extend enum Foo2 { A }\n"
        "extend input Foo2 { a: Int }\n"
        "extend union Foo2 = Foo2\n"
        "extend interface Foo2 { a: Int }\n"
        "extend scalar Foo2 @s\n"
        "enum E { A }\n"
        "extend type E { a: Int }",
        "Cannot extend type \"Foo\" because it is not defined. Did you mean "
        "\"Foo2\"? (1:15)\n"
        "Cannot extend type \"Fooo\" because it is not defined. Did you mean "
        "\"Foo2\"? (2:13)\n"
        "Cannot extend type \"String\" because it is not defined. (3:13)\n"
        "Cannot extend non-enum type \"Foo2\". (4:1) (5:1)\n"
        "Cannot extend non-input object type \"Foo2\". (4:1) (6:1)\n"
        "Cannot extend non-union type \"Foo2\". (4:1) (7:1)\n"
        "Cannot extend non-interface type \"Foo2\". (4:1) (8:1)\n"
        "Cannot extend non-scalar type \"Foo2\". (4:1) (9:1)\n"
        "Cannot extend non-object type \"E\". (10:1) (11:1)"
    },
    {
        "PossibleTypeExtensionsRule",
        "type A { a: Int }",
        "extend enum A { B } extend type A { b: Int } extend scalar B @s",
        "Cannot extend non-enum type \"A\". (1:1)\n"
        "Cannot extend type \"B\" because it is not defined. Did you mean "
        "\"A\"? (1:60)"
    },
    {
        "KnownArgumentNamesOnDirectivesRule",
        NULL,
        "type A { a: Int @deprecated(reason: \"old\") b: Int @d(x: 1) } "
        "directive @d(x: Int) on FIELD_DEFINITION",
        ""
    },
    {
        "KnownArgumentNamesOnDirectivesRule",
        NULL,
        "type A { a: Int @deprecated(raeson: \"old\", q: 1) b: Int @d(xx: 1) "
        "c: Int @unknown(a: 1) }\n"
        "directive @d(x: Int) on FIELD_DEFINITION",
        "Unknown argument \"raeson\" on directive \"@deprecated\". Did you "
        "mean \"reason\"? (1:29)\n"
        "Unknown argument \"q\" on directive \"@deprecated\". (1:44)\n"
        "Unknown argument \"xx\" on directive \"@d\". Did you mean \"x\"? "
        "(1:60)"
    },
    {
        "UniqueArgumentNamesRule",
        NULL,
        "type A { a: Int @d(a: 1, b: 2) }",
        ""
    },
    {
        "UniqueArgumentNamesRule",
        NULL,
        "type A { a: Int @d(a: 1, b: 2, a: 3, b: 4, a: 5) }\n"
        "query { f(x: 1, x: 2) }",
        "There can be only one argument named \"a\". (1:20) (1:32) (1:44)\n"
        "There can be only one argument named \"b\". (1:26) (1:38)\n"
        "There can be only one argument named \"x\". (2:11) (2:17)"
    },
    {
        "UniqueInputFieldNamesRule",
        NULL,
        "type A { a(b: I = { c: 1, d: { c: 1 } }): Int }",
        ""
    },
    {
        "UniqueInputFieldNamesRule",
        NULL,
        "type A { a(b: I = { c: 1, c: { d: 1, d: 2 }, c: 3 }): Int @d(x: [{ "
        "e: 1, e: 2 }]) }",
        "There can be only one input field named \"c\". (1:21) (1:27)\n"
        "There can be only one input field named \"d\". (1:32) (1:38)\n"
        "There can be only one input field named \"c\". (1:21) (1:46)\n"
        "There can be only one input field named \"e\". (1:68) (1:74)"
    },
    {
        "ProvidedRequiredArgumentsOnDirectivesRule",
        NULL,
        "scalar A @specifiedBy(url: \"u\") type B { a: Int @d(x: 1) } "
        "directive @d(x: Int!, y: Int! = 1) on FIELD_DEFINITION",
        ""
    },
    {
        "ProvidedRequiredArgumentsOnDirectivesRule",
        NULL,
        "scalar A @specifiedBy\n"
        "type B { a: Int @d(x: 1) @skip }\n"
        "directive @d(x: Int, y: [Int!]!, z: Int!) on FIELD_DEFINITION",
        "Directive \"@specifiedBy\" argument \"url\" of type \"String!\" is "
        "required, but it was not provided. (1:10)\n"
        "Directive \"@d\" argument \"y\" of type \"[Int!]!\" is required, "
        "but it was not provided. (2:17)\n"
        "Directive \"@d\" argument \"z\" of type \"Int!\" is required, but "
        "it was not provided. (2:17)\n"
        "Directive \"@skip\" argument \"if\" of type \"Boolean!\" is "
        "required, but it was not provided. (2:26)"
    },
    {
        NULL,
        NULL,
        "schema { query: Q query: Q }\n"
        "type Q @a(b: 1, b: 2) { a: X a(c: Int, c: Int): Int @deprecated "
        "@deprecated(raeson: 1) }\n"
        "extend enum Q { A A }\n"
        "extend schema @specifiedBy { query: Q }",
        "There can be only one query type in schema. (1:10) (1:19)\n"
        "Field \"Q.a\" can only be defined once. (2:25) (2:30)\n"
        "Argument \"Q.a(c:)\" can only be defined once. (2:32) (2:40)\n"
        "Unknown directive \"@a\". (2:8)\n"
        "There can be only one argument named \"b\". (2:11) (2:17)\n"
        "Unknown type \"X\". Did you mean \"Q\"? (2:28)\n"
        "The directive \"@deprecated\" can only be used once at this "
        "location. (2:53) (2:65)\n"
        "Unknown argument \"raeson\" on directive \"@deprecated\". Did you "
        "mean \"reason\"? (2:77)\n"
        "Enum value \"Q.A\" can only be defined once. (3:17) (3:19)\n"
        "Cannot extend non-enum type \"Q\". (2:1) (3:1)\n"
        "There can be only one query type in schema. (1:10) (4:30)\n"
        "Directive \"@specifiedBy\" may not be used on SCHEMA. (4:15)\n"
        "Directive \"@specifiedBy\" argument \"url\" of type \"String!\" is "
        "required, but it was not provided. (4:15)"
    }
};


/* errors as text: message, then (line:column) for each location */
static const char *
text_of(const gql_errors_t *errors)
{
    uint32_t            i;
    size_t              n;
    const gql_error_t  *error;
    static char         text[16384];

    n = 0;
    text[0] = '\0';

    for (error = errors->first; error != NULL; error = error->next) {
        n += (size_t) snprintf(text + n, sizeof(text) - n, "%s%.*s",
                               error == errors->first ? "" : "\n",
                               prompt_str_arg(error->message));

        for (i = 0; i < error->nlocations && n < sizeof(text); i++) {
            n += (size_t) snprintf(text + n, sizeof(text) - n, " (%u:%u)",
                                   error->locations[i].line,
                                   error->locations[i].column);
        }

        if (n >= sizeof(text)) {
            break;
        }
    }

    return text;
}


static gql_schema_t *
build(prompt_arena_t *arena, const char *sdl)
{
    gql_errors_t  errors;

    gql_errors_init(&errors, arena, prompt_str_from(sdl), 0);

    return gql_schema_build(arena, prompt_str_from(sdl), &errors);
}


/* what SDL that extends nothing is validated for: standard directives alone */
static void
make_standard(prompt_arena_t *arena)
{
    gql_schema_t  *schema;

    schema = build(arena, "type Query { a: Int }");

    standard.directives = schema->directives;
    standard.ndirectives = schema->ndirectives;
}


/* false: an unknown rule, or SDL that does not parse */
static bool
validate(prompt_arena_t *arena, const rule_case_t *c,
    const gql_schema_t *base, gql_errors_t *errors)
{
    prompt_str_t     source, rule;
    gql_document_t  *document;

    source = prompt_str_from(c->sdl);
    gql_errors_init(errors, arena, source, 0);

    document = gql_parse(arena, source, 0, errors);
    if (document == NULL) {
        return false;
    }

    if (base == NULL) {
        base = &standard;
    }

    if (c->rule == NULL) {
        return gql_validate_sdl(arena, base, document, NULL, 0, errors);
    }

    rule = prompt_str_from(c->rule);

    return gql_validate_sdl(arena, base, document, &rule, 1, errors);
}


static void
test_cases(void)
{
    size_t           i;
    char             name[128];
    gql_errors_t     errors;
    gql_schema_t    *base;
    prompt_arena_t  *arena;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        arena = prompt_arena_create(ARENA);
        base = cases[i].base != NULL ? build(arena, cases[i].base) : NULL;

        (void) snprintf(name, sizeof(name), "%s %s%s",
                        cases[i].rule != NULL ? cases[i].rule : "all rules",
                        cases[i].errors[0] == '\0' ? "accepts" : "refuses",
                        base != NULL ? " in an extension" : "");

        if (validate(arena, &cases[i], base, &errors)) {
            is_str(prompt_str_from(text_of(&errors)), cases[i].errors, name);

        } else {
            ok(false, name);
        }

        prompt_arena_destroy(arena);
    }
}


static void
test_unknown_rule(void)
{
    gql_errors_t     errors;
    rule_case_t      c = { "NoSuchRule", NULL, "scalar A", "" };
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    ok(!validate(arena, &c, NULL, &errors), "a rule of another name");
    is_int(errors.count, 0, "nothing is checked then");
    prompt_arena_destroy(arena);
}


/* The limit of errors ends the walk. */
static void
test_limit(void)
{
    gql_errors_t     errors;
    prompt_str_t     source;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    source = prompt_str("type A { a: B } type C { a: D } type E { a: F }");
    arena = prompt_arena_create(ARENA);
    gql_errors_init(&errors, arena, source, 2);

    document = gql_parse(arena, source, 0, &errors);

    if (ok(document != NULL, "a document with three errors")) {
        (void) gql_validate_sdl(arena, &standard, document, NULL, 0, &errors);
        is_int(errors.count, 2, "two are reported where two are allowed");
        ok(errors.full, "and it says that there may be more");
    }

    prompt_arena_destroy(arena);
}


/* Unknown types are compared with all others, but not each of 3,000. */
static void
test_suggestions(void)
{
    unsigned         i, n;
    prompt_buf_t     sdl;
    gql_errors_t     errors;
    gql_error_t     *last;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(4 * ARENA);
    prompt_buf_init(&sdl, ARENA);

    for (i = 0; i < 3000; i++) {
        prompt_buf_printf(&sdl, "type Type%u { a: Typo%u } ", i, i);
    }

    gql_errors_init(&errors, arena, prompt_buf_view(&sdl), 0);
    document = gql_parse(arena, prompt_buf_view(&sdl), 0, &errors);
    (void) gql_validate_sdl(arena, &standard, document, NULL, 0, &errors);

    is_int(errors.count, 3000, "3,000 unknown types among 3,000");
    is_str(errors.first->message, "Unknown type \"Typo0\". Did you mean "
           "\"Type0\", \"Type1\", \"Type2\", \"Type3\", or \"Type4\"?",
           "the first with suggestions");

    last = errors.last;
    is_str(last->message, "Unknown type \"Typo2999\".", "the last without");

    /* 24,000,000 cells: each error takes some 200,000, of 3,013 names */

    n = 0;

    for (last = errors.first; last != NULL; last = last->next) {
        n += memchr(last->message.data, '?', last->message.len) != NULL;
    }

    if (!ok(n > 80 && n < 150, "as many with suggestions as are compared")) {
        diag("%u", n);
    }

    prompt_buf_free(&sdl);
    prompt_arena_destroy(arena);
}


/*
 * An arena of every size up to one that is enough: each allocation is refused
 * once.  Short memory is said, or all errors are found; nothing in between.
 */
static void
test_memory(void)
{
    bool             enough, sound;
    size_t           limit, n;
    gql_errors_t     errors;
    rule_case_t      c;
    prompt_arena_t  *arena;

    c = cases[sizeof(cases) / sizeof(cases[0]) - 1];
    enough = false;
    sound = true;

    for (limit = 0; !enough && limit < ARENA; limit += 16) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            continue;
        }

        if (validate(arena, &c, NULL, &errors)) {
            n = strlen(text_of(&errors));
            enough = !errors.nomem && !prompt_arena_exhausted(arena);
            sound = sound && (errors.nomem || n == strlen(c.errors));

        } else {
            sound = sound && errors.nomem;
        }

        prompt_arena_destroy(arena);
    }

    ok(enough, "some memory is enough");
    ok(sound, "with less memory errors are whole, or memory is said short");
}


int
main(void)
{
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    make_standard(arena);

    test_cases();
    test_unknown_rule();
    test_limit();
    test_suggestions();
    test_memory();

    prompt_arena_destroy(arena);

    return done_testing();
}
