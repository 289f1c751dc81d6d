/*
 * promptctl export: the caller's prompts as files.
 *
 * Files that have their content already are not touched, and none is ever
 * removed: what is in the folder beside what the service has is the user's.
 */

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "ctl/api.h"
#include "ctl/dir.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"
#include "prompt/text.h"


typedef struct {
    ctl_t         *ctl;
    ctl_api_t     *api;
    const char    *dir;
    ctl_output_t   out;                      /* of --json */
} ctl_export_t;


static int ctl_export_prompt(void *data, const prompt_json_t *prompt);
static int ctl_export_labels(ctl_t *ctl, const ctl_dir_t *dir,
    const prompt_json_t *labels, bool *changed);
static int ctl_export_versions(ctl_export_t *export, const ctl_dir_t *dir,
    prompt_str_t id, bool *changed, int64_t *count);
static int ctl_export_version(ctl_t *ctl, const ctl_dir_t *dir,
    const prompt_json_t *version, bool *changed);
static bool ctl_export_omits(const ctl_property_t *property,
    const prompt_json_t *value);
static void ctl_export_print(ctl_export_t *export, prompt_str_t name,
    bool changed, int64_t count);
static bool ctl_export_name_sound(prompt_str_t name);
static int ctl_export_folder(const char *path);


int
ctl_export(ctl_t *ctl)
{
    int           rc;
    ctl_api_t     api;
    ctl_export_t  export;
    prompt_str_t  selection;

    export.ctl = ctl;
    export.api = &api;
    export.dir = ctl->arguments[0];

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    ctl_output_init(&export.out);
    ctl_output_begin(&export.out, '[');

    selection = ctl_selection(ctl, ctl_prompt_properties, CTL_FILED,
                              ctl_given(ctl, "labels") != NULL
                              ? "id labels { label version }" : "id");

    rc = selection.data != NULL ? ctl_export_folder(export.dir)
                                : ctl_no_memory();

    if (rc == CTL_OK) {
        rc = ctl_prompts_each(&api, selection.data, ctl_export_prompt,
                              &export);
    }

    ctl_output_end(&export.out, ']');

    if (rc == CTL_OK && ctl->json) {
        rc = ctl_output_print(&export.out);

    } else {
        prompt_buf_free(&export.out.buf);
    }

    ctl_api_close(&api);

    return rc;
}


static int
ctl_export_prompt(void *data, const prompt_json_t *prompt)
{
    int                    rc;
    bool                   changed;
    ctl_t                 *ctl;
    int64_t                count;
    ctl_dir_t              dir;
    const char            *name;
    prompt_str_t           text;
    ctl_export_t          *export;
    prompt_json_t         *object;
    const ctl_property_t  *p;

    export = data;
    ctl = export->ctl;
    text = ctl_text(prompt, "name");

    if (!ctl_export_name_sound(text)) {
        ctl_error("the answer has a prompt that cannot be a file");
        return CTL_FAILED;
    }

    name = prompt_arena_copy(ctl->arena, text).data;
    object = ctl_object(ctl);

    if (name == NULL || object == NULL) {
        return ctl_no_memory();
    }

    for (p = ctl_property(ctl_prompt_properties, CTL_FILED);
         p != NULL;
         p = ctl_property(p + 1, CTL_FILED))
    {
        if (!ctl_set(ctl, object, p->name, ctl_member(prompt, p->name))) {
            return ctl_no_memory();
        }
    }

    rc = ctl_dir_make(ctl, export->dir, name, &dir);
    if (rc != CTL_OK) {
        return rc;
    }

    changed = false;
    count = 0;

    rc = ctl_dir_write_json(ctl, &dir, "prompt.json", object, &changed);

    if (rc == CTL_OK) {
        rc = ctl_export_versions(export, &dir, ctl_text(prompt, "id"),
                                 &changed, &count);
    }

    if (rc == CTL_OK && ctl_given(ctl, "labels") != NULL) {
        rc = ctl_export_labels(ctl, &dir, ctl_member(prompt, "labels"),
                               &changed);
    }

    ctl_dir_close(&dir);

    if (rc == CTL_OK) {
        ctl_export_print(export, text, changed, count);
    }

    return rc;
}


/* Also where there is none: the file may be of a time when there was. */

static int
ctl_export_labels(ctl_t *ctl, const ctl_dir_t *dir,
    const prompt_json_t *labels, bool *changed)
{
    prompt_str_t          name;
    prompt_json_t        *object;
    const prompt_json_t  *label;

    object = ctl_object(ctl);

    for (label = labels != NULL ? labels->first : NULL;
         label != NULL && object != NULL;
         label = label->next)
    {
        name = prompt_arena_copy(ctl->arena, ctl_text(label, "label"));

        if (name.data == NULL
            || !ctl_set(ctl, object, name.data, ctl_member(label, "version")))
        {
            return ctl_no_memory();
        }
    }

    return object != NULL
           ? ctl_dir_write_json(ctl, dir, "labels.json", object, changed)
           : ctl_no_memory();
}


