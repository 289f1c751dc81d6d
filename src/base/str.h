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


/*
 * FNV-1a: a sum that tells what was changed by accident.  Not for tables:
 * names that collide are easily made.
 */
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


/* every bit of x moves every bit of the result; no two have the same one */
static inline uint64_t
prompt_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;

    return x;
}


/* up to eight bytes as a number, different ones of one length as different */
static inline uint64_t
prompt_str_word(prompt_str_t s)
{
    uint32_t              low, high;
    uint64_t              word;
    const unsigned char  *p;

    p = (const unsigned char *) s.data;

    if (s.len == sizeof(word)) {
        memcpy(&word, p, sizeof(word));
        return word;
    }

    if (s.len >= sizeof(low)) {
        memcpy(&low, p, sizeof(low));
        memcpy(&high, p + s.len - sizeof(high), sizeof(high));
        return (uint64_t) high << 32 | low;
    }

    if (s.len == 0) {
        return 0;
    }

    return (uint64_t) p[0] | (uint64_t) p[s.len / 2] << 8
           | (uint64_t) p[s.len - 1] << 16;
}


/*
 * A hash for tables.  seed: what nobody is shown who chooses the names, as an
 * address.  With one seed, no two texts of one length up to eight bytes have
 * the same hash.
 */
static inline uint64_t
prompt_str_hash_seeded(prompt_str_t s, uintptr_t seed)
{
    uint64_t  h, word;

    h = seed + s.len;

    while (s.len > sizeof(word)) {
        memcpy(&word, s.data, sizeof(word));
        h = prompt_hash_mix(h ^ word);

        s.data += sizeof(word);
        s.len -= sizeof(word);
    }

    return prompt_hash_mix(h ^ prompt_str_word(s));
}

#endif /* PROMPT_BASE_STR_H */
