/*
 * Introspection: every field of every introspection type, with the answers of
 * graphql-js byte for byte, and short memory.
 */

#include "graphql/execute/execute.h"
#include "graphql/execute/introspect.h"
#include "graphql/execute/plan.h"
#include "graphql/syntax/parser.h"
#include "graphql.h"
#include "tap.h"


#define ARENA  (64 << 20)


typedef struct {
    const char  *name;
    const char  *query;
    const char  *answer;
} introspect_case_t;


static const char  sdl[] =
    "\"\"\"\n"
    "the service\n"
    "\"\"\"\n"
    "schema { query: Root mutation: M } \"a root\" type Root implements Node "
    "& Named { id: ID! \"a field\" f(a: Int = 1, \"an arg\" b: [In!]! = [{ "
    "p: 2, s: \"x\" }, { e: RED }], c: Any = { x: [1] } @deprecated(reason: "
    "\"no\")): [Root!]! g: U @deprecated name: String } interface Node { id: "
    "ID! } interface Named implements Node { id: ID! name: String } type M { "
    "id: ID! h(i: ID = 12, j: ID = \"x\", k: Float = 1.50, l: [Int] = 3, m: "
    "Boolean = null, n: Color = RED, o: String = \"q\\\"\", p: Int = "
    "\"bad\", q: Float = 1): Int } union U = Root | M enum Color { \"red\" "
    "RED BLUE @deprecated(reason: \"\") } input In { p: Int = 3 @deprecated "
    "q: In s: String e: Color = BLUE } input Choice @oneOf { a: Int b: Int } "
    "scalar Any @specifiedBy(url: \"u\") directive @d(\"where\" x: Color = "
    "RED, y: Int @deprecated, c: Choice) repeatable on FIELD | QUERY";


