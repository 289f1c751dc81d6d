/*
 * Revoking in Redis for promptctl, by the blocking side of hiredis.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include <hiredis/hiredis.h>

#include "base/redis_cluster.h"
#include "ctl/redis.h"


#define CTL_REDIS_MAX_MOVES  8
#define CTL_REDIS_MAX_HOST   256
#define CTL_REDIS_WAIT       "500"           /* ms, for replicas */


typedef enum {
    CTL_REDIS_BOTH = 0,
    CTL_REDIS_ENTRY,
    CTL_REDIS_LEASE
} ctl_redis_keys_e;


typedef struct {
    const ctl_redis_t  *redis;
    ctl_redis_keys_e    keys;            /* what is deleted */
    const char         *entry;
    const char         *lease;
    size_t              entry_len;
    size_t              lease_len;
    char               *error;
    size_t              size;
} ctl_redis_revoke_t;


static bool ctl_redis_revoke_at(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static bool ctl_redis_revoke_cluster(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static bool ctl_redis_revoke_each(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static bool ctl_redis_revoke_sentinel(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static redisReply *ctl_redis_delete(ctl_redis_revoke_t *revoke,
    redisContext *context);
static bool ctl_redis_replicas(ctl_redis_revoke_t *revoke,
    redisContext *context);
static redisContext *ctl_redis_connect(const ctl_redis_t *redis,
    const ctl_redis_server_t *server, bool sentinel, char *error, size_t size);
static bool ctl_redis_handshake(const ctl_redis_t *redis,
    redisContext *context, bool sentinel, char *error, size_t size);
static redisReply *ctl_redis_command(redisContext *context, int argc,
    const char **argv, const size_t *lengths, char *error, size_t size);
static bool ctl_redis_is(redisReply *reply, int type, const char *command,
    char *error, size_t size);


bool
ctl_redis_revoke(const ctl_redis_t *redis, uint64_t database,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH], char *error, size_t size)
{
    bool                done;
    char                entry[PROMPT_KEY_CACHE_MAX_NAME];
    char                lease[PROMPT_KEY_CACHE_MAX_NAME];
    char                own[PROMPT_KEY_CACHE_MAX_OWN];
    size_t              i;
    prompt_str_t        prefix;
    ctl_redis_revoke_t  revoke;

    prefix = prompt_str_of(own, prompt_key_cache_prefix(own, redis->prefix,
                                                        database));

    revoke.redis = redis;
    revoke.keys = CTL_REDIS_BOTH;
    revoke.entry = entry;
    revoke.entry_len = prompt_key_cache_entry_name(entry, prefix, hash);
    revoke.lease = lease;
    revoke.lease_len = prompt_key_cache_lease_name(lease, prefix, hash);
    revoke.error = error;
    revoke.size = size;

    done = false;

    for (i = 0; !done && i < redis->nservers; i++) {

        switch (redis->setup) {

        case CTL_REDIS_CLUSTER:
            done = ctl_redis_revoke_cluster(&revoke, &redis->servers[i]);
            break;

        case CTL_REDIS_SENTINEL:
            done = ctl_redis_revoke_sentinel(&revoke, &redis->servers[i]);
            break;

        default:
            done = ctl_redis_revoke_at(&revoke, &redis->servers[i]);
        }
    }

    return done;
}


/* what does not count what it deleted has deleted nothing */
static bool
ctl_redis_revoke_at(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    bool           done;
    redisReply    *reply;
    redisContext  *context;

    context = ctl_redis_connect(revoke->redis, server, false, revoke->error,
                                revoke->size);
    if (context == NULL) {
        return false;
    }

    reply = ctl_redis_delete(revoke, context);

    done = ctl_redis_is(reply, REDIS_REPLY_INTEGER, "DEL", revoke->error,
                        revoke->size)
           && (revoke->redis->setup == CTL_REDIS_SINGLE
               || ctl_redis_replicas(revoke, context));

    redisFree(context);

    return done;
}


/* From one node to the next, until one has the slot. */
static bool
ctl_redis_revoke_cluster(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    bool                     done, asking;
    char                     host[CTL_REDIS_MAX_HOST];
    size_t                   moves;
    redisReply              *reply;
    const char              *word;
    redisContext            *context;
    ctl_redis_server_t       at;
    prompt_redis_redirect_t  to;

    at = *server;
    asking = false;

    for (moves = 0; moves < CTL_REDIS_MAX_MOVES; moves++) {
        context = ctl_redis_connect(revoke->redis, &at, false, revoke->error,
                                    revoke->size);
        if (context == NULL) {
            return false;
        }

        word = "ASKING";

        if (asking
            && !ctl_redis_is(ctl_redis_command(context, 1, &word, NULL,
                                               revoke->error, revoke->size),
                             REDIS_REPLY_STATUS, word, revoke->error,
                             revoke->size))
        {
            redisFree(context);
            return false;
        }

        reply = ctl_redis_delete(revoke, context);

        memset(&to, 0, sizeof(to));

        if (reply != NULL && reply->type == REDIS_REPLY_ERROR) {
            prompt_redis_redirect(prompt_str_of(reply->str, reply->len), &to);
        }

        if (to.turn == PROMPT_REDIS_AGAIN && revoke->keys == CTL_REDIS_BOTH) {
            freeReplyObject(reply);
            redisFree(context);

            return ctl_redis_revoke_each(revoke, server);
        }

        if ((to.turn == PROMPT_REDIS_MOVED || to.turn == PROMPT_REDIS_ASK)
            && to.host.len < sizeof(host))
        {
            if (to.host.len != 0) {
                memcpy(host, to.host.data, to.host.len);
                host[to.host.len] = '\0';
                at.host = host;
            }

            at.port = (int) to.port;
            asking = to.turn == PROMPT_REDIS_ASK;

            freeReplyObject(reply);
            redisFree(context);
            continue;
        }

        done = ctl_redis_is(reply, REDIS_REPLY_INTEGER, "DEL", revoke->error,
                            revoke->size)
               && ctl_redis_replicas(revoke, context);

        redisFree(context);

        return done;
    }

    (void) snprintf(revoke->error, revoke->size, "DEL: moved too often");

    return false;
}


/*
 * A slot on its way from one node to another, of which each has one of the
 * keys.  The lease goes first: without it nobody writes an entry.
 */
static bool
ctl_redis_revoke_each(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    bool  done;

    revoke->keys = CTL_REDIS_LEASE;
    done = ctl_redis_revoke_cluster(revoke, server);

    revoke->keys = CTL_REDIS_ENTRY;
    done = done && ctl_redis_revoke_cluster(revoke, server);

    revoke->keys = CTL_REDIS_BOTH;

    return done;
}


static bool
ctl_redis_revoke_sentinel(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    bool                 done;
    char                 host[CTL_REDIS_MAX_HOST];
    redisReply          *reply;
    const char          *argv[3];
    redisContext        *context;
    ctl_redis_server_t   master;

    context = ctl_redis_connect(revoke->redis, server, true, revoke->error,
                                revoke->size);
    if (context == NULL) {
        return false;
    }

    argv[0] = "SENTINEL";
    argv[1] = "get-master-addr-by-name";
    argv[2] = revoke->redis->master;

    reply = ctl_redis_command(context, 3, argv, NULL, revoke->error,
                              revoke->size);
    done = false;

    if (reply != NULL) {
        done = reply->type == REDIS_REPLY_ARRAY && reply->elements == 2
               && reply->element[0]->type == REDIS_REPLY_STRING
               && reply->element[1]->type == REDIS_REPLY_STRING
               && reply->element[0]->len < sizeof(host);

        (void) snprintf(revoke->error, revoke->size,
                        "SENTINEL: knows no master of that name");
    }

    if (done) {
        memcpy(host, reply->element[0]->str, reply->element[0]->len + 1);

        master.path = NULL;
        master.host = host;
        master.port = atoi(reply->element[1]->str);
    }

    if (reply != NULL) {
        freeReplyObject(reply);
    }

    redisFree(context);

    return done && ctl_redis_revoke_at(revoke, &master);
}


static redisReply *
ctl_redis_delete(ctl_redis_revoke_t *revoke, redisContext *context)
{
    int          n;
    size_t       lengths[3];
    const char  *argv[3];

    argv[0] = "DEL";
    lengths[0] = 3;
    n = 1;

    if (revoke->keys != CTL_REDIS_LEASE) {
        argv[n] = revoke->entry;
        lengths[n++] = revoke->entry_len;
    }

    if (revoke->keys != CTL_REDIS_ENTRY) {
        argv[n] = revoke->lease;
        lengths[n++] = revoke->lease_len;
    }

    return ctl_redis_command(context, n, argv, lengths, revoke->error,
                             revoke->size);
}


/* Whether all that are connected have it, too: one of them may be next. */
static bool
ctl_redis_replicas(ctl_redis_revoke_t *revoke, redisContext *context)
{
    bool         done;
    char         number[24];
    size_t       n;
    redisReply  *reply;
    const char  *argv[3];

    argv[0] = "ROLE";

    reply = ctl_redis_command(context, 1, argv, NULL, revoke->error,
                              revoke->size);
    if (reply == NULL) {
        return false;
    }

    done = reply->type == REDIS_REPLY_ARRAY && reply->elements >= 3
           && reply->element[0]->type == REDIS_REPLY_STRING
           && strcmp(reply->element[0]->str, "master") == 0
           && reply->element[2]->type == REDIS_REPLY_ARRAY;

    n = done ? reply->element[2]->elements : 0;

    freeReplyObject(reply);

    if (!done) {
        (void) snprintf(revoke->error, revoke->size, "ROLE: not a master");
        return false;
    }

    if (n == 0) {
        return true;
    }

    (void) snprintf(number, sizeof(number), "%zu", n);

    argv[0] = "WAIT";
    argv[1] = number;
    argv[2] = CTL_REDIS_WAIT;

    reply = ctl_redis_command(context, 3, argv, NULL, revoke->error,
                              revoke->size);
    if (reply == NULL) {
        return false;
    }

    done = reply->type == REDIS_REPLY_INTEGER
           && reply->integer >= (long long) n;

    freeReplyObject(reply);

    if (!done) {
        (void) snprintf(revoke->error, revoke->size,
                        "WAIT: a replica does not keep up");
    }

    return done;
}


static redisContext *
ctl_redis_connect(const ctl_redis_t *redis, const ctl_redis_server_t *server,
    bool sentinel, char *error, size_t size)
{
    redisContext    *context;
    struct timeval   timeout;

    timeout.tv_sec = (time_t) (redis->timeout_ms / 1000);
    timeout.tv_usec = (suseconds_t) (redis->timeout_ms % 1000) * 1000;

    if (server->path != NULL) {
        context = redisConnectUnixWithTimeout(server->path, timeout);
    } else {
        context = redisConnectWithTimeout(server->host, server->port, timeout);
    }

    if (context == NULL || context->err != 0) {
        (void) snprintf(error, size, "%s",
                        context != NULL ? context->errstr : "out of memory");
        redisFree(context);
        return NULL;
    }

    (void) redisSetTimeout(context, timeout);

    if (!ctl_redis_handshake(redis, context, sentinel, error, size)) {
        redisFree(context);
        return NULL;
    }

    return context;
}


/* Sentinels have a password of their own, and no databases. */
static bool
ctl_redis_handshake(const ctl_redis_t *redis, redisContext *context,
    bool sentinel, char *error, size_t size)
{
    int          n;
    const char  *argv[3], *password;

    password = sentinel ? redis->sentinel_password : redis->password;

    if (password != NULL) {
        n = 0;
        argv[n++] = "AUTH";

        if (redis->user != NULL && !sentinel) {
            argv[n++] = redis->user;
        }

        argv[n++] = password;

        if (!ctl_redis_is(ctl_redis_command(context, n, argv, NULL, error,
                                            size),
                          REDIS_REPLY_STATUS, argv[0], error, size))
        {
            return false;
        }
    }

    if (redis->db == NULL || sentinel) {
        return true;
    }

    argv[0] = "SELECT";
    argv[1] = redis->db;

    return ctl_redis_is(ctl_redis_command(context, 2, argv, NULL, error, size),
                        REDIS_REPLY_STATUS, argv[0], error, size);
}


/* NULL: error says why */
static redisReply *
ctl_redis_command(redisContext *context, int argc, const char **argv,
    const size_t *lengths, char *error, size_t size)
{
    redisReply  *reply;

    reply = redisCommandArgv(context, argc, argv, lengths);

    if (reply == NULL) {
        (void) snprintf(error, size, "%s", context->errstr);
    }

    return reply;
}


/*
 * Whether an answer is of that type; it is given back.  Of an error the first
 * word alone is told (WRONGPASS, NOAUTH, READONLY).
 */
static bool
ctl_redis_is(redisReply *reply, int type, const char *command, char *error,
    size_t size)
{
    bool  is;

    if (reply == NULL) {
        return false;
    }

    is = reply->type == type;

    if (is) {
        /* nothing to tell */

    } else if (reply->type != REDIS_REPLY_ERROR) {
        (void) snprintf(error, size, "%s: not an answer that Redis gives",
                        command);

    } else {
        (void) snprintf(error, size, "%s: %.*s", command,
                        (int) strcspn(reply->str, " "), reply->str);
    }

    freeReplyObject(reply);

    return is;
}
