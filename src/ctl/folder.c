/*
 * A prompt's folder, read and checked.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"
#include "ctl/api.h"
#include "ctl/dir.h"
#include "ctl/folder.h"
#include "ctl/property.h"
#include "prompt/name.h"


/* what is being read */
typedef struct {
    ctl_t         *ctl;
    ctl_dir_t      dir;
    ctl_folder_t  *folder;
    bool           labels;                   /* are read */
    bool           fault;
} ctl_reader_t;


static int ctl_folder_read_files(ctl_reader_t *reader);
static int ctl_folder_check(ctl_reader_t *reader, const char *path);
static bool ctl_folder_member(const prompt_json_t *member);
static int ctl_folder_versions(ctl_reader_t *reader);
static int ctl_folder_version(ctl_reader_t *reader, int64_t number);
static bool ctl_folder_properties(ctl_t *ctl, const prompt_json_t *object,
    prompt_json_t *version, bool *whole);
static int ctl_folder_labels(ctl_reader_t *reader);
static int ctl_folder_label(ctl_reader_t *reader,
    const prompt_json_t *label);
static int ctl_folder_count(ctl_reader_t *reader, int64_t *files,
    int64_t *highest);
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
    reader.folder = folder;
    reader.labels = labels;
    reader.fault = false;

    rc = ctl_dir_open(ctl, dir, name, &reader.dir);

    /* a README beside the folders is no prompt */

    if (rc != CTL_OK || reader.dir.fd == -1) {
        return rc;
    }

    folder->path = reader.dir.path;

    rc = ctl_folder_read_files(&reader);

    ctl_dir_close(&reader.dir);

    if (reader.fault) {
        *fault = true;
        folder->name = NULL;
    }

    return rc;
}


