/*
 * promptctl executions: the log, for people or as JSON, page by page.
 */

#include <stdio.h>

#include "ctl/api.h"
#include "ctl/output.h"


#define CTL_LOG_PAGE   1000                  /* of one call */
#define CTL_LOG_FIRST  50                    /* in all */
#define CTL_LOG_MAX    1000000


typedef struct {
    ctl_api_t       api;
    prompt_json_t  *variables;
    long            left;
    bool            ended;
    ctl_table_t     table;
    ctl_output_t    out;
} ctl_log_t;


static int ctl_log_filters(ctl_t *ctl, ctl_log_t *log);
static int ctl_log_statuses(ctl_t *ctl, prompt_json_t *variables);
static int ctl_log_since(ctl_t *ctl, prompt_json_t *variables);
static int ctl_log_prompt(ctl_t *ctl, ctl_log_t *log);
static int ctl_log_print(ctl_t *ctl, ctl_log_t *log);
static int ctl_log_page(ctl_t *ctl, ctl_log_t *log);
static void ctl_log_line(ctl_t *ctl, ctl_table_t *table,
    const prompt_json_t *execution);


static const char  ctl_log_document[] =
    "query ($promptId: ID, $status: [String!], $since: DateTime, $first: Int,"
    " $after: ID) { executions(promptId: $promptId, status: $status,"
    " since: $since, first: $first, after: $after) { id createdAt finishedAt"
    " status version label model attempts latencyMs tokenIn tokenOut costUsd"
    " finishReason traceId prompt { id name } } }";


