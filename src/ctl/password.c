/*
 * promptctl user password: read from the terminal without showing it, or from
 * standard input; never from an argument, which others can see.
 */

#define _DEFAULT_SOURCE  1                   /* explicit_bzero() */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "base/utf8.h"
#include "ctl/postgres.h"
#include "ctl/revoke.h"
#include "ctl/user.h"
#include "prompt/password.h"
#include "store/session.h"


/* a line: a password, its end, and one to see that it is too long */
#define CTL_PASSWORD_LINE  (PROMPT_PASSWORD_MAX + 3)


static int ctl_password_read(char text[CTL_PASSWORD_LINE], size_t *len);
static int ctl_password_ask(const char *what, char line[CTL_PASSWORD_LINE],
    size_t *len);
static int ctl_password_line(char line[CTL_PASSWORD_LINE], size_t *len);
static int ctl_password_hash(prompt_str_t password,
    char out[PROMPT_PASSWORD_TEXT]);
static int ctl_password_set(ctl_t *ctl, prompt_str_t made, uint8_t **hashes,
    size_t *n);
static int ctl_password_store(ctl_t *ctl, ctl_postgres_t *pg,
    prompt_str_t user, prompt_str_t made, uint8_t **hashes, size_t *n);


int
ctl_user_password(ctl_t *ctl)
{
    int           rc;
    char          text[CTL_PASSWORD_LINE], made[PROMPT_PASSWORD_TEXT];
    size_t        len, n;
    int64_t       wait;
    uint8_t      *hashes;
    ctl_redis_t   redis;

    hashes = NULL;
    n = 0;

    rc = ctl_revoke_wait(ctl, &wait);

    if (rc == CTL_OK) {
        rc = ctl_redis_configure(&redis, ctl);
    }

    if (rc == CTL_OK) {
        rc = ctl_password_read(text, &len);

        if (rc == CTL_OK) {
            rc = ctl_password_hash(prompt_str_of(text, len), made);
        }

        explicit_bzero(text, sizeof(text));
    }

    if (rc == CTL_OK) {
        rc = ctl_password_set(ctl, prompt_str_from(made), &hashes, &n);
    }

    if (rc == CTL_OK) {
        ctl_revoke(ctl, &redis, hashes, n, wait);
    }

    return rc;
}


static int
ctl_password_read(char text[CTL_PASSWORD_LINE], size_t *len)
{
    int     rc;
    char    again[CTL_PASSWORD_LINE];
    bool    same;
    size_t  n;

    if (!isatty(STDIN_FILENO)) {
        rc = ctl_password_line(text, len);

    } else {
        rc = ctl_password_ask("Password: ", text, len);

        if (rc == CTL_OK) {
            rc = ctl_password_ask("Once more: ", again, &n);
            same = rc == CTL_OK && n == *len && memcmp(text, again, n) == 0;

            explicit_bzero(again, sizeof(again));

            if (rc == CTL_OK && !same) {
                ctl_error("these are two different passwords");
                return CTL_FAILED;
            }
        }
    }

    if (rc == CTL_OK && !prompt_password_valid(prompt_str_of(text, *len))) {
        ctl_error("a password must have %d to %d bytes", PROMPT_PASSWORD_MIN,
                  PROMPT_PASSWORD_MAX);
        rc = CTL_FAILED;
    }

    return rc;
}


/* While it is typed no signal may leave the terminal silent. */

