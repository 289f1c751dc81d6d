/*
 * What the SDL rules share: tables that come into being when they are first
 * needed, errors, suggestions, and the directives that a document may use.
 */

#include "graphql/validate/sdl_rules.h"
#include "graphql/types/suggest.h"


/* types that every schema has, in graphql-js's order */
static const prompt_str_t  gql_sdl_builtins[] = {
    prompt_str_init("String"),
    prompt_str_init("Int"),
    prompt_str_init("Float"),
    prompt_str_init("Boolean"),
    prompt_str_init("ID"),
    prompt_str_init("__Schema"),
    prompt_str_init("__Directive"),
    prompt_str_init("__DirectiveLocation"),
    prompt_str_init("__Type"),
    prompt_str_init("__Field"),
    prompt_str_init("__InputValue"),
    prompt_str_init("__EnumValue"),
    prompt_str_init("__TypeKind")
};

#define GQL_SDL_BUILTINS                                                     \
    (sizeof(gql_sdl_builtins) / sizeof(gql_sdl_builtins[0]))

/*
 * Names that all unknown ones together are compared with, in some 50 ms.  A
 * thousand types and five hundred errors have so many; further errors come
 * without a suggestion.
 */
#define GQL_SDL_SUGGESTIONS  500000


void
gql_sdl_nomem(gql_sdl_t *sdl)
{
    sdl->errors->nomem = true;
}


bool
gql_sdl_remember(gql_sdl_t *sdl, gql_table_t **table, prompt_str_t key,
    const void *value)
{
    if (*table == NULL) {
        *table = gql_table_create(sdl->arena, 0);
    }

    /* rules only read what they find again */

    if (*table == NULL || !gql_table_set(*table, key, (void *) value)) {
        gql_sdl_nomem(sdl);
        return false;
    }

    return true;
}


gql_table_t *
gql_sdl_table(gql_sdl_t *sdl, gql_table_t **outer, prompt_str_t key)
{
    gql_table_t  *table;

    table = gql_table_get(*outer, key);
    if (table != NULL) {
        return table;
    }

    table = gql_table_create(sdl->arena, 0);
    if (table == NULL) {
        gql_sdl_nomem(sdl);
        return NULL;
    }

    return gql_sdl_remember(sdl, outer, key, table) ? table : NULL;
}


void
gql_sdl_error_at(gql_sdl_t *sdl, gql_error_t *error, const gql_node_t *a,
    const gql_node_t *b)
{
    gql_error_at(sdl->errors, error, a->start);

    if (b != NULL) {
        gql_error_at(sdl->errors, error, b->start);
    }
}


/* nodes that carry the same name, in the order of the source */
typedef struct gql_sdl_group_s  gql_sdl_group_t;

struct gql_sdl_group_s {
    const gql_name_t   *name;
    gql_sdl_group_t    *same;        /* the next of that name */
    gql_sdl_group_t    *last;        /* the last of that name; of the first */
    gql_sdl_group_t    *next;        /* the first of the next name */
};


static gql_sdl_group_t *
gql_sdl_groups(gql_sdl_t *sdl, const gql_list_t *list,
    const gql_name_t *(*name)(const gql_node_t *node))
{
    gql_node_t        *node;
    gql_table_t       *table;
    gql_sdl_group_t   *items, *item, *first, **tail;

    items = prompt_arena_array(sdl->arena, list->count,
                               sizeof(gql_sdl_group_t));
    if (items == NULL) {
        gql_sdl_nomem(sdl);
        return NULL;
    }

    table = NULL;
    tail = NULL;
    item = items;

    gql_list_each (node, list) {
        item->name = name(node);
        first = gql_table_get(table, item->name->value);

        if (first != NULL) {
            first->last->same = item;
            first->last = item;

        } else {
            if (tail != NULL) {
                *tail = item;
            }

            tail = &item->next;
            item->last = item;

            if (!gql_sdl_remember(sdl, &table, item->name->value, item)) {
                return NULL;
            }
        }

        item++;
    }

    return items;
}


