/*
 * UUID version 7: form, order, and what is none; random bytes for ids.
 */

#include "base/random.h"
#include "base/uuid.h"

#include "tap.h"


static const uint8_t  ones[PROMPT_UUID_RANDOM_LEN] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
};
static const uint8_t  zeros[PROMPT_UUID_RANDOM_LEN];


static void
test_form(void)
{
    char                 text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t        uuid;
    prompt_uuid_state_t  state;

    memset(&state, 0, sizeof(state));
    prompt_uuid_make(&state, 0x017f22e279b0, ones, &uuid);
    prompt_uuid_format(&uuid, text);
    is_str(prompt_str_of(text, sizeof(text)),
           "017f22e2-79b0-77ff-bfff-ffffffffffff", "all random bits set");

    memset(&state, 0, sizeof(state));
    prompt_uuid_make(&state, 0x017f22e279b0, zeros, &uuid);
    prompt_uuid_format(&uuid, text);
    is_str(prompt_str_of(text, sizeof(text)),
           "017f22e2-79b0-7000-8000-000000000000", "none set");
}


static void
test_order(void)
{
    bool                 ascend;
    uint64_t             ms;
    unsigned             i;
    prompt_uuid_t        last, next;
    prompt_uuid_state_t  state;

    memset(&state, 0, sizeof(state));
    memset(&last, 0, sizeof(last));
    ascend = true;

    for (i = 0; i < 20000; i++) {

        /* stands still, then goes on, then back */

        ms = i < 10000 ? 1000000 : i < 15000 ? 1000000 + i : 500;
        prompt_uuid_make(&state, ms, i % 2 == 0 ? ones : zeros, &next);
        ascend = ascend && memcmp(&last, &next, sizeof(last)) < 0;
        last = next;
    }

    ok(ascend, "20,000 ids ascend whatever the clock does");
}


static void
test_parse(void)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    size_t         i;
    prompt_uuid_t  uuid;

    static const char  *bad[] = {
        "", "0", "017f22e2-79b0-77ff-bfff-fffffffffff",
        "017f22e2-79b0-77ff-bfff-fffffffffffff",
        "017f22e2079b0-77ff-bfff-ffffffffffff",
        "017f22e2-79b0-77ff-bfff-fffffffffffg",
        "{17f22e2-79b0-77ff-bfff-ffffffffffff",
        "017f22e279b077ffbfffffffffffffff0000",
        "-17f22e2-79b0-77ff-bfff-ffffffffffff",
        "017f22e2-79b0-77ff-bfff-ffffffffff-f",
    };

    ok(prompt_uuid_parse(prompt_str("017F22e2-79B0-77ff-BFFF-0123456789ab"),
                         &uuid), "either case");
    prompt_uuid_format(&uuid, text);
    is_str(prompt_str_of(text, sizeof(text)),
           "017f22e2-79b0-77ff-bfff-0123456789ab", "comes back in lower case");

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ok(!prompt_uuid_parse(prompt_str_from(bad[i]), &uuid), bad[i]);
    }

    ok(!prompt_uuid_parse(prompt_str_absent, &uuid), "absent");
}


/* no byte is given away twice, also where the store is filled in between */
static void
test_random(void)
{
    bool                   got, twice;
    uint8_t                ids[100][PROMPT_UUID_RANDOM_LEN];
    uint8_t                many[257];
    unsigned               i, j;
    prompt_random_store_t  store;

    memset(&store, 0, sizeof(store));
    got = true;
    twice = false;

    for (i = 0; i < 100; i++) {
        got = got && prompt_random_from(&store, ids[i], sizeof(ids[i]));

        for (j = 0; j < i; j++) {
            twice = twice || memcmp(ids[i], ids[j], sizeof(ids[i])) == 0;
        }
    }

    ok(got, "random bytes from a store");
    ok(!twice, "never the same ones");
    ok(prompt_random_from(&store, many, 256), "all that fits into it");
    is_int(store.left, 0, "is taken");
    ok(!prompt_random_from(&store, many, 257), "no more than that");
}


int
main(void)
{
    test_random();
    test_form();
    test_order();
    test_parse();

    return done_testing();
}
