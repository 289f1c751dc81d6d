/*
 * promptctl label: the labels of a prompt's versions.
 */

#include <stdio.h>

#include "ctl/api.h"
#include "ctl/output.h"
#include "prompt/name.h"


#define CTL_LABEL_SELECTION                                                  \
    "{ label version split { version permille } guard { maxFailurePermille"  \
    " maxLatencyRatio maxCostRatio minExecutions } setBy { email } setAt }"


static json_t *ctl_label_split(const ctl_t *ctl, long *version);
static json_t *ctl_label_call(ctl_api_t *api, const json_t *prompt,
    const char *label, long version, json_t *split);
static json_t *ctl_label_look(const json_t *prompt, const char *label);
static void ctl_label_list(const ctl_t *ctl, const json_t *prompt);
static json_t *ctl_label_find(const ctl_t *ctl, const json_t *prompt,
    const char *label);
static void ctl_label_print(const ctl_t *ctl, json_t *label);


int
ctl_labels(ctl_t *ctl)
{
    long         version;
    json_t      *prompt, *split;
    ctl_api_t    api;
    const char  *label;

    label = ctl->narguments > 1 ? ctl->arguments[1] : NULL;

    if (ctl_given(ctl, "remove") != NULL && ctl->narguments != 2) {
        ctl_wrong(ctl, "--remove goes with a LABEL, and no VERSION");
    }

    split = ctl_label_split(ctl, &version);

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
        ctl_label_print(ctl, ctl_label_call(&api, prompt, label, version,
                                            split));
    }

    json_decref(prompt);
    ctl_api_close(&api);

    return CTL_OK;
}


/*
 * The versions behind the label with their shares, all of it where none is
 * said, and the one that has most; NULL and 0: there is none.
 */
static json_t *
ctl_label_split(const ctl_t *ctl, long *version)
{
    long         number, permille, most;
    size_t       i, len;
    json_t      *split;
    const char  *text;

    *version = 0;
    most = -1;
    split = ctl->narguments > 2 ? ctl_json(json_array()) : NULL;

    for (i = 2; i < ctl->narguments; i++) {
        text = ctl->arguments[i];
        len = strcspn(text, "=");

        if (text[len] == '\0' && ctl->narguments > 3) {
            ctl_wrong(ctl, "of several versions each is VERSION=PERMILLE");
        }

        number = ctl_number(ctl, "VERSION",
                            ctl_copy(ctl, prompt_str_of(text, len)).data,
                            INT32_MAX, 0);
        permille = strcmp(text + len, "=0") == 0
                   ? 0 : ctl_number(ctl, "PERMILLE", text[len] == '='
                                                     ? text + len + 1 : NULL,
                                    1000, 1000);

        ctl_json_append(split, json_pack("{s:I, s:I}",
                                         "version", (json_int_t) number,
                                         "permille", (json_int_t) permille));
        if (permille > most) {
            most = permille;
            *version = number;
        }
    }

    return split;
}


/*
 * Sets it to the version, or the split, with the guard that it has; or removes
 * it where the version is 0; gives what is so.
 */
static json_t *
ctl_label_call(ctl_api_t *api, const json_t *prompt, const char *label,
    long version, json_t *split)
{
    json_t  *variables, *answer, *done, *guard;

    variables = ctl_json(json_pack("{s:O, s:o}",
                             "id", json_object_get(prompt, "id"),
                             "label", ctl_json_text(prompt_str_from(label))));

    if (split != NULL) {
        ctl_json_set(variables, "version", json_integer(version));
        ctl_json_set(variables, "split", split);
        guard = json_object_get(ctl_label_look(prompt, label), "guard");

        if (json_is_object(guard) && json_array_size(split) > 1) {
            ctl_json_set(variables, "guard", json_incref(guard));
        }
    }

    answer = ctl_api_call(api, version != 0
                 ? "mutation ($id: ID!, $label: String!, $version: Int!,"
                   " $split: [LabelSplitInput!], $guard: LabelGuardInput)"
                   " { done: setPromptLabel(promptId: $id, label: $label,"
                   " version: $version, split: $split, guard: $guard) "
                   CTL_LABEL_SELECTION " }"
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

        if (!ctl->json) {
            ctl_json_set(label, "version",
                         ctl_json_text(ctl_label_shares(ctl, label)));
        }

        ctl_list_add(&list, label);
    }

    ctl_list_print(&list);
}


/* "latest" is none that was set: there is its version only */
static json_t *
ctl_label_find(const ctl_t *ctl, const json_t *prompt, const char *label)
{
    json_t  *set, *version;

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

    set = ctl_label_look(prompt, label);

    if (set == NULL) {
        ctl_fail("label \"%s\" of the prompt \"%s\" is not set", label,
                 ctl->arguments[0]);
    }

    return json_incref(set);
}


/* NULL: it is not set */
static json_t *
ctl_label_look(const json_t *prompt, const char *label)
{
    size_t   i;
    json_t  *labels, *set;

    labels = ctl_list(prompt, "labels");

    json_array_foreach(labels, i, set) {
        if (prompt_str_eq(ctl_text(set, "label"), prompt_str_from(label))) {
            return set;
        }
    }

    return NULL;
}


prompt_str_t
ctl_label_shares(const ctl_t *ctl, const json_t *label)
{
    size_t        i;
    json_t       *split, *arm;
    prompt_str_t  text;

    text = prompt_str("");
    split = ctl_list(label, "split");

    json_array_foreach(split, i, arm) {
        text = ctl_printf(ctl, "%s%s%lld=%lld", text.data, i != 0 ? " " : "",
                          (long long) ctl_integer(arm, "version"),
                          (long long) ctl_integer(arm, "permille"));
    }

    return text.len != 0 ? text
                         : ctl_printf(ctl, "%lld", (long long)
                                      ctl_integer(label, "version"));
}


/*
 * For people only the version's number, or the shares: for scripts, too.  One
 * that was removed is true.
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
        (void) printf("%s\n", ctl_label_shares(ctl, label).data);
    }

    json_decref(label);
}
