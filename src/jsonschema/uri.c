/*
 * URIs as references: see uri.h.
 */

#include "jsonschema/uri.h"


/* what stands before the first of the stops; *text goes on at that */
static prompt_str_t
prompt_uri_until(prompt_str_t *text, const char *stops)
{
    size_t        n;
    const char   *at;
    prompt_str_t  part;

    n = text->len;

    while (*stops != '\0' && n != 0) {
        at = memchr(text->data, *stops++, n);
        n = at != NULL ? (size_t) (at - text->data) : n;
    }

    part = prompt_str_of(text->data, n);
    text->data += n;
    text->len -= n;

    return part;
}


static bool
prompt_uri_is_scheme(prompt_str_t text)
{
    char    c;
    size_t  i;

    for (i = 0; i < text.len; i++) {
        c = text.data[i];

        if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
            && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-'
                            || c == '.')))
        {
            return false;
        }
    }

    return text.len != 0;
}


static void
prompt_uri_skip(prompt_str_t *text, size_t n)
{
    text->data += n;
    text->len -= n;
}


void
prompt_uri_split(prompt_str_t text, prompt_uri_t *uri)
{
    prompt_str_t  rest, part;

    memset(uri, 0, sizeof(*uri));

    rest = text.data != NULL ? text : prompt_str("");
    part = prompt_uri_until(&rest, ":/?#");

    if (rest.len != 0 && rest.data[0] == ':' && prompt_uri_is_scheme(part)) {
        uri->scheme = part;
        prompt_uri_skip(&rest, 1);

    } else {
        rest = text.data != NULL ? text : prompt_str("");
    }

    if (rest.len >= 2 && rest.data[0] == '/' && rest.data[1] == '/') {
        prompt_uri_skip(&rest, 2);
        uri->authority = prompt_uri_until(&rest, "/?#");
    }

    uri->path = prompt_uri_until(&rest, "?#");

    if (rest.len != 0 && rest.data[0] == '?') {
        prompt_uri_skip(&rest, 1);
        uri->query = prompt_uri_until(&rest, "#");
    }

    if (rest.len != 0) {
        prompt_uri_skip(&rest, 1);
        uri->fragment = rest;
    }
}


static bool
prompt_uri_begins(const char *p, const char *end, const char *with)
{
    size_t  n;

    n = strlen(with);

    return (size_t) (end - p) >= n && memcmp(p, with, n) == 0;
}


/* Removes the segments . and .. of a path, in place; returns its length. */
static size_t
prompt_uri_remove_dots(char *path, size_t len)
{
    char  *out, *in, *end;

    in = path;
    out = path;
    end = path + len;

    while (in < end) {

        if (prompt_uri_begins(in, end, "../")) {
            in += 3;
            continue;
        }

        if (prompt_uri_begins(in, end, "./")
            || (end - in == 2 && memcmp(in, "/.", 2) == 0))
        {
            in += 2;

            if (in == end) {
                *out++ = '/';
            }

            continue;
        }

        if (prompt_uri_begins(in, end, "/./")) {
            in += 2;
            continue;
        }

        if (prompt_uri_begins(in, end, "/../")
            || (end - in == 3 && memcmp(in, "/..", 3) == 0))
        {
            while (out > path && *--out != '/') { /* void */ }

            in += 3;

            if (in == end) {
                *out++ = '/';
            }

            continue;
        }

        if ((end - in == 1 && *in == '.')
            || (end - in == 2 && memcmp(in, "..", 2) == 0))
        {
            break;
        }

        do {
            *out++ = *in++;
        } while (in < end && *in != '/');
    }

    return (size_t) (out - path);
}


/* Appends; what there is no room for makes *len too large. */
static void
prompt_uri_append(char *out, size_t *len, prompt_str_t text)
{
    if (*len <= PROMPT_URI_MAX && text.len <= PROMPT_URI_MAX - *len) {
        if (text.len != 0) {
            memcpy(out + *len, text.data, text.len);
        }

        *len += text.len;

    } else {
        *len = PROMPT_URI_MAX + 1;
    }
}


/* the path of a reference that has neither scheme nor authority */
static void
prompt_uri_merge(const prompt_uri_t *base, const prompt_uri_t *reference,
    char *out, size_t *len)
{
    size_t  n;

    if (reference->path.len == 0) {
        prompt_uri_append(out, len, base->path);
        return;
    }

    if (reference->path.data[0] != '/') {
        if (base->authority.data != NULL && base->path.len == 0) {
            prompt_uri_append(out, len, prompt_str("/"));
        }

        n = base->path.len;

        while (n != 0 && base->path.data[n - 1] != '/') {
            n--;
        }

        prompt_uri_append(out, len, prompt_str_of(base->path.data, n));
    }

    prompt_uri_append(out, len, reference->path);
}


prompt_str_t
prompt_uri_resolve(prompt_str_t base, const prompt_uri_t *reference,
    char out[PROMPT_URI_MAX])
{
    bool          own;
    size_t        len, path;
    prompt_str_t  query;
    prompt_uri_t  from, to;

    prompt_uri_split(base, &from);
    to = *reference;
    len = 0;

    own = to.scheme.data != NULL || to.authority.data != NULL;
    query = to.query;

    if (to.scheme.data == NULL) {
        to.scheme = from.scheme;
    }

    if (!own) {
        to.authority = from.authority;
    }

    if (!own && to.path.len == 0 && query.data == NULL) {
        query = from.query;
    }

    if (to.scheme.data != NULL) {
        prompt_uri_append(out, &len, to.scheme);
        prompt_uri_append(out, &len, prompt_str(":"));
    }

    if (to.authority.data != NULL) {
        prompt_uri_append(out, &len, prompt_str("//"));
        prompt_uri_append(out, &len, to.authority);
    }

    path = len;

    if (own) {
        prompt_uri_append(out, &len, to.path);

    } else {
        prompt_uri_merge(&from, reference, out, &len);
    }

    if (len <= PROMPT_URI_MAX) {
        len = path + prompt_uri_remove_dots(out + path, len - path);
    }

    if (query.data != NULL) {
        prompt_uri_append(out, &len, prompt_str("?"));
        prompt_uri_append(out, &len, query);
    }

    return len <= PROMPT_URI_MAX ? prompt_str_of(out, len) : prompt_str_absent;
}
