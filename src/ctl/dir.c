/*
 * Folders of export and import.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl/dir.h"
#include "ctl/files.h"


#define CTL_DIR_FLAGS  (O_RDONLY | O_DIRECTORY | O_CLOEXEC)


static int ctl_dir_open_below(ctl_t *ctl, const char *dir, const char *name,
    bool make, ctl_dir_t *folder);
static int ctl_dir_none(int base, const char *name, bool make,
    const ctl_dir_t *folder);
static int ctl_dir_open_file(ctl_t *ctl, const ctl_dir_t *folder,
    const char *name, const char **path, int *fd);
static int ctl_dir_replace(const ctl_dir_t *folder, const char *name,
    const char *beside, prompt_str_t text);
static bool ctl_dir_put(int fd, prompt_str_t text);
static void ctl_json_indented(prompt_buf_t *buf, const prompt_json_t *value,
    unsigned depth);
static void ctl_json_line(prompt_buf_t *buf, unsigned depth);


int
ctl_dir_open(ctl_t *ctl, const char *dir, const char *name,
    ctl_dir_t *folder)
{
    return ctl_dir_open_below(ctl, dir, name, false, folder);
}


int
ctl_dir_make(ctl_t *ctl, const char *dir, const char *name,
    ctl_dir_t *folder)
{
    return ctl_dir_open_below(ctl, dir, name, true, folder);
}


/* DIR is where the user says, also by a link; below it there are none. */

static int
ctl_dir_open_below(ctl_t *ctl, const char *dir, const char *name, bool make,
    ctl_dir_t *folder)
{
    int  base, rc;

    folder->fd = -1;
    folder->path = ctl_path(ctl, dir, name);

    if (folder->path == NULL) {
        return ctl_no_memory();
    }

    base = open(dir, CTL_DIR_FLAGS);
    if (base == -1) {
        return ctl_file_failed(dir, "open");
    }

    rc = CTL_OK;

    if (make && mkdirat(base, name, 0777) == -1 && errno != EEXIST) {
        rc = ctl_file_failed(folder->path, "create");

    } else {
        folder->fd = openat(base, name, CTL_DIR_FLAGS | O_NOFOLLOW);

        if (folder->fd == -1) {
            rc = ctl_dir_none(base, name, make, folder);
        }
    }

    (void) close(base);

    return rc;
}


/* The folder could not be opened, says errno: is there one? */

static int
ctl_dir_none(int base, const char *name, bool make, const ctl_dir_t *folder)
{
    int          error;
    bool         link;
    struct stat  st;

    error = errno;

    link = fstatat(base, name, &st, AT_SYMLINK_NOFOLLOW) == 0
           && S_ISLNK(st.st_mode);

    if (link && (make || (fstatat(base, name, &st, 0) == 0
                          && S_ISDIR(st.st_mode))))
    {
        ctl_error("%s: a symbolic link, which is not followed", folder->path);
        return CTL_FAILED;
    }

    if (!make && (link || error == ENOTDIR || error == ENOENT)) {
        return CTL_OK;
    }

    errno = error;

    return ctl_file_failed(folder->path, "open");
}


void
ctl_dir_close(ctl_dir_t *folder)
{
    if (folder->fd != -1) {
        (void) close(folder->fd);
        folder->fd = -1;
    }
}


/* *fd is -1 where there is no such file; *path is its path, for messages */

static int
ctl_dir_open_file(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    const char **path, int *fd)
{
    struct stat  st;

    *fd = -1;
    *path = ctl_path(ctl, folder->path, name);

    if (*path == NULL) {
        return ctl_no_memory();
    }

    /* without waiting for whoever would write to a pipe */

    *fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                                   | O_NOCTTY | O_CLOEXEC);
    if (*fd == -1) {

        if (errno == ENOENT) {
            return CTL_OK;
        }

        if (errno == ELOOP) {
            ctl_error("%s: a symbolic link, which is not followed", *path);
            return CTL_FAILED;
        }

        return ctl_file_failed(*path, "open");
    }

    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode)) {
        return CTL_OK;
    }

    ctl_error("%s: not a regular file", *path);

    (void) close(*fd);
    *fd = -1;

    return CTL_FAILED;
}


int
ctl_dir_text(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_str_t *text)
{
    int          fd, rc;
    const char  *path;

    *text = prompt_str_absent;

    rc = ctl_dir_open_file(ctl, folder, name, &path, &fd);

    if (rc == CTL_OK && fd != -1) {
        rc = ctl_file_read(ctl, fd, path, text);
        (void) close(fd);
    }

    return rc;
}


