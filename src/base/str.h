/*
 * String view: a pointer and a length, owned by somebody else.
 *
 * Every layer speaks of text as prompt_str_t.  The bytes are not terminated
 * by NUL and may contain NUL; they live as long as whatever they point into
 * (an arena, a request body, a result of PostgreSQL).  A view with a NULL
 * pointer is "absent", which is not the same as empty.
 */

#ifndef PROMPT_BASE_STR_H
#define PROMPT_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>


typedef struct {
    const char  *data;
    size_t       len;
} prompt_str_t;


#define PROMPT_WARN_UNUSED  __attribute__((warn_unused_result))

/* a view of a string literal, also in static initializers */
#define prompt_str(literal)       ((prompt_str_t) prompt_str_init(literal))
#define prompt_str_init(literal)  { (literal), sizeof(literal) - 1 }
#define prompt_str_absent         ((prompt_str_t) { NULL, 0 })

/* for printf: "%.*s" */
#define prompt_str_arg(s)         (int) (s).len, (s).data


static inline prompt_str_t
prompt_str_of(const char *data, size_t len)
{
    return (prompt_str_t) { data, len };
}


/* a view of a NUL-terminated string; absent for NULL */
static inline prompt_str_t
prompt_str_from(const char *s)
{
    return (prompt_str_t) { s, s != NULL ? strlen(s) : 0 };
}


static inline bool
prompt_str_eq(prompt_str_t a, prompt_str_t b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}


/* byte order; shorter first where one is the beginning of the other */
static inline int
prompt_str_cmp(prompt_str_t a, prompt_str_t b)
{
    int     rc;
    size_t  n;

    n = a.len < b.len ? a.len : b.len;
    rc = n != 0 ? memcmp(a.data, b.data, n) : 0;

    if (rc != 0) {
        return rc;
    }

    return a.len < b.len ? -1 : a.len > b.len;
}


/* FNV-1a: for tables whose keys are bounded in number, not for secrets */
static inline uint32_t
prompt_str_hash(prompt_str_t s)
{
    size_t    i;
    uint32_t  h;

    h = 2166136261u;

    for (i = 0; i < s.len; i++) {
        h = (h ^ (unsigned char) s.data[i]) * 16777619u;
    }

    return h;
}

#endif /* PROMPT_BASE_STR_H */
