/*
 * The meta-schemas: schemas of schemas, which a schema may refer to.
 *
 * They are the rules of the two drafts in our own words, in the documents, and
 * with the definitions, that references may name.  None says its own $id: the
 * table has it.
 */

#include "jsonschema/schema.h"


#define DRAFT        "https://json-schema.org/draft/2020-12/"
#define BEGIN        "{\"$schema\":\"" DRAFT "schema\","                     \
                     "\"$dynamicAnchor\":\"meta\","                           \
                     "\"type\":[\"object\",\"boolean\"]"

#define COUNT        "{\"type\":\"integer\",\"minimum\":0}"
#define NUMBER       "{\"type\":\"number\"}"
#define STRING       "{\"type\":\"string\"}"
#define BOOLEAN      "{\"type\":\"boolean\"}"
#define LIST         "{\"type\":\"array\",\"items\":true}"
#define REGEX        "{\"type\":\"string\",\"format\":\"regex\"}"
#define URI          "{\"type\":\"string\",\"format\":\"uri\"}"
#define REFERENCE    "{\"type\":\"string\",\"format\":\"uri-reference\"}"
#define NAMES        "{\"type\":\"array\",\"items\":" STRING ","             \
                     "\"uniqueItems\":true}"
#define TYPES        "{\"enum\":[\"array\",\"boolean\",\"integer\","        \
                     "\"null\",\"number\",\"object\",\"string\"]}"
#define NUMBERS                                                              \
    "\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},"           \
    "\"maximum\":" NUMBER ",\"exclusiveMaximum\":" NUMBER ","                \
    "\"minimum\":" NUMBER ",\"exclusiveMinimum\":" NUMBER

/* schemas of schemas: of 2020-12, and of draft-07 */
#define ANY          "{\"$dynamicRef\":\"#meta\"}"
#define MAP          "{\"type\":\"object\",\"additionalProperties\":" ANY "}"
#define SEVERAL      "{\"$ref\":\"#/$defs/schemaArray\"}"
#define OLD          "{\"$ref\":\"#\"}"
#define OLD_MAP      "{\"type\":\"object\",\"additionalProperties\":" OLD "}"
#define OLD_SEVERAL  "{\"$ref\":\"#/definitions/schemaArray\"}"
#define DEF(name)    "{\"$ref\":\"#/$defs/" name "\"}"
#define OLD_DEF(name)                                                        \
                     "{\"$ref\":\"#/definitions/" name "\"}"


