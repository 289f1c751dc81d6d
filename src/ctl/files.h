/*
 * Prompts as files that live in git, and reading and writing files.
 *
 *     DIR/<name>/prompt.json    name, description, category, isPublic
 *     DIR/<name>/v1.txt         content of version 1, byte for byte
 *     DIR/<name>/v1.json        its params and, where it has one, inputSchema
 *     DIR/<name>/v2.txt ...
 *
 * JSON is indented, one member a line, so that a difference is a line.
 */

#ifndef CTL_FILES_H
#define CTL_FILES_H

#include "base/json.h"
#include "ctl/ctl.h"


#define CTL_FILE_MAX   ((size_t) 64 * 1024 * 1024)
#define CTL_FILE_DEPTH 128


/*
 * Reads a file ("-": standard input), as text or as JSON, into the run's
 * arena.  Returns an exit status, after a message where it is not CTL_OK.
 * Where there is no such file: CTL_OK, and an absent text or NULL.
 */
int ctl_file_text(ctl_t *ctl, const char *path, prompt_str_t *text)
    PROMPT_WARN_UNUSED;
int ctl_file_json(ctl_t *ctl, const char *path, prompt_json_t **value)
    PROMPT_WARN_UNUSED;

/*
 * Writes a file, whole or not at all (beside it, then renamed).  Where it has
 * that content already it is not touched; *changed says.
 */
int ctl_file_write(ctl_t *ctl, const char *path, prompt_str_t text,
    bool *changed) PROMPT_WARN_UNUSED;

/* the same with indented JSON and a line's end */
int ctl_file_write_json(ctl_t *ctl, const char *path,
    const prompt_json_t *value, bool *changed) PROMPT_WARN_UNUSED;

/*
 * Paths in the arena: DIR/name, DIR/name/file and, for number, DIR/name/vN
 * and the ending (".txt").  NULL where memory is short.
 */
const char *ctl_path(ctl_t *ctl, const char *dir, const char *name,
    const char *file) PROMPT_WARN_UNUSED;
const char *ctl_version_path(ctl_t *ctl, const char *dir, const char *name,
    int64_t number, const char *ending) PROMPT_WARN_UNUSED;

#endif /* CTL_FILES_H */
