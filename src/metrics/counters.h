/*
 * What is counted: a line for each number, below the name under which
 * Prometheus has it.
 *
 * A new number is a line here (a family and its only number are two).  From
 * these lists follow the constants for who counts (metrics.h), the places in
 * shared memory, and the text (metrics_write.c).
 */

#ifndef PROMPT_METRICS_COUNTERS_H
#define PROMPT_METRICS_COUNTERS_H


/*
 * Counters, which only grow: NGX_HTTP_PROMPT_COUNT_..., for
 * ngx_http_prompt_metrics_add().
 */

#define NGX_HTTP_PROMPT_COUNTERS(family, count)                              \
    family("prompt_key_lookups_total",                                       \
           "API keys that were looked up, by where they were found.")        \
    count(KEY_HITS, "source=\"redis\"")                                      \
    count(KEY_MISSES, "source=\"postgres\"")                                 \
    count(KEY_ERRORS, "source=\"none\"")                                     \
                                                                             \
    family("prompt_sign_ins_total",                                          \
           "People who signed in, or tried to, by what came of it.")         \
    count(SIGNED_IN, "result=\"signed_in\"")                                 \
    count(SIGN_IN_WRONG, "result=\"wrong\"")                                 \
    count(SIGN_IN_LIMITED, "result=\"limited\"")                             \
    count(SIGN_IN_ERRORS, "result=\"unavailable\"")                          \
                                                                             \
    family("prompt_results_kept_total",                                      \
           "Results that had to wait for PostgreSQL.")                       \
    count(RESULTS_KEPT, "")                                                  \
                                                                             \
    family("prompt_results_lost_total",                                      \
           "Results that could not be kept; the error log has their ids.")   \
    count(RESULTS_LOST, "")                                                  \
                                                                             \
    family("prompt_budget_refusals_total",                                   \
           "Calls that were not made, as a budget had no room for them.")    \
    count(BUDGET_REFUSALS, "")                                               \
                                                                             \
    family("prompt_budget_warnings_total",                                   \
           "Budgets of which so much was spent as they warn of.")            \
    count(BUDGET_WARNINGS, "")                                               \
                                                                             \
    family("prompt_label_guards_total",                                      \
           "Versions of a label's split whose share a guard took.")          \
    count(LABEL_GUARDS, "")                                                  \
                                                                             \
    family("prompt_answers_waited_total",                                    \
           "Answers that were begun when there was room for them.")          \
    count(ANSWERS_WAITED, "")                                                \
                                                                             \
    family("prompt_answers_refused_total",                                   \
           "Answers for which there was no room.")                           \
    count(ANSWERS_REFUSED, "")                                               \
                                                                             \
    family("prompt_streams_total", "Streams of events that were begun.")     \
    count(STREAMS, "")                                                       \
                                                                             \
    family("prompt_idempotency_requests_total",                              \
           "Requests with an Idempotency-Key, by what the key led to.")      \
    count(ONCE_BEGUN, "result=\"begun\"")                                    \
    count(ONCE_REPLAYED, "result=\"replayed\"")                              \
    count(ONCE_TAKEN_OVER, "result=\"taken_over\"")                          \
    count(ONCE_BUSY, "result=\"busy\"")                                      \
    count(ONCE_OTHER, "result=\"mismatch\"")                                 \
    count(ONCE_FAILED, "result=\"unavailable\"")                             \
                                                                             \
    family("prompt_sweeps_total",                                            \
           "Steps of the sweeps that were done, by sweep.")                  \
    count(SWEPT_EXECUTIONS, "sweep=\"executions\"")                          \
    count(SWEPT_KEYS, "sweep=\"idempotency\"")                               \
    count(SWEPT_LOG, "sweep=\"log\"")                                        \
    count(SWEPT_SESSIONS, "sweep=\"sessions\"")                              \
    count(SWEPT_GUARDS, "sweep=\"guards\"")                                  \
                                                                             \
    family("prompt_sweep_failures_total",                                    \
           "Steps of the sweeps that failed.")                               \
    count(SWEEP_FAILURES, "")                                                \
                                                                             \
    family("prompt_partition_failures_total",                                \
           "Months of executions that could not be made, by tries.")         \
    count(PARTITION_FAILURES, "")                                            \
                                                                             \
    family("prompt_documents_total",                                         \
           "Documents, by whether their plan was cached.")                   \
    count(PLAN_HITS, "cache=\"hit\"")                                        \
    count(PLAN_MISSES, "cache=\"miss\"")                                     \
                                                                             \
    family("prompt_plan_cache_evictions_total",                              \
           "Plans that left the cache for others.")                          \
    count(PLAN_EVICTIONS, "")                                                \
                                                                             \
    family("prompt_version_lookups_total",                                   \
           "Prompts whose versions were listed, by whether they were kept.") \
    count(VERSION_HITS, "cache=\"hit\"")                                     \
    count(VERSION_MISSES, "cache=\"miss\"")                                  \
                                                                             \
    family("prompt_version_cache_bytes_total",                               \
           "Bytes of versions that were put into the workers' caches.")      \
    count(VERSION_BYTES, "")                                                 \
                                                                             \
    family("prompt_target_lookups_total",                                    \
           "Executions, by whether their version was kept.")                 \
    count(TARGET_HITS, "cache=\"hit\"")                                      \
    count(TARGET_MISSES, "cache=\"miss\"")                                   \
                                                                             \
    family("prompt_postgres_operations_total",                               \
           "Pipelines sent to PostgreSQL.")                                  \
    count(POSTGRES_OPERATIONS, "")                                           \
                                                                             \
    family("prompt_postgres_errors_total",                                   \
           "Pipelines that PostgreSQL did not complete.")                    \
    count(POSTGRES_ERRORS, "reason=\"refused\"")                             \
    count(POSTGRES_TIMEOUTS, "reason=\"timeout\"")                           \
    count(POSTGRES_UNAVAILABLE, "reason=\"unavailable\"")                    \
    count(POSTGRES_OVERFLOWS, "reason=\"queue_full\"")                       \
                                                                             \
    family("prompt_postgres_retries_total",                                  \
           "Pipelines sent again, after an end or a conflict.")              \
    count(POSTGRES_RETRIES, "")                                              \
                                                                             \
    family("prompt_postgres_connections_total",                              \
           "Connections to PostgreSQL that were made, failed or broke.")     \
    count(POSTGRES_CONNECTS, "result=\"ready\"")                             \
    count(POSTGRES_FAILURES, "result=\"failed\"")                            \
                                                                             \
    family("prompt_standby_reads_total",                                     \
           "Queries that a standby may answer: that one did, or why not.")   \
    count(STANDBY_READS, "result=\"standby\"")                               \
    count(STANDBY_OLD, "result=\"behind\"")                                  \
    count(STANDBY_LAG, "result=\"lag\"")                                     \
    count(STANDBY_AWAY, "result=\"unavailable\"")                            \
    count(STANDBY_REDIS, "result=\"no_mark\"")                               \
                                                                             \
    family("prompt_changes_held_total",                                      \
           "Changes answered max_lag later: no host could be told.")         \
    count(CHANGES_HELD, "")                                                  \
                                                                             \
    family("prompt_redis_commands_total", "Commands sent to Redis.")         \
    count(REDIS_COMMANDS, "")                                                \
                                                                             \
    family("prompt_redis_errors_total",                                      \
           "Commands that Redis did not answer.")                            \
    count(REDIS_REFUSED, "reason=\"unavailable\"")                           \
    count(REDIS_TIMEOUTS, "reason=\"timeout\"")                              \
    count(REDIS_LOST, "reason=\"lost\"")                                     \
                                                                             \
    family("prompt_redis_connections_total",                                 \
           "Connections to Redis that were made, failed or broke.")          \
    count(REDIS_CONNECTS, "result=\"ready\"")                                \
    count(REDIS_FAILURES, "result=\"failed\"")                               \
                                                                             \
    family("prompt_otlp_sent_total",                                         \
           "Spans that the collector took.")                                 \
    count(OTLP_SENT, "")                                                     \
                                                                             \
    family("prompt_otlp_dropped_total",                                      \
           "Spans that were not sent, or not taken.")                        \
    count(OTLP_FULL, "reason=\"queue_full\"")                                \
    count(OTLP_REFUSED, "reason=\"refused\"")                                \
    count(OTLP_AWAY, "reason=\"unavailable\"")