/* the answers of graphql-js */
static const introspect_case_t  cases[] = {
    {
        "the schema",
        "{ __schema { description queryType { name } mutationType { name } "
        "subscriptionType { name } __typename } }",
        "{\"data\":{\"__schema\":{\"description\":\"the "
        "service\",\"queryType\":{\"name\":\"Root\"},\"mutationType\":{\"name"
        "\":\"M\"},\"subscriptionType\":null,\"__typename\":\"__Schema\"}}}"
    },
    {
        "types in their order",
        "{ __schema { types { kind name } } }",
        "{\"data\":{\"__schema\":{\"types\":[{\"kind\":\"OBJECT\",\"name\":\""
        "Root\"},{\"kind\":\"SCALAR\",\"name\":\"ID\"},{\"kind\":\"SCALAR\","
        "\"name\":\"Int\"},{\"kind\":\"SCALAR\",\"name\":\"String\"},{\"kind"
        "\":\"INTERFACE\",\"name\":\"Node\"},{\"kind\":\"INTERFACE\",\"name\""
        ":\"Named\"},{\"kind\":\"OBJECT\",\"name\":\"M\"},{\"kind\":\"SCALAR"
        "\",\"name\":\"Float\"},{\"kind\":\"SCALAR\",\"name\":\"Boolean\"},{"
        "\"kind\":\"UNION\",\"name\":\"U\"},{\"kind\":\"ENUM\",\"name\":\"Col"
        "or\"},{\"kind\":\"INPUT_OBJECT\",\"name\":\"In\"},{\"kind\":\"INPUT_"
        "OBJECT\",\"name\":\"Choice\"},{\"kind\":\"SCALAR\",\"name\":\"Any\"}"
        ",{\"kind\":\"OBJECT\",\"name\":\"__Schema\"},{\"kind\":\"OBJECT\",\""
        "name\":\"__Type\"},{\"kind\":\"ENUM\",\"name\":\"__TypeKind\"},{\"ki"
        "nd\":\"OBJECT\",\"name\":\"__Field\"},{\"kind\":\"OBJECT\",\"name\":"
        "\"__InputValue\"},{\"kind\":\"OBJECT\",\"name\":\"__EnumValue\"},{\""
        "kind\":\"OBJECT\",\"name\":\"__Directive\"},{\"kind\":\"ENUM\",\"nam"
        "e\":\"__DirectiveLocation\"}]}}}"
    },
    {
        "an object",
        "{ __type(name: \"Root\") { kind name description specifiedByURL "
        "isOneOf fields { name } interfaces { name } possibleTypes { name } "
        "enumValues { name } inputFields { name } ofType { name } } }",
        "{\"data\":{\"__type\":{\"kind\":\"OBJECT\",\"name\":\"Root\",\"descr"
        "iption\":\"a "
        "root\",\"specifiedByURL\":null,\"isOneOf\":null,\"fields\":[{\"name"
        "\":\"id\"},{\"name\":\"f\"},{\"name\":\"name\"}],\"interfaces\":[{\""
        "name\":\"Node\"},{\"name\":\"Named\"}],\"possibleTypes\":null,\"enum"
        "Values\":null,\"inputFields\":null,\"ofType\":null}}}"
    },
    {
        "an interface",
        "{ __type(name: \"Node\") { kind fields { name } interfaces { name } "
        "possibleTypes { name } } n: __type(name: \"Named\") { interfaces { "
        "name } } }",
        "{\"data\":{\"__type\":{\"kind\":\"INTERFACE\",\"fields\":[{\"name\":"
        "\"id\"}],\"interfaces\":[],\"possibleTypes\":[{\"name\":\"Root\"}]},"
        "\"n\":{\"interfaces\":[{\"name\":\"Node\"}]}}}"
    },
    {
        "a union",
        "{ __type(name: \"U\") { kind fields { name } interfaces { name } "
        "possibleTypes { name } } }",
        "{\"data\":{\"__type\":{\"kind\":\"UNION\",\"fields\":null,\"interfac"
        "es\":null,\"possibleTypes\":[{\"name\":\"Root\"},{\"name\":\"M\"}]}}"
        "}"
    },
    {
        "an enum",
        "{ __type(name: \"Color\") { kind enumValues { name description "
        "isDeprecated deprecationReason } all: enumValues(includeDeprecated: "
        "true) { name isDeprecated deprecationReason } } }",
        "{\"data\":{\"__type\":{\"kind\":\"ENUM\",\"enumValues\":[{\"name\":"
        "\"RED\",\"description\":\"red\",\"isDeprecated\":false,\"deprecation"
        "Reason\":null}],\"all\":[{\"name\":\"RED\",\"isDeprecated\":false,\""
        "deprecationReason\":null},{\"name\":\"BLUE\",\"isDeprecated\":true,"
        "\"deprecationReason\":\"\"}]}}}"
    },
    {
        "input objects",
        "{ __type(name: \"In\") { isOneOf inputFields { name defaultValue } "
        "all: inputFields(includeDeprecated: true) { name isDeprecated "
        "deprecationReason defaultValue } } c: __type(name: \"Choice\") { "
        "isOneOf } }",
        "{\"data\":{\"__type\":{\"isOneOf\":false,\"inputFields\":[{\"name\":"
        "\"q\",\"defaultValue\":null},{\"name\":\"s\",\"defaultValue\":null},"
        "{\"name\":\"e\",\"defaultValue\":\"BLUE\"}],\"all\":[{\"name\":\"p\""
        ",\"isDeprecated\":true,\"deprecationReason\":\"No longer "
        "supported\",\"defaultValue\":\"3\"},{\"name\":\"q\",\"isDeprecated\""
        ":false,\"deprecationReason\":null,\"defaultValue\":null},{\"name\":"
        "\"s\",\"isDeprecated\":false,\"deprecationReason\":null,\"defaultVal"
        "ue\":null},{\"name\":\"e\",\"isDeprecated\":false,\"deprecationReaso"
        "n\":null,\"defaultValue\":\"BLUE\"}]},\"c\":{\"isOneOf\":true}}}"
    },
    {
        "a scalar",
        "{ __type(name: \"Any\") { kind specifiedByURL isOneOf } s: "
        "__type(name: \"ID\") { specifiedByURL description } }",
        "{\"data\":{\"__type\":{\"kind\":\"SCALAR\",\"specifiedByURL\":\"u\","
        "\"isOneOf\":null},\"s\":{\"specifiedByURL\":null,\"description\":\"T"
        "he `ID` scalar type represents a unique identifier, often used to "
        "refetch an object or as key for a cache. The ID type appears in a "
        "JSON response as a String; however, it is not intended to be "
        "human-readable. When expected as an input type, any string (such as "
        "`\\\"4\\\"`) or integer (such as `4`) input value will be accepted "
        "as an ID.\"}}}"
    },
    {
        "fields",
        "{ __type(name: \"Root\") { fields { name description isDeprecated "
        "deprecationReason args { name } } all: fields(includeDeprecated: "
        "true) { name isDeprecated deprecationReason args(includeDeprecated: "
        "true) { name description isDeprecated deprecationReason } } } }",
        "{\"data\":{\"__type\":{\"fields\":[{\"name\":\"id\",\"description\":"
        "null,\"isDeprecated\":false,\"deprecationReason\":null,\"args\":[]},"
        "{\"name\":\"f\",\"description\":\"a "
        "field\",\"isDeprecated\":false,\"deprecationReason\":null,\"args\":["
        "{\"name\":\"a\"},{\"name\":\"b\"}]},{\"name\":\"name\",\"description"
        "\":null,\"isDeprecated\":false,\"deprecationReason\":null,\"args\":["
        "]}],\"all\":[{\"name\":\"id\",\"isDeprecated\":false,\"deprecationRe"
        "ason\":null,\"args\":[]},{\"name\":\"f\",\"isDeprecated\":false,\"de"
        "precationReason\":null,\"args\":[{\"name\":\"a\",\"description\":nul"
        "l,\"isDeprecated\":false,\"deprecationReason\":null},{\"name\":\"b\""
        ",\"description\":\"an "
        "arg\",\"isDeprecated\":false,\"deprecationReason\":null},{\"name\":"
        "\"c\",\"description\":null,\"isDeprecated\":true,\"deprecationReason"
        "\":\"no\"}]},{\"name\":\"g\",\"isDeprecated\":true,\"deprecationReas"
        "on\":\"No longer "
        "supported\",\"args\":[]},{\"name\":\"name\",\"isDeprecated\":false,"
        "\"deprecationReason\":null,\"args\":[]}]}}}"
    },
    {
        "deprecation that is asked for with null",
        "{ __type(name: \"Root\") { fields(includeDeprecated: null) { name } "
        "} }",
        "{\"data\":{\"__type\":{\"fields\":[{\"name\":\"id\"},{\"name\":\"f\""
        "},{\"name\":\"name\"}]}}}"
    },
    {
        "wrappers",
        "{ __type(name: \"Root\") { fields { type { kind name description "
        "fields { name } ofType { kind name ofType { kind name ofType { kind "
        "name ofType { kind } } } } } } } }",
        "{\"data\":{\"__type\":{\"fields\":[{\"type\":{\"kind\":\"NON_NULL\","
        "\"name\":null,\"description\":null,\"fields\":null,\"ofType\":{\"kin"
        "d\":\"SCALAR\",\"name\":\"ID\",\"ofType\":null}}},{\"type\":{\"kind"
        "\":\"NON_NULL\",\"name\":null,\"description\":null,\"fields\":null,"
        "\"ofType\":{\"kind\":\"LIST\",\"name\":null,\"ofType\":{\"kind\":\"N"
        "ON_NULL\",\"name\":null,\"ofType\":{\"kind\":\"OBJECT\",\"name\":\"R"
        "oot\",\"ofType\":null}}}}},{\"type\":{\"kind\":\"SCALAR\",\"name\":"
        "\"String\",\"description\":\"The `String` scalar type represents "
        "textual data, represented as UTF-8 character sequences. The String "
        "type is most often used by GraphQL to represent free-form "
        "human-readable text.\",\"fields\":null,\"ofType\":null}}]}}}"
    },
    {
        "default values",
        "{ m: __type(name: \"M\") { fields { args { name defaultValue } } } "
        "r: __type(name: \"Root\") { fields { args { name defaultValue } } } "
        "}",
        "{\"data\":{\"m\":{\"fields\":[{\"args\":[]},{\"args\":[{\"name\":\"i"
        "\",\"defaultValue\":\"12\"},{\"name\":\"j\",\"defaultValue\":\"\\\"x"
        "\\\"\"},{\"name\":\"k\",\"defaultValue\":\"1.5\"},{\"name\":\"l\",\""
        "defaultValue\":\"[3]\"},{\"name\":\"m\",\"defaultValue\":\"null\"},{"
        "\"name\":\"n\",\"defaultValue\":\"RED\"},{\"name\":\"o\",\"defaultVa"
        "lue\":\"\\\"q\\\\\\\"\\\"\"},{\"name\":\"p\",\"defaultValue\":null},"
        "{\"name\":\"q\",\"defaultValue\":\"1\"}]}]},\"r\":{\"fields\":[{\"ar"
        "gs\":[]},{\"args\":[{\"name\":\"a\",\"defaultValue\":\"1\"},{\"name"
        "\":\"b\",\"defaultValue\":\"[{p: 2, s: \\\"x\\\", e: BLUE}, {p: 3, "
        "e: RED}]\"}]},{\"args\":[]}]}}}"
    },
    {
        "a default value without a literal",
        "{ __type(name: \"Root\") { fields { args(includeDeprecated: true) { "
        "name defaultValue } } } }",
        "{\"data\":{\"__type\":{\"fields\":[{\"args\":[]},{\"args\":[{\"name"
        "\":\"a\",\"defaultValue\":\"1\"},{\"name\":\"b\",\"defaultValue\":\""
        "[{p: 2, s: \\\"x\\\", e: BLUE}, {p: 3, e: "
        "RED}]\"},{\"name\":\"c\",\"defaultValue\":null}]},{\"args\":[]}]}},"
        "\"errors\":[{\"message\":\"Cannot convert value to AST: { x: [1] "
        "}.\",\"locations\":[{\"line\":1,\"column\":72}],\"path\":[\"__type\""
        ",\"fields\",1,\"args\",2,\"defaultValue\"]}]}"
    },
    {
        "directives",
        "{ __schema { directives { name description isRepeatable "
        "isDeprecated deprecationReason locations args { name description "
        "defaultValue type { name } } all: args(includeDeprecated: true) { "
        "name } } all: directives(includeDeprecated: true) { name } } }",
        "{\"data\":{\"__schema\":{\"directives\":[{\"name\":\"d\",\"descripti"
        "on\":null,\"isRepeatable\":true,\"isDeprecated\":false,\"deprecation"
        "Reason\":null,\"locations\":[\"FIELD\",\"QUERY\"],\"args\":[{\"name"
        "\":\"x\",\"description\":\"where\",\"defaultValue\":\"RED\",\"type\""
        ":{\"name\":\"Color\"}},{\"name\":\"c\",\"description\":null,\"defaul"
        "tValue\":null,\"type\":{\"name\":\"Choice\"}}],\"all\":[{\"name\":\""
        "x\"},{\"name\":\"y\"},{\"name\":\"c\"}]},{\"name\":\"include\",\"des"
        "cription\":\"Directs the executor to include this field or fragment "
        "only when the `if` argument is "
        "true.\",\"isRepeatable\":false,\"isDeprecated\":false,\"deprecationR"
        "eason\":null,\"locations\":[\"FIELD\",\"FRAGMENT_SPREAD\",\"INLINE_F"
        "RAGMENT\"],\"args\":[{\"name\":\"if\",\"description\":\"Included "
        "when true.\",\"defaultValue\":null,\"type\":{\"name\":null}}],\"all"
        "\":[{\"name\":\"if\"}]},{\"name\":\"skip\",\"description\":\"Directs"
        " the executor to skip this field or fragment when the `if` argument "
        "is true.\",\"isRepeatable\":false,\"isDeprecated\":false,\"deprecati"
        "onReason\":null,\"locations\":[\"FIELD\",\"FRAGMENT_SPREAD\",\"INLIN"
        "E_FRAGMENT\"],\"args\":[{\"name\":\"if\",\"description\":\"Skipped "
        "when true.\",\"defaultValue\":null,\"type\":{\"name\":null}}],\"all"
        "\":[{\"name\":\"if\"}]},{\"name\":\"deprecated\",\"description\":\"M"
        "arks an element of a GraphQL schema as no longer "
        "supported.\",\"isRepeatable\":false,\"isDeprecated\":false,\"depreca"
        "tionReason\":null,\"locations\":[\"FIELD_DEFINITION\",\"ARGUMENT_DEF"
        "INITION\",\"INPUT_FIELD_DEFINITION\",\"ENUM_VALUE\",\"DIRECTIVE_DEFI"
        "NITION\"],\"args\":[{\"name\":\"reason\",\"description\":\"Explains "
        "why this element was deprecated, usually also including a "
        "suggestion for how to access supported similar data. Formatted "
        "using the Markdown syntax, as specified by "
        "[CommonMark](https://commonmark.org/).\",\"defaultValue\":\"\\\"No "
        "longer supported\\\"\",\"type\":{\"name\":\"String\"}}],\"all\":[{\""
        "name\":\"reason\"}]},{\"name\":\"specifiedBy\",\"description\":\"Exp"
        "oses a URL that specifies the behavior of this "
        "scalar.\",\"isRepeatable\":false,\"isDeprecated\":false,\"deprecatio"
        "nReason\":null,\"locations\":[\"SCALAR\"],\"args\":[{\"name\":\"url"
        "\",\"description\":\"The URL that specifies the behavior of this "
        "scalar.\",\"defaultValue\":null,\"type\":{\"name\":null}}],\"all\":["
        "{\"name\":\"url\"}]},{\"name\":\"oneOf\",\"description\":\"Indicates"
        " exactly one field must be supplied and this field must not be "
        "`null`.\",\"isRepeatable\":false,\"isDeprecated\":false,\"deprecatio"
        "nReason\":null,\"locations\":[\"INPUT_OBJECT\"],\"args\":[],\"all\":"
        "[]}],\"all\":[{\"name\":\"d\"},{\"name\":\"include\"},{\"name\":\"sk"
        "ip\"},{\"name\":\"deprecated\"},{\"name\":\"specifiedBy\"},{\"name\""
        ":\"oneOf\"}]}}}"
    },
    {
        "a type that is not there",
        "{ __type(name: \"Nothing\") { name } }",
        "{\"data\":{\"__type\":null}}"
    },
    {
        "introspection of itself",
        "{ __type(name: \"__Type\") { name fields { name type { name } args "
        "{ name type { name } defaultValue } } } k: __type(name: "
        "\"__TypeKind\") { enumValues { name } } }",
        "{\"data\":{\"__type\":{\"name\":\"__Type\",\"fields\":[{\"name\":\"k"
        "ind\",\"type\":{\"name\":null},\"args\":[]},{\"name\":\"name\",\"typ"
        "e\":{\"name\":\"String\"},\"args\":[]},{\"name\":\"description\",\"t"
        "ype\":{\"name\":\"String\"},\"args\":[]},{\"name\":\"specifiedByURL"
        "\",\"type\":{\"name\":\"String\"},\"args\":[]},{\"name\":\"fields\","
        "\"type\":{\"name\":null},\"args\":[{\"name\":\"includeDeprecated\","
        "\"type\":{\"name\":\"Boolean\"},\"defaultValue\":\"false\"}]},{\"nam"
        "e\":\"interfaces\",\"type\":{\"name\":null},\"args\":[]},{\"name\":"
        "\"possibleTypes\",\"type\":{\"name\":null},\"args\":[]},{\"name\":\""
        "enumValues\",\"type\":{\"name\":null},\"args\":[{\"name\":\"includeD"
        "eprecated\",\"type\":{\"name\":\"Boolean\"},\"defaultValue\":\"false"
        "\"}]},{\"name\":\"inputFields\",\"type\":{\"name\":null},\"args\":[{"
        "\"name\":\"includeDeprecated\",\"type\":{\"name\":\"Boolean\"},\"def"
        "aultValue\":\"false\"}]},{\"name\":\"ofType\",\"type\":{\"name\":\"_"
        "_Type\"},\"args\":[]},{\"name\":\"isOneOf\",\"type\":{\"name\":\"Boo"
        "lean\"},\"args\":[]}]},\"k\":{\"enumValues\":[{\"name\":\"SCALAR\"},"
        "{\"name\":\"OBJECT\"},{\"name\":\"INTERFACE\"},{\"name\":\"UNION\"},"
        "{\"name\":\"ENUM\"},{\"name\":\"INPUT_OBJECT\"},{\"name\":\"LIST\"},"
        "{\"name\":\"NON_NULL\"}]}}}"
    }
};


