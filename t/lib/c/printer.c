/*
 * Documents as text, in the layout of the reference; values and types are the
 * engine's own to print.
 *
 * Whether a list of arguments stays on its line depends on how long it is, or
 * on a line end in it; it is written on one line first, measured, and taken
 * back where it must be broken.
 */

#include "base/utf8.h"
#include "printer.h"


/* a field's name and arguments go on one line up to here */
#define GQL_PRINT_WIDTH  80


void
gql_print_list(gql_printer_t *p, const gql_list_t *list,
    prompt_str_t separator)
{
    const gql_node_t  *node;

    gql_list_each(node, list) {
        if (node != list->first) {
            gql_print_str(p, separator);
        }

        gql_print_node(p, node);
    }
}


/* each on a line of its own, between open and close */
void
gql_print_lines(gql_printer_t *p, char open, const gql_list_t *list,
    char close)
{
    const gql_node_t  *node;

    prompt_buf_char(p->buf, open);
    p->indent++;

    gql_list_each(node, list) {
        gql_print_newline(p);
        gql_print_node(p, node);
    }

    p->indent--;
    gql_print_newline(p);
    prompt_buf_char(p->buf, close);
}


/* " @a @b" */
void
gql_print_directives(gql_printer_t *p, const gql_list_t *directives)
{
    const gql_node_t  *node;

    gql_list_each(node, directives) {
        prompt_buf_char(p->buf, ' ');
        gql_print_node(p, node);
    }
}


/* " {…}" */
void
gql_print_block(gql_printer_t *p, const gql_list_t *list)
{
    if (list->count != 0) {
        prompt_buf_char(p->buf, ' ');
        gql_print_lines(p, '{', list, '}');
    }
}


void
gql_print_description(gql_printer_t *p, const gql_value_t *description)
{
    if (description != NULL) {
        gql_print_node(p, &description->node);
        gql_print_newline(p);
    }
}


/* what was written behind from, which is shorter where writing failed */
static prompt_str_t
gql_print_written(const gql_printer_t *p, size_t from)
{
    prompt_str_t  view;

    view = prompt_buf_view(p->buf);

    if (view.len < from) {
        return prompt_str("");
    }

    return prompt_str_of(view.data + from, view.len - from);
}


/*
 * "(a, b)" without any indentation, to be looked at; where in the buffer it
 * begins is returned.
 */
size_t
gql_print_inline(gql_printer_t *p, const gql_list_t *list)
{
    size_t    from;
    unsigned  indent;

    from = p->buf->len;
    indent = p->indent;

    p->indent = 0;

    prompt_buf_char(p->buf, '(');
    gql_print_list(p, list, prompt_str(", "));
    prompt_buf_char(p->buf, ')');

    p->indent = indent;

    return from;
}


/* does what was written behind from break into lines? */
bool
gql_print_is_multiline(const gql_printer_t *p, size_t from)
{
    prompt_str_t  text;

    text = gql_print_written(p, from);

    return text.len != 0 && memchr(text.data, '\n', text.len) != NULL;
}


/* of an operation: broken, they are not indented */
static void
gql_print_variable_definitions(gql_printer_t *p, const gql_list_t *list)
{
    size_t  from;

    if (list->count == 0) {
        return;
    }

    from = gql_print_inline(p, list);

    if (gql_print_is_multiline(p, from)) {
        prompt_buf_truncate(p->buf, from);

        gql_print_literal(p, "(\n");
        gql_print_list(p, list, prompt_str("\n"));
        gql_print_literal(p, "\n)");
    }
}


/* of a field whose name (and alias) began at start */
static void
gql_print_field_arguments(gql_printer_t *p, const gql_list_t *list,
    size_t start)
{
    size_t        from;
    prompt_str_t  text;

    if (list->count == 0) {
        return;
    }

    from = gql_print_inline(p, list);
    text = gql_print_written(p, start);

    if (prompt_utf8_utf16_length(text) > GQL_PRINT_WIDTH) {
        prompt_buf_truncate(p->buf, from);
        gql_print_lines(p, '(', list, ')');

    } else if (p->indent != 0 && gql_print_is_multiline(p, from)) {
        prompt_buf_truncate(p->buf, from);

        prompt_buf_char(p->buf, '(');
        gql_print_list(p, list, prompt_str(", "));
        prompt_buf_char(p->buf, ')');
    }
}


/* name, and value behind a colon */
static void
gql_print_pair(gql_printer_t *p, const gql_name_t *name,
    const gql_value_t *value)
{
    gql_print_name(p, name);
    gql_print_literal(p, ": ");
    gql_print_value_node(p, value);
}


/* executable documents */

prompt_str_t
gql_print_operation_type(gql_operation_type_t operation)
{
    switch (operation) {

    case GQL_MUTATION:
        return prompt_str("mutation");

    case GQL_SUBSCRIPTION:
        return prompt_str("subscription");

    default: /* GQL_QUERY */
        return prompt_str("query");
    }
}


