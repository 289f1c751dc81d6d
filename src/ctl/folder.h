/*
 * A prompt as a folder of files (ctl/dir.h says which), for import.
 */

#ifndef CTL_FOLDER_H
#define CTL_FOLDER_H

#include "base/json.h"
#include "ctl/ctl.h"


typedef struct {
    const char     *path;
    prompt_json_t  *prompt;                  /* ImportPromptInput, or NULL */
} ctl_folder_t;


/*
 * Reads DIR/name, with labels what they name, too.  folder->prompt is NULL
 * where there is no prompt in it, or where a file of it cannot be sent: *fault
 * is then set, after a message for each.  Returns an exit status; such a fault
 * is CTL_OK, so that all folders are looked at.
 */
int ctl_folder_read(ctl_t *ctl, const char *dir, const char *name,
    bool labels, ctl_folder_t *folder, bool *fault) PROMPT_WARN_UNUSED;

#endif /* CTL_FOLDER_H */
