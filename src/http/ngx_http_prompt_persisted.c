/*
 * The store of persisted queries: a tree by hash and a queue by use, in a
 * zone of shared memory.
 *
 * Documents are cut into blocks of one size.  So what one document gave back
 * another one can use, whatever their lengths: the zone does not fragment,
 * and to keep a document never takes more evictions than it has blocks.
 *
 * A worker can be killed at any instruction, in the lock as well, and nginx
 * then unlocks for it.  So who changes the store says so before, and that it
 * is done afterwards; who finds a change that was not completed empties the
 * store.  For that nothing may depend on the slab allocator, whose own lists
 * a dead worker may have left half done: all blocks are taken from it once,
 * before there are workers.
 */

#include "http/ngx_http_prompt_persisted.h"

#include "conf/ngx_http_prompt_conf.h"
#include "service/worker/hash_tree.h"


typedef struct ngx_http_prompt_persisted_block_s
    ngx_http_prompt_persisted_block_t;


/* one that holds a part of a document, or is free */
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
    ngx_atomic_t                        changing;  /* a process; 0: nobody */
    ngx_rbtree_t                        entries;
    ngx_rbtree_node_t                   sentinel;
    ngx_queue_t                         queue;     /* newest first */
    ngx_http_prompt_persisted_block_t  *free;      /* given back */
    u_char                             *fresh;     /* never used, up to end */
    u_char                             *blocks;
    u_char                             *end;
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
static void ngx_http_prompt_persisted_reset(
    ngx_http_prompt_persisted_store_t *store);
static ngx_http_prompt_persisted_store_t *ngx_http_prompt_persisted_lock(
    ngx_shm_zone_t *zone);
static void ngx_http_prompt_persisted_unlock(ngx_shm_zone_t *zone);
static void ngx_http_prompt_persisted_begin(
    ngx_http_prompt_persisted_store_t *store);
static void ngx_http_prompt_persisted_end(
    ngx_http_prompt_persisted_store_t *store);
static ngx_http_prompt_persisted_entry_t *ngx_http_prompt_persisted_lookup(
    ngx_http_prompt_persisted_store_t *store, const uint8_t *hash);
static ngx_http_prompt_persisted_entry_t *ngx_http_prompt_persisted_create(
    ngx_http_prompt_persisted_store_t *store, prompt_str_t text);
static void *ngx_http_prompt_persisted_block(
    ngx_http_prompt_persisted_store_t *store);
static void *ngx_http_prompt_persisted_unused(
    ngx_http_prompt_persisted_store_t *store);
static void ngx_http_prompt_persisted_give_back(
    ngx_http_prompt_persisted_store_t *store, void *data);
static void ngx_http_prompt_persisted_free(
    ngx_http_prompt_persisted_store_t *store,
    ngx_http_prompt_persisted_entry_t *entry);


char *
ngx_http_prompt_persisted_zone(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ssize_t     size;
    ngx_str_t  *value;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_persisted");

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
        return ngx_http_prompt_conf_wrong(cf,
                   "invalid size \"%V\" of \"prompt_persisted_queries\": write "
                   "the size of the zone that all workers share, such as "
                   "\"8m\", or \"off\"", &value[1]);
    }

    if (size < (ssize_t) (8 * ngx_pagesize)) {
        return ngx_http_prompt_conf_wrong(cf,
                   "size \"%V\" of \"prompt_persisted_queries\" is too small: "
                   "write at least \"%uzk\", better \"8m\"", &value[1],
                   8 * ngx_pagesize / 1024);
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
    size_t                              size;
    u_char                             *p;
    ngx_slab_pool_t                    *shpool;
    ngx_http_prompt_persisted_store_t  *store;

    if (ngx_http_prompt_zone_kept(zone, data)) {
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    /* all there is: pages that follow each other, since none was taken yet */

    size = shpool->pfree * ngx_pagesize;

    store = ngx_slab_alloc(shpool, size);
    if (store == NULL) {
        return NGX_ERROR;
    }

    p = (u_char *) store + sizeof(ngx_http_prompt_persisted_store_t);

    store->blocks = ngx_align_ptr(p, NGX_ALIGNMENT);
    store->end = (u_char *) store + size;

    ngx_http_prompt_persisted_reset(store);

    shpool->data = store;
    zone->data = store;

    return NGX_OK;
}


/* An empty store, whatever it was before. */
static void
ngx_http_prompt_persisted_reset(ngx_http_prompt_persisted_store_t *store)
{
    ngx_http_prompt_persisted_begin(store);

    ngx_http_prompt_hash_tree_init(&store->entries, &store->sentinel);
    ngx_queue_init(&store->queue);

    store->free = NULL;
    store->fresh = store->blocks;

    ngx_http_prompt_persisted_end(store);
}


/* The store, locked, in order, and nobody changing it. */
static ngx_http_prompt_persisted_store_t *
ngx_http_prompt_persisted_lock(ngx_shm_zone_t *zone)
{
    ngx_slab_pool_t                    *shpool;
    ngx_http_prompt_persisted_store_t  *store;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;
    store = zone->data;

    ngx_shmtx_lock(&shpool->mutex);

    if (store->changing != 0) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                      "prompt: process %uA died while it changed the store "
                      "of persisted queries, which begins anew",
                      store->changing);

        ngx_http_prompt_persisted_reset(store);
    }

    return store;
}


static void
ngx_http_prompt_persisted_unlock(ngx_shm_zone_t *zone)
{
    ngx_slab_pool_t  *shpool;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    ngx_shmtx_unlock(&shpool->mutex);
}


