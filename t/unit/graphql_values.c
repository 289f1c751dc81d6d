/*
 * Coercion of variables, arguments and literals: values, and the words of
 * graphql-js where there is none.
 */

#define _GNU_SOURCE              /* memmem() */

#include "graphql.h"
#include "tap.h"
#include "graphql_fixture.h"

#include "graphql/values/inspect.h"
#include "graphql/values/number.h"
#include "number_parse.h"

#include "base/utf8.h"


static const gql_errors_t  no_errors;


/* a variable $v of a type, as the request gives it, and what becomes of it */
typedef struct {
    const char  *type;
    const char  *given;              /* the variables; NULL: none */
    const char  *want;               /* all coerced variables, or */
    const char  *error;              /*   the first message */
} variable_case_t;


static const variable_case_t  variable_cases[] = {
    { "Int", "{\"v\":1}", "{\"v\":1}", NULL },
    { "Int", "{\"v\":1.0}", "{\"v\":1}", NULL },
    { "Int", "{\"v\":1e2}", "{\"v\":100}", NULL },
    { "Int", "{\"v\":-2147483648}", "{\"v\":-2147483648}", NULL },
    { "Int", "{\"v\":null}", "{\"v\":null}", NULL },
    { "Int", "{}", "{}", NULL },
    { "Int", NULL, "{}", NULL },
    { "Int = 7", "{}", "{\"v\":7}", NULL },
    { "Int = 7", "{\"v\":null}", "{\"v\":null}", NULL },
    { "Int", "{\"v\":1.5}", NULL,
      "Variable \"$v\" got invalid value 1.5; Int cannot represent "
      "non-integer value: 1.5" },
    { "Int", "{\"v\":2147483648}", NULL,
      "Variable \"$v\" got invalid value 2147483648; Int cannot represent "
      "non 32-bit signed integer value: 2147483648" },
    { "Int", "{\"v\":1e400}", NULL,
      "Variable \"$v\" got invalid value Infinity; Int cannot represent "
      "non-integer value: Infinity" },
    { "Int", "{\"v\":\"1\"}", NULL,
      "Variable \"$v\" got invalid value \"1\"; Int cannot represent "
      "non-integer value: \"1\"" },
    { "Int!", "{}", NULL,
      "Variable \"$v\" of required type \"Int!\" was not provided." },
    { "Int!", "{\"v\":null}", NULL,
      "Variable \"$v\" of non-null type \"Int!\" must not be null." },

    { "Float", "{\"v\":0.10}", "{\"v\":0.10}", NULL },
    { "Float", "{\"v\":1e400}", NULL,
      "Variable \"$v\" got invalid value Infinity; Float cannot represent "
      "non numeric value: Infinity" },
    { "String", "{\"v\":1}", NULL,
      "Variable \"$v\" got invalid value 1; String cannot represent a non "
      "string value: 1" },
    { "String", "{\"v\":\"a\\u0000b\"}", "{\"v\":\"a\\u0000b\"}", NULL },
    { "Boolean", "{\"v\":0}", NULL,
      "Variable \"$v\" got invalid value 0; Boolean cannot represent a non "
      "boolean value: 0" },

    { "ID", "{\"v\":\"x\"}", "{\"v\":\"x\"}", NULL },
    { "ID", "{\"v\":12}", "{\"v\":\"12\"}", NULL },
    { "ID", "{\"v\":1.0}", "{\"v\":\"1\"}", NULL },
    { "ID", "{\"v\":1e21}", "{\"v\":\"1e+21\"}", NULL },
    { "ID", "{\"v\":12345678901234567890}",
      "{\"v\":\"12345678901234567890\"}", NULL },
    { "ID", "{\"v\":1.5}", NULL,
      "Variable \"$v\" got invalid value 1.5; ID cannot represent value: "
      "1.5" },

    { "Color", "{\"v\":\"RED\"}", "{\"v\":\"RED\"}", NULL },
    { "Color", "{\"v\":\"GREN\"}", NULL,
      "Variable \"$v\" got invalid value \"GREN\"; Value \"GREN\" does not "
      "exist in \"Color\" enum. Did you mean the enum value \"GREEN\" or "
      "\"RED\"?" },
    { "Color", "{\"v\":2}", NULL,
      "Variable \"$v\" got invalid value 2; Enum \"Color\" cannot represent "
      "non-string value: 2." },

    { "JSON", "{\"v\":{\"b\":[1.10,{\"a\":1e2}]}}",
      "{\"v\":{\"b\":[1.10,{\"a\":1e2}]}}", NULL },

    { "[Int!]", "{\"v\":1}", "{\"v\":[1]}", NULL },
    { "[[Int]]", "{\"v\":[1,[2],null]}", "{\"v\":[[1],[2],null]}", NULL },
    { "[Int!]", "{\"v\":[1,null]}", NULL,
      "Variable \"$v\" got invalid value null at \"v[1]\"; Expected "
      "non-nullable type \"Int!\" not to be null." },

    { "Point", "{\"v\":{\"x\":1}}", "{\"v\":{\"x\":1,\"y\":2}}", NULL },
    { "Point", "{\"v\":{\"y\":null,\"x\":1}}",
      "{\"v\":{\"x\":1,\"y\":null}}", NULL },
    { "Point", "{\"v\":{}}", NULL,
      "Variable \"$v\" got invalid value {}; Field \"x\" of required type "
      "\"Int!\" was not provided." },
    { "Point", "{\"v\":[]}", NULL,
      "Variable \"$v\" got invalid value []; Expected type \"Point\" to be "
      "an object." },
    { "Point", "{\"v\":{\"x\":1,\"colour\":\"RED\"}}", NULL,
      "Variable \"$v\" got invalid value { x: 1, colour: \"RED\" }; Field "
      "\"colour\" is not defined by type \"Point\". Did you mean \"color\"?" },
    { "Tree", "{\"v\":{\"children\":[{},{\"point\":{\"x\":\"a\"}}]}}", NULL,
      "Variable \"$v\" got invalid value \"a\" at "
      "\"v.children[1].point.x\"; Int cannot represent non-integer value: "
      "\"a\"" },

    { "One", "{\"v\":{\"a\":1}}", "{\"v\":{\"a\":1}}", NULL },
    { "One", "{\"v\":{}}", NULL,
      "Variable \"$v\" got invalid value {}; Exactly one key must be "
      "specified for OneOf type \"One\"." },
    { "One", "{\"v\":{\"a\":null}}", NULL,
      "Variable \"$v\" got invalid value null at \"v.a\"; Field \"a\" must "
      "be non-null." },

    { "Human", "{}", NULL,
      "Variable \"$v\" expected value of type \"Human\" which cannot be used "
      "as an input type." },
    { "[Nope!]!", "{}", NULL,
      "Variable \"$v\" expected value of type \"[Nope!]!\" which cannot be "
      "used as an input type." },
};


