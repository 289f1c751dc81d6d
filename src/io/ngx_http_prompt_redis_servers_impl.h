/*
 * Inside the servers of Redis: calls, nodes, and how the map is learnt.
 * Nobody else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_REDIS_SERVERS_IMPL_H
#define NGX_HTTP_PROMPT_REDIS_SERVERS_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/redis_cluster.h"
#include "io/ngx_http_prompt_redis_impl.h"
#include "io/ngx_http_prompt_redis_servers.h"
#include "io/ngx_http_prompt_ratelog.h"


#define NGX_HTTP_PROMPT_REDIS_MAX_NODES  512
#define NGX_HTTP_PROMPT_REDIS_NO_NODE    0xffff
#define NGX_HTTP_PROMPT_REDIS_SHUT       8
#define NGX_HTTP_PROMPT_REDIS_MAX_PARKED 10000


/* A server that keys live on, or lived on until a moment ago. */
typedef struct {
    ngx_http_prompt_redis_conf_t   conf;     /* its own name and address */
    ngx_addr_t                     addr;
    ngx_sockaddr_t                 sockaddr;
    u_char                         name[NGX_SOCKADDR_STRLEN];

    ngx_http_prompt_redis_t       *commands;
    ngx_http_prompt_redis_t       *durable;  /* WAIT holds up what is behind
                                                it; NULL: none so far */
    ngx_uint_t                     seen;     /* on which map */
} ngx_http_prompt_redis_node_t;


/* Where a call goes, or went last. */
typedef enum {
    REDIS_CALL_BY_MAP = 0,           /* to whoever has its slot */
    REDIS_CALL_ASK,                  /* to the node `ask`, with ASKING */
    REDIS_CALL_ASKED                 /* it was sent there so; the next time it
                                        goes by the map again */
} ngx_http_prompt_redis_way_e;


/* A call.  It is at a server (command), or is parked. */
struct ngx_http_prompt_redis_call_s {
    ngx_http_prompt_redis_servers_t  *servers;
    ngx_http_prompt_redis_command_t  *command;   /* at a server; or NULL */
    ngx_http_prompt_redis_node_t     *node;      /* where command is */
    ngx_http_prompt_redis_done_pt     done;
    void                             *data;

    ngx_queue_t                       queue;     /* all calls */
    ngx_queue_t                       parked;    /* where it waits */
    ngx_msec_t                        deadline;
    ngx_uint_t                        slot;
    ngx_uint_t                        moves;
    int64_t                           integer;   /* a durable one's answer */
    size_t                            replicas;  /* that shall have it */

    unsigned                          waits:1;   /* is parked */
    unsigned                          durable:1;

    ngx_http_prompt_redis_way_e       way;
    ngx_uint_t                        ask;       /* a node */
    ngx_uint_t                        single;    /* the key that is deleted
                                                    now; 0: all of them */
    ngx_uint_t                        n;         /* words kept; 0: none */
    prompt_str_t                      words[NGX_HTTP_PROMPT_REDIS_MAX_WORDS];
};


/* A slot that moves to a node which was not there, and until when. */
typedef struct {
    ngx_uint_t                        slot;
    ngx_msec_t                        until;
} ngx_http_prompt_redis_shut_t;


struct ngx_http_prompt_redis_servers_s {
    ngx_http_prompt_redis_conf_t     *conf;
    ngx_cycle_t                      *cycle;

    /* the one server; or who is asked where the others are */
    ngx_http_prompt_redis_t          *first;
    ngx_http_prompt_redis_conf_t      first_conf;
    void                             *moved;     /* its addresses; NULL: as
                                                    configured */
    ngx_msec_t                        moved_at;

    ngx_http_prompt_redis_node_t     *nodes[NGX_HTTP_PROMPT_REDIS_MAX_NODES];
    ngx_uint_t                        nnodes;    /* places used */
    uint16_t                         *slots;     /* a node each; NULL: one
                                                    server */
    ngx_uint_t                        map;       /* counts those learnt */
    ngx_uint_t                        turn;      /* who is asked next */

    ngx_http_prompt_redis_command_t  *question;  /* in flight */
    ngx_msec_t                        put;       /* the last one, when */
    prompt_str_t                      asked;     /* its host */
    ngx_msec_t                        learnt;    /* when */
    ngx_msec_t                        doubted;   /* another Sentinel asked */
    ngx_msec_t                        patience;  /* before the next one */
    ngx_queue_t                       calls;
    ngx_queue_t                       parked;
    ngx_uint_t                        nparked;
    ngx_http_prompt_timer_t           timer;

