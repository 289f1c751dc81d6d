/*
 * promptctl prompts and run: what a user of the service does.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/api.h"
#include "ctl/files.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"
#include "ctl/stream.h"


typedef struct {
    ctl_t         *ctl;
    ctl_table_t    table;
    ctl_output_t   out;
} ctl_prompts_t;


static int ctl_prompts_add(void *data, const prompt_json_t *prompt);
static int ctl_run_input(ctl_t *ctl, prompt_json_t **input);
static int ctl_run_set(ctl_t *ctl, prompt_json_t *input, const char *pair);
static int ctl_run_version(ctl_t *ctl, prompt_json_t *variables);
static int ctl_run_call(ctl_api_t *api, prompt_json_t *variables);
static int ctl_run_stream(ctl_api_t *api, prompt_json_t *variables);
static void ctl_run_print(prompt_str_t output, const prompt_json_t *calls);
static void ctl_run_tools(const prompt_json_t *calls);


int
ctl_prompts(ctl_t *ctl)
{
    int                       rc;
    ctl_api_t                 api;
    prompt_str_t              selection;
    ctl_prompts_t             prompts;
    static const char *const  titles[] = {
        "ID", "NAME", "CATEGORY", "PUBLIC", "VERSIONS", "UPDATED"
    };

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    prompts.ctl = ctl;
    selection = ctl_selection(ctl, ctl_prompt_properties, 0,
                              "versions(last: 1) { version }");

    ctl_table_init(&prompts.table, ctl->arena, 6, titles);
    ctl_output_init(&prompts.out);
    ctl_output_begin(&prompts.out, '[');

    rc = selection.data != NULL
         ? ctl_prompts_each(&api, selection.data, ctl_prompts_add, &prompts)
         : ctl_no_memory();

    ctl_output_end(&prompts.out, ']');

    if (rc == CTL_OK) {
        rc = ctl->json ? ctl_output_print(&prompts.out)
                       : ctl_table_print(&prompts.table);
    }

    prompt_buf_free(&prompts.out.buf);
    ctl_api_close(&api);

    return rc;
}


/* versions are numbered without gaps: the last number says how many */

static int
ctl_prompts_add(void *data, const prompt_json_t *prompt)
{
    prompt_str_t          cells[6];
    ctl_prompts_t        *prompts;
    const prompt_json_t  *versions, *is_public;

    prompts = data;

    if (prompts->ctl->json) {
        ctl_output_json(&prompts->out, prompt);
        return CTL_OK;
    }

    versions = ctl_member(prompt, "versions");
    is_public = ctl_member(prompt, "isPublic");

    cells[0] = ctl_text(prompt, "id");
    cells[1] = ctl_text(prompt, "name");
    cells[2] = ctl_text(prompt, "category");
    cells[3] = is_public != NULL && is_public->boolean ? prompt_str("yes")
                                                       : prompt_str("no");
    cells[4] = prompt_arena_printf(prompts->ctl->arena, "%lld", (long long)
                                   ctl_integer(versions != NULL
                                               ? versions->last : NULL,
                                               "version"));
    cells[5] = ctl_text(prompt, "updatedAt");

    ctl_table_line(&prompts->table, cells);

    return CTL_OK;
}


int
ctl_run(ctl_t *ctl)
{
    int             rc;
    ctl_api_t       api;
    prompt_json_t  *input, *prompt, *variables;

    rc = ctl_run_input(ctl, &input);
    if (rc != CTL_OK) {
        return rc;
    }

    variables = ctl_object(ctl);
    if (variables == NULL) {
        return ctl_no_memory();
    }

    prompt_json_set(variables, prompt_str("input"), input);

    rc = ctl_run_version(ctl, variables);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    /* a stream cannot be done again from its beginning */

    if (ctl_given(ctl, "stream") == NULL) {
        rc = ctl_api_once(&api);

    } else if (ctl_given(ctl, "idempotency-key") != NULL) {
        rc = ctl_wrong(ctl, "--stream has no --idempotency-key");
    }

    if (rc == CTL_OK) {
        rc = ctl_api_prompt(&api, ctl->arguments[0], "{ id }", &prompt);
    }

    if (rc == CTL_OK && prompt == NULL) {
        rc = ctl_api_no_prompt(ctl->arguments[0]);

    } else if (rc == CTL_OK) {
        rc = ctl_set_text(ctl, variables, "id", ctl_text(prompt, "id"))
             ? ctl_run_call(&api, variables) : ctl_no_memory();
    }

    ctl_api_close(&api);

    return rc;
}


/* --input FILE first, then each -i */

