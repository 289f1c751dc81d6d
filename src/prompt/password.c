/*
 * Passwords: hashing, verifying, and reading the parameters of a text.
 */

#include "prompt/password.h"

#include <argon2.h>
#include <stdio.h>
#include <sys/mman.h>


#define PROMPT_PASSWORD_LANES     1
#define PROMPT_PASSWORD_HASH      32

/* what a text may ask of a server: else one row could stop it */
#define PROMPT_PASSWORD_MAX_MEMORY  (256 * 1024)     /* KiB */
#define PROMPT_PASSWORD_MAX_PASSES  16
#define PROMPT_PASSWORD_MAX_LANES   4


/* what a text has */
typedef struct {
    uint32_t  memory;
    uint32_t  passes;
    uint32_t  lanes;
    size_t    salt_len;
    size_t    hash_len;
    uint8_t   salt[PROMPT_PASSWORD_TEXT];
    uint8_t   hash[PROMPT_PASSWORD_TEXT];
} prompt_password_text_t;


/*
 * In place of what is not there: a text of the parameters above that no
 * password is known for.
 */
static const char  prompt_password_none[] =
    "$argon2id$v=19$m=19456,t=2,p=1$cHJvbXB0LW5vLWFjY291bnQ"
    "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static const char  prompt_password_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";


bool
prompt_password_valid(prompt_str_t password)
{
    return password.len >= PROMPT_PASSWORD_MIN
           && password.len <= PROMPT_PASSWORD_MAX;
}


/*
 * What a hash works in is of pages of its own, which go back at once: each
 * thread of a pool would keep what malloc() gave it.
 */
static int
prompt_password_alloc(uint8_t **memory, size_t len)
{
    void  *pages;

    pages = mmap(NULL, len, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED) {
        return ARGON2_MEMORY_ALLOCATION_ERROR;
    }

    *memory = pages;

    return ARGON2_OK;
}


static void
prompt_password_free(uint8_t *memory, size_t len)
{
    (void) munmap(memory, len);
}


/* out: where the hash comes; the context points to all of them */
static argon2_context
prompt_password_context(prompt_str_t password, prompt_password_text_t *text,
    uint8_t *out)
{
    argon2_context  context;

    memset(&context, 0, sizeof(context));

    context.out = out;
    context.outlen = (uint32_t) text->hash_len;
    context.pwd = (uint8_t *) password.data;
    context.pwdlen = (uint32_t) password.len;
    context.salt = text->salt;
    context.saltlen = (uint32_t) text->salt_len;
    context.t_cost = text->passes;
    context.m_cost = text->memory;
    context.lanes = text->lanes;
    context.threads = text->lanes;
    context.version = ARGON2_VERSION_13;
    context.allocate_cbk = prompt_password_alloc;
    context.free_cbk = prompt_password_free;
    context.flags = ARGON2_DEFAULT_FLAGS;

    return context;
}


/* Base64 without padding, as texts have it; where it ends */
static char *
prompt_password_encode(char *p, const uint8_t *data, size_t len)
{
    size_t    i;
    uint32_t  bits, n;

    bits = 0;
    n = 0;

    for (i = 0; i < len; i++) {
        bits = (bits << 8) | data[i];

        for (n += 8; n >= 6; n -= 6) {
            *p++ = prompt_password_digits[(bits >> (n - 6)) & 63];
        }
    }

    if (n > 0) {
        *p++ = prompt_password_digits[(bits << (6 - n)) & 63];
    }

    return p;
}


bool
prompt_password_hash(prompt_str_t password,
    const uint8_t salt[PROMPT_PASSWORD_SALT], char out[PROMPT_PASSWORD_TEXT])
{
    char                    *p;
    argon2_context           context;
    prompt_password_text_t   text;

    text.memory = PROMPT_PASSWORD_MEMORY;
    text.passes = PROMPT_PASSWORD_PASSES;
    text.lanes = PROMPT_PASSWORD_LANES;
    text.salt_len = PROMPT_PASSWORD_SALT;
    text.hash_len = PROMPT_PASSWORD_HASH;
    memcpy(text.salt, salt, PROMPT_PASSWORD_SALT);

    context = prompt_password_context(password, &text, text.hash);

    if (argon2_ctx(&context, Argon2_id) != ARGON2_OK) {
        return false;
    }

    p = out + sprintf(out, "$argon2id$v=19$m=%d,t=%d,p=%d$",
                      PROMPT_PASSWORD_MEMORY, PROMPT_PASSWORD_PASSES,
                      PROMPT_PASSWORD_LANES);
    p = prompt_password_encode(p, text.salt, text.salt_len);
    *p++ = '$';
    p = prompt_password_encode(p, text.hash, text.hash_len);
    *p = '\0';

    return true;
}


