/*
 * promptctl eval: versions of a prompt run on a dataset, watched to the end of
 * the run, and judged by bounds.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/dataset.h"
#include "ctl/files.h"
#include "ctl/output.h"
#include "ctl/stream.h"


/* of what the service has: versions and repetitions of a run */
#define CTL_EVAL_VERSIONS     8
#define CTL_EVAL_REPETITIONS  100

#define CTL_EVAL_PAGE         100

/* streams that break off in a row, without a cell that is done */
#define CTL_EVAL_TRIES        10

#define CTL_EVAL_RUN                                                         \
    "{ id state done total costUsd arms { version model done failed costUsd" \
    " latencyP50Ms scores { name count mean min max } } }"


static const ctl_column_t  ctl_eval_columns[] = {
    { "VERSION", "version", NULL, NULL },
    { "MODEL", "model", NULL, NULL },
    { "DONE", "done", NULL, NULL },
    { "FAILED", "failed", NULL, NULL },
    { "COST", "costUsd", NULL, NULL },
    { "P50 MS", "latencyP50Ms", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};

static const ctl_column_t  ctl_eval_score_columns[] = {
    { "VERSION", "version", NULL, NULL },
    { "SCORE", "name", NULL, NULL },
    { "MEAN", "mean", NULL, NULL },
    { "MIN", "min", NULL, NULL },
    { "MAX", "max", NULL, NULL },
    { "COUNT", "count", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};


/* what was told of it last */
typedef struct {
    const ctl_t  *ctl;
    json_t       *run;
    long          cells;
} ctl_eval_told_t;


static json_t *ctl_eval_create(ctl_api_t *api, const char *name);
static json_t *ctl_eval_versions(const ctl_t *ctl);
static json_t *ctl_eval_watch(ctl_api_t *api, const char *id);
static void ctl_eval_event(const json_t *data, void *to);
static void ctl_eval_print(ctl_t *ctl, json_t *run);
static bool ctl_eval_bounds(const ctl_t *ctl, const json_t *run);
static bool ctl_eval_bound(const json_t *arm, prompt_str_t name, double least);
static void ctl_eval_junit(ctl_api_t *api, const char *id, const char *name,
    const char *path);
static void ctl_eval_case(FILE *out, const char *name, const json_t *cell);
static void ctl_eval_xml(FILE *out, prompt_str_t text);


int
ctl_eval(ctl_t *ctl)
{
    int          status;
    size_t       i;
    json_t      *run, *arm;
    ctl_api_t    api;
    const char  *id, *junit;

    (void) ctl_eval_bounds(ctl, NULL);
    ctl_api_open(&api, ctl);

    run = ctl_eval_create(&api, ctl->arguments[0]);
    id = ctl_copy(ctl, ctl_text(run, "id")).data;
    json_decref(run);

    run = ctl_eval_watch(&api, id);
    junit = ctl_given(ctl, "junit");

    if (junit != NULL) {
        ctl_eval_junit(&api, id, ctl->arguments[0], junit);
    }

    status = ctl_eval_bounds(ctl, run) ? CTL_OK : CTL_FAILED;

    json_array_foreach(ctl_list(run, "arms"), i, arm) {
        if (ctl_integer(arm, "failed") > 0) {
            ctl_error("version %d: %d of %d cells failed",
                      (int) ctl_integer(arm, "version"),
                      (int) ctl_integer(arm, "failed"),
                      (int) ctl_integer(arm, "done"));
            status = CTL_FAILED;
        }
    }

    if (!prompt_str_eq(ctl_text(run, "state"), prompt_str("DONE"))) {
        ctl_error("the run is not done, but %.*s: %d of %d cells",
                  prompt_str_arg(ctl_text(run, "state")),
                  (int) ctl_integer(run, "done"),
                  (int) ctl_integer(run, "total"));
        status = CTL_FAILED;
    }

    ctl_eval_print(ctl, run);
    ctl_api_close(&api);

    return status;
}


/* The run that is made. */
static json_t *
ctl_eval_create(ctl_api_t *api, const char *name)
{
    json_t        *variables, *prompt, *answer, *run;
    const ctl_t   *ctl;
    const char    *dataset, *cost, *id;

    ctl = api->ctl;
    cost = ctl_given(ctl, "max-cost");

    if (ctl_given(ctl, "dataset") == NULL || ctl_given(ctl, "version") == NULL)
    {
        ctl_wrong(ctl, "--dataset and --version must be given");
    }

    variables = ctl_json(json_pack("{s:o, s:I, s:o}", "v",
        ctl_eval_versions(ctl), "r",
        (json_int_t) ctl_number(ctl, "--repetitions",
                                ctl_given(ctl, "repetitions"),
                                CTL_EVAL_REPETITIONS, 1),
        "c", ctl_json_text(cost != NULL ? prompt_str_from(cost)
                                        : prompt_str_absent)));

    dataset = ctl_given(ctl, "dataset");
    id = ctl_dataset_find(api, dataset);

    if (id == NULL) {
        ctl_fail("there is no dataset \"%s\"", dataset);
    }

    prompt = ctl_api_prompt(api, name, "{ id }");
    ctl_json_set(variables, "p", ctl_json_text(ctl_text(prompt, "id")));
    ctl_json_set(variables, "d", ctl_json_text(prompt_str_from(id)));
    json_decref(prompt);

    answer = ctl_api_call(api, "mutation ($d: ID!, $p: ID!, $v: [Int!]!,"
                          " $r: Int, $c: String) { run: createRun("
                          "datasetId: $d, promptId: $p, versions: $v,"
                          " repetitions: $r, costCapUsd: $c) { id } }",
                          variables);
    json_decref(variables);
    run = json_object_get(answer, "run");

    if (ctl_text(run, "id").data == NULL) {
        ctl_fail("the answer has no run");
    }

    run = json_incref(run);
    json_decref(answer);

    return run;
}


/* numbers, with commas between them */
static json_t *
ctl_eval_versions(const ctl_t *ctl)
{
    json_t      *versions;
    const char  *text, *end;

    versions = ctl_json(json_array());
    text = ctl_given(ctl, "version");

    do {
        end = text + strcspn(text, ",");
        ctl_json_append(versions, json_integer(ctl_number(ctl, "--version",
            ctl_printf(ctl, "%.*s", (int) (end - text), text).data,
            INT32_MAX, 0)));
        text = end + 1;
    } while (*end != '\0');

    if (json_array_size(versions) > CTL_EVAL_VERSIONS) {
        ctl_wrong(ctl, "--version names at most %d versions",
                  CTL_EVAL_VERSIONS);
    }

    return versions;
}


/* A stream that broke off is begun again: the run goes on. */
static json_t *
ctl_eval_watch(ctl_api_t *api, const char *id)
{
    long              cells;
    unsigned          tries;
    json_t           *variables;
    prompt_str_t      state;
    ctl_eval_told_t   told;

    told.ctl = api->ctl;
    told.run = NULL;
    told.cells = 0;
    tries = 0;
    variables = ctl_json(json_pack("{s:s}", "id", id));

    for ( ;; ) {
        cells = told.cells;

        (void) ctl_stream(api, "subscription ($id: ID!) { watchRun(id: $id,"
                          " concurrency: 8) { cell { id } run " CTL_EVAL_RUN
                          " } }", variables, ctl_eval_event, &told);

        state = ctl_text(told.run, "state");

        if (prompt_str_eq(state, prompt_str("DONE"))
            || prompt_str_eq(state, prompt_str("CANCELLED"))
            || prompt_str_eq(state, prompt_str("OVER_COST")))
        {
            break;
        }

        tries = told.cells != cells ? 0 : tries + 1;

        if (tries == CTL_EVAL_TRIES) {
            ctl_fail("the run %s does not go on", id);
        }

        ctl_sleep(1000);
    }

    json_decref(variables);

    return told.run;
}


static void
ctl_eval_event(const json_t *data, void *to)
{
    json_t           *event, *run;
    ctl_eval_told_t  *told = to;

    event = json_object_get(data, "watchRun");
    run = json_object_get(event, "run");

    if (!json_is_object(run)) {
        ctl_fail("an event has no run");
    }

    json_decref(told->run);
    told->run = json_incref(run);
    told->cells += json_is_object(json_object_get(event, "cell"));
}


static void
ctl_eval_print(ctl_t *ctl, json_t *run)
{
    size_t       i, j, n;
    json_t      *arm, *score;
    ctl_list_t   list;

    if (ctl->json) {
        ctl_print_json(run);
        return;
    }

    ctl_list_begin(&list, ctl, ctl_eval_columns);

    json_array_foreach(ctl_list(run, "arms"), i, arm) {
        ctl_list_add(&list, arm);
    }

    ctl_list_print(&list);
    ctl_list_begin(&list, ctl, ctl_eval_score_columns);
    n = 0;

    json_array_foreach(ctl_list(run, "arms"), i, arm) {
        json_array_foreach(ctl_list(arm, "scores"), j, score) {
            ctl_json_set(score, "version",
                         json_incref(json_object_get(arm, "version")));
            ctl_list_add(&list, score);
            n++;
        }
    }

    if (n != 0) {
        ctl_list_print(&list);
    }

    json_decref(run);
}


/* Each holds for each version; of no run they only have to be sound. */
static bool
ctl_eval_bounds(const ctl_t *ctl, const json_t *run)
{
    bool         met;
    char        *end;
    size_t       i, j;
    double       least;
    json_t      *arm;
    const char  *text, *value;

    met = true;
    i = 0;

    while ((text = ctl_given_next(ctl, "fail-under", &i)) != NULL) {
        value = strrchr(text, '=');
        errno = 0;
        least = value != NULL ? strtod(value + 1, &end) : 0;

        if (value == NULL || end == value + 1 || *end != '\0' || errno != 0) {
            ctl_wrong(ctl, "--fail-under must be NAME=NUMBER, not \"%s\"",
                      text);
        }

        json_array_foreach(ctl_list(run, "arms"), j, arm) {
            met = ctl_eval_bound(arm,
                                 prompt_str_of(text, (size_t) (value - text)),
                                 least)
                  && met;
        }
    }

    return met;
}


/* a score that nothing has is below all */
static bool
ctl_eval_bound(const json_t *arm, prompt_str_t name, double least)
{
    size_t         i;
    double         mean;
    json_t        *score;
    prompt_str_t   text;

    json_array_foreach(ctl_list(arm, "scores"), i, score) {

        if (!prompt_str_eq(ctl_text(score, "name"), name)) {
            continue;
        }

        text = ctl_number_of(json_object_get(score, "mean"));
        mean = text.data != NULL ? strtod(text.data, NULL) : 0;

        if (mean >= least) {
            return true;
        }

        ctl_error("version %d: %.*s is %g, below %g",
                  (int) ctl_integer(arm, "version"), prompt_str_arg(name), mean,
                  least);
        return false;
    }

    ctl_error("version %d: nothing has the score %.*s",
              (int) ctl_integer(arm, "version"), prompt_str_arg(name));

    return false;
}


/* A test case a cell; the file has its name when all of it is there. */
static void
ctl_eval_junit(ctl_api_t *api, const char *id, const char *name,
    const char *path)
{
    FILE          *out;
    size_t         i, n;
    json_t        *variables, *answer, *list, *cell;
    const char    *part;
    prompt_str_t   last, next;

    part = ctl_printf(api->ctl, "%s.part", path).data;
    out = fopen(part, "we");

    if (out == NULL) {
        ctl_file_failed(path, "write");
    }

    (void) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuite name=\"", out);
    ctl_eval_xml(out, prompt_str_from(name));
    (void) fputs("\">\n", out);

    last = prompt_str_absent;

    do {
        variables = ctl_json(json_pack("{s:s, s:I, s:o}", "id", id, "first",
                                       (json_int_t) CTL_EVAL_PAGE, "after",
                                       ctl_json_text(last)));
        answer = ctl_api_call(api, "query ($id: ID!, $first: Int, $after: ID)"
                              " { run(id: $id) { cells(first: $first,"
                              " after: $after) { id version repetition error"
                              " item { id } execution { id status error"
                              " latencyMs } scores { name value source } } } }",
                              variables);
        json_decref(variables);
        list = ctl_list(json_object_get(answer, "run"), "cells");

        if (list == NULL) {
            ctl_fail("the answer has no cells");
        }

        json_array_foreach(list, i, cell) {
            next = ctl_copy(api->ctl, ctl_text(cell, "id"));

            /* they ascend, so that it ends, whatever an endpoint answers */

            if (next.data == NULL
                || (last.data != NULL && prompt_str_cmp(next, last) <= 0))
            {
                ctl_fail("the answer has cells out of order");
            }

            last = next;
            ctl_eval_case(out, name, cell);
        }

        n = json_array_size(list);
        json_decref(answer);

    } while (n >= CTL_EVAL_PAGE);

    (void) fputs("</testsuite>\n", out);

    if (ferror(out) || fclose(out) != 0 || rename(part, path) == -1) {
        ctl_file_failed(path, "write");
    }
}


/* What failed is an error; a check that scored 0 a failure. */
static void
ctl_eval_case(FILE *out, const char *name, const json_t *cell)
{
    size_t         i;
    json_t        *execution, *score;
    prompt_str_t   source, status, value, why;

    execution = json_object_get(cell, "execution");
    status = ctl_text(execution, "status");
    value = ctl_number_of(json_object_get(execution, "latencyMs"));

    (void) fputs("  <testcase classname=\"", out);
    ctl_eval_xml(out, prompt_str_from(name));
    (void) fprintf(out, ".v%d\" name=\"", (int) ctl_integer(cell, "version"));
    ctl_eval_xml(out, ctl_text(json_object_get(cell, "item"), "id"));
    (void) fprintf(out, " %d\" time=\"%.3f\">\n",
                   (int) ctl_integer(cell, "repetition"),
                   value.data != NULL ? strtod(value.data, NULL) / 1000 : 0.0);

    why = ctl_text(cell, "error");

    if (why.data == NULL && status.data != NULL
        && !prompt_str_eq(status, prompt_str("succeeded")))
    {
        why = ctl_text(execution, "error");
        why = why.data != NULL ? why : status;
    }

    if (why.data != NULL) {
        (void) fputs("    <error message=\"", out);
        ctl_eval_xml(out, why);
        (void) fputs("\"/>\n", out);

    } else if (!json_is_object(execution)) {
        (void) fputs("    <skipped/>\n", out);
    }

    json_array_foreach(ctl_list(cell, "scores"), i, score) {
        source = ctl_text(score, "source");
        value = ctl_number_of(json_object_get(score, "value"));

        if (value.data != NULL && strtod(value.data, NULL) == 0
            && (prompt_str_eq(source, prompt_str("CHECK"))
                || prompt_str_eq(source, prompt_str("JUDGE"))))
        {
            (void) fputs("    <failure message=\"", out);
            ctl_eval_xml(out, ctl_text(score, "name"));
            (void) fputs("\"/>\n", out);
        }
    }

    (void) fputs("  </testcase>\n", out);
}


/*
 * What XML cannot have becomes question marks: control characters, U+FFFE and
 * U+FFFF.
 */
static void
ctl_eval_xml(FILE *out, prompt_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {

        if (text.len - i >= 3
            && (memcmp(text.data + i, "\xef\xbf\xbe", 3) == 0
                || memcmp(text.data + i, "\xef\xbf\xbf", 3) == 0))
        {
            (void) fputc('?', out);
            i += 2;
            continue;
        }

        switch (text.data[i]) {

        case '<':
            (void) fputs("&lt;", out);
            break;

        case '&':
            (void) fputs("&amp;", out);
            break;

        case '"':
            (void) fputs("&quot;", out);
            break;

        default:
            (void) fputc((unsigned char) text.data[i] < ' ' ? '?'
                         : text.data[i], out);
        }
    }
}