static int
ctl_run_input(ctl_t *ctl, prompt_json_t **input)
{
    int          rc;
    size_t       i;
    const char  *file, *pair;

    file = ctl_given(ctl, "input");

    if (file != NULL) {
        rc = ctl_file_json(ctl, file, input);

        if (rc != CTL_OK) {
            return rc;
        }

        if (*input == NULL || (*input)->type != PROMPT_JSON_OBJECT) {
            ctl_error("%s: %s", file, *input == NULL ? "no such file"
                                                     : "not a JSON object");
            return CTL_FAILED;
        }

    } else {
        *input = ctl_object(ctl);

        if (*input == NULL) {
            return ctl_no_memory();
        }
    }

    i = 0;

    while ((pair = ctl_given_next(ctl, "set", &i)) != NULL) {
        rc = ctl_run_set(ctl, *input, pair);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


/* name=text, or name:=JSON; the same name again replaces the value */

static int
ctl_run_set(ctl_t *ctl, prompt_json_t *input, const char *pair)
{
    bool                  json;
    prompt_str_t          name, text;
    const char           *equals;
    prompt_json_t        *value, *member;
    prompt_json_error_t   error;

    equals = strchr(pair, '=');

    if (equals == NULL || equals == pair
        || (equals - pair == 1 && pair[0] == ':'))
    {
        return ctl_wrong(ctl, "-i must be name=text or name:=JSON, not \"%s\"",
                         pair);
    }

    json = equals[-1] == ':';
    name = prompt_str_of(pair, (size_t) (equals - pair) - json);
    text = prompt_str_from(equals + 1);

    if (json) {
        value = prompt_json_read(ctl->arena, text, CTL_API_DEPTH, &error);

        if (value == NULL && error.status != PROMPT_JSON_NOMEM) {
            return ctl_wrong(ctl, "the value of -i %.*s is not JSON: %s",
                             prompt_str_arg(name), error.message);
        }

    } else {
        value = prompt_json_new_string(ctl->arena, text);
    }

    if (value == NULL) {
        return ctl_no_memory();
    }

    member = prompt_json_get(input, name);

    if (member == NULL) {
        prompt_json_set(input, name, value);
        return CTL_OK;
    }

    /* in its place among its siblings */

    value->name = member->name;
    value->next = member->next;
    *member = *value;

    return CTL_OK;
}


static int
ctl_run_version(ctl_t *ctl, prompt_json_t *variables)
{
    long            version;
    const char     *text;
    prompt_json_t  *number;

    text = ctl_given(ctl, "label");

    if (text != NULL) {
        if (ctl_given(ctl, "version") != NULL) {
            return ctl_wrong(ctl, "either --version or --label");
        }

        return ctl_set_text(ctl, variables, "label", prompt_str_from(text))
               ? CTL_OK : ctl_no_memory();
    }

    text = ctl_given(ctl, "version");
    if (text == NULL) {
        return CTL_OK;
    }

    if (!ctl_number(text, INT32_MAX, &version)) {
        return ctl_wrong(ctl, "--version must be a number from 1 on, not "
                         "\"%s\"",
                         text);
    }

    number = prompt_json_new_integer(ctl->arena, version);
    if (number == NULL) {
        return ctl_no_memory();
    }

    prompt_json_set(variables, prompt_str("version"), number);

    return CTL_OK;
}


static int
ctl_run_stream(ctl_api_t *api, prompt_json_t *variables)
{
    int             rc;
    ctl_output_t    out;
    prompt_json_t  *result;

    rc = ctl_stream_run(api, variables, &result);

    if (rc != CTL_OK) {
        return rc;
    }

    if (api->ctl->json) {
        ctl_output_init(&out);
        ctl_output_json(&out, result);
        return ctl_output_print(&out);
    }

    ctl_run_tools(ctl_member(result, "toolCalls"));

    return CTL_OK;
}


static int
ctl_run_call(ctl_api_t *api, prompt_json_t *variables)
{
    int                   rc;
    ctl_output_t          out;
    prompt_str_t          output;
    prompt_json_t        *data;
    const prompt_json_t  *result;

    if (ctl_given(api->ctl, "stream") != NULL) {
        return ctl_run_stream(api, variables);
    }

    rc = ctl_api_call(api, "mutation ($id: ID!, $input: JSON!, $version: Int,"
                      " $label: String) { executePrompt(promptId: $id,"
                      " input: $input, version: $version, label: $label)"
                      " { output latencyMs tokenIn tokenOut"
                      " costUsd executionId versionUsed model finishReason"
                      " toolCalls { id name arguments } } }", variables,
                      &data);
    if (rc != CTL_OK) {
        return rc;
    }

    result = ctl_member(data, "executePrompt");
    output = ctl_text(result, "output");

    if (output.data == NULL) {
        ctl_error("the answer has no output");
        return CTL_FAILED;
    }

    if (api->ctl->json) {
        ctl_output_init(&out);
        ctl_output_json(&out, result);
        return ctl_output_print(&out);
    }

    ctl_run_print(output, ctl_member(result, "toolCalls"));

    return CTL_OK;
}


/* the text, and a line for each tool that is to be called */

static void
ctl_run_print(prompt_str_t output, const prompt_json_t *calls)
{
    const prompt_json_t  *call;

    call = calls != NULL ? calls->first : NULL;

    ctl_print(output);

    if (output.len != 0 ? output.data[output.len - 1] != '\n'
                        : call == NULL)
    {
        (void) fputc('\n', stdout);
    }

    ctl_run_tools(calls);
}


static void
ctl_run_tools(const prompt_json_t *calls)
{
    const prompt_json_t  *call;

    for (call = calls != NULL ? calls->first : NULL;
         call != NULL;
         call = call->next)
    {
        ctl_print(ctl_text(call, "name"));
        (void) fputc(' ', stdout);
        ctl_print(ctl_text(call, "arguments"));
        (void) fputc('\n', stdout);
    }
}