/* a literal as a value of a type */
typedef struct {
    const char  *type;
    const char  *literal;
    const char  *want;               /* NULL: it is none */
} literal_case_t;


static const literal_case_t  literal_cases[] = {
    { "Int", "1", "1" },
    { "Int", "-0", "0" },
    { "Int", "2147483647", "2147483647" },
    { "Int", "-2147483648", "-2147483648" },
    { "Int", "2147483648", NULL },
    { "Int", "99999999999999999999999999", NULL },
    { "Int", "1.0", NULL },
    { "Int", "\"1\"", NULL },
    { "Int", "null", "null" },
    { "Int!", "null", NULL },
    { "Float", "1", "1" },
    { "Float", "1.10", "1.10" },
    { "Float", "\"1\"", NULL },
    { "String", "\"a\\nb\"", "\"a\\nb\"" },
    { "String", "a", NULL },
    { "Boolean", "true", "true" },
    { "Boolean", "1", NULL },
    { "ID", "12", "\"12\"" },
    { "ID", "\"12\"", "\"12\"" },
    { "ID", "1.5", NULL },
    { "Color", "RED", "\"RED\"" },
    { "Color", "\"RED\"", NULL },
    { "Color", "PINK", NULL },
    { "JSON", "{a: 1.10, b: [RED, \"x\", true, null]}",
      "{\"a\":1.10,\"b\":[\"RED\",\"x\",true,null]}" },
    { "JSON", "{a: $given, b: [$missing], c: $missing}",
      "{\"a\":[1,2],\"b\":[null]}" },
    { "JSON", "$missing", NULL },
    { "[Int]", "1", "[1]" },
    { "[Int]", "[1, null]", "[1,null]" },
    { "[Int!]", "[1, null]", NULL },
    { "[Int]", "[$missing]", "[null]" },
    { "[Int!]", "[$missing]", NULL },
    { "[Int]", "$given", "[1,2]" },
    { "[Int]!", "$nothing", NULL },
    { "Point", "{x: 1}", "{\"x\":1,\"y\":2}" },
    { "Point", "{x: 1, y: $missing, tag: $missing}", "{\"x\":1,\"y\":2}" },
    { "Point", "{y: 1}", NULL },
    { "Point", "[]", NULL },
    { "One", "{a: 1}", "{\"a\":1}" },
    { "One", "{a: 1, b: \"x\"}", NULL },
    { "One", "{a: null}", NULL },
};


