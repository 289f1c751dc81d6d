/*
 * A prompt as a folder of files (ctl/dir.h says which), for import.
 */

#ifndef CTL_FOLDER_H
#define CTL_FOLDER_H

#include "ctl/json.h"


/*
 * Reads DIR/name, with labels what they name, too: an ImportPromptInput; *path
 * is the folder.  NULL where there is no prompt in it, or where a file of it
 * cannot be sent: *fault is then set, after a message for each, so that all
 * folders are looked at.
 */
json_t *ctl_folder_read(const ctl_t *ctl, const char *dir, const char *name,
    bool labels, const char **path, bool *fault);

#endif /* CTL_FOLDER_H */
