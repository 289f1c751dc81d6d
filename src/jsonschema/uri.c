/*
 * URIs as references: see uri.h.
 */

#include "jsonschema/uri.h"

#include "base/scan.h"


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
    prompt_scan_skip(text, n);

    return part;
}


void
prompt_uri_split(prompt_str_t text, prompt_uri_t *uri)
{
    prompt_str_t  rest, part;

    memset(uri, 0, sizeof(*uri));

    text = text.data != NULL ? text : prompt_str("");
    rest = text;
    part = prompt_uri_until(&rest, ":/?#");

    if (part.len != 0 && prompt_scan_is_alpha(part.data[0])
        && prompt_scan_all(part, "+-.") && prompt_scan_char(&rest, ':'))
    {
        uri->scheme = part;
        text = rest;
    }

    if (prompt_scan_word(&text, prompt_str("//"))) {
        uri->authority = prompt_uri_until(&text, "/?#");
    }

    uri->path = prompt_uri_until(&text, "?#");

    if (prompt_scan_char(&text, '?')) {
        uri->query = prompt_uri_until(&text, "#");
    }

    if (prompt_scan_char(&text, '#')) {
        uri->fragment = text;
    }
}


/* Removes the segments . and .. of a path, in place; returns its length. */
static size_t
prompt_uri_remove_dots(char *path, size_t len)
{
    bool          up;
    char         *out;
    prompt_str_t  in;

    out = path;
    in = prompt_str_of(path, len);

    while (in.len != 0) {

        if (prompt_scan_word(&in, prompt_str("../"))) {
            continue;
        }

        up = prompt_scan_begins(in, prompt_str("/../"))
             || prompt_str_eq(in, prompt_str("/.."));

        if (up || prompt_scan_begins(in, prompt_str("/./"))
            || prompt_scan_begins(in, prompt_str("./"))
            || prompt_str_eq(in, prompt_str("/.")))
        {
            while (up && out > path && *--out != '/') { /* void */ }

            prompt_scan_skip(&in, up ? 3 : 2);

            if (in.len == 0) {
                *out++ = '/';
            }

            continue;
        }

        if (prompt_str_eq(in, prompt_str("."))
            || prompt_str_eq(in, prompt_str("..")))
        {
            break;
        }

        do {
            *out++ = in.data[0];
            prompt_scan_skip(&in, 1);
        } while (in.len != 0 && in.data[0] != '/');
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
