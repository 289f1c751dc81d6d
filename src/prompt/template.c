/*
 * Templates: the scanner, the check at creation, and rendering.
 */

#include "prompt/template.h"

#include "base/path.h"
#include "base/utf8.h"
#include "jsonschema/default.h"
#include "prompt/text.h"


typedef enum {
    PROMPT_TEMPLATE_END = 0,
    PROMPT_TEMPLATE_TEXT,
    PROMPT_TEMPLATE_PLACEHOLDER,
    PROMPT_TEMPLATE_ILL_FORMED
} prompt_template_token_t;


typedef struct {
    const char    *start;
    const char    *pos;
    const char    *end;
    prompt_str_t   text;             /* TEXT: to be written; PLACEHOLDER: its
                                        path, without white space around it */
    const char    *at;               /* the first byte of the token */
    const char    *message;          /* ILL_FORMED */
} prompt_template_scan_t;


/* the property White_Space of Unicode */
static bool
prompt_template_is_space(uint32_t cp)
{
    return (cp >= 0x09 && cp <= 0x0d) || cp == 0x20 || cp == 0x85 || cp == 0xa0
           || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028
           || cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000;
}


static bool
prompt_template_at(const char *p, const char *end, const char *text, size_t len)
{
    return (size_t) (end - p) >= len && memcmp(p, text, len) == 0;
}


static const char *
prompt_template_skip_space(const char *p, const char *end)
{
    const char  *next;

    while (p < end) {
        next = p;

        if (!prompt_template_is_space(prompt_utf8_next(&next, end))) {
            break;
        }

        p = next;
    }

    return p;
}


/* behind the segment that begins at p; p where there is none */
static const char *
prompt_template_skip_segment(const char *p, const char *end)
{
    const char  *next;

    while (p < end && *p != '.' && *p != '{' && *p != '}') {
        next = p;

        if (prompt_template_is_space(prompt_utf8_next(&next, end))) {
            break;
        }

        p = next;
    }

    return p;
}


static prompt_template_token_t
prompt_template_ill_formed(prompt_template_scan_t *scan, const char *message)
{
    scan->message = message;
    scan->pos = scan->end;

    return PROMPT_TEMPLATE_ILL_FORMED;
}


/* the placeholder whose {{ is at the position */
static prompt_template_token_t
prompt_template_placeholder(prompt_template_scan_t *scan)
{
    const char  *p, *q, *start, *end;

    end = scan->end;
    p = scan->pos + 2;

    if (p < end && *p == '{') {
        return prompt_template_ill_formed(scan, "\"{{{\" is not allowed");
    }

    p = prompt_template_skip_space(p, end);
    start = p;

    if (prompt_template_at(p, end, "}}", 2)) {
        return prompt_template_ill_formed(scan, "placeholder without a name");
    }

    for ( ;; ) {
        q = prompt_template_skip_segment(p, end);

        if (q == p) {
            break;
        }

        p = q;

        if (p == end || *p != '.') {
            scan->text = prompt_str_of(start, (size_t) (p - start));
            p = prompt_template_skip_space(p, end);

            if (!prompt_template_at(p, end, "}}", 2)) {
                break;
            }

            scan->pos = p + 2;
            return PROMPT_TEMPLATE_PLACEHOLDER;
        }

        p++;
    }

    return prompt_template_ill_formed(scan, p == end
                                            || prompt_template_skip_space(p,
                                                              end) == end
                                            ? "unclosed placeholder"
                                            : "ill-formed placeholder");
}


/* The next token.  Looks at each byte a bounded number of times. */
static prompt_template_token_t
prompt_template_next(prompt_template_scan_t *scan)
{
    const char  *p;

    scan->at = scan->pos;

    if (scan->pos == scan->end) {
        return PROMPT_TEMPLATE_END;
    }

    if (prompt_template_at(scan->pos, scan->end, "{{", 2)) {
        return prompt_template_placeholder(scan);
    }

    if (prompt_template_at(scan->pos, scan->end, "\\{{", 3)) {
        scan->text = prompt_str_of(scan->pos + 1, 2);
        scan->pos += 3;
        return PROMPT_TEMPLATE_TEXT;
    }

    for (p = scan->pos + 1; p < scan->end; p++) {
        p = memchr(p, '{', (size_t) (scan->end - p));

        if (p == NULL) {
            p = scan->end;
            break;
        }

        if (prompt_template_at(p, scan->end, "{{", 2)) {

            /* the backslash is not where this text begins: see above */

            p -= p[-1] == '\\';

            break;
        }
    }

    scan->text = prompt_str_of(scan->pos, (size_t) (p - scan->pos));
    scan->pos = p;

    return PROMPT_TEMPLATE_TEXT;
}


static void
prompt_template_scan(prompt_template_scan_t *scan, prompt_str_t content)
{
    scan->start = content.data != NULL ? content.data : "";
    scan->pos = scan->start;
    scan->end = scan->start + content.len;
    scan->message = "";
}


/* the fault of an ill-formed placeholder, which the scan stands at */
static prompt_check_t
prompt_template_fault(prompt_arena_t *arena,
    const prompt_template_scan_t *scan, prompt_str_t field,
    prompt_fault_t *fault)
{
    unsigned      line, column;
    prompt_str_t  content;

    content = prompt_str_of(scan->start, (size_t) (scan->end - scan->start));
    prompt_json_position(content, (size_t) (scan->at - scan->start), &line,
                         &column);

    return prompt_fault_set(arena, fault, field,
                            "%.*s has an error at line %u, column %u: %s",
                            prompt_str_arg(field), line, column,
                            scan->message);
}


