/*
 * What PROMPT_REDIS says.
 */

#include <stdlib.h>

#include "ctl/redis.h"


#define CTL_REDIS_TIMEOUT  2000              /* ms */
#define CTL_REDIS_PREFIX   "prompt:"
#define CTL_REDIS_WRONG    "PROMPT_REDIS (or --redis)"


static void ctl_redis_address(ctl_redis_t *redis, const ctl_t *ctl,
    char *address, int port);
static void ctl_redis_option(ctl_redis_t *redis, const ctl_t *ctl,
    char *option);


void
ctl_redis_configure(ctl_redis_t *redis, const ctl_t *ctl)
{
    char                  *word, *rest;
    prompt_str_t           text;
    prompt_redis_setup_t   setup;

    memset(redis, 0, sizeof(ctl_redis_t));

    redis->prefix = CTL_REDIS_PREFIX;
    redis->timeout_ms = CTL_REDIS_TIMEOUT;

    text = prompt_str_from(ctl_setting(ctl, "redis", "PROMPT_REDIS"));
    if (text.data == NULL) {
        return;
    }

    word = strtok_r((char *) ctl_copy(ctl, text).data, " \t", &rest);
    if (word == NULL) {
        return;
    }

    if (!prompt_redis_setup(prompt_str_from(word), &setup)) {
        ctl_wrong(ctl, CTL_REDIS_WRONG ": write sentinel=NAME@host:port,...");
    }

    redis->known = true;
    redis->setup = setup.kind;

    if (setup.kind == PROMPT_REDIS_SENTINEL) {
        redis->master = ctl_copy(ctl, setup.master).data;
    }

    while (prompt_redis_setup_next(&setup, &text)) {
        ctl_redis_address(redis, ctl, (char *) ctl_copy(ctl, text).data,
                          setup.port);
    }

    while ((word = strtok_r(NULL, " \t", &rest)) != NULL) {
        ctl_redis_option(redis, ctl, word);
    }
}


/* port: where it has none */
static void
ctl_redis_address(ctl_redis_t *redis, const ctl_t *ctl, char *address,
    int port)
{
    char                *colon, *end;
    size_t               len;
    ctl_redis_server_t  *server;

    if (redis->nservers == CTL_REDIS_MAX_SERVERS) {
        ctl_wrong(ctl, CTL_REDIS_WRONG ": at most %d servers",
                  CTL_REDIS_MAX_SERVERS);
    }

    server = &redis->servers[redis->nservers++];

    if (redis->setup == PROMPT_REDIS_SINGLE
        && strncmp(address, "unix:", 5) == 0 && address[5] != '\0')
    {
        server->path = address + 5;
        return;
    }

    colon = strrchr(address, ':');
    end = address + strlen(address);

    if (colon != NULL) {
        *colon = '\0';
        port = (int) strtol(colon + 1, &end, 10);
        port = end != colon + 1 ? port : 0;
    }

    if (address[0] == '\0' || *end != '\0' || port < 1 || port > 65535) {
        ctl_wrong(ctl, CTL_REDIS_WRONG " must begin with unix:/path, "
                  "host:port, cluster=host:port,... or "
                  "sentinel=name@host:port,...");
    }

    /* [::1]:6379 */

    len = strlen(address);

    if (address[0] == '[' && address[len - 1] == ']') {
        address[len - 1] = '\0';
        address++;
    }

    server->host = address;
    server->port = port;
}


static void
ctl_redis_option(ctl_redis_t *redis, const ctl_t *ctl, char *option)
{
    bool         sound;
    char        *value;
    size_t       i;
    const char  *no;

    const struct {
        const char   *name;
        const char  **value;
    } texts[] = {
        { "db", &redis->db },
        { "user", &redis->user },
        { "password", &redis->password },
        { "sentinel_password", &redis->sentinel_password },
        { "prefix", &redis->prefix },
        { "resolve", &no }                   /* names are, each time */
    };

    value = strchr(option, '=');

    if (value == NULL) {
        ctl_wrong(ctl, CTL_REDIS_WRONG ": a word without \"=\" after the "
                  "address");
    }

    *value++ = '\0';

    sound = strcmp(option, "timeout") == 0
            && ctl_duration(value, &redis->timeout_ms)
            && redis->timeout_ms != 0;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(option, texts[i].name) == 0) {
            *texts[i].value = value;
            sound = true;
        }
    }

    if (!sound || strlen(redis->prefix) > PROMPT_KEY_CACHE_MAX_PREFIX
        || (redis->db != NULL
            && (redis->db[0] == '\0'
                || redis->db[strspn(redis->db, "0123456789")] != '\0')))
    {
        ctl_wrong(ctl, CTL_REDIS_WRONG ": \"%s\" is unknown or has a wrong "
                  "value", option);
    }
}
