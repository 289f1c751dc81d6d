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


typedef struct {
    const ctl_redis_t   *redis;
    const prompt_str_t  *names;          /* what is deleted, one or two */
    size_t               nnames;
    char                *error;
    size_t               size;
} ctl_redis_revoke_t;


static bool ctl_redis_revoke_at(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static bool ctl_redis_revoke_each(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static bool ctl_redis_revoke_sentinel(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server);
static redisReply *ctl_redis_delete(const ctl_redis_revoke_t *revoke,
    redisContext *context);
static bool ctl_redis_replicas(ctl_redis_revoke_t *revoke,
    redisContext *context);
static redisContext *ctl_redis_connect(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server, bool sentinel);
static bool ctl_redis_is(ctl_redis_revoke_t *revoke, redisContext *context,
    redisReply *reply, int type, const char *command);
static bool ctl_redis_wrong(ctl_redis_revoke_t *revoke, const char *why);


bool
ctl_redis_revoke(const ctl_redis_t *redis, uint64_t database,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH], char *error, size_t size)
{
    bool                done;
    char                entry[PROMPT_KEY_CACHE_MAX_NAME];
    char                lease[PROMPT_KEY_CACHE_MAX_NAME];
    char                own[PROMPT_KEY_CACHE_MAX_OWN];
    size_t              i;
    prompt_str_t        prefix, names[2];
    ctl_redis_revoke_t  revoke;

    prefix = prompt_str_from(redis->prefix);
    prefix = prompt_str_of(own, prompt_key_cache_prefix(own, prefix,
                                                        database));

    names[0] = prompt_str_of(entry, prompt_key_cache_entry_name(entry, prefix,
                                                                hash));
    names[1] = prompt_str_of(lease, prompt_key_cache_lease_name(lease, prefix,
                                                                hash));

    revoke.redis = redis;
    revoke.names = names;
    revoke.nnames = 2;
    revoke.error = error;
    revoke.size = size;

    done = false;

    for (i = 0; !done && i < redis->nservers; i++) {
        done = redis->setup == PROMPT_REDIS_SENTINEL
               ? ctl_redis_revoke_sentinel(&revoke, &redis->servers[i])
               : ctl_redis_revoke_at(&revoke, &redis->servers[i]);
    }

    return done;
}


/*
 * In a cluster from one node to the next, until one has the slot.  What does
 * not count what it deleted has deleted nothing.
 */
static bool
ctl_redis_revoke_at(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    bool                      done, asking;
    char                      host[CTL_REDIS_MAX_HOST];
    size_t                    moves;
    redisReply               *reply;
    redisContext             *context;
    ctl_redis_server_t        at;
    prompt_redis_redirect_t   to;

    at = *server;
    asking = false;

    for (moves = 0; moves < CTL_REDIS_MAX_MOVES; moves++) {
        context = ctl_redis_connect(revoke, &at, false);
        if (context == NULL) {
            return false;
        }

        if (asking
            && !ctl_redis_is(revoke, context, redisCommand(context, "ASKING"),
                             REDIS_REPLY_STATUS, "ASKING"))
        {
            redisFree(context);
            return false;
        }

        reply = ctl_redis_delete(revoke, context);

        memset(&to, 0, sizeof(to));

        if (revoke->redis->setup == PROMPT_REDIS_CLUSTER && reply != NULL
            && reply->type == REDIS_REPLY_ERROR)
        {
            prompt_redis_redirect(prompt_str_of(reply->str, reply->len), &to);
        }

        if (to.turn == PROMPT_REDIS_AGAIN && revoke->nnames == 2) {
            freeReplyObject(reply);
            redisFree(context);

            return ctl_redis_revoke_each(revoke, server);
        }

        if ((to.turn != PROMPT_REDIS_MOVED && to.turn != PROMPT_REDIS_ASK)
            || to.host.len >= sizeof(host))
        {
            done = ctl_redis_is(revoke, context, reply, REDIS_REPLY_INTEGER,
                                "DEL")
                   && (revoke->redis->setup == PROMPT_REDIS_SINGLE
                       || ctl_redis_replicas(revoke, context));

            redisFree(context);

            return done;
        }

        if (to.host.len != 0) {
            memcpy(host, to.host.data, to.host.len);
            host[to.host.len] = '\0';
            at.host = host;
        }

        at.port = (int) to.port;
        asking = to.turn == PROMPT_REDIS_ASK;

        freeReplyObject(reply);
        redisFree(context);
    }

    return ctl_redis_wrong(revoke, "DEL: moved too often");
}


/*
 * A slot on its way from one node to another, of which each has one of the
 * keys.  The lease goes first: without it nobody writes an entry.
 */
static bool
ctl_redis_revoke_each(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    ctl_redis_revoke_t  entry, lease;

    entry = *revoke;
    entry.nnames = 1;

    lease = entry;
    lease.names = &revoke->names[1];

    return ctl_redis_revoke_at(&lease, server)
           && ctl_redis_revoke_at(&entry, server);
}


static bool
ctl_redis_revoke_sentinel(ctl_redis_revoke_t *revoke,
    const ctl_redis_server_t *server)
{
    bool                 done;
    redisReply          *reply;
    redisContext        *context;
    ctl_redis_server_t   master;

    context = ctl_redis_connect(revoke, server, true);
    if (context == NULL) {
        return false;
    }

    reply = redisCommand(context, "SENTINEL get-master-addr-by-name %s",
                         revoke->redis->master);

    if (reply == NULL) {
        done = ctl_redis_wrong(revoke, context->errstr);

    } else if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2
               || reply->element[0]->type != REDIS_REPLY_STRING
               || reply->element[1]->type != REDIS_REPLY_STRING)
    {
        done = ctl_redis_wrong(revoke,
                               "SENTINEL: knows no master of that name");
    } else {
        master.path = NULL;
        master.host = reply->element[0]->str;
        master.port = atoi(reply->element[1]->str);

        done = ctl_redis_revoke_at(revoke, &master);
    }

    freeReplyObject(reply);
    redisFree(context);

    return done;
}


