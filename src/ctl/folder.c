/*
 * A prompt's folder, read.  What its values may be is the service's to say.
 */

#define _GNU_SOURCE  1                       /* scandirat(), versionsort() */

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "ctl/api.h"
#include "ctl/dir.h"
#include "ctl/folder.h"


/* what is being read */
typedef struct {
    ctl_t          *ctl;
    ctl_dir_t       dir;
    prompt_json_t  *prompt;
    bool            fault;
} ctl_reader_t;


static int ctl_folder_files(ctl_reader_t *reader, bool labels);
static int ctl_folder_versions(ctl_reader_t *reader);
static int ctl_folder_is_version(const struct dirent *entry);
static int ctl_folder_version(ctl_reader_t *reader, int64_t number,
    prompt_json_t *versions);
static int ctl_folder_labels(ctl_reader_t *reader);
static int ctl_folder_own(ctl_reader_t *reader, const char *file,
    const prompt_json_t *object, const char *const *own);
static void ctl_folder_fault(ctl_reader_t *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));


int
ctl_folder_read(ctl_t *ctl, const char *dir, const char *name, bool labels,
    ctl_folder_t *folder, bool *fault)
{
    int           rc;
    ctl_reader_t  reader;

    memset(folder, 0, sizeof(ctl_folder_t));

    reader.ctl = ctl;
    reader.prompt = NULL;
    reader.fault = false;

    rc = ctl_dir_open(ctl, dir, name, &reader.dir);

    /* a README beside the folders is no prompt */

    if (rc != CTL_OK || reader.dir.fd == -1) {
        return rc;
    }

    rc = ctl_folder_files(&reader, labels);

    ctl_dir_close(&reader.dir);

    folder->path = reader.dir.path;

    if (reader.fault) {
        *fault = true;

    } else {
        folder->prompt = reader.prompt;
    }

    return rc;
}


static int
ctl_folder_files(ctl_reader_t *reader, bool labels)
{
    int                       rc;
    static const char *const  own[] = { "versions", "labels", NULL };

    rc = ctl_dir_json(reader->ctl, &reader->dir, "prompt.json",
                      &reader->prompt);

    if (rc != CTL_OK || reader->prompt == NULL) {
        return rc;
    }

    rc = ctl_folder_own(reader, "prompt.json", reader->prompt, own);

    if (rc == CTL_OK && !reader->fault) {
        rc = ctl_folder_versions(reader);
    }

    return rc == CTL_OK && !reader->fault && labels
           ? ctl_folder_labels(reader) : rc;
}


/* An object, without what other files say. */

static int
ctl_folder_own(ctl_reader_t *reader, const char *file,
    const prompt_json_t *object, const char *const *own)
{
    if (object == NULL || object->type != PROMPT_JSON_OBJECT) {
        ctl_folder_fault(reader, "%s/%s: %s", reader->dir.path, file,
                         object == NULL ? "missing" : "not a JSON object");
        return CTL_OK;
    }

    for ( /* void */ ; *own != NULL; own++) {
        if (ctl_member(object, *own) != NULL) {
            ctl_folder_fault(reader, "%s/%s: \"%s\" has a file of its own",
                             reader->dir.path, file, *own);
        }
    }

    return CTL_OK;
}


static int
ctl_folder_versions(ctl_reader_t *reader)
{
    int              i, n, rc;
    prompt_json_t   *versions;
    struct dirent  **files;

    versions = prompt_json_new(reader->ctl->arena, PROMPT_JSON_ARRAY);
    if (versions == NULL) {
        return ctl_no_memory();
    }

    prompt_json_set(reader->prompt, prompt_str("versions"), versions);

    n = scandirat(reader->dir.fd, ".", &files, ctl_folder_is_version,
                  versionsort);
    if (n == -1) {
        ctl_error("cannot read %s: %s", reader->dir.path, strerror(errno));
        return CTL_FAILED;
    }

    rc = CTL_OK;

    for (i = 0; i < n; i++) {

        if (rc == CTL_OK) {
            rc = ctl_folder_version(reader,
                                    strtoll(files[i]->d_name + 1, NULL, 10),
                                    versions);
        }

        free(files[i]);
    }

    free(files);

    return rc;
}


/* v1.txt, v2.txt, ... */

static int
ctl_folder_is_version(const struct dirent *entry)
{
    char  *end;

    if (entry->d_name[0] != 'v' || entry->d_name[1] < '1'
        || entry->d_name[1] > '9')
    {
        return 0;
    }

    (void) strtoll(entry->d_name + 1, &end, 10);

    return strcmp(end, ".txt") == 0;
}


static int
ctl_folder_version(ctl_reader_t *reader, int64_t number,
    prompt_json_t *versions)
{
    int                       rc;
    ctl_t                    *ctl;
    const char               *text, *json;
    prompt_str_t              content;
    prompt_json_t            *version, *member;
    static const char *const  own[] = { "version", "content", NULL };

    ctl = reader->ctl;

    text = ctl_version_name(ctl, number, ".txt");
    json = ctl_version_name(ctl, number, ".json");

    if (text == NULL || json == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_dir_text(ctl, &reader->dir, text, &content);

    if (rc == CTL_OK) {
        rc = ctl_dir_json(ctl, &reader->dir, json, &version);
    }

    if (rc == CTL_OK) {
        rc = ctl_folder_own(reader, json, version, own);
    }

    if (rc != CTL_OK || reader->fault) {
        return rc;
    }

    if (content.data == NULL || !prompt_utf8_valid(content)) {
        ctl_folder_fault(reader, "%s/%s: not UTF-8", reader->dir.path, text);
        return CTL_OK;
    }

    member = prompt_json_new_integer(ctl->arena, number);

    if (member == NULL || !ctl_set_text(ctl, version, "content", content)) {
        return ctl_no_memory();
    }

    prompt_json_set(version, prompt_str("version"), member);
    prompt_json_append(versions, version);

    return CTL_OK;
}


/* What labels.json has, where there is one. */

static int
ctl_folder_labels(ctl_reader_t *reader)
{
    int                       rc;
    ctl_t                    *ctl;
    prompt_json_t            *object, *labels, *label;
    const prompt_json_t      *member;
    static const char *const  own[] = { NULL };

    ctl = reader->ctl;

    rc = ctl_dir_json(ctl, &reader->dir, "labels.json", &object);

    if (rc == CTL_OK && object != NULL) {
        rc = ctl_folder_own(reader, "labels.json", object, own);
    }

    if (rc != CTL_OK || object == NULL || reader->fault) {
        return rc;
    }

    labels = prompt_json_new(ctl->arena, PROMPT_JSON_ARRAY);
    if (labels == NULL) {
        return ctl_no_memory();
    }

    for (member = object->first; member != NULL; member = member->next) {
        label = ctl_object(ctl);

        if (!ctl_set_text(ctl, label, "label", member->name)
            || !ctl_set(ctl, label, "version", member))
        {
            return ctl_no_memory();
        }

        prompt_json_append(labels, label);
    }

    prompt_json_set(reader->prompt, prompt_str("labels"), labels);

    return CTL_OK;
}


static void
ctl_folder_fault(ctl_reader_t *reader, const char *format, ...)
{
    char     text[1024];
    va_list  args;

    va_start(args, format);
    (void) vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    ctl_error("%s", text);
    reader->fault = true;
}
