/*
 * promptctl prompts, show, run: what a user of the service does.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctl/api.h"
#include "ctl/files.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"


#define CTL_SHOW_LAST  10
#define CTL_SHOW_MAX   999


typedef struct {
    ctl_t         *ctl;
    ctl_table_t    table;
    ctl_output_t   out;
} ctl_prompts_t;


static int ctl_prompts_add(void *data, const prompt_json_t *prompt);
static int ctl_show_prompt(ctl_api_t *api, long last);
static int ctl_show_versions(ctl_api_t *api, const prompt_json_t *prompt,
    long last, ctl_output_t *out);
static void ctl_show_json_head(ctl_output_t *out,
    const prompt_json_t *prompt);
static void ctl_show_json_member(ctl_output_t *out,
    const prompt_json_t *prompt, const char *name);
static void ctl_show_head(const prompt_json_t *prompt, long last);
static void ctl_show_property(const ctl_property_t *p,
    const prompt_json_t *value);
static void ctl_show_version(const prompt_json_t *version);
static bool ctl_number(const char *text, long max, long *number);
static void ctl_show_line(const char *title, prompt_str_t text);
static void ctl_show_json(const char *title, const prompt_json_t *value);
static void ctl_print(prompt_str_t text);
static int ctl_run_input(ctl_t *ctl, prompt_json_t **input);
static int ctl_run_set(ctl_t *ctl, prompt_json_t *input, const char *pair);
static int ctl_run_version(ctl_t *ctl, prompt_json_t *variables);
static int ctl_run_call(ctl_api_t *api, prompt_json_t *variables);


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
ctl_show(ctl_t *ctl)
{
    int          rc;
    long         last;
    ctl_api_t    api;
    const char  *text;

    last = CTL_SHOW_LAST;
    text = ctl_given(ctl, "last");

    if (text != NULL && !ctl_number(text, CTL_SHOW_MAX, &last)) {
        return ctl_wrong(ctl, "--last must be a number from 1 to %d, not "
                         "\"%s\"",
                         CTL_SHOW_MAX, text);
    }

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_show_prompt(&api, last);

    ctl_api_close(&api);

    return rc;
}


static int
ctl_show_prompt(ctl_api_t *api, long last)
{
    int             rc;
    ctl_t          *ctl;
    ctl_output_t    out;
    prompt_str_t    selection;
    prompt_json_t  *prompt;

    ctl = api->ctl;

    /* with the version before those that are shown */

    selection = prompt_arena_printf(ctl->arena, "createdBy { id email name }"
                                    " versions(last: %ld) { id version }",
                                    last + 1);
    if (selection.data != NULL) {
        selection = ctl_selection(ctl, ctl_prompt_properties, 0,
                                  selection.data);
    }

    if (selection.data == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_api_prompt(api, ctl->arguments[0], selection.data, &prompt);

    if (rc != CTL_OK) {
        return rc;
    }

    if (prompt == NULL) {
        return ctl_api_no_prompt(ctl->arguments[0]);
    }

    if (!ctl->json) {
        ctl_show_head(prompt, last);
        return ctl_show_versions(api, prompt, last, NULL);
    }

    ctl_output_init(&out);
    ctl_show_json_head(&out, prompt);

    rc = ctl_show_versions(api, prompt, last, &out);

    ctl_output_end(&out, ']');
    ctl_output_end(&out, '}');

    if (rc == CTL_OK) {
        return ctl_output_print(&out);
    }

    prompt_buf_free(&out.buf);

    return rc;
}


/* the latest ones, their texts page by page; out: NULL for people */

static int
ctl_show_versions(ctl_api_t *api, const prompt_json_t *prompt, long last,
    ctl_output_t *out)
{
    int                   rc;
    prompt_str_t          after;
    ctl_versions_t        versions;
    const prompt_json_t  *list, *version;

    list = ctl_member(prompt, "versions");

    if (list == NULL || list->count == 0) {
        return CTL_OK;
    }

    after = (long) list->count > last ? ctl_text(list->first, "id")
                                      : prompt_str_absent;

    if (!ctl_versions_begin(&versions, api, ctl_text(prompt, "id"), after)) {
        return CTL_FAILED;
    }

    while ((rc = ctl_versions_next(&versions, &version)) == CTL_OK
           && version != NULL)
    {
        if (out != NULL) {
            ctl_output_json(out, version);
        } else {
            ctl_show_version(version);
        }
    }

    ctl_versions_end(&versions);

    return rc;
}


static void
ctl_show_json_head(ctl_output_t *out, const prompt_json_t *prompt)
{
    const ctl_property_t  *p;

    ctl_output_begin(out, '{');

    for (p = ctl_property(ctl_prompt_properties, 0);
         p != NULL;
         p = ctl_property(p + 1, 0))
    {
        ctl_show_json_member(out, prompt, p->name);
    }

    ctl_show_json_member(out, prompt, "createdBy");

    ctl_output_name(out, "versions");
    ctl_output_begin(out, '[');
}