void
gql_sdl_unique(gql_sdl_t *sdl, const gql_list_t *list,
    const gql_name_t *(*name)(const gql_node_t *node),
    gql_error_t *(*report)(gql_sdl_t *sdl, const void *data,
                           const gql_name_t *name),
    const void *data)
{
    gql_error_t      *error;
    gql_sdl_group_t  *group, *item;

    if (list->count < 2) {
        return;
    }

    for (group = gql_sdl_groups(sdl, list, name);
         group != NULL;
         group = group->next)
    {
        if (group->same == NULL) {
            continue;
        }

        error = report(sdl, data, group->name);

        for (item = group; item != NULL; item = item->same) {
            gql_sdl_error_at(sdl, error, &item->name->node, NULL);
        }
    }
}


bool
gql_sdl_is_builtin(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < GQL_SDL_BUILTINS; i++) {
        if (prompt_str_eq(name, gql_sdl_builtins[i])) {
            return true;
        }
    }

    return false;
}


bool
gql_sdl_is_definition(gql_kind_t kind)
{
    return gql_kind_is(kind, GQL_TYPE_DEFINITIONS);
}


bool
gql_sdl_is_extension(gql_kind_t kind)
{
    return kind >= GQL_SCALAR_TYPE_EXTENSION
           && kind <= GQL_INPUT_OBJECT_TYPE_EXTENSION;
}


/*
 * All names of types, each once: those of the standard that are nowhere else,
 * those of the base, those of the document.
 */
static bool
gql_sdl_options(gql_sdl_t *sdl)
{
    size_t                        i, n;
    uint32_t                      nbase;
    gql_node_t                   *node;
    const gql_name_t             *name;
    const gql_type_definition_t  *definition;

    if (sdl->options != NULL) {
        return true;
    }

    nbase = sdl->base != NULL ? sdl->base->ntypes : 0;
    n = GQL_SDL_BUILTINS + (size_t) nbase + sdl->document->definitions.count;

    sdl->options = prompt_arena_array(sdl->arena, n, sizeof(prompt_str_t));
    if (sdl->options == NULL) {
        gql_sdl_nomem(sdl);
        return false;
    }

    n = 0;

    for (i = 0; i < GQL_SDL_BUILTINS; i++) {
        if (gql_table_get(sdl->types, gql_sdl_builtins[i]) == NULL
            && (sdl->base == NULL
                || gql_schema_type(sdl->base, gql_sdl_builtins[i]) == NULL))
        {
            sdl->options[n++] = gql_sdl_builtins[i];
        }
    }

    sdl->nbuiltin = (uint32_t) n;
    sdl->suggestions = GQL_SDL_SUGGESTIONS;

    for (i = 0; i < nbase; i++) {
        sdl->options[n++] = sdl->base->types[i]->name;
    }

    gql_list_each (node, &sdl->document->definitions) {

        if (!gql_sdl_is_definition(node->kind)) {
            continue;
        }

        definition = (const gql_type_definition_t *) node;
        name = definition->name;

        /* of several definitions of one name the table has the last */

        if (gql_table_get(sdl->types, name->value) == definition
            && (sdl->base == NULL
                || gql_schema_type(sdl->base, name->value) == NULL))
        {
            sdl->options[n++] = name->value;
        }
    }

    sdl->noptions = (uint32_t) n;

    return true;
}


prompt_str_t
gql_sdl_suggest_type(gql_sdl_t *sdl, prompt_str_t name, bool builtin)
{
    uint32_t  skip;

    if (!gql_sdl_options(sdl)) {
        return prompt_str("");
    }

    skip = builtin ? 0 : sdl->nbuiltin;

    if (sdl->noptions - skip > sdl->suggestions) {
        return prompt_str("");
    }

    sdl->suggestions -= sdl->noptions - skip;

    return gql_did_you_mean(sdl->errors, sdl->arena, prompt_str_absent, name,
                            sdl->options + skip, sdl->noptions - skip);
}


static gql_sdl_directive_t *
gql_sdl_new_directive(gql_sdl_t *sdl, prompt_str_t name, uint32_t nargs)
{
    gql_sdl_directive_t  *directive;

    directive = prompt_arena_zalloc(sdl->arena, sizeof(gql_sdl_directive_t));
    if (directive == NULL) {
        gql_sdl_nomem(sdl);
        return NULL;
    }

    directive->args = prompt_arena_array(sdl->arena, nargs,
                                         sizeof(gql_sdl_arg_t));
    directive->required = prompt_arena_array(sdl->arena, nargs,
                                             sizeof(gql_sdl_arg_t *));
    directive->table = gql_table_create(sdl->arena, nargs);

    if (directive->args == NULL || directive->required == NULL
        || directive->table == NULL)
    {
        gql_sdl_nomem(sdl);
        return NULL;
    }

    return gql_sdl_remember(sdl, &sdl->directives, name, directive)
           ? directive : NULL;
}


