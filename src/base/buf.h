/*
 * Buffer: bytes that grow to a limit given at birth.
 *
 * Failure is sticky: after the first append that does not fit, or for which
 * memory is short, every later one does nothing, and one look at its status
 * at the end tells.  A half-written answer can so never be taken for a whole
 * one.
 */

#ifndef PROMPT_BASE_BUF_H
#define PROMPT_BASE_BUF_H

#include "base/str.h"


typedef enum {
    PROMPT_BUF_OK = 0,
    PROMPT_BUF_LIMIT,                /* more than limit bytes were wanted */
    PROMPT_BUF_NOMEM
} prompt_buf_status_t;


typedef struct {
    char                *data;       /* malloc()ed, owned by the buffer */
    size_t               len;
    size_t               cap;
    size_t               limit;
    prompt_buf_status_t  status;
} prompt_buf_t;


/* An empty buffer for at most limit bytes; allocates nothing yet. */
void prompt_buf_init(prompt_buf_t *buf, size_t limit);

/* Frees the bytes; the buffer is empty and usable again, its status OK. */
void prompt_buf_free(prompt_buf_t *buf);

/*
 * Takes the bytes out: the caller frees them with free().  The buffer is
 * empty afterwards.  Absent where status is not OK.
 */
prompt_str_t prompt_buf_release(prompt_buf_t *buf) PROMPT_WARN_UNUSED;

/* Room for n more bytes, or false (and the status says why). */
bool prompt_buf_reserve(prompt_buf_t *buf, size_t n);

/* The same; inline, since most answers are made of a few bytes at a time. */
static inline bool
prompt_buf_room(prompt_buf_t *buf, size_t n)
{
    return (buf->data != NULL && buf->status == PROMPT_BUF_OK
            && n <= buf->cap - buf->len)
           || prompt_buf_reserve(buf, n);
}

/* Appends len bytes. */
static inline void
prompt_buf_append(prompt_buf_t *buf, const char *data, size_t len)
{
    if (len != 0 && prompt_buf_room(buf, len)) {
        memcpy(buf->data + buf->len, data, len);
        buf->len += len;
    }
}

static inline void
prompt_buf_str(prompt_buf_t *buf, prompt_str_t s)
{
    prompt_buf_append(buf, s.data, s.len);
}

static inline void
prompt_buf_char(prompt_buf_t *buf, char c)
{
    prompt_buf_append(buf, &c, 1);
}

void prompt_buf_int(prompt_buf_t *buf, int64_t n);            /* decimal */
void prompt_buf_printf(prompt_buf_t *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define prompt_buf_literal(buf, literal)                                     \
    prompt_buf_append(buf, literal, sizeof(literal) - 1)

/* Back to len bytes, to undo what was written since; never beyond. */
void prompt_buf_truncate(prompt_buf_t *buf, size_t len);

/* a view of the bytes, valid until the next append */
static inline prompt_str_t
prompt_buf_view(const prompt_buf_t *buf)
{
    return prompt_str_of(buf->data != NULL ? buf->data : "", buf->len);
}

#endif /* PROMPT_BASE_BUF_H */
