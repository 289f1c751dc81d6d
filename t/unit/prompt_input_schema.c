/*
 * Input schemas: what is refused at creation, and where; what is violated,
 * and in which order it is told; that hostile ones are cheap.
 */

#include "prompt/schema.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"


static prompt_arena_t  *arena;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, prompt_str_from(text), 64, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_NULL);
    }

    return value;
}


/* field == NULL: accepted */
static void
schema(const char *text, const char *field)
{
    prompt_check_t  rc;
    prompt_fault_t  fault;

    fault.field = prompt_str_absent;
    rc = prompt_schema_check(arena, json(text), prompt_str("inputSchema"),
                             &fault);

    is_str(fault.field, field, text);

    if ((rc == PROMPT_CHECK_OK) != (field == NULL)) {
        ok(false, "result and field");
    }
}


/*
 * want: NULL, or field, keyword and message of each violation in their order,
 * as "field keyword message; ..."
 */
static void
input(const char *schema_text, const char *text, const char *want)
{
    prompt_buf_t          list;
    prompt_check_t        rc;
    prompt_fault_t        fault;
    const prompt_json_t  *violation, *member;

    prompt_buf_init(&list, 100000);
    rc = prompt_input_schema_validate(arena, json(schema_text), json(text),
                                      &fault);

    if (rc != PROMPT_CHECK_FAULT) {
        is_str(rc == PROMPT_CHECK_OK ? prompt_str_absent : prompt_str("memory"),
               want, text);
        return;
    }

    if (fault.violations == NULL) {
        prompt_buf_str(&list, fault.field);
        prompt_buf_literal(&list, ": ");
        prompt_buf_str(&list, fault.message);

    } else if (!prompt_str_eq(fault.field,
                              fault.violations->first->first->text))
    {
        ok(false, "the field is that of the first violation");
    }

    for (violation = fault.violations != NULL ? fault.violations->first : NULL;
         violation != NULL;
         violation = violation->next)
    {
        for (member = violation->first; member != NULL; member = member->next) {
            prompt_buf_str(&list, member->text);
            prompt_buf_str(&list, member->next != NULL ? prompt_str(" ")
                           : violation->next != NULL ? prompt_str("; ")
                                                     : prompt_str(""));
        }
    }

    is_str(prompt_buf_view(&list), want, text);
    prompt_buf_free(&list);
}