static bool
prompt_password_skip(const char **p, const char *last, const char *what)
{
    size_t  len;

    len = strlen(what);

    if ((size_t) (last - *p) < len || memcmp(*p, what, len) != 0) {
        return false;
    }

    *p += len;

    return true;
}


static bool
prompt_password_number(const char **p, const char *last, uint32_t *number)
{
    const char  *start;

    *number = 0;

    for (start = *p; *p < last && **p >= '0' && **p <= '9'; (*p)++) {

        if (*p - start == 8) {
            return false;
        }

        *number = *number * 10 + (uint32_t) (**p - '0');
    }

    return *p != start;
}


/*
 * Up to what is no digit, at most PROMPT_PASSWORD_TEXT bytes; false where the
 * end stands in the middle of a byte.
 */
static bool
prompt_password_decode(const char **p, const char *last, uint8_t *data,
    size_t *len)
{
    uint32_t     bits, n;
    const char  *digit;

    bits = 0;
    n = 0;

    for (*len = 0; *p < last; (*p)++) {
        digit = memchr(prompt_password_digits, **p, 64);

        if (digit == NULL) {
            break;
        }

        bits = (bits << 6) | (uint32_t) (digit - prompt_password_digits);
        n += 6;

        if (n >= 8) {
            n -= 8;
            data[(*len)++] = (uint8_t) (bits >> n);
            bits &= (1u << n) - 1;
        }
    }

    return n <= 4 && bits == 0;
}


/* false where it is none, or asks for too much */
static bool
prompt_password_read(prompt_str_t stored, prompt_password_text_t *text)
{
    const char  *p, *last;

    if (stored.len >= PROMPT_PASSWORD_TEXT) {
        return false;
    }

    p = stored.data;
    last = p + stored.len;

    return prompt_password_skip(&p, last, "$argon2id$v=19$m=")
           && prompt_password_number(&p, last, &text->memory)
           && prompt_password_skip(&p, last, ",t=")
           && prompt_password_number(&p, last, &text->passes)
           && prompt_password_skip(&p, last, ",p=")
           && prompt_password_number(&p, last, &text->lanes)
           && prompt_password_skip(&p, last, "$")
           && prompt_password_decode(&p, last, text->salt, &text->salt_len)
           && prompt_password_skip(&p, last, "$")
           && prompt_password_decode(&p, last, text->hash, &text->hash_len)
           && p == last
           && text->memory <= PROMPT_PASSWORD_MAX_MEMORY
           && text->passes <= PROMPT_PASSWORD_MAX_PASSES
           && text->lanes <= PROMPT_PASSWORD_MAX_LANES;
}


prompt_password_e
prompt_password_verify(prompt_str_t password, prompt_str_t text)
{
    uint8_t                 made[PROMPT_PASSWORD_TEXT];
    argon2_context          context;
    prompt_password_text_t  stored;

    if (!prompt_password_read(text.data != NULL
                              ? text : prompt_str(prompt_password_none),
                              &stored))
    {
        return PROMPT_PASSWORD_UNREADABLE;
    }

    context = prompt_password_context(password, &stored, made);

    switch (argon2_verify_ctx(&context, (const char *) stored.hash,
                              Argon2_id))
    {
    case ARGON2_OK:
        return PROMPT_PASSWORD_RIGHT;

    case ARGON2_VERIFY_MISMATCH:
        return PROMPT_PASSWORD_WRONG;

    case ARGON2_MEMORY_ALLOCATION_ERROR:
    case ARGON2_THREAD_FAIL:
        return PROMPT_PASSWORD_NOMEM;

    default:
        return PROMPT_PASSWORD_UNREADABLE;
    }
}


bool
prompt_password_is_old(prompt_str_t text)
{
    prompt_password_text_t  stored;

    return prompt_password_read(text, &stored)
           && (stored.memory < PROMPT_PASSWORD_MEMORY
               || stored.passes < PROMPT_PASSWORD_PASSES);
}
