/*
 * promptctl import: makes the service have what the files say.
 *
 * First everything is read and compared, then the steps are taken, so that a
 * file that is wrong, or a version that was changed though versions never
 * change, stops it before anything was done.  Prompts that only the service
 * has stay.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctl/api.h"
#include "ctl/folder.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"


typedef enum {
    CTL_STEP_CREATE = 0,
    CTL_STEP_UPDATE,
    CTL_STEP_VERSION
} ctl_step_kind_t;


typedef struct ctl_step_s  ctl_step_t;

struct ctl_step_s {
    ctl_step_kind_t   kind;
    const char       *name;                  /* of the prompt */
    int64_t           number;                /* of the version */
    prompt_str_t      id;                    /* of the prompt, once known */
    prompt_json_t    *input;
    ctl_step_t       *create;                /* makes the prompt, or NULL */
    ctl_step_t       *next;
};


typedef struct {
    ctl_t            *ctl;
    ctl_api_t         api;
    prompt_arena_t   *arena;                 /* of the steps */
    const char       *dir;
    ctl_step_t       *first;
    ctl_step_t       *last;
    unsigned          faults;                /* found while comparing */
    ctl_output_t      out;                   /* of --json */
} ctl_import_t;


static int ctl_import_plan(ctl_import_t *import);
static int ctl_import_visible(const struct dirent *entry);
static int ctl_import_entry(ctl_import_t *import, const char *name);
static int ctl_import_prompt(ctl_import_t *import, const char *name);
static int ctl_import_metadata(ctl_import_t *import,
    const ctl_folder_t *folder, const prompt_json_t *remote,
    ctl_step_t **create);
static int ctl_import_versions(ctl_import_t *import,
    const ctl_folder_t *folder, const prompt_json_t *remote,
    ctl_step_t *create);
static bool ctl_import_same_version(ctl_t *ctl, const prompt_json_t *local,
    const prompt_json_t *remote);
static bool ctl_import_same(const prompt_json_t *a, const prompt_json_t *b);
static int ctl_import_compare(ctl_import_t *import,
    const ctl_folder_t *folder, ctl_versions_t *versions, bool remote,
    ctl_step_t *create);
static ctl_step_t *ctl_import_step(ctl_import_t *import,
    ctl_step_kind_t kind, const char *name, prompt_str_t id,
    const prompt_json_t *input);
static int ctl_import_take(ctl_import_t *import);
static int ctl_import_send(ctl_import_t *import, ctl_step_t *step);
static void ctl_import_print(ctl_import_t *import, const ctl_step_t *step,
    bool dry);


int
ctl_import(ctl_t *ctl)
{
    int           rc;
    ctl_import_t  import;

    memset(&import, 0, sizeof(ctl_import_t));
    import.ctl = ctl;
    import.arena = ctl->arena;
    import.dir = ctl->arguments[0];

    rc = ctl_api_open(&import.api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    ctl_output_init(&import.out);
    ctl_output_begin(&import.out, '[');

    rc = ctl_import_plan(&import);

    if (rc == CTL_OK && import.faults != 0) {
        ctl_error("nothing was imported");
        rc = CTL_FAILED;
    }

    if (rc == CTL_OK) {
        rc = ctl_import_take(&import);
    }

    ctl_output_end(&import.out, ']');

    /* what was done before a failure was done: it is shown */

    if (ctl->json && ctl_output_print(&import.out) != CTL_OK) {
        rc = CTL_FAILED;

    } else if (!ctl->json) {
        prompt_buf_free(&import.out.buf);
    }

    ctl_api_close(&import.api);

    return rc;
}


static int
ctl_import_plan(ctl_import_t *import)
{
    int              i, n, rc;
    struct dirent  **entries;

    n = scandir(import->dir, &entries, ctl_import_visible, alphasort);

    if (n == -1) {
        ctl_error("cannot read %s: %s", import->dir, strerror(errno));
        return CTL_FAILED;
    }

    rc = CTL_OK;

    for (i = 0; i < n; i++) {

        if (rc == CTL_OK) {
            rc = ctl_import_entry(import, entries[i]->d_name);
        }

        free(entries[i]);
    }

    free(entries);

    return rc;
}


/* hidden ones (.git, ., ..) are none of ours */

static int
ctl_import_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}


/* What was read and compared is gone afterwards; steps stay. */

