/*
 * Conformance driver: documents, SDL and schemas to be validated.
 */

#include <stdlib.h>

#include "driver.h"
#include "graphql/schema_build.h"
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
    bool              valid;         /* validateSchema() has found nothing */
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


/*
 * What the reference throws as one Error about all that is wrong with
 * a schema: no error of the question, but what its driver says then.
 */
static void
driver_write_thrown(driver_question_t *q, const gql_errors_t *errors)
{
    prompt_buf_t        message;
    const gql_error_t  *error;

    prompt_buf_init(&message, DRIVER_ARENA);
    prompt_buf_literal(&message, "driver: ");

    for (error = errors->first; error != NULL; error = error->next) {
        if (error != errors->first) {
            prompt_buf_literal(&message, "\n\n");
        }

        prompt_buf_str(&message, error->message);
    }

    prompt_buf_literal(q->out, ",\"errors\":[{\"message\":");
    prompt_json_write_string(q->out, prompt_buf_view(&message));
    prompt_buf_literal(q->out, "}]");

    prompt_buf_free(&message);
}


/*
 * Whether SDL breaks SDL rules, which the reference throws together; what it
 * finds before or after that is an error by itself.
 */
static bool
driver_breaks_rules(driver_question_t *q, prompt_str_t sdl)
{
    gql_errors_t     errors;
    gql_document_t  *document;

    gql_errors_init(&errors, q->arena, sdl, 0);

    document = gql_parse(q->arena, sdl, 0, &errors);
    if (document == NULL) {
        return false;
    }

    (void) gql_validate_sdl(q->arena, gql_schema_builtin(q->arena, &errors),
                            document, NULL, 0, &errors);

    return errors.count != 0;
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

    /* an error without a place is none of GraphQL there */

    if ((errors.count != 0 && errors.first->nlocations == 0)
        || driver_breaks_rules(q, sdl))
    {
        driver_write_thrown(q, &errors);

    } else {
        driver_write_errors(q, &errors);
    }

    return NULL;
}


bool
driver_schema_is_valid(driver_question_t *q, const gql_schema_t *schema)
{
    gql_errors_t      errors;
    driver_schema_t  *kept;

    for (kept = driver_schemas; kept->schema != schema; kept = kept->next) {
        /* it is one of them */
    }

    if (!kept->valid) {
        gql_errors_init(&errors, q->arena, schema->sdl, 0);
        gql_schema_validate(schema, &errors);

        kept->valid = errors.count == 0 && !errors.nomem;

        if (!kept->valid) {
            driver_write_thrown(q, &errors);
        }
    }

    return kept->valid;
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

    if (document == NULL || !driver_schema_is_valid(q, schema)) {
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

    document = driver_document(q, driver_source(q, "sdl"));
    if (document == NULL) {
        return;
    }

    schema = NULL;
    base = driver_source(q, "base");

    if (base.len != 0) {
        schema = driver_schema(q, base);
        if (schema == NULL) {
            return;
        }
    }

    gql_errors_init(&errors, q->arena, document->source, 0);

    if (base.len == 0) {
        schema = gql_schema_builtin(q->arena, &errors);
    }

    if (base.len == 0) {
        schema = gql_schema_builtin(q->arena, &errors);
    }

    rules = driver_rules(q, &n);

    if (!gql_validate_sdl(q->arena, schema, document, rules, n, &errors)) {
        driver_skip(q, "unknown rule");
        return;
    }

    driver_write_errors(q, &errors);
}


void
driver_validate_schema(driver_question_t *q)
{
    gql_errors_t      errors;
    driver_schema_t  *kept;

    kept = driver_schema_kept(q, driver_source(q, "sdl"), &errors);

    if (kept != NULL) {
        gql_errors_init(&errors, q->arena, kept->schema->sdl, 0);
        gql_schema_validate(kept->schema, &errors);
    }

    driver_write_errors(q, &errors);
}