    ngx_http_prompt_redis_shut_t      shut[NGX_HTTP_PROMPT_REDIS_SHUT];
    ngx_uint_t                        nshut;     /* counts them */

    unsigned                          stale:1;   /* the map is, perhaps */
    unsigned                          closed:1;  /* as the worker quits */
    unsigned                          moves:1;   /* other hosts may not know
                                                    yet: see …_moves() */

    ngx_http_prompt_redis_stats_t     gone;      /* of servers that left */
};


/*
 * The place of the node at an address, which is made where there is none;
 * NGX_HTTP_PROMPT_REDIS_NO_NODE where host is no address, or memory is short.
 * (…_nodes.c)
 */
ngx_uint_t ngx_http_prompt_redis_node(ngx_http_prompt_redis_servers_t *servers,
    prompt_str_t host, ngx_uint_t port);

/*
 * A worker begins: where the one server is another one than workers asked
 * before, or is the first that they do, it is as if it had just moved; where
 * they have seen it move of late, as if this one had.
 * (…_first.c)
 */
void ngx_http_prompt_redis_servers_begin(
    ngx_http_prompt_redis_servers_t *servers);

/*
 * Whether the one server is another one than a moment ago.  Other hosts may
 * ask the one before until they have looked its name up, too: what is read
 * here may be deleted there, and what is deleted here may be read there.  So
 * nothing is asked meanwhile.  (…_first.c)
 */
ngx_uint_t ngx_http_prompt_redis_servers_moves(
    ngx_http_prompt_redis_servers_t *servers);

/* Closes those that are on no map, and ends what is in flight there. */
void ngx_http_prompt_redis_nodes_reap(
    ngx_http_prompt_redis_servers_t *servers);

void ngx_http_prompt_redis_node_free(ngx_http_prompt_redis_node_t *node);


/*
 * A name has other addresses (io/ngx_http_prompt_names.h).  Of a single server
 * it is one of each family, the same for all workers: they must speak to the
 * same Redis.  (…_first.c)
 */
void ngx_http_prompt_redis_servers_move(void *data, ngx_uint_t place,
    const ngx_addr_t *addrs, ngx_uint_t n);


/* Asks where keys live, unless that is asked already.  (…_map.c) */
void ngx_http_prompt_redis_map_ask(ngx_http_prompt_redis_servers_t *servers);


/*
 * A command was done: asks whether the replicas have it, then ends the call,
 * or begins it again.  (…_confirm.c)
 */
void ngx_http_prompt_redis_confirm(ngx_http_prompt_redis_call_t *call);


/* It is sent, now or a little later; or later in any case. */
void ngx_http_prompt_redis_call_go(ngx_http_prompt_redis_call_t *call);
void ngx_http_prompt_redis_call_park(ngx_http_prompt_redis_call_t *call);

/* An error that says where else: 1, and it goes on there.  (…_moved.c) */
ngx_uint_t ngx_http_prompt_redis_call_moved(
    ngx_http_prompt_redis_call_t *call,
    const ngx_http_prompt_redis_reply_t *reply);

/*
 * It got no answer.  Where its slot is on its way to a node that is not there,
 * this one has waited for that: others need not, for a moment.
 */
void ngx_http_prompt_redis_shut(ngx_http_prompt_redis_call_t *call);

/*
 * Replicas have it: tells the owner, or goes on with the next key where they
 * are deleted one by one.  (…_servers.c)
 */
void ngx_http_prompt_redis_call_confirmed(ngx_http_prompt_redis_call_t *call);

/* Once more from the beginning, a little later.  (…_servers.c) */
void ngx_http_prompt_redis_call_again(ngx_http_prompt_redis_call_t *call);

/* Tells the owner, and frees it. */
void ngx_http_prompt_redis_call_finish(ngx_http_prompt_redis_call_t *call,
    const ngx_http_prompt_redis_reply_t *reply);

/* The map may be wrong: looks at it within so many ms.  (…_servers.c) */
void ngx_http_prompt_redis_servers_wake(
    ngx_http_prompt_redis_servers_t *servers, ngx_msec_t ms);

#endif /* NGX_HTTP_PROMPT_REDIS_SERVERS_IMPL_H */
