/*
 * Passwords: hashing, verifying, what is stored.
 */

#include "prompt/password.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"


#define THREADS  8

static pthread_barrier_t  all_hashed, all_seen;


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


/* hashes, and stays until it was looked how much memory there is */
static void *
thread(void *data)
{
    char     *out = data;
    uint8_t   salt[PROMPT_PASSWORD_SALT];
    unsigned  n;

    memset(salt, 7, sizeof(salt));
    out[0] = '\0';

    for (n = 0; n < 3; n++) {
        if (!prompt_password_hash(prompt_str("correct horse"), salt, out)) {
            out[0] = '\0';
        }
    }

    pthread_barrier_wait(&all_hashed);
    pthread_barrier_wait(&all_seen);

    return NULL;
}


/* KiB that are there of this process */
static long
resident(void)
{
    long   pages;
    FILE  *file;

    pages = 0;
    file = fopen("/proc/self/statm", "r");

    if (file != NULL) {
        if (fscanf(file, "%*d %ld", &pages) != 1) {
            pages = 0;
        }

        fclose(file);
    }

    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}


/* a pool of threads, which live long, has nothing left of what hashes took */
static void
test_memory(void)
{
    char       out[THREADS][PROMPT_PASSWORD_TEXT];
    long       before, after;
    unsigned   i, made;
    pthread_t  threads[THREADS];

    pthread_barrier_init(&all_hashed, NULL, THREADS + 1);
    pthread_barrier_init(&all_seen, NULL, THREADS + 1);
    before = resident();

    for (i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, thread, out[i]) != 0) {
            exit(1);
        }
    }

    pthread_barrier_wait(&all_hashed);
    after = resident();
    pthread_barrier_wait(&all_seen);

    for (made = 0, i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        made += out[i][0] != '\0';
    }

    is_int(made, THREADS, "threads have hashed");
    ok(before > 0 && after - before < PROMPT_PASSWORD_MEMORY,
       "they keep none of its memory");

    if (after - before >= PROMPT_PASSWORD_MEMORY) {
        printf("# %ld KiB\n", after - before);
    }
}


int
main(void)
{
    test_length();
    test_verify();
    test_stored();
    test_memory();

    return done_testing();
}
