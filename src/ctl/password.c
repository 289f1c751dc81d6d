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
#include "ctl/revoke.h"
#include "ctl/user.h"
#include "prompt/password.h"
#include "store/session.h"


/* a line: a password, its end, and one to see that it is too long */
#define CTL_PASSWORD_LINE  (PROMPT_PASSWORD_MAX + 3)


static size_t ctl_password_read(char text[CTL_PASSWORD_LINE]);
static size_t ctl_password_ask(const char *what,
    char line[CTL_PASSWORD_LINE]);
static int ctl_password_line(char line[CTL_PASSWORD_LINE], size_t *len);
static prompt_str_t *ctl_password_set(ctl_t *ctl, prompt_str_t made,
    size_t *n);


int
ctl_user_password(ctl_t *ctl)
{
    char           text[CTL_PASSWORD_LINE], made[PROMPT_PASSWORD_TEXT];
    size_t         n;
    int64_t        wait;
    uint8_t        salt[PROMPT_PASSWORD_SALT];
    ctl_redis_t    redis;
    prompt_str_t  *hashes, password;

    wait = ctl_revoke_wait(ctl);
    ctl_redis_configure(&redis, ctl);

    password = prompt_str_of(text, ctl_password_read(text));

    if (!prompt_password_valid(password)) {
        ctl_fail("a password must have %d to %d bytes", PROMPT_PASSWORD_MIN,
                 PROMPT_PASSWORD_MAX);
    }

    ctl_random(salt, sizeof(salt));

    if (!prompt_password_hash(password, salt, made)) {
        ctl_no_memory();
    }

    explicit_bzero(text, sizeof(text));

    hashes = ctl_password_set(ctl, prompt_str_from(made), &n);
    ctl_revoke(ctl, &redis, hashes, n, wait);

    return CTL_OK;
}


static size_t
ctl_password_read(char text[CTL_PASSWORD_LINE])
{
    char    again[CTL_PASSWORD_LINE];
    bool    same;
    size_t  len, n;

    len = ctl_password_ask("Password: ", text);

    if (!isatty(STDIN_FILENO)) {
        return len;
    }

    n = ctl_password_ask("Once more: ", again);
    same = n == len && memcmp(text, again, n) == 0;

    explicit_bzero(again, sizeof(again));

    if (!same) {
        ctl_fail("these are two different passwords");
    }

    return len;
}


/*
 * A line of a terminal, or of what else is standard input.  While it is typed
 * no signal may leave the terminal silent.
 */
static size_t
ctl_password_ask(const char *what, char line[CTL_PASSWORD_LINE])
{
    int             error;
    bool            asks;
    size_t          len;
    sigset_t        set, old;
    struct termios  before, silent;

    asks = isatty(STDIN_FILENO);

    if (asks && tcgetattr(STDIN_FILENO, &before) != 0) {
        ctl_fail("the terminal cannot be asked: %s", strerror(errno));
    }

    if (asks) {
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
            ctl_fail("the terminal cannot be silenced: %s", strerror(errno));
        }

        (void) fputs(what, stderr);
        (void) fflush(stderr);
    }

    error = ctl_password_line(line, &len);

    if (asks) {
        (void) fputc('\n', stderr);
        (void) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        (void) sigprocmask(SIG_SETMASK, &old, NULL);
    }

    if (error == EILSEQ) {
        ctl_fail("a password must be text in UTF-8, without NUL");
    }

    if (error != 0) {
        ctl_fail("the password cannot be read: %s", strerror(error));
    }

    return len;
}


/*
 * By read() alone: a buffer of stdio would keep it.  Returns an error's number,
 * or 0.
 */
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
            return errno;
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
        return EILSEQ;
    }

    return 0;
}


/*
 * The password and the end of all sessions, in one transaction: the hashes of
 * these.
 */
static prompt_str_t *
ctl_password_set(ctl_t *ctl, prompt_str_t made, size_t *n)
{
    bool             lived;
    unsigned         row;
    prompt_str_t    *hashes, hash, user;
    prompt_uuid_t    id;
    ctl_postgres_t   pg;

    ctl_postgres_open_schema(&pg, ctl);

    id = ctl_user_find(&pg, ctl->arguments[0]);
    user = ctl_uuid_view(&id);

    ctl_postgres_query(&pg,
        prompt_session_password_any(&pg.query, user, made)
        && prompt_session_end_others(&pg.query, user, prompt_str_absent,
                                     made));

    hashes = prompt_arena_array(ctl->arena, pg.rows[1].count,
                                sizeof(prompt_str_t));
    if (hashes == NULL) {
        ctl_no_memory();
    }

    *n = 0;

    for (row = 0; row < pg.rows[1].count; row++) {
        hash = prompt_session_end_others_row(&pg.rows[1], row, &lived);

        if (hash.data != NULL) {
            hashes[(*n)++] = ctl_copy(ctl, hash);
        }
    }

    ctl_postgres_close(&pg);

    return hashes;
}
