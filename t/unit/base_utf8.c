/*
 * UTF-8: every scalar value there and back, every kind of ill-formed text
 * refused, and the properties of some characters of each kind.
 */

#include "base/utf8.h"

#include "tap.h"


static void
test_round_trip(void)
{
    bool         same;
    char         bytes[4];
    size_t       n, units;
    uint32_t     cp;
    const char  *p;

    same = true;

    for (cp = 0; cp <= 0x10ffff; cp++) {
        if (cp >= 0xd800 && cp <= 0xdfff) {
            continue;
        }

        n = prompt_utf8_encode(cp, bytes);
        p = bytes;
        units = cp < 0x10000 ? 1 : 2;

        same = same && prompt_utf8_valid(prompt_str_of(bytes, n))
               && prompt_utf8_next(&p, bytes + n) == cp && p == bytes + n
               && prompt_utf8_length(prompt_str_of(bytes, n)) == 1
               && prompt_utf8_utf16_length(prompt_str_of(bytes, n)) == units;
    }

    ok(same, "every scalar value there and back");
}


static void
test_ill_formed(void)
{
    bool         refused, one_byte;
    size_t       i;
    const char  *p;

    static const prompt_str_t  bad[] = {
        prompt_str_init("\x80"), prompt_str_init("\xbf"),
        prompt_str_init("\xc0\x80"), prompt_str_init("\xc1\xbf"),
        prompt_str_init("\xc2"), prompt_str_init("\xc2\x41"),
        prompt_str_init("\xe0\x80\x80"), prompt_str_init("\xe0\x9f\xbf"),
        prompt_str_init("\xe2\x82"), prompt_str_init("\xe2\x28\xa1"),
        prompt_str_init("\xed\xa0\x80"), prompt_str_init("\xed\xbf\xbf"),
        prompt_str_init("\xf0\x80\x80\x80"),
        prompt_str_init("\xf0\x8f\xbf\xbf"),
        prompt_str_init("\xf4\x90\x80\x80"), prompt_str_init("\xf0\x90\x80"),
        prompt_str_init("\xf5\x80\x80\x80"), prompt_str_init("\xfe"),
        prompt_str_init("\xff"), prompt_str_init("\xf8\x88\x80\x80\x80"),
    };

    refused = true;
    one_byte = true;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        p = bad[i].data;
        refused = refused && !prompt_utf8_valid(bad[i])
                  && prompt_utf8_next(&p, bad[i].data + bad[i].len)
                     == PROMPT_UTF8_INVALID;
        one_byte = one_byte && p == bad[i].data + 1;
    }

    ok(refused, "ill-formed sequences are refused");
    ok(one_byte, "and one byte is passed over");
    ok(!prompt_utf8_valid(prompt_str("0123456789abcde\xff" "0123456789")),
       "also behind a run of ASCII");
    ok(prompt_utf8_valid(prompt_str_absent), "nothing is well-formed");
}


static void
test_properties(void)
{
    is_int(prompt_utf8_lower('Q'), 'q', "ASCII");
    is_int(prompt_utf8_lower(0xc4), 0xe4, "Latin-1");
    is_int(prompt_utf8_lower(0xd7), 0xd7, "the multiplication sign");
    is_int(prompt_utf8_lower(0x0141), 0x0142, "a stepped run");
    is_int(prompt_utf8_lower(0x0142), 0x0142, "between the steps");
    is_int(prompt_utf8_lower(0x0130), 'i', "dotted capital I");
    is_int(prompt_utf8_lower(0x0414), 0x0434, "Cyrillic");
    is_int(prompt_utf8_lower(0x1e9e), 0xdf, "capital sharp s");
    is_int(prompt_utf8_lower(0x10400), 0x10428, "outside the BMP");
    is_int(prompt_utf8_lower(0x4e2d), 0x4e2d, "a letter without case");
    is_int(prompt_utf8_lower(0x10ffff), 0x10ffff, "the last one");

    ok(prompt_utf8_is_letter('z') && prompt_utf8_is_letter(0xe9)
       && prompt_utf8_is_letter(0x4e2d) && prompt_utf8_is_letter(0x1c5),
       "letters");
    ok(!prompt_utf8_is_letter('0') && !prompt_utf8_is_letter('@')
       && !prompt_utf8_is_letter('[') && !prompt_utf8_is_letter(0xd7)
       && !prompt_utf8_is_letter(0x1f642) && !prompt_utf8_is_letter(0x0301),
       "no letters");
    ok(prompt_utf8_is_mark(0x0301) && prompt_utf8_is_mark(0x093f)
       && prompt_utf8_is_mark(0x20e3) && prompt_utf8_is_mark(0xfe0f),
       "marks");
    ok(!prompt_utf8_is_mark('a') && !prompt_utf8_is_mark(0x5e)
       && !prompt_utf8_is_mark(0x0915) && !prompt_utf8_is_mark(0x200d)
       && !prompt_utf8_is_mark(PROMPT_UTF8_INVALID), "and none");
    ok(prompt_utf8_is_digit('0') && prompt_utf8_is_digit(0x0663)
       && !prompt_utf8_is_digit(0xb2) && !prompt_utf8_is_digit('a'),
       "digits");
    ok(prompt_utf8_is_upper('A') && prompt_utf8_is_upper(0x01c5)
       && prompt_utf8_is_upper(0x0141) && !prompt_utf8_is_upper(0x0142)
       && !prompt_utf8_is_upper('a'), "upper case and title case");
    ok(prompt_utf8_is_lower('a') && prompt_utf8_is_lower(0x0142)
       && !prompt_utf8_is_lower(0x0141) && !prompt_utf8_is_lower(0x4e2d),
       "lower case");
}


int
main(void)
{
    test_round_trip();
    test_ill_formed();
    test_properties();

    return done_testing();
}
