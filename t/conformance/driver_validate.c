/*
 * Conformance driver: documents, SDL and schemas to be validated.
 */

#include <stdlib.h>

#include "driver.h"
#include "graphql/validate.h"


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


gql_schema_t *
driver_schema(driver_question_t *q, prompt_str_t sdl)
{
    uint32_t          hash;
    gql_errors_t      errors;
    driver_schema_t  *kept;

    hash = prompt_str_hash(sdl);

    for (kept = driver_schemas; kept != NULL; kept = kept->next) {
        if (kept->hash == hash && prompt_str_eq(kept->sdl, sdl)) {
            return kept->schema;
        }
    }

    gql_errors_init(&errors, q->arena, sdl, 0);

    kept = driver_schema_new(sdl, hash);

    if (kept == NULL) {
        errors.nomem = true;

    } else {
        kept->schema = gql_schema_build(kept->arena, kept->sdl, &errors);
    }

    if (kept != NULL && kept->schema != NULL) {
        kept->next = driver_schemas;
        driver_schemas = kept;

        return kept->schema;
    }

    driver_write_errors(q, &errors);

    if (kept != NULL) {
        prompt_arena_destroy(kept->arena);
        free(kept);
    }

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


/* the names of the rules to run; NULL: all that are specified */
static prompt_str_t *
driver_rules(driver_question_t *q, size_t *n)
{
    prompt_str_t         *names;
    const prompt_json_t  *list, *name;

    *n = 0;

    list = prompt_json_get(q->ask, prompt_str("rules"));

    if (list == NULL || list->type != PROMPT_JSON_ARRAY) {
        return NULL;
    }

    names = prompt_arena_array(q->arena, list->count + 1,
                               sizeof(prompt_str_t));
    if (names == NULL) {
        return NULL;
    }

    for (name = list->first; name != NULL; name = name->next) {
        names[(*n)++] = name->text;
    }

    return names;
}


void
driver_validate(driver_question_t *q)
{
    size_t           n;
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

    rules = driver_rules(q, &n);

    if (!gql_validate(q->arena, schema, document, rules, n, &errors)) {
        driver_skip(q, "unknown rule");
        return;
    }

    driver_write_errors(q, &errors);
}


void
driver_validate_sdl(driver_question_t *q)
{
    size_t               n;
    gql_errors_t         errors;
    prompt_str_t        *rules, base;
    gql_document_t      *document;
    const gql_schema_t  *schema;

    schema = NULL;
    base = driver_source(q, "base");

    if (base.len != 0) {
        schema = driver_schema(q, base);
        if (schema == NULL) {
            return;
        }
    }

    document = driver_document(q, driver_source(q, "sdl"));
    if (document == NULL) {
        return;
    }

    gql_errors_init(&errors, q->arena, document->source, 0);

    rules = driver_rules(q, &n);

    if (rules == NULL) {
        gql_sdl_validate(q->arena, document, schema, &errors);

    } else if (!gql_sdl_validate_rules(q->arena, document, schema, rules, n,
                                       &errors))
    {
        driver_skip(q, "unknown rule");
        return;
    }

    driver_write_errors(q, &errors);
}


void
driver_validate_schema(driver_question_t *q)
{
    gql_errors_t         errors;
    const gql_schema_t  *schema;

    schema = driver_schema(q, driver_source(q, "sdl"));
    if (schema == NULL) {
        return;
    }

    gql_errors_init(&errors, q->arena, schema->sdl, 0);
    gql_schema_validate(schema, &errors);

    driver_write_errors(q, &errors);
}