static void
test_schemas(void)
{
    schema("{}", NULL);
    schema("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
           "\"required\":[\"a\"]}", NULL);
    schema("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"}",
           NULL);
    schema("{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}", NULL);
    schema("{\"x-note\":[1],\"title\":\"t\",\"format\":\"email\"}", NULL);
    schema("{\"properties\":{\"s\":{\"$ref\":\"http://json-schema.org/"
           "draft-07/schema#\"},\"t\":{\"$ref\":\"https://json-schema.org/"
           "draft/2020-12/schema\"}}}", NULL);
    schema("{\"properties\":{\"next\":{\"$ref\":\"#\"}}}", NULL);
    schema("{\"$defs\":{\"a b\":{\"$anchor\":\"x\"}},\"properties\":{"
           "\"p\":{\"$ref\":\"#/$defs/a%20b\"},\"q\":{\"$ref\":\"#x\"}}}",
           NULL);
    schema("{\"$id\":\"http://x/y\",\"properties\":{\"a\":{"
           "\"$ref\":\"http://x/y#/$defs/d\"}},\"$defs\":{\"d\":true}}", NULL);

    schema("true", "inputSchema");
    schema("[]", "inputSchema");
    schema("null", "inputSchema");
    schema("{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}",
           "inputSchema.$schema");
    schema("{\"$schema\":5}", "inputSchema.$schema");
    schema("{\"type\":\"text\"}", "inputSchema.type");
    schema("{\"type\":[\"string\",\"text\"]}", "inputSchema.type.1");
    schema("{\"type\":[\"string\",\"string\"]}", "inputSchema.type.1");
    schema("{\"type\":[]}", "inputSchema.type");
    schema("{\"type\":null}", "inputSchema.type");
    schema("{\"properties\":[]}", "inputSchema.properties");
    schema("{\"properties\":{\"a\":5}}", "inputSchema.properties.a");
    schema("{\"properties\":{\"a\":{\"type\":1}}}",
           "inputSchema.properties.a.type");
    schema("{\"required\":\"a\"}", "inputSchema.required");
    schema("{\"required\":[1]}", "inputSchema.required.0");
    schema("{\"required\":[\"a\",\"a\"]}", "inputSchema.required");
    schema("{\"enum\":1}", "inputSchema.enum");
    schema("{\"minLength\":-1}", "inputSchema.minLength");
    schema("{\"minLength\":1.5}", "inputSchema.minLength");
    schema("{\"minimum\":\"1\"}", "inputSchema.minimum");
    schema("{\"multipleOf\":0}", "inputSchema.multipleOf");
    schema("{\"multipleOf\":-1}", "inputSchema.multipleOf");
    schema("{\"multipleOf\":0.1234567890123456789}",
           "inputSchema.multipleOf");
    schema("{\"uniqueItems\":1}", "inputSchema.uniqueItems");
    schema("{\"allOf\":[]}", "inputSchema.allOf");
    schema("{\"anyOf\":{}}", "inputSchema.anyOf");
    schema("{\"oneOf\":[true,{\"not\":[]}]}", "inputSchema.oneOf.1.not");
    schema("{\"items\":[{}]}", "inputSchema.items");
    schema("{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
           "\"items\":[{}],\"additionalItems\":false}", NULL);
    schema("{\"pattern\":\"(\"}", "inputSchema.pattern");
    schema("{\"pattern\":\"(?=a)\"}", "inputSchema.pattern");
    schema("{\"pattern\":\"(a)\\\\1\"}", "inputSchema.pattern");
    schema("{\"patternProperties\":{\"a\":{},\"[\":{}}}",
           "inputSchema.patternProperties.[");
    schema("{\"unevaluatedProperties\":5}",
           "inputSchema.unevaluatedProperties");
    schema("{\"$dynamicRef\":\"#a\"}", "inputSchema.$dynamicRef");
    schema("{\"$ref\":\"other.json\"}", "inputSchema.$ref");
    schema("{\"$ref\":\"http://json-schema.org/draft-04/schema#\"}",
           "inputSchema.$ref");
    schema("{\"$ref\":\"#/nowhere\"}", "inputSchema.$ref");
    schema("{\"$ref\":\"#/$defs\",\"$defs\":{}}", "inputSchema.$ref");
    schema("{\"$ref\":\"#/$defs/b\",\"$defs\":{\"a\":{}}}",
           "inputSchema.$ref");
    schema("{\"$ref\":5}", "inputSchema.$ref");
    schema("{\"$ref\":\"#/x/1/y\",\"x\":[0,{\"y\":{\"properties\":{\"a\":{"
           "\"$ref\":\"#/x/1/y\"}},\"$id\":\"no\",\"$anchor\":\"no\"}}]}",
           NULL);
    schema("{\"$ref\":\"#/x\",\"x\":{\"type\":\"text\"}}",
           "inputSchema.x.type");
    schema("{\"$ref\":\"#no\",\"x\":{\"$anchor\":\"no\"},\"items\":{"
           "\"$ref\":\"#/x\"}}", "inputSchema.$ref");
    schema("{\"$ref\":\"#/x\",\"x\":5}", "inputSchema.$ref");
    schema("{\"$ref\":\"#/x\",\"x\":{\"$ref\":\"#/x\"}}", "inputSchema.$ref");
    schema("{\"$ref\":\"#/examples/0\",\"examples\":[{}]}", NULL);
    schema("{\"$ref\":\"#/examples/1\",\"examples\":[{}]}",
           "inputSchema.$ref");
    schema("{\"$ref\":\"#/dependentRequired\",\"dependentRequired\":{}}",
           "inputSchema.$ref");
    schema("{\"properties\":{\"a\":{\"$id\":\"x\"}}}", NULL);
    schema("{\"properties\":{\"a\":{\"$id\":\"x#a\"}}}",
           "inputSchema.properties.a.$id");
    schema("{\"properties\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"./x\"}}}",
           "inputSchema.properties.b.$id");
    schema("{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}",
           "inputSchema.$defs.b.$anchor");
    schema("{\"$anchor\":\"1\"}", "inputSchema.$anchor");
    schema("{\"$ref\":\"#\"}", "inputSchema.$ref");
    schema("{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{"
           "\"a\":{\"not\":{\"$ref\":\"#/$defs/b\"}},"
           "\"b\":{\"anyOf\":[{\"$ref\":\"#/$defs/a\"}]}}}",
           "inputSchema.$defs.b.anyOf.0.$ref");
    schema("{\"title\":5}", "inputSchema.title");
}


