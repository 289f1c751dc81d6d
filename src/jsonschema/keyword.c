/*
 * The keywords of JSON Schema 2020-12 and draft-07, what they do, and names of
 * types.
 */

#include "jsonschema/validate.h"


#define NEW   PROMPT_JSONSCHEMA_2020_12
#define OLD   PROMPT_JSONSCHEMA_DRAFT_07
#define BOTH  (NEW | OLD)

/* an annotation; what looks at all values, and at those of one type */
#define annotation(name, drafts, kind)                                       \
    { prompt_str_init(name), drafts, PROMPT_JSONSCHEMA_ ## kind,             \
      PROMPT_JSONSCHEMA_NONE, 0, NULL }

#define keyword(name, drafts, kind, op, check)                               \
    { prompt_str_init(name), drafts, PROMPT_JSONSCHEMA_ ## kind,             \
      PROMPT_JSONSCHEMA_ ## op, ~0u, prompt_jsonschema_check_ ## check }

#define keyword_of(type, name, drafts, kind, op, check)                      \
    { prompt_str_init(name), drafts, PROMPT_JSONSCHEMA_ ## kind,             \
      PROMPT_JSONSCHEMA_ ## op,                                              \
      prompt_jsonschema_type_bit(PROMPT_JSON_ ## type),                      \
      prompt_jsonschema_check_ ## check }


/* unevaluated... comes after all others: a value that has no rest passes */
static const prompt_jsonschema_keyword_t  prompt_jsonschema_keywords[] = {

    keyword("type", BOTH, TYPES, NONE, type),
    keyword_of(OBJECT, "properties", BOTH, MAP, PROPERTIES, properties),
    keyword_of(OBJECT, "required", BOTH, NAMES, REQUIRED, required),
    annotation("description", BOTH, STRING),
    annotation("title", BOTH, STRING),
    annotation("default", BOTH, ANY),
    annotation("examples", BOTH, LIST),
    keyword_of(STRING, "format", BOTH, FORM, NONE, format),
    keyword("enum", BOTH, LIST, NONE, enum),
    keyword("const", BOTH, ANY, NONE, const),

    keyword_of(STRING, "maxLength", BOTH, COUNT, MOST, count),
    keyword_of(STRING, "minLength", BOTH, COUNT, NONE, count),
    keyword_of(STRING, "pattern", BOTH, REGEX, NONE, pattern),

    keyword_of(NUMBER, "multipleOf", BOTH, DIVISOR, NONE, number),
    keyword_of(NUMBER, "maximum", BOTH, NUMBER, MAXIMUM, number),
    keyword_of(NUMBER, "exclusiveMaximum", BOTH, NUMBER, EXCLUSIVE_MAXIMUM,
               number),
    keyword_of(NUMBER, "minimum", BOTH, NUMBER, MINIMUM, number),
    keyword_of(NUMBER, "exclusiveMinimum", BOTH, NUMBER, EXCLUSIVE_MINIMUM,
               number),

    keyword_of(ARRAY, "prefixItems", NEW, SEVERAL, PREFIX_ITEMS, items),
    keyword_of(ARRAY, "items", NEW, ONE, ITEMS, items),
    keyword_of(ARRAY, "items", OLD, ONE_OR_SEVERAL, ITEMS, items),
    keyword_of(ARRAY, "additionalItems", OLD, ONE, NONE, additional_items),
    keyword_of(ARRAY, "maxItems", BOTH, COUNT, MOST, count),
    keyword_of(ARRAY, "minItems", BOTH, COUNT, NONE, count),
    keyword_of(ARRAY, "uniqueItems", BOTH, BOOLEAN, NONE, unique),
    keyword_of(ARRAY, "contains", BOTH, ONE, NONE, contains),
    { prompt_str_init("maxContains"), NEW, PROMPT_JSONSCHEMA_COUNT,
      PROMPT_JSONSCHEMA_MAX_CONTAINS, 0, NULL },
    { prompt_str_init("minContains"), NEW, PROMPT_JSONSCHEMA_COUNT,
      PROMPT_JSONSCHEMA_MIN_CONTAINS, 0, NULL },

    keyword_of(OBJECT, "maxProperties", BOTH, COUNT, MOST, count),
    keyword_of(OBJECT, "minProperties", BOTH, COUNT, NONE, count),
    keyword_of(OBJECT, "patternProperties", BOTH, REGEX_MAP,
               PATTERN_PROPERTIES, patterns),
    keyword_of(OBJECT, "additionalProperties", BOTH, ONE, NONE, additional),
    keyword_of(OBJECT, "propertyNames", BOTH, ONE, NONE, names),
    keyword_of(OBJECT, "dependentRequired", NEW, NAMES_MAP, NONE, dependent),
    keyword_of(OBJECT, "dependentSchemas", NEW, MAP, DEPENDENT_SCHEMAS,
               dependent),
    keyword_of(OBJECT, "dependencies", BOTH, DEPENDENCIES, DEPENDENCY,
               dependent),

    keyword("allOf", BOTH, SEVERAL, ALL_OF, all_of),
    keyword("anyOf", BOTH, SEVERAL, ANY_OF, any_of),
    keyword("oneOf", BOTH, SEVERAL, ONE_OF, one_of),
    keyword("not", BOTH, ONE, NOT, not),
    keyword("if", BOTH, ONE, IF, if),
    keyword("then", BOTH, ONE, THEN, branch),
    keyword("else", BOTH, ONE, ELSE, branch),

    keyword("$ref", BOTH, REFERENCE, REF, ref),
    annotation("$defs", BOTH, MAP),
    annotation("definitions", BOTH, MAP),
    annotation("$schema", BOTH, DIALECT),
    annotation("$id", BOTH, IDENTIFIER),
    annotation("$anchor", NEW, ANCHOR),
    keyword("$dynamicRef", NEW, REFERENCE, DYNAMIC_REF, dynamic),
    annotation("$dynamicAnchor", NEW, ANCHOR),
    annotation("$vocabulary", NEW, VOCABULARY),
    annotation("$comment", BOTH, STRING),
    annotation("readOnly", BOTH, BOOLEAN),
    annotation("writeOnly", BOTH, BOOLEAN),
    annotation("deprecated", NEW, BOOLEAN),
    annotation("contentEncoding", BOTH, STRING),
    annotation("contentMediaType", BOTH, STRING),
    annotation("contentSchema", NEW, ONE),

    { prompt_str_init("unevaluatedItems"), NEW, PROMPT_JSONSCHEMA_ONE,
      PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS, 0, NULL },
    { prompt_str_init("unevaluatedProperties"), NEW, PROMPT_JSONSCHEMA_ONE,
      PROMPT_JSONSCHEMA_UNEVALUATED_PROPERTIES, 0, NULL }
};


/* in the order of their bits: of the types of JSON, and of integers */
static const prompt_str_t  prompt_jsonschema_types[] = {
    prompt_str_init("null"),
    prompt_str_init("boolean"),
    prompt_str_init("number"),
    prompt_str_init("string"),
    prompt_str_init("array"),
    prompt_str_init("object"),
    prompt_str_init("integer")
};

#define PROMPT_JSONSCHEMA_NTYPES                                             \
    (sizeof(prompt_jsonschema_types) / sizeof(prompt_jsonschema_types[0]))


const prompt_jsonschema_keyword_t *
prompt_jsonschema_keyword(prompt_str_t name, prompt_jsonschema_draft_t draft)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_jsonschema_keywords)
                    / sizeof(prompt_jsonschema_keywords[0]); i++)
    {
        if ((prompt_jsonschema_keywords[i].drafts & draft) != 0
            && prompt_str_eq(prompt_jsonschema_keywords[i].name, name))
        {
            return &prompt_jsonschema_keywords[i];
        }
    }

    return NULL;
}


unsigned
prompt_jsonschema_type(prompt_str_t name)
{
    unsigned  i;

    for (i = 0; i < PROMPT_JSONSCHEMA_NTYPES; i++) {
        if (prompt_str_eq(prompt_jsonschema_types[i], name)) {
            return 1u << i;
        }
    }

    return 0;
}


prompt_str_t
prompt_jsonschema_type_name(unsigned bit)
{
    return prompt_jsonschema_types[__builtin_ctz(bit)];
}
