/*
 * What PROMPT_REDIS says.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/redis.h"


#define CTL_REDIS_TIMEOUT  2000              /* ms */
#define CTL_REDIS_PREFIX   "prompt:"


static int ctl_redis_setup(ctl_redis_t *redis, ctl_t *ctl, char *word);
static int ctl_redis_address(ctl_redis_t *redis, ctl_t *ctl, char *address,
    int port);
static int ctl_redis_option(ctl_redis_t *redis, ctl_t *ctl, char *option);


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

    rc = ctl_redis_setup(redis, ctl, word);

    while (rc == CTL_OK && (word = strtok_r(NULL, " \t", &rest)) != NULL) {
        rc = ctl_redis_option(redis, ctl, word);
    }

    redis->known = true;

    return rc;
}


static int
ctl_redis_setup(ctl_redis_t *redis, ctl_t *ctl, char *word)
{
    int    rc, port;
    char  *address, *rest;

    port = 6379;

    if (strncmp(word, "cluster=", 8) == 0) {
        redis->setup = CTL_REDIS_CLUSTER;
        word += 8;

    } else if (strncmp(word, "sentinel=", 9) == 0) {
        redis->setup = CTL_REDIS_SENTINEL;
        redis->master = word + 9;
        port = 26379;

        word = strchr(redis->master, '@');

        if (word == NULL || word == redis->master) {
            return ctl_wrong(ctl, "PROMPT_REDIS (or --redis): write "
                             "sentinel=NAME@host:port,...");
        }

        *word++ = '\0';

    } else if (strncmp(word, "unix:", 5) == 0 && word[5] != '\0') {
        redis->servers[redis->nservers++].path = word + 5;
        return CTL_OK;

    } else {
        return ctl_redis_address(redis, ctl, word, port);
    }

    rc = CTL_OK;

    for (address = strtok_r(word, ",", &rest);
         address != NULL && rc == CTL_OK;
         address = strtok_r(NULL, ",", &rest))
    {
        rc = ctl_redis_address(redis, ctl, address, port);
    }

    if (rc == CTL_OK && redis->nservers == 0) {
        return ctl_wrong(ctl, "PROMPT_REDIS (or --redis): cluster= and "
                         "sentinel= need a host:port");
    }

    return rc;
}


/* port: where it has none */
static int
ctl_redis_address(ctl_redis_t *redis, ctl_t *ctl, char *address, int port)
{
    char                *colon, *end;
    long                 number;
    ctl_redis_server_t  *server;

    if (redis->nservers == CTL_REDIS_MAX_SERVERS) {
        return ctl_wrong(ctl, "PROMPT_REDIS (or --redis): at most %d servers",
                         CTL_REDIS_MAX_SERVERS);
    }

    colon = strrchr(address, ':');

    if (colon != NULL) {
        number = strtol(colon + 1, &end, 10);

        if (colon == address || colon[1] == '\0' || *end != '\0' || number < 1
            || number > 65535)
        {
            return ctl_wrong(ctl, "PROMPT_REDIS (or --redis) must begin with "
                             "unix:/path, host:port, cluster=host:port,... or "
                             "sentinel=name@host:port,...");
        }

        *colon = '\0';
        port = (int) number;
    }

    /* [::1]:6379 */

    if (address[0] == '[' && address[strlen(address) - 1] == ']') {
        address[strlen(address) - 1] = '\0';
        address++;
    }

    server = &redis->servers[redis->nservers++];
    server->host = address;
    server->port = port;

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

    } else if (strcmp(option, "sentinel_password") == 0) {
        redis->sentinel_password = value;

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