static void
test_required(void)
{
    static const char  *person =
        "{\"type\":\"object\",\"required\":[\"name\",\"age\"],"
        "\"properties\":{\"age\":{\"type\":\"integer\",\"minimum\":0},"
        "\"name\":{\"type\":\"string\",\"minLength\":1},"
        "\"customer\":{\"required\":[\"email\"],\"properties\":{"
        "\"email\":{\"type\":\"string\"}}},"
        "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}";

    input(person, "{\"name\":\"A\",\"age\":1}", NULL);
    input(person, "{\"name\":\"A\",\"age\":1.0,\"more\":null}", NULL);
    input(person, "{}", "name required is required; "
          "age required is required");
    input(person, "{\"name\":\"\",\"age\":-1}",
          "age minimum must not be below 0; "
          "name minLength must not be shorter than 1 characters");
    input(person, "{\"name\":5,\"age\":\"x\"}",
          "age type must be of type integer; "
          "name type must be of type string");
    input(person, "{\"name\":\"A\",\"age\":1.5}",
          "age type must be of type integer");
    input(person, "{\"name\":\"A\",\"age\":1,\"customer\":{}}",
          "email required is required");
    input(person, "{\"name\":\"A\",\"age\":1,\"customer\":{\"email\":1}}",
          "customer.email type must be of type string");
    input(person, "{\"name\":\"A\",\"age\":1,\"tags\":[\"a\",\"b\",3,4]}",
          "tags.2 type must be of type string; "
          "tags.3 type must be of type string");
    input(person, "[]", "input: input must be a JSON object");
    input(person, "null", "input: input must be a JSON object");
    input("{\"minProperties\":1}", "{}",
          "input minProperties must not have fewer than 1 properties");
    input("{\"type\":\"array\"}", "{}", "input type must be of type array");
    input("{\"type\":[\"array\",\"string\",\"null\"]}", "{}",
          "input type must be of type null, string or array");
}


