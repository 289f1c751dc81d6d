/*
 * Passwords: Argon2id, with the parameters in the text that is stored.
 *
 * Hashing takes tens of milliseconds and 19 MiB: not for an event loop.  The
 * functions keep no state, so that any thread may call them.
 */

#ifndef PROMPT_PROMPT_PASSWORD_H
#define PROMPT_PROMPT_PASSWORD_H

#include "base/str.h"


/* bytes of a password */
#define PROMPT_PASSWORD_MIN      12
#define PROMPT_PASSWORD_MAX      1024

/* of a salt, from the kernel */
#define PROMPT_PASSWORD_SALT     16

/* of the text that is stored, its NUL included */
#define PROMPT_PASSWORD_TEXT     128

/* what a hash takes that is made now */
#define PROMPT_PASSWORD_MEMORY   19456               /* KiB */
#define PROMPT_PASSWORD_PASSES   2


typedef enum {
    PROMPT_PASSWORD_RIGHT = 0,
    PROMPT_PASSWORD_WRONG,
    PROMPT_PASSWORD_NOMEM,           /* nobody can say */
    PROMPT_PASSWORD_UNREADABLE       /* what is stored is no such text, or
                                        takes more than a server gives */
} prompt_password_e;


/* its length is one that a password may have */
bool prompt_password_valid(prompt_str_t password);

/*
 * Makes the text that is stored, with its NUL.  False: memory.
 */
bool prompt_password_hash(prompt_str_t password,
    const uint8_t salt[PROMPT_PASSWORD_SALT], char out[PROMPT_PASSWORD_TEXT])
    PROMPT_WARN_UNUSED;

/*
 * Whether it is the password that text was made of.  text absent: there is no
 * account, or it has no password; that takes as long, and is WRONG.
 */
prompt_password_e prompt_password_verify(prompt_str_t password,
    prompt_str_t text) PROMPT_WARN_UNUSED;

/* what is stored was made with less than is asked for now */
bool prompt_password_is_old(prompt_str_t text);

#endif /* PROMPT_PROMPT_PASSWORD_H */
