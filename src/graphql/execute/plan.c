/*
 * Plans: an operation with its fields collected and merged, as CollectFields
 * and CollectSubfields (specification 6.3.2) do it anew for every object.
 *
 * Collecting works on two stacks, of response keys and of field nodes: a
 * selection pushes what it finds, becomes fields of the plan, lets its fields
 * compile their own selections above, and pops.
 */

#include "graphql/execute/introspect.h"
#include "graphql/execute/plan_impl.h"
#include "graphql/values/values.h"

#include <stdlib.h>


/*
 * Selections looked at, and response keys looked up: in proportion to the
 * document up to a maximum, which takes some milliseconds.
 */
#define GQL_PLAN_WORK_MIN        10000
#define GQL_PLAN_WORK_PER_TOKEN  100
#define GQL_PLAN_WORK_MAX        2000000


static bool gql_planner_init(gql_planner_t *p);
static bool gql_planner_refuse(gql_planner_t *p, const char *message);
static gql_plan_selection_t *gql_plan_root(gql_planner_t *p);
static gql_plan_selection_t *gql_plan_select(gql_planner_t *p,
    const gql_type_t *type, const gql_plan_field_t *parent, uint32_t nodes,
    unsigned depth);
static bool gql_plan_build(gql_planner_t *p, gql_plan_selection_t *selection,
    const gql_plan_field_t *parent, uint32_t base, unsigned depth);
static bool gql_plan_field_init(gql_planner_t *p, gql_plan_field_t *field,
    const gql_plan_entry_t *entry);
static bool gql_plan_field_arguments(gql_planner_t *p,
    gql_plan_field_t *field);
static bool gql_plan_field_selections(gql_planner_t *p,
    gql_plan_field_t *field, uint32_t nodes, unsigned depth);
static bool gql_value_has_variable(const gql_value_t *value);


/* arguments of a field that takes none */
static const prompt_json_t  gql_plan_no_arguments = {
    .type = PROMPT_JSON_OBJECT
};


gql_plan_t *
gql_plan_compile(prompt_arena_t *arena, const gql_schema_t *schema,
    const gql_document_t *document,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    gql_plan_t     *plan;
    gql_planner_t   p;

    plan = prompt_arena_zalloc(arena, sizeof(gql_plan_t));
    if (plan == NULL) {
        errors->nomem = true;
        return NULL;
    }

    plan->arena = arena;
    plan->schema = schema;
    plan->document = document;
    plan->operation = operation;

    memset(&p, 0, sizeof(p));
    p.plan = plan;
    p.variables = variables;
    p.errors = errors;

    if (gql_planner_init(&p)) {
        plan->root = gql_plan_root(&p);
    }

    prompt_arena_destroy(p.scratch);
    free(p.entries);
    free(p.nodes);

    return plan->root != NULL ? plan : NULL;
}


const gql_plan_selection_t *
gql_plan_selection(const gql_plan_field_t *field, const gql_type_t *type)
{
    uint32_t  i;

    for (i = 0; i < field->nselections; i++) {
        if (field->selections[i]->type == type) {
            return field->selections[i];
        }
    }

    return NULL;
}


static bool
gql_planner_init(gql_planner_t *p)
{
    const gql_document_t  *document;

    document = p->plan->document;

    p->work = GQL_PLAN_WORK_MIN
              + (uint64_t) document->tokens * GQL_PLAN_WORK_PER_TOKEN;

    if (p->work > GQL_PLAN_WORK_MAX) {
        p->work = GQL_PLAN_WORK_MAX;
    }

    /* what is taken is in proportion to the document */

    p->scratch = prompt_arena_create(SIZE_MAX);
    if (p->scratch == NULL) {
        return gql_planner_nomem(p);
    }

    gql_names_init(&p->keys, p->scratch);

    if (document->nfragments == 0) {
        return true;
    }

    p->visited = prompt_arena_array(p->scratch, document->nfragments,
                                    sizeof(uint32_t));

    return p->visited != NULL || gql_planner_nomem(p);
}


bool
gql_planner_nomem(gql_planner_t *p)
{
    p->errors->nomem = true;
    p->failed = true;

    return false;
}


bool
gql_planner_too_deep(gql_planner_t *p, const char *what, unsigned max)
{
    prompt_str_t  message;

    message = prompt_arena_printf(p->scratch, "Operation is nested too deeply:"
                                  " %s more than %u deep.", what, max);

    return message.data != NULL ? gql_planner_refuse(p, message.data)
                                : gql_planner_nomem(p);
}