static void
test_keywords(void)
{
    input("{\"properties\":{\"a\":{\"enum\":[1,\"x\",null,{\"k\":[1]}]}}}",
          "{\"a\":{\"k\":[1.0]}}", NULL);
    input("{\"properties\":{\"a\":{\"enum\":[1,\"x\"]}}}", "{\"a\":\"y\"}",
          "a enum must be one of the allowed values");
    input("{\"properties\":{\"a\":{\"const\":1}}}", "{\"a\":2}",
          "a const must be the one allowed value");
    input("{\"properties\":{\"a\":{\"maxLength\":2}}}",
          "{\"a\":\"\xf0\x9f\x99\x82\xc3\xa4\"}", NULL);
    input("{\"properties\":{\"a\":{\"maxLength\":2}}}", "{\"a\":\"abc\"}",
          "a maxLength must not be longer than 2 characters");
    input("{\"properties\":{\"a\":{\"multipleOf\":0.1}}}", "{\"a\":0.3}",
          NULL);
    input("{\"properties\":{\"a\":{\"multipleOf\":0.1}}}", "{\"a\":0.35}",
          "a multipleOf must be a multiple of 0.1");
    input("{\"properties\":{\"a\":{\"exclusiveMaximum\":1e2}}}",
          "{\"a\":100}", "a exclusiveMaximum must be below 1e2");
    input("{\"properties\":{\"a\":{\"maximum\":0.1}}}",
          "{\"a\":0.1000000000000000000001}",
          "a maximum must not be above 0.1");
    input("{\"properties\":{\"a\":{\"pattern\":\"^[a-z]+$\"}}}",
          "{\"a\":\"A\"}", "a pattern must match the pattern ^[a-z]+$");
    input("{\"properties\":{\"a\":{\"uniqueItems\":true}}}",
          "{\"a\":[1,{\"x\":1,\"y\":[2]},\"1\",{\"y\":[2.0],\"x\":1}]}",
          "a uniqueItems must not have equal elements, such as the one at "
          "index 3");
    input("{\"properties\":{\"a\":{\"prefixItems\":[{\"type\":\"string\"}],"
          "\"items\":false,\"minItems\":1}}}", "{\"a\":[1,2]}",
          "a.0 type must be of type string; a.1 items is not allowed");
    input("{\"properties\":{\"a\":{\"contains\":{\"const\":1},"
          "\"maxContains\":1}}}", "{\"a\":[1,2,1]}",
          "a maxContains must contain at most 1 elements that match, and has "
          "2");
    input("{\"additionalProperties\":false,\"properties\":{\"a\":{}},"
          "\"patternProperties\":{\"^x-\":{\"type\":\"string\"}}}",
          "{\"a\":1,\"x-b\":2,\"c\":3}",
          "c additionalProperties is not allowed; "
          "x-b type must be of type string");
    input("{\"propertyNames\":{\"maxLength\":2}}", "{\"a\":1,\"abc\":2}",
          "abc maxLength must not be longer than 2 characters");
    input("{\"dependentRequired\":{\"card\":[\"address\"]}}",
          "{\"card\":1}",
          "address dependentRequired is required when card is given");
    input("{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},"
          "\"else\":{\"required\":[\"c\"]}}", "{\"a\":1}",
          "b required is required");
    input("{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},"
          "\"else\":{\"required\":[\"c\"]}}", "{}",
          "c required is required");
    input("{\"allOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}", "{}",
          "a required is required; b required is required");
    input("{\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"string\"},"
          "{\"type\":\"null\"}]}}}", "{\"a\":1}",
          "a anyOf must match at least one of the 2 schemas of anyOf");
    input("{\"properties\":{\"a\":{\"oneOf\":[{\"minimum\":1},"
          "{\"minimum\":2}]}}}", "{\"a\":3}", "a oneOf must match exactly "
          "one of the 2 schemas of oneOf, and matches more");
    input("{\"properties\":{\"a\":{\"not\":{\"type\":\"null\"}}}}",
          "{\"a\":null}", "a not must not match the schema of not");
    input("{\"properties\":{\"next\":{\"$ref\":\"#\"},\"v\":{\"type\":"
          "\"integer\"}}}", "{\"next\":{\"next\":{\"v\":\"x\"}}}",
          "next.next.v type must be of type integer");
    input("{\"properties\":{\"s\":{\"$ref\":\"http://json-schema.org/draft-07"
          "/schema#\"}}}", "{\"s\":{\"type\":\"text\"}}",
          "s.type anyOf must match at least one of the 2 schemas of anyOf");
    input("{\"properties\":{\"\":{\"type\":\"null\"}},\"required\":[\"\"]}",
          "{\"\":null}", NULL);
    input("{\"required\":[\"\"]}", "{}", "\"\" required is required");
}