prompt_check_t
prompt_template_check(prompt_arena_t *arena, prompt_str_t content,
    prompt_str_t field, prompt_fault_t *fault)
{
    prompt_check_t           rc;
    prompt_template_scan_t   scan;
    prompt_template_token_t  token;

    rc = prompt_text_bytes(arena, content, field, PROMPT_LIMIT_CONTENT, fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    prompt_template_scan(&scan, content);

    do {
        token = prompt_template_next(&scan);

        if (token == PROMPT_TEMPLATE_ILL_FORMED) {
            return prompt_template_fault(arena, &scan, field, fault);
        }

    } while (token != PROMPT_TEMPLATE_END);

    return PROMPT_CHECK_OK;
}


/* what the schema says of a path that has no value from left on */
static prompt_check_t
prompt_template_absent(prompt_template_render_t *render, prompt_str_t path,
    prompt_str_t left, const prompt_json_t **value, bool *optional)
{
    prompt_check_t  rc;

    *optional = false;

    if (render->schema == NULL || render->steps == 0) {
        return PROMPT_CHECK_OK;
    }

    if (render->compiled == NULL) {
        rc = prompt_jsonschema_compile(render->arena, render->schema,
                                       prompt_str("inputSchema"),
                                       &render->compiled, render->fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    *value = prompt_jsonschema_default(render->compiled, path, left,
                                       &render->steps, optional);

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_template_too_large(prompt_template_render_t *render)
{
    return prompt_fault_set(render->arena, render->fault, prompt_str("input"),
                            "input is too large for so many placeholders");
}


static prompt_check_t
prompt_template_write(prompt_template_render_t *render, prompt_str_t path)
{
    bool                  optional;
    prompt_str_t          name, left, field;
    prompt_path_t         whole;
    prompt_check_t        rc;
    const prompt_json_t  *value;

    value = prompt_jsonschema_value(render->input, path, &render->steps, &left);

    if (value == NULL) {
        rc = prompt_template_absent(render, path, left, &value, &optional);

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        if (value == NULL && optional && render->steps != 0) {
            return PROMPT_CHECK_OK;
        }
    }

    if (render->steps == 0) {
        return prompt_template_too_large(render);
    }

    if (value == NULL) {
        whole = (prompt_path_t) { NULL, path, 0 };
        field = prompt_path_text(render->arena, &whole);
        name = prompt_fault_excerpt(render->arena, path);

        if (field.data == NULL || name.data == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        return prompt_fault_set(render->arena, render->fault, field,
                                "no value for the placeholder {{%.*s}}",
                                prompt_str_arg(name));
    }

    if (value->type == PROMPT_JSON_STRING) {
        prompt_buf_str(render->out, value->text);

    } else {
        prompt_json_write(render->out, value);
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_template_too_long(prompt_template_render_t *render)
{
    return prompt_fault_set(render->arena, render->fault, prompt_str("input"),
                            "the rendered prompt must not be longer than "
                            "%zu bytes", render->limit);
}


void
prompt_template_begin(prompt_template_render_t *render, prompt_arena_t *arena,
    const prompt_json_t *input, const prompt_json_t *schema, prompt_buf_t *out,
    prompt_fault_t *fault)
{
    *render = (prompt_template_render_t) {
        arena, input, schema, NULL, PROMPT_LIMIT_STEPS, out->limit, out, fault
    };
}


prompt_check_t
prompt_template_add(prompt_template_render_t *render, prompt_str_t content)
{
    prompt_check_t           rc;
    prompt_template_scan_t   scan;
    prompt_template_token_t  token;

    prompt_template_scan(&scan, content);

    do {
        token = prompt_template_next(&scan);

        switch (token) {

        case PROMPT_TEMPLATE_TEXT:
            prompt_buf_str(render->out, scan.text);
            break;

        case PROMPT_TEMPLATE_PLACEHOLDER:
            rc = prompt_template_write(render, scan.text);
            if (rc != PROMPT_CHECK_OK) {
                return rc;
            }

            break;

        case PROMPT_TEMPLATE_ILL_FORMED:
            return prompt_template_fault(render->arena, &scan,
                                         prompt_str("content"), render->fault);

        case PROMPT_TEMPLATE_END:
            break;
        }

    } while (token != PROMPT_TEMPLATE_END
             && render->out->status == PROMPT_BUF_OK);

    return render->out->status == PROMPT_BUF_OK ? PROMPT_CHECK_OK
           : render->out->status == PROMPT_BUF_LIMIT
           ? prompt_template_too_long(render) : PROMPT_CHECK_NOMEM;
}


prompt_check_t
prompt_template_take(prompt_template_render_t *render, prompt_str_t text)
{
    if (text.len > render->out->limit - render->out->len) {
        return prompt_template_too_long(render);
    }

    render->out->limit -= text.len;

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_template_input(prompt_template_render_t *render, prompt_str_t name,
    const prompt_json_t **value)
{
    const prompt_json_t  *member;

    for (member = render->input->first; member != NULL; member = member->next) {

        if (render->steps == 0 || --render->steps == 0) {
            return prompt_template_too_large(render);
        }

        if (prompt_str_eq(member->name, name)) {
            break;
        }
    }

    *value = member;

    return PROMPT_CHECK_OK;
}