int
ctl_dir_json(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_json_t **value)
{
    int           rc;
    const char   *path;
    prompt_str_t  text;

    *value = NULL;

    rc = ctl_dir_text(ctl, folder, name, &text);

    if (rc != CTL_OK || text.data == NULL) {
        return rc;
    }

    path = ctl_path(ctl, folder->path, name);

    return path != NULL ? ctl_file_parse(ctl, path, text, value)
                        : ctl_no_memory();
}


int
ctl_dir_write(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_str_t text, bool *changed)
{
    int           rc;
    prompt_str_t  old, beside;

    rc = ctl_dir_text(ctl, folder, name, &old);
    if (rc != CTL_OK) {
        return rc;
    }

    if (old.data != NULL && prompt_str_eq(old, text)) {
        return CTL_OK;
    }

    beside = prompt_arena_printf(ctl->arena, "%s.%ld.new", name,
                                 (long) getpid());
    if (beside.data == NULL) {
        return ctl_no_memory();
    }

    *changed = true;

    return ctl_dir_replace(folder, name, beside.data, text);
}


static int
ctl_dir_replace(const ctl_dir_t *folder, const char *name,
    const char *beside, prompt_str_t text)
{
    int   fd;
    bool  done;

    fd = openat(folder->fd, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                                    | O_CLOEXEC, 0666);
    if (fd == -1) {
        ctl_error("cannot create %s/%s: %s", folder->path, beside,
                  strerror(errno));
        return CTL_FAILED;
    }

    done = ctl_dir_put(fd, text);

    if (close(fd) == -1) {
        done = false;
    }

    if (!done || renameat(folder->fd, beside, folder->fd, name) == -1) {
        ctl_error("cannot write %s/%s: %s", folder->path, name,
                  strerror(errno));
        (void) unlinkat(folder->fd, beside, 0);
        return CTL_FAILED;
    }

    return CTL_OK;
}


static bool
ctl_dir_put(int fd, prompt_str_t text)
{
    size_t   done;
    ssize_t  n;

    done = 0;

    while (done < text.len) {
        n = write(fd, text.data + done, text.len - done);

        if (n == -1 && errno == EINTR) {
            continue;
        }

        if (n == -1) {
            return false;
        }

        done += (size_t) n;
    }

    return true;
}


int
ctl_dir_write_json(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    const prompt_json_t *value, bool *changed)
{
    int           rc;
    prompt_buf_t  buf;

    prompt_buf_init(&buf, CTL_FILE_MAX);
    ctl_json_indented(&buf, value, 0);
    prompt_buf_char(&buf, '\n');

    rc = buf.status == PROMPT_BUF_OK
         ? ctl_dir_write(ctl, folder, name, prompt_buf_view(&buf), changed)
         : ctl_no_memory();

    prompt_buf_free(&buf);

    return rc;
}


/* what is nested deeper than any text that was read stays on one line */

static void
ctl_json_indented(prompt_buf_t *buf, const prompt_json_t *value,
    unsigned depth)
{
    bool                  object;
    const prompt_json_t  *item;

    object = value->type == PROMPT_JSON_OBJECT;

    if ((!object && value->type != PROMPT_JSON_ARRAY) || value->first == NULL
        || depth >= CTL_FILE_DEPTH)
    {
        prompt_json_write(buf, value);
        return;
    }

    prompt_buf_char(buf, object ? '{' : '[');

    for (item = value->first; item != NULL; item = item->next) {
        ctl_json_line(buf, depth + 1);

        if (object) {
            prompt_json_write_string(buf, item->name);
            prompt_buf_literal(buf, ": ");
        }

        ctl_json_indented(buf, item, depth + 1);

        if (item->next != NULL) {
            prompt_buf_char(buf, ',');
        }
    }

    ctl_json_line(buf, depth);
    prompt_buf_char(buf, object ? '}' : ']');
}


static void
ctl_json_line(prompt_buf_t *buf, unsigned depth)
{
    prompt_buf_char(buf, '\n');

    while (depth-- != 0) {
        prompt_buf_literal(buf, "  ");
    }
}


const char *
ctl_path(ctl_t *ctl, const char *dir, const char *name)
{
    return prompt_arena_printf(ctl->arena, "%s/%s", dir, name).data;
}


const char *
ctl_version_name(ctl_t *ctl, int64_t number, const char *ending)
{
    return prompt_arena_printf(ctl->arena, "v%lld%s", (long long) number,
                               ending).data;
}
