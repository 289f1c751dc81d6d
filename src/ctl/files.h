/*
 * Reading files, as text and as JSON.
 */

#ifndef CTL_FILES_H
#define CTL_FILES_H

#include "base/json.h"
#include "ctl/ctl.h"


#define CTL_FILE_MAX   ((size_t) 64 * 1024 * 1024)
#define CTL_FILE_DEPTH 128


/*
 * Reads the JSON file that the user named ("-": standard input), into the
 * run's arena.  Returns an exit status, after a message where it is not
 * CTL_OK.  Where there is no such file: CTL_OK, and NULL.
 */
int ctl_file_json(ctl_t *ctl, const char *path, prompt_json_t **value)
    PROMPT_WARN_UNUSED;

/* What is left of an open file; path is for messages. */
int ctl_file_read(ctl_t *ctl, int fd, const char *path, prompt_str_t *text)
    PROMPT_WARN_UNUSED;

/* A file's text as JSON, whose strings point into it. */
int ctl_file_parse(ctl_t *ctl, const char *path, prompt_str_t text,
    prompt_json_t **value) PROMPT_WARN_UNUSED;

/* says what failed, with errno; returns CTL_FAILED */
int ctl_file_failed(const char *path, const char *what);

#endif /* CTL_FILES_H */
