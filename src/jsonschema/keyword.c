/*
 * The keywords of JSON Schema 2020-12 and draft-07, and names of types.
 */

#include "jsonschema/schema.h"


#define NEW   PROMPT_JSONSCHEMA_2020_12
#define OLD   PROMPT_JSONSCHEMA_DRAFT_07
#define BOTH  (NEW | OLD)

#define keyword(name, drafts, kind, op)                                      \
    { prompt_str_init(name), drafts, PROMPT_JSONSCHEMA_ ## kind,             \
      PROMPT_JSONSCHEMA_ ## op }


static const prompt_jsonschema_keyword_t  prompt_jsonschema_keywords[] = {

    keyword("type",              BOTH, TYPES,     TYPE),
    keyword("properties",        BOTH, MAP,       PROPERTIES),
    keyword("required",          BOTH, NAMES,     REQUIRED),
    keyword("description",       BOTH, STRING,    NONE),
    keyword("title",             BOTH, STRING,    NONE),
    keyword("default",           BOTH, ANY,       NONE),
    keyword("examples",          BOTH, LIST,      NONE),
    keyword("format",            BOTH, FORM,      FORMAT),
    keyword("enum",              BOTH, LIST,      ENUM),
    keyword("const",             BOTH, ANY,       CONST),

    keyword("maxLength",         BOTH, COUNT,     MAX_LENGTH),
    keyword("minLength",         BOTH, COUNT,     MIN_LENGTH),
    keyword("pattern",           BOTH, REGEX,     PATTERN),

    keyword("multipleOf",        BOTH, DIVISOR,   MULTIPLE_OF),
    keyword("maximum",           BOTH, NUMBER,    MAXIMUM),
    keyword("exclusiveMaximum",  BOTH, NUMBER,    EXCLUSIVE_MAXIMUM),
    keyword("minimum",           BOTH, NUMBER,    MINIMUM),
    keyword("exclusiveMinimum",  BOTH, NUMBER,    EXCLUSIVE_MINIMUM),

    keyword("prefixItems",       NEW,  SEVERAL,   PREFIX_ITEMS),
    keyword("items",             NEW,  ONE,       ITEMS),
    keyword("items",             OLD,  ONE_OR_SEVERAL, ITEMS),
    keyword("additionalItems",   OLD,  ONE,       ADDITIONAL_ITEMS),
    keyword("maxItems",          BOTH, COUNT,     MAX_ITEMS),
    keyword("minItems",          BOTH, COUNT,     MIN_ITEMS),
    keyword("uniqueItems",       BOTH, BOOLEAN,   UNIQUE_ITEMS),
    keyword("contains",          BOTH, ONE,       CONTAINS),
    keyword("maxContains",       NEW,  COUNT,     MAX_CONTAINS),
    keyword("minContains",       NEW,  COUNT,     MIN_CONTAINS),

    keyword("maxProperties",     BOTH, COUNT,     MAX_PROPERTIES),
    keyword("minProperties",     BOTH, COUNT,     MIN_PROPERTIES),
    keyword("patternProperties", BOTH, REGEX_MAP, PATTERN_PROPERTIES),
    keyword("additionalProperties", BOTH, ONE,    ADDITIONAL_PROPERTIES),
    keyword("propertyNames",     BOTH, ONE,       PROPERTY_NAMES),
    keyword("dependentRequired", NEW,  NAMES_MAP, DEPENDENT_REQUIRED),
    keyword("dependentSchemas",  NEW,  MAP,       DEPENDENT_SCHEMAS),
    keyword("dependencies",      BOTH, DEPENDENCIES, DEPENDENCY),

    keyword("allOf",             BOTH, SEVERAL,   ALL_OF),
    keyword("anyOf",             BOTH, SEVERAL,   ANY_OF),
    keyword("oneOf",             BOTH, SEVERAL,   ONE_OF),
    keyword("not",               BOTH, ONE,       NOT),
    keyword("if",                BOTH, ONE,       IF),
    keyword("then",              BOTH, ONE,       THEN),
    keyword("else",              BOTH, ONE,       ELSE),

    keyword("$ref",              BOTH, REFERENCE, REF),
    keyword("$defs",             BOTH, MAP,       NONE),
    keyword("definitions",       BOTH, MAP,       NONE),
    keyword("$schema",           BOTH, DIALECT,   NONE),
    keyword("$id",               BOTH, IDENTIFIER, NONE),
    keyword("$anchor",           NEW,  ANCHOR,    NONE),
    keyword("$dynamicRef",       NEW,  REFERENCE, DYNAMIC_REF),
    keyword("$dynamicAnchor",    NEW,  DYNAMIC_ANCHOR, NONE),
    keyword("$vocabulary",       NEW,  VOCABULARY, NONE),
    keyword("$comment",          BOTH, STRING,    NONE),
    keyword("readOnly",          BOTH, BOOLEAN,   NONE),
    keyword("writeOnly",         BOTH, BOOLEAN,   NONE),
    keyword("deprecated",        NEW,  BOOLEAN,   NONE),
    keyword("contentEncoding",   BOTH, STRING,    NONE),
    keyword("contentMediaType",  BOTH, STRING,    NONE),
    keyword("contentSchema",     NEW,  ONE,       NONE),

    keyword("unevaluatedItems",  NEW,  ONE,       UNEVALUATED_ITEMS),
    keyword("unevaluatedProperties", NEW, ONE,    UNEVALUATED_PROPERTIES)
};

#undef NEW
#undef OLD
#undef BOTH
#undef keyword


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