static int
ctl_import_entry(ctl_import_t *import, const char *name)
{
    int     rc;
    ctl_t  *ctl;

    ctl = import->ctl;

    ctl->arena = prompt_arena_create(CTL_MEMORY);

    rc = ctl->arena != NULL ? ctl_import_prompt(import, name)
                            : ctl_no_memory();

    prompt_arena_destroy(ctl->arena);
    ctl->arena = import->arena;

    return rc;
}


static int
ctl_import_prompt(ctl_import_t *import, const char *name)
{
    int             rc;
    bool            fault;
    ctl_step_t     *create;
    ctl_folder_t    folder;
    prompt_str_t    selection;
    prompt_json_t  *remote;

    fault = false;

    rc = ctl_folder_read(import->ctl, import->dir, name, &folder, &fault);

    import->faults += fault;

    if (rc != CTL_OK || folder.name == NULL) {
        return rc;
    }

    selection = ctl_selection(import->ctl, ctl_prompt_properties, CTL_FILED,
                              "id");
    if (selection.data == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_api_prompt_by_name(&import->api, folder.name, selection.data,
                                &remote);
    if (rc != CTL_OK) {
        return rc;
    }

    create = NULL;

    rc = ctl_import_metadata(import, &folder, remote, &create);

    if (rc == CTL_OK) {
        rc = ctl_import_versions(import, &folder, remote, create);
    }

    return rc;
}


/* A step for the prompt itself, where it is new or differs. */

static int
ctl_import_metadata(ctl_import_t *import, const ctl_folder_t *folder,
    const prompt_json_t *remote, ctl_step_t **create)
{
    ctl_step_t            *step;
    prompt_json_t         *input;
    const prompt_json_t   *member;
    const ctl_property_t  *p;

    input = ctl_object(import->ctl);

    if (input == NULL
        || (remote == NULL
            && !ctl_set_text(import->ctl, input, "name",
                             prompt_str_from(folder->name))))
    {
        return ctl_no_memory();
    }

    for (p = ctl_property(ctl_prompt_properties, CTL_FILED);
         p != NULL;
         p = ctl_property(p + 1, CTL_FILED))
    {
        member = ctl_member(folder->metadata, p->name);

        /* the name is the folder's, by which the prompt was found */

        if (member == NULL || strcmp(p->name, "name") == 0
            || (remote != NULL
                && ctl_import_same(member, ctl_member(remote, p->name))))
        {
            continue;
        }

        if (!ctl_set(import->ctl, input, p->name, member)) {
            return ctl_no_memory();
        }
    }

    if (remote != NULL && input->count == 0) {
        return CTL_OK;
    }

    step = ctl_import_step(import, remote == NULL ? CTL_STEP_CREATE
                                                  : CTL_STEP_UPDATE,
                           folder->name, ctl_text(remote, "id"), input);
    if (step == NULL) {
        return ctl_no_memory();
    }

    if (remote == NULL) {
        *create = step;
    }

    return CTL_OK;
}


/* A step for each version that the service lacks; the others are the same. */

static int
ctl_import_versions(ctl_import_t *import, const ctl_folder_t *folder,
    const prompt_json_t *remote, ctl_step_t *create)
{
    int             rc;
    ctl_versions_t  versions;

    if (remote != NULL
        && !ctl_versions_begin(&versions, &import->api,
                               ctl_text(remote, "id"), prompt_str_absent))
    {
        return CTL_FAILED;
    }

    rc = ctl_import_compare(import, folder, &versions, remote != NULL,
                            create);

    if (remote != NULL) {
        ctl_versions_end(&versions);
    }

    return rc;
}


/* versions: those of the service, where it has the prompt (remote) */

static int
ctl_import_compare(ctl_import_t *import, const ctl_folder_t *folder,
    ctl_versions_t *versions, bool remote, ctl_step_t *create)
{
    int                   rc;
    int64_t               number;
    ctl_step_t           *step;
    prompt_str_t          id;
    const prompt_json_t  *input, *version;

    number = 0;
    version = NULL;
    id = remote ? prompt_str_of(versions->prompt, PROMPT_UUID_TEXT_LEN)
                : prompt_str_absent;

    for (input = folder->versions->first; input != NULL; input = input->next) {
        number++;

        if (remote) {
            rc = ctl_versions_next(versions, &version);

            if (rc != CTL_OK) {
                return rc;
            }
        }

        if (version != NULL) {

            if (!ctl_import_same_version(import->ctl, input, version)) {
                ctl_error("%s: version %lld differs from the one in the "
                          "service; versions never change, add a new one",
                          folder->path, (long long) number);
                import->faults++;
            }

            continue;
        }

        step = ctl_import_step(import, CTL_STEP_VERSION, folder->name, id,
                               input);
        if (step == NULL) {
            return ctl_no_memory();
        }

        step->number = number;
        step->create = create;
    }

    return CTL_OK;
}


static bool
ctl_import_same_version(ctl_t *ctl, const prompt_json_t *local,
    const prompt_json_t *remote)
{
    const ctl_property_t  *p;

    for (p = ctl_property(ctl_version_properties, CTL_FILED);
         p != NULL;
         p = ctl_property(p + 1, CTL_FILED))
    {
        if (!ctl_import_same(ctl_member(local, p->name),
                             ctl_property_filed(ctl, p,
                                                ctl_member(remote, p->name))))
        {
            return false;
        }
    }

    return true;
}


static bool
ctl_import_same(const prompt_json_t *a, const prompt_json_t *b)
{
    return a != NULL && b != NULL && prompt_json_equal(a, b);
}


static ctl_step_t *
ctl_import_step(ctl_import_t *import, ctl_step_kind_t kind, const char *name,
    prompt_str_t id, const prompt_json_t *input)
{
    ctl_step_t  *step;

    step = prompt_arena_zalloc(import->arena, sizeof(ctl_step_t));
    if (step == NULL) {
        return NULL;
    }

    step->kind = kind;
    step->name = prompt_arena_copy(import->arena, prompt_str_from(name)).data;
    step->input = prompt_json_copy(import->arena, input);
    step->id = prompt_str_absent;

    if (id.data != NULL) {
        step->id = prompt_arena_copy(import->arena, id);
    }

    if (step->name == NULL || step->input == NULL
        || (id.data != NULL && step->id.data == NULL))
    {
        return NULL;
    }

    if (import->last == NULL) {
        import->first = step;
    } else {
        import->last->next = step;
    }

    import->last = step;

    return step;
}


static int
ctl_import_take(ctl_import_t *import)
{
    int          rc;
    bool         dry;
    ctl_step_t  *step;

    dry = ctl_given(import->ctl, "dry-run") != NULL;

    for (step = import->first; step != NULL; step = step->next) {

        if (!dry) {
            rc = ctl_import_send(import, step);

            if (rc != CTL_OK) {
                return rc;
            }
        }

        ctl_import_print(import, step, dry);
    }

    if (import->first == NULL && !import->ctl->json) {
        (void) puts("nothing to do");
    }

    return CTL_OK;
}


static int
ctl_import_send(ctl_import_t *import, ctl_step_t *step)
{
    int                       rc;
    ctl_t                    *ctl;
    prompt_str_t              id;
    prompt_json_t            *variables, *data;
    static const char *const  documents[] = {
        "mutation ($input: CreatePromptInput!)"
        " { p: createPrompt(input: $input) { id } }",

        "mutation ($id: ID!, $input: UpdatePromptInput!)"
        " { p: updatePrompt(id: $id, input: $input) { id } }",

        "mutation ($input: CreatePromptVersionInput!)"
        " { p: createPromptVersion(input: $input) { version } }"
    };

    ctl = import->ctl;
    id = step->create != NULL ? step->create->id : step->id;
    variables = ctl_object(ctl);

    if (variables == NULL
        || (step->kind == CTL_STEP_UPDATE
            && !ctl_set_text(ctl, variables, "id", id))
        || (step->kind == CTL_STEP_VERSION
            && !ctl_set_text(ctl, step->input, "promptId", id)))
    {
        return ctl_no_memory();
    }

    prompt_json_set(variables, prompt_str("input"), step->input);

    rc = ctl_api_call(&import->api, documents[step->kind], variables, &data);
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


static void
ctl_import_print(ctl_import_t *import, const ctl_step_t *step, bool dry)
{
    ctl_output_t             *out;
    const char               *would;
    const prompt_json_t      *member;
    static const char *const  actions[] = {
        "createPrompt", "updatePrompt", "createPromptVersion"
    };

    out = &import->out;
    would = dry ? "would " : "";

    if (import->ctl->json) {
        ctl_output_begin(out, '{');
        ctl_output_name(out, "action");
        ctl_output_string(out, prompt_str_from(actions[step->kind]));
        ctl_output_name(out, "prompt");
        ctl_output_string(out, prompt_str_from(step->name));

        if (step->kind == CTL_STEP_VERSION) {
            ctl_output_name(out, "version");
            ctl_output_int(out, step->number);
        }

        ctl_output_end(out, '}');
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
    }
}
