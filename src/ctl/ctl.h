/*
 * promptctl: what all commands share.
 *
 * Results go to standard output, alone; everything else to standard error.
 * Neither a password nor an API key ever stands in a message.
 *
 * A run that fails ends where it stands: ctl_fail() and ctl_wrong() say why.
 * What takes memory, asks the endpoint or PostgreSQL ends in them by itself:
 * who calls it looks at results alone.  The end of the process gives back what
 * is open, and PostgreSQL takes back a transaction that was begun.
 */

#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <time.h>

#include "base/arena.h"
#include "base/uuid.h"


/* exit statuses */
#define CTL_OK      0
#define CTL_FAILED  1
#define CTL_WRONG   2                        /* wrong usage */

/* what one run may take: an export or import of many prompts */
#define CTL_MEMORY  ((size_t) 2 * 1024 * 1024 * 1024)


typedef struct ctl_s          ctl_t;
typedef struct ctl_command_s  ctl_command_t; /* ctl/commands.h */

typedef int ctl_run_t(ctl_t *ctl);           /* returns an exit status */


/* an option as it was given */
typedef struct {
    const char  *name;
    const char  *value;                      /* "" where it takes none */
} ctl_given_t;


struct ctl_s {
    prompt_arena_t       *arena;             /* for the whole run */
    const ctl_command_t  *command;
    const char          **arguments;         /* as many as the command takes */
    size_t                narguments;
    ctl_given_t          *given;
    size_t                ngiven;
    bool                  json;
    uint64_t              database;          /* which one it is, once open */
};


/* the commands, each in the file of its subject */
ctl_run_t  ctl_migrate, ctl_user_add, ctl_user_list, ctl_user_password,
           ctl_user_disable, ctl_user_enable, ctl_user_delete,
           ctl_key_add, ctl_key_list, ctl_key_delete, ctl_audit,
           ctl_prune,
           ctl_project_list, ctl_project_add, ctl_project_member,
           ctl_restore_check, ctl_prompts, ctl_show, ctl_run, ctl_render,
           ctl_labels, ctl_executions, ctl_export, ctl_import, ctl_diff,
           ctl_dataset_export, ctl_dataset_import, ctl_eval;


/*
 * Text that others wrote, as a terminal may get it: what is not UTF-8 and
 * what controls a terminal or turns its direction is "?", but for the
 * characters kept ("\n\t").  out has room for the text, and may be where it
 * stands.
 */
prompt_str_t ctl_shown(char *out, prompt_str_t text, const char *kept);

/* "promptctl: " and the message, as one line on standard error */
void ctl_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* the end of a run that failed, after messages; CTL_FAILED or ctl_fail_as() */
void ctl_give_up(void) __attribute__((noreturn));

/* the end of one that cannot begin: CTL_WRONG, with a hint at --help */
void ctl_hint(const ctl_t *ctl) __attribute__((noreturn));

/* a message, and one of these */
#define ctl_fail(...)        (ctl_error(__VA_ARGS__), ctl_give_up())
#define ctl_wrong(ctl, ...)  (ctl_error(__VA_ARGS__), ctl_hint(ctl))
#define ctl_no_memory()      ctl_fail("out of memory")

/* from now on failures end the run with this status */
void ctl_fail_as(int status);

/*
 * The end of the run.  A result that did not arrive is no result: it is a
 * failure then, after a message.
 */
void ctl_end(int status) __attribute__((noreturn));

/* text in the run's arena, ended by a NUL that is not counted */
prompt_str_t ctl_printf(const ctl_t *ctl, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
prompt_str_t ctl_copy(const ctl_t *ctl, prompt_str_t text);

/* the value of an option (the last where it was given twice), or NULL */
const char *ctl_given(const ctl_t *ctl, const char *name);

/*
 * The values of an option that may be repeated, one by one: *i begins with 0.
 * NULL at the end.
 */
const char *ctl_given_next(const ctl_t *ctl, const char *name, size_t *i);

/* the option's value, or the environment's (not empty), or NULL */
const char *ctl_setting(const ctl_t *ctl, const char *option,
    const char *variable);

/*
 * The number from 1 to max that text is, or none where text is NULL; what is
 * wrong has a name in the message.
 */
long ctl_number(const ctl_t *ctl, const char *name, const char *text,
    long max, long none);

/* An option, or text, is a name that things may have (prompt_text_label()). */
void ctl_label(const ctl_t *ctl, const char *option, size_t max);
void ctl_label_is(const ctl_t *ctl, const char *what, const char *text,
    size_t max);

/* random bytes from the kernel */
void ctl_random(void *bytes, size_t len);

/* a new UUIDv7 */
prompt_uuid_t ctl_uuid(void);

/* the 16 bytes, as the store takes ids */
static inline prompt_str_t
ctl_uuid_view(const prompt_uuid_t *id)
{
    return prompt_str_of((const char *) id->bytes, sizeof(id->bytes));
}


/*
 * A number and a unit (ms, s, m, h, d; none: s), in milliseconds.  False
 * where it is none, or more than a hundred years.
 */
bool ctl_duration(const char *text, int64_t *ms) PROMPT_WARN_UNUSED;

/*
 * A moment, a day (its beginning), or a time from now with its unit: sign is 1,
 * or -1 for a time before now.  In microseconds since 1970.
 */
bool ctl_moment(const char *text, int sign, int64_t *time) PROMPT_WARN_UNUSED;

/* milliseconds since 1970, and of a clock that nobody sets */
#define ctl_now_ms()        ctl_clock_ms(CLOCK_REALTIME)
#define ctl_monotonic_ms()  ctl_clock_ms(CLOCK_MONOTONIC)

int64_t ctl_clock_ms(clockid_t clock);
void ctl_sleep(int64_t ms);

#endif /* CTL_CTL_H */
