/*
 * The store of persisted queries: a tree by hash and a queue by use, in a
 * zone of shared memory.
 *
 * Documents are cut into blocks of one size.  So what one document gave back
 * another one can use, whatever their lengths: the zone does not fragment,
 * and to keep a document never takes more evictions than it has blocks.
 */

#include "http/ngx_http_prompt_persisted.h"

#include "http/ngx_http_prompt_conf.h"
#include "service/hash_tree.h"


typedef struct ngx_http_prompt_persisted_block_s
    ngx_http_prompt_persisted_block_t;


struct ngx_http_prompt_persisted_block_s {
    ngx_http_prompt_persisted_block_t  *next;
    u_char                              data[1];
};


/* a document's first block */
typedef struct {
    ngx_http_prompt_hashed_t            hashed;
    ngx_queue_t                         queue;
    size_t                              len;
    ngx_http_prompt_persisted_block_t  *more;
    u_char                              data[1];
} ngx_http_prompt_persisted_entry_t;


typedef struct {
    ngx_rbtree_t                        entries;
    ngx_rbtree_node_t                   sentinel;
    ngx_queue_t                         queue;     /* newest first */
} ngx_http_prompt_persisted_store_t;


/* bytes of a document that go into its first block, and into each other */

#define NGX_HTTP_PROMPT_PERSISTED_FIRST                                       \
    (NGX_HTTP_PROMPT_PERSISTED_BLOCK                                          \
     - offsetof(ngx_http_prompt_persisted_entry_t, data))

#define NGX_HTTP_PROMPT_PERSISTED_MORE                                        \
    (NGX_HTTP_PROMPT_PERSISTED_BLOCK                                          \
     - offsetof(ngx_http_prompt_persisted_block_t, data))


static ngx_int_t ngx_http_prompt_persisted_init(ngx_shm_zone_t *zone,
    void *data);
static ngx_http_prompt_persisted_entry_t *ngx_http_prompt_persisted_lookup(
    ngx_http_prompt_persisted_store_t *store, const uint8_t *hash);
static ngx_http_prompt_persisted_entry_t *ngx_http_prompt_persisted_create(
    ngx_shm_zone_t *zone, prompt_str_t text);
static void *ngx_http_prompt_persisted_block(ngx_shm_zone_t *zone);
static void ngx_http_prompt_persisted_free(ngx_slab_pool_t *shpool,
    ngx_http_prompt_persisted_entry_t *entry);


char *
ngx_http_prompt_persisted_zone(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ssize_t     size;
    ngx_str_t  *value;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_persisted");

    (void) cmd;

    if (pmcf->persisted != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0) {
        pmcf->persisted = NULL;
        return NGX_CONF_OK;
    }

    size = ngx_parse_size(&value[1]);

    if (size == NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid size \"%V\" of "
                           "\"prompt_persisted_queries\": write the size of "
                           "the zone that all workers share, such as \"8m\", "
                           "or \"off\"", &value[1]);
        return NGX_CONF_ERROR;
    }

    if (size < (ssize_t) (8 * ngx_pagesize)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "size \"%V\" of \"prompt_persisted_queries\" is "
                           "too small: write at least \"%uzk\", better \"8m\"",
                           &value[1], 8 * ngx_pagesize / 1024);
        return NGX_CONF_ERROR;
    }

    pmcf->persisted = ngx_shared_memory_add(cf, &name, size,
                                            &ngx_http_prompt_module);
    if (pmcf->persisted == NULL) {
        return NGX_CONF_ERROR;
    }

    pmcf->persisted->init = ngx_http_prompt_persisted_init;

    return NGX_CONF_OK;
}


/* data: the store of the cycle before, which goes on with a zone of its size */