/*
 * Gauges of a worker, which are summed up: NGX_HTTP_PROMPT_GAUGE_..., places of
 * ngx_http_prompt_gauges_t.
 */

#define NGX_HTTP_PROMPT_GAUGES(family, gauge)                                \
    family("prompt_workers", "Workers that serve requests, or finish them.") \
    gauge(WORKERS, "")                                                       \
                                                                             \
    family("prompt_workers_healthy",                                         \
           "Those that reach PostgreSQL, whose schema fits.")                \
    gauge(HEALTHY, "")                                                       \
                                                                             \
    family("prompt_workers_redis_connected",                                 \
           "Those that are connected to Redis.")                             \
    gauge(REDIS_UP, "")                                                      \
                                                                             \
    family("prompt_postgres_pool_connections",                               \
           "Connections of all workers to PostgreSQL, by state.")            \
    gauge(POOL_IDLE, "state=\"idle\"")                                       \
    gauge(POOL_BUSY, "state=\"busy\"")                                       \
    gauge(POOL_CONNECTING, "state=\"connecting\"")                           \
    gauge(POOL_DOWN, "state=\"down\"")                                       \
                                                                             \
    family("prompt_postgres_pool_operations",                                \
           "Pipelines that are sent and not yet answered.")                  \
    gauge(POOL_SENT, "")                                                     \
                                                                             \
    family("prompt_postgres_queue_length",                                   \
           "Pipelines that wait for a connection, by class.")                \
    gauge(QUEUE_READS, "class=\"reads\"")                                    \
    gauge(QUEUE_COMMITS, "class=\"commits\"")                                \
    gauge(QUEUE_STARTS, "class=\"starts\"")                                  \
    gauge(QUEUE_ALONE, "class=\"alone\"")                                    \
    gauge(QUEUE_LONG, "class=\"long\"")                                      \
                                                                             \
    family("prompt_standby_pool_connections",                                \
           "Connections of all workers to standbys that are ready.")         \
    gauge(STANDBY_UP, "")                                                    \
                                                                             \
    family("prompt_plan_cache_entries",                                      \
           "Documents in the caches of all workers.")                        \
    gauge(PLAN_ENTRIES, "")                                                  \
                                                                             \
    family("prompt_plan_cache_bytes", "What those take of memory.")          \
    gauge(PLAN_BYTES, "")                                                    \
                                                                             \
    family("prompt_answers_unsent_bytes",                                    \
           "Bytes of answers that are made or not taken by clients yet.")    \
    gauge(ANSWERS_UNSENT, "")                                                \
                                                                             \
    family("prompt_streams_open", "Streams of events that are open.")        \
    gauge(STREAMS_OPEN, "")                                                  \
                                                                             \
    family("prompt_results_waiting", "Results that wait for PostgreSQL.")    \
    gauge(RESULTS_WAITING, "")


