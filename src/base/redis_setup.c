/*
 * Where Redis is.
 */

#include "base/redis_setup.h"


static bool prompt_redis_setup_take(prompt_str_t *text, const char *word);
static prompt_str_t prompt_redis_setup_until(prompt_str_t *text, char end);


bool
prompt_redis_setup(prompt_str_t text, prompt_redis_setup_t *setup)
{
    memset(setup, 0, sizeof(prompt_redis_setup_t));
    setup->port = 6379;

    if (prompt_redis_setup_take(&text, "cluster=")) {
        setup->kind = PROMPT_REDIS_CLUSTER;

    } else if (prompt_redis_setup_take(&text, "sentinel=")) {
        setup->kind = PROMPT_REDIS_SENTINEL;
        setup->port = 26379;
        setup->master = prompt_redis_setup_until(&text, '@');

        if (setup->master.len == 0 || text.data == NULL) {
            return false;
        }
    }

    setup->rest = text;

    return true;
}


bool
prompt_redis_setup_next(prompt_redis_setup_t *setup, prompt_str_t *address)
{
    if (setup->rest.data == NULL) {
        return false;
    }

    if (setup->kind == PROMPT_REDIS_SINGLE) {
        *address = setup->rest;
        setup->rest = prompt_str_absent;

    } else {
        *address = prompt_redis_setup_until(&setup->rest, ',');
    }

    return true;
}


static bool
prompt_redis_setup_take(prompt_str_t *text, const char *word)
{
    size_t  len;

    len = strlen(word);

    if (text->len < len || memcmp(text->data, word, len) != 0) {
        return false;
    }

    *text = prompt_str_of(text->data + len, text->len - len);

    return true;
}


/* What stands before it; the text goes on behind it, or is absent. */

static prompt_str_t
prompt_redis_setup_until(prompt_str_t *text, char end)
{
    size_t        len;
    const char   *p;
    prompt_str_t  part;

    p = text->len != 0 ? memchr(text->data, end, text->len) : NULL;
    len = p != NULL ? (size_t) (p - text->data) : text->len;
    part = prompt_str_of(text->data, len);

    *text = p != NULL ? prompt_str_of(p + 1, text->len - len - 1)
                      : prompt_str_absent;

    return part;
}
