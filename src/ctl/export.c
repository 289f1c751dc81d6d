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
#include "prompt/text.h"


#define CTL_EXPORT_PAGE                                                      \
    "query ($after: ID) { prompts(first: 20, after: $after)"                 \
    " { id name description category isPublic"                               \
    " versions { version content params inputSchema } } }"


typedef struct {
    ctl_t         *ctl;
    const char    *dir;
    ctl_output_t   out;                      /* of --json */
} ctl_export_t;


static int ctl_export_pages(ctl_export_t *export, ctl_api_t *api);
static int ctl_export_prompt(ctl_export_t *export,
    const prompt_json_t *prompt);
static int ctl_export_versions(ctl_export_t *export, const ctl_dir_t *dir,
    const prompt_json_t *versions, bool *changed);
static bool ctl_export_name_sound(prompt_str_t name);
static int ctl_export_folder(const char *path);


int
ctl_export(ctl_t *ctl)
{
    int           rc;
    ctl_api_t     api;
    ctl_export_t  export;

    export.ctl = ctl;
    export.dir = ctl->arguments[0];

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    ctl_output_init(&export.out);
    ctl_output_begin(&export.out, '[');

    rc = ctl_export_folder(export.dir);

    if (rc == CTL_OK) {
        rc = ctl_export_pages(&export, &api);
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
ctl_export_pages(ctl_export_t *export, ctl_api_t *api)
{
    int                   rc;
    ctl_t                *ctl;
    prompt_str_t          after;
    prompt_json_t        *variables, *data;
    const prompt_json_t  *prompts, *prompt;

    ctl = export->ctl;
    after = prompt_str_absent;

    do {
        variables = ctl_object(ctl);

        if (variables == NULL || !ctl_set_text(ctl, variables, "after", after))
        {
            return ctl_no_memory();
        }

        rc = ctl_api_call(api, CTL_EXPORT_PAGE, variables, &data);
        if (rc != CTL_OK) {
            return rc;
        }

        prompts = ctl_member(data, "prompts");

        if (prompts == NULL || prompts->type != PROMPT_JSON_ARRAY) {
            ctl_error("the answer has no prompts");
            return CTL_FAILED;
        }

        for (prompt = prompts->first; prompt != NULL; prompt = prompt->next) {
            rc = ctl_export_prompt(export, prompt);

            if (rc != CTL_OK) {
                return rc;
            }

            after = ctl_text(prompt, "id");
        }

    } while (prompts->first != NULL && after.data != NULL);

    return CTL_OK;
}


static int
ctl_export_prompt(ctl_export_t *export, const prompt_json_t *prompt)
{
    int                       rc;
    bool                      changed;
    size_t                    i;
    ctl_t                    *ctl;
    ctl_dir_t                 dir;
    const char               *name;
    prompt_str_t              text;
    prompt_json_t            *object;
    const prompt_json_t      *versions;
    static const char *const  members[] = {
        "name", "description", "category", "isPublic"
    };

    ctl = export->ctl;
    text = ctl_text(prompt, "name");
    versions = ctl_member(prompt, "versions");

    if (!ctl_export_name_sound(text) || versions == NULL) {
        ctl_error("the answer has a prompt that cannot be a file");
        return CTL_FAILED;
    }

    name = prompt_arena_copy(ctl->arena, text).data;
    object = ctl_object(ctl);

    if (name == NULL || object == NULL) {
        return ctl_no_memory();
    }

    for (i = 0; i < 4; i++) {
        if (!ctl_set(ctl, object, members[i], ctl_member(prompt, members[i])))
        {
            return ctl_no_memory();
        }
    }

    rc = ctl_dir_make(ctl, export->dir, name, &dir);
    if (rc != CTL_OK) {
        return rc;
    }

    changed = false;

    rc = ctl_dir_write_json(ctl, &dir, "prompt.json", object, &changed);

    if (rc == CTL_OK) {
        rc = ctl_export_versions(export, &dir, versions, &changed);
    }

    ctl_dir_close(&dir);

    if (rc != CTL_OK) {
        return rc;
    }

    if (!ctl->json) {
        (void) printf("%s %s, %u version%s\n",
                      changed ? "exported" : "unchanged", name,
                      versions->count, versions->count == 1 ? "" : "s");
        return CTL_OK;
    }

    ctl_output_begin(&export->out, '{');
    ctl_output_name(&export->out, "name");
    ctl_output_string(&export->out, text);
    ctl_output_name(&export->out, "versions");
    ctl_output_int(&export->out, versions->count);
    ctl_output_name(&export->out, "changed");
    ctl_output_bool(&export->out, changed);
    ctl_output_end(&export->out, '}');

    return CTL_OK;
}


static int
ctl_export_versions(ctl_export_t *export, const ctl_dir_t *dir,
    const prompt_json_t *versions, bool *changed)
{
    int                   rc;
    ctl_t                *ctl;
    int64_t               number;
    const char           *file;
    prompt_str_t          content;
    prompt_json_t        *object;
    const prompt_json_t  *version, *schema;

    ctl = export->ctl;

    version = versions->first;

    for ( /* void */ ; version != NULL; version = version->next) {
        number = ctl_integer(version, "version");
        content = ctl_text(version, "content");
        schema = ctl_member(version, "inputSchema");

        if (number < 1 || content.data == NULL) {
            ctl_error("the answer has a version for %s without number or "
                      "content", dir->path);
            return CTL_FAILED;
        }

        file = ctl_version_name(ctl, number, ".txt");
        if (file == NULL) {
            return ctl_no_memory();
        }

        rc = ctl_dir_write(ctl, dir, file, content, changed);
        if (rc != CTL_OK) {
            return rc;
        }

        file = ctl_version_name(ctl, number, ".json");
        object = ctl_object(ctl);

        if (file == NULL || object == NULL
            || !ctl_set(ctl, object, "params", ctl_member(version, "params"))
            || (schema != NULL && schema->type != PROMPT_JSON_NULL
                && !ctl_set(ctl, object, "inputSchema", schema)))
        {
            return ctl_no_memory();
        }

        rc = ctl_dir_write_json(ctl, dir, file, object, changed);
        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
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
