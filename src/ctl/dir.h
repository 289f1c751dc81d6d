/*
 * Prompts as files that live in git: a folder each, below the one that
 * promptctl is given.
 *
 *     DIR/<name>/prompt.json    name, description, category, isPublic
 *     DIR/<name>/v1.txt         content of version 1, byte for byte
 *     DIR/<name>/v1.json        its params and, where it has them, messages
 *                               and inputSchema
 *     DIR/<name>/v2.txt ...
 *     DIR/<name>/labels.json    with --labels: the number of each one's version
 *
 * JSON is indented, one member a line, so that a difference is a line.
 *
 * Such folders come from strangers' repositories.  So nothing below DIR is
 * reached by a symbolic link, and only regular files are read and replaced:
 * what stands elsewhere neither gets into a prompt nor is written over.
 */

#ifndef CTL_DIR_H
#define CTL_DIR_H

#include "base/json.h"
#include "ctl/ctl.h"


/* a prompt's folder, open */
typedef struct {
    int          fd;                         /* -1: there is none */
    const char  *path;                       /* for messages */
} ctl_dir_t;


/*
 * Opens DIR/name.  What is no folder is none: CTL_OK, and fd -1.  A link to a
 * folder is refused.  Returns an exit status, after a message where it is not
 * CTL_OK.
 */
int ctl_dir_open(ctl_t *ctl, const char *dir, const char *name,
    ctl_dir_t *folder) PROMPT_WARN_UNUSED;

/* the same, for writing: the folder is made where there is none */
int ctl_dir_make(ctl_t *ctl, const char *dir, const char *name,
    ctl_dir_t *folder) PROMPT_WARN_UNUSED;

void ctl_dir_close(ctl_dir_t *folder);

/*
 * A file of the folder, as text or as JSON, in the run's arena.  Where there
 * is no such file: CTL_OK, and an absent text or NULL.
 */
int ctl_dir_text(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_str_t *text) PROMPT_WARN_UNUSED;
int ctl_dir_json(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_json_t **value) PROMPT_WARN_UNUSED;

/*
 * Writes a file, whole or not at all (beside it, then renamed).  Where it has
 * that content already it is not touched; *changed says.
 */
int ctl_dir_write(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    prompt_str_t text, bool *changed) PROMPT_WARN_UNUSED;

/* the same with indented JSON and a line's end */
int ctl_dir_write_json(ctl_t *ctl, const ctl_dir_t *folder, const char *name,
    const prompt_json_t *value, bool *changed) PROMPT_WARN_UNUSED;

/* DIR/name, and v<number> with an ending; NULL where memory is short */
const char *ctl_path(ctl_t *ctl, const char *dir, const char *name)
    PROMPT_WARN_UNUSED;
const char *ctl_version_name(ctl_t *ctl, int64_t number, const char *ending)
    PROMPT_WARN_UNUSED;

#endif /* CTL_DIR_H */
