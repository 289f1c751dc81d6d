/*
 * Reading files, as text and as JSON.
 */

#ifndef CTL_FILES_H
#define CTL_FILES_H

#include "ctl/json.h"


#define CTL_FILE_MAX  ((size_t) 64 * 1024 * 1024)


/* Reads the JSON file that the user named ("-": standard input). */
json_t *ctl_file_json(const char *path);

/* What is left of an open file; the caller frees it.  path is for messages. */
prompt_str_t ctl_file_read(int fd, const char *path);

/* A file's text as JSON; frees it. */
json_t *ctl_file_parse(const char *path, prompt_str_t text);

/* says what failed, with errno, and ends the run */
void ctl_file_failed(const char *path, const char *what)
    __attribute__((noreturn));

#endif /* CTL_FILES_H */
