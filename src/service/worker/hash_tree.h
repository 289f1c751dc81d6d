/*
 * A red-black tree of things that are found by a SHA-256, whose first bytes
 * are the nodes' keys.  In a worker's memory, or in shared memory under the
 * lock of its owner.
 */

#ifndef NGX_HTTP_PROMPT_HASH_TREE_H
#define NGX_HTTP_PROMPT_HASH_TREE_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/sha256.h"


/* the first member of what is in a tree */
typedef struct {
    ngx_rbtree_node_t  node;
    uint8_t            hash[PROMPT_SHA256_LEN];
} ngx_http_prompt_hashed_t;


void ngx_http_prompt_hash_tree_init(ngx_rbtree_t *tree,
    ngx_rbtree_node_t *sentinel);

/* NULL: it is not there */
ngx_http_prompt_hashed_t *ngx_http_prompt_hash_tree_find(
    const ngx_rbtree_t *tree, const uint8_t hash[PROMPT_SHA256_LEN]);

/* hash is copied; it must not be in the tree yet */
void ngx_http_prompt_hash_tree_add(ngx_rbtree_t *tree,
    ngx_http_prompt_hashed_t *hashed, const uint8_t hash[PROMPT_SHA256_LEN]);

#endif /* NGX_HTTP_PROMPT_HASH_TREE_H */