/* a number as ECMAScript writes it */
static const struct {
    double       value;
    const char  *want;
} number_cases[] = {
    { 0, "0" },
    { -0.0, "0" },
    { 1, "1" },
    { -1.5, "-1.5" },
    { 0.1, "0.1" },
    { 100, "100" },
    { 123456789012345680000.0, "123456789012345680000" },
    { 1e21, "1e+21" },
    { 1.5e300, "1.5e+300" },
    { 1e-6, "0.000001" },
    { 1e-7, "1e-7" },
    { 1.25e-7, "1.25e-7" },
    { 5e-324, "5e-324" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 9007199254740993.0, "9007199254740992" },
};


/* text as Number() reads it */
static const struct {
    const char  *text;
    bool         number;
    double       want;
} text_cases[] = {
    { "", true, 0 },
    { " \n", true, 0 },
    { " 12\t", true, 12 },
    { "\xc2\xa0""12\xe2\x80\xa8", true, 12 },
    { "-1.5e2", true, -150 },
    { "+5", true, 5 },
    { ".5", true, 0.5 },
    { "5.", true, 5 },
    { "0x1F", true, 31 },
    { "0b11", true, 3 },
    { "0o17", true, 15 },
    { "-0x1F", false, 0 },
    { "0xg", false, 0 },
    { "1_0", false, 0 },
    { "1e", false, 0 },
    { ".", false, 0 },
    { "--1", false, 0 },
    { "abc", false, 0 },
};


static void
test_variable(const variable_case_t *t)
{
    char                               document[256], name[256];
    prompt_json_t                     *value;
    gql_document_t                    *parsed;
    const gql_operation_definition_t  *operation;

    fixture_reset(FIXTURE_ARENA);

    snprintf(document, sizeof(document), "query ($v: %s) { __typename }",
             t->type);
    snprintf(name, sizeof(name), "variable %s of %s", t->type,
             t->given != NULL ? t->given : "nothing");

    parsed = fixture_parse(document);
    operation = fixture_operation(parsed);

    value = gql_coerce_variables(fixture_arena, fixture_schema, operation,
                                 t->given != NULL ? fixture_json(t->given)
                                                  : NULL,
                                 &fixture_errors);

    if (t->want != NULL) {
        is_str(fixture_text(value), t->want, name);
        return;
    }

    if (value != NULL) {
        ok(false, name);
        return;
    }

    is_str(fixture_message(&fixture_errors, 0), t->error, name);
}


static void
test_literal(const literal_case_t *t)
{
    bool                   nomem;
    char                   name[256];
    prompt_str_t           message;
    prompt_json_t         *value, *leaf;
    gql_value_t           *literal;
    gql_type_node_t       *type;
    const gql_type_ref_t  *ref;

    fixture_reset(FIXTURE_ARENA);

    snprintf(name, sizeof(name), "literal %s as %s", t->literal, t->type);

    literal = gql_parse_value(fixture_arena, prompt_str_from(t->literal), 0,
                              &fixture_errors);
    type = gql_parse_type(fixture_arena, prompt_str_from(t->type), 0,
                          &fixture_errors);
    ref = gql_schema_type_from_ast(fixture_schema, fixture_arena, type);

    nomem = false;
    value = gql_value_from_ast(fixture_arena, literal, ref,
                               fixture_json("{\"given\":[1,2],"
                                            "\"nothing\":null}"), &nomem);

    if (t->want != NULL) {
        is_str(fixture_text(value), t->want, name);
    } else {
        ok(value == NULL, name);
    }

    if (ref->kind == GQL_REF_NAMED && gql_type_is_leaf(ref->type)
        && literal->node.kind != GQL_VARIABLE
        && literal->node.kind != GQL_NULL)
    {
        leaf = NULL;
        message = prompt_str_absent;

        if (gql_leaf_parse_literal(&no_errors, fixture_arena, ref->type,
                                   literal, &leaf, &message))
        {
            ok(t->want != NULL && leaf != NULL, "its leaf");
        } else {
            ok(t->want == NULL && message.len != 0, "its message");
        }
    }
}


