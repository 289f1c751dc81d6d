/*
 * Makes monitoring/grafana/prompt.json, the Grafana dashboard of the metrics.
 *
 *     node tools/grafana.mjs [FILE]
 *
 * Without a name it writes to standard output.  A panel is a line of the table
 * below: what it is called, its unit, and its queries with the names of their
 * lines.  t/monitoring.t holds the result against this file and the queries
 * against what the module exports.
 */

import { writeFileSync } from "node:fs";

const source = { type: "prometheus", uid: "${datasource}" };
const on = 'job="$job",instance=~"$instance"';

/* rate(NAME), summed up by labels; more: further labels to choose */
const rate = (name, by = "", more = "") =>
    `sum${by ? ` by (${by})` : ""} `
    + `(rate(${name}{${on}${more}}[$__rate_interval]))`;

const gauge = (name, by = "", more = "") =>
    `sum${by ? ` by (${by})` : ""} (${name}{${on}${more}})`;

const quantile = (q, name, by = "", more = "") =>
    `histogram_quantile(${q}, ${rate(`${name}_bucket`,
                                     by ? `le, ${by}` : "le", more)})`;

const quantiles = (name, more) => [
    [quantile(0.5, name, "", more), "half"],
    [quantile(0.95, name, "", more), "95 %"],
    [quantile(0.99, name, "", more), "99 %"]
];

const share = (part, whole) => `${part} / ${whole}`;


/* kind, title, unit, width of 24, queries; a name alone begins a row */
const panels = [
    "At a glance",
    ["stat", "Workers that are healthy", "percentunit", 4,
     [[share(gauge("prompt_workers_healthy"), gauge("prompt_workers")), ""]]],
    ["stat", "Requests", "reqps", 4, [[rate("prompt_requests_total"), ""]]],
    ["stat", "Internal errors", "percentunit", 4,
     [[share(rate("prompt_requests_total", "",
                  ',code="INTERNAL_SERVER_ERROR"'),
             rate("prompt_requests_total")), ""]]],
    ["stat", "99 % of requests within", "s", 4,
     [[quantile(0.99, "prompt_request_seconds"), ""]]],
    ["stat", "Cost, last hour", "currencyUSD", 4,
     [[`sum (increase(prompt_cost_usd_total{${on}}[1h]))`, ""]]],
    ["stat", "Cost, last day", "currencyUSD", 4,
     [[`sum (increase(prompt_cost_usd_total{${on}}[1d]))`, ""]]],

    "Requests",
    ["timeseries", "Requests by error code", "reqps", 8,
     [[rate("prompt_requests_total", "code"), "{{code}}"]]],
    ["timeseries", "Requests by protocol", "reqps", 8,
     [[rate("prompt_requests_total", "protocol"), "{{protocol}}"]]],
    ["timeseries", "Duration of requests", "s", 8,
     quantiles("prompt_request_seconds")],
    ["timeseries", "95 % within, by operation", "s", 8,
     [[quantile(0.95, "prompt_operation_seconds", "operation"),
       "{{operation}}"]]],
    ["timeseries", "Root fields", "ops", 8,
     [[rate("prompt_operations_total", "operation"), "{{operation}}"]]],
    ["timeseries", "API keys by where they were found", "ops", 8,
     [[rate("prompt_key_lookups_total", "source"), "{{source}}"]]],
    ["timeseries", "Idempotency-Key", "ops", 8,
     [[rate("prompt_idempotency_requests_total", "result"), "{{result}}"]]],

    "Executions",
    ["timeseries", "Executions by status", "ops", 8,
     [[rate("prompt_model_executions_total", "status"), "{{status}}"]]],
    ["timeseries", "Duration of calls", "s", 8,
     quantiles("prompt_provider_seconds")],
    ["timeseries", "95 % within, by model", "s", 8,
     [[quantile(0.95, "prompt_model_seconds", "provider, model"),
       "{{provider}} {{model}}"]]],
    ["timeseries", "Attempts by model", "ops", 8,
     [[rate("prompt_model_attempts_total", "provider, model"),
       "{{provider}} {{model}}"]]],
    ["timeseries", "Attempts that failed", "percentunit", 8,
     [[share(rate("prompt_model_failures_total", "provider, model"),
             rate("prompt_model_attempts_total", "provider, model")),
       "{{provider}} {{model}}"]]],
    ["timeseries", "Streams that are open", "short", 8,
     [[gauge("prompt_streams_open"), "open"]]],
    ["timeseries", "Cost of an hour, by model", "currencyUSD", 8,
     [[`sum by (provider, model) (increase(prompt_cost_usd_total{${on}}[1h]))`,
       "{{provider}} {{model}}"]]],
    ["timeseries", "Tokens by model", "short", 8,
     [[rate("prompt_model_tokens_total", "model, direction"),
       "{{model}} {{direction}}"]]],
    ["timeseries", "Results that wait for PostgreSQL, or were lost", "short",
     8,
     [[gauge("prompt_results_waiting"), "waiting"],
      [rate("prompt_results_lost_total"), "lost a second"]]],

    "PostgreSQL and Redis",
    ["timeseries", "Connections to PostgreSQL", "short", 8,
     [[gauge("prompt_postgres_pool_connections", "state"), "{{state}}"]]],
    ["timeseries", "Waiting for a connection, by class", "short", 8,
     [[gauge("prompt_postgres_queue_length", "class"), "{{class}}"],
      [gauge("prompt_postgres_pool_operations"), "sent"]]],
    ["timeseries", "Time in the queue", "s", 8,
     quantiles("prompt_postgres_wait_seconds")],
    ["timeseries", "Duration of pipelines", "s", 8,
     quantiles("prompt_postgres_operation_seconds")],
    ["timeseries", "Pipelines and errors", "ops", 8,
     [[rate("prompt_postgres_operations_total"), "pipelines"],
      [rate("prompt_postgres_errors_total", "reason"), "{{reason}}"],
      [rate("prompt_postgres_retries_total"), "sent again"]]],
    ["timeseries", "Redis", "ops", 8,
     [[rate("prompt_redis_commands_total"), "commands"],
      [rate("prompt_redis_errors_total", "reason"), "{{reason}}"]]],

    "Workers",
    ["timeseries", "Workers", "short", 8,
     [[gauge("prompt_workers"), "all"],
      [gauge("prompt_workers_healthy"), "healthy"],
      [gauge("prompt_workers_redis_connected"), "connected to Redis"]]],
    ["timeseries", "Plans: found in the cache", "percentunit", 8,
     [[share(rate("prompt_documents_total", "", ',cache="hit"'),
             rate("prompt_documents_total")), "found"]]],
    ["timeseries", "Plans: memory", "bytes", 8,
     [[gauge("prompt_plan_cache_bytes"), "all workers"]]],
    ["timeseries", "Plans: documents, and those that went for others",
     "short", 8,
     [[gauge("prompt_plan_cache_entries"), "documents"],
      [rate("prompt_plan_cache_evictions_total"), "gone a second"]]],
    ["timeseries", "Sign-ins", "ops", 8,
     [[rate("prompt_sign_ins_total", "result"), "{{result}}"]]],
    ["timeseries", "Since a sweep last succeeded", "s", 8,
     [['time() - max by (sweep) '
       + `(prompt_sweep_last_success_timestamp_seconds{${on}} > 0)`,
       "{{sweep}}"]]]
];


