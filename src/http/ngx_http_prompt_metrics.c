/*
 * The metrics as a page: Prometheus text, version 0.0.4.
 */

#include "http/ngx_http_prompt_locations.h"

#include "conf/ngx_http_prompt_conf.h"
#include "graphql/service_schema.h"
#include "http/ngx_http_prompt_page.h"
#include "http/ngx_http_prompt_response.h"
#include "metrics/metrics.h"
#include "service/start/start.h"
#include "service/worker/worker.h"


#define NGX_HTTP_PROMPT_METRICS_TEXT  (4 * 1024 * 1024)


static ngx_uint_t ngx_http_prompt_metrics_names(const gql_schema_t *schema,
    prompt_str_t names[NGX_HTTP_PROMPT_METRICS_ROOTS]);


ngx_int_t
ngx_http_prompt_metrics_handler(ngx_http_request_t *r)
{
    ngx_int_t                     rc;
    prompt_buf_t                  out;
    prompt_str_t                  names[NGX_HTTP_PROMPT_METRICS_ROOTS];
    ngx_http_prompt_main_conf_t  *pmcf;

    rc = ngx_http_prompt_page_request(r);
    if (rc != NGX_OK) {
        return rc;
    }

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    prompt_buf_init(&out, NGX_HTTP_PROMPT_METRICS_TEXT);

    if (pmcf->worker != NULL) {
        ngx_http_prompt_metrics_moment(pmcf->worker->metrics,
                                       NGX_HTTP_PROMPT_MOMENT_HEALTH_ASKED);
        ngx_http_prompt_worker_count(pmcf->worker);
        ngx_http_prompt_metrics_write(pmcf->worker->metrics, names,
                   ngx_http_prompt_metrics_names(&gql_service_schema, names),
                   &out);

    } else {
        prompt_buf_literal(&out, "# There is no prompt_graphql location: "
                                 "nothing is counted.\n");
    }

    rc = ngx_http_prompt_send_text(r, NGX_HTTP_OK,
                                   "text/plain; version=0.0.4", &out);
    prompt_buf_free(&out);

    return rc;
}


/* root fields by their number: Query's, Mutation's, Subscription's */
static ngx_uint_t
ngx_http_prompt_metrics_names(const gql_schema_t *schema,
    prompt_str_t names[NGX_HTTP_PROMPT_METRICS_ROOTS])
{
    uint32_t           i;
    ngx_uint_t         n, t;
    const gql_type_t  *roots[3];

    roots[0] = schema->query;
    roots[1] = schema->mutation;
    roots[2] = schema->subscription;
    n = 0;

    for (t = 0; t < 3; t++) {
        for (i = 0; i < roots[t]->nfields; i++) {

            if (n < NGX_HTTP_PROMPT_METRICS_ROOTS) {
                names[n++] = roots[t]->fields[i].name;
            }
        }
    }

    return n;
}