const prompt_jsonschema_meta_t
    prompt_jsonschema_metas[PROMPT_JSONSCHEMA_METAS] = {

    { prompt_str_init(DRAFT "schema"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"allOf\":[{\"$ref\":\"meta/core\"},"
        "{\"$ref\":\"meta/applicator\"},{\"$ref\":\"meta/unevaluated\"},"
        "{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},"
        "{\"$ref\":\"meta/format-annotation\"},{\"$ref\":\"meta/content\"}],"
        "\"properties\":{\"definitions\":" MAP ","
        "\"dependencies\":{\"type\":\"object\",\"additionalProperties\":"
        "{\"anyOf\":[" ANY "," NAMES "]}},"
        "\"$recursiveAnchor\":{\"$ref\":\"meta/core#/$defs/anchorString\"},"
        "\"$recursiveRef\":{\"$ref\":\"meta/core#/$defs/uriReferenceString\"}"
        "}}") },

    { prompt_str_init(DRAFT "meta/core"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"properties\":{"
        "\"$id\":{\"$ref\":\"#/$defs/uriReferenceString\","
        "\"pattern\":\"^[^#]*#?$\"},"
        "\"$schema\":" DEF("uriString") ","
        "\"$ref\":" DEF("uriReferenceString") ","
        "\"$anchor\":" DEF("anchorString") ","
        "\"$dynamicRef\":" DEF("uriReferenceString") ","
        "\"$dynamicAnchor\":" DEF("anchorString") ","
        "\"$vocabulary\":{\"type\":\"object\",\"propertyNames\":"
        DEF("uriString") ",\"additionalProperties\":" BOOLEAN "},"
        "\"$comment\":" STRING ",\"$defs\":" MAP "},"
        "\"$defs\":{\"anchorString\":{\"type\":\"string\","
        "\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},"
        "\"uriString\":" URI ",\"uriReferenceString\":" REFERENCE "}}") },

    { prompt_str_init(DRAFT "meta/applicator"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"properties\":{"
        "\"prefixItems\":" SEVERAL ",\"items\":" ANY ",\"contains\":" ANY ","
        "\"additionalProperties\":" ANY ",\"properties\":" MAP ","
        "\"patternProperties\":{\"type\":\"object\",\"additionalProperties\":"
        ANY ",\"propertyNames\":{\"format\":\"regex\"}},"
        "\"dependentSchemas\":" MAP ",\"propertyNames\":" ANY ",\"if\":" ANY
        ",\"then\":" ANY ",\"else\":" ANY ",\"allOf\":" SEVERAL ","
        "\"anyOf\":" SEVERAL ",\"oneOf\":" SEVERAL ",\"not\":" ANY "},"
        "\"$defs\":{\"schemaArray\":{\"type\":\"array\",\"minItems\":1,"
        "\"items\":" ANY "}}}") },

    { prompt_str_init(DRAFT "meta/unevaluated"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"properties\":{\"unevaluatedItems\":" ANY ","
        "\"unevaluatedProperties\":" ANY "}}") },

    { prompt_str_init(DRAFT "meta/validation"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"properties\":{"
        "\"type\":{\"anyOf\":[" DEF("simpleTypes") ",{\"type\":\"array\","
        "\"items\":" DEF("simpleTypes") ",\"minItems\":1,"
        "\"uniqueItems\":true}]},\"const\":true,\"enum\":" LIST ","
        NUMBERS ",\"maxLength\":" DEF("nonNegativeInteger") ","
        "\"minLength\":" DEF("nonNegativeIntegerDefault0") ","
        "\"pattern\":" REGEX ",\"maxItems\":" DEF("nonNegativeInteger") ","
        "\"minItems\":" DEF("nonNegativeIntegerDefault0") ","
        "\"uniqueItems\":" BOOLEAN ","
        "\"maxContains\":" DEF("nonNegativeInteger") ","
        "\"minContains\":" DEF("nonNegativeInteger") ","
        "\"maxProperties\":" DEF("nonNegativeInteger") ","
        "\"minProperties\":" DEF("nonNegativeIntegerDefault0") ","
        "\"required\":" DEF("stringArray") ","
        "\"dependentRequired\":{\"type\":\"object\","
        "\"additionalProperties\":" DEF("stringArray") "}},"
        "\"$defs\":{\"nonNegativeInteger\":" COUNT ","
        "\"nonNegativeIntegerDefault0\":" COUNT ","
        "\"simpleTypes\":" TYPES ",\"stringArray\":" NAMES "}}") },

    { prompt_str_init(DRAFT "meta/meta-data"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"properties\":{\"title\":" STRING ",\"description\":" STRING
        ",\"default\":true,\"deprecated\":" BOOLEAN ",\"readOnly\":" BOOLEAN
        ",\"writeOnly\":" BOOLEAN ",\"examples\":" LIST "}}") },

    { prompt_str_init(DRAFT "meta/format-annotation"),
      PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(BEGIN ",\"properties\":{\"format\":" STRING "}}") },

    { prompt_str_init(DRAFT "meta/format-assertion"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(BEGIN ",\"properties\":{\"format\":" STRING "}}") },

    { prompt_str_init(DRAFT "meta/content"), PROMPT_JSONSCHEMA_2020_12,
      prompt_str_init(
        BEGIN ",\"properties\":{\"contentEncoding\":" STRING ","
        "\"contentMediaType\":" STRING ",\"contentSchema\":" ANY "}}") },

    { prompt_str_init("http://json-schema.org/draft-07/schema"),
      PROMPT_JSONSCHEMA_DRAFT_07, prompt_str_init(
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
        "\"type\":[\"object\",\"boolean\"],\"properties\":{"
        "\"$id\":" REFERENCE ",\"$schema\":" URI ",\"$ref\":" REFERENCE ","
        "\"$comment\":" STRING ",\"title\":" STRING ","
        "\"description\":" STRING ",\"default\":true,"
        "\"readOnly\":" BOOLEAN ",\"writeOnly\":" BOOLEAN ","
        "\"examples\":" LIST "," NUMBERS ","
        "\"maxLength\":" OLD_DEF("nonNegativeInteger") ","
        "\"minLength\":" OLD_DEF("nonNegativeIntegerDefault0") ","
        "\"pattern\":" REGEX ",\"additionalItems\":" OLD ","
        "\"items\":{\"anyOf\":[" OLD "," OLD_SEVERAL "]},"
        "\"maxItems\":" OLD_DEF("nonNegativeInteger") ","
        "\"minItems\":" OLD_DEF("nonNegativeIntegerDefault0") ","
        "\"uniqueItems\":" BOOLEAN ",\"contains\":" OLD ","
        "\"maxProperties\":" OLD_DEF("nonNegativeInteger") ","
        "\"minProperties\":" OLD_DEF("nonNegativeIntegerDefault0") ","
        "\"required\":" OLD_DEF("stringArray") ","
        "\"additionalProperties\":" OLD ",\"definitions\":" OLD_MAP ","
        "\"properties\":" OLD_MAP ",\"patternProperties\":{"
        "\"type\":\"object\",\"additionalProperties\":" OLD ","
        "\"propertyNames\":{\"format\":\"regex\"}},"
        "\"dependencies\":{\"type\":\"object\",\"additionalProperties\":"
        "{\"anyOf\":[" OLD "," OLD_DEF("stringArray") "]}},"
        "\"propertyNames\":" OLD ",\"const\":true,\"enum\":" LIST ","
        "\"type\":{\"anyOf\":[" OLD_DEF("simpleTypes") ","
        "{\"type\":\"array\",\"items\":" OLD_DEF("simpleTypes") ","
        "\"minItems\":1,\"uniqueItems\":true}]},\"format\":" STRING ","
        "\"contentMediaType\":" STRING ",\"contentEncoding\":" STRING ","
        "\"if\":" OLD ",\"then\":" OLD ",\"else\":" OLD ","
        "\"allOf\":" OLD_SEVERAL ",\"anyOf\":" OLD_SEVERAL ","
        "\"oneOf\":" OLD_SEVERAL ",\"not\":" OLD "},"
        "\"definitions\":{\"schemaArray\":{\"type\":\"array\","
        "\"minItems\":1,\"items\":" OLD "},"
        "\"nonNegativeInteger\":" COUNT ","
        "\"nonNegativeIntegerDefault0\":" COUNT ","
        "\"simpleTypes\":" TYPES ",\"stringArray\":" NAMES "}}") }
};


prompt_jsonschema_draft_t
prompt_jsonschema_dialect(prompt_str_t uri)
{
    if (uri.len != 0 && uri.data[uri.len - 1] == '#') {
        uri.len--;
    }

    if (prompt_str_eq(uri,
            prompt_str("https://json-schema.org/draft/2020-12/schema")))
    {
        return PROMPT_JSONSCHEMA_2020_12;
    }

    if (prompt_str_eq(uri, prompt_str("http://json-schema.org/draft-07/schema"))
        || prompt_str_eq(uri,
                         prompt_str("https://json-schema.org/draft-07/schema")))
    {
        return PROMPT_JSONSCHEMA_DRAFT_07;
    }

    return 0;
}
