/*
 * Binding: which code implements which field of the schema.
 *
 * A field definition points to its entry in the tables, so that neither the
 * compiler of plans nor the resolver looks anything up by name.
 */

#include "service/frame/service.h"


/* longest name of a type of the schema's, and "Input" behind it */
#define NGX_HTTP_PROMPT_TYPE_NAME_MAX  128


static ngx_int_t ngx_http_prompt_bind_table(const gql_schema_t *schema,
    ngx_http_prompt_field_t *fields, ngx_log_t *log);
static ngx_int_t ngx_http_prompt_bind_check(const gql_schema_t *schema,
    ngx_log_t *log);
static const char *ngx_http_prompt_bind_open(const gql_schema_t *schema,
    const gql_type_t *type, const gql_field_def_t *def);
static bool ngx_http_prompt_bind_is_input(const gql_schema_t *schema,
    const ngx_http_prompt_field_t *field);
static ngx_uint_t ngx_http_prompt_selection_scopes(
    const gql_plan_selection_t *selection, ngx_uint_t has);
static void ngx_http_prompt_resolve_field(gql_execution_t *execution,
    void *data, const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out);
static void ngx_http_prompt_resolve_item(gql_execution_t *execution,
    void *data, const gql_plan_field_t *field, void *handle, uint32_t index,
    gql_result_t *out);
static void ngx_http_prompt_resolve_written(void *data,
    const gql_plan_field_t *field, void *handle, prompt_str_t text);


const gql_resolver_t  ngx_http_prompt_resolver = {
    ngx_http_prompt_resolve_field,
    ngx_http_prompt_resolve_item,
    ngx_http_prompt_resolve_written
};


