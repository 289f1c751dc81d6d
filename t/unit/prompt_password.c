/*
 * Passwords: hashing, verifying, what is stored.
 */

#include "prompt/password.h"

#include "tap.h"


static void
test_length(void)
{
    char  text[PROMPT_PASSWORD_MAX + 1];

    memset(text, 'x', sizeof(text));

    ok(!prompt_password_valid(prompt_str_of(text, 11)), "11 bytes");
    ok(prompt_password_valid(prompt_str_of(text, 12)), "12 bytes");
    ok(prompt_password_valid(prompt_str_of(text, 1024)), "1,024 bytes");
    ok(!prompt_password_valid(prompt_str_of(text, 1025)), "1,025 bytes");
}


static void
test_verify(void)
{
    char     out[PROMPT_PASSWORD_TEXT];
    uint8_t  salt[PROMPT_PASSWORD_SALT];

    memset(salt, 7, sizeof(salt));

    if (!ok(prompt_password_hash(prompt_str("correct horse"), salt, out),
            "hashed"))
    {
        return;
    }

    ok(strncmp(out, "$argon2id$v=19$m=19456,t=2,p=1$", 31) == 0,
       "with its parameters");
    is_int(prompt_password_verify(prompt_str("correct horse"),
                                  prompt_str_from(out)),
           PROMPT_PASSWORD_RIGHT, "right");
    is_int(prompt_password_verify(prompt_str("correct horsf"),
                                  prompt_str_from(out)),
           PROMPT_PASSWORD_WRONG, "wrong");
    is_int(prompt_password_verify(prompt_str(""), prompt_str_from(out)),
           PROMPT_PASSWORD_WRONG, "empty");
    is_int(prompt_password_verify(prompt_str("correct horse"),
                                  prompt_str_absent),
           PROMPT_PASSWORD_WRONG, "no account");
    ok(!prompt_password_is_old(prompt_str_from(out)), "not old");
}


static void
test_stored(void)
{
    size_t  i;

    static const char *const  bad[] = {
        "", "x", "$argon2id$", "$argon2i$v=19$m=64,t=1,p=1$c29t$AAAA",
        "$argon2id$v=19$m=,t=1,p=1$c29t$AAAA",
        "$argon2id$v=19$m=99999999,t=1,p=1$c29tZXNhbHQ$AAAAAAAA",
        "$argon2id$v=19$m=999999999,t=1,p=1$c29tZXNhbHQ$AAAAAAAA",
        "$argon2id$v=19$m=64,t=99999,p=1$c29tZXNhbHQ$AAAAAAAA",
        "$argon2id$v=19$m=64,t=1,p=9$c29tZXNhbHQ$AAAAAAAA",
        "$argon2id$v=19$m=64,t=1,p=1$????$AAAAAAAA"
    };

    static const char  old[] =
        "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA"
        "$55PWTvddWPUD1GMbKxSff4ASfF85k9ibHJt4HlHQtBM";

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        is_int(prompt_password_verify(prompt_str("password"),
                                      prompt_str_from(bad[i])),
               PROMPT_PASSWORD_UNREADABLE, bad[i]);
    }

    is_int(prompt_password_verify(prompt_str("password"),
                                  prompt_str_from(old)),
           PROMPT_PASSWORD_RIGHT, "one of other parameters");
    ok(prompt_password_is_old(prompt_str_from(old)), "is old");
}


int
main(void)
{
    test_length();
    test_verify();
    test_stored();

    return done_testing();
}
