/*
 * Metrics: their text, for Prometheus (version 0.0.4).
 */

#include "base/version.h"
#include "metrics/metrics_impl.h"


#define NGX_HTTP_PROMPT_METRICS_USD  1000000000000u


/* a name begins a family; what follows are its numbers, by their labels */
typedef struct {
    const char  *name;
    const char  *help;
    const char  *label;
    ngx_uint_t   number;
} ngx_http_prompt_metric_t;


static void ngx_http_prompt_metrics_sum(void *sum, const void *words,
    size_t size);
static void ngx_http_prompt_metrics_gauges(ngx_http_prompt_metrics_t *metrics,
    ngx_atomic_t sums[NGX_HTTP_PROMPT_GAUGE_MAX]);
static void ngx_http_prompt_metrics_write_operations(
    const ngx_http_prompt_metrics_own_t *total, const prompt_str_t *roots,
    ngx_uint_t nroots, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_counts(
    const ngx_http_prompt_metrics_own_t *total, const char *family,
    const char *key, const prompt_str_t *names, ngx_uint_t n, size_t offset,
    prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_times(
    const ngx_http_prompt_metrics_own_t *total, ngx_uint_t protocol,
    const prompt_str_t *names, ngx_uint_t n, prompt_buf_t *out);
static void ngx_http_prompt_metrics_label(
    char label[NGX_HTTP_PROMPT_METRICS_LABEL], const char *key,
    prompt_str_t name, ngx_uint_t protocol);
static void ngx_http_prompt_metrics_write_calls(
    ngx_http_prompt_metrics_t *metrics, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_models(
    const ngx_http_prompt_metrics_model_t *models, ngx_uint_t n,
    prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_table(prompt_buf_t *out,
    const ngx_http_prompt_metric_t *table, const char *type,
    const ngx_atomic_t *values);
static void ngx_http_prompt_metrics_write_value(prompt_buf_t *out,
    const char *name, const char *label, const char *more, ngx_uint_t value);
static void ngx_http_prompt_metrics_write_time(prompt_buf_t *out,
    const char *name, const char *label,
    const ngx_http_prompt_histogram_t *histogram);
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
#define ngx_http_prompt_metrics_time_row(name, label)                        \
    { NULL, NULL, label, NGX_HTTP_PROMPT_TIME_##name },
#define ngx_http_prompt_metrics_number(name, label)                          \
    { NULL, NULL, label, NGX_HTTP_PROMPT_MODEL_##name },

#define ngx_http_prompt_metrics_end  { NULL, NULL, NULL, 0 }


static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_counters[] = {
    NGX_HTTP_PROMPT_COUNTERS(ngx_http_prompt_metrics_family,
                             ngx_http_prompt_metrics_count)
    ngx_http_prompt_metrics_end
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_states[] = {
    NGX_HTTP_PROMPT_GAUGES(ngx_http_prompt_metrics_family,
                           ngx_http_prompt_metrics_gauge)
    ngx_http_prompt_metrics_end
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_moments[] = {
    NGX_HTTP_PROMPT_MOMENTS(ngx_http_prompt_metrics_family,
                            ngx_http_prompt_metrics_moment_row)
    ngx_http_prompt_metrics_end
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_durations[] = {
    NGX_HTTP_PROMPT_TIMES(ngx_http_prompt_metrics_family,
                          ngx_http_prompt_metrics_time_row)
    ngx_http_prompt_metrics_end
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_calls[] = {
    NGX_HTTP_PROMPT_CALL_NUMBERS(ngx_http_prompt_metrics_family,
                                 ngx_http_prompt_metrics_number)
    ngx_http_prompt_metrics_end
};

static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_models[] = {
    NGX_HTTP_PROMPT_MODEL_NUMBERS(ngx_http_prompt_metrics_family,
                                  ngx_http_prompt_metrics_number)
    ngx_http_prompt_metrics_end
};


void
ngx_http_prompt_metrics_write(ngx_http_prompt_metrics_t *metrics,
    const prompt_str_t *roots, ngx_uint_t nroots, prompt_buf_t *out)
{
    ngx_uint_t                       n;
    ngx_atomic_t                     gauges[NGX_HTTP_PROMPT_GAUGE_MAX];
    const ngx_http_prompt_metric_t  *row;
    ngx_http_prompt_metrics_own_t    total;

    /* what all workers have counted, those that are no more too */

    ngx_memzero(&total, sizeof(ngx_http_prompt_metrics_own_t));

    for (n = 0; n < NGX_HTTP_PROMPT_METRICS_WORKERS; n++) {

        if (metrics->workers[n].own != NULL) {
            ngx_http_prompt_metrics_sum(&total, metrics->workers[n].own,
                                        sizeof(ngx_http_prompt_metrics_own_t));
        }
    }

    ngx_http_prompt_metrics_gauges(metrics, gauges);

    ngx_http_prompt_metrics_head(out, "prompt_build_info", "gauge",
                                 "1, by the version of the module.");
    ngx_http_prompt_metrics_write_value(out, "prompt_build_info",
                                        "version=\"" PROMPT_VERSION "\"", "",
                                        1);

    ngx_http_prompt_metrics_write_operations(&total, roots, nroots, out);
    ngx_http_prompt_metrics_write_calls(metrics, out);

    ngx_http_prompt_metrics_write_table(out, ngx_http_prompt_metrics_counters,
                                        "counter", total.counts);
    ngx_http_prompt_metrics_write_table(out, ngx_http_prompt_metrics_states,
                                        "gauge", gauges);
    ngx_http_prompt_metrics_write_table(out, ngx_http_prompt_metrics_moments,
                                        "gauge", metrics->moments);

    /* a family and its only number */

    for (row = ngx_http_prompt_metrics_durations; row->name != NULL; row += 2)
    {
        ngx_http_prompt_metrics_head(out, row->name, "histogram", row->help);
        ngx_http_prompt_metrics_write_time(out, row->name, row[1].label,
                                           &total.times[row[1].number]);
    }
}


static void
ngx_http_prompt_metrics_sum(void *sum, const void *words, size_t size)
{
    size_t               i;
    ngx_atomic_t        *to;
    const ngx_atomic_t  *from;

    to = sum;
    from = words;

    for (i = 0; i < size / sizeof(ngx_atomic_t); i++) {
        to[i] += from[i];
    }
}


/*
 * Who was killed said nothing of its end, and its place is another's only when
 * nginx has begun one in its stead.
 */
static void
ngx_http_prompt_metrics_gauges(ngx_http_prompt_metrics_t *metrics,
    ngx_atomic_t sums[NGX_HTTP_PROMPT_GAUGE_MAX])
{
    size_t                                   size;
    ngx_uint_t                               n;
    const ngx_http_prompt_metrics_worker_t  *worker;

    size = NGX_HTTP_PROMPT_GAUGE_MAX * sizeof(ngx_atomic_t);
    ngx_memzero((void *) sums, size);

    for (n = 0; n < NGX_HTTP_PROMPT_METRICS_WORKERS; n++) {
        worker = &metrics->workers[n];

        if (ngx_http_prompt_metrics_lives(worker->pid)) {
            ngx_http_prompt_metrics_sum((void *) sums,
                                        (const void *) worker->gauges, size);
        }
    }
}


ngx_uint_t
ngx_http_prompt_metrics_lives(ngx_uint_t pid)
{
    return pid != 0
           && (kill((ngx_pid_t) pid, 0) == 0 || ngx_errno == NGX_EPERM);
}


/* The times of all are the sum of those by protocol and operation. */
static void
ngx_http_prompt_metrics_write_operations(
    const ngx_http_prompt_metrics_own_t *total, const prompt_str_t *roots,
    ngx_uint_t nroots, prompt_buf_t *out)
{
    ngx_uint_t                    i, n;
    prompt_str_t                  names[NGX_HTTP_PROMPT_METRICS_OPERATIONS];
    prompt_str_t                  codes[NGX_HTTP_PROMPT_METRICS_CODES + 1];
    ngx_http_prompt_histogram_t   sum;

    names[NGX_HTTP_PROMPT_OPERATION_NONE] = prompt_str("none");
    names[NGX_HTTP_PROMPT_OPERATION_MULTIPLE] = prompt_str("multiple");
    names[NGX_HTTP_PROMPT_OPERATION_INTROSPECTION] =
                                                 prompt_str("introspection");
    ngx_memcpy(names + NGX_HTTP_PROMPT_OPERATION_ROOT, roots,
               nroots * sizeof(prompt_str_t));

    for (i = 0; i <= NGX_HTTP_PROMPT_METRICS_CODES; i++) {
        codes[i] = prompt_str_from(ngx_http_prompt_metrics_codes[i]);
    }

    ngx_http_prompt_metrics_head(out, "prompt_requests_total", "counter",
                                 "Requests to the endpoint, by the code of "
                                 "their first error (none: \"\").");
    ngx_http_prompt_metrics_write_counts(total, "prompt_requests_total",
                   "code", codes, NGX_HTTP_PROMPT_METRICS_CODES + 1,
                   offsetof(ngx_http_prompt_metrics_protocol_t, requests), out);

    ngx_http_prompt_metrics_head(out, "prompt_operations_total", "counter",
                                 "Root fields that were executed.");
    ngx_http_prompt_metrics_write_counts(total, "prompt_operations_total",
                   "operation", roots, nroots,
                   offsetof(ngx_http_prompt_metrics_protocol_t, roots), out);

    ngx_memzero(&sum, sizeof(ngx_http_prompt_histogram_t));

    n = NGX_HTTP_PROMPT_OPERATION_ROOT + nroots;

    for (i = 0; i < n * NGX_HTTP_PROMPT_PROTOCOLS; i++) {
        ngx_http_prompt_metrics_sum(&sum, &total->protocols[i / n]
                                                 .operations[i % n],
                                    sizeof(ngx_http_prompt_histogram_t));
    }

    ngx_http_prompt_metrics_head(out, "prompt_request_seconds", "histogram",
                                 "Duration of requests to the endpoint.");
    ngx_http_prompt_metrics_write_time(out, "prompt_request_seconds", "",
                                       &sum);

    ngx_http_prompt_metrics_head(out, "prompt_operation_seconds", "histogram",
                                 "The same by operation: the root field, "
                                 "several of them, or none.");

    for (i = 0; i < NGX_HTTP_PROMPT_PROTOCOLS; i++) {
        ngx_http_prompt_metrics_write_times(total, i, names, n, out);
    }
}


/* Of protocols beside GraphQL, which may not be used, what there was. */
static void
ngx_http_prompt_metrics_write_counts(
    const ngx_http_prompt_metrics_own_t *total, const char *family,
    const char *key, const prompt_str_t *names, ngx_uint_t n, size_t offset,
    prompt_buf_t *out)
{
    char                 label[NGX_HTTP_PROMPT_METRICS_LABEL];
    ngx_uint_t           i, protocol;
    const ngx_atomic_t  *counts;

    for (protocol = 0; protocol < NGX_HTTP_PROMPT_PROTOCOLS; protocol++) {
        counts = (const ngx_atomic_t *) (const void *)
                 ((const char *) &total->protocols[protocol] + offset);

        for (i = 0; i < n; i++) {

            if (protocol != NGX_HTTP_PROMPT_GRAPHQL && counts[i] == 0) {
                continue;
            }

            ngx_http_prompt_metrics_label(label, key, names[i], protocol);
            ngx_http_prompt_metrics_write_value(out, family, label, "",
                                                counts[i]);
        }
    }
}


static void
ngx_http_prompt_metrics_write_times(
    const ngx_http_prompt_metrics_own_t *total, ngx_uint_t protocol,
    const prompt_str_t *names, ngx_uint_t n, prompt_buf_t *out)
{
    char                                label[NGX_HTTP_PROMPT_METRICS_LABEL];
    ngx_uint_t                          i, bucket;
    ngx_atomic_uint_t                   count;
    const ngx_http_prompt_histogram_t  *times;

    for (i = 0; i < n; i++) {
        times = &total->protocols[protocol].operations[i];
        count = protocol == NGX_HTTP_PROMPT_GRAPHQL;

        for (bucket = 0; bucket < PROMPT_HISTOGRAM_BUCKETS; bucket++) {
            count += times->buckets[bucket];
        }

        if (count != 0) {
            ngx_http_prompt_metrics_label(label, "operation", names[i],
                                          protocol);
            ngx_http_prompt_metrics_write_time(out, "prompt_operation_seconds",
                                               label, times);
        }
    }
}


static void
ngx_http_prompt_metrics_label(char label[NGX_HTTP_PROMPT_METRICS_LABEL],
    const char *key, prompt_str_t name, ngx_uint_t protocol)
{
    (void) snprintf(label, NGX_HTTP_PROMPT_METRICS_LABEL,
                    "%s=\"%.*s\",protocol=\"%.*s\"", key, prompt_str_arg(name),
                    prompt_str_arg(ngx_http_prompt_protocol_names[protocol]));
}


/* the sums over all models, under the names that have no model */
static void
ngx_http_prompt_metrics_write_calls(ngx_http_prompt_metrics_t *metrics,
    prompt_buf_t *out)
{
    ngx_uint_t                       i, n;
    ngx_http_prompt_metrics_calls_t  sum;

    ngx_memzero(&sum, sizeof(ngx_http_prompt_metrics_calls_t));

    n = metrics->nmodels;

    for (i = 0; i < n; i++) {
        ngx_http_prompt_metrics_sum(&sum, &metrics->models[i].calls,
                                    sizeof(ngx_http_prompt_metrics_calls_t));
    }

    ngx_http_prompt_metrics_write_table(out, ngx_http_prompt_metrics_calls,
                                        "counter", sum.numbers);

    ngx_http_prompt_metrics_head(out, "prompt_provider_seconds", "histogram",
                                 "Duration of calls to providers.");
    ngx_http_prompt_metrics_write_time(out, "prompt_provider_seconds", "",
                                       &sum.seconds);

    /* who has no place of its own is shown where there is one */

    i = n > NGX_HTTP_PROMPT_METRICS_MODELS ? 0 : 1;

    if (i < n) {
        ngx_http_prompt_metrics_write_models(&metrics->models[i], n - i, out);
    }
}


/* costs: 10^-12 US dollars a unit, as a call is rounded to half of one */
static void
ngx_http_prompt_metrics_write_models(
    const ngx_http_prompt_metrics_model_t *models, ngx_uint_t n,
    prompt_buf_t *out)
{
    ngx_uint_t                       i;
    const char                      *name;
    unsigned long                    cost;
    const ngx_http_prompt_metric_t  *row;

    name = "prompt_model_seconds";
    ngx_http_prompt_metrics_head(out, name, "histogram",
                                 "Duration of calls, by provider and model as "
                                 "they are configured.");

    for (i = 0; i < n; i++) {
        ngx_http_prompt_metrics_write_time(out, name, models[i].label,
                                           &models[i].calls.seconds);
    }

    for (row = ngx_http_prompt_metrics_models;
         row->name != NULL || row->label != NULL;
         row++)
    {
        if (row->name != NULL) {
            name = row->name;
            ngx_http_prompt_metrics_head(out, name, "counter", row->help);
            continue;
        }

        for (i = 0; i < n; i++) {
            ngx_http_prompt_metrics_write_value(out, name, models[i].label,
                                     row->label,
                                     models[i].calls.numbers[row->number]);
        }
    }

    name = "prompt_cost_usd_total";
    ngx_http_prompt_metrics_head(out, name, "counter",
                                 "What calls cost, in US dollars, by the "
                                 "prices that are configured.");

    for (i = 0; i < n; i++) {
        cost = models[i].calls.cost;

        prompt_buf_printf(out, "%s{%s} %lu.%012lu\n", name, models[i].label,
                          cost / NGX_HTTP_PROMPT_METRICS_USD,
                          cost % NGX_HTTP_PROMPT_METRICS_USD);
    }
}


static void
ngx_http_prompt_metrics_write_table(prompt_buf_t *out,
    const ngx_http_prompt_metric_t *table, const char *type,
    const ngx_atomic_t *values)
{
    const char                      *name;
    const ngx_http_prompt_metric_t  *row;

    name = "";

    for (row = table; row->name != NULL || row->label != NULL; row++) {

        if (row->name != NULL) {
            name = row->name;
            ngx_http_prompt_metrics_head(out, name, type, row->help);
            continue;
        }

        ngx_http_prompt_metrics_write_value(out, name, row->label, "",
                                            values[row->number]);
    }
}


/* label, more: without braces, or "" */
static void
ngx_http_prompt_metrics_write_value(prompt_buf_t *out, const char *name,
    const char *label, const char *more, ngx_uint_t value)
{
    if (label[0] == '\0') {
        prompt_buf_printf(out, "%s %lu\n", name, (unsigned long) value);
        return;
    }

    prompt_buf_printf(out, "%s{%s%s%s} %lu\n", name, label,
                      more[0] != '\0' ? "," : "", more, (unsigned long) value);
}


/* label: without braces, or "" */
static void
ngx_http_prompt_metrics_write_time(prompt_buf_t *out, const char *name,
    const char *label, const ngx_http_prompt_histogram_t *histogram)
{
    ngx_uint_t     i;
    const char    *comma, *begin, *end;
    unsigned long  bound, count, sum;

    comma = label[0] != '\0' ? "," : "";
    begin = label[0] != '\0' ? "{" : "";
    end = label[0] != '\0' ? "}" : "";
    count = 0;

    for (i = 0; i < PROMPT_HISTOGRAM_BOUNDS; i++) {
        bound = prompt_histogram_bounds[i];
        count += histogram->buckets[i];

        prompt_buf_printf(out, "%s_bucket{%s%sle=\"%lu.%03lu\"} %lu\n", name,
                          label, comma, bound / 1000, bound % 1000, count);
    }

    count += histogram->buckets[i];
    sum = histogram->sum;

    prompt_buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %lu\n"
                           "%s_sum%s%s%s %lu.%03lu\n"
                           "%s_count%s%s%s %lu\n",
                      name, label, comma, count,
                      name, begin, label, end, sum / 1000, sum % 1000,
                      name, begin, label, end, count);
}


static void
ngx_http_prompt_metrics_head(prompt_buf_t *out, const char *name,
    const char *type, const char *help)
{
    prompt_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
                      type);
}