static bool
gql_planner_refuse(gql_planner_t *p, const char *message)
{
    gql_error_t  *error;

    if (!p->failed) {
        error = gql_errors_add(p->errors, "%s", message);
        gql_error_at(p->errors, error, p->plan->operation->node.start);
    }

    p->failed = true;

    return false;
}


bool
gql_planner_spend(gql_planner_t *p, unsigned cost)
{
    if (p->work < cost) {
        return gql_planner_refuse(p, "Operation is too complex: its fragments "
                                  "multiply each other.");
    }

    p->work -= cost;

    return true;
}


void *
gql_planner_grow(gql_planner_t *p, void *array, uint32_t n, uint32_t *max,
    size_t size)
{
    void      *bigger;
    uint32_t   want;

    if (n < *max) {
        return array;
    }

    want = *max != 0 ? *max * 2 : 64;

    bigger = want > *max ? realloc(array, want * size) : NULL;
    if (bigger == NULL) {
        free(array);
        *max = 0;
        gql_planner_nomem(p);
        return NULL;
    }

    *max = want;

    return bigger;
}


static gql_plan_selection_t *
gql_plan_root(gql_planner_t *p)
{
    gql_field_t                        root;
    const gql_type_t                  *type;
    gql_error_t                       *error;
    gql_errors_t                       errors;
    gql_plan_selection_t              *selection;
    const gql_operation_definition_t  *operation;

    static const char *const  names[] = { "query", "mutation",
                                          "subscription" };

    operation = p->plan->operation;
    type = gql_schema_root(p->plan->schema, operation->operation);

    if (type == NULL) {
        selection = prompt_arena_zalloc(p->plan->arena,
                                        sizeof(gql_plan_selection_t));
        if (selection == NULL) {
            gql_planner_nomem(p);
            return NULL;
        }

        gql_errors_init(&errors, p->plan->arena, p->plan->document->source, 0);
        error = gql_errors_add(&errors, "Schema is not configured to execute "
                               "%s operation.", names[operation->operation]);
        gql_error_at(&errors, error, operation->node.start);
        selection->invalid = error;

        if (error == NULL) {
            gql_planner_nomem(p);
            return NULL;
        }

        error->of_request = true;

        return selection;
    }

    /* the operation as if it were a field, which lives while this runs */

    memset(&root, 0, sizeof(root));
    root.selection_set = operation->selection_set;

    p->nodes = gql_planner_grow(p, p->nodes, 0, &p->max_nodes,
                                sizeof(gql_plan_node_t));
    if (p->nodes == NULL) {
        return NULL;
    }

    p->nodes[0].field = &root;
    p->nodes[0].next = GQL_PLAN_NONE;
    p->nnodes = 1;

    return gql_plan_select(p, type, NULL, 0, 0);
}


/*
 * The selection that a list of nodes makes on an object type; NULL with
 * p->failed.
 */
static gql_plan_selection_t *
gql_plan_select(gql_planner_t *p, const gql_type_t *type,
    const gql_plan_field_t *parent, uint32_t nodes, unsigned depth)
{
    bool                        ok;
    uint32_t                    i, base_entries, base_nodes;
    gql_plan_selection_t       *selection;
    const gql_selection_set_t  *set;

    if (depth >= GQL_PLAN_MAX_DEPTH) {
        (void) gql_planner_too_deep(p, "fields", GQL_PLAN_MAX_DEPTH);
        return NULL;
    }

    if (!gql_planner_spend(p, 1)) {
        return NULL;
    }

    selection = prompt_arena_zalloc(p->plan->arena,
                                    sizeof(gql_plan_selection_t));
    if (selection == NULL) {
        gql_planner_nomem(p);
        return NULL;
    }

    selection->type = type;

    base_entries = p->nentries;
    base_nodes = p->nnodes;

    p->collection++;
    p->invalid = NULL;

    for (i = nodes; i != GQL_PLAN_NONE; i = p->nodes[i].next) {
        set = p->nodes[i].field->selection_set;

        if (set != NULL && !gql_plan_collect(p, type, set, base_entries, 0)) {
            break;
        }
    }

    if (p->invalid != NULL) {
        selection->invalid = p->invalid;
        p->invalid = NULL;
        ok = true;

    } else {
        ok = !p->failed
             && gql_plan_build(p, selection, parent, base_entries, depth);
    }

    p->nentries = base_entries;
    p->nnodes = base_nodes;

    return ok ? selection : NULL;
}