static void
test_messages(void)
{
    size_t             i;
    gql_value_t       *literal;
    prompt_str_t       message;
    prompt_json_t     *out;
    const gql_type_t  *type;

    static const struct {
        const char  *type, *literal, *want;
    } cases[] = {
        { "Int", "1.5", "Int cannot represent non-integer value: 1.5" },
        { "Int", "2147483648", "Int cannot represent non 32-bit signed "
          "integer value: 2147483648" },
        { "Float", "\"a\"", "Float cannot represent non numeric value: "
          "\"a\"" },
        { "String", "[a]", "String cannot represent a non string value: "
          "[a]" },
        { "Boolean", "{a: 1}", "Boolean cannot represent a non boolean "
          "value: {a: 1}" },
        { "ID", "true", "ID cannot represent a non-string and non-integer "
          "value: true" },
        { "Color", "\"RED\"", "Enum \"Color\" cannot represent non-enum "
          "value: \"RED\". Did you mean the enum value \"RED\" or \"GREEN\"?" },
        { "Color", "GREEM", "Value \"GREEM\" does not exist in \"Color\" "
          "enum. Did you mean the enum value \"GREEN\" or \"RED\"?" },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fixture_reset(FIXTURE_ARENA);

        type = gql_schema_type(fixture_schema,
                               prompt_str_from(cases[i].type));
        literal = gql_parse_value(fixture_arena,
                                  prompt_str_from(cases[i].literal),
                                  0, &fixture_errors);

        ok(!gql_leaf_parse_literal(&no_errors, fixture_arena, type, literal,
                                   &out, &message), "no literal of the type");
        is_str(message, cases[i].want, "inspected");
    }
}


static void
test_print(void)
{
    bool                   done;
    size_t                 i;
    prompt_buf_t           buf;
    gql_type_node_t       *type;
    const gql_type_ref_t  *ref;

    static const struct {
        const char  *type, *value, *want;
    } cases[] = {
        { "Int", "1", "1" },
        { "Float", "1.50", "1.5" },
        { "Float", "1e21", "1e+21" },
        { "String", "\"a\\\"b\\n\"", "\"a\\\"b\\n\"" },
        { "ID", "\"12\"", "12" },
        { "ID", "\"012\"", "\"012\"" },
        { "Color", "\"RED\"", "RED" },
        { "Color", "\"PINK\"", NULL },
        { "Boolean", "true", "true" },
        { "Int", "null", "null" },
        { "Int!", "null", NULL },
        { "[Int]", "[1,null]", "[1, null]" },
        { "[Int!]", "[1,null]", "[1]" },
        { "Point", "{\"x\":1,\"y\":2,\"color\":\"RED\"}",
          "{x: 1, y: 2, color: RED}" },
        { "JSON", "{\"a\":1}", NULL },
        { "JSON", "\"x\"", "\"x\"" },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fixture_reset(FIXTURE_ARENA);

        type = gql_parse_type(fixture_arena, prompt_str_from(cases[i].type),
                              0, &fixture_errors);
        ref = gql_schema_type_from_ast(fixture_schema, fixture_arena, type);

        prompt_buf_init(&buf, FIXTURE_ARENA);
        done = gql_print_value(&buf, fixture_json(cases[i].value), ref);

        if (cases[i].want != NULL) {
            is_str(prompt_buf_view(&buf), cases[i].want, cases[i].type);
        } else {
            ok(!done && buf.len == 0, "no text for it");
        }

        prompt_buf_free(&buf);
    }
}


