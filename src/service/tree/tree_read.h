/*
 * Reading prompts, from the inside: what its files share.
 */

#ifndef NGX_HTTP_PROMPT_TREE_READ_H
#define NGX_HTTP_PROMPT_TREE_READ_H

#include "io/ngx_http_prompt_timer.h"
#include "service/tree/tree_kept.h"


/* prompts of a window, with what hangs below them and without */
#define NGX_HTTP_PROMPT_WINDOW_NESTED  100
#define NGX_HTTP_PROMPT_WINDOW         1000


/* prompts that are being read for a root field; in the request's arena */
typedef struct {
    ngx_http_prompt_root_t     *root;
    ngx_http_prompt_tree_t     *tree;
    ngx_http_prompt_reading_pt  check;       /* of one prompt, or NULL */

    ngx_event_t                 event;       /* the next step, or the turn */
    ngx_http_prompt_timer_t     hold;

    prompt_range_t              range;
    ngx_http_prompt_kept_t      kept;        /* of the first attempt */
    prompt_record_t             record;      /* of a change */
    uint32_t                    left;        /* of the list, where limited */
    uint32_t                    window;      /* prompts of the query */
    char                        after[PROMPT_UUID_LEN];

    void                       *other;       /* of what is no prompt */
    ngx_http_prompt_root_pt     ask;         /* for it; else NULL */

    prompt_str_t                search;      /* absent: none */
    char                       *found;       /* ids, not read yet */
    uint32_t                    nfound;
    uint32_t                    nread;
    ngx_msec_t                  start;

    unsigned                    list:1;
    unsigned                    limited:1;
    unsigned                    changed:1;   /* record is there */
    unsigned                    ended:1;     /* nothing more to be searched */
    unsigned                    waits:1;     /* for its turn */
    unsigned                    later:1;     /* ask again */
} ngx_http_prompt_reading_t;


/* A reading without prompts, which is root's data.  False: memory. */
bool ngx_http_prompt_reading_create(ngx_http_prompt_root_t *root,
    ngx_http_prompt_reading_t **made) PROMPT_WARN_UNUSED;

/* The first attempt, and what is written of it. */
void ngx_http_prompt_read_short(ngx_http_prompt_reading_t *reading);
void ngx_http_prompt_write_short(ngx_http_prompt_reading_t *reading);

/*
 * Whose the prompt is, for a first attempt: what is known before it, which the
 * query goes by, and what its row says.  False: it is not the caller's, though
 * the query was that of an owner; it is to be read again, and is not the next
 * time.
 */
void ngx_http_prompt_owner_known(ngx_http_prompt_reading_t *reading);
bool ngx_http_prompt_owner_learnt(ngx_http_prompt_reading_t *reading);

/*
 * Versions that the worker keeps, for a first attempt: what is known before
 * it, and what it lets go in the end.  Between them, find() takes over, where
 * the query was left_out of versions, and goes on with write_short() when it
 * has them; put() keeps what the query brought otherwise.
 */
void ngx_http_prompt_kept_begin(ngx_http_prompt_reading_t *reading);
void ngx_http_prompt_kept_find(ngx_http_prompt_reading_t *reading);
void ngx_http_prompt_kept_put(ngx_http_prompt_reading_t *reading);
void ngx_http_prompt_kept_end(ngx_http_prompt_reading_t *reading);

/*
 * Begins to read what is long, or waits: until no other field of the request
 * does so, then until there is room for the answer, which may be refused.
 * reserve() is what follows when its turn has come; pass() gives the turn to
 * the next one.
 */
void ngx_http_prompt_read_wait(ngx_http_prompt_reading_t *reading);
void ngx_http_prompt_read_reserve(ngx_http_prompt_reading_t *reading);
void ngx_http_prompt_read_pass(ngx_http_prompt_job_t *job);

/* whether the query for what is long succeeded */
bool ngx_http_prompt_window_succeeded(ngx_http_prompt_reading_t *reading)
    PROMPT_WARN_UNUSED;

/* Goes on in the next round of the event loop, which there must be. */
void ngx_http_prompt_read_next(ngx_http_prompt_reading_t *reading);

/* the detach of all root fields that are readings */
void ngx_http_prompt_read_detach(void *data);

/* The next query of what is long. */
void ngx_http_prompt_read_long(ngx_http_prompt_reading_t *reading);

/* Reads a window of the list, or the prompts of range.ids. */
void ngx_http_prompt_read_window(ngx_http_prompt_reading_t *reading);

/* an empty query that takes turns; false: memory */
bool ngx_http_prompt_long_query(ngx_http_prompt_reading_t *reading,
    prompt_query_t **query) PROMPT_WARN_UNUSED;

/* Looks at the next prompts; then read_long() reads what was found. */
void ngx_http_prompt_search(ngx_http_prompt_reading_t *reading);

/* A step of writing was taken: goes on with the next one. */
void ngx_http_prompt_read_stepped(ngx_http_prompt_reading_t *reading,
    gql_step_t step);

/* Reads some of what was found, or ends the list. */
void ngx_http_prompt_read_found(ngx_http_prompt_reading_t *reading);

#endif /* NGX_HTTP_PROMPT_TREE_READ_H */