const height = { row: 1, stat: 4, timeseries: 8 };

const options = {
    stat: {
        colorMode: "value", graphMode: "area", justifyMode: "auto",
        orientation: "auto", textMode: "auto",
        reduceOptions: { calcs: ["lastNotNull"], fields: "", values: false }
    },
    timeseries: {
        legend: { calcs: [], displayMode: "list", placement: "bottom",
                  showLegend: true },
        tooltip: { mode: "multi", sort: "desc" }
    }
};

function target([expr, legend], n) {
    return { datasource: source, editorMode: "code", expr,
             legendFormat: legend || "__auto", range: true,
             refId: String.fromCharCode(65 + n) };
}

/* panels side by side, as long as there is room */
function lay() {
    const out = [];
    let x = 0;
    let y = 0;
    let deep = 0;

    for (const panel of panels) {
        const row = typeof panel === "string";
        const [type, title, unit, w, queries] =
            row ? ["row", panel, null, 24, []] : panel;

        if (x + w > 24) {
            x = 0;
            y += deep;
            deep = 0;
        }

        const h = height[type];
        const id = out.length + 1;
        const gridPos = { h, w, x, y };

        x += w;
        deep = Math.max(deep, h);

        if (row) {
            out.push({ id, type, title, gridPos, collapsed: false,
                       panels: [] });
            continue;
        }

        out.push({
            id, type, title, gridPos, datasource: source,
            fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
            options: options[type],
            targets: queries.map(target)
        });
    }

    return out;
}

const variable = (name, label, query, multi) => ({
    name, label, type: "query", datasource: source,
    query: { query, refId: "StandardVariableQuery" }, refresh: 2, sort: 1,
    multi, includeAll: multi, hide: 0, skipUrlSync: false, regex: "",
    options: [], ...(multi && { current: { text: ["All"], value: ["$__all"] } })
});

const dashboard = {
    uid: "prompt",
    title: "Prompts",
    description: "What ngx_http_prompt_module exports by prompt_metrics.",
    tags: ["nginx", "prompt"],
    schemaVersion: 38,
    version: 1,
    editable: true,
    graphTooltip: 1,
    fiscalYearStartMonth: 0,
    liveNow: false,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timepicker: {},
    timezone: "",
    weekStart: "",
    links: [],
    annotations: { list: [] },
    templating: {
        list: [
            { name: "datasource", label: "Data source", type: "datasource",
              query: "prometheus", refresh: 1, regex: "", multi: false,
              includeAll: false, hide: 0, skipUrlSync: false, options: [] },
            variable("job", "Job", "label_values(prompt_workers, job)", false),
            variable("instance", "Host",
                     'label_values(prompt_workers{job="$job"}, instance)',
                     true)
        ]
    },
    panels: lay()
};

const text = `${JSON.stringify(dashboard, null, 2)}\n`;

if (process.argv[2]) {
    writeFileSync(process.argv[2], text);
} else {
    process.stdout.write(text);
}