/* The argument of that name, which is new or (wrongly) there already. */
static gql_sdl_arg_t *
gql_sdl_directive_arg(gql_sdl_t *sdl, gql_sdl_directive_t *directive,
    prompt_str_t name)
{
    gql_sdl_arg_t  *arg;

    arg = gql_table_get(directive->table, name);
    if (arg != NULL) {
        return arg;
    }

    arg = &directive->args[directive->nargs++];
    arg->name = name;

    return gql_sdl_remember(sdl, &directive->table, name, arg) ? arg : NULL;
}


static void
gql_sdl_require_arg(gql_sdl_directive_t *directive, gql_sdl_arg_t *arg,
    prompt_str_t type)
{
    if (arg->type.data == NULL) {
        directive->required[directive->nrequired++] = arg;
    }

    arg->type = type;
}


/* A directive of the base, or of the standard. */
static bool
gql_sdl_add_directive(gql_sdl_t *sdl, const gql_directive_def_t *def)
{
    uint32_t              i;
    gql_sdl_arg_t        *arg;
    gql_sdl_directive_t  *directive;

    directive = gql_sdl_new_directive(sdl, def->name, def->nargs);
    if (directive == NULL) {
        return false;
    }

    directive->locations = def->locations;
    directive->repeatable = def->repeatable;

    for (i = 0; i < def->nargs; i++) {
        arg = gql_sdl_directive_arg(sdl, directive, def->args[i].name);
        if (arg == NULL) {
            return false;
        }

        if (def->args[i].type->kind == GQL_REF_NON_NULL
            && def->args[i].default_coerced == NULL)
        {
            gql_sdl_require_arg(directive, arg, def->args[i].type->text);
        }
    }

    return true;
}


/* A directive of the document; it takes the place of one of the same name. */
static bool
gql_sdl_add_definition(gql_sdl_t *sdl, const gql_directive_definition_t *node)
{
    prompt_str_t                         type;
    gql_sdl_arg_t                       *arg;
    const gql_name_t                    *name;
    gql_sdl_directive_t                 *directive;
    gql_directive_location_t             location;
    const gql_input_value_definition_t  *value;

    directive = gql_sdl_new_directive(sdl, node->name->value,
                                      node->arguments.count);
    if (directive == NULL) {
        return false;
    }

    directive->repeatable = node->repeatable;

    gql_list_each (name, &node->locations) {
        location = gql_directive_location(name->value);

        if (location != GQL_ON_COUNT) {
            directive->locations |= 1u << location;
        }
    }

    gql_list_each (value, &node->arguments) {
        arg = gql_sdl_directive_arg(sdl, directive, value->name->value);
        if (arg == NULL) {
            return false;
        }

        if (value->type->node.kind == GQL_NON_NULL_TYPE
            && value->default_value == NULL)
        {
            type = gql_type_text(sdl->arena, value->type);

            if (type.data == NULL) {
                gql_sdl_nomem(sdl);
                return false;
            }

            gql_sdl_require_arg(directive, arg, type);
        }
    }

    return true;
}


bool
gql_sdl_collect(gql_sdl_t *sdl, gql_directive_def_t *const *directives,
    uint32_t ndirectives)
{
    uint32_t           i;
    const gql_node_t  *node;

    for (i = 0; i < ndirectives; i++) {
        if (!gql_sdl_add_directive(sdl, directives[i])) {
            return false;
        }
    }

    gql_list_each (node, &sdl->document->definitions) {

        if (gql_sdl_is_definition(node->kind)
            && !gql_sdl_remember(sdl, &sdl->types,
                        ((const gql_type_definition_t *) node)->name->value,
                        node))
        {
            return false;
        }

        if (node->kind == GQL_DIRECTIVE_DEFINITION
            && !gql_sdl_add_definition(sdl,
                                    (const gql_directive_definition_t *) node))
        {
            return false;
        }
    }

    return true;
}