static gql_schema_t *
build(prompt_arena_t *arena, prompt_str_t text)
{
    gql_errors_t  errors;

    gql_errors_init(&errors, arena, text, 0);

    return gql_schema_build(arena, text, &errors);
}


/*
 * Executes a query that asks for nothing but introspection; limit is that of
 * the execution's own memory.  False where there is no answer.
 */
static bool
answer(const gql_schema_t *schema, const char *query, size_t limit,
    prompt_buf_t *out)
{
    size_t                 i, n;
    uint32_t               field;
    gql_plan_t            *plan;
    gql_errors_t           errors;
    prompt_str_t           source;
    prompt_arena_t        *arena, *own;
    prompt_json_t          variables;
    gql_document_t        *document;
    gql_resolver_t         none;
    gql_execution_t       *execution;
    const prompt_str_t    *pieces;

    memset(&none, 0, sizeof(none));
    memset(&variables, 0, sizeof(variables));
    variables.type = PROMPT_JSON_OBJECT;

    source = prompt_str_from(query);
    arena = prompt_arena_create(ARENA);
    own = prompt_arena_create(limit);
    n = 0;

    gql_errors_init(&errors, arena, source, 0);
    document = gql_parse(arena, source, 0, &errors);

    plan = gql_plan_compile(arena, schema, document,
               (gql_operation_definition_t *) document->definitions.first,
               &variables, &errors);

    execution = plan != NULL && own != NULL
                ? gql_execution_create(own, plan, &variables, &none, NULL,
                                       16 << 20)
                : NULL;

    if (execution != NULL) {

        for (field = 0; field < plan->root->nfields; field++) {
            gql_execution_complete(execution, field, NULL);
        }

        n = gql_execution_finish(execution, prompt_str_absent, &pieces);

        for (i = 0; i < n; i++) {
            prompt_buf_str(out, pieces[i]);
        }

        gql_execution_destroy(execution);
    }

    prompt_arena_destroy(own);
    prompt_arena_destroy(arena);

    return n != 0;
}


