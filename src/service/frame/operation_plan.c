/*
 * Operation: from a document to the plan that is run.
 */

#include "service/frame/operation.h"

#include "graphql/service_schema.h"
#include "graphql/values/values.h"
#include "service/frame/service.h"
#include "service/worker/worker.h"


/* bytes of the name of an operation that a span has */
#define NGX_HTTP_PROMPT_OPERATION_NAME  128

/* memory to say what is wrong with a document of the module's own */
#define NGX_HTTP_PROMPT_OPERATION_WORDS  (64 * 1024)


static void ngx_http_prompt_operation_destroy_engine(void *data);
static ngx_int_t ngx_http_prompt_operation_compile_in(
    ngx_http_prompt_main_conf_t *pmcf, ngx_http_prompt_compiled_t *compiled,
    gql_errors_t *errors);
static void ngx_http_prompt_operation_uncompile(void *data);
static void ngx_http_prompt_operation_log(ngx_http_prompt_operation_t *op);


/* of what the module itself asks for */
static const gql_limits_t  ngx_http_prompt_operation_unlimited;


ngx_int_t
ngx_http_prompt_operation_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_pool_cleanup_t  *cln;

    cln = ngx_pool_cleanup_add(cf->pool, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    pmcf->engine = gql_engine_create(&gql_service_schema,
                                     NGX_HTTP_PROMPT_CACHE_ENTRIES,
                                     NGX_HTTP_PROMPT_CACHE_BYTES,
                                     ngx_http_prompt_service_compile, NULL);
    if (pmcf->engine == NULL) {
        return NGX_ERROR;
    }

    cln->handler = ngx_http_prompt_operation_destroy_engine;
    cln->data = pmcf->engine;

    return NGX_OK;
}


static void
ngx_http_prompt_operation_destroy_engine(void *data)
{
    gql_engine_destroy(data);
}


ngx_http_prompt_compiled_t *
ngx_http_prompt_operation_compile(ngx_conf_t *cf, const char *text)
{
    gql_errors_t                  errors;
    prompt_arena_t               *arena;
    ngx_pool_cleanup_t           *cln;
    ngx_http_prompt_compiled_t   *compiled;
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    compiled = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_compiled_t));
    cln = ngx_pool_cleanup_add(cf->pool, 0);
    arena = prompt_arena_create(NGX_HTTP_PROMPT_OPERATION_WORDS);

    if (compiled == NULL || cln == NULL || arena == NULL) {
        prompt_arena_destroy(arena);
        return NULL;
    }

    cln->handler = ngx_http_prompt_operation_uncompile;
    cln->data = compiled;

    compiled->document = prompt_str_from(text);

    gql_errors_init(&errors, arena, compiled->document, 0);

    if (ngx_http_prompt_operation_compile_in(pmcf, compiled, &errors)
        != NGX_OK)
    {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "the module's document \"%s\" does not fit its "
                      "schema.graphql: %*s", text,
                      errors.first != NULL ? errors.first->message.len : 0,
                      errors.first != NULL ? errors.first->message.data : "");
        compiled = NULL;
    }

    prompt_arena_destroy(arena);

    return compiled;
}