static int
ctl_password_ask(const char *what, char line[CTL_PASSWORD_LINE], size_t *len)
{
    int             rc;
    sigset_t        set, old;
    struct termios  before, silent;

    if (tcgetattr(STDIN_FILENO, &before) != 0) {
        ctl_error("the terminal cannot be asked: %s", strerror(errno));
        return CTL_FAILED;
    }

    (void) sigemptyset(&set);
    (void) sigaddset(&set, SIGINT);
    (void) sigaddset(&set, SIGTERM);
    (void) sigaddset(&set, SIGTSTP);
    (void) sigaddset(&set, SIGQUIT);
    (void) sigaddset(&set, SIGHUP);
    (void) sigprocmask(SIG_BLOCK, &set, &old);

    silent = before;
    silent.c_lflag &= (tcflag_t) ~ECHO;

    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) != 0) {
        ctl_error("the terminal cannot be silenced: %s", strerror(errno));
        rc = CTL_FAILED;

    } else {
        (void) fputs(what, stderr);
        (void) fflush(stderr);

        rc = ctl_password_line(line, len);

        (void) fputc('\n', stderr);
        (void) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    }

    (void) sigprocmask(SIG_SETMASK, &old, NULL);

    return rc;
}


/* By read() alone: a buffer of stdio would keep it. */

static int
ctl_password_line(char line[CTL_PASSWORD_LINE], size_t *len)
{
    ssize_t  n;

    *len = 0;

    while (*len < CTL_PASSWORD_LINE) {
        n = read(STDIN_FILENO, line + *len, 1);

        if (n < 0 && errno == EINTR) {
            continue;
        }

        if (n < 0) {
            ctl_error("the password cannot be read: %s", strerror(errno));
            return CTL_FAILED;
        }

        if (n == 0 || line[*len] == '\n') {
            break;
        }

        (*len)++;
    }

    if (*len != 0 && line[*len - 1] == '\r') {
        (*len)--;
    }

    /* what is signed in with comes as JSON */

    if (memchr(line, '\0', *len) != NULL
        || !prompt_utf8_valid(prompt_str_of(line, *len)))
    {
        ctl_error("a password must be text in UTF-8, without NUL");
        return CTL_FAILED;
    }

    return CTL_OK;
}


static int
ctl_password_hash(prompt_str_t password, char out[PROMPT_PASSWORD_TEXT])
{
    uint8_t  salt[PROMPT_PASSWORD_SALT];

    if (!ctl_random(salt, sizeof(salt))) {
        return CTL_FAILED;
    }

    return prompt_password_hash(password, salt, out) ? CTL_OK
                                                     : ctl_no_memory();
}


static int
ctl_password_set(ctl_t *ctl, prompt_str_t made, uint8_t **hashes, size_t *n)
{
    int             rc;
    prompt_uuid_t   user;
    ctl_postgres_t  pg;

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_user_find(ctl, &pg, ctl->arguments[0], &user);

    if (rc == CTL_OK) {
        rc = ctl_password_store(ctl, &pg, ctl_uuid_view(&user), made, hashes,
                                n);
    }

    ctl_postgres_close(&pg);

    return rc;
}


/* the password and the end of all sessions, in one transaction */

static int
ctl_password_store(ctl_t *ctl, ctl_postgres_t *pg, prompt_str_t user,
    prompt_str_t made, uint8_t **hashes, size_t *n)
{
    bool            lived;
    unsigned        row;
    prompt_str_t    hash;
    prompt_query_t  query;

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_session_password_any(&query, user, made)
        || !prompt_session_end_others(&query, user, prompt_str_absent, made))
    {
        return ctl_no_memory();
    }

    if (!ctl_postgres_run(pg, &query)) {
        return ctl_postgres_failed(pg);
    }

    *n = 0;
    *hashes = prompt_arena_array(ctl->arena, pg->rows[1].count,
                                 PROMPT_API_KEY_HASH_LEN);
    if (*hashes == NULL) {
        return ctl_no_memory();
    }

    for (row = 0; row < pg->rows[1].count; row++) {
        hash = prompt_session_end_others_row(&pg->rows[1], row, &lived);

        if (hash.data != NULL) {
            memcpy(*hashes + *n * PROMPT_API_KEY_HASH_LEN, hash.data,
                   PROMPT_API_KEY_HASH_LEN);
            (*n)++;
        }
    }

    return CTL_OK;
}
