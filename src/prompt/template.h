/*
 * Templates: text with placeholders.
 *
 * {{name}}, {{ name }}, {{customer.email}}, {{tags.0}}: a path of segments, a
 * segment being one or more characters other than white space, ".", "{" and
 * "}".  \{{ writes {{; a }} alone is text; {{{, {{}} and whatever else begins
 * with {{ is ill-formed.  Text that was put in is never looked at again.
 */

#ifndef PROMPT_PROMPT_TEMPLATE_H
#define PROMPT_PROMPT_TEMPLATE_H

#include "base/fault.h"
#include "jsonschema/schema.h"
#include "prompt/limits.h"


/* templates that are rendered with one input */
typedef struct {
    prompt_arena_t       *arena;
    const prompt_json_t  *input;
    const prompt_json_t  *schema;
    prompt_jsonschema_t  *compiled;  /* when it is first asked */
    unsigned              steps;     /* that are left */
    size_t                limit;     /* of all texts together */
    prompt_buf_t         *out;
    prompt_fault_t       *fault;
} prompt_template_render_t;


/*
 * Checks a template before it is stored: size, UTF-8, no U+0000, placeholders.
 * field is that of a fault, such as `content`.  An ill-formed placeholder:
 * with line and column of its {{ (from 1, in characters).
 */
prompt_check_t prompt_template_check(prompt_arena_t *arena,
    prompt_str_t content, prompt_str_t field, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * Renders templates with one input, into out, which the caller made with the
 * limit PROMPT_LIMIT_RENDERED and frees, also after a failure.  They share what
 * rendering may take, and the limit of out.  add() appends one of them; take()
 * counts a text that goes beside them; input() finds a member of the input, or
 * NULL.  What begin() was given must live until the last of them.
 *
 * input is an OBJECT; schema is the version's inputSchema, or NULL.  Strings
 * go in as they are, other values as compact JSON.  A placeholder without a
 * value: the `default` of the property that its path names in the schema, else
 * nothing where the schema lists that property as optional, else a fault with
 * the path as field.  A result beyond the limit is a fault, field `input`.
 */
void prompt_template_begin(prompt_template_render_t *render,
    prompt_arena_t *arena, const prompt_json_t *input,
    const prompt_json_t *schema, prompt_buf_t *out, prompt_fault_t *fault);
prompt_check_t prompt_template_add(prompt_template_render_t *render,
    prompt_str_t content) PROMPT_WARN_UNUSED;
prompt_check_t prompt_template_take(prompt_template_render_t *render,
    prompt_str_t text) PROMPT_WARN_UNUSED;
prompt_check_t prompt_template_input(prompt_template_render_t *render,
    prompt_str_t name, const prompt_json_t **value) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_TEMPLATE_H */