static void
test_inspect(void)
{
    size_t        i;
    prompt_buf_t  buf;
    prompt_str_t  shown;

    static const struct {
        const char  *value, *want;
    } cases[] = {
        { "{}", "{}" },
        { "[]", "[]" },
        { "\"\\u0001\\u007f\\u2028\\b\"",
          "\"\\u0001\x7f\xe2\x80\xa8\\b\"" },
        { "[1,2,3,4,5,6,7,8,9,10,11]",
          "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 1 more item]" },
        { "[1,2,3,4,5,6,7,8,9,10,11,12]",
          "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 2 more items]" },
        { "{\"a\":{\"b\":{\"c\":1},\"d\":[1],\"e\":[]}}",
          "{ a: { b: [Object], d: [Array], e: [] } }" },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fixture_reset(FIXTURE_ARENA);
        is_str(gql_inspect(fixture_arena, fixture_json(cases[i].value)),
               cases[i].want, "inspected");
    }

    /* what is long is cut, but not within a character */

    for (i = 0; i < 4; i++) {
        fixture_reset(FIXTURE_ARENA);

        prompt_buf_init(&buf, FIXTURE_ARENA);
        prompt_buf_append(&buf, "aaa", i);

        while (buf.len < gql_error_bounds.value + 100) {
            prompt_buf_literal(&buf, "\xf0\x9f\x98\x80");
        }

        shown = gql_inspect(fixture_arena,
                            prompt_json_new_string(fixture_arena,
                                                   prompt_buf_view(&buf)));
        ok(shown.len > gql_error_bounds.value - 8
           && shown.len <= gql_error_bounds.value + 3
           && prompt_utf8_valid(shown), "a long text is cut");
        prompt_buf_free(&buf);
    }
}


/* a variable that has a name of 200,000 bytes, wanted as a type */
static void
test_long_name(const char *type, const char *given, const char *says)
{
    bool                bounded, said;
    prompt_buf_t        query, values;
    prompt_json_t      *value;
    gql_document_t     *document;
    const gql_error_t  *error;

    fixture_reset(FIXTURE_ARENA);

    prompt_buf_init(&query, FIXTURE_ARENA);
    prompt_buf_init(&values, FIXTURE_ARENA);

    prompt_buf_literal(&query, "query ($");
    prompt_buf_literal(&values, "{\"");

    while (query.len < 200000) {
        prompt_buf_literal(&query, "longlonglonglonglonglonglonglong");
        prompt_buf_literal(&values, "longlonglonglonglonglonglonglong");
    }

    prompt_buf_printf(&query, ": %s) { __typename }%c", type, '\0');
    prompt_buf_printf(&values, "\":%s}%c", given, '\0');

    document = fixture_parse(query.data);
    value = gql_coerce_variables(fixture_arena, fixture_schema,
                                 fixture_operation(document),
                                 fixture_json(values.data), &fixture_errors);

    ok(value == NULL && fixture_errors.count != 0, "a long name, and errors");

    bounded = true;
    said = true;

    for (error = fixture_errors.first; error != NULL; error = error->next) {
        bounded = bounded && error->message.len <= gql_error_bounds.message
                  && prompt_utf8_valid(error->message);
        said = said && memmem(error->message.data, error->message.len, says,
                              strlen(says)) != NULL;
    }

    ok(bounded, "of which each is bounded");
    ok(said, "and says what it is about");

    prompt_buf_free(&query);
    prompt_buf_free(&values);
}


static void
test_limits(void)
{
    unsigned         i, n;
    prompt_buf_t     buf;
    prompt_json_t   *value;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    fixture_reset(FIXTURE_ARENA);

    document = fixture_parse("query ($v: [Int!]) { __typename }");

    prompt_buf_init(&buf, FIXTURE_ARENA);
    prompt_buf_literal(&buf, "{\"v\":[null");

    for (i = 0; i < 100; i++) {
        prompt_buf_literal(&buf, ",null");
    }

    prompt_buf_literal(&buf, "]}");
    prompt_buf_char(&buf, '\0');

    value = gql_coerce_variables(fixture_arena, fixture_schema,
                                 fixture_operation(document),
                                 fixture_json(buf.data), &fixture_errors);
    prompt_buf_free(&buf);

    ok(value == NULL, "many errors");
    is_int(fixture_errors.count, 51, "fifty of them, and one that says so");
    is_str(fixture_message(&fixture_errors, 50),
           "Too many errors processing variables, error limit reached. "
           "Execution aborted.", "its words");

    /* many variables are found by a table */

    fixture_reset(FIXTURE_ARENA);
    prompt_buf_literal(&buf, "query (");

    for (i = 0; i < 100; i++) {
        prompt_buf_printf(&buf, "$v%u: Int ", i);
    }

    prompt_buf_literal(&buf, ") { __typename }");
    prompt_buf_char(&buf, '\0');
    document = fixture_parse(buf.data);

    value = prompt_json_new(fixture_arena, PROMPT_JSON_OBJECT);

    for (i = 0; i < 100; i++) {
        prompt_json_set(value,
                        prompt_arena_printf(fixture_arena, "v%u", i * 2),
                        prompt_json_new_integer(fixture_arena, i * 2));
    }

    value = gql_coerce_variables(fixture_arena, fixture_schema,
                                 fixture_operation(document), value,
                                 &fixture_errors);
    n = 0;

    for (i = 0; i < 100; i++) {
        const prompt_json_t  *v;
        prompt_str_t          name;

        name = prompt_arena_printf(fixture_arena, "v%u", i);
        v = prompt_json_get(value, name);
        n += i % 2 == 0 ? v != NULL && v->text.len == name.len - 1
                        : v == NULL;
    }

    is_int(n, 100, "a hundred variables");

    /* among more that nobody wants, which take no memory */

    document = fixture_parse(buf.data);
    value = prompt_json_new(fixture_arena, PROMPT_JSON_OBJECT);

    for (i = 0; i < 10000; i++) {
        prompt_json_set(value,
                        prompt_arena_printf(fixture_arena, "v%u", i),
                        prompt_json_new_integer(fixture_arena, i));
    }

    arena = prompt_arena_create(64 * 1024);
    value = gql_coerce_variables(arena, fixture_schema,
                                 fixture_operation(document), value,
                                 &fixture_errors);
    ok(value != NULL && value->count == 100, "a hundred of 10,000");
    prompt_arena_destroy(arena);
    prompt_buf_free(&buf);
}


