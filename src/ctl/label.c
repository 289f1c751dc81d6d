/*
 * promptctl label: the labels of a prompt's versions.
 */

#include <stdio.h>

#include "ctl/api.h"
#include "ctl/output.h"
#include "prompt/name.h"


#define CTL_LABEL_SELECTION  "{ label version setBy { email } setAt }"


static json_t *ctl_label_call(ctl_api_t *api, const json_t *prompt,
    const char *label, long version);
static void ctl_label_list(const ctl_t *ctl, const json_t *prompt);
static json_t *ctl_label_find(const ctl_t *ctl, const json_t *prompt,
    const char *label);
static void ctl_label_print(const ctl_t *ctl, json_t *label);


int
ctl_labels(ctl_t *ctl)
{
    long         version;
    json_t      *prompt;
    ctl_api_t    api;
    const char  *label, *text;

    label = ctl->narguments > 1 ? ctl->arguments[1] : NULL;
    text = ctl->narguments > 2 ? ctl->arguments[2] : NULL;

    if (ctl_given(ctl, "remove") != NULL && (label == NULL || text != NULL)) {
        ctl_wrong(ctl, "--remove goes with a LABEL, and no VERSION");
    }

    version = ctl_number(ctl, "VERSION", text, INT32_MAX, 0);

    ctl_api_open(&api, ctl);

    /* a change whose answer is lost is asked for again */

    ctl_api_once(&api);

    prompt = ctl_api_prompt(&api, ctl->arguments[0],
                            "{ id version { version }"
                            " labels " CTL_LABEL_SELECTION " }");

    if (label == NULL) {
        ctl_label_list(ctl, prompt);

    } else if (version == 0 && ctl_given(ctl, "remove") == NULL) {
        ctl_label_print(ctl, ctl_label_find(ctl, prompt, label));

    } else {
        ctl_label_print(ctl, ctl_label_call(&api, prompt, label, version));
    }

    json_decref(prompt);
    ctl_api_close(&api);

    return CTL_OK;
}


/* Sets it to the version, or removes it where that is 0; gives what is so. */
static json_t *
ctl_label_call(ctl_api_t *api, const json_t *prompt, const char *label,
    long version)
{
    json_t  *variables, *answer, *done;

    variables = ctl_json(json_pack("{s:O, s:o}",
                             "id", json_object_get(prompt, "id"),
                             "label", ctl_json_text(prompt_str_from(label))));

    if (version != 0) {
        ctl_json_set(variables, "version", json_integer(version));
    }

    answer = ctl_api_call(api, version != 0
                 ? "mutation ($id: ID!, $label: String!, $version: Int!)"
                   " { done: setPromptLabel(promptId: $id, label: $label,"
                   " version: $version) " CTL_LABEL_SELECTION " }"
                 : "mutation ($id: ID!, $label: String!)"
                   " { done: removePromptLabel(promptId: $id, label: $label) }",
                 variables);

    done = json_incref(json_object_get(answer, "done"));

    json_decref(variables);
    json_decref(answer);

    return done;
}


static void
ctl_label_list(const ctl_t *ctl, const json_t *prompt)
{
    size_t       i;
    json_t      *labels, *label;
    ctl_list_t   list;

    static const ctl_column_t  columns[] = {
        { "LABEL", "label", NULL, NULL },
        { "VERSION", "version", NULL, "0" },
        { "SET BY", "setBy", "email", NULL },
        { "SET AT", "setAt", NULL, NULL },
        { NULL, NULL, NULL, NULL }
    };

    labels = ctl_list(prompt, "labels");

    if (labels == NULL) {
        ctl_fail("the answer has no labels");
    }

    ctl_list_begin(&list, ctl, columns);

    json_array_foreach(labels, i, label) {
        ctl_list_add(&list, label);
    }

    ctl_list_print(&list);
}


/* "latest" is none that was set: there is its version only */
static json_t *
ctl_label_find(const ctl_t *ctl, const json_t *prompt, const char *label)
{
    size_t   i;
    json_t  *labels, *set, *version;

    if (prompt_label_is_latest(prompt_str_from(label))) {
        version = json_object_get(json_object_get(prompt, "version"),
                                  "version");
        if (version == NULL) {
            ctl_fail("the prompt \"%s\" has no versions yet",
                     ctl->arguments[0]);
        }

        return ctl_json(json_pack("{s:s, s:O}", "label", "latest", "version",
                                  version));
    }

    labels = ctl_list(prompt, "labels");

    json_array_foreach(labels, i, set) {
        if (prompt_str_eq(ctl_text(set, "label"), prompt_str_from(label))) {
            return json_incref(set);
        }
    }

    ctl_fail("label \"%s\" of the prompt \"%s\" is not set", label,
             ctl->arguments[0]);
}


/*
 * For people only the version's number: for scripts, too.  One that was
 * removed is true.
 */
static void
ctl_label_print(const ctl_t *ctl, json_t *label)
{
    if (!json_is_object(label) && !json_is_true(label)) {
        ctl_fail("the answer has no label");
    }

    if (ctl->json) {
        ctl_print_json(label);
        return;
    }

    if (json_is_object(label)) {
        (void) printf("%lld\n", (long long) ctl_integer(label, "version"));
    }

    json_decref(label);
}
