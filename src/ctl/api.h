/*
 * The GraphQL endpoint, as a client.
 */

#ifndef CTL_API_H
#define CTL_API_H

#include "base/json.h"
#include "ctl/ctl.h"


#define CTL_API_DEPTH    128                 /* nesting of an answer */
#define CTL_API_ANSWER   ((size_t) 512 * 1024 * 1024)
#define CTL_API_TIMEOUT  600                 /* s, of one call */

/* of a call that is done once: how often a second later, after a connection
   that was lost, and while an earlier request is being done */
#define CTL_API_LOST     5
#define CTL_API_BUSY     120


typedef struct {
    ctl_t       *ctl;
    void        *curl;                       /* the CURL handle */
    void        *headers;
    const char  *url;
    bool         once;                       /* calls have a key: they may be
                                                sent again */
} ctl_api_t;


/*
 * Reads --url or PROMPT_URL, --key or PROMPT_API_KEY; connects to nothing
 * yet.  Returns an exit status, after a message where it is not CTL_OK.
 */
int ctl_api_open(ctl_api_t *api, ctl_t *ctl) PROMPT_WARN_UNUSED;

void ctl_api_close(ctl_api_t *api);

/*
 * From now on calls carry one Idempotency-Key, --idempotency-key or a random
 * one, and are sent again where the connection was lost or an earlier one is
 * still being done.  Returns an exit status.
 */
int ctl_api_once(ctl_api_t *api) PROMPT_WARN_UNUSED;

/*
 * Sends a document with variables (an OBJECT, or NULL) and waits.  *data is
 * the answer's `data`, in the run's arena.  Returns an exit status; where it
 * is not CTL_OK, the answer's errors (or why there is none) were printed.
 */
int ctl_api_call(ctl_api_t *api, const char *document,
    prompt_json_t *variables, prompt_json_t **data) PROMPT_WARN_UNUSED;

/*
 * The same, but for errors of the answer: *errors are those, or NULL; without
 * them *data counts.
 */
int ctl_api_request(ctl_api_t *api, const char *document,
    prompt_json_t *variables, prompt_json_t **data, prompt_json_t **errors)
    PROMPT_WARN_UNUSED;

/* The parts of a call, for one whose answer is read as it comes. */

typedef size_t (*ctl_api_receive_pt)(char *data, size_t size, size_t n,
    void *to);

/* The body of a request; body is initialized here, and the caller's. */
int ctl_api_body(prompt_buf_t *body, const char *document,
    const prompt_json_t *variables) PROMPT_WARN_UNUSED;

/*
 * Sends it, and gives what comes to receive(), with to; *status is HTTP's.
 * Calls that have a key begin anew where the connection was lost: only
 * ctl_api_call() makes those.
 */
int ctl_api_send(ctl_api_t *api, prompt_str_t body,
    ctl_api_receive_pt receive, void *to, long *status) PROMPT_WARN_UNUSED;

/* Reads an answer, whose text lives as long as the run. */
int ctl_api_read(ctl_api_t *api, prompt_str_t answer, long status,
    prompt_json_t **data, prompt_json_t **errors) PROMPT_WARN_UNUSED;

/* Prints errors: field: message (CODE), a line each. */
void ctl_api_errors(const prompt_json_t *errors);

/*
 * Finds a prompt by id, where the text is one, else by name; what of it is
 * read says selection ("{ id name }").  *prompt is NULL where there is none;
 * that is no error.
 */
int ctl_api_prompt(ctl_api_t *api, const char *name, const char *selection,
    prompt_json_t **prompt) PROMPT_WARN_UNUSED;

/* the same, always by name */
int ctl_api_prompt_by_name(ctl_api_t *api, const char *name,
    const char *selection, prompt_json_t **prompt) PROMPT_WARN_UNUSED;

/* says that there is no such prompt; returns CTL_FAILED */
int ctl_api_no_prompt(const char *name);

/*
 * A member of that name that is a string: its text, else absent.  Does with
 * any value, NULL too.
 */
prompt_str_t ctl_text(const prompt_json_t *object, const char *name);

/* a member, or NULL */
prompt_json_t *ctl_member(const prompt_json_t *object, const char *name);

/* a member that is an integer, else 0 */
int64_t ctl_integer(const prompt_json_t *object, const char *name);

/*
 * A new object, and members of it: of a copy of value (NULL: null), of text
 * that is not copied.  NULL or false where memory is short, or object is NULL.
 */
prompt_json_t *ctl_object(ctl_t *ctl) PROMPT_WARN_UNUSED;
bool ctl_set(ctl_t *ctl, prompt_json_t *object, const char *name,
    const prompt_json_t *value) PROMPT_WARN_UNUSED;
bool ctl_set_text(ctl_t *ctl, prompt_json_t *object, const char *name,
    prompt_str_t text) PROMPT_WARN_UNUSED;   /* absent: null */

#endif /* CTL_API_H */
