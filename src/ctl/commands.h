/*
 * The commands and their options, in one table: all that is said of them
 * elsewhere follows from it.
 */

#ifndef CTL_COMMANDS_H
#define CTL_COMMANDS_H

#include "ctl/ctl.h"


/* of options, beside the letter that one may have */
#define CTL_NEEDED    0x100
#define CTL_REPEATED  0x200
#define CTL_OR        0x400                  /* or the one behind it */
#define CTL_SECRET    0x800                  /* the value may be, or contain,
                                                a password or a key */

/* an option of a command; tables of them end with a NULL name */
typedef struct {
    unsigned     flags;
    const char  *name;                       /* without the hyphens */
    const char  *value;                      /* what help calls its value;
                                                NULL: it has none */
    const char  *help;
} ctl_option_t;

/* 0 where it has none */
#define ctl_option_letter(option)  ((char) ((option)->flags & 0xff))


/* usage, help and completion, and how many arguments there are, follow */
struct ctl_command_s {
    const char          *name;               /* one or two words */
    const char          *arguments;          /* "A [B [C]]": may be left out */
    const char          *summary;            /* one line */
    ctl_run_t           *run;
    const char          *help;               /* more, or NULL */
    const ctl_option_t  *options;            /* or NULL */
};


/* options of all commands */
extern const ctl_option_t  ctl_common_options[];


/*
 * The command that the words begin with, and how many of them it takes; NULL
 * where it is none, after which ctl_is_group() says whether the first could be
 * one with another behind it.
 */
const ctl_command_t *ctl_find_command(const char **words, size_t nwords,
    size_t *taken);
bool ctl_is_group(const char *word);

/* The arguments do not go with the command: ends in its usage where so. */
void ctl_check_arguments(const ctl_t *ctl);

/* help, for one command or for all */
void ctl_help(const ctl_t *ctl);

#endif /* CTL_COMMANDS_H */
