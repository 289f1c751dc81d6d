/*
 * The commands and their options, in one table: all that is said of them
 * elsewhere follows from it.
 */

#ifndef CTL_COMMANDS_H
#define CTL_COMMANDS_H

#include "ctl/ctl.h"


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
