/*
 * Where Redis is, as configurations write it.
 */

#include "base/redis_setup.h"

#include "tap.h"


static void
test_setup(const char *text, prompt_redis_setup_e kind, const char *master,
    const char *addresses)
{
    char                  found[128];
    size_t                len;
    prompt_str_t          address;
    prompt_redis_setup_t  setup;

    if (!prompt_redis_setup(prompt_str_from(text), &setup)) {
        ok(addresses == NULL, text);
        return;
    }

    is_int(setup.kind, kind, text);
    ok(prompt_str_eq(setup.master, prompt_str_from(master)), text);
    is_int(setup.port, kind == PROMPT_REDIS_SENTINEL ? 26379 : 6379,
           "its port");

    len = 0;

    while (prompt_redis_setup_next(&setup, &address)) {
        len += (size_t) snprintf(found + len, sizeof(found) - len, "[%.*s]",
                                 prompt_str_arg(address));
    }

    ok(addresses != NULL && strcmp(found, addresses) == 0, found);
}


int
main(void)
{
    test_setup("h", PROMPT_REDIS_SINGLE, "", "[h]");
    test_setup("h:1,i:2", PROMPT_REDIS_SINGLE, "", "[h:1,i:2]");
    test_setup("unix:/a@b", PROMPT_REDIS_SINGLE, "", "[unix:/a@b]");
    test_setup("", PROMPT_REDIS_SINGLE, "", "[]");
    test_setup("cluster", PROMPT_REDIS_SINGLE, "", "[cluster]");
    test_setup("cluster=h:1", PROMPT_REDIS_CLUSTER, "", "[h:1]");
    test_setup("cluster=h:1,[::1]:2,i", PROMPT_REDIS_CLUSTER, "",
               "[h:1][[::1]:2][i]");
    test_setup("cluster=", PROMPT_REDIS_CLUSTER, "", "[]");
    test_setup("cluster=h,", PROMPT_REDIS_CLUSTER, "", "[h][]");
    test_setup("sentinel=m@h,i:1", PROMPT_REDIS_SENTINEL, "m", "[h][i:1]");
    test_setup("sentinel=m@", PROMPT_REDIS_SENTINEL, "m", "[]");
    test_setup("sentinel=@h", PROMPT_REDIS_SENTINEL, NULL, NULL);
    test_setup("sentinel=h:1", PROMPT_REDIS_SENTINEL, NULL, NULL);
    test_setup("sentinel=", PROMPT_REDIS_SENTINEL, NULL, NULL);

    return done_testing();
}
