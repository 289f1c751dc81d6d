/*
 * A prompt as a folder of files (ctl/dir.h says which), for import.
 */

#ifndef CTL_FOLDER_H
#define CTL_FOLDER_H

#include "base/json.h"
#include "ctl/ctl.h"


typedef struct {
    const char     *path;
    const char     *name;                    /* as the service will call it */
    prompt_json_t  *metadata;                /* prompt.json, an OBJECT */
    prompt_json_t  *versions;                /* ARRAY of {content, params,
                                                …}, absent ones null */
    prompt_json_t  *labels;                  /* labels.json, an OBJECT of
                                                versions' numbers; or NULL */
} ctl_folder_t;


/*
 * Reads and checks DIR/name, with labels what they name, too.  folder->name is
 * NULL where there is no prompt
 * in it, or where something is wrong with it: *fault is then set, after a
 * message for each fault.  Returns an exit status; what is wrong with the
 * files' contents is CTL_OK, so that all folders are looked at.
 */
int ctl_folder_read(ctl_t *ctl, const char *dir, const char *name,
    bool labels, ctl_folder_t *folder, bool *fault) PROMPT_WARN_UNUSED;

#endif /* CTL_FOLDER_H */
