/*
 * The steps of an import.
 */

#include "ctl/step.h"

#include <stdio.h>


static int ctl_step_send(ctl_steps_t *steps, ctl_step_t *step);
static bool ctl_step_variables(ctl_t *ctl, const ctl_step_t *step,
    prompt_json_t *variables);
static void ctl_step_print(ctl_steps_t *steps, const ctl_step_t *step,
    bool dry);
static void ctl_step_print_json(ctl_output_t *out, const ctl_step_t *step);


ctl_step_t *
ctl_step_add(ctl_steps_t *steps, ctl_step_kind_t kind, const char *name,
    prompt_str_t id, const prompt_json_t *input)
{
    ctl_step_t  *step;

    step = prompt_arena_zalloc(steps->arena, sizeof(ctl_step_t));
    if (step == NULL) {
        return NULL;
    }

    step->kind = kind;
    step->name = prompt_arena_copy(steps->arena, prompt_str_from(name)).data;
    step->input = prompt_json_copy(steps->arena, input);
    step->id = prompt_str_absent;

    if (id.data != NULL) {
        step->id = prompt_arena_copy(steps->arena, id);
    }

    if (step->name == NULL || step->input == NULL
        || (id.data != NULL && step->id.data == NULL))
    {
        return NULL;
    }

    if (steps->last == NULL) {
        steps->first = step;
    } else {
        steps->last->next = step;
    }

    steps->last = step;

    return step;
}


int
ctl_steps_take(ctl_steps_t *steps)
{
    int          rc;
    bool         dry;
    ctl_step_t  *step;

    dry = ctl_given(steps->ctl, "dry-run") != NULL;

    for (step = steps->first; step != NULL; step = step->next) {

        if (!dry) {
            rc = ctl_step_send(steps, step);

            if (rc != CTL_OK) {
                return rc;
            }
        }

        ctl_step_print(steps, step, dry);
    }

    if (steps->first == NULL && !steps->ctl->json) {
        (void) puts("nothing to do");
    }

    return CTL_OK;
}


static int
ctl_step_send(ctl_steps_t *steps, ctl_step_t *step)
{
    int                       rc;
    prompt_json_t            *variables, *data;
    static const char *const  documents[] = {
        "mutation ($input: CreatePromptInput!)"
        " { p: createPrompt(input: $input) { id } }",

        "mutation ($id: ID!, $input: UpdatePromptInput!)"
        " { p: updatePrompt(id: $id, input: $input) { id } }",

        "mutation ($input: CreatePromptVersionInput!)"
        " { p: createPromptVersion(input: $input) { version } }",

        "mutation ($id: ID!, $label: String!, $version: Int!)"
        " { p: setPromptLabel(promptId: $id, label: $label, version: $version)"
        " { version } }"
    };

    variables = ctl_object(steps->ctl);

    if (variables == NULL
        || !ctl_step_variables(steps->ctl, step, variables))
    {
        return ctl_no_memory();
    }

    rc = ctl_api_call(steps->api, documents[step->kind], variables, &data);
    if (rc != CTL_OK) {
        ctl_error("%s was only partly imported; run import again to continue",
                  step->name);
        return rc;
    }

    data = ctl_member(data, "p");

    if (step->kind == CTL_STEP_CREATE) {
        step->id = ctl_text(data, "id");

        if (step->id.data == NULL) {
            ctl_error("%s: the answer has no id", step->name);
            return CTL_FAILED;
        }

    } else if (step->kind == CTL_STEP_VERSION
               && ctl_integer(data, "version") != step->number)
    {
        ctl_error("%s: somebody else added a version: v%lld is now version "
                  "%lld", step->name, (long long) step->number,
                  (long long) ctl_integer(data, "version"));
        return CTL_FAILED;
    }

    return CTL_OK;
}


static bool
ctl_step_variables(ctl_t *ctl, const ctl_step_t *step,
    prompt_json_t *variables)
{
    prompt_str_t  id;

    id = step->create != NULL ? step->create->id : step->id;

    switch (step->kind) {

    case CTL_STEP_CREATE:
        break;

    case CTL_STEP_UPDATE:

        if (!ctl_set_text(ctl, variables, "id", id)) {
            return false;
        }

        break;

    case CTL_STEP_VERSION:

        if (!ctl_set_text(ctl, step->input, "promptId", id)) {
            return false;
        }

        break;

    case CTL_STEP_LABEL:
        return ctl_set_text(ctl, variables, "id", id)
               && ctl_set(ctl, variables, "label",
                          ctl_member(step->input, "label"))
               && ctl_set(ctl, variables, "version",
                          ctl_member(step->input, "version"));
    }

    prompt_json_set(variables, prompt_str("input"), step->input);

    return true;
}


static void
ctl_step_print(ctl_steps_t *steps, const ctl_step_t *step, bool dry)
{
    const char           *would;
    const prompt_json_t  *member;

    would = dry ? "would " : "";

    if (steps->ctl->json) {
        ctl_step_print_json(&steps->out, step);
        return;
    }

    switch (step->kind) {

    case CTL_STEP_CREATE:
        (void) printf("%screate %s\n", would, step->name);
        break;

    case CTL_STEP_UPDATE:
        (void) printf("%supdate %s:", would, step->name);

        for (member = step->input->first;
             member != NULL;
             member = member->next)
        {
            (void) printf(" %.*s", prompt_str_arg(member->name));
        }

        (void) fputc('\n', stdout);
        break;

    case CTL_STEP_VERSION:
        (void) printf("%sadd version %lld of %s\n", would,
                      (long long) step->number, step->name);
        break;

    case CTL_STEP_LABEL:
        (void) printf("%sset label %.*s of %s to version %lld\n", would,
                      prompt_str_arg(ctl_text(step->input, "label")),
                      step->name, (long long) step->number);
        break;
    }
}


static void
ctl_step_print_json(ctl_output_t *out, const ctl_step_t *step)
{
    static const char *const  actions[] = {
        "createPrompt", "updatePrompt", "createPromptVersion",
        "setPromptLabel"
    };

    ctl_output_begin(out, '{');
    ctl_output_name(out, "action");
    ctl_output_string(out, prompt_str_from(actions[step->kind]));
    ctl_output_name(out, "prompt");
    ctl_output_string(out, prompt_str_from(step->name));

    if (step->kind == CTL_STEP_LABEL) {
        ctl_output_name(out, "label");
        ctl_output_string(out, ctl_text(step->input, "label"));
    }

    if (step->kind == CTL_STEP_VERSION || step->kind == CTL_STEP_LABEL) {
        ctl_output_name(out, "version");
        ctl_output_int(out, step->number);
    }

    ctl_output_end(out, '}');
}