static void
test_unevaluated(void)
{
    /* what comes last to be done is told where it stands */

    input("{\"unevaluatedProperties\":false,\"properties\":{\"a\":{\"type\":"
          "\"string\"}},\"required\":[\"z\"]}", "{\"a\":1,\"b\":2}",
          "b unevaluatedProperties is not allowed; "
          "a type must be of type string; z required is required");
    input("{\"properties\":{\"a\":{\"type\":\"string\"}},"
          "\"unevaluatedProperties\":false,\"required\":[\"z\"]}",
          "{\"a\":1,\"b\":2}", "a type must be of type string; "
          "b unevaluatedProperties is not allowed; z required is required");
    input("{\"unevaluatedProperties\":{\"type\":\"null\"},\"allOf\":[{"
          "\"unevaluatedProperties\":false,\"properties\":{\"a\":{\"type\":"
          "\"string\"}}},{\"required\":[\"z\"]}]}", "{\"a\":1,\"b\":2}",
          "b unevaluatedProperties is not allowed; "
          "a type must be of type string; z required is required");
    input("{\"properties\":{\"l\":{\"unevaluatedItems\":false,"
          "\"prefixItems\":[{\"type\":\"string\"}]}}}", "{\"l\":[1,2,3]}",
          "l.1 unevaluatedItems is not allowed; "
          "l.2 unevaluatedItems is not allowed; "
          "l.0 type must be of type string");

    /* a branch that does not match has looked at nothing */

    input("{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\"},"
          "\"b\":true}},{\"properties\":{\"a\":{\"type\":\"number\"}}}],"
          "\"unevaluatedProperties\":false}", "{\"a\":1,\"b\":2}",
          "b unevaluatedProperties is not allowed");
    input("{\"if\":{\"properties\":{\"a\":{\"const\":1}},\"required\":"
          "[\"a\"]},\"unevaluatedProperties\":false}", "{\"a\":1}", NULL);
    input("{\"if\":{\"properties\":{\"a\":{\"const\":1}},\"required\":"
          "[\"a\"]},\"unevaluatedProperties\":false}", "{\"a\":2}",
          "a unevaluatedProperties is not allowed");
    input("{\"not\":{\"not\":{\"properties\":{\"a\":true}}},"
          "\"unevaluatedProperties\":false}", "{\"a\":2}",
          "a unevaluatedProperties is not allowed");

    /* formats, and references that depend on who refers */

    input("{\"properties\":{\"a\":{\"format\":\"date\"},\"b\":{\"format\":"
          "\"no-such\"}}}", "{\"a\":\"2023-02-29\",\"b\":\"\"}",
          "a format must be of the format date");
    input("{\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"t\","
          "\"type\":\"string\"},\"list\":{\"$id\":\"list\",\"properties\":{"
          "\"a\":{\"$dynamicRef\":\"#t\"}},\"$defs\":{\"any\":{"
          "\"$dynamicAnchor\":\"t\"}}}}}", "{\"a\":1}",
          "a type must be of type string");
    input("{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
          "\"properties\":{\"a\":{\"$id\":\"x\",\"$schema\":"
          "\"https://json-schema.org/draft/2020-12/schema\","
          "\"prefixItems\":[false]},\"b\":{\"prefixItems\":[false]}}}",
          "{\"a\":[1],\"b\":[1]}", "a.0 prefixItems is not allowed");
    input("{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
          "\"properties\":{\"a\":{\"$id\":\"x\",\"$schema\":"
          "\"https://json-schema.org/draft/2020-12/schema\",\"$ref\":"
          "\"#/$defs/n\",\"maximum\":1,\"$defs\":{\"n\":{\"minimum\":3}}}}}",
          "{\"a\":2}", "a minimum must not be below 3; "
          "a maximum must not be above 1");
}


/* more violations than are listed, where the first ones are found last */
static void
test_unevaluated_full(void)
{
    size_t                i;
    prompt_buf_t          buf;
    prompt_fault_t        fault;
    const prompt_json_t  *violation;

    prompt_buf_init(&buf, 1 << 20);
    prompt_buf_literal(&buf, "{\"a\":[");

    for (i = 0; i < 50; i++) {
        prompt_buf_str(&buf, i != 0 ? prompt_str(",1") : prompt_str("1"));
    }

    prompt_buf_literal(&buf, "],\"b\":1,\"c\":1}");
    prompt_buf_char(&buf, '\0');

    is_int(prompt_input_schema_validate(arena,
               json("{\"unevaluatedProperties\":false,\"properties\":{\"a\":{"
                    "\"items\":{\"type\":\"string\"}}}}"), json(buf.data),
               &fault), PROMPT_CHECK_FAULT, "52 violations");
    is_int(fault.violations->count, 20, "of which 20 are listed");
    is_str(fault.field, "b", "the first one is found last");

    violation = prompt_json_at(fault.violations, 1);
    is_str(violation->first->text, "c", "so is the second one");
    violation = prompt_json_at(fault.violations, 19);
    is_str(violation->first->text, "a.17", "and the last one is found early");

    prompt_buf_free(&buf);
}


/* each of the schemas applies the one before twice, to the same value */
static void
doubling(size_t levels, const char *want)
{
    size_t        i;
    prompt_buf_t  buf;

    prompt_buf_init(&buf, 1 << 20);
    prompt_buf_literal(&buf, "{\"$defs\":{\"d0\":{\"type\":\"object\"}");

    for (i = 1; i <= levels; i++) {
        prompt_buf_printf(&buf, ",\"d%zu\":{\"allOf\":[{\"$ref\":\"#/$defs/d"
                          "%zu\"},{\"$ref\":\"#/$defs/d%zu\"}]}", i, i - 1,
                          i - 1);
    }

    prompt_buf_printf(&buf, "},\"$ref\":\"#/$defs/d%zu\"}", levels);
    prompt_buf_char(&buf, '\0');

    input(buf.data, "{}", want);
    prompt_buf_free(&buf);
}


