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
#include "ctl/folder.h"
#include "ctl/output.h"


/* with --exit-code, where it is not known whether there is a difference */
#define CTL_DIFF_FAILED  2


const ctl_option_t  ctl_import_options[] = {
    { '\0', "labels", NULL, "set labels, too" },
    { '\0', "dry-run", NULL, "show what would be done, and do nothing" },
    { '\0', "delete", NULL, "delete prompts that are not in the files" },
    { '\0', NULL, NULL, NULL }
};

const ctl_option_t  ctl_diff_options[] = {
    { '\0', "labels", NULL, "compare labels, too" },
    { '\0', "delete", NULL, "show prompts that are not in the files" },
    { '\0', "exit-code", NULL, "exit with 1 where there is a difference" },
    { '\0', NULL, NULL, NULL }
};


typedef struct {
    ctl_t          *ctl;
    prompt_json_t  *prompts;                 /* what is sent */
    prompt_json_t  *paths;                   /* of their folders, strings */
    bool            fault;                   /* a file is wrong */
} ctl_import_t;


static int ctl_import_run(ctl_t *ctl, bool dry, prompt_json_t **changes);
static int ctl_import_read(ctl_import_t *import);
static int ctl_import_visible(const struct dirent *entry);
static int ctl_import_send(ctl_import_t *import, bool dry,
    prompt_json_t **changes);
static void ctl_import_errors(ctl_import_t *import,
    const prompt_json_t *errors);
static void ctl_import_error(ctl_import_t *import, prompt_str_t field,
    prompt_str_t message, prompt_str_t code);
static bool ctl_import_place(ctl_import_t *import, prompt_str_t field,
    unsigned long *prompt, prompt_str_t *rest);
static bool ctl_import_index(prompt_str_t *rest, const char *word,
    unsigned long *index);
static int ctl_import_print(ctl_t *ctl, const prompt_json_t *changes,
    const char *would, bool marks);
static void ctl_import_line(const prompt_json_t *change, const char *would,
    bool marks);


int
ctl_import(ctl_t *ctl)
{
    int             rc;
    bool            dry;
    prompt_json_t  *changes;

    dry = ctl_given(ctl, "dry-run") != NULL;

    rc = ctl_import_run(ctl, dry, &changes);
    if (rc != CTL_OK) {
        return rc;
    }

    if (changes->count == 0 && !ctl->json) {
        (void) puts("nothing to do");
    }

    return ctl_import_print(ctl, changes, dry ? "would " : "", false);
}


int
ctl_diff(ctl_t *ctl)
{
    int             rc;
    bool            tells;
    prompt_json_t  *changes;

    tells = ctl_given(ctl, "exit-code") != NULL;

    rc = ctl_import_run(ctl, true, &changes);

    if (rc == CTL_OK) {
        rc = ctl_import_print(ctl, changes, "", true);
    }

    if (rc == CTL_FAILED && tells) {
        return CTL_DIFF_FAILED;
    }

    return rc == CTL_OK && tells && changes->count != 0 ? CTL_FAILED : rc;
}


