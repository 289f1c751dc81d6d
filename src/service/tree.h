/*
 * Prompts with what hangs below them: versions, executions, creator.
 *
 * Any root field that returns prompts asks for them in the same way.  When
 * its plan is compiled, the selection becomes a shape: which statements, with
 * which columns.  When it runs, a scope (which prompts) and the shape become
 * one query.  When the rows are there they become a tree of records that
 * resolvers walk: one pass over each set of rows, which all come in the same
 * order, so joining them is a walk side by side.
 */

#ifndef NGX_HTTP_PROMPT_TREE_H
#define NGX_HTTP_PROMPT_TREE_H

#include "service/service.h"
#include "store/execution.h"
#include "store/prompt.h"
#include "store/scope.h"
#include "store/user.h"
#include "store/version.h"


#define NGX_HTTP_PROMPT_DEFAULT_EXECUTIONS  100
#define NGX_HTTP_PROMPT_MAX_PAGE            1000


/* one `executions` field of a selection; aliases make several */
typedef struct {
    const gql_plan_field_t  *field;
    uint32_t                 columns;
} ngx_http_prompt_shape_executions_t;


/* What a selection on Prompt asks for.  Lives in the plan. */
typedef struct {
    uint32_t     prompt_columns;
    uint32_t     version_columns;
    ngx_uint_t   nexecutions;
    ngx_http_prompt_shape_executions_t  *executions;
    unsigned     versions:1;
    unsigned     creator:1;
} ngx_http_prompt_shape_t;


typedef struct {
    prompt_version_t         record;
    ngx_http_prompt_list_t  *executions;     /* one an executions field; NULL
                                                where there can be none */
} ngx_http_prompt_version_node_t;


typedef struct {
    prompt_record_t          record;
    const prompt_user_t     *creator;
    ngx_http_prompt_list_t   versions;
} ngx_http_prompt_prompt_node_t;


/* rows on their way to the above */
typedef struct ngx_http_prompt_tree_s  ngx_http_prompt_tree_t;


/*
 * Makes field->data of a field that returns Prompt (or a list of them) its
 * shape.  A compile hook of root fields; false: memory is short.
 */
bool ngx_http_prompt_shape_compile(gql_plan_t *plan, gql_plan_field_t *field);

/*
 * Appends to query what the shape of op's field needs for the prompts of the
 * scope: the prompts themselves unless a statement before brings them
 * (with_prompts), then versions, executions, creator.
 * NGX_OK; NGX_ERROR: memory is short; NGX_DECLINED: an argument is wrong, and
 * the operation was completed with the error.
 */
ngx_int_t ngx_http_prompt_tree_query(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, const prompt_scope_t *scope, bool with_prompts);

/*
 * Reads the sets of rows that ngx_http_prompt_tree_query() asked for, the
 * first of which is number `first` of the result.  Where the statement before
 * brought the prompt, record is it, otherwise NULL.  Returns a list of
 * ngx_http_prompt_prompt_node_t in the request's arena, or NULL: memory.
 */
ngx_http_prompt_list_t *ngx_http_prompt_tree_read(
    ngx_http_prompt_operation_t *op, ngx_uint_t first,
    const prompt_record_t *record);

/*
 * The same in parts: a tree whose rows stay where they are, how many there are
 * in all sets, how many prompts are left, and the next ones, at most max.
 */
ngx_http_prompt_tree_t *ngx_http_prompt_tree_open(
    ngx_http_prompt_operation_t *op, ngx_uint_t first,
    const prompt_record_t *record);
ngx_uint_t ngx_http_prompt_tree_rows(const ngx_http_prompt_tree_t *tree);
ngx_uint_t ngx_http_prompt_tree_left(const ngx_http_prompt_tree_t *tree);
ngx_http_prompt_list_t *ngx_http_prompt_tree_next(
    ngx_http_prompt_tree_t *tree, ngx_uint_t max);

/*
 * Completes op with the list of prompts whose rows came; a long one part by
 * part, and what else the worker has to do gets its turn in between.
 */
void ngx_http_prompt_tree_complete(ngx_http_prompt_operation_t *op);

#endif /* NGX_HTTP_PROMPT_TREE_H */