static void
test_bounds(void)
{
    char            *text;
    size_t           i;
    clock_t          start;
    prompt_buf_t     buf;
    prompt_fault_t   fault;

    /* more violations than are listed */

    prompt_buf_init(&buf, 1 << 20);
    prompt_buf_literal(&buf, "{\"a\":[");

    for (i = 0; i < 50; i++) {
        prompt_buf_str(&buf, i != 0 ? prompt_str(",1") : prompt_str("1"));
    }

    prompt_buf_literal(&buf, "]}");
    prompt_buf_char(&buf, '\0');

    is_int(prompt_input_schema_validate(arena, json("{\"properties\":{\"a\":{"
               "\"items\":{\"type\":\"string\"}}}}"), json(buf.data), &fault),
           PROMPT_CHECK_FAULT, "50 violations");
    is_int(fault.violations->count, 20, "of which 20 are listed");

    start = clock();

    doubling(14, NULL);
    doubling(29, "inputSchema.$ref: inputSchema refers to "
             "itself for the same value, or through too many schemas");

    /* every level of the input takes three times as much as the next one */

    text = malloc(1000);
    memset(text, 0, 1000);

    for (i = 0; i < 60; i++) {
        memcpy(text + strlen(text), "{\"a\":", 6);
    }

    memcpy(text + strlen(text), "{}", 3);
    memset(text + strlen(text), '}', 60);

    input("{\"allOf\":[{\"properties\":{\"a\":{\"$ref\":\"#\"}}},"
          "{\"properties\":{\"a\":{\"$ref\":\"#\"}}},"
          "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}]}", text,
          "input: input is too large to be validated against inputSchema");
    free(text);

    /* a pattern that backtracking would never finish */

    input("{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}",
          "{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"
          "\"}", "a pattern must match the pattern ^(a+)+$");
    ok(within(start, 3), "in bounded time");

    prompt_buf_free(&buf);
}


/* schemas that leave to the value how often they apply themselves */
static void
test_late(void)
{
    /* a schema below no keyword, and a meta-schema that is read after it */

    input("{\"properties\":{\"b\":{\"$ref\":\"https://json-schema.org/draft/"
          "2020-12/schema\"},\"a\":{\"$ref\":\"#/x/y\"}},\"x\":{\"y\":{"
          "\"type\":\"string\"}}}",
          "{\"a\":1,\"b\":{\"not\":{\"minLength\":-1}}}",
          "b.not.minLength minimum must not be below 0; "
          "a type must be of type string");
}


static void
test_loops(void)
{
    static const char  *loop =
        "{\"$ref\":\"b\",\"$defs\":{\"t\":{\"$dynamicAnchor\":\"t\","
        "\"$ref\":\"b\"},\"b\":{\"$id\":\"b\",\"$dynamicRef\":\"#t\","
        "\"$defs\":{\"end\":{\"$dynamicAnchor\":\"t\"}}}}}";
    static const char  *fork =
        "{\"$ref\":\"b\",\"$defs\":{\"t\":{\"$dynamicAnchor\":\"t\","
        "\"anyOf\":[{\"$ref\":\"b\"},{\"$ref\":\"b\"},{\"$ref\":\"b\"}],"
        "\"unevaluatedProperties\":false},\"b\":{\"$id\":\"b\","
        "\"$dynamicRef\":\"#t\",\"$defs\":{\"end\":{\"$dynamicAnchor\":"
        "\"t\"}}}}}";
    static const char  *too_large =
        "input: input is too large to be validated against inputSchema";

    clock_t  start;

    start = clock();
    input(loop, "{}", too_large);
    input(fork, "{\"a\":1}", too_large);
    ok(within(start, 2), "in bounded time");
}


