/*
 * Versions that the worker keeps, taken in place of rows.
 *
 * A prompt's row says which versions it has: last_version and updated_at.  So
 * where all that a question asked for was kept the last time, the query reads
 * the prompts, and what else is selected, without their versions; these are
 * then taken from the worker by what the rows say, and those that are not
 * there are read by one more query.  Who may see what is always told by rows
 * of this very request.
 *
 * The first time that a question comes up nothing is kept of it, and the
 * second time all is: most that is asked once is not asked again.
 */

#ifndef NGX_HTTP_PROMPT_TREE_KEPT_H
#define NGX_HTTP_PROMPT_TREE_KEPT_H

#include "service/tree/tree.h"
#include "store/version_cache.h"


#define NGX_HTTP_PROMPT_KEPT_NONE  ((ngx_uint_t) -1)


/* of one reading; zeroed, nothing is kept of it */
struct ngx_http_prompt_kept_s {
    prompt_version_cache_t       *cache;         /* NULL: not looked at */
    uint64_t                      key;           /* of the question */
    prompt_kept_state_t           state;

    ngx_uint_t                    number;        /* of the versions field, or
                                                    ..._NONE */
    prompt_mask_t                 columns;       /* that it wants */
    unsigned                      left_out:1;    /* the query is without it */

    prompt_kept_t               **prompts;       /* of each; NULL: none yet */
    ngx_uint_t                    nprompts;

    prompt_range_t                missing;       /* what is read after that */
    ngx_http_prompt_root_saved_t  saved;          /* the query before */
};


/* The resolver of `versions` where they were left out. */
void ngx_http_prompt_resolve_kept(ngx_http_prompt_prompt_node_t *prompt,
    const gql_plan_field_t *field, gql_result_t *out);

#endif /* NGX_HTTP_PROMPT_TREE_KEPT_H */
