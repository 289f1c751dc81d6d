/*
 * Reading files.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctl/files.h"


json_t *
ctl_file_json(const char *path)
{
    int           fd;
    prompt_str_t  text;

    fd = strcmp(path, "-") == 0 ? STDIN_FILENO
                                : open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1) {

        if (errno == ENOENT || errno == ENOTDIR) {
            ctl_fail("%s: no such file", path);
        }

        ctl_file_failed(path, "open");
    }

    text = ctl_file_read(fd, path);

    if (fd != STDIN_FILENO) {
        (void) close(fd);
    }

    return ctl_file_parse(path, text);
}


prompt_str_t
ctl_file_read(int fd, const char *path)
{
    char          chunk[16384];
    ssize_t       n;
    prompt_buf_t  buf;
    prompt_str_t  text;

    prompt_buf_init(&buf, CTL_FILE_MAX);

    do {
        n = read(fd, chunk, sizeof(chunk));

        if (n > 0) {
            prompt_buf_append(&buf, chunk, (size_t) n);
        }

    } while ((n > 0 && buf.status == PROMPT_BUF_OK)
             || (n == -1 && errno == EINTR));

    if (n == -1) {
        ctl_file_failed(path, "read");
    }

    if (buf.status == PROMPT_BUF_LIMIT) {
        ctl_fail("%s: larger than %zu MiB", path, CTL_FILE_MAX >> 20);
    }

    text = prompt_buf_release(&buf);

    if (text.data == NULL) {
        ctl_no_memory();
    }

    return text;
}


json_t *
ctl_file_parse(const char *path, prompt_str_t text)
{
    json_t        *value;
    json_error_t   error;

    value = ctl_json_read(text, &error);

    if (value == NULL) {
        ctl_fail("%s:%d:%d: not JSON: %s", path, error.line, error.column,
                 error.text);
    }

    free((char *) text.data);

    return value;
}


void
ctl_file_failed(const char *path, const char *what)
{
    ctl_fail("cannot %s %s: %s", what, path, strerror(errno));
}
