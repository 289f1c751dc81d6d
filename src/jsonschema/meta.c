/*
 * The meta-schemas: schemas of schemas, which a schema may refer to.
 *
 * They are the two documents' rules in our own words, each as one document
 * that refers to nothing outside and needs no dynamic references.
 */

#include "jsonschema/schema.h"


#define SCHEMA       "{\"$ref\":\"#\"}"
#define MAP          "{\"type\":\"object\",\"additionalProperties\":" SCHEMA  \
                     "}"
#define SEVERAL      "{\"$ref\":\"#/definitions/several\"}"
#define COUNT        "{\"type\":\"integer\",\"minimum\":0}"
#define NUMBER       "{\"type\":\"number\"}"
#define STRING       "{\"type\":\"string\"}"
#define BOOLEAN      "{\"type\":\"boolean\"}"
#define LIST         "{\"type\":\"array\"}"
#define NAMES        "{\"$ref\":\"#/definitions/names\"}"
#define ANCHOR       "{\"type\":\"string\",\"pattern\":"                      \
                     "\"^[A-Za-z_][-A-Za-z0-9._]*$\"}"

/* what both have */
#define COMMON                                                               \
    "\"$schema\":" STRING ",\"$ref\":" STRING ",\"$comment\":" STRING ","     \
    "\"title\":" STRING ",\"description\":" STRING ",\"default\":true,"       \
    "\"examples\":" LIST ",\"readOnly\":" BOOLEAN ",\"writeOnly\":" BOOLEAN   \
    ",\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},"           \
    "\"maximum\":" NUMBER ",\"exclusiveMaximum\":" NUMBER ","                 \
    "\"minimum\":" NUMBER ",\"exclusiveMinimum\":" NUMBER ","                 \
    "\"maxLength\":" COUNT ",\"minLength\":" COUNT ",\"pattern\":" STRING ","  \
    "\"maxItems\":" COUNT ",\"minItems\":" COUNT ","                          \
    "\"uniqueItems\":" BOOLEAN ",\"contains\":" SCHEMA ","                    \
    "\"maxProperties\":" COUNT ",\"minProperties\":" COUNT ","                \
    "\"required\":" NAMES ",\"additionalProperties\":" SCHEMA ","             \
    "\"definitions\":" MAP ",\"properties\":" MAP ","                         \
    "\"patternProperties\":" MAP ",\"propertyNames\":" SCHEMA ","             \
    "\"dependencies\":{\"type\":\"object\",\"additionalProperties\":"         \
    "{\"anyOf\":[" SCHEMA "," NAMES "]}},"                                    \
    "\"const\":true,\"type\":{\"anyOf\":[{\"$ref\":\"#/definitions/type\"},"  \
    "{\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/type\"},"        \
    "\"minItems\":1,\"uniqueItems\":true}]},\"format\":" STRING ","           \
    "\"contentMediaType\":" STRING ",\"contentEncoding\":" STRING ","         \
    "\"if\":" SCHEMA ",\"then\":" SCHEMA ",\"else\":" SCHEMA ","              \
    "\"allOf\":" SEVERAL ",\"anyOf\":" SEVERAL ",\"oneOf\":" SEVERAL ","      \
    "\"not\":" SCHEMA

#define DEFINITIONS                                                          \
    "\"definitions\":{"                                                      \
    "\"several\":{\"type\":\"array\",\"minItems\":1,\"items\":" SCHEMA "},"    \
    "\"names\":{\"type\":\"array\",\"items\":" STRING ","                     \
    "\"uniqueItems\":true},"                                                 \
    "\"type\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\","        \
    "\"number\",\"object\",\"string\"]}}"


static const prompt_str_t  prompt_schema_meta_2020_12 = prompt_str_init(
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
    "\"type\":[\"object\",\"boolean\"],\"properties\":{" COMMON ","
    "\"$id\":{\"type\":\"string\",\"pattern\":\"^[^#]*#?$\"},"
    "\"$anchor\":" ANCHOR ",\"$dynamicRef\":" STRING ","
    "\"$dynamicAnchor\":" ANCHOR ",\"$defs\":" MAP ","
    "\"$vocabulary\":{\"type\":\"object\",\"additionalProperties\":" BOOLEAN
    "},\"deprecated\":" BOOLEAN ",\"enum\":" LIST ","
    "\"prefixItems\":" SEVERAL ",\"items\":" SCHEMA ","
    "\"maxContains\":" COUNT ",\"minContains\":" COUNT ","
    "\"unevaluatedItems\":" SCHEMA ",\"unevaluatedProperties\":" SCHEMA ","
    "\"dependentRequired\":{\"type\":\"object\",\"additionalProperties\":"
    NAMES "},\"dependentSchemas\":" MAP ",\"contentSchema\":" SCHEMA ","
    "\"$recursiveAnchor\":" ANCHOR ",\"$recursiveRef\":" STRING
    "}," DEFINITIONS "}");


static const prompt_str_t  prompt_schema_meta_draft_07 = prompt_str_init(
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
    "\"type\":[\"object\",\"boolean\"],\"properties\":{" COMMON ","
    "\"$id\":" STRING ",\"enum\":" LIST ",\"additionalItems\":" SCHEMA ","
    "\"items\":{\"anyOf\":[" SCHEMA "," SEVERAL "]}"
    "}," DEFINITIONS "}");


#undef SCHEMA
#undef MAP
#undef SEVERAL
#undef COUNT
#undef NUMBER
#undef STRING
#undef BOOLEAN
#undef LIST
#undef NAMES
#undef ANCHOR
#undef COMMON
#undef DEFINITIONS


prompt_schema_draft_t
prompt_schema_dialect(prompt_str_t uri)
{
    if (uri.len != 0 && uri.data[uri.len - 1] == '#') {
        uri.len--;
    }

    if (prompt_str_eq(uri,
            prompt_str("https://json-schema.org/draft/2020-12/schema")))
    {
        return PROMPT_SCHEMA_2020_12;
    }

    if (prompt_str_eq(uri, prompt_str("http://json-schema.org/draft-07/schema"))
        || prompt_str_eq(uri,
               prompt_str("https://json-schema.org/draft-07/schema")))
    {
        return PROMPT_SCHEMA_DRAFT_07;
    }

    return 0;
}


prompt_str_t
prompt_schema_meta(prompt_schema_draft_t draft)
{
    return draft == PROMPT_SCHEMA_2020_12 ? prompt_schema_meta_2020_12
                                          : prompt_schema_meta_draft_07;
}
