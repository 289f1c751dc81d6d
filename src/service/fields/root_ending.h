/*
 * Root fields that are endings (service/keys/ending.h): first the commit, then
 * the caches, then the answer.  A client that leaves in between stops none of
 * it.
 */

#ifndef NGX_HTTP_PROMPT_ROOT_ENDING_H
#define NGX_HTTP_PROMPT_ROOT_ENDING_H

#include "service/frame/root.h"
#include "service/keys/ending.h"


/* what becomes of it; done and none complete root, whose data is the ending */
typedef struct {
    ngx_int_t                (*read)(ngx_http_prompt_ending_t *ending,
                                     const prompt_rows_t *rows,
                                     prompt_str_t *hashes);
    ngx_http_prompt_root_pt    done;         /* every hash is revoked */
    ngx_http_prompt_root_pt    none;         /* read() declined root->result */
    const char                *cached;       /* the error where memory was short
                                                behind the commit */
} ngx_http_prompt_root_ending_kind_t;


/* Lives in its query's arena, at the beginning of what a field has there. */
typedef struct {
    ngx_http_prompt_ending_t                   ending;   /* first */
    const ngx_http_prompt_root_ending_kind_t  *kind;
} ngx_http_prompt_root_ending_t;


/*
 * size: of all that is there, zeroed; the query, which has the actor, is to be
 * filled.  NULL: memory, and root was completed.
 */
void *ngx_http_prompt_root_ending_create(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_root_ending_kind_t *kind, size_t size,
    prompt_query_t **query) PROMPT_WARN_UNUSED;

/*
 * Sends the query, where bound is true, with what hooks append of a change of
 * what has this id (16 bytes), or absent.
 */
void ngx_http_prompt_root_ending_send(ngx_http_prompt_root_t *root,
    void *ending, prompt_query_t *query, bool bound, prompt_str_t id);

#endif /* NGX_HTTP_PROMPT_ROOT_ENDING_H */
