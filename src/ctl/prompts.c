/*
 * promptctl prompts, run and render: what a user of the service does.
 */

#include <stdio.h>

#include "ctl/files.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"
#include "ctl/stream.h"


static void ctl_prompts_add(void *list, const json_t *prompt);
static json_t *ctl_run_input(const ctl_t *ctl);
static void ctl_run_set(const ctl_t *ctl, json_t *input, const char *pair);
static void ctl_run_version(const ctl_t *ctl, json_t *variables);
static json_t *ctl_run_call(ctl_api_t *api, const json_t *variables);
static void ctl_run_print(const json_t *result, bool streamed);
static void ctl_print_calls(const json_t *calls);
static void ctl_render_print(const json_t *message);


/* versions are numbered without gaps: the last number says how many */
static const ctl_column_t  ctl_prompts_columns[] = {
    { "ID", "id", NULL, NULL },
    { "NAME", "name", NULL, NULL },
    { "CATEGORY", "category", NULL, NULL },
    { "PUBLIC", "isPublic", NULL, "no" },
    { "VERSIONS", "versions", "version", "0" },
    { "UPDATED", "updatedAt", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};


int
ctl_prompts(ctl_t *ctl)
{
    ctl_api_t   api;
    ctl_list_t  list;

    ctl_api_open(&api, ctl);
    ctl_list_begin(&list, ctl, ctl_prompts_columns);

    ctl_prompts_each(&api, ctl_selection(ctl, ctl_prompt_properties, 0,
                                         "versions(last: 1) { version }").data,
                     ctl_prompts_add, &list);

    ctl_list_print(&list);
    ctl_api_close(&api);

    return CTL_OK;
}


static void
ctl_prompts_add(void *list, const json_t *prompt)
{
    ctl_list_add(list, prompt);
}


int
ctl_run(ctl_t *ctl)
{
    bool        stream;
    json_t     *prompt, *variables, *result;
    ctl_api_t   api;

    variables = ctl_json(json_pack("{s:o}", "input", ctl_run_input(ctl)));
    ctl_run_version(ctl, variables);

    ctl_api_open(&api, ctl);

    /* a stream cannot be done again from its beginning */

    stream = ctl_given(ctl, "stream") != NULL;

    if (!stream) {
        ctl_api_once(&api);

    } else if (ctl_given(ctl, "idempotency-key") != NULL) {
        ctl_wrong(ctl, "--stream has no --idempotency-key");
    }

    prompt = ctl_api_prompt(&api, ctl->arguments[0], "{ id }");
    ctl_json_set(variables, "id", json_incref(json_object_get(prompt, "id")));

    result = stream ? ctl_stream_run(&api, variables)
                    : ctl_run_call(&api, variables);

    if (ctl->json) {
        ctl_print_json(json_incref(result));
    } else {
        ctl_run_print(result, stream);
    }

    json_decref(prompt);
    json_decref(variables);
    json_decref(result);
    ctl_api_close(&api);

    return CTL_OK;
}


/* --input FILE first, then each -i */
static json_t *
ctl_run_input(const ctl_t *ctl)
{
    size_t       i;
    json_t      *input;
    const char  *file, *pair;

    file = ctl_given(ctl, "input");
    input = file != NULL ? ctl_file_json(file) : ctl_json(json_object());

    if (!json_is_object(input)) {
        ctl_fail("%s: not a JSON object", file);
    }

    i = 0;

    while ((pair = ctl_given_next(ctl, "set", &i)) != NULL) {
        ctl_run_set(ctl, input, pair);
    }

    return input;
}


/*
 * name=text, or name:=JSON; the same name again replaces the value, in its
 * place among its siblings.
 */
static void
ctl_run_set(const ctl_t *ctl, json_t *input, const char *pair)
{
    bool           json;
    json_t        *value;
    const char    *equals;
    json_error_t   error;
    prompt_str_t   name, text;

    equals = strchr(pair, '=');

    if (equals == NULL || equals == pair
        || (equals - pair == 1 && pair[0] == ':'))
    {
        ctl_wrong(ctl, "-i must be name=text or name:=JSON, not \"%s\"", pair);
    }

    json = equals[-1] == ':';
    name = ctl_copy(ctl, prompt_str_of(pair, (size_t) (equals - pair) - json));
    text = prompt_str_from(equals + 1);

    value = json ? ctl_json_read(text, &error) : ctl_json_text(text);

    if (value == NULL) {
        ctl_wrong(ctl, "the value of -i %s is not JSON: %s", name.data,
                  error.text);
    }

    ctl_json_set(input, name.data, value);
}


static void
ctl_run_version(const ctl_t *ctl, json_t *variables)
{
    const char  *label, *version;

    label = ctl_given(ctl, "label");
    version = ctl_given(ctl, "version");

    if (label != NULL && version != NULL) {
        ctl_wrong(ctl, "either --version or --label");
    }

    if (label != NULL) {
        ctl_json_set(variables, "label",
                     ctl_json_text(prompt_str_from(label)));
    }

    if (version != NULL) {
        ctl_json_set(variables, "version",
                     json_integer(ctl_number(ctl, "--version", version,
                                             INT32_MAX, 0)));
    }
}


static json_t *
ctl_run_call(ctl_api_t *api, const json_t *variables)
{
    json_t  *answer, *result;

    answer = ctl_api_call(api, "mutation ($id: ID!, $input: JSON!,"
                          " $version: Int, $label: String) {"
                          " executePrompt(promptId: $id, input: $input,"
                          " version: $version, label: $label) "
                          CTL_RESULT_SELECTION " }", variables);

    result = json_incref(json_object_get(answer, "executePrompt"));
    json_decref(answer);

    if (ctl_text(result, "output").data == NULL) {
        ctl_fail("the answer has no output");
    }

    return result;
}


/* The text where it was not printed yet, a line for each tool to be called. */
static void
ctl_run_print(const json_t *result, bool streamed)
{
    json_t        *calls;
    prompt_str_t   output;

    output = ctl_text(result, "output");
    calls = json_object_get(result, "toolCalls");

    if (!streamed) {
        ctl_print(output);

        if (output.len != 0 ? output.data[output.len - 1] != '\n'
                            : json_array_size(calls) == 0)
        {
            (void) fputc('\n', stdout);
        }
    }

    ctl_print_calls(calls);
}


static void
ctl_print_calls(const json_t *calls)
{
    size_t   i;
    json_t  *call;

    json_array_foreach(calls, i, call) {
        ctl_print(ctl_text(call, "name"));
        (void) fputc(' ', stdout);
        ctl_print(ctl_text(call, "arguments"));
        (void) fputc('\n', stdout);
    }
}


int
ctl_render(ctl_t *ctl)
{
    size_t      i;
    json_t     *variables, *answer, *rendered, *message;
    ctl_api_t   api;

    variables = ctl_json(json_pack("{s:o, s:o}", "input", ctl_run_input(ctl),
                                   "id", ctl_json_text(prompt_str_from(
                                             ctl->arguments[0]))));
    ctl_run_version(ctl, variables);

    ctl_api_open(&api, ctl);
    answer = ctl_api_call(&api, "query ($id: ID!, $input: JSON!,"
                          " $version: Int, $label: String) {"
                          " renderPrompt(promptId: $id, input: $input,"
                          " version: $version, label: $label) { version model"
                          " params messages { role content images toolCallId"
                          " toolCalls { id name arguments } } } }", variables);
    rendered = json_object_get(answer, "renderPrompt");

    if (ctl->json) {
        ctl_print_json(json_incref(rendered));

    } else {
        json_array_foreach(json_object_get(rendered, "messages"), i, message) {
            ctl_render_print(message);
        }
    }

    json_decref(variables);
    json_decref(answer);
    ctl_api_close(&api);

    return CTL_OK;
}


/* A line with the role of a message, then its text, pictures and calls. */
static void
ctl_render_print(const json_t *message)
{
    size_t   i;
    json_t  *image;

    ctl_print(ctl_text(message, "role"));
    (void) fputs(":\n", stdout);
    ctl_print(ctl_text(message, "content"));
    (void) fputc('\n', stdout);

    json_array_foreach(json_object_get(message, "images"), i, image) {
        ctl_print(prompt_str_from(json_string_value(image)));
        (void) fputc('\n', stdout);
    }

    ctl_print_calls(json_object_get(message, "toolCalls"));
}