/*
 * When something of this host happened last, in seconds since 1970; 0: never.
 * NGX_HTTP_PROMPT_MOMENT_..., for ngx_http_prompt_metrics_moment().
 */

#define NGX_HTTP_PROMPT_MOMENTS(family, moment)                              \
    family("prompt_health_asked_timestamp_seconds",                          \
           "When somebody last asked for health or metrics.")                \
    moment(HEALTH_ASKED, "")                                                 \
                                                                             \
    family("prompt_sweep_last_success_timestamp_seconds",                    \
           "When a sweep of this host last succeeded.")                      \
    moment(SWEPT_EXECUTIONS, "sweep=\"executions\"")                         \
    moment(SWEPT_KEYS, "sweep=\"idempotency\"")                              \
    moment(SWEPT_LOG, "sweep=\"log\"")                                       \
    moment(SWEPT_SESSIONS, "sweep=\"sessions\"")                             \
    moment(SWEPT_GUARDS, "sweep=\"guards\"")


/*
 * How long something took that a worker adds up itself:
 * NGX_HTTP_PROMPT_TIME_..., for ngx_http_prompt_metrics_times().
 */

#define NGX_HTTP_PROMPT_TIMES(family, time)                                  \
    family("prompt_postgres_wait_seconds",                                   \
           "How long pipelines waited until they were sent to PostgreSQL.")  \
    time(QUEUED, "")                                                         \
                                                                             \
    family("prompt_postgres_operation_seconds",                              \
           "Duration of pipelines that PostgreSQL answered, with that "      \
           "wait.")                                                          \
    time(POSTGRES, "")


/*
 * What came of an execution's call of its provider, by model; and what of that
 * is told again as the sum over all models.
 */

#define NGX_HTTP_PROMPT_MODEL_NUMBERS(family, number)                        \
    family("prompt_model_executions_total",                                  \
           "Executions that ended, by the model that was asked last.")       \
    number(CALLS_SUCCEEDED, "status=\"succeeded\"")                          \
    number(CALLS_FAILED, "status=\"failed\"")                                \
    number(CALLS_CANCELLED, "status=\"cancelled\"")                          \
                                                                             \
    family("prompt_model_tokens_total",                                      \
           "Tokens that providers counted, by model.")                       \
    number(TOKENS_IN, "direction=\"in\"")                                    \
    number(TOKENS_OUT, "direction=\"out\"")                                  \
                                                                             \
    family("prompt_model_attempts_total",                                    \
           "How often models were asked, retries included.")                 \
    number(ATTEMPTS, "")                                                     \
                                                                             \
    family("prompt_model_failures_total",                                    \
           "How often they did not answer, or not with what was asked for.") \
    number(FAILURES, "")

#define NGX_HTTP_PROMPT_CALL_NUMBERS(family, number)                         \
    family("prompt_executions_total", "Executions that ended, by status.")   \
    number(CALLS_SUCCEEDED, "status=\"succeeded\"")                          \
    number(CALLS_FAILED, "status=\"failed\"")                                \
    number(CALLS_CANCELLED, "status=\"cancelled\"")                          \
                                                                             \
    family("prompt_tokens_total", "Tokens that providers counted.")          \
    number(TOKENS_IN, "direction=\"in\"")                                    \
    number(TOKENS_OUT, "direction=\"out\"")

#endif /* PROMPT_METRICS_COUNTERS_H */
