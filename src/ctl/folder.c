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
#include "ctl/dir.h"
#include "ctl/folder.h"


/* what is being read */
typedef struct {
    const ctl_t  *ctl;
    ctl_dir_t     dir;
    json_t       *prompt;
    bool          fault;
} ctl_reader_t;


static void ctl_folder_files(ctl_reader_t *reader, bool labels);
static void ctl_folder_versions(ctl_reader_t *reader);
static int ctl_folder_is_version(const struct dirent *entry);
static json_t *ctl_folder_version(ctl_reader_t *reader, int64_t number);
static void ctl_folder_labels(ctl_reader_t *reader);
static json_t *ctl_folder_object(ctl_reader_t *reader, const char *file,
    bool needed, const char *const *own);
static void ctl_folder_fault(ctl_reader_t *reader, const char *file,
    const char *format, ...) __attribute__((format(printf, 3, 4)));


json_t *
ctl_folder_read(const ctl_t *ctl, const char *dir, const char *name,
    bool labels, const char **path, bool *fault)
{
    ctl_reader_t  reader;

    reader.ctl = ctl;
    reader.prompt = NULL;
    reader.fault = false;

    ctl_dir_open(ctl, dir, name, false, &reader.dir);

    /* a README beside the folders is no prompt */

    if (reader.dir.fd == -1) {
        return NULL;
    }

    ctl_folder_files(&reader, labels);
    ctl_dir_close(&reader.dir);

    *path = reader.dir.path;
    *fault |= reader.fault;

    return reader.fault ? NULL : reader.prompt;
}


static void
ctl_folder_files(ctl_reader_t *reader, bool labels)
{
    static const char *const  own[] = { "versions", "labels", NULL };

    reader->prompt = ctl_folder_object(reader, "prompt.json", false, own);

    if (reader->prompt != NULL && !reader->fault) {
        ctl_folder_versions(reader);
    }

    if (reader->prompt != NULL && !reader->fault && labels) {
        ctl_folder_labels(reader);
    }
}


/*
 * A file with an object, without what other files say; NULL where there is no
 * such file.
 */
static json_t *
ctl_folder_object(ctl_reader_t *reader, const char *file, bool needed,
    const char *const *own)
{
    json_t  *object;

    object = ctl_dir_json(reader->ctl, &reader->dir, file);

    if (object != NULL ? !json_is_object(object) : needed) {
        ctl_folder_fault(reader, file, "%s", object == NULL
                         ? "missing" : "not a JSON object");
    }

    for ( /* void */ ; *own != NULL; own++) {
        if (json_object_get(object, *own) != NULL) {
            ctl_folder_fault(reader, file, "\"%s\" has a file of its own",
                             *own);
        }
    }

    return object;
}


static void
ctl_folder_versions(ctl_reader_t *reader)
{
    int              i, n;
    json_t          *versions, *version;
    struct dirent  **files;

    versions = ctl_json(json_array());
    ctl_json_set(reader->prompt, "versions", versions);

    n = scandirat(reader->dir.fd, ".", &files, ctl_folder_is_version,
                  versionsort);
    if (n == -1) {
        ctl_fail("cannot read %s: %s", reader->dir.path, strerror(errno));
    }

    for (i = 0; i < n; i++) {
        version = ctl_folder_version(reader,
                                     strtoll(files[i]->d_name + 1, NULL, 10));

        if (version != NULL) {
            ctl_json_append(versions, version);
        }

        free(files[i]);
    }

    free(files);
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


/* NULL where a file is wrong */
static json_t *
ctl_folder_version(ctl_reader_t *reader, int64_t number)
{
    json_t                   *version;
    const char               *text;
    prompt_str_t              content;
    static const char *const  own[] = { "version", "content", NULL };

    text = ctl_version_name(reader->ctl, number, ".txt");
    content = ctl_dir_text(reader->ctl, &reader->dir, text);

    version = ctl_folder_object(reader,
                                ctl_version_name(reader->ctl, number, ".json"),
                                true, own);

    if (!reader->fault
        && (content.data == NULL || !prompt_utf8_valid(content)))
    {
        ctl_folder_fault(reader, text, "not UTF-8");
    }

    if (!reader->fault) {
        ctl_json_set(version, "content", ctl_json_text(content));
        ctl_json_set(version, "version", json_integer(number));
    }

    free((char *) content.data);

    return reader->fault ? NULL : version;
}


/* What labels.json has, where there is one. */
static void
ctl_folder_labels(ctl_reader_t *reader)
{
    json_t                   *object, *labels, *version;
    const char               *name;
    static const char *const  own[] = { NULL };

    object = ctl_folder_object(reader, "labels.json", false, own);

    if (object == NULL || reader->fault) {
        return;
    }

    labels = ctl_json(json_array());

    json_object_foreach(object, name, version) {
        ctl_json_append(labels, json_pack("{s:s, s:O}", "label", name,
                                          "version", version));
    }

    ctl_json_set(reader->prompt, "labels", labels);
    json_decref(object);
}


static void
ctl_folder_fault(ctl_reader_t *reader, const char *file, const char *format,
    ...)
{
    char     text[1024];
    va_list  args;

    va_start(args, format);
    (void) vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    ctl_error("%s/%s: %s", reader->dir.path, file, text);
    reader->fault = true;
}