static int
ctl_import_run(ctl_t *ctl, bool dry, prompt_json_t **changes)
{
    int           rc;
    ctl_import_t  import;

    import.ctl = ctl;
    import.fault = false;
    import.prompts = prompt_json_new(ctl->arena, PROMPT_JSON_ARRAY);
    import.paths = prompt_json_new(ctl->arena, PROMPT_JSON_ARRAY);

    if (import.prompts == NULL || import.paths == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_import_read(&import);

    if (rc == CTL_OK && import.fault) {
        ctl_error("nothing was sent");
        rc = CTL_FAILED;
    }

    return rc == CTL_OK ? ctl_import_send(&import, dry, changes) : rc;
}


static int
ctl_import_read(ctl_import_t *import)
{
    int              i, n, rc;
    ctl_t           *ctl;
    const char      *dir;
    ctl_folder_t     folder;
    prompt_json_t   *path;
    struct dirent  **entries;

    ctl = import->ctl;
    dir = ctl->arguments[0];

    n = scandir(dir, &entries, ctl_import_visible, alphasort);

    if (n == -1) {
        ctl_error("cannot read %s: %s", dir, strerror(errno));
        return CTL_FAILED;
    }

    rc = CTL_OK;

    for (i = 0; i < n; i++) {

        if (rc == CTL_OK) {
            rc = ctl_folder_read(ctl, dir, entries[i]->d_name,
                                 ctl_given(ctl, "labels") != NULL, &folder,
                                 &import->fault);

            if (rc == CTL_OK && folder.prompt != NULL) {
                path = prompt_json_new_string(ctl->arena,
                                              prompt_str_from(folder.path));
                if (path == NULL) {
                    rc = ctl_no_memory();

                } else {
                    prompt_json_append(import->prompts, folder.prompt);
                    prompt_json_append(import->paths, path);
                }
            }
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


static int
ctl_import_send(ctl_import_t *import, bool dry, prompt_json_t **changes)
{
    int             rc;
    ctl_t          *ctl;
    ctl_api_t       api;
    prompt_json_t  *variables, *data, *errors, *flag;

    ctl = import->ctl;
    variables = ctl_object(ctl);
    flag = prompt_json_new(ctl->arena, PROMPT_JSON_BOOLEAN);

    if (variables == NULL || flag == NULL) {
        return ctl_no_memory();
    }

    flag->boolean = dry;

    if (!ctl_set(ctl, variables, "dry", flag)) {
        return ctl_no_memory();
    }

    flag->boolean = ctl_given(ctl, "delete") != NULL;
    prompt_json_set(variables, prompt_str("delete"), flag);
    prompt_json_set(variables, prompt_str("prompts"), import->prompts);

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = dry ? CTL_OK : ctl_api_once(&api);

    if (rc == CTL_OK) {
        rc = ctl_api_request(&api,
                 "mutation ($prompts: [ImportPromptInput!]!, $dry: Boolean,"
                 " $delete: Boolean) { i: importPrompts(prompts: $prompts,"
                 " dryRun: $dry, delete: $delete)"
                 " { changes { prompt what version label } } }",
                 variables, &data, &errors);
    }

    ctl_api_close(&api);

    if (rc == CTL_OK && errors != NULL) {
        ctl_import_errors(import, errors);
        return CTL_FAILED;
    }

    if (rc == CTL_OK) {
        *changes = ctl_member(ctl_member(data, "i"), "changes");

        if (*changes == NULL || (*changes)->type != PROMPT_JSON_ARRAY) {
            ctl_error("the answer does not say what was changed");
            return CTL_FAILED;
        }
    }

    return rc;
}


static void
ctl_import_errors(ctl_import_t *import, const prompt_json_t *errors)
{
    prompt_str_t          code;
    const prompt_json_t  *error, *extensions, *faults, *fault;

    for (error = errors->first; error != NULL; error = error->next) {
        extensions = ctl_member(error, "extensions");
        faults = ctl_member(extensions, "violations");
        code = ctl_text(extensions, "code");

        if (faults == NULL || faults->first == NULL) {
            ctl_import_error(import, ctl_text(extensions, "field"),
                             ctl_text(error, "message"), code);
            continue;
        }

        for (fault = faults->first; fault != NULL; fault = fault->next) {
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
    const char     *file;
    unsigned long   index, place;
    prompt_str_t    path, rest;
    prompt_json_t  *version;

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

    path = prompt_json_at(import->paths, index)->text;

    if (ctl_import_index(&rest, "versions", &place)) {
        version = prompt_json_at(ctl_member(prompt_json_at(import->prompts,
                                                           index),
                                            "versions"), place);

        ctl_error("%.*s/v%lld.%s: %.*s (%.*s)", prompt_str_arg(path),
                  (long long) ctl_integer(version, "version"),
                  rest.len >= 7 && memcmp(rest.data, "content", 7) == 0
                  ? "txt" : "json",
                  prompt_str_arg(message), prompt_str_arg(code));
        return;
    }

    file = rest.len >= 6 && memcmp(rest.data, "labels", 6) == 0
           ? "labels.json" : "prompt.json";

    ctl_error("%.*s/%s: %.*s (%.*s)", prompt_str_arg(path), file,
              prompt_str_arg(message), prompt_str_arg(code));
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
            return *prompt < import->paths->count;
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


static int
ctl_import_print(ctl_t *ctl, const prompt_json_t *changes, const char *would,
    bool marks)
{
    ctl_output_t          out;
    const prompt_json_t  *change;

    if (ctl->json) {
        ctl_output_init(&out);
        ctl_output_json(&out, changes);

        return ctl_output_print(&out);
    }

    for (change = changes->first; change != NULL; change = change->next) {
        ctl_import_line(change, would, marks);
    }

    return CTL_OK;
}


/* marks: + for what is new, - for what goes, ~ for what is otherwise */

static void
ctl_import_line(const prompt_json_t *change, const char *would, bool marks)
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
