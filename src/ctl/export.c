/*
 * promptctl export: the project's prompts as files.
 *
 * Files that have their content already are not touched, and none is ever
 * removed: what is in the folder beside what the service has is the user's.
 */

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "ctl/dir.h"
#include "ctl/files.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"
#include "prompt/text.h"


typedef struct {
    const ctl_t  *ctl;
    ctl_api_t     api;
    const char   *dir;
    bool          labels;
    ctl_list_t    list;                      /* of --json */
} ctl_export_t;


static void ctl_export_prompt(void *data, const json_t *prompt);
static json_t *ctl_export_object(const ctl_property_t *properties,
    const json_t *value);
static json_t *ctl_export_labels(const json_t *labels);
static long ctl_export_versions(ctl_export_t *export, const ctl_dir_t *dir,
    prompt_str_t id, bool *changed);
static void ctl_export_print(ctl_export_t *export, prompt_str_t name,
    bool changed, long count);
static bool ctl_export_name_sound(prompt_str_t name);


int
ctl_export(ctl_t *ctl)
{
    ctl_export_t               export;
    static const ctl_column_t  none[] = { { NULL, NULL, NULL, NULL } };

    export.ctl = ctl;
    export.dir = ctl->arguments[0];
    export.labels = ctl_given(ctl, "labels") != NULL;

    ctl_api_open(&export.api, ctl);
    ctl_list_begin(&export.list, ctl, none);

    if (mkdir(export.dir, 0777) == -1 && errno != EEXIST) {
        ctl_file_failed(export.dir, "create");
    }

    ctl_prompts_each(&export.api,
                     ctl_selection(ctl, ctl_prompt_properties, CTL_FILED,
                                   export.labels
                                   ? "id labels { label version }"
                                   : "id").data,
                     ctl_export_prompt, &export);

    ctl_list_print(&export.list);
    ctl_api_close(&export.api);

    return CTL_OK;
}


static void
ctl_export_prompt(void *data, const json_t *prompt)
{
    long           count;
    bool           changed;
    ctl_dir_t      dir;
    const ctl_t   *ctl;
    prompt_str_t   name;
    ctl_export_t  *export;

    export = data;
    ctl = export->ctl;
    name = ctl_text(prompt, "name");

    if (!ctl_export_name_sound(name)) {
        ctl_fail("the answer has a prompt that cannot be a file");
    }

    ctl_dir_open(ctl, export->dir, name.data, true, &dir);

    changed = false;

    ctl_dir_write_json(ctl, &dir, "prompt.json",
                       ctl_export_object(ctl_prompt_properties, prompt),
                       &changed);

    count = ctl_export_versions(export, &dir, ctl_text(prompt, "id"),
                                &changed);

    /* also where there is none: the file may be of a time when there was */

    if (export->labels) {
        ctl_dir_write_json(ctl, &dir, "labels.json",
                           ctl_export_labels(json_object_get(prompt,
                                                             "labels")),
                           &changed);
    }

    ctl_dir_close(&dir);
    ctl_export_print(export, name, changed, count);
}


/* content has a file of its own */
static json_t *
ctl_export_object(const ctl_property_t *properties, const json_t *value)
{
    json_t                *object, *filed;
    const ctl_property_t  *p;

    object = ctl_json(json_object());

    ctl_property_foreach(p, properties, CTL_FILED) {
        filed = ctl_property_filed(p, value);

        if (filed != NULL) {
            ctl_json_set(object, p->name, filed);
        }
    }

    (void) json_object_del(object, "content");

    return object;
}


static json_t *
ctl_export_labels(const json_t *labels)
{
    size_t   i;
    json_t  *object, *label;

    object = ctl_json(json_object());

    json_array_foreach(labels, i, label) {
        ctl_json_set(object, ctl_text(label, "label").data,
                     json_incref(json_object_get(label, "version")));
    }

    return object;
}


/* Returns how many there are. */
static long
ctl_export_versions(ctl_export_t *export, const ctl_dir_t *dir,
    prompt_str_t id, bool *changed)
{
    long             count;
    int64_t          number;
    const ctl_t     *ctl;
    const json_t    *version;
    prompt_str_t     content;
    ctl_versions_t   versions;

    ctl = export->ctl;
    count = 0;

    ctl_versions_begin(&versions, &export->api, id, prompt_str_absent);

    while ((version = ctl_versions_next(&versions)) != NULL) {
        number = ctl_integer(version, "version");
        content = ctl_text(version, "content");

        if (content.data == NULL) {
            ctl_fail("the answer has a version for %s without content",
                     dir->path);
        }

        ctl_dir_write(ctl, dir, ctl_version_name(ctl, number, ".txt"), content,
                      changed);
        ctl_dir_write_json(ctl, dir, ctl_version_name(ctl, number, ".json"),
                           ctl_export_object(ctl_version_properties, version),
                           changed);
        count++;
    }

    return count;
}


static void
ctl_export_print(ctl_export_t *export, prompt_str_t name, bool changed,
    long count)
{
    json_t  *row;

    if (!export->ctl->json) {
        (void) printf("%s %.*s, %ld version%s\n",
                      changed ? "exported" : "unchanged",
                      prompt_str_arg(name), count, count == 1 ? "" : "s");
        return;
    }

    row = ctl_json(json_pack("{s:o, s:I, s:b}", "name", ctl_json_text(name),
                             "versions", (json_int_t) count,
                             "changed", changed));
    ctl_list_add(&export->list, row);
    json_decref(row);
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
