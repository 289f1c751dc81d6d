/*
 * Trees from the inside: what tree.c and tree_kept.c share.
 */

#ifndef NGX_HTTP_PROMPT_TREE_IMPL_H
#define NGX_HTTP_PROMPT_TREE_IMPL_H

#include "service/tree/tree_kept.h"


/*
 * A set of rows, how far it was read, and the list that is being written.  Its
 * first columns say what a row hangs on; they were read when it was looked for.
 */
typedef struct {
    ngx_http_prompt_list_t     list;         /* first: what item() gets */
    ngx_http_prompt_tree_t    *tree;
    ngx_uint_t                 number;       /* in the query */
    const prompt_resource_t   *resource;
    const prompt_statement_t  *statement;
    const prompt_rows_t       *rows;
    unsigned                   above;        /* how many columns say that */
    unsigned                   next;
    prompt_kept_t             *kept;         /* where the rows are of it */

    unsigned                   looked;       /* the row of these, and one */
    prompt_str_t               prompt_id;
    int32_t                    version;

    union {
        ngx_http_prompt_prompt_node_t     prompt;
        ngx_http_prompt_version_node_t    version;
        ngx_http_prompt_execution_node_t  execution;
        ngx_http_prompt_label_node_t      label;
        ngx_http_prompt_move_node_t       move;
    } item;
} ngx_http_prompt_set_t;


struct ngx_http_prompt_tree_s {
    ngx_http_prompt_root_t              *root;
    const ngx_http_prompt_projection_t  *proj;
    const prompt_record_t               *record;   /* instead of a set,
                                                     or NULL */
    const ngx_http_prompt_kept_t        *kept;     /* versions that were
                                                     left out */
    ngx_http_prompt_people_t             people;
    ngx_http_prompt_set_t                prompts;
    ngx_http_prompt_set_t               *versions;  /* and behind them: */
    ngx_http_prompt_set_t               *executions;
    ngx_http_prompt_set_t               *labels;
    ngx_http_prompt_set_t               *moves;
};

#endif /* NGX_HTTP_PROMPT_TREE_IMPL_H */
