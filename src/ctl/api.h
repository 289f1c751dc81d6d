/*
 * The GraphQL endpoint, as a client.
 */

#ifndef CTL_API_H
#define CTL_API_H

#include "ctl/json.h"


#define CTL_API_ANSWER   ((size_t) 512 * 1024 * 1024)
#define CTL_API_TIMEOUT  600                 /* s, of one call */

/* of a call that is done once: how often a second later, after a connection
   that was lost, and while an earlier request is being done */
#define CTL_API_LOST     5
#define CTL_API_BUSY     120


typedef struct {
    const ctl_t  *ctl;
    void         *curl;                      /* the CURL handle */
    void         *headers;
    const char   *url;
    bool          once;                      /* calls have a key: they may be
                                                sent again */
} ctl_api_t;


/*
 * Reads --url or PROMPT_URL, --key or PROMPT_API_KEY; connects to nothing
 * yet.
 */
void ctl_api_open(ctl_api_t *api, const ctl_t *ctl);

void ctl_api_close(ctl_api_t *api);

/*
 * From now on calls carry one Idempotency-Key, --idempotency-key or a random
 * one, and are sent again where the connection was lost or an earlier one is
 * still being done.
 */
void ctl_api_once(ctl_api_t *api);

/*
 * Sends a document with variables (an object that stays the caller's, or
 * NULL), waits, and gives the answer's `data`.  Where it has errors these are
 * printed, and the run ends.
 */
json_t *ctl_api_call(ctl_api_t *api, const char *document,
    const json_t *variables);

/*
 * The same, but for errors of the answer: *errors are those, or NULL; without
 * them what it gives counts.
 */
json_t *ctl_api_request(ctl_api_t *api, const char *document,
    const json_t *variables, json_t **errors);

/* The parts of a call, for one whose answer is read as it comes. */

typedef size_t (*ctl_api_receive_pt)(char *data, size_t size, size_t n,
    void *to);

/*
 * Sends it, and gives what comes to receive(), with to.  Returns HTTP's status,
 * or 0 after a message.  Calls that have a key begin anew where the connection
 * was lost: only ctl_api_call() makes those.
 */
long ctl_api_send(ctl_api_t *api, const char *document,
    const json_t *variables, ctl_api_receive_pt receive, void *to);

/* Reads an answer: its `data`. */
json_t *ctl_api_read(prompt_str_t answer, long status, json_t **errors);

/* Prints errors: field: message (CODE), a line each. */
void ctl_api_errors(const json_t *errors);

/*
 * Finds a prompt by id, where the text is one, else by name; what of it is
 * read says selection ("{ id name }").  The run ends where there is none.
 */
json_t *ctl_api_prompt(ctl_api_t *api, const char *name,
    const char *selection);

#endif /* CTL_API_H */
