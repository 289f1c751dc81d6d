/*
 * Trees by hash.
 */

#include "service/worker/hash_tree.h"


static ngx_int_t ngx_http_prompt_hash_tree_cmp(ngx_rbtree_key_t key,
    const uint8_t *hash, const ngx_rbtree_node_t *node);
static void ngx_http_prompt_hash_tree_insert(ngx_rbtree_node_t *temp,
    ngx_rbtree_node_t *node, ngx_rbtree_node_t *sentinel);


void
ngx_http_prompt_hash_tree_init(ngx_rbtree_t *tree, ngx_rbtree_node_t *sentinel)
{
    ngx_rbtree_init(tree, sentinel, ngx_http_prompt_hash_tree_insert);
}


ngx_http_prompt_hashed_t *
ngx_http_prompt_hash_tree_find(const ngx_rbtree_t *tree,
    const uint8_t hash[PROMPT_SHA256_LEN])
{
    ngx_int_t           rc;
    ngx_rbtree_key_t    key;
    ngx_rbtree_node_t  *node;

    ngx_memcpy(&key, hash, sizeof(key));

    node = tree->root;

    while (node != tree->sentinel) {
        rc = ngx_http_prompt_hash_tree_cmp(key, hash, node);

        if (rc == 0) {
            return (ngx_http_prompt_hashed_t *) node;
        }

        node = rc < 0 ? node->left : node->right;
    }

    return NULL;
}


void
ngx_http_prompt_hash_tree_add(ngx_rbtree_t *tree,
    ngx_http_prompt_hashed_t *hashed, const uint8_t hash[PROMPT_SHA256_LEN])
{
    ngx_memcpy(hashed->hash, hash, PROMPT_SHA256_LEN);
    ngx_memcpy(&hashed->node.key, hash, sizeof(hashed->node.key));

    ngx_rbtree_insert(tree, &hashed->node);
}


static ngx_int_t
ngx_http_prompt_hash_tree_cmp(ngx_rbtree_key_t key, const uint8_t *hash,
    const ngx_rbtree_node_t *node)
{
    if (key != node->key) {
        return key < node->key ? -1 : 1;
    }

    return ngx_memcmp(hash, ((ngx_http_prompt_hashed_t *) node)->hash,
                      PROMPT_SHA256_LEN);
}


static void
ngx_http_prompt_hash_tree_insert(ngx_rbtree_node_t *temp,
    ngx_rbtree_node_t *node, ngx_rbtree_node_t *sentinel)
{
    ngx_rbtree_node_t         **p;
    ngx_http_prompt_hashed_t   *hashed;

    hashed = (ngx_http_prompt_hashed_t *) node;

    for ( ;; ) {

        p = ngx_http_prompt_hash_tree_cmp(node->key, hashed->hash, temp) < 0
            ? &temp->left : &temp->right;

        if (*p == sentinel) {
            break;
        }

        temp = *p;
    }

    *p = node;
    node->parent = temp;
    node->left = sentinel;
    node->right = sentinel;
    ngx_rbt_red(node);
}