/* Around all that writes to the store; the mutex is held. */
static void
ngx_http_prompt_persisted_begin(ngx_http_prompt_persisted_store_t *store)
{
    store->changing = (ngx_atomic_uint_t) ngx_pid;
    ngx_memory_barrier();
}


static void
ngx_http_prompt_persisted_end(ngx_http_prompt_persisted_store_t *store)
{
    ngx_memory_barrier();
    store->changing = 0;
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

        ngx_http_prompt_persisted_begin(store);

        ngx_queue_remove(&entry->queue);
        ngx_queue_insert_head(&store->queue, &entry->queue);

        ngx_http_prompt_persisted_end(store);
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
    ngx_http_prompt_persisted_block_t  *block;
    ngx_http_prompt_persisted_entry_t  *entry;
    ngx_http_prompt_persisted_store_t  *store;

    store = ngx_http_prompt_persisted_lock(zone);

    entry = ngx_http_prompt_persisted_lookup(store, hash);
    len = entry != NULL ? entry->len : 0;

    ngx_http_prompt_persisted_unlock(zone);

    if (entry == NULL) {
        return NGX_DECLINED;
    }

    data = prompt_arena_alloc(arena, len);
    if (data == NULL) {
        return NGX_ERROR;
    }

    /* it may have gone meanwhile; its text is the same if it has not */

    store = ngx_http_prompt_persisted_lock(zone);

    entry = ngx_http_prompt_persisted_lookup(store, hash);

    if (entry == NULL || entry->len != len) {
        ngx_http_prompt_persisted_unlock(zone);
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

    ngx_http_prompt_persisted_unlock(zone);

    *text = prompt_str_of(data, len);

    return NGX_OK;
}


void
ngx_http_prompt_persisted_add(ngx_shm_zone_t *zone,
    const uint8_t hash[PROMPT_SHA256_LEN], prompt_str_t text)
{
    ngx_http_prompt_persisted_entry_t  *entry;
    ngx_http_prompt_persisted_store_t  *store;

    /* one document must not drive out most of the others */

    if (text.len > NGX_HTTP_PROMPT_PERSISTED_DOCUMENT
        || text.len > zone->shm.size / 8)
    {
        return;
    }

    store = ngx_http_prompt_persisted_lock(zone);

    if (ngx_http_prompt_persisted_lookup(store, hash) == NULL) {
        ngx_http_prompt_persisted_begin(store);

        entry = ngx_http_prompt_persisted_create(store, text);

        if (entry != NULL) {
            ngx_http_prompt_hash_tree_add(&store->entries, &entry->hashed,
                                          hash);
            ngx_queue_insert_head(&store->queue, &entry->queue);
        }

        ngx_http_prompt_persisted_end(store);
    }

    ngx_http_prompt_persisted_unlock(zone);
}


/*
 * An entry with its text, neither in the tree nor in the queue yet.  NULL: it
 * is larger than the zone.
 */
static ngx_http_prompt_persisted_entry_t *
ngx_http_prompt_persisted_create(ngx_http_prompt_persisted_store_t *store,
    prompt_str_t text)
{
    size_t                               n, left;
    const char                          *pos;
    ngx_http_prompt_persisted_block_t   *block, **last;
    ngx_http_prompt_persisted_entry_t   *entry;

    entry = ngx_http_prompt_persisted_block(store);
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
        block = ngx_http_prompt_persisted_block(store);

        if (block == NULL) {
            ngx_http_prompt_persisted_free(store, entry);
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
ngx_http_prompt_persisted_block(ngx_http_prompt_persisted_store_t *store)
{
    void                               *block;
    ngx_queue_t                        *q;
    ngx_http_prompt_persisted_entry_t  *oldest;

    block = ngx_http_prompt_persisted_unused(store);

    if (block != NULL || ngx_queue_empty(&store->queue)) {
        return block;
    }

    q = ngx_queue_last(&store->queue);
    oldest = ngx_queue_data(q, ngx_http_prompt_persisted_entry_t, queue);

    ngx_queue_remove(q);
    ngx_rbtree_delete(&store->entries, &oldest->hashed.node);
    ngx_http_prompt_persisted_free(store, oldest);

    return ngx_http_prompt_persisted_unused(store);
}


static void *
ngx_http_prompt_persisted_unused(ngx_http_prompt_persisted_store_t *store)
{
    u_char                             *p;
    ngx_http_prompt_persisted_block_t  *block;

    if (store->free != NULL) {
        block = store->free;
        store->free = block->next;

        return block;
    }

    if ((size_t) (store->end - store->fresh)
        < NGX_HTTP_PROMPT_PERSISTED_BLOCK)
    {
        return NULL;
    }

    p = store->fresh;
    store->fresh += NGX_HTTP_PROMPT_PERSISTED_BLOCK;

    return p;
}


static void
ngx_http_prompt_persisted_give_back(ngx_http_prompt_persisted_store_t *store,
    void *data)
{
    ngx_http_prompt_persisted_block_t  *block = data;

    block->next = store->free;
    store->free = block;
}


static void
ngx_http_prompt_persisted_free(ngx_http_prompt_persisted_store_t *store,
    ngx_http_prompt_persisted_entry_t *entry)
{
    ngx_http_prompt_persisted_block_t  *block, *next;

    for (block = entry->more; block != NULL; block = next) {
        next = block->next;
        ngx_http_prompt_persisted_give_back(store, block);
    }

    ngx_http_prompt_persisted_give_back(store, entry);
}