/* with every limit of memory: a value, an error or nomem, and no crash */
static void
test_memory(void)
{
    bool                               sane;
    size_t                             limit;
    prompt_str_t                       message;
    prompt_json_t                     *value;
    prompt_arena_t                    *arena;
    gql_document_t                    *document;
    gql_errors_t                       errors;
    const prompt_json_t               *given, *bad;
    const gql_operation_definition_t  *operation;

    fixture_reset(FIXTURE_ARENA);

    document = fixture_parse("query ($v: Tree = {value: 1, children: "
                             "[{point: {x: 3}}]}, $w: Color) { __typename }");
    operation = fixture_operation(document);
    given = fixture_json("{}");
    bad = fixture_json("{\"v\":{\"valu\":1,\"children\":[{\"point\":{}}]},"
                       "\"w\":\"x\"}");
    sane = true;

    for (limit = 512; limit < 32768; limit += 16) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            continue;
        }

        gql_errors_init(&errors, arena, fixture_errors.source, 0);
        value = gql_coerce_variables(arena, fixture_schema, operation, given,
                                     &errors);
        sane = sane && (value != NULL) == !errors.nomem
               && errors.count == 0;

        prompt_arena_destroy(arena);

        arena = prompt_arena_create(limit);
        gql_errors_init(&errors, arena, fixture_errors.source, 0);
        value = gql_coerce_variables(arena, fixture_schema, operation, bad,
                                     &errors);
        message = fixture_message(&errors, 0);
        sane = sane && value == NULL
               && (errors.nomem || (errors.count == 3 && message.len != 0));

        prompt_arena_destroy(arena);
    }

    ok(sane, "little memory");
}


int
main(void)
{
    char    text[GQL_NUMBER_SIZE];
    size_t  i, n;
    double  number;

    fixture_init();

    for (i = 0; i < sizeof(variable_cases) / sizeof(variable_cases[0]); i++) {
        test_variable(&variable_cases[i]);
    }

    for (i = 0; i < sizeof(literal_cases) / sizeof(literal_cases[0]); i++) {
        test_literal(&literal_cases[i]);
    }

    for (i = 0; i < sizeof(number_cases) / sizeof(number_cases[0]); i++) {
        n = gql_number_format(number_cases[i].value, text);
        is_str(prompt_str_of(text, n), number_cases[i].want,
               "a number as ECMAScript writes it");
    }

    for (i = 0; i < sizeof(text_cases) / sizeof(text_cases[0]); i++) {
        number = 0;
        ok(gql_number_parse(prompt_str_from(text_cases[i].text), &number)
           == text_cases[i].number && number == text_cases[i].want,
           text_cases[i].text);
    }

    test_messages();
    test_print();
    test_inspect();
    test_limits();
    test_long_name("[Int!]", "[null,\"a\",1.5,{}]", "\"; ");
    test_long_name("[Color]", "[\"PINK\",1,[]]", "\"; ");
    test_long_name("Int!", "null", "Variable \"$long");
    test_long_name("Query", "1", "Variable \"$long");
    test_memory();

    fixture_done();

    return done_testing();
}