static redisReply *
ctl_redis_delete(const ctl_redis_revoke_t *revoke, redisContext *context)
{
    const prompt_str_t  *names;

    names = revoke->names;

    return revoke->nnames == 2
           ? redisCommand(context, "DEL %b %b", names[0].data, names[0].len,
                          names[1].data, names[1].len)
           : redisCommand(context, "DEL %b", names[0].data, names[0].len);
}


/* Whether all that are connected have it, too: one of them may be next. */
static bool
ctl_redis_replicas(ctl_redis_revoke_t *revoke, redisContext *context)
{
    bool         done;
    size_t       n;
    redisReply  *reply;

    reply = redisCommand(context, "ROLE");

    if (reply != NULL
        && (reply->type != REDIS_REPLY_ARRAY || reply->elements < 3
            || reply->element[0]->type != REDIS_REPLY_STRING
            || strcmp(reply->element[0]->str, "master") != 0
            || reply->element[2]->type != REDIS_REPLY_ARRAY))
    {
        freeReplyObject(reply);
        return ctl_redis_wrong(revoke, "ROLE: not a master");
    }

    n = reply != NULL ? reply->element[2]->elements : 0;

    if (reply != NULL && n != 0) {
        freeReplyObject(reply);
        reply = redisCommand(context, "WAIT %d " CTL_REDIS_WAIT, (int) n);
    }

    if (reply == NULL) {
        return ctl_redis_wrong(revoke, context->errstr);
    }

    done = n == 0 || (reply->type == REDIS_REPLY_INTEGER
                      && reply->integer >= (long long) n);

    freeReplyObject(reply);

    return done || ctl_redis_wrong(revoke,
                                   "WAIT: a replica does not keep up");
}


/* Sentinels have a password of their own, and neither users nor databases. */
static redisContext *
ctl_redis_connect(ctl_redis_revoke_t *revoke, const ctl_redis_server_t *server,
    bool sentinel)
{
    bool                done;
    redisContext       *context;
    const char         *db, *user, *password;
    struct timeval      timeout;
    const ctl_redis_t  *redis;

    redis = revoke->redis;

    timeout.tv_sec = (time_t) (redis->timeout_ms / 1000);
    timeout.tv_usec = (suseconds_t) (redis->timeout_ms % 1000) * 1000;

    context = server->path != NULL
              ? redisConnectUnixWithTimeout(server->path, timeout)
              : redisConnectWithTimeout(server->host, server->port, timeout);

    if (context == NULL || context->err != 0) {
        (void) ctl_redis_wrong(revoke, context != NULL ? context->errstr
                                                       : "out of memory");
        redisFree(context);
        return NULL;
    }

    (void) redisSetTimeout(context, timeout);

    password = sentinel ? redis->sentinel_password : redis->password;
    user = sentinel ? NULL : redis->user;
    db = sentinel ? NULL : redis->db;
    done = true;

    if (password != NULL) {
        done = ctl_redis_is(revoke, context, user != NULL
                            ? redisCommand(context, "AUTH %s %s", user,
                                           password)
                            : redisCommand(context, "AUTH %s", password),
                            REDIS_REPLY_STATUS, "AUTH");
    }

    if (done && db != NULL) {
        done = ctl_redis_is(revoke, context,
                            redisCommand(context, "SELECT %s", db),
                            REDIS_REPLY_STATUS, "SELECT");
    }

    if (!done) {
        redisFree(context);
        return NULL;
    }

    return context;
}


/*
 * Whether an answer is of that type; it is given back.  Of an error the first
 * word alone is told (WRONGPASS, NOAUTH, READONLY).
 */
static bool
ctl_redis_is(ctl_redis_revoke_t *revoke, redisContext *context,
    redisReply *reply, int type, const char *command)
{
    bool  is;

    if (reply == NULL) {
        return ctl_redis_wrong(revoke, context->errstr);
    }

    is = reply->type == type;

    if (!is) {
        (void) snprintf(revoke->error, revoke->size, "%s: %.*s", command,
                        reply->type == REDIS_REPLY_ERROR
                        ? (int) strcspn(reply->str, " ") : 255,
                        reply->type == REDIS_REPLY_ERROR
                        ? reply->str : "not an answer that Redis gives");
    }

    freeReplyObject(reply);

    return is;
}


static bool
ctl_redis_wrong(ctl_redis_revoke_t *revoke, const char *why)
{
    (void) snprintf(revoke->error, revoke->size, "%s", why);

    return false;
}