static void
test_cases(const gql_schema_t *schema)
{
    size_t        i;
    prompt_buf_t  buf;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prompt_buf_init(&buf, 16 << 20);

        if (answer(schema, cases[i].query, ARENA, &buf)) {
            is_str(prompt_buf_view(&buf), cases[i].answer, cases[i].name);

        } else {
            ok(false, cases[i].name);
        }

        prompt_buf_free(&buf);
    }
}


/*
 * An arena of every size up to one that is enough: an answer is whole, or has
 * an error, or there is none.
 */
static void
test_memory(const gql_schema_t *schema)
{
    bool          enough, sound;
    size_t        limit;
    prompt_buf_t  buf;
    prompt_str_t  text;

    static const char  query[] =
        "{ __type(name: \"Root\") { fields { name args { defaultValue } } } }";

    enough = false;
    sound = true;

    for (limit = 0; !enough && limit < 65536; limit += 16) {
        prompt_buf_init(&buf, 16 << 20);

        if (answer(schema, query, limit, &buf)) {
            text = prompt_buf_view(&buf);
            prompt_buf_char(&buf, '\0');

            enough = strstr(buf.data, "\"errors\"") == NULL;
            sound = sound && (!enough || text.data[text.len - 1] == '}');
        }

        prompt_buf_free(&buf);
    }

    ok(enough, "some memory is enough for an answer");
    ok(sound, "with less memory there is an error, or no answer");
}


int
main(void)
{
    gql_schema_t    *schema;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    schema = build(arena, prompt_str_from(sdl));

    if (ok(schema != NULL, "a schema with one of everything")) {
        test_cases(schema);
        test_memory(schema);
    }

    prompt_arena_destroy(arena);

    return done_testing();
}