static ngx_int_t
ngx_http_prompt_persisted_init(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t                    *shpool;
    ngx_http_prompt_persisted_store_t  *store;

    if (data != NULL) {
        zone->data = data;
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    if (zone->shm.exists) {
        zone->data = shpool->data;
        return NGX_OK;
    }

    store = ngx_slab_calloc(shpool, sizeof(ngx_http_prompt_persisted_store_t));
    if (store == NULL) {
        return NGX_ERROR;
    }

    ngx_http_prompt_hash_tree_init(&store->entries, &store->sentinel);
    ngx_queue_init(&store->queue);

    /* a full store is nothing to complain about */

    shpool->log_nomem = 0;
    shpool->data = store;
    zone->data = store;

    return NGX_OK;
}


/* The mutex is held. */

static ngx_http_prompt_persisted_entry_t *
ngx_http_prompt_persisted_lookup(ngx_http_prompt_persisted_store_t *store,
    const uint8_t *hash)
{
    ngx_http_prompt_persisted_entry_t  *entry;

    entry = (ngx_http_prompt_persisted_entry_t *)
                ngx_http_prompt_hash_tree_find(&store->entries, hash);

    if (entry != NULL) {

        /* it was asked for just now: the last that has to go */

        ngx_queue_remove(&entry->queue);
        ngx_queue_insert_head(&store->queue, &entry->queue);
    }

    return entry;
}


ngx_int_t
ngx_http_prompt_persisted_find(ngx_shm_zone_t *zone,
    const uint8_t hash[PROMPT_SHA256_LEN], prompt_arena_t *arena,
    prompt_str_t *text)
{
    char                               *data, *last;
    size_t                              len, n, left;
    ngx_slab_pool_t                    *shpool;
    ngx_http_prompt_persisted_block_t  *block;
    ngx_http_prompt_persisted_entry_t  *entry;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    ngx_shmtx_lock(&shpool->mutex);

    entry = ngx_http_prompt_persisted_lookup(zone->data, hash);
    len = entry != NULL ? entry->len : 0;

    ngx_shmtx_unlock(&shpool->mutex);

    if (entry == NULL) {
        return NGX_DECLINED;
    }

    data = prompt_arena_alloc(arena, len);
    if (data == NULL) {
        return NGX_ERROR;
    }

    /* it may have gone meanwhile; its text is the same if it has not */

    ngx_shmtx_lock(&shpool->mutex);

    entry = ngx_http_prompt_persisted_lookup(zone->data, hash);

    if (entry == NULL || entry->len != len) {
        ngx_shmtx_unlock(&shpool->mutex);
        return NGX_DECLINED;
    }

    n = ngx_min(len, NGX_HTTP_PROMPT_PERSISTED_FIRST);
    last = (char *) ngx_cpymem(data, entry->data, n);
    left = len - n;

    for (block = entry->more; block != NULL; block = block->next) {
        n = ngx_min(left, NGX_HTTP_PROMPT_PERSISTED_MORE);
        last = (char *) ngx_cpymem(last, block->data, n);
        left -= n;
    }

    ngx_shmtx_unlock(&shpool->mutex);

    *text = prompt_str_of(data, len);

    return NGX_OK;
}


void
ngx_http_prompt_persisted_add(ngx_shm_zone_t *zone,
    const uint8_t hash[PROMPT_SHA256_LEN], prompt_str_t text)
{
    ngx_slab_pool_t                    *shpool;
    ngx_http_prompt_persisted_entry_t  *entry;
    ngx_http_prompt_persisted_store_t  *store;

    /* one document must not drive out most of the others */

    if (text.len > NGX_HTTP_PROMPT_PERSISTED_DOCUMENT
        || text.len > zone->shm.size / 8)
    {
        return;
    }

    store = zone->data;
    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    ngx_shmtx_lock(&shpool->mutex);

    if (ngx_http_prompt_persisted_lookup(store, hash) == NULL) {
        entry = ngx_http_prompt_persisted_create(zone, text);

        if (entry != NULL) {
            ngx_http_prompt_hash_tree_add(&store->entries, &entry->hashed,
                                          hash);
            ngx_queue_insert_head(&store->queue, &entry->queue);
        }
    }

    ngx_shmtx_unlock(&shpool->mutex);
}


/*
 * An entry with its text, neither in the tree nor in the queue yet.  NULL: it
 * is larger than the zone.
 */

static ngx_http_prompt_persisted_entry_t *
ngx_http_prompt_persisted_create(ngx_shm_zone_t *zone, prompt_str_t text)
{
    size_t                               n, left;
    const char                          *pos;
    ngx_http_prompt_persisted_block_t   *block, **last;
    ngx_http_prompt_persisted_entry_t   *entry;

    entry = ngx_http_prompt_persisted_block(zone);
    if (entry == NULL) {
        return NULL;
    }

    n = ngx_min(text.len, NGX_HTTP_PROMPT_PERSISTED_FIRST);
    ngx_memcpy(entry->data, text.data, n);

    entry->len = text.len;
    entry->more = NULL;

    last = &entry->more;
    pos = text.data + n;
    left = text.len - n;

    while (left != 0) {
        block = ngx_http_prompt_persisted_block(zone);

        if (block == NULL) {
            ngx_http_prompt_persisted_free(
                                     (ngx_slab_pool_t *) zone->shm.addr, entry);
            return NULL;
        }

        n = ngx_min(left, NGX_HTTP_PROMPT_PERSISTED_MORE);
        ngx_memcpy(block->data, pos, n);

        pos += n;
        left -= n;

        block->next = NULL;
        *last = block;
        last = &block->next;
    }

    return entry;
}


/* A block, in a full zone one of the document that was not used for longest. */

static void *
ngx_http_prompt_persisted_block(ngx_shm_zone_t *zone)
{
    void                               *block;
    ngx_queue_t                        *q;
    ngx_slab_pool_t                    *shpool;
    ngx_http_prompt_persisted_entry_t  *oldest;
    ngx_http_prompt_persisted_store_t  *store;

    store = zone->data;
    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    block = ngx_slab_alloc_locked(shpool, NGX_HTTP_PROMPT_PERSISTED_BLOCK);

    if (block != NULL || ngx_queue_empty(&store->queue)) {
        return block;
    }

    q = ngx_queue_last(&store->queue);
    oldest = ngx_queue_data(q, ngx_http_prompt_persisted_entry_t, queue);

    ngx_queue_remove(q);
    ngx_rbtree_delete(&store->entries, &oldest->hashed.node);
    ngx_http_prompt_persisted_free(shpool, oldest);

    return ngx_slab_alloc_locked(shpool, NGX_HTTP_PROMPT_PERSISTED_BLOCK);
}


static void
ngx_http_prompt_persisted_free(ngx_slab_pool_t *shpool,
    ngx_http_prompt_persisted_entry_t *entry)
{
    ngx_http_prompt_persisted_block_t  *block, *next;

    for (block = entry->more; block != NULL; block = next) {
        next = block->next;
        ngx_slab_free_locked(shpool, block);
    }

    ngx_slab_free_locked(shpool, entry);
}
