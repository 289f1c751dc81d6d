/*
 * promptctl: what all commands share.
 *
 * Results go to standard output, alone; everything else to standard error.
 * Neither a password nor an API key ever stands in a message.
 */

#ifndef CTL_CTL_H
#define CTL_CTL_H

#include "base/arena.h"
#include "base/uuid.h"


/* exit statuses */
#define CTL_OK      0
#define CTL_FAILED  1
#define CTL_WRONG   2                        /* wrong usage */

/* what one run may take: an export or import of many prompts */
#define CTL_MEMORY  ((size_t) 2 * 1024 * 1024 * 1024)


/* an option of a command; tables of them end with a NULL name */
typedef struct {
    char         letter;                     /* or '\0' */
    const char  *name;                       /* without the hyphens */
    const char  *value;                      /* what help calls its value;
                                                NULL: it has none */
    const char  *help;
} ctl_option_t;


typedef struct ctl_s  ctl_t;


/* at least so many arguments, and some more */
#define CTL_ARITY(least, more)  ((least) | (more) << 8)
#define ctl_arity_least(arity)  ((arity) & 0xff)
#define ctl_arity_most(arity)   (((arity) & 0xff) + ((arity) >> 8))


typedef struct {
    const char          *name;               /* one or two words */
    const char          *arguments;          /* as help shows them */
    const char          *summary;            /* one line */
    const char          *help;               /* more, or NULL */
    const ctl_option_t  *options;            /* or NULL */
    unsigned             arity;              /* arguments: exactly these, or
                                                CTL_ARITY() */
    int                (*run)(ctl_t *ctl);   /* returns an exit status */
} ctl_command_t;


/* an option as it was given */
typedef struct {
    const char  *name;
    const char  *value;                      /* "" where it takes none */
} ctl_given_t;


struct ctl_s {
    prompt_arena_t       *arena;             /* for the whole run */
    const ctl_command_t  *command;
    const char          **arguments;         /* as command->arity says */
    size_t                narguments;
    ctl_given_t          *given;
    size_t                ngiven;
    bool                  json;
    uint64_t              database;          /* which one it is, once open */
};


/* the commands, each in the file of its subject */
int ctl_migrate(ctl_t *ctl);
int ctl_user_add(ctl_t *ctl);
int ctl_user_list(ctl_t *ctl);
int ctl_user_password(ctl_t *ctl);
int ctl_key_add(ctl_t *ctl);
int ctl_key_list(ctl_t *ctl);
int ctl_key_delete(ctl_t *ctl);
int ctl_prompts(ctl_t *ctl);
int ctl_show(ctl_t *ctl);
int ctl_run(ctl_t *ctl);
int ctl_labels(ctl_t *ctl);
int ctl_executions(ctl_t *ctl);
int ctl_prune(ctl_t *ctl);
int ctl_restore_check(ctl_t *ctl);
int ctl_export(ctl_t *ctl);

extern const ctl_option_t  ctl_import_options[];
extern const ctl_option_t  ctl_diff_options[];

int ctl_import(ctl_t *ctl);
int ctl_diff(ctl_t *ctl);


/*
 * Text that others wrote, as a terminal may get it: what is not UTF-8 and
 * what controls a terminal or turns its direction is "?", but for the
 * characters kept ("\n\t").  out has room for the text, and may be where it
 * stands.
 */
prompt_str_t ctl_shown(char *out, prompt_str_t text, const char *kept);

/* "promptctl: " and the message, as one line on standard error */
void ctl_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* as ctl_error(), with a hint at --help; returns CTL_WRONG */
int ctl_wrong(const ctl_t *ctl, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* the same with the usage of the command: the number of arguments is wrong */
int ctl_wrong_usage(const ctl_t *ctl);

/* says that memory is short; returns CTL_FAILED */
static inline int
ctl_no_memory(void)
{
    ctl_error("out of memory");

    return CTL_FAILED;
}

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
 * CTL_OK where an option is a name that may be given to things
 * (prompt_text_label()), else its message.
 */
int ctl_label(const ctl_t *ctl, const char *option, size_t max);

/* random bytes from the kernel; false after a message */
bool ctl_random(void *bytes, size_t len) PROMPT_WARN_UNUSED;

/* a new UUIDv7; false after a message */
bool ctl_uuid(prompt_uuid_t *id) PROMPT_WARN_UNUSED;

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

/* A number from 1 to max, in digits. */
bool ctl_number(const char *text, long max, long *number) PROMPT_WARN_UNUSED;

/* milliseconds since 1970, and of a clock that nobody sets */
int64_t ctl_now_ms(void);
int64_t ctl_monotonic_ms(void);

/* Sleeps until ctl_monotonic_ms() is at least ms. */
void ctl_sleep_until(int64_t ms);

#endif /* CTL_CTL_H */
