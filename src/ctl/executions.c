/*
 * promptctl executions: the log, for people or as JSON, page by page.
 */

#include "ctl/api.h"
#include "ctl/output.h"


#define CTL_LOG_PAGE   1000                  /* of one call */
#define CTL_LOG_FIRST  50                    /* in all */
#define CTL_LOG_MAX    1000000


static json_t *ctl_log_variables(const ctl_t *ctl);
static size_t ctl_log_page(ctl_api_t *api, json_t *variables, size_t first,
    ctl_list_t *list);


static const char  ctl_log_document[] =
    "query ($promptId: ID, $status: [String!], $since: DateTime, $first: Int,"
    " $after: ID) { executions(promptId: $promptId, status: $status,"
    " since: $since, first: $first, after: $after) { id createdAt finishedAt"
    " status version label model attempts latencyMs tokenIn tokenCached"
    " tokenCacheWrite tokenOut tokenReasoning costUsd finishReason traceId"
    " prompt { id name } } }";

static const ctl_column_t  ctl_log_columns[] = {
    { "ID", "id", NULL, NULL },
    { "CREATED", "createdAt", NULL, NULL },
    { "PROMPT", "prompt", "name", NULL },
    { "VERSION", "version", NULL, "0" },
    { "STATUS", "status", NULL, NULL },
    { "MODEL", "model", NULL, NULL },
    { "MS", "latencyMs", NULL, NULL },
    { "USD", "costUsd", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};


int
ctl_executions(ctl_t *ctl)
{
    size_t       n, first, left;
    json_t      *variables, *prompt;
    ctl_api_t    api;
    ctl_list_t   list;

    left = (size_t) ctl_number(ctl, "--first", ctl_given(ctl, "first"),
                               CTL_LOG_MAX, CTL_LOG_FIRST);
    variables = ctl_log_variables(ctl);

    ctl_api_open(&api, ctl);

    if (ctl->narguments != 0) {
        prompt = ctl_api_prompt(&api, ctl->arguments[0], "{ id }");
        ctl_json_set(variables, "promptId",
                     json_incref(json_object_get(prompt, "id")));
        json_decref(prompt);
    }

    ctl_list_begin(&list, ctl, ctl_log_columns);

    do {
        first = left < CTL_LOG_PAGE ? left : CTL_LOG_PAGE;
        n = ctl_log_page(&api, variables, first, &list);
        left -= n < left ? n : left;
    } while (n >= first && left != 0);

    ctl_list_print(&list);
    json_decref(variables);
    ctl_api_close(&api);

    return CTL_OK;
}


/* which states there are the service knows */
static json_t *
ctl_log_variables(const ctl_t *ctl)
{
    size_t       i;
    json_t      *variables, *list;
    int64_t      time;
    const char  *text;

    variables = ctl_json(json_object());
    list = ctl_json(json_array());
    i = 0;

    while ((text = ctl_given_next(ctl, "status", &i)) != NULL) {
        ctl_json_append(list, ctl_json_text(prompt_str_from(text)));
    }

    if (json_array_size(list) != 0) {
        ctl_json_set(variables, "status", json_incref(list));
    }

    json_decref(list);

    text = ctl_given(ctl, "since");

    if (text != NULL) {

        if (!ctl_moment(text, -1, &time)) {
            ctl_wrong(ctl, "--since must be a date (2027-01-31T00:00:00Z) "
                      "or a time before now (7d), not \"%s\"", text);
        }

        ctl_json_set(variables, "since", ctl_json_time(true, time));
    }

    return variables;
}


/* How many it has; the next one begins behind them. */
static size_t
ctl_log_page(ctl_api_t *api, json_t *variables, size_t first,
    ctl_list_t *list)
{
    size_t   i, n;
    json_t  *answer, *executions, *execution;

    ctl_json_set(variables, "first", json_integer((json_int_t) first));

    answer = ctl_api_call(api, ctl_log_document, variables);
    executions = ctl_list(answer, "executions");

    if (executions == NULL) {
        ctl_fail("the answer has no executions");
    }

    json_array_foreach(executions, i, execution) {
        ctl_list_add(list, execution);
    }

    n = json_array_size(executions);
    execution = json_array_get(executions, n - 1);

    ctl_json_set(variables, "after", ctl_json_text(ctl_text(execution, "id")));
    json_decref(answer);

    return n;
}
