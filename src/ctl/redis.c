/*
 * Redis for promptctl, by the blocking side of hiredis.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include <hiredis/hiredis.h>

#include "ctl/redis.h"


#define CTL_REDIS_TIMEOUT  2000              /* ms */
#define CTL_REDIS_PREFIX   "prompt:"


static int ctl_redis_address(ctl_redis_t *redis, ctl_t *ctl, char *address);
static int ctl_redis_option(ctl_redis_t *redis, ctl_t *ctl, char *option);
static redisContext *ctl_redis_connect(const ctl_redis_t *redis, char *error,
    size_t size);
static bool ctl_redis_command(redisContext *context, int argc,
    const char **argv, const size_t *lengths, int type, char *error,
    size_t size);


int
ctl_redis_configure(ctl_redis_t *redis, ctl_t *ctl)
{
    int           rc;
    char         *text, *word, *rest;
    prompt_str_t  copy;

    memset(redis, 0, sizeof(ctl_redis_t));

    redis->prefix = prompt_str(CTL_REDIS_PREFIX);
    redis->timeout_ms = CTL_REDIS_TIMEOUT;

    copy = prompt_str_from(ctl_setting(ctl, "redis", "PROMPT_REDIS"));
    if (copy.data == NULL) {
        return CTL_OK;
    }

    copy = prompt_arena_copy(ctl->arena, copy);
    if (copy.data == NULL) {
        return ctl_no_memory();
    }

    text = (char *) copy.data;
    word = strtok_r(text, " \t", &rest);

    if (word == NULL) {
        return CTL_OK;
    }

    rc = ctl_redis_address(redis, ctl, word);

    while (rc == CTL_OK && (word = strtok_r(NULL, " \t", &rest)) != NULL) {
        rc = ctl_redis_option(redis, ctl, word);
    }

    redis->known = true;

    return rc;
}


static int
ctl_redis_address(ctl_redis_t *redis, ctl_t *ctl, char *address)
{
    char  *colon, *end;
    long   port;

    if (strncmp(address, "unix:", 5) == 0 && address[5] != '\0') {
        redis->path = address + 5;
        return CTL_OK;
    }

    colon = strrchr(address, ':');
    port = 6379;

    if (colon != NULL) {
        port = strtol(colon + 1, &end, 10);

        if (colon == address || colon[1] == '\0' || *end != '\0' || port < 1
            || port > 65535)
        {
            return ctl_wrong(ctl, "PROMPT_REDIS (or --redis) must begin with "
                             "unix:/path or host:port");
        }

        *colon = '\0';
    }

    /* [::1]:6379 */

    if (address[0] == '[' && address[strlen(address) - 1] == ']') {
        address[strlen(address) - 1] = '\0';
        address++;
    }

    redis->host = address;
    redis->port = (int) port;

    return CTL_OK;
}


static int
ctl_redis_option(ctl_redis_t *redis, ctl_t *ctl, char *option)
{
    char  *value;

    value = strchr(option, '=');

    if (value == NULL) {
        return ctl_wrong(ctl, "PROMPT_REDIS (or --redis): a word without "
                         "\"=\" after the address");
    }

    *value++ = '\0';

    if (strcmp(option, "db") == 0 && value[0] != '\0'
        && value[strspn(value, "0123456789")] == '\0')
    {
        redis->db = value;

    } else if (strcmp(option, "user") == 0) {
        redis->user = value;

    } else if (strcmp(option, "password") == 0) {
        redis->password = value;

    } else if (strcmp(option, "prefix") == 0
               && strlen(value) <= PROMPT_KEY_CACHE_MAX_PREFIX)
    {
        redis->prefix = prompt_str_from(value);

    } else if (strcmp(option, "timeout") == 0
               && ctl_duration(value, &redis->timeout_ms)
               && redis->timeout_ms != 0)
    {
        return CTL_OK;

    } else {
        return ctl_wrong(ctl, "PROMPT_REDIS (or --redis): \"%s\" is unknown "
                         "or has a wrong value", option);
    }

    return CTL_OK;
}


bool
ctl_redis_revoke(const ctl_redis_t *redis,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH], char *error, size_t size)
{
    bool           done;
    char           entry[PROMPT_KEY_CACHE_MAX_NAME];
    char           lease[PROMPT_KEY_CACHE_MAX_NAME];
    size_t         lengths[3];
    const char    *argv[3];
    redisContext  *context;

    context = ctl_redis_connect(redis, error, size);
    if (context == NULL) {
        return false;
    }

    argv[0] = "DEL";
    lengths[0] = 3;
    argv[1] = entry;
    lengths[1] = prompt_key_cache_entry_name(entry, redis->prefix, hash);
    argv[2] = lease;
    lengths[2] = prompt_key_cache_lease_name(lease, redis->prefix, hash);

    /* what does not count what it deleted has deleted nothing */

    done = ctl_redis_command(context, 3, argv, lengths, REDIS_REPLY_INTEGER,
                             error, size);

    redisFree(context);

    return done;
}


static redisContext *
ctl_redis_connect(const ctl_redis_t *redis, char *error, size_t size)
{
    int              n;
    const char      *argv[3];
    redisContext    *context;
    struct timeval   timeout;

    timeout.tv_sec = (time_t) (redis->timeout_ms / 1000);
    timeout.tv_usec = (suseconds_t) (redis->timeout_ms % 1000) * 1000;

    if (redis->path != NULL) {
        context = redisConnectUnixWithTimeout(redis->path, timeout);
    } else {
        context = redisConnectWithTimeout(redis->host, redis->port, timeout);
    }

    if (context == NULL || context->err != 0) {
        (void) snprintf(error, size, "%s",
                        context != NULL ? context->errstr : "out of memory");
        redisFree(context);
        return NULL;
    }

    (void) redisSetTimeout(context, timeout);

    if (redis->password != NULL) {
        n = 0;
        argv[n++] = "AUTH";

        if (redis->user != NULL) {
            argv[n++] = redis->user;
        }

        argv[n++] = redis->password;

        if (!ctl_redis_command(context, n, argv, NULL, REDIS_REPLY_STATUS,
                               error, size))
        {
            redisFree(context);
            return NULL;
        }
    }

    if (redis->db != NULL) {
        argv[0] = "SELECT";
        argv[1] = redis->db;

        if (!ctl_redis_command(context, 2, argv, NULL, REDIS_REPLY_STATUS,
                               error, size))
        {
            redisFree(context);
            return NULL;
        }
    }

    return context;
}


static bool
ctl_redis_command(redisContext *context, int argc, const char **argv,
    const size_t *lengths, int type, char *error, size_t size)
{
    bool         done;
    redisReply  *reply;

    reply = redisCommandArgv(context, argc, argv, lengths);

    if (reply == NULL) {
        (void) snprintf(error, size, "%s", context->errstr);
        return false;
    }

    done = reply->type == type;

    /* the first word only (WRONGPASS, NOAUTH, MOVED, READONLY) */

    if (reply->type != REDIS_REPLY_ERROR) {
        (void) snprintf(error, size, "%s: not an answer that Redis gives",
                        argv[0]);

    } else {
        (void) snprintf(error, size, "%s: %.*s", argv[0],
                        (int) strcspn(reply->str, " "), reply->str);
    }

    freeReplyObject(reply);

    return done;
}
