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
#include "ctl/pages.h"
#include "ctl/property.h"
#include "ctl/step.h"


typedef struct {
    ctl_t         *ctl;
    ctl_api_t      api;
    ctl_steps_t    steps;
    const char    *dir;
    unsigned       faults;                   /* found while comparing */
    bool           labels;                   /* these, too */
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
static int ctl_import_labels(ctl_import_t *import,
    const ctl_folder_t *folder, const prompt_json_t *remote,
    ctl_step_t *create);
static int ctl_import_label(ctl_import_t *import, const ctl_folder_t *folder,
    const prompt_json_t *label, prompt_str_t id, ctl_step_t *create);
static int64_t ctl_import_label_of(const prompt_json_t *remote,
    prompt_str_t label);


int
ctl_import(ctl_t *ctl)
{
    int           rc;
    ctl_import_t  import;

    memset(&import, 0, sizeof(ctl_import_t));
    import.ctl = ctl;
    import.steps.ctl = ctl;
    import.steps.api = &import.api;
    import.steps.arena = ctl->arena;
    import.dir = ctl->arguments[0];
    import.labels = ctl_given(ctl, "labels") != NULL;

    rc = ctl_api_open(&import.api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    ctl_output_init(&import.steps.out);
    ctl_output_begin(&import.steps.out, '[');

    rc = ctl_import_plan(&import);

    if (rc == CTL_OK && import.faults != 0) {
        ctl_error("nothing was imported");
        rc = CTL_FAILED;
    }

    if (rc == CTL_OK) {
        rc = ctl_steps_take(&import.steps);
    }

    ctl_output_end(&import.steps.out, ']');

    /* what was done before a failure was done: it is shown */

    if (ctl->json && ctl_output_print(&import.steps.out) != CTL_OK) {
        rc = CTL_FAILED;

    } else if (!ctl->json) {
        prompt_buf_free(&import.steps.out.buf);
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
    ctl->arena = import->steps.arena;

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

    rc = ctl_folder_read(import->ctl, import->dir, name, import->labels,
                         &folder, &fault);

    import->faults += fault;

    if (rc != CTL_OK || folder.name == NULL) {
        return rc;
    }

    selection = ctl_selection(import->ctl, ctl_prompt_properties, CTL_FILED,
                              import->labels
                              ? "id labels { label version }"
                                " version { version }"
                              : "id");
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

    if (rc == CTL_OK && folder.labels != NULL) {
        rc = ctl_import_labels(import, &folder, remote, create);
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

    step = ctl_step_add(&import->steps, remote == NULL ? CTL_STEP_CREATE
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

        step = ctl_step_add(&import->steps, CTL_STEP_VERSION, folder->name, id,
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


/*
 * A step for each label that is not where the file says.  Labels that only the
 * service has stay.
 */

static int
ctl_import_labels(ctl_import_t *import, const ctl_folder_t *folder,
    const prompt_json_t *remote, ctl_step_t *create)
{
    int                   rc;
    int64_t               latest, number;
    const prompt_json_t  *label;

    number = 0;
    latest = ctl_integer(ctl_member(remote, "version"), "version");

    if (latest < (int64_t) folder->versions->count) {
        latest = (int64_t) folder->versions->count;
    }

    for (label = folder->labels->first; label != NULL; label = label->next) {
        if (!prompt_json_integer(label, &number) || number > latest) {
            ctl_error("%s: the label %.*s names version %lld, which is "
                      "not there", folder->path, prompt_str_arg(label->name),
                      (long long) number);
            import->faults++;
            continue;
        }

        if (number == ctl_import_label_of(remote, label->name)) {
            continue;
        }

        rc = ctl_import_label(import, folder, label, ctl_text(remote, "id"),
                              create);
        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


static int
ctl_import_label(ctl_import_t *import, const ctl_folder_t *folder,
    const prompt_json_t *label, prompt_str_t id, ctl_step_t *create)
{
    ctl_step_t     *step;
    prompt_json_t  *input;

    input = ctl_object(import->ctl);

    if (!ctl_set_text(import->ctl, input, "label", label->name)
        || !ctl_set(import->ctl, input, "version", label))
    {
        return ctl_no_memory();
    }

    step = ctl_step_add(&import->steps, CTL_STEP_LABEL, folder->name, id,
                        input);
    if (step == NULL) {
        return ctl_no_memory();
    }

    step->number = ctl_integer(step->input, "version");
    step->create = create;

    return CTL_OK;
}


/* the version that a label names in the service, or 0 */

static int64_t
ctl_import_label_of(const prompt_json_t *remote, prompt_str_t label)
{
    const prompt_json_t  *labels, *set;

    labels = ctl_member(remote, "labels");

    for (set = labels != NULL ? labels->first : NULL;
         set != NULL;
         set = set->next)
    {
        if (prompt_str_eq(ctl_text(set, "label"), label)) {
            return ctl_integer(set, "version");
        }
    }

    return 0;
}
