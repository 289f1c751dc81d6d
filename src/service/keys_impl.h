/*
 * What keys.c and revocation.c share, and nobody else needs to know.
 */

#ifndef NGX_HTTP_PROMPT_KEYS_IMPL_H
#define NGX_HTTP_PROMPT_KEYS_IMPL_H

#include "service/keys.h"


struct ngx_http_prompt_keys_s {
    ngx_http_prompt_redis_t        *redis;
    ngx_http_prompt_postgres_t     *postgres;
    ngx_http_prompt_metrics_t      *metrics;
    prompt_str_t                    prefix;
    ngx_msec_t                      valid;
    ngx_msec_t                      unknown;
    ngx_rbtree_t                    lookups;
    ngx_rbtree_node_t               sentinel;
    ngx_queue_t                     revocations;
    ngx_log_t                      *log;
};


/*
 * A revocation that is not over yet.  Debug logging of its timer takes it for
 * a connection: three pointers and a descriptor.
 */
typedef struct {
    ngx_http_prompt_keys_t         *keys;
    ngx_http_prompt_redis_op_t     *command;
    void                           *data;
    ngx_socket_t                    fd;
    ngx_http_prompt_revoked_pt      done;
    ngx_event_t                     timer;
    ngx_queue_t                     queue;
} ngx_http_prompt_revocation_t;

#endif /* NGX_HTTP_PROMPT_KEYS_IMPL_H */