ngx_int_t
ngx_http_prompt_service_bind(const gql_schema_t *schema,
    ngx_http_prompt_field_t *const *tables, ngx_log_t *log)
{
    ngx_http_prompt_field_t *const  *table;

    for (table = tables; *table != NULL; table++) {
        if (ngx_http_prompt_bind_table(schema, *table, log) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return ngx_http_prompt_bind_check(schema, log);
}


static ngx_int_t
ngx_http_prompt_bind_table(const gql_schema_t *schema,
    ngx_http_prompt_field_t *fields, ngx_log_t *log)
{
    const gql_type_t         *type;
    gql_field_def_t          *def;
    ngx_http_prompt_field_t  *field;

    for (field = fields; field->type != NULL; field++) {

        type = gql_schema_type(schema, prompt_str_from(field->type));
        def = type != NULL
              ? gql_type_field(type, prompt_str_from(field->name)) : NULL;

        if (def == NULL) {
            ngx_log_error(NGX_LOG_EMERG, log, 0,
                          "schema.graphql lacks the field \"%s.%s\" that the "
                          "module implements", field->type, field->name);
            return NGX_ERROR;
        }

        def->data = field;

        if (field->resource == NULL) {
            continue;
        }

        field->column = prompt_column_at(field->resource, field->offset);

        if (field->column == NULL) {
            ngx_log_error(NGX_LOG_EMERG, log, 0,
                          "the store has no column for the field \"%s.%s\"",
                          field->type, field->name);
            return NGX_ERROR;
        }

        if (field->resolve == NULL) {
            ngx_http_prompt_slot_bind(field);
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_bind_check(const gql_schema_t *schema, ngx_log_t *log)
{
    uint32_t           i, n;
    const char        *open;
    const gql_type_t  *type;

    for (i = 0; i < schema->ntypes; i++) {
        type = schema->types[i];

        if (type->kind != GQL_TYPE_OBJECT || type->introspection) {
            continue;
        }

        for (n = 0; n < type->nfields; n++) {
            if (type->fields[n].data == NULL) {
                ngx_log_error(NGX_LOG_EMERG, log, 0,
                              "the field \"%*s.%*s\" of schema.graphql is not "
                              "implemented by the module",
                              type->name.len, type->name.data,
                              type->fields[n].name.len,
                              type->fields[n].name.data);
                return NGX_ERROR;
            }

            open = ngx_http_prompt_bind_open(schema, type, &type->fields[n]);

            if (open != NULL) {
                ngx_log_error(NGX_LOG_EMERG, log, 0,
                              "the entry of the field \"%*s.%*s\" in the "
                              "module has no %s",
                              type->name.len, type->name.data,
                              type->fields[n].name.len,
                              type->fields[n].name.data, open);
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


/*
 * What an entry leaves open and must not: NULL, or its name.  Nothing is
 * allowed, unbounded or called because somebody forgot to write a line.
 */
static const char *
ngx_http_prompt_bind_open(const gql_schema_t *schema, const gql_type_t *type,
    const gql_field_def_t *def)
{
    const gql_type_t               *named;
    const ngx_http_prompt_field_t  *field;

    field = def->data;
    named = gql_ref_named(def->type);

    if (type == schema->query || type == schema->mutation
        || type == schema->subscription)
    {
        if (field->scope == 0) {
            return "scope: who may ask for it (PROMPT_KEY_SCOPE_...)";
        }

        if (field->compile == NULL && named->kind == GQL_TYPE_OBJECT) {
            return "compile: what its selection reads"
                   " (ngx_http_prompt_compile_whole where that is all)";
        }

        return field->start != NULL ? NULL : "start";
    }

    if (field->scope == 0 && named->kind == GQL_TYPE_OBJECT) {
        return "scope: who may look below it (PROMPT_KEY_SCOPE_ANY: who may ask"
               " for what it stands in)";
    }

    if (field->resolve == NULL) {
        return "resolve, and no column of the store";
    }

    if (field->column == NULL) {
        return NULL;
    }

    if ((field->column->flags & (PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE))
        == 0
        && ngx_http_prompt_bind_is_input(schema, field))
    {
        return "place for what an input gives: its column is neither"
               " PROMPT_COLUMN_CREATE nor ..._CHANGE";
    }

    if (!prompt_column_is_long(field->column)) {
        return NULL;
    }

    if ((field->column->flags & (PROMPT_COLUMN_LARGE|PROMPT_COLUMN_SHORT)) == 0)
    {
        return "bound: its column is neither PROMPT_COLUMN_LARGE nor ..._SHORT";
    }

    if (field->check == NULL && named->kind != GQL_TYPE_ENUM
        && ngx_http_prompt_bind_is_input(schema, field))
    {
        return "check: how long an input may make it";
    }

    return NULL;
}


/*
 * Whether an input of its type has it: "tags" of a Prompt, say, in
 * CreatePromptInput, ImportPromptInput or any other ...PromptInput.
 */
static bool
ngx_http_prompt_bind_is_input(const gql_schema_t *schema,
    const ngx_http_prompt_field_t *field)
{
    u_char             end[NGX_HTTP_PROMPT_TYPE_NAME_MAX];
    size_t             len;
    uint32_t           i;
    const gql_type_t  *type;

    len = (size_t) (ngx_snprintf(end, sizeof(end), "%sInput", field->type)
                    - end);

    for (i = 0; i < schema->ntypes; i++) {
        type = schema->types[i];

        if (type->kind == GQL_TYPE_INPUT_OBJECT && type->name.len >= len
            && ngx_memcmp(type->name.data + type->name.len - len, end, len) == 0
            && gql_type_input_field(type, prompt_str_from(field->name)))
        {
            return true;
        }
    }

    return false;
}


bool
ngx_http_prompt_compile_whole(gql_plan_t *plan, gql_plan_field_t *field)
{
    return true;
}


bool
ngx_http_prompt_service_compile(void *data, gql_plan_t *plan)
{
    uint32_t                        i;
    gql_plan_field_t               *field;
    const ngx_http_prompt_field_t  *entry;

    for (i = 0; i < plan->root->nfields; i++) {
        field = &plan->root->fields[i];

        if (gql_field_is_meta(field)) {
            continue;
        }

        entry = field->def->data;

        if (entry->compile != NULL && !entry->compile(plan, field)) {
            return false;
        }
    }

    return true;
}


ngx_uint_t
ngx_http_prompt_service_scopes(const gql_plan_t *plan, ngx_uint_t has)
{
    return ngx_http_prompt_selection_scopes(plan->root, has)
           & ~(ngx_uint_t) PROMPT_KEY_SCOPE_ANY;
}


/* Calls itself as deep as a plan is nested (GQL_PLAN_MAX_DEPTH). */
static ngx_uint_t
ngx_http_prompt_selection_scopes(const gql_plan_selection_t *selection,
    ngx_uint_t has)
{
    uint32_t    i;
    ngx_uint_t  scopes;

    scopes = 0;

    for (i = 0; i < selection->nfields; i++) {
        scopes |= ngx_http_prompt_field_scopes(&selection->fields[i], has);
    }

    return scopes;
}


ngx_uint_t
ngx_http_prompt_field_scopes(const gql_plan_field_t *field, ngx_uint_t has)
{
    uint32_t                        n;
    ngx_uint_t                      scopes;
    const ngx_http_prompt_field_t  *entry;

    if (gql_field_is_meta(field)) {
        return 0;
    }

    entry = field->def->data;
    scopes = (entry->scope & ~has) != 0 && (entry->own & has) != 0
             ? entry->own : entry->scope;

    for (n = 0; n < field->nselections; n++) {
        scopes |= ngx_http_prompt_selection_scopes(field->selections[n], has);
    }

    return scopes;
}


static void
ngx_http_prompt_resolve_field(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out)
{
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;
    entry->resolve(data, parent, field, out);
}


static void
ngx_http_prompt_resolve_item(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *handle, uint32_t index,
    gql_result_t *out)
{
    char                           *element;
    ngx_http_prompt_list_t         *list = handle;
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;

    if (entry->resolve == ngx_http_prompt_slot_objects
        || entry->resolve == ngx_http_prompt_slot_member_objects
        || (entry->column != NULL
            && entry->column->kind == PROMPT_KIND_OBJECTS))
    {
        prompt_objects_next(handle);

        ngx_http_prompt_result_object(handle, out);
        return;
    }

    if (entry->column != NULL) {
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_texts_item(handle, index);
        return;
    }

    element = list->item != NULL ? list->item(list)
                                 : list->first + index * list->size;

    if (list->strings) {
        out->kind = GQL_RESULT_STRING;
        out->u.text = *(prompt_str_t *) element;
        return;
    }

    ngx_http_prompt_result_object(element, out);
}


static void
ngx_http_prompt_resolve_written(void *data, const gql_plan_field_t *field,
    void *handle, prompt_str_t text)
{
    ngx_http_prompt_list_t  *list = handle;

    list->written(list, field, text);
}
