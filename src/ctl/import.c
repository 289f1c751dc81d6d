/*
 * promptctl import and diff: what the files say, as one request.  The service
 * compares and decides, and does all of it or nothing.
 *
 * diff asks for what import would do, and shows that.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctl/api.h"
#include "ctl/dir.h"
#include "ctl/folder.h"
#include "ctl/openai.h"
#include "ctl/output.h"


/* with --exit-code, where it is not known whether there is a difference */
#define CTL_DIFF_FAILED  2


typedef struct {
    const ctl_t  *ctl;
    json_t       *prompts;                   /* what is sent */
    const char  **paths;                     /* of their folders */
    json_t       *places;                    /* in OpenAI's file, or NULL */
} ctl_import_t;


static json_t *ctl_import_run(const ctl_t *ctl, bool dry);
static void ctl_import_read(ctl_import_t *import);
static int ctl_import_visible(const struct dirent *entry);
static json_t *ctl_import_send(ctl_import_t *import, bool dry);
static void ctl_import_errors(ctl_import_t *import, const json_t *errors);
static void ctl_import_error(ctl_import_t *import, prompt_str_t field,
    prompt_str_t message, prompt_str_t code);
static bool ctl_import_place(ctl_import_t *import, const char *field,
    unsigned long *prompt, const char **rest);
static bool ctl_import_index(const char **rest, const char *word,
    unsigned long *index);
static void ctl_import_print(const ctl_t *ctl, json_t *changes,
    const char *would, bool marks);
static void ctl_import_line(const ctl_t *ctl, const json_t *change,
    const char *would, bool marks);


int
ctl_import(ctl_t *ctl)
{
    bool     dry;
    json_t  *changes;

    dry = ctl_given(ctl, "dry-run") != NULL;
    changes = ctl_import_run(ctl, dry);

    if (json_array_size(changes) == 0 && !ctl->json) {
        (void) puts("nothing to do");
    }

    ctl_import_print(ctl, changes, dry ? "would " : "", false);

    return CTL_OK;
}


int
ctl_diff(ctl_t *ctl)
{
    bool     tells, differs;
    json_t  *changes;

    tells = ctl_given(ctl, "exit-code") != NULL;

    if (tells) {
        ctl_fail_as(CTL_DIFF_FAILED);
    }

    changes = ctl_import_run(ctl, true);
    differs = json_array_size(changes) != 0;

    ctl_import_print(ctl, changes, "", true);

    return tells && differs ? CTL_FAILED : CTL_OK;
}


static json_t *
ctl_import_run(const ctl_t *ctl, bool dry)
{
    json_t        *changes;
    const char    *file;
    ctl_import_t   import;

    memset(&import, 0, sizeof(import));
    import.ctl = ctl;
    file = ctl_given(ctl, "openai");

    if ((file != NULL) == (ctl->narguments != 0)
        || (file != NULL && (ctl_given(ctl, "labels") != NULL
                             || ctl_given(ctl, "delete") != NULL)))
    {
        ctl_wrong(ctl, "either DIR or --openai, which goes with --dry-run "
                  "alone");
    }

    if (file != NULL) {
        import.prompts = ctl_openai_read(ctl, file, &import.places);

    } else {
        import.prompts = ctl_json(json_array());
        ctl_import_read(&import);
    }

    changes = ctl_import_send(&import, dry);

    json_decref(import.prompts);

    return changes;
}


static void
ctl_import_read(ctl_import_t *import)
{
    int              i, n;
    bool             fault, labels;
    json_t          *prompt;
    const char      *dir, *path;
    struct dirent  **entries;

    dir = import->ctl->arguments[0];
    labels = ctl_given(import->ctl, "labels") != NULL;
    fault = false;

    n = scandir(dir, &entries, ctl_import_visible, alphasort);

    if (n == -1) {
        ctl_fail("cannot read %s: %s", dir, strerror(errno));
    }

    import->paths = prompt_arena_array(import->ctl->arena, (size_t) n,
                                       sizeof(char *));
    if (import->paths == NULL) {
        ctl_no_memory();
    }

    for (i = 0; i < n; i++) {
        prompt = ctl_folder_read(import->ctl, dir, entries[i]->d_name, labels,
                                 &path, &fault);

        if (prompt != NULL) {
            import->paths[json_array_size(import->prompts)] = path;
            ctl_json_append(import->prompts, prompt);
        }

        free(entries[i]);
    }

    free(entries);

    if (fault) {
        ctl_fail("nothing was sent");
    }
}


/* hidden ones (.git, ., ..) are none of ours */
static int
ctl_import_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}


static json_t *
ctl_import_send(ctl_import_t *import, bool dry)
{
    json_t       *variables, *answer, *errors, *changes;
    ctl_api_t     api;
    const ctl_t  *ctl;

    ctl = import->ctl;
    variables = ctl_json(json_pack("{s:b, s:b, s:O}", "dry", dry, "delete",
                                   ctl_given(ctl, "delete") != NULL,
                                   "prompts", import->prompts));

    ctl_api_open(&api, ctl);

    if (!dry) {
        ctl_api_once(&api);
    }

    answer = ctl_api_request(&api,
                 "mutation ($prompts: [ImportPromptInput!]!, $dry: Boolean,"
                 " $delete: Boolean) { i: importPrompts(prompts: $prompts,"
                 " dryRun: $dry, delete: $delete)"
                 " { changes { prompt what version label } } }",
                 variables, &errors);

    ctl_api_close(&api);
    json_decref(variables);

    if (errors != NULL) {
        ctl_import_errors(import, errors);
        ctl_give_up();
    }

    changes = json_incref(ctl_list(json_object_get(answer, "i"), "changes"));
    json_decref(answer);

    if (changes == NULL) {
        ctl_fail("the answer does not say what was changed");
    }

    return changes;
}


