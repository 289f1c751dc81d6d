/*
 * Files of export and import.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl/files.h"


static int ctl_file_failed(const char *path, const char *what);
static int ctl_file_replace(const char *path, const char *beside,
    prompt_str_t text);
static bool ctl_file_put(int fd, prompt_str_t text);
static void ctl_json_indented(prompt_buf_t *buf, const prompt_json_t *value,
    unsigned depth);
static void ctl_json_line(prompt_buf_t *buf, unsigned depth);


int
ctl_file_text(ctl_t *ctl, const char *path, prompt_str_t *text)
{
    int           fd;
    char          chunk[16384];
    ssize_t       n;
    prompt_buf_t  buf;

    *text = prompt_str_absent;

    fd = strcmp(path, "-") == 0 ? STDIN_FILENO
                                : open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1) {
        return errno == ENOENT || errno == ENOTDIR
               ? CTL_OK : ctl_file_failed(path, "open");
    }

    prompt_buf_init(&buf, CTL_FILE_MAX);

    do {
        n = read(fd, chunk, sizeof(chunk));

        if (n > 0) {
            prompt_buf_append(&buf, chunk, (size_t) n);
        }

    } while ((n > 0 && buf.status == PROMPT_BUF_OK)
             || (n == -1 && errno == EINTR));

    if (fd != STDIN_FILENO) {
        (void) close(fd);
    }

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
ctl_file_json(ctl_t *ctl, const char *path, prompt_json_t **value)
{
    int                   rc;
    unsigned              line, column;
    prompt_str_t          text;
    prompt_json_error_t   error;

    *value = NULL;

    rc = ctl_file_text(ctl, path, &text);
    if (rc != CTL_OK || text.data == NULL) {
        return rc;
    }

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
ctl_file_write(ctl_t *ctl, const char *path, prompt_str_t text, bool *changed)
{
    int           rc;
    prompt_str_t  old, beside;

    rc = ctl_file_text(ctl, path, &old);
    if (rc != CTL_OK) {
        return rc;
    }

    if (old.data != NULL && prompt_str_eq(old, text)) {
        return CTL_OK;
    }

    beside = prompt_arena_printf(ctl->arena, "%s.%ld.new", path,
                                 (long) getpid());
    if (beside.data == NULL) {
        return ctl_no_memory();
    }

    *changed = true;

    return ctl_file_replace(path, beside.data, text);
}


static int
ctl_file_replace(const char *path, const char *beside, prompt_str_t text)
{
    int   fd;
    bool  done;

    fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd == -1) {
        return ctl_file_failed(beside, "create");
    }

    done = ctl_file_put(fd, text);

    if (close(fd) == -1) {
        done = false;
    }

    if (!done || rename(beside, path) == -1) {
        (void) ctl_file_failed(path, "write");
        (void) unlink(beside);
        return CTL_FAILED;
    }

    return CTL_OK;
}


static bool
ctl_file_put(int fd, prompt_str_t text)
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
ctl_file_write_json(ctl_t *ctl, const char *path, const prompt_json_t *value,
    bool *changed)
{
    int           rc;
    prompt_buf_t  buf;

    prompt_buf_init(&buf, CTL_FILE_MAX);
    ctl_json_indented(&buf, value, 0);
    prompt_buf_char(&buf, '\n');

    rc = buf.status == PROMPT_BUF_OK
         ? ctl_file_write(ctl, path, prompt_buf_view(&buf), changed)
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
ctl_path(ctl_t *ctl, const char *dir, const char *name, const char *file)
{
    return prompt_arena_printf(ctl->arena, "%s/%s%s%s", dir, name,
                               file != NULL ? "/" : "",
                               file != NULL ? file : "").data;
}


const char *
ctl_version_path(ctl_t *ctl, const char *dir, const char *name,
    int64_t number, const char *ending)
{
    return prompt_arena_printf(ctl->arena, "%s/%s/v%lld%s", dir, name,
                               (long long) number, ending).data;
}


static int
ctl_file_failed(const char *path, const char *what)
{
    ctl_error("cannot %s %s: %s", what, path, strerror(errno));

    return CTL_FAILED;
}
