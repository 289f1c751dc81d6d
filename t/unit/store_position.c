/*
 * Positions: their order, what they are in Redis, and tokens of clients.
 */

#include "tap.h"

#include "store/position.h"


static prompt_position_t
at(uint32_t timeline, uint64_t lsn)
{
    prompt_position_t  position;

    position.timeline = timeline;
    position.lsn = lsn;
    position.system = 7;

    return position;
}


static bool
after(uint32_t timeline, uint64_t lsn, uint32_t other, uint64_t than)
{
    prompt_position_t  one, two;

    one = at(timeline, lsn);
    two = at(other, than);

    return prompt_position_after(&one, &two);
}


static void
test_order(void)
{
    ok(after(1, 2, 1, 1) && !after(1, 1, 1, 2) && !after(1, 1, 1, 1),
       "on a timeline, by place");
    ok(after(2, 1, 1, 1000) && !after(1, 1000, 2, 1),
       "a fail-over comes after all that was before");
}


static void
test_text(void)
{
    char               one[PROMPT_POSITION_TEXT], two[PROMPT_POSITION_TEXT];
    prompt_position_t  position, got;

    position = at(0x1a, UINT64_C(0x123456789abcdef0));
    prompt_position_write(one, &position);
    is_str(prompt_str_of(one, sizeof(one)), "0000001a123456789abcdef0", "text");

    ok(prompt_position_read(prompt_str_of(one, sizeof(one)), &got)
       && got.timeline == position.timeline && got.lsn == position.lsn,
       "reads back");
    ok(!prompt_position_read(prompt_str_of(one, sizeof(one) - 1), &got)
       && !prompt_position_read(prompt_str("0000001a123456789abcdefg"), &got)
       && !prompt_position_read(prompt_str_absent, &got),
       "what is no text is none");

    position = at(0x1b, 3);
    prompt_position_write(two, &position);
    ok(memcmp(one, two, sizeof(one)) < 0, "texts are in order, as positions");
}


static void
test_name(void)
{
    char     name[PROMPT_POSITION_MAX_NAME], prefix[200];
    size_t   len;
    uint8_t  user[16] = { 1, 2, 3 };

    len = prompt_position_name(name, prompt_str("prompt:"), user);
    is_str(prompt_str_of(name, len),
           "prompt:position:01020300000000000000000000000000", "name");

    memset(prefix, 'p', sizeof(prefix));

    ok(prompt_position_name(name, prompt_str_of(prefix,
                                          PROMPT_POSITION_MAX_PREFIX), user)
       <= sizeof(name), "the longest prefix fits");
    is_int(prompt_position_name(name, prompt_str_of(prefix,
                                      PROMPT_POSITION_MAX_PREFIX + 1), user),
           0, "prefix too long");
}


static void
test_token(void)
{
    char               one[PROMPT_POSITION_TOKEN], two[PROMPT_POSITION_TOKEN];
    size_t             i;
    unsigned           same, taken;
    prompt_position_t  position, got;

    position = at(3, 1000);
    prompt_position_encode(one, &position);

    ok(prompt_position_is_token(prompt_str_of(one, sizeof(one))), "a token");
    ok(prompt_position_decode(prompt_str_of(one, sizeof(one)), 7, &got)
       && got.timeline == 3 && got.lsn == 1000 && got.system == 7,
       "reads back");
    ok(!prompt_position_decode(prompt_str_of(one, sizeof(one)), 8, &got),
       "not in another cluster");

    position = at(3, 1001);
    prompt_position_encode(two, &position);
    same = 0;

    for (i = 0; i < sizeof(one); i++) {
        same += (one[i] == two[i]);
    }

    ok(same < sizeof(one) / 2, "two that are near do not look so");

    taken = 0;

    for (i = 0; i < sizeof(one); i++) {
        memcpy(two, one, sizeof(one));
        two[i] = two[i] == '0' ? '1' : '0';
        taken += prompt_position_decode(prompt_str_of(two, sizeof(two)), 7,
                                        &got);
    }

    is_int(taken, 0, "nor is one that was changed taken");
    ok(!prompt_position_is_token(prompt_str("x"))
       && !prompt_position_is_token(prompt_str_absent)
       && !prompt_position_is_token(prompt_str_of(one, sizeof(one) - 1)),
       "what has another form is none");
}


int
main(void)
{
    test_order();
    test_text();
    test_name();
    test_token();

    return done_testing();
}
