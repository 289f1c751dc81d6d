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


static void ctl_dir_none(int base, const char *name, bool make,
    const ctl_dir_t *folder);
static int ctl_dir_open_file(const ctl_dir_t *folder, const char *name,
    const char *path);
static void ctl_dir_replace(const ctl_dir_t *folder, const char *name,
    const char *beside, prompt_str_t text);
static const char *ctl_path(const ctl_t *ctl, const char *dir,
    const char *name);


/* DIR is where the user says, also by a link; below it there are none. */
void
ctl_dir_open(const ctl_t *ctl, const char *dir, const char *name, bool make,
    ctl_dir_t *folder)
{
    int  base;

    folder->path = ctl_path(ctl, dir, name);

    base = open(dir, CTL_DIR_FLAGS);
    if (base == -1) {
        ctl_file_failed(dir, "open");
    }

    if (make && mkdirat(base, name, 0777) == -1 && errno != EEXIST) {
        ctl_file_failed(folder->path, "create");
    }

    folder->fd = openat(base, name, CTL_DIR_FLAGS | O_NOFOLLOW);

    if (folder->fd == -1) {
        ctl_dir_none(base, name, make, folder);
    }

    (void) close(base);
}


/* The folder could not be opened, says errno: is there one? */
static void
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
        ctl_fail("%s: a symbolic link, which is not followed", folder->path);
    }

    if (make || (!link && error != ENOTDIR && error != ENOENT)) {
        errno = error;
        ctl_file_failed(folder->path, "open");
    }
}


void
ctl_dir_close(ctl_dir_t *folder)
{
    if (folder->fd != -1) {
        (void) close(folder->fd);
        folder->fd = -1;
    }
}


/* -1 where there is no such file; path is for messages */
static int
ctl_dir_open_file(const ctl_dir_t *folder, const char *name, const char *path)
{
    int          fd;
    struct stat  st;

    /* without waiting for whoever would write to a pipe */

    fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                                  | O_NOCTTY | O_CLOEXEC);
    if (fd == -1) {

        if (errno == ELOOP) {
            ctl_fail("%s: a symbolic link, which is not followed", path);
        }

        if (errno != ENOENT) {
            ctl_file_failed(path, "open");
        }

        return -1;
    }

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        ctl_fail("%s: not a regular file", path);
    }

    return fd;
}


prompt_str_t
ctl_dir_text(const ctl_t *ctl, const ctl_dir_t *folder, const char *name)
{
    int           fd;
    const char   *path;
    prompt_str_t  text;

    path = ctl_path(ctl, folder->path, name);
    fd = ctl_dir_open_file(folder, name, path);

    if (fd == -1) {
        return prompt_str_absent;
    }

    text = ctl_file_read(fd, path);
    (void) close(fd);

    return text;
}


json_t *
ctl_dir_json(const ctl_t *ctl, const ctl_dir_t *folder, const char *name)
{
    prompt_str_t  text;

    text = ctl_dir_text(ctl, folder, name);

    return text.data != NULL
           ? ctl_file_parse(ctl_path(ctl, folder->path, name), text) : NULL;
}


void
ctl_dir_write(const ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_str_t text, bool *changed)
{
    bool          same;
    prompt_str_t  old;

    old = ctl_dir_text(ctl, folder, name);
    same = old.data != NULL && prompt_str_eq(old, text);

    free((char *) old.data);

    if (!same) {
        *changed = true;
        ctl_dir_replace(folder, name,
                        ctl_printf(ctl, "%s.%ld.new", name,
                                   (long) getpid()).data, text);
    }
}


static void
ctl_dir_replace(const ctl_dir_t *folder, const char *name,
    const char *beside, prompt_str_t text)
{
    int    fd;
    bool   done;
    FILE  *file;

    fd = openat(folder->fd, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                                    | O_CLOEXEC, 0666);
    file = fd != -1 ? fdopen(fd, "w") : NULL;

    if (file == NULL) {
        ctl_fail("cannot create %s/%s: %s", folder->path, beside,
                 strerror(errno));
    }

    done = fwrite(text.data, 1, text.len, file) == text.len;
    done = fclose(file) == 0 && done;

    if (!done || renameat(folder->fd, beside, folder->fd, name) == -1) {
        ctl_error("cannot write %s/%s: %s", folder->path, name,
                  strerror(errno));
        (void) unlinkat(folder->fd, beside, 0);
        ctl_give_up();
    }
}


void
ctl_dir_write_json(const ctl_t *ctl, const ctl_dir_t *folder,
    const char *name, json_t *value, bool *changed)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, CTL_FILE_MAX);
    ctl_json_write(&buf, value, true);
    prompt_buf_char(&buf, '\n');
    json_decref(value);

    ctl_dir_write(ctl, folder, name, prompt_buf_view(&buf), changed);

    prompt_buf_free(&buf);
}


static const char *
ctl_path(const ctl_t *ctl, const char *dir, const char *name)
{
    return ctl_printf(ctl, "%s/%s", dir, name).data;
}


const char *
ctl_version_name(const ctl_t *ctl, int64_t number, const char *ending)
{
    return ctl_printf(ctl, "v%lld%s", (long long) number, ending).data;
}
