/*
 * Taking a text apart from its front: what is taken is behind *text then.
 * ASCII alone, whatever the locale.
 */

#ifndef PROMPT_BASE_SCAN_H
#define PROMPT_BASE_SCAN_H

#include "base/digits.h"


static inline bool
prompt_scan_is_digit(char c)
{
    return c >= '0' && c <= '9';
}


static inline bool
prompt_scan_is_alpha(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}


static inline bool
prompt_scan_is_alnum(char c)
{
    return prompt_scan_is_alpha(c) || prompt_scan_is_digit(c);
}


/* n: no more than there are; of an absent text there is nothing to move */
static inline void
prompt_scan_skip(prompt_str_t *text, size_t n)
{
    if (n != 0) {
        text->data += n;
        text->len -= n;
    }
}


/* c, which comes first */
static inline bool
prompt_scan_char(prompt_str_t *text, char c)
{
    if (text->len == 0 || text->data[0] != c) {
        return false;
    }

    prompt_scan_skip(text, 1);

    return true;
}


static inline bool
prompt_scan_begins(prompt_str_t text, prompt_str_t word)
{
    return text.len >= word.len && memcmp(text.data, word.data, word.len) == 0;
}


/* all of word, which comes first */
static inline bool
prompt_scan_word(prompt_str_t *text, prompt_str_t word)
{
    if (!prompt_scan_begins(*text, word)) {
        return false;
    }

    prompt_scan_skip(text, word.len);

    return true;
}


/* digits, as many as there are: how many */
static inline size_t
prompt_scan_digits(prompt_str_t *text)
{
    size_t  n;

    for (n = 0; n < text->len && prompt_scan_is_digit(text->data[n]); n++) {
        /* void */
    }

    prompt_scan_skip(text, n);

    return n;
}


/*
 * What looks like picture: d stands for a digit, x for a hexadecimal one, any
 * other character for itself.
 */
static inline bool
prompt_scan_like(prompt_str_t *text, const char *picture)
{
    char    c;
    size_t  i;

    for (i = 0; picture[i] != '\0'; i++) {
        c = i < text->len ? text->data[i] : '\0';

        if (picture[i] == 'd' ? !prompt_scan_is_digit(c)
            : picture[i] == 'x' ? prompt_hex_digit(c) < 0 : c != picture[i])
        {
            return false;
        }
    }

    prompt_scan_skip(text, i);

    return true;
}


/* What is before the first c, and c; false: all of it, as there is none. */
static inline bool
prompt_scan_split(prompt_str_t *text, char c, prompt_str_t *before)
{
    const char  *at;

    *before = *text;
    at = text->len != 0 ? memchr(text->data, c, text->len) : NULL;

    if (at != NULL) {
        before->len = (size_t) (at - text->data);
    }

    prompt_scan_skip(text, before->len + (at != NULL));

    return at != NULL;
}


/* without the spaces and tabs around it */
static inline prompt_str_t
prompt_scan_trim(prompt_str_t text)
{
    while (text.len != 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        prompt_scan_skip(&text, 1);
    }

    while (text.len != 0 && (text.data[text.len - 1] == ' '
                             || text.data[text.len - 1] == '\t'))
    {
        text.len--;
    }

    return text;
}


/* whether there are only letters, digits, and characters of more in it */
static inline bool
prompt_scan_all(prompt_str_t text, const char *more)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {
        if (!prompt_scan_is_alnum(text.data[i])
            && (text.data[i] == '\0' || strchr(more, text.data[i]) == NULL))
        {
            return false;
        }
    }

    return true;
}


/* whether they are equal, but for the case of letters */
static inline bool
prompt_scan_same(prompt_str_t a, prompt_str_t b)
{
    size_t  i;

    if (a.len != b.len) {
        return false;
    }

    for (i = 0; i < a.len; i++) {
        if (a.data[i] != b.data[i]
            && (!prompt_scan_is_alpha(a.data[i])
                || (a.data[i] | 0x20) != (b.data[i] | 0x20)))
        {
            return false;
        }
    }

    return true;
}


/* the number of two digits at p */
static inline unsigned
prompt_scan_two(const char *p)
{
    return (unsigned) (p[0] - '0') * 10 + (unsigned) (p[1] - '0');
}

#endif /* PROMPT_BASE_SCAN_H */
