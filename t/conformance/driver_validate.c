/*
 * Conformance driver: schemas, and documents to be validated.
 */

#include <stdlib.h>

#include "driver.h"
#include "graphql/syntax/parser.h"
#include "graphql.h"


/* schemas by the text of their SDL */

typedef struct driver_schema_s  driver_schema_t;

struct driver_schema_s {
    driver_schema_t  *next;
    uint32_t          hash;
    prompt_str_t      sdl;
    prompt_arena_t   *arena;
    gql_schema_t     *schema;
};


static driver_schema_t  *driver_schemas;


static driver_schema_t *
driver_schema_new(prompt_str_t sdl, uint32_t hash)
{
    driver_schema_t  *kept;

    kept = calloc(1, sizeof(driver_schema_t));
    if (kept == NULL) {
        return NULL;
    }

    kept->arena = prompt_arena_create(DRIVER_ARENA);
    if (kept->arena == NULL) {
        free(kept);
        return NULL;
    }

    kept->hash = hash;
    kept->sdl = prompt_arena_copy(kept->arena, sdl);

    return kept;
}


static driver_schema_t *
driver_schema_kept(driver_question_t *q, prompt_str_t sdl,
    gql_errors_t *errors)
{
    uint32_t          hash;
    driver_schema_t  *kept;

    hash = prompt_str_hash(sdl);

    for (kept = driver_schemas; kept != NULL; kept = kept->next) {
        if (kept->hash == hash && prompt_str_eq(kept->sdl, sdl)) {
            return kept;
        }
    }

    gql_errors_init(errors, q->arena, sdl, 0);

    kept = driver_schema_new(sdl, hash);

    if (kept == NULL) {
        errors->nomem = true;
        return NULL;
    }

    kept->schema = gql_schema_build(kept->arena, kept->sdl, errors);

    if (kept->schema == NULL) {
        prompt_arena_destroy(kept->arena);
        free(kept);
        return NULL;
    }

    kept->next = driver_schemas;
    driver_schemas = kept;

    return kept;
}


gql_schema_t *
driver_schema(driver_question_t *q, prompt_str_t sdl)
{
    gql_errors_t      errors;
    driver_schema_t  *kept;

    kept = driver_schema_kept(q, sdl, &errors);

    if (kept != NULL) {
        return kept->schema;
    }

    driver_write_errors(q, &errors);

    return NULL;
}


void
driver_schema_free(void)
{
    driver_schema_t  *kept, *next;

    for (kept = driver_schemas; kept != NULL; kept = next) {
        next = kept->next;
        prompt_arena_destroy(kept->arena);
        free(kept);
    }

    driver_schemas = NULL;
}


/*
 * The names of the rules to run, without what the driver has of them itself;
 * NULL: all that are specified.
 */
static prompt_str_t *
driver_rules(driver_question_t *q, size_t *n, bool *definitions,
    bool *directives)
{
    prompt_str_t         *names;
    const prompt_json_t  *list, *name;

    *n = 0;
    *definitions = true;
    *directives = true;

    list = prompt_json_get(q->ask, prompt_str("rules"));

    if (list == NULL || list->type != PROMPT_JSON_ARRAY) {
        return NULL;
    }

    *definitions = false;
    *directives = false;

    names = prompt_arena_array(q->arena, list->count + 1,
                               sizeof(prompt_str_t));
    if (names == NULL) {
        return NULL;
    }

    for (name = list->first; name != NULL; name = name->next) {

        if (prompt_str_eq(name->text, prompt_str("ExecutableDefinitionsRule")))
        {
            *definitions = true;
            continue;
        }

        if (prompt_str_eq(name->text, prompt_str("KnownDirectivesRule"))) {
            *directives = true;
        }

        names[(*n)++] = name->text;
    }

    return names;
}


void
driver_validate(driver_question_t *q)
{
    bool             definitions, directives;
    size_t           n;
    gql_list_t       taken;
    gql_errors_t     errors;
    prompt_str_t    *rules;
    gql_schema_t    *schema;
    gql_document_t  *document;

    schema = driver_schema(q, driver_source(q, "schema"));
    if (schema == NULL) {
        return;
    }

    document = driver_document(q, driver_source(q, "document"));
    if (document == NULL) {
        return;
    }

    gql_errors_init(&errors, q->arena, document->source,
                    driver_limit(q->ask, "maxErrors"));

    rules = driver_rules(q, &n, &definitions, &directives);
    taken = driver_take_definitions(document);

    if (definitions) {
        driver_refuse_definitions(&taken, &errors);
    }

    if (!gql_validate(q->arena, schema, document, rules, n, &errors)) {
        driver_skip(q, "unknown rule");
        return;
    }

    if (directives) {
        driver_refuse_directives(schema, &taken, &errors);
    }

    driver_write_errors(q, &errors);
}
