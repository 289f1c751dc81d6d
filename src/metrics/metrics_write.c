/*
 * Metrics: their text, for Prometheus (version 0.0.4).
 */

#include "metrics/metrics_impl.h"


#define NGX_HTTP_PROMPT_METRICS_USD  1000000000000u


/* a name begins a family; what follows are its numbers, by their labels */
typedef struct {
    const char  *name;
    const char  *help;
    const char  *label;
    ngx_uint_t   number;
} ngx_http_prompt_metric_t;


/* a number of each model; help stands with the first one of a name */
typedef struct {
    const char  *name;
    const char  *help;
    const char  *label;              /* one more, with a comma, or none */
    size_t       offset;
} ngx_http_prompt_metrics_row_t;


static void ngx_http_prompt_metrics_total(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_metrics_own_t *total);
static void ngx_http_prompt_metrics_add_up(ngx_http_prompt_histogram_t *sum,
    const ngx_http_prompt_histogram_t *histogram);
static void ngx_http_prompt_metrics_write_counts(
    ngx_http_prompt_metrics_t *metrics,
    const ngx_http_prompt_metrics_own_t *total, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_table(
    const ngx_http_prompt_metric_t *table, const char *type,
    const ngx_uint_t *values, prompt_buf_t *out);
static void ngx_http_prompt_metrics_gauges(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t sums[NGX_HTTP_PROMPT_GAUGE_MAX]);
static void ngx_http_prompt_metrics_write_operations(
    const ngx_http_prompt_metrics_own_t *total, const prompt_str_t *roots,
    ngx_uint_t nroots, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_calls(
    ngx_http_prompt_metrics_t *metrics, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_models(
    ngx_http_prompt_metrics_t *metrics, ngx_uint_t first, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_costs(
    ngx_http_prompt_metrics_t *metrics, ngx_uint_t first, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_model(
    const ngx_http_prompt_metrics_model_t *model,
    const ngx_http_prompt_metrics_row_t *row, prompt_buf_t *out);
static void ngx_http_prompt_metrics_sum(prompt_histogram_t *sum,
    const ngx_http_prompt_histogram_t *histogram);
static void ngx_http_prompt_metrics_write_time(prompt_buf_t *out,
    const char *name, const char *labels,
    const prompt_histogram_t *histogram);
static void ngx_http_prompt_metrics_head(prompt_buf_t *out, const char *name,
    const char *type, const char *help);


#define ngx_http_prompt_metrics_family(name, help)                           \
    { name, help, NULL, 0 },
#define ngx_http_prompt_metrics_count(name, label)                           \
    { NULL, NULL, label, NGX_HTTP_PROMPT_COUNT_##name },
#define ngx_http_prompt_metrics_gauge(name, label)                           \
    { NULL, NULL, label, NGX_HTTP_PROMPT_GAUGE_##name },
#define ngx_http_prompt_metrics_moment_row(name, label)                      \
    { NULL, NULL, label, NGX_HTTP_PROMPT_MOMENT_##name },


static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_counters[] = {
    NGX_HTTP_PROMPT_COUNTERS(ngx_http_prompt_metrics_family,
                             ngx_http_prompt_metrics_count)
    { NULL, NULL, NULL, 0 }
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_states[] = {
    NGX_HTTP_PROMPT_GAUGES(ngx_http_prompt_metrics_family,
                           ngx_http_prompt_metrics_gauge)
    { NULL, NULL, NULL, 0 }
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_moments[] = {
    NGX_HTTP_PROMPT_MOMENTS(ngx_http_prompt_metrics_family,
                            ngx_http_prompt_metrics_moment_row)
    { NULL, NULL, NULL, 0 }
};


#define ngx_http_prompt_metrics_at(member)                                   \
    offsetof(ngx_http_prompt_metrics_model_t, member)

static const ngx_http_prompt_metrics_row_t  ngx_http_prompt_metrics_models[] = {

    { "prompt_model_executions_total",
      "Executions that ended, by the model that was asked last.",
      ",status=\"succeeded\"",
      ngx_http_prompt_metrics_at(calls[NGX_HTTP_PROMPT_CALL_SUCCEEDED]) },
    { "prompt_model_executions_total", NULL, ",status=\"failed\"",
      ngx_http_prompt_metrics_at(calls[NGX_HTTP_PROMPT_CALL_FAILED]) },
    { "prompt_model_executions_total", NULL, ",status=\"cancelled\"",
      ngx_http_prompt_metrics_at(calls[NGX_HTTP_PROMPT_CALL_CANCELLED]) },

    { "prompt_model_tokens_total",
      "Tokens that providers counted, by model.",
      ",direction=\"in\"", ngx_http_prompt_metrics_at(tokens_in) },
    { "prompt_model_tokens_total", NULL,
      ",direction=\"out\"", ngx_http_prompt_metrics_at(tokens_out) },

    { "prompt_model_attempts_total",
      "How often models were asked, retries included.",
      "", ngx_http_prompt_metrics_at(attempts) },

    { "prompt_model_failures_total",
      "How often they did not answer, or not with what was asked for.",
      "", ngx_http_prompt_metrics_at(failures) },

    { NULL, NULL, NULL, 0 }
};


void
ngx_http_prompt_metrics_write(ngx_http_prompt_metrics_t *metrics,
    const prompt_str_t *roots, ngx_uint_t nroots, prompt_buf_t *out)
{
    ngx_uint_t                      i;
    prompt_histogram_t              sum;
    ngx_http_prompt_metrics_own_t   total;

    static const char *const  times[NGX_HTTP_PROMPT_TIME_MAX][2] = {
        [NGX_HTTP_PROMPT_TIME_QUEUED] =
        { "prompt_postgres_wait_seconds",
          "How long pipelines waited until they were sent to PostgreSQL." },
        [NGX_HTTP_PROMPT_TIME_POSTGRES] =
        { "prompt_postgres_operation_seconds",
          "Duration of pipelines that PostgreSQL answered, with that wait." }
    };

    ngx_http_prompt_metrics_total(metrics, &total);

    ngx_http_prompt_metrics_write_operations(&total, roots, nroots, out);
    ngx_http_prompt_metrics_write_calls(metrics, out);
    ngx_http_prompt_metrics_write_counts(metrics, &total, out);

    for (i = 0; i < NGX_HTTP_PROMPT_TIME_MAX; i++) {
        ngx_memzero(&sum, sizeof(prompt_histogram_t));
        ngx_http_prompt_metrics_sum(&sum, &total.times[i]);

        ngx_http_prompt_metrics_head(out, times[i][0], "histogram",
                                     times[i][1]);
        ngx_http_prompt_metrics_write_time(out, times[i][0], "", &sum);
    }
}


/* what all workers have counted, those that are no more too */

static void
ngx_http_prompt_metrics_total(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_metrics_own_t *total)
{
    ngx_uint_t                            i, n;
    const ngx_http_prompt_metrics_own_t  *own;

    ngx_memzero(total, sizeof(ngx_http_prompt_metrics_own_t));

    for (n = 0; n < NGX_HTTP_PROMPT_METRICS_WORKERS; n++) {
        own = metrics->workers[n].own;

        if (own == NULL) {
            continue;
        }

        for (i = 0; i < NGX_HTTP_PROMPT_COUNT_MAX; i++) {
            total->counts[i] += own->counts[i];
        }

        for (i = 0; i < NGX_HTTP_PROMPT_TIME_MAX; i++) {
            ngx_http_prompt_metrics_add_up(&total->times[i], &own->times[i]);
        }

        for (i = 0; i <= NGX_HTTP_PROMPT_METRICS_CODES; i++) {
            total->requests[i] += own->requests[i];
        }

        for (i = 0; i < NGX_HTTP_PROMPT_METRICS_ROOTS; i++) {
            total->roots[i] += own->roots[i];
        }

        for (i = 0; i < NGX_HTTP_PROMPT_METRICS_OPERATIONS; i++) {
            ngx_http_prompt_metrics_add_up(&total->operations[i],
                                           &own->operations[i]);
        }
    }
}


static void
ngx_http_prompt_metrics_add_up(ngx_http_prompt_histogram_t *sum,
    const ngx_http_prompt_histogram_t *histogram)
{
    ngx_uint_t  i;

    for (i = 0; i < PROMPT_HISTOGRAM_BUCKETS; i++) {
        sum->buckets[i] += histogram->buckets[i];
    }

    sum->sum += histogram->sum;
}


static void
ngx_http_prompt_metrics_write_counts(ngx_http_prompt_metrics_t *metrics,
    const ngx_http_prompt_metrics_own_t *total, prompt_buf_t *out)
{
    ngx_uint_t  i;
    ngx_uint_t  counts[NGX_HTTP_PROMPT_COUNT_MAX];
    ngx_uint_t  gauges[NGX_HTTP_PROMPT_GAUGE_MAX];
    ngx_uint_t  moments[NGX_HTTP_PROMPT_MOMENT_MAX];

    for (i = 0; i < NGX_HTTP_PROMPT_COUNT_MAX; i++) {
        counts[i] = total->counts[i];
    }

    for (i = 0; i < NGX_HTTP_PROMPT_MOMENT_MAX; i++) {
        moments[i] = metrics->moments[i];
    }

    ngx_http_prompt_metrics_gauges(metrics, gauges);

    ngx_http_prompt_metrics_write_table(ngx_http_prompt_metrics_counters,
                                        "counter", counts, out);
    ngx_http_prompt_metrics_write_table(ngx_http_prompt_metrics_states,
                                        "gauge", gauges, out);
    ngx_http_prompt_metrics_write_table(ngx_http_prompt_metrics_moments,
                                        "gauge", moments, out);
}


static void
ngx_http_prompt_metrics_write_table(const ngx_http_prompt_metric_t *table,
    const char *type, const ngx_uint_t *values, prompt_buf_t *out)
{
    const char                      *name;
    const ngx_http_prompt_metric_t  *metric;

    name = "";

    for (metric = table;
         metric->name != NULL || metric->label != NULL;
         metric++)
    {
        if (metric->name != NULL) {
            name = metric->name;
            ngx_http_prompt_metrics_head(out, name, type, metric->help);
            continue;
        }

        prompt_buf_printf(out, "%s%s %lu\n", name, metric->label,
                          (unsigned long) values[metric->number]);
    }
}


/*
 * Who was killed said nothing of its end, and its place is another's only when
 * nginx has begun one in its stead.
 */

static void
ngx_http_prompt_metrics_gauges(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t sums[NGX_HTTP_PROMPT_GAUGE_MAX])
{
    ngx_uint_t                               i, n;
    const ngx_http_prompt_metrics_worker_t  *worker;

    ngx_memzero(sums, NGX_HTTP_PROMPT_GAUGE_MAX * sizeof(ngx_uint_t));

    for (n = 0; n < NGX_HTTP_PROMPT_METRICS_WORKERS; n++) {
        worker = &metrics->workers[n];

        if (!ngx_http_prompt_metrics_lives(worker->pid)) {
            continue;
        }

        for (i = 0; i < NGX_HTTP_PROMPT_GAUGE_MAX; i++) {
            sums[i] += worker->gauges[i];
        }
    }
}


ngx_uint_t
ngx_http_prompt_metrics_lives(ngx_uint_t pid)
{
    return pid != 0
           && (kill((ngx_pid_t) pid, 0) == 0 || ngx_errno == NGX_EPERM);
}


/* The times of all are the sum of those by operation. */

static void
ngx_http_prompt_metrics_write_operations(
    const ngx_http_prompt_metrics_own_t *total, const prompt_str_t *roots,
    ngx_uint_t nroots, prompt_buf_t *out)
{
    char                label[NGX_HTTP_PROMPT_METRICS_LABEL];
    ngx_uint_t          i, n;
    prompt_histogram_t  sum;

    static const char *const  other[] = { "none", "multiple",
                                          "introspection" };

    ngx_http_prompt_metrics_head(out, "prompt_requests_total", "counter",
                                 "Requests to the endpoint, by the code of "
                                 "their first error (none: \"\").");

    for (i = 0; i <= NGX_HTTP_PROMPT_METRICS_CODES; i++) {
        prompt_buf_printf(out, "prompt_requests_total{code=\"%s\"} %lu\n",
                          ngx_http_prompt_metrics_codes[i],
                          (unsigned long) total->requests[i]);
    }

    ngx_http_prompt_metrics_head(out, "prompt_operations_total", "counter",
                                 "Root fields that were executed.");

    for (i = 0; i < nroots; i++) {
        prompt_buf_printf(out,
                          "prompt_operations_total{operation=\"%.*s\"} %lu\n",
                          prompt_str_arg(roots[i]),
                          (unsigned long) total->roots[i]);
    }

    ngx_memzero(&sum, sizeof(prompt_histogram_t));

    n = NGX_HTTP_PROMPT_OPERATION_ROOT + nroots;

    for (i = 0; i < n; i++) {
        ngx_http_prompt_metrics_sum(&sum, &total->operations[i]);
    }

    ngx_http_prompt_metrics_head(out, "prompt_request_seconds", "histogram",
                                 "Duration of requests to the endpoint.");
    ngx_http_prompt_metrics_write_time(out, "prompt_request_seconds", "",
                                       &sum);

    ngx_http_prompt_metrics_head(out, "prompt_operation_seconds", "histogram",
                                 "The same by operation: the root field, "
                                 "several of them, or none.");

    for (i = 0; i < n; i++) {
        ngx_memzero(&sum, sizeof(prompt_histogram_t));
        ngx_http_prompt_metrics_sum(&sum, &total->operations[i]);

        if (i < NGX_HTTP_PROMPT_OPERATION_ROOT) {
            (void) snprintf(label, sizeof(label), "operation=\"%s\"",
                            other[i]);
        } else {
            (void) snprintf(label, sizeof(label), "operation=\"%.*s\"",
                     prompt_str_arg(roots[i - NGX_HTTP_PROMPT_OPERATION_ROOT]));
        }

        ngx_http_prompt_metrics_write_time(out, "prompt_operation_seconds",
                                           label, &sum);
    }
}


/* the sums over all models, under the names that have no model */

static void
ngx_http_prompt_metrics_write_calls(ngx_http_prompt_metrics_t *metrics,
    prompt_buf_t *out)
{
    ngx_uint_t                              i, n, s;
    unsigned long                           in, from, calls[3];
    prompt_histogram_t                      sum;
    const ngx_http_prompt_metrics_model_t  *model;

    ngx_memzero(&sum, sizeof(prompt_histogram_t));
    ngx_memzero(calls, sizeof(calls));
    in = 0;
    from = 0;
    n = metrics->nmodels;

    for (i = 0; i < n; i++) {
        model = &metrics->models[i];

        for (s = 0; s < NGX_HTTP_PROMPT_CALL_MAX; s++) {
            calls[s] += model->calls[s];
        }

        in += model->tokens_in;
        from += model->tokens_out;
        ngx_http_prompt_metrics_sum(&sum, &model->seconds);
    }

    ngx_http_prompt_metrics_head(out, "prompt_executions_total", "counter",
                                 "Executions that ended, by status.");
    prompt_buf_printf(out,
                      "prompt_executions_total{status=\"succeeded\"} %lu\n"
                      "prompt_executions_total{status=\"failed\"} %lu\n"
                      "prompt_executions_total{status=\"cancelled\"} %lu\n",
                      calls[NGX_HTTP_PROMPT_CALL_SUCCEEDED],
                      calls[NGX_HTTP_PROMPT_CALL_FAILED],
                      calls[NGX_HTTP_PROMPT_CALL_CANCELLED]);

    ngx_http_prompt_metrics_head(out, "prompt_tokens_total", "counter",
                                 "Tokens that providers counted.");
    prompt_buf_printf(out, "prompt_tokens_total{direction=\"in\"} %lu\n"
                           "prompt_tokens_total{direction=\"out\"} %lu\n",
                      in, from);

    ngx_http_prompt_metrics_head(out, "prompt_provider_seconds", "histogram",
                                 "Duration of calls to providers.");
    ngx_http_prompt_metrics_write_time(out, "prompt_provider_seconds", "",
                                       &sum);

    /* who has no place of its own is shown where there is one */

    i = n > NGX_HTTP_PROMPT_METRICS_MODELS ? 0 : 1;

    if (i < n) {
        ngx_http_prompt_metrics_write_models(metrics, i, out);
    }
}


static void
ngx_http_prompt_metrics_write_models(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t first, prompt_buf_t *out)
{
    char                                    label[
                                       2 * NGX_HTTP_PROMPT_METRICS_LABEL + 64];
    ngx_uint_t                              i, n;
    prompt_histogram_t                      sum;
    const ngx_http_prompt_metrics_model_t  *model;
    const ngx_http_prompt_metrics_row_t    *row;

    n = metrics->nmodels;

    ngx_http_prompt_metrics_head(out, "prompt_model_seconds", "histogram",
                                 "Duration of calls, by provider and model as "
                                 "they are configured.");

    for (i = first; i < n; i++) {
        model = &metrics->models[i];

        ngx_memzero(&sum, sizeof(prompt_histogram_t));
        ngx_http_prompt_metrics_sum(&sum, &model->seconds);

        (void) snprintf(label, sizeof(label),
                        "provider=\"%.*s\",model=\"%.*s\"",
                        (int) model->provider_len, model->provider,
                        (int) model->pattern_len, model->pattern);
        ngx_http_prompt_metrics_write_time(out, "prompt_model_seconds", label,
                                           &sum);
    }

    for (row = ngx_http_prompt_metrics_models; row->name != NULL; row++) {
        if (row->help != NULL) {
            ngx_http_prompt_metrics_head(out, row->name, "counter", row->help);
        }

        for (i = first; i < n; i++) {
            ngx_http_prompt_metrics_write_model(&metrics->models[i], row, out);
        }
    }

    ngx_http_prompt_metrics_write_costs(metrics, first, out);
}


/* 10^-12 US dollars a unit: a call is rounded to half of one */

static void
ngx_http_prompt_metrics_write_costs(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t first, prompt_buf_t *out)
{
    ngx_uint_t                              i;
    unsigned long                           cost;
    const ngx_http_prompt_metrics_model_t  *model;

    ngx_http_prompt_metrics_head(out, "prompt_cost_usd_total", "counter",
                                 "What calls cost, in US dollars, by the "
                                 "prices that are configured.");

    for (i = first; i < metrics->nmodels; i++) {
        model = &metrics->models[i];
        cost = model->cost;

        prompt_buf_printf(out,
                          "prompt_cost_usd_total{provider=\"%.*s\","
                          "model=\"%.*s\"} %lu.%012lu\n",
                          (int) model->provider_len, model->provider,
                          (int) model->pattern_len, model->pattern,
                          cost / NGX_HTTP_PROMPT_METRICS_USD,
                          cost % NGX_HTTP_PROMPT_METRICS_USD);
    }
}


static void
ngx_http_prompt_metrics_write_model(
    const ngx_http_prompt_metrics_model_t *model,
    const ngx_http_prompt_metrics_row_t *row, prompt_buf_t *out)
{
    const ngx_atomic_t  *value;

    value = (const ngx_atomic_t *) ((const u_char *) model + row->offset);

    prompt_buf_printf(out, "%s{provider=\"%.*s\",model=\"%.*s\"%s} %lu\n",
                      row->name, (int) model->provider_len, model->provider,
                      (int) model->pattern_len, model->pattern, row->label,
                      (unsigned long) *value);
}


static void
ngx_http_prompt_metrics_sum(prompt_histogram_t *sum,
    const ngx_http_prompt_histogram_t *histogram)
{
    ngx_uint_t  i;

    for (i = 0; i < PROMPT_HISTOGRAM_BUCKETS; i++) {
        sum->buckets[i] += histogram->buckets[i];
    }

    sum->sum += histogram->sum;
}


/* labels: without braces, or "" */

static void
ngx_http_prompt_metrics_write_time(prompt_buf_t *out, const char *name,
    const char *labels, const prompt_histogram_t *histogram)
{
    char           own[2 * NGX_HTTP_PROMPT_METRICS_LABEL + 64];
    ngx_uint_t     i;
    const char    *comma;
    unsigned long  bound, count, sum;

    own[0] = '\0';
    comma = "";
    count = 0;

    if (labels[0] != '\0') {
        (void) snprintf(own, sizeof(own), "{%s}", labels);
        comma = ",";
    }

    for (i = 0; i < PROMPT_HISTOGRAM_BOUNDS; i++) {
        bound = prompt_histogram_bounds[i];
        count += histogram->buckets[i];

        prompt_buf_printf(out, "%s_bucket{%s%sle=\"%lu.%03lu\"} %lu\n", name,
                          labels, comma, bound / 1000, bound % 1000, count);
    }

    count += histogram->buckets[i];
    sum = histogram->sum;

    prompt_buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %lu\n"
                           "%s_sum%s %lu.%03lu\n"
                           "%s_count%s %lu\n",
                      name, labels, comma, count,
                      name, own, sum / 1000, sum % 1000, name, own, count);
}


static void
ngx_http_prompt_metrics_head(prompt_buf_t *out, const char *name,
    const char *type, const char *help)
{
    prompt_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
                      type);
}