static void
gql_print_operation(gql_printer_t *p, const gql_operation_definition_t *op)
{
    if (op->operation == GQL_QUERY && op->description == NULL
        && op->name == NULL && op->variables.count == 0
        && op->directives.count == 0)
    {
        gql_print_node(p, &op->selection_set->node);
        return;
    }

    gql_print_description(p, op->description);
    gql_print_str(p, gql_print_operation_type(op->operation));

    if (op->name != NULL || op->variables.count != 0) {
        prompt_buf_char(p->buf, ' ');
    }

    if (op->name != NULL) {
        gql_print_name(p, op->name);
    }

    gql_print_variable_definitions(p, &op->variables);
    gql_print_directives(p, &op->directives);
    prompt_buf_char(p->buf, ' ');
    gql_print_node(p, &op->selection_set->node);
}


static void
gql_print_variable_definition(gql_printer_t *p,
    const gql_variable_definition_t *variable)
{
    gql_print_description(p, variable->description);
    gql_print_value_node(p, variable->variable);
    gql_print_literal(p, ": ");
    gql_print_type_node(p, variable->type);

    if (variable->default_value != NULL) {
        gql_print_literal(p, " = ");
        gql_print_value_node(p, variable->default_value);
    }

    gql_print_directives(p, &variable->directives);
}


static void
gql_print_field(gql_printer_t *p, const gql_field_t *field)
{
    size_t  start;

    start = p->buf->len;

    if (field->alias != NULL) {
        gql_print_name(p, field->alias);
        gql_print_literal(p, ": ");
    }

    gql_print_name(p, field->name);
    gql_print_field_arguments(p, &field->arguments, start);
    gql_print_directives(p, &field->directives);

    if (field->selection_set != NULL) {
        gql_print_block(p, &field->selection_set->selections);
    }
}


static void
gql_print_inline_fragment(gql_printer_t *p,
    const gql_inline_fragment_t *fragment)
{
    gql_print_literal(p, "...");

    if (fragment->type_condition != NULL) {
        gql_print_literal(p, " on ");
        gql_print_type_node(p, fragment->type_condition);
    }

    gql_print_directives(p, &fragment->directives);
    gql_print_block(p, &fragment->selection_set->selections);
}


static void
gql_print_fragment(gql_printer_t *p, const gql_fragment_definition_t *fragment)
{
    gql_print_description(p, fragment->description);
    gql_print_literal(p, "fragment ");
    gql_print_name(p, fragment->name);
    gql_print_literal(p, " on ");
    gql_print_type_node(p, fragment->type_condition);
    gql_print_directives(p, &fragment->directives);
    gql_print_block(p, &fragment->selection_set->selections);
}


static void
gql_print_directive(gql_printer_t *p, const gql_directive_t *directive)
{
    prompt_buf_char(p->buf, '@');
    gql_print_name(p, directive->name);

    if (directive->arguments.count != 0) {
        prompt_buf_char(p->buf, '(');
        gql_print_list(p, &directive->arguments, prompt_str(", "));
        prompt_buf_char(p->buf, ')');
    }
}


static void
gql_print_spread(gql_printer_t *p, const gql_fragment_spread_t *spread)
{
    gql_print_literal(p, "...");
    gql_print_name(p, spread->name);
    gql_print_directives(p, &spread->directives);
}


/* The kind says which structure a node is the head of. */
void
gql_print_node(gql_printer_t *p, const gql_node_t *node)
{
    const void  *n;

    n = node;

    switch (node->kind) {

    case GQL_NAME:
        gql_print_name(p, n);
        break;

    case GQL_DOCUMENT:
        gql_print_list(p, &((const gql_document_t *) n)->definitions,
                       prompt_str("\n\n"));
        break;

    case GQL_OPERATION_DEFINITION:
        gql_print_operation(p, n);
        break;

    case GQL_VARIABLE_DEFINITION:
        gql_print_variable_definition(p, n);
        break;

    case GQL_SELECTION_SET:
        gql_print_lines(p, '{', &((const gql_selection_set_t *) n)->selections,
                        '}');
        break;

    case GQL_FIELD:
        gql_print_field(p, n);
        break;

    case GQL_ARGUMENT:
        gql_print_pair(p, ((const gql_argument_t *) n)->name,
                       ((const gql_argument_t *) n)->value);
        break;

    case GQL_FRAGMENT_SPREAD:
        gql_print_spread(p, n);
        break;

    case GQL_INLINE_FRAGMENT:
        gql_print_inline_fragment(p, n);
        break;

    case GQL_FRAGMENT_DEFINITION:
        gql_print_fragment(p, n);
        break;

    case GQL_DIRECTIVE:
        gql_print_directive(p, n);
        break;

    case GQL_NAMED_TYPE:
    case GQL_LIST_TYPE:
    case GQL_NON_NULL_TYPE:
        gql_print_type_node(p, n);
        break;

    default:
        if (node->kind >= GQL_SCHEMA_DEFINITION) {
            gql_print_type_system(p, node);

        } else {
            gql_print_value_node(p, n);
        }
    }
}


void
gql_print_document(prompt_buf_t *buf, const gql_node_t *node)
{
    gql_printer_t  p;

    p.buf = buf;
    p.indent = 0;

    gql_print_node(&p, node);
}