static void
ctl_show_json_member(ctl_output_t *out, const prompt_json_t *prompt,
    const char *name)
{
    const prompt_json_t  *member;

    member = ctl_member(prompt, name);

    if (member != NULL) {
        ctl_output_name(out, name);
        ctl_output_json(out, member);
    }
}


/* The name comes first, what is long last. */

static void
ctl_show_head(const prompt_json_t *prompt, long last)
{
    prompt_str_t           description;
    const prompt_json_t   *versions;
    const ctl_property_t  *p;

    description = ctl_text(prompt, "description");

    ctl_show_line("name", ctl_text(prompt, "name"));

    for (p = ctl_property(ctl_prompt_properties, 0);
         p != NULL;
         p = ctl_property(p + 1, 0))
    {
        if (strcmp(p->name, "name") != 0
            && strcmp(p->name, "description") != 0)
        {
            ctl_show_property(p, ctl_member(prompt, p->name));
        }
    }

    ctl_show_line("created by",
                  ctl_text(ctl_member(prompt, "createdBy"), "email"));

    if (description.len != 0) {
        ctl_show_line("description", description);
    }

    versions = ctl_member(prompt, "versions");

    if (versions != NULL && (long) versions->count > last) {
        (void) printf("%-13s%lld, of which the latest %ld follow\n",
                      "versions",
                      (long long) ctl_integer(versions->last, "version"),
                      last);
    }
}


static void
ctl_show_property(const ctl_property_t *p, const prompt_json_t *value)
{
    if (p->title == NULL) {
        return;
    }

    switch (p->kind) {

    case CTL_TEXT:
        ctl_show_line(p->title, value != NULL ? value->text
                                              : prompt_str_absent);
        return;

    case CTL_BOOLEAN:
        ctl_show_line(p->title, value != NULL && value->boolean
                                ? prompt_str("yes") : prompt_str("no"));
        return;

    default:
        ctl_show_json(p->title, value);
    }
}


static void
ctl_show_version(const prompt_json_t *version)
{
    const ctl_property_t  *p;

    (void) printf("\nversion %lld  ",
                  (long long) ctl_integer(version, "version"));
    ctl_print(ctl_text(version, "createdAt"));
    (void) fputc('\n', stdout);

    for (p = ctl_property(ctl_version_properties, 0);
         p != NULL;
         p = ctl_property(p + 1, 0))
    {
        ctl_show_property(p, ctl_member(version, p->name));
    }

    (void) fputc('\n', stdout);
    ctl_print(ctl_text(version, "content"));
    (void) fputc('\n', stdout);
}


static void
ctl_show_line(const char *title, prompt_str_t text)
{
    (void) printf("%-13s", title);
    ctl_print(text);
    (void) fputc('\n', stdout);
}


static void
ctl_show_json(const char *title, const prompt_json_t *value)
{
    prompt_buf_t  buf;

    if (value == NULL || value->type == PROMPT_JSON_NULL) {
        return;
    }

    prompt_buf_init(&buf, CTL_OUTPUT_MAX);
    prompt_json_write(&buf, value);
    ctl_show_line(title, prompt_buf_view(&buf));
    prompt_buf_free(&buf);
}


/*
 * Text that others wrote: byte for byte into a file or pipe, but on a
 * terminal without the characters that control it.
 */
static void
ctl_print(prompt_str_t text)
{
    char          *copy;
    prompt_str_t   shown;

    if (text.len == 0) {
        return;
    }

    if (!isatty(STDOUT_FILENO)) {
        (void) fwrite(text.data, 1, text.len, stdout);
        return;
    }

    copy = malloc(text.len);
    if (copy == NULL) {
        (void) ctl_no_memory();
        return;
    }

    shown = ctl_shown(copy, text, "\n\t");
    (void) fwrite(shown.data, 1, shown.len, stdout);

    free(copy);
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

    rc = ctl_api_once(&api);

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


/* a number from 1 to max, in digits */

static bool
ctl_number(const char *text, long max, long *number)
{
    char  *end;

    if (text[0] < '0' || text[0] > '9') {
        return false;
    }

    *number = strtol(text, &end, 10);

    return *end == '\0' && *number >= 1 && *number <= max;
}


static int
ctl_run_version(ctl_t *ctl, prompt_json_t *variables)
{
    long            version;
    const char     *text;
    prompt_json_t  *number;

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
ctl_run_call(ctl_api_t *api, prompt_json_t *variables)
{
    int                   rc;
    ctl_output_t          out;
    prompt_str_t          output;
    prompt_json_t        *data;
    const prompt_json_t  *result;

    rc = ctl_api_call(api, "mutation ($id: ID!, $input: JSON!, $version: Int)"
                      " { executePrompt(promptId: $id, input: $input,"
                      " version: $version) { output latencyMs tokenIn tokenOut"
                      " costUsd executionId versionUsed } }", variables,
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

    ctl_print(output);

    if (output.len == 0 || output.data[output.len - 1] != '\n') {
        (void) fputc('\n', stdout);
    }

    return CTL_OK;
}
