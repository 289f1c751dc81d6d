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
#include "ctl/output.h"


/* with --exit-code, where it is not known whether there is a difference */
#define CTL_DIFF_FAILED  2


typedef struct {
    const ctl_t  *ctl;
    json_t       *prompts;                   /* what is sent */
    const char  **paths;                     /* of their folders */
} ctl_import_t;


static json_t *ctl_import_run(const ctl_t *ctl, bool dry);
static void ctl_import_read(ctl_import_t *import);
static int ctl_import_visible(const struct dirent *entry);
static json_t *ctl_import_send(ctl_import_t *import, bool dry);
static void ctl_import_errors(ctl_import_t *import, const json_t *errors);
static void ctl_import_error(ctl_import_t *import, prompt_str_t field,
    prompt_str_t message, prompt_str_t code);
static bool ctl_import_begins(prompt_str_t text, const char *word);
static bool ctl_import_place(ctl_import_t *import, prompt_str_t field,
    unsigned long *prompt, prompt_str_t *rest);
static bool ctl_import_index(prompt_str_t *rest, const char *word,
    unsigned long *index);
static void ctl_import_print(const ctl_t *ctl, json_t *changes,
    const char *would, bool marks);
static void ctl_import_line(const json_t *change, const char *would,
    bool marks);


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
    ctl_import_t   import;

    import.ctl = ctl;
    import.prompts = ctl_json(json_array());

    ctl_import_read(&import);
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

            if (json_array_append_new(import->prompts, prompt) != 0) {
                ctl_no_memory();
            }
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
    const char     *path, *file;
    unsigned long   index, place;
    prompt_str_t    rest;

    if (code.data == NULL) {
        code = prompt_str("error");
    }

    if (!ctl_import_place(import, field.data != NULL ? field : message, &index,
                          &rest))
    {
        ctl_error("%.*s%s%.*s (%.*s)", prompt_str_arg(field),
                  field.len != 0 ? ": " : "", prompt_str_arg(message),
                  prompt_str_arg(code));
        return;
    }

    path = import->paths[index];

    if (ctl_import_index(&rest, "versions", &place)) {
        versions = json_object_get(json_array_get(import->prompts, index),
                                   "versions");
        file = ctl_version_name(import->ctl,
                                ctl_integer(json_array_get(versions, place),
                                            "version"),
                                ctl_import_begins(rest, "content")
                                ? ".txt" : ".json");

    } else {
        file = ctl_import_begins(rest, "labels") ? "labels.json"
                                                 : "prompt.json";
    }

    ctl_error("%s/%s: %.*s (%.*s)", path, file, prompt_str_arg(message),
              prompt_str_arg(code));
}


static bool
ctl_import_begins(prompt_str_t text, const char *word)
{
    return text.len >= strlen(word)
           && memcmp(text.data, word, strlen(word)) == 0;
}


/*
 * Finds "prompts.3.", or "prompts[3]." of a value that is none, and what is
 * behind it.
 */

static bool
ctl_import_place(ctl_import_t *import, prompt_str_t field,
    unsigned long *prompt, prompt_str_t *rest)
{
    for (*rest = field; rest->len != 0; rest->data++, rest->len--) {

        if (ctl_import_index(rest, "prompts", prompt)) {
            return *prompt < json_array_size(import->prompts);
        }
    }

    return false;
}


/* The word with an index: it is taken from the rest. */

static bool
ctl_import_index(prompt_str_t *rest, const char *word, unsigned long *index)
{
    size_t  i, len;

    len = strlen(word);

    if (rest->len <= len + 1 || memcmp(rest->data, word, len) != 0
        || (rest->data[len] != '.' && rest->data[len] != '['))
    {
        return false;
    }

    *index = 0;

    for (i = len + 1;
         i < rest->len && rest->data[i] >= '0' && rest->data[i] <= '9'
         && *index < 1000000;
         i++)
    {
        *index = *index * 10 + (unsigned long) (rest->data[i] - '0');
    }

    if (i == len + 1) {
        return false;
    }

    while (i < rest->len && (rest->data[i] == ']' || rest->data[i] == '.')) {
        i++;
    }

    *rest = prompt_str_of(rest->data + i, rest->len - i);

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
        ctl_import_line(change, would, marks);
    }

    json_decref(changes);
}


/* marks: + for what is new, - for what goes, ~ for what is otherwise */

static void
ctl_import_line(const json_t *change, const char *would, bool marks)
{
    long long     version;
    const char   *mark;
    prompt_str_t  name, what;

    name = ctl_text(change, "prompt");
    what = ctl_text(change, "what");
    version = (long long) ctl_integer(change, "version");
    mark = "~ ";

    if (prompt_str_eq(what, prompt_str("create"))
        || prompt_str_eq(what, prompt_str("version")))
    {
        mark = "+ ";

    } else if (prompt_str_eq(what, prompt_str("delete"))) {
        mark = "- ";
    }

    (void) printf("%s%s", marks ? mark : "", would);

    if (prompt_str_eq(what, prompt_str("version"))) {
        (void) printf("add version %lld of ", version);
        ctl_print(name);

    } else if (prompt_str_eq(what, prompt_str("label"))) {
        (void) fputs("set label ", stdout);
        ctl_print(ctl_text(change, "label"));
        (void) fputs(" of ", stdout);
        ctl_print(name);
        (void) printf(" to version %lld", version);

    } else {
        ctl_print(what);
        (void) fputc(' ', stdout);
        ctl_print(name);
    }

    (void) fputc('\n', stdout);
}
