/*
 * Budgets as the fields show them: of a project, and of its keys.
 */

#ifndef NGX_HTTP_PROMPT_BUDGET_NODE_H
#define NGX_HTTP_PROMPT_BUDGET_NODE_H

#include "service/frame/service.h"
#include "service/tree/people.h"
#include "store/api_key.h"
#include "store/budget.h"


/* an API key as its resolvers see it */
typedef struct {
    prompt_api_key_t        record;
    ngx_http_prompt_by_t    by;
    ngx_http_prompt_list_t  scopes;
    prompt_str_t            scope_names[PROMPT_KEY_SCOPES];
    ngx_http_prompt_list_t  budgets;     /* where they were read */
} ngx_http_prompt_key_node_t;


/* a budget as its resolvers see it */
typedef struct {
    prompt_budget_t              record;
    ngx_http_prompt_key_node_t  *key;    /* NULL: of the project */
} ngx_http_prompt_budget_node_t;


/* some columns of rows, as rows of their own */
typedef struct {
    prompt_rows_t                rows;
    const prompt_rows_t         *all;
    unsigned                     row;    /* the only one, */
    unsigned                     from;   /* and its first cell */
} ngx_http_prompt_part_t;


/* one of several of a project, whose key nobody else has read */
typedef struct {
    ngx_http_prompt_budget_node_t  node; /* first */
    ngx_http_prompt_key_node_t     key;
    ngx_http_prompt_people_t       people;
    ngx_http_prompt_part_t         user; /* who made the key */
} ngx_http_prompt_project_budget_t;


/* The key of a row, made by one of people, without budgets (api_key.c). */
void ngx_http_prompt_key_node(ngx_http_prompt_key_node_t *node,
    ngx_http_prompt_people_t *people, const prompt_rows_t *rows, unsigned row);

/*
 * Budgets and keys of a project, as prompt_budget_list() and
 * prompt_api_key_list() have them: gives each of n keys its own, and *list
 * those of the project.  The nodes are in the arena.  NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_budgets_read(prompt_arena_t *arena,
    const prompt_rows_t *rows, ngx_http_prompt_key_node_t *keys, unsigned n,
    ngx_http_prompt_list_t *list);

/*
 * The item of a row of prompt_project_budgets().  Items are elements of an
 * array, in the order of the rows.
 */
void ngx_http_prompt_budget_item(const prompt_rows_t *rows, unsigned row,
    ngx_http_prompt_project_budget_t *item);

#endif /* NGX_HTTP_PROMPT_BUDGET_NODE_H */
