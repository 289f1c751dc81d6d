/*
 * Prompts as files that live in git: a folder each, below the one that
 * promptctl is given.
 *
 *     DIR/<name>/prompt.json    name, description, category, isPublic
 *     DIR/<name>/v1.txt         content of version 1, byte for byte
 *     DIR/<name>/v1.json        its params and, where it has them, messages
 *                               inputSchema, outputSchema and note
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

#include "ctl/json.h"


/* a prompt's folder, open */
typedef struct {
    int          fd;                         /* -1: there is none */
    const char  *path;                       /* for messages */
} ctl_dir_t;


/*
 * Opens DIR/name.  What is no folder is none: fd is -1 then, or, to make, the
 * folder is made.  A link to a folder is refused.
 */
void ctl_dir_open(const ctl_t *ctl, const char *dir, const char *name,
    bool make, ctl_dir_t *folder);

void ctl_dir_close(ctl_dir_t *folder);

/*
 * A file of the folder, as text that the caller frees, or as JSON.  Where
 * there is no such file: an absent text, or NULL.
 */
prompt_str_t ctl_dir_text(const ctl_t *ctl, const ctl_dir_t *folder,
    const char *name);
json_t *ctl_dir_json(const ctl_t *ctl, const ctl_dir_t *folder,
    const char *name);

/*
 * Writes a file, whole or not at all (beside it, then renamed).  Where it has
 * that content already it is not touched; *changed says.
 */
void ctl_dir_write(const ctl_t *ctl, const ctl_dir_t *folder,
    const char *name, prompt_str_t text, bool *changed);

/* the same with indented JSON, which is given back, and a line's end */
void ctl_dir_write_json(const ctl_t *ctl, const ctl_dir_t *folder,
    const char *name, json_t *value, bool *changed);

/* the file of a version, with an ending: v1.txt */
const char *ctl_version_name(const ctl_t *ctl, int64_t number,
    const char *ending);

#endif /* CTL_DIR_H */
