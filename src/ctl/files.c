/*
 * Reading files.
 */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "ctl/files.h"


int
ctl_file_json(ctl_t *ctl, const char *path, prompt_json_t **value)
{
    int           fd, rc;
    prompt_str_t  text;

    *value = NULL;

    fd = strcmp(path, "-") == 0 ? STDIN_FILENO
                                : open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1) {
        return errno == ENOENT || errno == ENOTDIR
               ? CTL_OK : ctl_file_failed(path, "open");
    }

    rc = ctl_file_read(ctl, fd, path, &text);

    if (fd != STDIN_FILENO) {
        (void) close(fd);
    }

    return rc == CTL_OK ? ctl_file_parse(ctl, path, text, value) : rc;
}


int
ctl_file_read(ctl_t *ctl, int fd, const char *path, prompt_str_t *text)
{
    char          chunk[16384];
    ssize_t       n;
    prompt_buf_t  buf;

    *text = prompt_str_absent;

    prompt_buf_init(&buf, CTL_FILE_MAX);

    do {
        n = read(fd, chunk, sizeof(chunk));

        if (n > 0) {
            prompt_buf_append(&buf, chunk, (size_t) n);
        }

    } while ((n > 0 && buf.status == PROMPT_BUF_OK)
             || (n == -1 && errno == EINTR));

    if (n == -1) {
        prompt_buf_free(&buf);
        return ctl_file_failed(path, "read");
    }

    if (buf.status == PROMPT_BUF_LIMIT) {
        prompt_buf_free(&buf);
        ctl_error("%s: larger than %zu MiB", path, CTL_FILE_MAX >> 20);
        return CTL_FAILED;
    }

    if (buf.status == PROMPT_BUF_OK) {
        *text = prompt_arena_copy(ctl->arena, prompt_buf_view(&buf));
    }

    prompt_buf_free(&buf);

    return text->data != NULL ? CTL_OK : ctl_no_memory();
}


int
ctl_file_parse(ctl_t *ctl, const char *path, prompt_str_t text,
    prompt_json_t **value)
{
    unsigned              line, column;
    prompt_json_error_t   error;

    *value = prompt_json_read(ctl->arena, text, CTL_FILE_DEPTH, &error);

    if (*value != NULL) {
        return CTL_OK;
    }

    if (error.status == PROMPT_JSON_NOMEM) {
        return ctl_no_memory();
    }

    prompt_json_position(text, error.offset, &line, &column);
    ctl_error("%s:%u:%u: not JSON: %s", path, line, column, error.message);

    return CTL_FAILED;
}


int
ctl_file_failed(const char *path, const char *what)
{
    ctl_error("cannot %s %s: %s", what, path, strerror(errno));

    return CTL_FAILED;
}
