/*
 * promptctl label: the labels of a prompt's versions.
 */

#include <stdio.h>

#include "ctl/api.h"
#include "ctl/output.h"
#include "prompt/name.h"


#define CTL_LABEL_SELECTION  "{ label version setBy { email } setAt }"


static int ctl_label_call(ctl_api_t *api, const char *label, long version);
static int ctl_label_list(ctl_t *ctl, const prompt_json_t *prompt);
static int ctl_label_show(ctl_t *ctl, const prompt_json_t *prompt,
    const char *label);
static int ctl_label_latest(ctl_t *ctl, const prompt_json_t *prompt);
static int ctl_label_set(ctl_api_t *api, prompt_json_t *variables,
    long version);
static int ctl_label_remove(ctl_api_t *api, prompt_json_t *variables);
static int ctl_label_print(ctl_t *ctl, const prompt_json_t *label);


int
ctl_labels(ctl_t *ctl)
{
    int          rc;
    long         version;
    ctl_api_t    api;
    const char  *label, *text;

    version = 0;
    label = ctl->narguments > 1 ? ctl->arguments[1] : NULL;
    text = ctl->narguments > 2 ? ctl->arguments[2] : NULL;

    if (ctl_given(ctl, "remove") != NULL && (label == NULL || text != NULL)) {
        return ctl_wrong(ctl, "--remove goes with a LABEL, and no VERSION");
    }

    if (text != NULL && !ctl_number(text, INT32_MAX, &version)) {
        return ctl_wrong(ctl, "VERSION must be a number from 1 on, not \"%s\"",
                         text);
    }

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    /* a change whose answer is lost is asked for again */

    rc = ctl_api_once(&api);

    if (rc == CTL_OK) {
        rc = ctl_label_call(&api, label, version);
    }

    ctl_api_close(&api);

    return rc;
}


/* version: 0 where none is given */

static int
ctl_label_call(ctl_api_t *api, const char *label, long version)
{
    int             rc;
    ctl_t          *ctl;
    prompt_json_t  *prompt, *variables;

    ctl = api->ctl;

    rc = ctl_api_prompt(api, ctl->arguments[0],
                        "{ id version { version }"
                        " labels " CTL_LABEL_SELECTION " }", &prompt);
    if (rc != CTL_OK) {
        return rc;
    }

    if (prompt == NULL) {
        return ctl_api_no_prompt(ctl->arguments[0]);
    }

    if (label == NULL) {
        return ctl_label_list(ctl, prompt);
    }

    variables = ctl_object(ctl);

    if (!ctl_set_text(ctl, variables, "id", ctl_text(prompt, "id"))
        || !ctl_set_text(ctl, variables, "label", prompt_str_from(label)))
    {
        return ctl_no_memory();
    }

    if (ctl_given(ctl, "remove") != NULL) {
        return ctl_label_remove(api, variables);
    }

    return version != 0 ? ctl_label_set(api, variables, version)
                        : ctl_label_show(ctl, prompt, label);
}


static int
ctl_label_list(ctl_t *ctl, const prompt_json_t *prompt)
{
    ctl_table_t               table;
    ctl_output_t              out;
    prompt_str_t              cells[4];
    const prompt_json_t      *labels, *label;
    static const char *const  titles[] = {
        "LABEL", "VERSION", "SET BY", "SET AT"
    };

    labels = ctl_member(prompt, "labels");

    if (labels == NULL || labels->type != PROMPT_JSON_ARRAY) {
        ctl_error("the answer has no labels");
        return CTL_FAILED;
    }

    if (ctl->json) {
        ctl_output_init(&out);
        ctl_output_json(&out, labels);
        return ctl_output_print(&out);
    }

    ctl_table_init(&table, ctl->arena, 4, titles);

    for (label = labels->first; label != NULL; label = label->next) {
        cells[0] = ctl_text(label, "label");
        cells[1] = prompt_arena_printf(ctl->arena, "%lld", (long long)
                                       ctl_integer(label, "version"));
        cells[2] = ctl_text(ctl_member(label, "setBy"), "email");
        cells[3] = ctl_text(label, "setAt");

        ctl_table_line(&table, cells);
    }

    return ctl_table_print(&table);
}


static int
ctl_label_show(ctl_t *ctl, const prompt_json_t *prompt, const char *label)
{
    const prompt_json_t  *labels, *set;

    if (prompt_label_is_latest(prompt_str_from(label))) {
        return ctl_label_latest(ctl, prompt);
    }

    labels = ctl_member(prompt, "labels");

    for (set = labels != NULL ? labels->first : NULL;
         set != NULL;
         set = set->next)
    {
        if (prompt_str_eq(ctl_text(set, "label"), prompt_str_from(label))) {
            return ctl_label_print(ctl, set);
        }
    }

    ctl_error("label \"%s\" of the prompt \"%s\" is not set", label,
              ctl->arguments[0]);

    return CTL_FAILED;
}


/* none that was set: there is its version only */

static int
ctl_label_latest(ctl_t *ctl, const prompt_json_t *prompt)
{
    prompt_json_t        *latest;
    const prompt_json_t  *version;

    version = ctl_member(ctl_member(prompt, "version"), "version");

    if (version == NULL) {
        ctl_error("the prompt \"%s\" has no versions yet", ctl->arguments[0]);
        return CTL_FAILED;
    }

    latest = ctl_object(ctl);

    if (!ctl_set_text(ctl, latest, "label", prompt_str("latest"))
        || !ctl_set(ctl, latest, "version", version))
    {
        return ctl_no_memory();
    }

    return ctl_label_print(ctl, latest);
}


static int
ctl_label_set(ctl_api_t *api, prompt_json_t *variables, long version)
{
    int             rc;
    prompt_json_t  *value, *data;

    value = prompt_json_new_integer(api->ctl->arena, version);
    if (value == NULL) {
        return ctl_no_memory();
    }

    prompt_json_set(variables, prompt_str("version"), value);

    rc = ctl_api_call(api, "mutation ($id: ID!, $label: String!,"
                      " $version: Int!) { setPromptLabel(promptId: $id,"
                      " label: $label, version: $version) "
                      CTL_LABEL_SELECTION " }", variables, &data);

    return rc == CTL_OK
           ? ctl_label_print(api->ctl, ctl_member(data, "setPromptLabel"))
           : rc;
}


static int
ctl_label_remove(ctl_api_t *api, prompt_json_t *variables)
{
    int             rc;
    ctl_output_t    out;
    prompt_json_t  *data;

    rc = ctl_api_call(api, "mutation ($id: ID!, $label: String!)"
                      " { removePromptLabel(promptId: $id, label: $label) }",
                      variables, &data);

    if (rc != CTL_OK || !api->ctl->json) {
        return rc;
    }

    ctl_output_init(&out);
    ctl_output_bool(&out, true);

    return ctl_output_print(&out);
}


/* for people only the version's number: for scripts, too */

static int
ctl_label_print(ctl_t *ctl, const prompt_json_t *label)
{
    ctl_output_t  out;

    if (label == NULL || label->type != PROMPT_JSON_OBJECT) {
        ctl_error("the answer has no label");
        return CTL_FAILED;
    }

    if (ctl->json) {
        ctl_output_init(&out);
        ctl_output_json(&out, label);
        return ctl_output_print(&out);
    }

    (void) printf("%lld\n", (long long) ctl_integer(label, "version"));

    return CTL_OK;
}
