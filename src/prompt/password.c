/*
 * Passwords: hashing, verifying, and reading the parameters of a text.
 */

#include "prompt/password.h"

#include <argon2.h>


#define PROMPT_PASSWORD_LANES     1
#define PROMPT_PASSWORD_HASH      32

/* what a text may ask of a server: else one row could stop it */
#define PROMPT_PASSWORD_MAX_MEMORY  (256 * 1024)     /* KiB */
#define PROMPT_PASSWORD_MAX_PASSES  16
#define PROMPT_PASSWORD_MAX_LANES   4


typedef struct {
    uint32_t  memory;
    uint32_t  passes;
    uint32_t  lanes;
} prompt_password_cost_t;


/*
 * In place of what is not there: a text of the parameters above that no
 * password is known for.
 */
static const char  prompt_password_none[] =
    "$argon2id$v=19$m=19456,t=2,p=1$cHJvbXB0LW5vLWFjY291bnQ"
    "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";


bool
prompt_password_valid(prompt_str_t password)
{
    return password.len >= PROMPT_PASSWORD_MIN
           && password.len <= PROMPT_PASSWORD_MAX;
}


bool
prompt_password_hash(prompt_str_t password,
    const uint8_t salt[PROMPT_PASSWORD_SALT], char out[PROMPT_PASSWORD_TEXT])
{
    return argon2id_hash_encoded(PROMPT_PASSWORD_PASSES,
                                 PROMPT_PASSWORD_MEMORY,
                                 PROMPT_PASSWORD_LANES, password.data,
                                 password.len, salt, PROMPT_PASSWORD_SALT,
                                 PROMPT_PASSWORD_HASH, out,
                                 PROMPT_PASSWORD_TEXT)
           == ARGON2_OK;
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


/* the parameters of a text; false where it is none, or asks for too much */
static bool
prompt_password_read(prompt_str_t text, prompt_password_cost_t *cost)
{
    const char  *p, *last;

    if (text.len >= PROMPT_PASSWORD_TEXT
        || memchr(text.data, '\0', text.len) != NULL)
    {
        return false;
    }

    p = text.data;
    last = p + text.len;

    return prompt_password_skip(&p, last, "$argon2id$v=19$m=")
           && prompt_password_number(&p, last, &cost->memory)
           && prompt_password_skip(&p, last, ",t=")
           && prompt_password_number(&p, last, &cost->passes)
           && prompt_password_skip(&p, last, ",p=")
           && prompt_password_number(&p, last, &cost->lanes)
           && prompt_password_skip(&p, last, "$")
           && cost->memory <= PROMPT_PASSWORD_MAX_MEMORY
           && cost->passes <= PROMPT_PASSWORD_MAX_PASSES
           && cost->lanes <= PROMPT_PASSWORD_MAX_LANES;
}


prompt_password_e
prompt_password_verify(prompt_str_t password, prompt_str_t text)
{
    char                    copy[PROMPT_PASSWORD_TEXT];
    prompt_password_cost_t  cost;

    if (text.data == NULL) {
        return argon2id_verify(prompt_password_none, password.data,
                               password.len)
               == ARGON2_MEMORY_ALLOCATION_ERROR
               ? PROMPT_PASSWORD_NOMEM : PROMPT_PASSWORD_WRONG;
    }

    if (!prompt_password_read(text, &cost)) {
        return PROMPT_PASSWORD_UNREADABLE;
    }

    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';

    switch (argon2id_verify(copy, password.data, password.len)) {

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
    prompt_password_cost_t  cost;

    return prompt_password_read(text, &cost)
           && (cost.memory < PROMPT_PASSWORD_MEMORY
               || cost.passes < PROMPT_PASSWORD_PASSES);
}
