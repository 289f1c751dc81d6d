/*
 * JSON writer: compact, exact.
 */

#include "base/json.h"


/* the letter of the escape, 'u' for \u00XX, 0 where none is needed */
static const char  prompt_json_escape[256] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
    'u', 'u', ['"'] = '"', ['\\'] = '\\'
};


/* bytes that are looked at together, by a vector unit where there is one */
typedef unsigned char  prompt_json_block_t __attribute__((vector_size(16)));


static size_t prompt_json_plain(prompt_str_t s);


void
prompt_json_write_string(prompt_buf_t *buf, prompt_str_t s)
{
    char    escape, text[6];
    size_t  i, run;

    static const char  hex[] = "0123456789abcdef";

    i = prompt_json_plain(s);

    /* nearly all strings: nothing to escape, so it is known what they take */

    if (i == s.len) {
        if (prompt_buf_reserve(buf, s.len + 2)) {
            buf->data[buf->len++] = '"';

            if (s.len != 0) {
                memcpy(buf->data + buf->len, s.data, s.len);
                buf->len += s.len;
            }

            buf->data[buf->len++] = '"';
        }

        return;
    }

    prompt_buf_char(buf, '"');

    run = 0;

    for (/* void */; i < s.len; i++) {
        escape = prompt_json_escape[(unsigned char) s.data[i]];

        if (escape == 0) {
            continue;
        }

        prompt_buf_append(buf, s.data + run, i - run);
        run = i + 1;

        text[0] = '\\';
        text[1] = escape;
        text[2] = '0';
        text[3] = '0';
        text[4] = hex[(unsigned char) s.data[i] >> 4];
        text[5] = hex[s.data[i] & 0xf];

        prompt_buf_append(buf, text, escape == 'u' ? 6 : 2);
    }

    prompt_buf_append(buf, s.data + run, s.len - run);
    prompt_buf_char(buf, '"');
}


/*
 * How many bytes at the beginning of s need no escape.  First sixteen are
 * looked at together, then eight as a number: of a byte below n, less n, the
 * top bit is set, where it was not before; and a byte that equals another is
 * below 1 after an exclusive or.  A borrow may set it for the next byte, too,
 * but comes from one that is to be found anyway; which one it is the loop
 * behind finds out.
 */
static size_t
prompt_json_plain(prompt_str_t s)
{
    size_t               i;
    uint64_t             word, quote, slash, found, halves[2];
    prompt_json_block_t  block;

    static const uint64_t  ones = 0x0101010101010101u;
    static const uint64_t  tops = 0x8080808080808080u;

    for (i = 0; s.len - i >= sizeof(block); i += sizeof(block)) {
        memcpy(&block, s.data + i, sizeof(block));

        block = (prompt_json_block_t) ((block < 0x20) | (block == '"')
                                       | (block == '\\'));
        memcpy(halves, &block, sizeof(halves));

        if ((halves[0] | halves[1]) != 0) {
            break;
        }
    }

    for (/* void */; s.len - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, s.data + i, sizeof(word));

        quote = word ^ ones * '"';
        slash = word ^ ones * '\\';

        found = ((word - ones * 0x20) & ~word)
                | ((quote - ones) & ~quote)
                | ((slash - ones) & ~slash);

        if (found & tops) {
            break;
        }
    }

    while (i < s.len && prompt_json_escape[(unsigned char) s.data[i]] == 0) {
        i++;
    }

    return i;
}


/* calls itself no deeper than the value is nested */
void
prompt_json_write(prompt_buf_t *buf, const prompt_json_t *value)
{
    const prompt_json_t  *child;

    switch (value->type) {

    case PROMPT_JSON_NULL:
        prompt_buf_literal(buf, "null");
        return;

    case PROMPT_JSON_BOOLEAN:
        prompt_buf_str(buf, value->boolean ? prompt_str("true")
                                           : prompt_str("false"));
        return;

    case PROMPT_JSON_NUMBER:
        prompt_buf_str(buf, value->text);
        return;

    case PROMPT_JSON_STRING:
        prompt_json_write_string(buf, value->text);
        return;

    case PROMPT_JSON_ARRAY:
    case PROMPT_JSON_OBJECT:
        break;
    }

    prompt_buf_char(buf, value->type == PROMPT_JSON_ARRAY ? '[' : '{');

    for (child = value->first; child != NULL; child = child->next) {
        if (child != value->first) {
            prompt_buf_char(buf, ',');
        }

        if (value->type == PROMPT_JSON_OBJECT) {
            prompt_json_write_string(buf, child->name);
            prompt_buf_char(buf, ':');
        }

        prompt_json_write(buf, child);
    }

    prompt_buf_char(buf, value->type == PROMPT_JSON_ARRAY ? ']' : '}');
}
