/*
 * Lists page by page: there may be very many prompts and versions, or few that
 * are very large.
 */

#ifndef CTL_PAGES_H
#define CTL_PAGES_H

#include "ctl/api.h"


/*
 * Calls each for all of the project's prompts, newest first; selection is what
 * of them is read ("{ id name }"), with the id.
 */
void ctl_prompts_each(ctl_api_t *api, const char *selection,
    void (*each)(void *data, const json_t *prompt), void *data);


/* the versions of a prompt */
typedef struct {
    ctl_api_t   *api;
    const char  *document;
    json_t      *variables;
    json_t      *answer;                     /* with the last version */
    int64_t      number;                     /* of that */
} ctl_versions_t;


/*
 * Begins with the first version, or with the one after that of the id after
 * (absent: none).
 */
void ctl_versions_begin(ctl_versions_t *versions, ctl_api_t *api,
    prompt_str_t prompt, prompt_str_t after);

/*
 * The next version, an object of all its properties; NULL at the end.  It is
 * gone with the next call, which there is until NULL came.
 */
const json_t *ctl_versions_next(ctl_versions_t *versions);

#endif /* CTL_PAGES_H */