/* Makes fields of the entries from base on. */
static bool
gql_plan_build(gql_planner_t *p, gql_plan_selection_t *selection,
    const gql_plan_field_t *parent, uint32_t base, unsigned depth)
{
    uint32_t           i, n;
    gql_plan_field_t  *field;

    n = p->nentries - base;

    selection->fields = prompt_arena_array(p->plan->arena, n,
                                           sizeof(gql_plan_field_t));
    if (selection->fields == NULL) {
        return gql_planner_nomem(p);
    }

    for (i = base; i < base + n; i++) {
        field = &selection->fields[selection->nfields];
        field->owner = selection->type;
        field->parent = parent;

        if (!gql_plan_field_init(p, field, &p->entries[i])) {
            return false;
        }

        /* what the type does not have is left out, as graphql-js does */

        if (field->def != NULL) {
            p->entries[base + selection->nfields] = p->entries[i];
            selection->nfields++;
        }
    }

    for (i = 0; i < selection->nfields; i++) {
        if (!gql_plan_field_selections(p, &selection->fields[i],
                                       p->entries[base + i].first, depth + 1))
        {
            return false;
        }
    }

    return true;
}


static bool
gql_plan_field_init(gql_planner_t *p, gql_plan_field_t *field,
    const gql_plan_entry_t *entry)
{
    char                *text;
    uint32_t             i;
    prompt_str_t         name;
    const gql_schema_t  *schema;

    schema = p->plan->schema;

    field->node = p->nodes[entry->first].field;
    name = field->node->name->value;

    field->def = gql_schema_field(schema, field->owner, name);

    if (field->def == NULL) {
        return true;
    }

    field->key = entry->key;
    field->id = p->plan->nfields++;

    text = prompt_arena_alloc(p->plan->arena, entry->key.len + 4);
    field->offsets = prompt_arena_array(p->plan->arena, entry->count,
                                        sizeof(uint32_t));

    if (text == NULL || field->offsets == NULL) {
        return gql_planner_nomem(p);
    }

    text[0] = ',';
    text[1] = '"';
    memcpy(text + 2, entry->key.data, entry->key.len);
    text[entry->key.len + 2] = '"';
    text[entry->key.len + 3] = ':';

    field->json_key = prompt_str_of(text + 1, entry->key.len + 3);

    for (i = entry->first; i != GQL_PLAN_NONE; i = p->nodes[i].next) {
        field->offsets[field->noffsets++] = p->nodes[i].field->node.start;
    }

    if (field->def == schema->typename_field) {
        field->kind = GQL_PLAN_TYPENAME;

    } else if (field->def == schema->schema_field
               || field->def == schema->type_field)
    {
        field->kind = GQL_PLAN_SCHEMA;

    } else if (field->owner->introspection) {
        field->kind = GQL_PLAN_INTROSPECTION;
        field->introspect = gql_introspect_bind(field->def);
    }

    return gql_plan_field_arguments(p, field);
}


static bool
gql_plan_field_arguments(gql_planner_t *p, gql_plan_field_t *field)
{
    gql_errors_t           errors;
    const gql_argument_t  *argument;

    if (field->def->nargs == 0) {
        field->arguments = &gql_plan_no_arguments;
        return true;
    }

    gql_list_each (argument, &field->node->arguments) {
        if (gql_value_has_variable(argument->value)) {
            return true;
        }
    }

    /* whoever executes the field finds the same error again */

    gql_errors_init(&errors, p->plan->arena, p->plan->document->source, 0);

    field->arguments = gql_coerce_arguments(p->plan->arena, field->def->args,
                                            field->def->nargs,
                                            &field->node->node,
                                            &field->node->arguments, NULL,
                                            &errors);

    return errors.nomem ? gql_planner_nomem(p) : true;
}


static bool
gql_plan_field_selections(gql_planner_t *p, gql_plan_field_t *field,
    uint32_t nodes, unsigned depth)
{
    uint32_t           i;
    const gql_type_t  *type;

    type = gql_ref_named(field->def->type);

    if (!gql_type_is_composite(type)) {
        return true;
    }

    field->selections = prompt_arena_array(p->plan->arena, type->npossible,
                                           sizeof(gql_plan_selection_t *));
    if (field->selections == NULL) {
        return gql_planner_nomem(p);
    }

    for (i = 0; i < type->npossible; i++) {
        field->selections[i] = gql_plan_select(p, type->possible[i], field,
                                               nodes, depth);
        if (field->selections[i] == NULL) {
            return false;
        }

        field->nselections++;
    }

    return true;
}


/* recursion is bounded by the parser */
static bool
gql_value_has_variable(const gql_value_t *value)
{
    const gql_node_t  *item;

    gql_list_each (item, &value->items) {
        if (gql_value_has_variable(item->kind == GQL_OBJECT_FIELD
                                   ? ((const gql_object_field_t *) item)->value
                                   : (const gql_value_t *) item))
        {
            return true;
        }
    }

    return value->node.kind == GQL_VARIABLE;
}