/* a schema of 256 KiB: begin, then what each of many has, then the end */
static void
large(const char *title, const char *begin, const char *each, const char *end,
    const char *field)
{
    size_t           i;
    clock_t          start;
    prompt_buf_t     buf;
    prompt_fault_t   fault;
    prompt_json_t   *value;
    prompt_check_t   rc;

    prompt_buf_init(&buf, 1 << 20);
    prompt_buf_str(&buf, prompt_str_from(begin));

    for (i = 0; buf.len < 256 * 1024 - 100; i++) {
        prompt_buf_printf(&buf, each, i != 0 ? "," : "", i, i);
    }

    prompt_buf_str(&buf, prompt_str_from(end));
    prompt_buf_char(&buf, '\0');

    value = json(buf.data);
    fault.field = prompt_str_absent;

    start = clock();
    rc = prompt_schema_check(arena, value, prompt_str("inputSchema"), &fault);
    ok(within(start, 1)
       && rc == (field != NULL ? PROMPT_CHECK_FAULT : PROMPT_CHECK_OK), title);

    is_str(fault.field, field, title);
    prompt_buf_free(&buf);
}


static void
test_large(void)
{
    char  begin[2000];

    large("unknown members", "{\"$schema\":\"http://json-schema.org/draft-07/"
          "schema#\",\"x\":0", ",%.0s\"%zx\":%zu", "}", NULL);
    large("references", "{\"$defs\":{\"a\":{}},\"properties\":{",
          "%s\"%zx\":{\"$ref\":\"#/$defs/a\",\"title\":\"%zu\"}", "}}",
          NULL);
    large("anchors", "{\"properties\":{",
          "%s\"%zx\":{\"$anchor\":\"a%zx\"}", "}}", NULL);
    large("resources", "{\"$id\":\"http://h/\",\"properties\":{",
          "%s\"%zx\":{\"$id\":\"%zx\"}", "}}", NULL);
    large("properties of characters", "{\"patternProperties\":{",
          "%s\"%zx\\\\p{L}\":{\"maximum\":%zu}", "}}",
          "inputSchema.patternProperties.d32\\p{L}");

    large("places below no keyword", "{\"properties\":{",
          "%s\"%zx\":{\"x\":{},\"$ref\":\"#/properties/%zx/x\"}", "}}",
          "inputSchema");

    /* names that are looked for again and again */

    memset(begin, 'x', sizeof(begin));
    memcpy(begin, "{\"$id\":\"http://h/", 17);
    (void) snprintf(begin + 1800, 100, "/\",\"$defs\":{\"a\":{\"$id\":\"a\"}},"
                    "\"properties\":{");
    large("long references", begin, "%s\"%zx\":{\"$ref\":\"a\",\"maximum\":"
          "%zu}", "}}", "inputSchema");
}


static void
test_memory(void)
{
    bool             sound;
    size_t           limit;
    prompt_json_t   *schema_value, *input_value;
    prompt_check_t   rc;
    prompt_fault_t   fault;
    prompt_arena_t  *small;

    schema_value = json("{\"properties\":{\"a\":{\"pattern\":\"^x[a-c]+$\"},"
                        "\"b\":{\"$ref\":\"#/$defs/d\"}},\"$defs\":{\"d\":{"
                        "\"anyOf\":[{\"type\":\"null\"},{\"enum\":[1]}],"
                        "\"$anchor\":\"an\"}},\"required\":[\"c\"]}");
    input_value = json("{\"a\":\"y\",\"b\":2}");
    sound = true;
    rc = PROMPT_CHECK_NOMEM;

    for (limit = 0; limit < 60000 && rc == PROMPT_CHECK_NOMEM; limit += 16) {
        small = prompt_arena_create(limit);
        rc = prompt_input_schema_validate(small, schema_value, input_value,
                                          &fault);
        sound = sound
                && (rc == PROMPT_CHECK_NOMEM
                    || (rc == PROMPT_CHECK_FAULT
                        && fault.violations->count == 3));
        prompt_arena_destroy(small);
    }

    ok(sound, "short of memory at every allocation in turn");
    is_int(rc, PROMPT_CHECK_FAULT, "enough in the end");
}


int
main(void)
{
    arena = prompt_arena_create(256 * 1024 * 1024);

    test_schemas();
    test_required();
    test_keywords();
    test_unevaluated();
    test_unevaluated_full();
    test_bounds();
    test_late();
    test_loops();
    test_large();
    test_memory();

    prompt_arena_destroy(arena);

    return done_testing();
}