static void
ctl_import_errors(ctl_import_t *import, const json_t *errors)
{
    size_t         i, j;
    json_t        *error, *extensions, *faults, *fault;
    prompt_str_t   code;

    json_array_foreach(errors, i, error) {
        extensions = json_object_get(error, "extensions");
        faults = ctl_list(extensions, "violations");
        code = ctl_text(extensions, "code");

        if (json_array_size(faults) == 0) {
            ctl_import_error(import, ctl_text(extensions, "field"),
                             ctl_text(error, "message"), code);
        }

        json_array_foreach(faults, j, fault) {
            ctl_import_error(import, ctl_text(fault, "field"),
                             ctl_text(fault, "message"), code);
        }
    }
}


/* The service names a place in what was sent, people know files. */
static void
ctl_import_error(ctl_import_t *import, prompt_str_t field,
    prompt_str_t message, prompt_str_t code)
{
    json_t         *versions;
    const char     *path, *file, *rest;
    unsigned long   index, place;

    if (code.data == NULL) {
        code = prompt_str("error");
    }

    /* what comes from JSON ends with NUL */

    rest = field.data != NULL ? field.data : message.data;

    if (rest == NULL || !ctl_import_place(import, rest, &index, &rest)) {
        ctl_error("%.*s%s%.*s (%.*s)", prompt_str_arg(field),
                  field.len != 0 ? ": " : "", prompt_str_arg(message),
                  prompt_str_arg(code));
        return;
    }

    path = import->paths != NULL ? import->paths[index] : NULL;
    place = 0;

    if (ctl_import_index(&rest, "versions", &place) && path != NULL) {
        versions = json_object_get(json_array_get(import->prompts, index),
                                   "versions");
        file = ctl_version_name(import->ctl,
                                ctl_integer(json_array_get(versions, place),
                                            "version"),
                                strncmp(rest, "content", 7) == 0
                                ? ".txt" : ".json");

    } else if (path != NULL) {
        file = strncmp(rest, "labels", 6) == 0 ? "labels.json" : "prompt.json";

    } else {
        path = json_string_value(json_array_get(
                   json_array_get(import->places, index), place));
        ctl_error("%s: %.*s (%.*s)", path, prompt_str_arg(message),
                  prompt_str_arg(code));
        return;
    }

    ctl_error("%s/%s: %.*s (%.*s)", path, file, prompt_str_arg(message),
              prompt_str_arg(code));
}


/*
 * Finds "prompts.3.", or "prompts[3]." of a value that is none, and what is
 * behind it.
 */
static bool
ctl_import_place(ctl_import_t *import, const char *field,
    unsigned long *prompt, const char **rest)
{
    for (*rest = field; **rest != '\0'; (*rest)++) {

        if (ctl_import_index(rest, "prompts", prompt)) {
            return *prompt < json_array_size(import->prompts);
        }
    }

    return false;
}


/* The word with an index: it is taken from the rest. */
static bool
ctl_import_index(const char **rest, const char *word, unsigned long *index)
{
    char        *end;
    size_t       len;
    const char  *digits;

    len = strlen(word);

    if (strncmp(*rest, word, len) != 0 || strspn(*rest + len, ".[") == 0) {
        return false;
    }

    digits = *rest + len + 1;

    if (strspn(digits, "0123456789") == 0) {
        return false;
    }

    *index = strtoul(digits, &end, 10);
    *rest = end + strspn(end, "].");

    return true;
}


static void
ctl_import_print(const ctl_t *ctl, json_t *changes, const char *would,
    bool marks)
{
    size_t   i;
    json_t  *change;

    if (ctl->json) {
        ctl_print_json(changes);
        return;
    }

    json_array_foreach(changes, i, change) {
        ctl_import_line(ctl, change, would, marks);
    }

    json_decref(changes);
}


/* marks: + for what is new, - for what goes, ~ for what is otherwise */
static void
ctl_import_line(const ctl_t *ctl, const json_t *change, const char *would,
    bool marks)
{
    long long     version;
    const char   *mark, *name, *what;
    prompt_str_t  line;

    name = ctl_text(change, "prompt").data;
    what = ctl_text(change, "what").data;
    version = (long long) ctl_integer(change, "version");

    if (name == NULL || what == NULL) {
        ctl_fail("the answer does not say what was changed");
    }

    if (strcmp(what, "version") == 0) {
        line = ctl_printf(ctl, "add version %lld of %s", version, name);

    } else if (strcmp(what, "label") == 0) {
        line = ctl_printf(ctl, "set label %.*s of %s to version %lld",
                          prompt_str_arg(ctl_text(change, "label")), name,
                          version);
    } else {
        line = ctl_printf(ctl, "%s %s", what, name);
    }

    mark = strcmp(what, "create") == 0 || strcmp(what, "version") == 0
           ? "+ " : strcmp(what, "delete") == 0 ? "- " : "~ ";

    (void) printf("%s%s", marks ? mark : "", would);
    ctl_print(line);
    (void) fputc('\n', stdout);
}