/* What a version takes from the arena is gone before the next. */

static int
ctl_export_versions(ctl_export_t *export, const ctl_dir_t *dir,
    prompt_str_t id, bool *changed, int64_t *count)
{
    int                   rc;
    ctl_t                *ctl;
    prompt_arena_t       *arena;
    ctl_versions_t        versions;
    const prompt_json_t  *version;

    ctl = export->ctl;
    arena = ctl->arena;

    if (!ctl_versions_begin(&versions, export->api, id, prompt_str_absent)) {
        return CTL_FAILED;
    }

    for ( ;; ) {
        rc = ctl_versions_next(&versions, &version);

        if (rc != CTL_OK || version == NULL) {
            break;
        }

        ctl->arena = prompt_arena_create(CTL_MEMORY);

        rc = ctl->arena != NULL
             ? ctl_export_version(ctl, dir, version, changed)
             : ctl_no_memory();

        prompt_arena_destroy(ctl->arena);
        ctl->arena = arena;

        if (rc != CTL_OK) {
            break;
        }

        (*count)++;
    }

    ctl_versions_end(&versions);

    return rc;
}


static int
ctl_export_version(ctl_t *ctl, const ctl_dir_t *dir,
    const prompt_json_t *version, bool *changed)
{
    int                    rc;
    int64_t                number;
    const char            *text, *json;
    prompt_str_t           content;
    prompt_json_t         *object;
    const prompt_json_t   *member;
    const ctl_property_t  *p;

    number = ctl_integer(version, "version");
    content = ctl_text(version, "content");

    if (content.data == NULL) {
        ctl_error("the answer has a version for %s without content",
                  dir->path);
        return CTL_FAILED;
    }

    text = ctl_version_name(ctl, number, ".txt");
    json = ctl_version_name(ctl, number, ".json");
    object = ctl_object(ctl);

    if (text == NULL || json == NULL || object == NULL) {
        return ctl_no_memory();
    }

    for (p = ctl_property(ctl_version_properties, CTL_FILED);
         p != NULL;
         p = ctl_property(p + 1, CTL_FILED))
    {
        member = ctl_property_filed(ctl, p, ctl_member(version, p->name));

        if (member == NULL
            || (strcmp(p->name, "content") != 0
                && !ctl_export_omits(p, member)
                && !ctl_set(ctl, object, p->name, member)))
        {
            return ctl_no_memory();
        }
    }

    rc = ctl_dir_write(ctl, dir, text, content, changed);

    return rc == CTL_OK ? ctl_dir_write_json(ctl, dir, json, object, changed)
                        : rc;
}


static bool
ctl_export_omits(const ctl_property_t *property, const prompt_json_t *value)
{
    return ((property->flags & CTL_NULLABLE) != 0
            && value->type == PROMPT_JSON_NULL)
           || ((property->flags & CTL_OMITTED) != 0 && value->count == 0);
}


static void
ctl_export_print(ctl_export_t *export, prompt_str_t name, bool changed,
    int64_t count)
{
    if (!export->ctl->json) {
        (void) printf("%s %.*s, %lld version%s\n",
                      changed ? "exported" : "unchanged",
                      prompt_str_arg(name), (long long) count,
                      count == 1 ? "" : "s");
        return;
    }

    ctl_output_begin(&export->out, '{');
    ctl_output_name(&export->out, "name");
    ctl_output_string(&export->out, name);
    ctl_output_name(&export->out, "versions");
    ctl_output_int(&export->out, count);
    ctl_output_name(&export->out, "changed");
    ctl_output_bool(&export->out, changed);
    ctl_output_end(&export->out, '}');
}


/* A name is a folder's below the one that was given, whoever answers. */

static bool
ctl_export_name_sound(prompt_str_t name)
{
    const char  *p, *end;

    if (name.len == 0 || name.data[0] == '.') {
        return false;
    }

    p = name.data;
    end = p + name.len;

    while (p < end) {
        if (*p == '/' || prompt_text_is_control(prompt_utf8_next(&p, end))) {
            return false;
        }
    }

    return true;
}


static int
ctl_export_folder(const char *path)
{
    if (mkdir(path, 0777) == -1 && errno != EEXIST) {
        ctl_error("cannot create %s: %s", path, strerror(errno));
        return CTL_FAILED;
    }

    return CTL_OK;
}
