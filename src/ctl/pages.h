/*
 * Lists page by page: there may be very many prompts and versions, or few that
 * are very large.
 */

#ifndef CTL_PAGES_H
#define CTL_PAGES_H

#include "ctl/api.h"


/*
 * Calls each for all of the caller's prompts, newest first; selection is what
 * of them is read ("{ id name }"), with the id.  What each takes from the
 * run's arena is gone afterwards.  Returns an exit status, the first of each
 * that is not CTL_OK.
 */
int ctl_prompts_each(ctl_api_t *api, const char *selection,
    int (*each)(void *data, const prompt_json_t *prompt), void *data)
    PROMPT_WARN_UNUSED;


/* the versions of a prompt */
typedef struct {
    ctl_api_t            *api;
    char                  prompt[PROMPT_UUID_TEXT_LEN];
    char                  after[PROMPT_UUID_TEXT_LEN];
    bool                  begun;             /* after is set */
    bool                  ended;             /* the page is the last */
    int64_t               number;            /* of the last version */
    prompt_arena_t       *arena;             /* of the page; NULL: none */
    const prompt_json_t  *next;              /* in it */
} ctl_versions_t;


/*
 * Begins with the first version, or with the one after that of the id after
 * (absent: none).  False, after a message, where an id is none.
 */
bool ctl_versions_begin(ctl_versions_t *versions, ctl_api_t *api,
    prompt_str_t prompt, prompt_str_t after) PROMPT_WARN_UNUSED;

/*
 * The next version, an OBJECT of all its properties; NULL at the end.  It is
 * gone with the next call.  Returns an exit status, after a message where it
 * is not CTL_OK.
 */
int ctl_versions_next(ctl_versions_t *versions, const prompt_json_t **version)
    PROMPT_WARN_UNUSED;

/* Frees the page; may be called twice. */
void ctl_versions_end(ctl_versions_t *versions);

#endif /* CTL_PAGES_H */