static ngx_int_t
ngx_http_prompt_operation_compile_in(ngx_http_prompt_main_conf_t *pmcf,
    ngx_http_prompt_compiled_t *compiled, gql_errors_t *errors)
{
    compiled->prepared = gql_prepare(pmcf->engine,
                                     &ngx_http_prompt_operation_unlimited,
                                     compiled->document, errors);
    if (compiled->prepared == NULL) {
        return NGX_ERROR;
    }

    compiled->definition = gql_prepared_operation(compiled->prepared,
                                                  prompt_str_absent, errors);

    return compiled->definition != NULL
           && gql_prepared_plan(compiled->prepared, compiled->definition, NULL,
                                errors)
              != NULL
           ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_operation_uncompile(void *data)
{
    ngx_http_prompt_compiled_t  *compiled = data;

    gql_prepared_release(compiled->prepared);
}


ngx_int_t
ngx_http_prompt_operation_prepare(ngx_http_prompt_operation_t *op,
    const gql_limits_t *limits, gql_errors_t *errors)
{
    gql_error_t               *error;
    gql_engine_stats_t         before, after;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(op->job.request);

    gql_engine_stats(worker->engine, &before);

    op->prepared = gql_prepare(worker->engine, limits, op->document, errors);

    gql_engine_stats(worker->engine, &after);

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, op->job.request->connection->log, 0,
                   "prompt plan: %s, %uz bytes of document, %uL evicted",
                   op->prepared == NULL ? "refused"
                   : after.hits != before.hits ? "found" : "compiled",
                   op->document.len, after.evictions - before.evictions);

    if (op->prepared == NULL) {
        return NGX_ERROR;
    }

    op->definition = gql_prepared_operation(op->prepared, op->name, errors);

    if (op->definition == NULL) {
        return NGX_ERROR;
    }

    op->changes = (op->definition->operation != GQL_QUERY);

    if ((op->definition->operation != GQL_SUBSCRIPTION
         || op->job.sink->event != NULL)
        && gql_schema_root(worker->schema, op->definition->operation) != NULL)
    {
        return NGX_OK;
    }

    error = gql_errors_add(errors, "Schema is not configured to execute %s "
                           "operation.",
                           op->definition->operation == GQL_SUBSCRIPTION
                           ? "subscription" : "mutation");
    gql_error_at(errors, error, op->definition->node.start);

    return NGX_ERROR;
}


void
ngx_http_prompt_operation_take(ngx_http_prompt_operation_t *op,
    const ngx_http_prompt_compiled_t *compiled)
{
    op->compiled = compiled;
    op->document = compiled->document;
    op->prepared = compiled->prepared;
    op->definition = compiled->definition;
    op->changes = (op->definition->operation != GQL_QUERY);
}


ngx_int_t
ngx_http_prompt_operation_plan(ngx_http_prompt_operation_t *op,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(op->job.request);

    op->given = variables;
    op->job.variables = gql_coerce_variables(op->job.arena, worker->schema,
                                             op->definition, variables,
                                             errors);
    if (op->job.variables == NULL) {
        return NGX_ERROR;
    }

    op->job.plan = gql_prepared_plan(op->prepared, op->definition,
                                     op->job.variables, errors);
    if (op->job.plan == NULL) {
        return NGX_ERROR;
    }

    ngx_http_prompt_operation_log(op);

    return NGX_OK;
}


/*
 * What $prompt_operation shows, the root field of the plan, and what a span
 * says of the operation.
 */
static void
ngx_http_prompt_operation_log(ngx_http_prompt_operation_t *op)
{
    char                        *name;
    size_t                       len;
    ngx_http_prompt_log_t       *log;
    ngx_http_prompt_worker_t    *worker;
    const gql_plan_selection_t  *root;

    static const prompt_str_t  types[] = {
        prompt_str_init("query"), prompt_str_init("mutation"),
        prompt_str_init("subscription")
    };

    log = &op->job.log;
    root = op->job.plan->root;
    worker = ngx_http_prompt_get_worker(op->job.request);

    if (root->nfields == 1) {
        log->operation = root->fields[0].def->name;
        log->number = ngx_http_prompt_job_number(worker->schema,
                                                 root->fields[0].def);

    } else if (root->nfields > 1) {
        log->operation = prompt_str("multiple");
        log->number = NGX_HTTP_PROMPT_OPERATION_MULTIPLE;
    }

    if (worker->otlp == NULL) {
        return;
    }

    log->type = types[op->definition->operation];

    if (op->definition->name == NULL) {
        return;
    }

    len = ngx_min(op->definition->name->value.len,
                  NGX_HTTP_PROMPT_OPERATION_NAME);

    name = ngx_pnalloc(op->job.request->pool, len);
    if (name != NULL) {
        ngx_memcpy(name, op->definition->name->value.data, len);
        log->name = prompt_str_of(name, len);
    }
}


ngx_int_t
ngx_http_prompt_operation_allowed(const ngx_http_prompt_operation_t *op)
{
    ngx_uint_t  scopes;

    scopes = ngx_http_prompt_job_scopes(&op->job);

    return (ngx_http_prompt_service_scopes(op->job.plan, scopes) & ~scopes)
           == 0 ? NGX_OK : NGX_DECLINED;
}
