/*
 * Printer: strings and block strings (specification, 2.9.4).
 */

#include "base/utf8.h"
#include "graphql/syntax/printer_impl.h"


/* a block string stays on one line up to here */
#define GQL_BLOCK_WIDTH  70


void
gql_print_newline(gql_printer_t *p)
{
    unsigned  i;

    prompt_buf_char(p->buf, '\n');

    for (i = 0; i < p->indent; i++) {
        gql_print_literal(p, "  ");
    }
}


/*
 * A character as an escape: a control character, which next is the second
 * byte of where it has two, a quote or a backslash.
 */
static void
gql_print_escape(gql_printer_t *p, unsigned char c, unsigned char next)
{
    const char  *found;

    static const char  plain[] = "\"\\\b\t\n\f\r";
    static const char  letters[] = "\"\\btnfr";

    found = c != '\0' ? strchr(plain, c) : NULL;

    if (found != NULL) {
        prompt_buf_char(p->buf, '\\');
        prompt_buf_char(p->buf, letters[found - plain]);
        return;
    }

    prompt_buf_printf(p->buf, "\\u%04X", c == 0xc2 ? next : c);
}


void
gql_print_string(gql_printer_t *p, prompt_str_t s)
{
    size_t         i, from;
    unsigned char  c, next;

    prompt_buf_char(p->buf, '"');

    from = 0;

    for (i = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];
        next = i + 1 < s.len ? (unsigned char) s.data[i + 1] : 0;

        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f
            && !(c == 0xc2 && next >= 0x80 && next <= 0x9f))
        {
            continue;
        }

        prompt_buf_append(p->buf, s.data + from, i - from);
        gql_print_escape(p, c, next);

        i += c == 0xc2;
        from = i + 1;
    }

    prompt_buf_append(p->buf, s.data + from, s.len - from);
    prompt_buf_char(p->buf, '"');
}


static bool
gql_print_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}


static bool
gql_print_is_blank(char c)
{
    return c == ' ' || c == '\t';
}


/*
 * Do all lines but the first begin with a blank (or are empty)?  Then a line
 * end in front keeps the indentation from being taken for common.
 */
static bool
gql_print_is_indented(prompt_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (!gql_print_is_line_end(s.data[i])) {
            continue;
        }

        if (s.data[i] == '\r' && i + 1 < s.len && s.data[i + 1] == '\n') {
            i++;
        }

        if (i + 1 < s.len
            && !gql_print_is_line_end(s.data[i + 1])
            && !gql_print_is_blank(s.data[i + 1]))
        {
            return false;
        }
    }

    return true;
}


static void
gql_print_block_text(gql_printer_t *p, prompt_str_t s)
{
    size_t  i, from;

    from = 0;

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == '\n') {
            prompt_buf_append(p->buf, s.data + from, i - from);
            gql_print_newline(p);
            from = i + 1;
            continue;
        }

        if (s.len - i >= 3 && memcmp(s.data + i, "\"\"\"", 3) == 0) {
            prompt_buf_append(p->buf, s.data + from, i - from);
            prompt_buf_char(p->buf, '\\');
            from = i;
            i += 2;
        }
    }

    prompt_buf_append(p->buf, s.data + from, s.len - from);
}


void
gql_print_block_string(gql_printer_t *p, prompt_str_t s)
{
    bool    lead, trail, lines, single, triple;
    size_t  i, quotes;

    single = true;

    for (i = 0; i < s.len && single; i++) {
        single = !gql_print_is_line_end(s.data[i]);
    }

    for (quotes = 0; quotes < s.len; quotes++) {
        if (s.data[s.len - 1 - quotes] != '"') {
            break;
        }
    }

    triple = quotes != 0 && quotes % 3 == 0;
    lead = !single && gql_print_is_indented(s);

    /* a quote or backslash must not run into the closing quotes */
    trail = quotes % 3 != 0 || (s.len != 0 && s.data[s.len - 1] == '\\');

    lines = !single || prompt_utf8_utf16_length(s) > GQL_BLOCK_WIDTH || trail
            || lead || triple;

    gql_print_literal(p, "\"\"\"");

    if (lead
        || (lines && !(single && s.len != 0 && gql_print_is_blank(s.data[0]))))
    {
        gql_print_newline(p);
    }

    gql_print_block_text(p, s);

    if (lines) {
        gql_print_newline(p);
    }

    gql_print_literal(p, "\"\"\"");
}