static int
ctl_folder_read_files(ctl_reader_t *reader)
{
    int            rc;
    const char    *path;
    ctl_folder_t  *folder;

    folder = reader->folder;
    folder->versions = prompt_json_new(reader->ctl->arena, PROMPT_JSON_ARRAY);
    path = ctl_path(reader->ctl, reader->dir.path, "prompt.json");

    if (folder->versions == NULL || path == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_dir_json(reader->ctl, &reader->dir, "prompt.json",
                      &folder->metadata);

    if (rc != CTL_OK || folder->metadata == NULL) {
        return rc;
    }

    rc = ctl_folder_check(reader, path);

    if (rc == CTL_OK) {
        rc = ctl_folder_versions(reader);
    }

    return rc == CTL_OK && reader->labels ? ctl_folder_labels(reader) : rc;
}


/* What prompt.json says is of the right types, and has a name. */

static int
ctl_folder_check(ctl_reader_t *reader, const char *path)
{
    prompt_str_t          kebab;
    prompt_fault_t        fault;
    prompt_check_t        check;
    const prompt_json_t  *local, *member;

    local = reader->folder->metadata;

    if (local->type != PROMPT_JSON_OBJECT) {
        ctl_folder_fault(reader, "%s: not a JSON object", path);
        return CTL_OK;
    }

    for (member = local->first; member != NULL; member = member->next) {
        if (!ctl_folder_member(member)) {
            ctl_folder_fault(reader, "%s: \"%.*s\" is unknown or has a wrong "
                             "type", path, prompt_str_arg(member->name));
        }
    }

    if (ctl_text(local, "name").data == NULL) {
        ctl_folder_fault(reader, "%s: no \"name\"", path);
        return CTL_OK;
    }

    check = prompt_name(reader->ctl->arena, ctl_text(local, "name"), &kebab,
                        &fault);

    if (check == PROMPT_CHECK_FAULT) {
        ctl_folder_fault(reader, "%s: %.*s", path,
                         prompt_str_arg(fault.message));
        return CTL_OK;
    }

    if (check == PROMPT_CHECK_OK) {
        reader->folder->name = prompt_arena_copy(reader->ctl->arena,
                                                 kebab).data;
    }

    return reader->folder->name != NULL ? CTL_OK : ctl_no_memory();
}


static bool
ctl_folder_member(const prompt_json_t *member)
{
    const ctl_property_t  *p;

    for (p = ctl_property(ctl_prompt_properties, CTL_FILED);
         p != NULL;
         p = ctl_property(p + 1, CTL_FILED))
    {
        if (prompt_str_eq(member->name, prompt_str_from(p->name))) {
            return ctl_property_fits(p, member);
        }
    }

    return false;
}


static int
ctl_folder_versions(ctl_reader_t *reader)
{
    int      rc;
    int64_t  number, files, highest;

    rc = ctl_folder_count(reader, &files, &highest);
    if (rc != CTL_OK) {
        return rc;
    }

    if (files != highest) {
        ctl_folder_fault(reader, "%s: the versions are not v1 to v%lld "
                         "without a gap", reader->folder->path,
                         (long long) highest);
        return CTL_OK;
    }

    for (number = 1; number <= files; number++) {
        rc = ctl_folder_version(reader, number);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


static int
ctl_folder_version(ctl_reader_t *reader, int64_t number)
{
    int             rc;
    bool            whole;
    ctl_t          *ctl;
    const char     *text, *json;
    prompt_str_t    content;
    prompt_json_t  *object, *version;

    ctl = reader->ctl;

    text = ctl_version_name(ctl, number, ".txt");
    json = ctl_version_name(ctl, number, ".json");

    if (text == NULL || json == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_dir_text(ctl, &reader->dir, text, &content);

    if (rc == CTL_OK) {
        rc = ctl_dir_json(ctl, &reader->dir, json, &object);
    }

    if (rc != CTL_OK) {
        return rc;
    }

    version = ctl_object(ctl);

    if (!ctl_set_text(ctl, version, "content", content)
        || !ctl_folder_properties(ctl, object, version, &whole))
    {
        return ctl_no_memory();
    }

    if (!whole) {
        ctl_folder_fault(reader, "%s/%s: missing, or it does not have "
                         "\"params\" and optionally \"messages\" and "
                         "\"inputSchema\", and nothing else",
                         reader->dir.path, json);
        return CTL_OK;
    }

    if (content.data == NULL || !prompt_utf8_valid(content)) {
        ctl_folder_fault(reader, "%s/%s: not UTF-8", reader->dir.path, text);
        return CTL_OK;
    }

    prompt_json_append(reader->folder->versions, version);

    return CTL_OK;
}


/*
 * Takes what a version has beside its content; *whole: that is all that it
 * must have, and there is nothing else.  False: memory.
 */

static bool
ctl_folder_properties(ctl_t *ctl, const prompt_json_t *object,
    prompt_json_t *version, bool *whole)
{
    uint32_t               count;
    prompt_json_t         *filed;
    const prompt_json_t   *member;
    const ctl_property_t  *p;

    count = 0;
    *whole = true;

    for (p = ctl_property(ctl_version_properties, CTL_FILED);
         p != NULL;
         p = ctl_property(p + 1, CTL_FILED))
    {
        if (strcmp(p->name, "content") == 0) {
            continue;
        }

        member = ctl_member(object, p->name);

        if (member != NULL) {
            count++;

        } else if ((p->flags & (CTL_NULLABLE|CTL_OMITTED)) == 0) {
            *whole = false;
        }

        if (member != NULL && p->kind == CTL_MESSAGES
            && !ctl_property_fits(p, member))
        {
            *whole = false;
            continue;
        }

        filed = ctl_property_filed(ctl, p, member);

        if (filed == NULL || !ctl_set(ctl, version, p->name, filed)) {
            return false;
        }
    }

    *whole = *whole && object->count == count;

    return true;
}


/* What labels.json has, where there is one. */

static int
ctl_folder_labels(ctl_reader_t *reader)
{
    int                   rc;
    ctl_folder_t         *folder;
    const prompt_json_t  *label;

    folder = reader->folder;

    rc = ctl_dir_json(reader->ctl, &reader->dir, "labels.json",
                      &folder->labels);

    if (rc != CTL_OK || folder->labels == NULL) {
        return rc;
    }

    if (folder->labels->type != PROMPT_JSON_OBJECT) {
        ctl_folder_fault(reader, "%s/labels.json: not a JSON object",
                         folder->path);
        return CTL_OK;
    }

    for (label = folder->labels->first; label != NULL; label = label->next) {
        rc = ctl_folder_label(reader, label);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


static int
ctl_folder_label(ctl_reader_t *reader, const prompt_json_t *label)
{
    int64_t         number;
    prompt_fault_t  fault;
    prompt_check_t  check;

    check = prompt_label(reader->ctl->arena, label->name, &fault);

    if (check == PROMPT_CHECK_NOMEM) {
        return ctl_no_memory();
    }

    if (check == PROMPT_CHECK_FAULT) {
        ctl_folder_fault(reader, "%s/labels.json: \"%.*s\": %.*s",
                         reader->folder->path, prompt_str_arg(label->name),
                         prompt_str_arg(fault.message));
        return CTL_OK;
    }

    if (label->type != PROMPT_JSON_NUMBER
        || !prompt_json_integer(label, &number)
        || number < 1 || number > INT32_MAX)
    {
        ctl_folder_fault(reader, "%s/labels.json: \"%.*s\" is not the number "
                         "of a version", reader->folder->path,
                         prompt_str_arg(label->name));
    }

    return CTL_OK;
}


/* how many v<N>.txt there are, and the highest N */

static int
ctl_folder_count(ctl_reader_t *reader, int64_t *files, int64_t *highest)
{
    int             fd;
    DIR            *dir;
    long            number;
    char           *end;
    const char     *name;
    struct dirent  *entry;

    *files = 0;
    *highest = 0;

    /* a stream of its own: closing it closes its descriptor */

    fd = openat(reader->dir.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd != -1 ? fdopendir(fd) : NULL;

    if (dir == NULL) {
        ctl_error("cannot read %s: %s", reader->dir.path, strerror(errno));

        if (fd != -1) {
            (void) close(fd);
        }

        return CTL_FAILED;
    }

    while ((entry = readdir(dir)) != NULL) {
        name = entry->d_name;

        if (name[0] != 'v' || name[1] < '1' || name[1] > '9') {
            continue;
        }

        number = strtol(name + 1, &end, 10);

        if (strcmp(end, ".txt") == 0) {
            *files += 1;
            *highest = number > *highest ? number : *highest;
        }
    }

    (void) closedir(dir);

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