int
ctl_executions(ctl_t *ctl)
{
    int        rc;
    ctl_log_t  log;

    memset(&log, 0, sizeof(ctl_log_t));

    rc = ctl_log_filters(ctl, &log);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_api_open(&log.api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    if (ctl->narguments != 0) {
        rc = ctl_log_prompt(ctl, &log);
    }

    if (rc == CTL_OK) {
        rc = ctl_log_print(ctl, &log);
    }

    ctl_api_close(&log.api);

    return rc;
}


static int
ctl_log_filters(ctl_t *ctl, ctl_log_t *log)
{
    int          rc;
    const char  *text;

    log->left = CTL_LOG_FIRST;
    text = ctl_given(ctl, "first");

    if (text != NULL && !ctl_number(text, CTL_LOG_MAX, &log->left)) {
        return ctl_wrong(ctl, "--first must be a number from 1 to %d, not "
                         "\"%s\"", CTL_LOG_MAX, text);
    }

    log->variables = ctl_object(ctl);
    if (log->variables == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_log_statuses(ctl, log->variables);

    return rc == CTL_OK ? ctl_log_since(ctl, log->variables) : rc;
}


/* the service knows which there are */

static int
ctl_log_statuses(ctl_t *ctl, prompt_json_t *variables)
{
    size_t          i;
    const char     *status;
    prompt_json_t  *list, *text;

    i = 0;
    list = NULL;

    while ((status = ctl_given_next(ctl, "status", &i)) != NULL) {

        if (list == NULL) {
            list = prompt_json_new(ctl->arena, PROMPT_JSON_ARRAY);
        }

        text = prompt_json_new_string(ctl->arena, prompt_str_from(status));

        if (list == NULL || text == NULL) {
            return ctl_no_memory();
        }

        prompt_json_append(list, text);
    }

    if (list != NULL) {
        prompt_json_set(variables, prompt_str("status"), list);
    }

    return CTL_OK;
}


static int
ctl_log_since(ctl_t *ctl, prompt_json_t *variables)
{
    int64_t        time;
    const char    *since;
    prompt_str_t   text;

    since = ctl_given(ctl, "since");
    if (since == NULL) {
        return CTL_OK;
    }

    if (!ctl_moment(since, -1, &time)) {
        return ctl_wrong(ctl, "--since must be a date (2027-01-31T00:00:00Z) "
                         "or a time before now (7d), not \"%s\"", since);
    }

    text = ctl_time_text(ctl->arena, time);

    return text.data != NULL && ctl_set_text(ctl, variables, "since", text)
           ? CTL_OK : ctl_no_memory();
}


static int
ctl_log_prompt(ctl_t *ctl, ctl_log_t *log)
{
    int             rc;
    prompt_json_t  *prompt;

    rc = ctl_api_prompt(&log->api, ctl->arguments[0], "{ id }", &prompt);

    if (rc != CTL_OK) {
        return rc;
    }

    if (prompt == NULL) {
        return ctl_api_no_prompt(ctl->arguments[0]);
    }

    return ctl_set_text(ctl, log->variables, "promptId",
                        ctl_text(prompt, "id"))
           ? CTL_OK : ctl_no_memory();
}


static int
ctl_log_print(ctl_t *ctl, ctl_log_t *log)
{
    int                       rc;
    static const char *const  titles[] = {
        "ID", "CREATED", "PROMPT", "VERSION", "STATUS", "MODEL", "MS", "USD"
    };

    ctl_table_init(&log->table, ctl->arena, 8, titles);
    ctl_output_init(&log->out);
    ctl_output_begin(&log->out, '[');

    do {
        rc = ctl_log_page(ctl, log);
    } while (rc == CTL_OK && !log->ended);

    ctl_output_end(&log->out, ']');

    if (rc == CTL_OK) {
        rc = ctl->json ? ctl_output_print(&log->out)
                       : ctl_table_print(&log->table);
    }

    prompt_buf_free(&log->out.buf);

    return rc;
}


static int
ctl_log_page(ctl_t *ctl, ctl_log_t *log)
{
    int                   rc;
    long                  first;
    prompt_json_t        *data, *list, *number;
    const prompt_json_t  *execution;

    first = log->left < CTL_LOG_PAGE ? log->left : CTL_LOG_PAGE;
    number = prompt_json_new_integer(ctl->arena, first);

    if (number == NULL) {
        return ctl_no_memory();
    }

    prompt_json_set(log->variables, prompt_str("first"), number);

    rc = ctl_api_call(&log->api, ctl_log_document, log->variables, &data);
    if (rc != CTL_OK) {
        return rc;
    }

    list = ctl_member(data, "executions");

    if (list == NULL || list->type != PROMPT_JSON_ARRAY) {
        ctl_error("the answer has no executions");
        return CTL_FAILED;
    }

    for (execution = list->first;
         execution != NULL;
         execution = execution->next)
    {
        if (ctl->json) {
            ctl_output_json(&log->out, execution);
        } else {
            ctl_log_line(ctl, &log->table, execution);
        }
    }

    log->left -= (long) list->count;
    log->ended = (long) list->count < first || log->left <= 0;

    return list->count == 0
           || ctl_set_text(ctl, log->variables, "after",
                           ctl_text(list->last, "id"))
           ? CTL_OK : ctl_no_memory();
}


static void
ctl_log_line(ctl_t *ctl, ctl_table_t *table, const prompt_json_t *execution)
{
    prompt_str_t          cells[8];
    const prompt_json_t  *latency;

    latency = ctl_member(execution, "latencyMs");

    cells[0] = ctl_text(execution, "id");
    cells[1] = ctl_text(execution, "createdAt");
    cells[2] = ctl_text(ctl_member(execution, "prompt"), "name");
    cells[3] = prompt_arena_printf(ctl->arena, "%lld",
                                   (long long) ctl_integer(execution,
                                                           "version"));
    cells[4] = ctl_text(execution, "status");
    cells[5] = ctl_text(execution, "model");
    cells[6] = latency != NULL && latency->type == PROMPT_JSON_NUMBER
               ? prompt_arena_printf(ctl->arena, "%lld",
                                     (long long) ctl_integer(execution,
                                                             "latencyMs"))
               : prompt_str_absent;
    cells[7] = ctl_text(execution, "costUsd");

    ctl_table_line(table, cells);
}
