/*
 * A schema as C.
 *
 * Each kind of thing is an array: types and directives one of all, the rest
 * one for whom they belong to, with its number in the name (fields_7 are those
 * of types[7]).  Uses of types that are written alike are one.  All of it is
 * constant but for the fields, onto which the embedder hangs what it likes.
 */

#include "graphql/syntax/names.h"
#include "schema/tables.h"


typedef struct {
    FILE                *out;
    prompt_arena_t      *arena;
    const gql_schema_t  *schema;
    gql_names_t          refs;       /* by text; value: gql_type_ref_t */
    unsigned             nvalues;    /* default values so far */
    bool                 nomem;
} tables_t;


static void tables_items(tables_t *t, const prompt_json_t *value, unsigned id);


/* text as C: absent is not the same as empty */
static void
tables_text(const tables_t *t, prompt_str_t s)
{
    size_t         i;
    unsigned char  c;

    if (s.data == NULL) {
        fputs("{ NULL, 0 }", t->out);
        return;
    }

    fputs("{ \"", t->out);

    for (i = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];

        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?') {
            fputc(c, t->out);

        } else {
            fprintf(t->out, "\\%03o", c);
        }
    }

    fprintf(t->out, "\", %zu }", s.len);
}


static void
tables_member(const tables_t *t, const char *name, prompt_str_t s)
{
    if (s.data != NULL) {
        fprintf(t->out, "      .%s = ", name);
        tables_text(t, s);
        fputs(",\n", t->out);
    }
}


static unsigned
tables_type_number(const tables_t *t, const gql_type_t *type)
{
    unsigned  i;

    for (i = 0; t->schema->types[i] != type; i++) {
        /* it is one of them */
    }

    return i;
}


/* uses of types */

static void
tables_know_ref(tables_t *t, const gql_type_ref_t *ref)
{
    gql_name_entry_t  *entry;

    for ( /* void */ ; ref->kind != GQL_REF_NAMED; ref = ref->of) {
        entry = gql_names_add(&t->refs, ref->text);

        if (entry == NULL) {
            t->nomem = true;
            return;
        }

        entry->value = (void *) (uintptr_t) ref;
    }
}


static void
tables_know_args(tables_t *t, const gql_input_value_t *args, uint32_t n)
{
    uint32_t  i;

    for (i = 0; i < n; i++) {
        tables_know_ref(t, args[i].type);
    }
}


static void
tables_know_field(tables_t *t, const gql_field_def_t *field)
{
    tables_know_ref(t, field->type);
    tables_know_args(t, field->args, field->nargs);
}


static void
tables_know_refs(tables_t *t)
{
    uint32_t             i, n;
    const gql_type_t    *type;
    const gql_schema_t  *schema;

    schema = t->schema;

    for (i = 0; i < schema->ntypes; i++) {
        type = schema->types[i];

        for (n = 0; n < type->nfields; n++) {
            tables_know_field(t, &type->fields[n]);
        }

        tables_know_args(t, type->input_fields, type->ninput_fields);
    }

    for (i = 0; i < schema->ndirectives; i++) {
        tables_know_args(t, schema->directives[i]->args,
                         schema->directives[i]->nargs);
    }

    tables_know_field(t, schema->typename_field);
    tables_know_field(t, schema->schema_field);
    tables_know_field(t, schema->type_field);
}


static void
tables_ref(const tables_t *t, const gql_type_ref_t *ref)
{
    if (ref->kind == GQL_REF_NAMED) {
        fprintf(t->out, "&types[%u].ref", tables_type_number(t, ref->type));

    } else {
        fprintf(t->out, "&refs[%u]",
                (unsigned) gql_names_find(&t->refs, ref->text)->id);
    }
}


static void
tables_refs(const tables_t *t)
{
    const gql_type_ref_t    *ref;
    const gql_name_entry_t  *entry;

    fputs("\nstatic const gql_type_ref_t  refs[] = {\n", t->out);

    for (entry = t->refs.first; entry != NULL; entry = entry->next) {
        ref = entry->value;

        fprintf(t->out, "    { %s, NULL, ", ref->kind == GQL_REF_LIST
                                            ? "GQL_REF_LIST"
                                            : "GQL_REF_NON_NULL");
        tables_ref(t, ref->of);
        fputs(", ", t->out);
        tables_text(t, ref->text);
        fputs(" },\n", t->out);
    }

    fputs("};\n", t->out);
}


/* default values */

/* a value whose items, where it has any, are items_ID */
static void
tables_value(const tables_t *t, const prompt_json_t *value, unsigned id)
{
    static const char *const  types[] = {
        "PROMPT_JSON_NULL", "PROMPT_JSON_BOOLEAN", "PROMPT_JSON_NUMBER",
        "PROMPT_JSON_STRING", "PROMPT_JSON_ARRAY", "PROMPT_JSON_OBJECT"
    };

    fprintf(t->out, "    { .type = %s, .boolean = %d, .count = %u,\n",
            types[value->type], value->boolean, (unsigned) value->count);

    tables_member(t, "text", value->text);
    tables_member(t, "name", value->name);

    if (value->count != 0) {
        fprintf(t->out, "      .first = (prompt_json_t *) items_%u,\n"
                "      .last = (prompt_json_t *) &items_%u[%u],\n",
                id, id, (unsigned) value->count - 1);
    }
}


/* items_ID of a list or object, behind those of what is in it */
static void
tables_items(tables_t *t, const prompt_json_t *value, unsigned id)
{
    unsigned              i, first;
    const prompt_json_t  *item;

    if (value->count == 0) {
        return;
    }

    first = t->nvalues;
    t->nvalues += value->count;
    i = first;

    for (item = value->first; item != NULL; item = item->next) {
        tables_items(t, item, i++);
    }

    fprintf(t->out, "\nstatic const prompt_json_t  items_%u[%u] = {\n", id,
            (unsigned) value->count);
    i = first;

    for (item = value->first; item != NULL; item = item->next) {
        tables_value(t, item, i++);

        if (item->next != NULL) {
            fprintf(t->out, "      .next = (prompt_json_t *) &items_%u[%u],\n",
                    id, i - first);
        }

        fputs("    },\n", t->out);
    }

    fputs("};\n", t->out);
}


/* arguments, or fields of an input object, as an array of that name */
static void
tables_inputs(tables_t *t, const char *name, const gql_input_value_t *inputs,
    uint32_t n)
{
    uint32_t  i;
    unsigned  first;

    if (n == 0) {
        return;
    }

    first = t->nvalues;
    t->nvalues += n;

    for (i = 0; i < n; i++) {
        if (inputs[i].default_coerced != NULL) {
            tables_items(t, inputs[i].default_coerced, first + i);

            fprintf(t->out, "\nstatic const prompt_json_t  value_%u[] = {\n",
                    first + i);
            tables_value(t, inputs[i].default_coerced, first + i);
            fputs("    },\n};\n", t->out);
        }
    }

    fprintf(t->out, "\nstatic const gql_input_value_t  %s[] = {\n", name);

    for (i = 0; i < n; i++) {
        fputs("    { .type = ", t->out);
        tables_ref(t, inputs[i].type);
        fputs(",\n", t->out);

        tables_member(t, "name", inputs[i].name);
        tables_member(t, "description", inputs[i].description);
        tables_member(t, "deprecation_reason", inputs[i].deprecation_reason);

        if (inputs[i].default_coerced != NULL) {
            fprintf(t->out, "      .default_coerced = value_%u,\n", first + i);
        }

        fputs("    },\n", t->out);
    }

    fputs("};\n", t->out);
}


/* fields as an array of that name; arguments are name_ARGS_NUMBER */
static void
tables_fields(tables_t *t, const char *name, const gql_field_def_t *fields,
    uint32_t n)
{
    char      args[64];
    uint32_t  i;

    for (i = 0; i < n; i++) {
        (void) snprintf(args, sizeof(args), "%s_args_%u", name, (unsigned) i);
        tables_inputs(t, args, fields[i].args, fields[i].nargs);
    }

    fprintf(t->out, "\nstatic gql_field_def_t  %s[] = {\n", name);

    for (i = 0; i < n; i++) {
        fputs("    { .type = ", t->out);
        tables_ref(t, fields[i].type);
        fputs(",\n", t->out);

        tables_member(t, "name", fields[i].name);
        tables_member(t, "description", fields[i].description);
        tables_member(t, "deprecation_reason", fields[i].deprecation_reason);

        if (fields[i].nargs != 0) {
            fprintf(t->out, "      .args = %s_args_%u, .nargs = %u,\n", name,
                    (unsigned) i, (unsigned) fields[i].nargs);
        }

        if (fields[i].parent != NULL) {
            fprintf(t->out, "      .parent = &types[%u],\n",
                    tables_type_number(t, fields[i].parent));
        }

        fputs("    },\n", t->out);
    }

    fputs("};\n", t->out);
}


static void
tables_enum_values(const tables_t *t, unsigned number, const gql_type_t *type)
{
    uint32_t  i;

    fprintf(t->out, "\nstatic const gql_enum_value_t  values_%u[] = {\n",
            number);

    for (i = 0; i < type->nvalues; i++) {
        fputs("    {\n", t->out);
        tables_member(t, "name", type->values[i].name);
        tables_member(t, "description", type->values[i].description);
        tables_member(t, "deprecation_reason",
                      type->values[i].deprecation_reason);
        fputs("    },\n", t->out);
    }

    fputs("};\n", t->out);
}


/* interfaces, or possible types */
static void
tables_types_of(const tables_t *t, const char *name, unsigned number,
    const gql_type_t *const *types, uint32_t n)
{
    uint32_t  i;

    if (n == 0) {
        return;
    }

    fprintf(t->out, "\nstatic const gql_type_t *const  %s_%u[] = {\n", name,
            number);

    for (i = 0; i < n; i++) {
        fprintf(t->out, "    &types[%u],\n", tables_type_number(t, types[i]));
    }

    fputs("};\n", t->out);
}


/* an index over the elements of an array of that name, which are of base */
static void
tables_index(const tables_t *t, const char *name, const char *of,
    unsigned number, const gql_index_t *index, const void *base, size_t size)
{
    uint32_t  i;

    fprintf(t->out, "\nstatic const prompt_str_t *const  %s_%u[] = {\n", name,
            number);

    for (i = 0; i < index->count; i++) {
        fprintf(t->out, "    &%s_%u[%zu].name,\n", of, number,
                (size_t) ((const char *) index->names[i] - (const char *) base)
                / size);
    }

    fputs("};\n", t->out);
}


static void
tables_index_of_types(const tables_t *t, const char *name,
    const gql_index_t *index)
{
    uint32_t  i;

    fprintf(t->out, "\nstatic const prompt_str_t *const  %s[] = {\n", name);

    for (i = 0; i < index->count; i++) {
        fprintf(t->out, "    &types[%u].name,\n",
                tables_type_number(t, (const gql_type_t *) (const void *)
                                      index->names[i]));
    }

    fputs("};\n", t->out);
}


/* what is in a type */
static void
tables_members(tables_t *t, unsigned number, const gql_type_t *type)
{
    char  name[64];

    tables_types_of(t, "interfaces", number, type->interfaces,
                    type->ninterfaces);
    tables_types_of(t, "possible", number, type->possible, type->npossible);

    switch (type->kind) {

    case GQL_TYPE_OBJECT:
    case GQL_TYPE_INTERFACE:
        (void) snprintf(name, sizeof(name), "fields_%u", number);
        tables_fields(t, name, type->fields, type->nfields);
        tables_index(t, "by_name", "fields", number, &type->by_name,
                     type->fields, sizeof(gql_field_def_t));
        break;

    case GQL_TYPE_ENUM:
        tables_enum_values(t, number, type);
        tables_index(t, "by_name", "values", number, &type->by_name,
                     type->values, sizeof(gql_enum_value_t));
        break;

    case GQL_TYPE_INPUT_OBJECT:
        (void) snprintf(name, sizeof(name), "inputs_%u", number);
        tables_inputs(t, name, type->input_fields, type->ninput_fields);
        tables_index(t, "by_name", "inputs", number, &type->by_name,
                     type->input_fields, sizeof(gql_input_value_t));
        break;

    case GQL_TYPE_UNION:
        (void) snprintf(name, sizeof(name), "by_name_%u", number);
        tables_index_of_types(t, name, &type->by_name);
        break;

    case GQL_TYPE_SCALAR:
        break;
    }
}


static void
tables_count(const tables_t *t, const char *member, const char *array,
    unsigned number, uint32_t n)
{
    if (n != 0) {
        fprintf(t->out, "      .%s = %s_%u, .n%s = %u,\n", member, array,
                number, member, (unsigned) n);
    }
}


static void
tables_type(const tables_t *t, unsigned number, const gql_type_t *type)
{
    static const char *const  kinds[] = {
        "SCALAR", "OBJECT", "INTERFACE", "UNION", "ENUM", "INPUT_OBJECT"
    };

    static const char *const  scalars[] = {
        "CUSTOM", "INT", "FLOAT", "STRING", "BOOLEAN", "ID"
    };

    fprintf(t->out, "    { .kind = GQL_TYPE_%s,\n", kinds[type->kind]);

    tables_member(t, "name", type->name);
    tables_member(t, "description", type->description);
    tables_member(t, "specified_by_url", type->specified_by_url);

    fprintf(t->out, "      .introspection = %d, .one_of = %d,"
            " .scalar = GQL_SCALAR_%s,\n", type->introspection, type->one_of,
            scalars[type->scalar]);

    tables_count(t, "fields", "fields", number, type->nfields);
    tables_count(t, "interfaces", "interfaces", number, type->ninterfaces);
    tables_count(t, "possible", "possible", number, type->npossible);
    tables_count(t, "values", "values", number, type->nvalues);
    tables_count(t, "input_fields", "inputs", number, type->ninput_fields);

    fprintf(t->out, "      .ref = { GQL_REF_NAMED, &types[%u], NULL, ",
            number);
    tables_text(t, type->name);
    fputs(" },\n", t->out);

    if (type->by_name.count != 0) {
        fprintf(t->out, "      .by_name = { by_name_%u, %u },\n", number,
                (unsigned) type->by_name.count);
    }

    fputs("    },\n", t->out);
}


/* directives, and the places where they may stand */

static void
tables_directive(const tables_t *t, unsigned number,
    const gql_directive_def_t *directive)
{
    fprintf(t->out, "    { .repeatable = %d, .locations = %#x,\n",
            directive->repeatable, (unsigned) directive->locations);

    tables_member(t, "name", directive->name);
    tables_member(t, "description", directive->description);

    fprintf(t->out, "      .location_names = locations_%u, .nlocations = %u,\n",
            number, (unsigned) directive->nlocations);
    tables_count(t, "args", "directive_args", number, directive->nargs);

    fputs("    },\n", t->out);
}


static unsigned
tables_directive_number(const tables_t *t, const void *directive)
{
    unsigned  i;

    for (i = 0; t->schema->directives[i] != directive; i++) {
        /* it is one of them */
    }

    return i;
}


static void
tables_directives(tables_t *t)
{
    char                        name[64];
    uint32_t                    i, n;
    const gql_directive_def_t  *directive;

    for (i = 0; i < t->schema->ndirectives; i++) {
        directive = t->schema->directives[i];

        (void) snprintf(name, sizeof(name), "directive_args_%u", (unsigned) i);
        tables_inputs(t, name, directive->args, directive->nargs);

        fprintf(t->out, "\nstatic const prompt_str_t  locations_%u[] = {\n",
                (unsigned) i);

        for (n = 0; n < directive->nlocations; n++) {
            fputs("    ", t->out);
            tables_text(t, directive->location_names[n]);
            fputs(",\n", t->out);
        }

        fputs("};\n", t->out);
    }

    fputs("\nstatic const gql_directive_def_t  directives[] = {\n", t->out);

    for (i = 0; i < t->schema->ndirectives; i++) {
        tables_directive(t, i, t->schema->directives[i]);
    }

    fputs("};\n\nstatic const gql_directive_def_t *const"
          "  directives_0[] = {\n", t->out);

    for (i = 0; i < t->schema->ndirectives; i++) {
        fprintf(t->out, "    &directives[%u],\n", (unsigned) i);
    }

    fputs("};\n\nstatic const prompt_str_t *const"
          "  directives_by_name[] = {\n", t->out);

    for (i = 0; i < t->schema->ndirectives; i++) {
        fprintf(t->out, "    &directives[%u].name,\n",
                tables_directive_number(t,
                                t->schema->directives_by_name.names[i]));
    }

    fputs("};\n", t->out);
}


static void
tables_root(const tables_t *t, const char *name, const gql_type_t *type)
{
    if (type != NULL) {
        fprintf(t->out, "    .%s = &types[%u],\n", name,
                tables_type_number(t, type));
    }
}


static void
tables_schema(const tables_t *t, const char *symbol)
{
    const gql_schema_t  *schema;

    schema = t->schema;

    fprintf(t->out, "\nconst gql_schema_t  %s = {\n", symbol);

    tables_member(t, "description", schema->description);
    tables_root(t, "query", schema->query);
    tables_root(t, "mutation", schema->mutation);
    tables_root(t, "subscription", schema->subscription);

    fprintf(t->out,
            "    .types = types_0, .ntypes = %u,\n"
            "    .directives = directives_0, .ndirectives = %u,\n"
            "    .by_name = { types_by_name, %u },\n"
            "    .directives_by_name = { directives_by_name, %u },\n"
            "    .typename_field = typename_field,\n"
            "    .schema_field = schema_field,\n"
            "    .type_field = type_field,\n"
            "    .skip = &directives[%u],\n"
            "    .include = &directives[%u],\n"
            "};\n",
            (unsigned) schema->ntypes, (unsigned) schema->ndirectives,
            (unsigned) schema->by_name.count,
            (unsigned) schema->directives_by_name.count,
            tables_directive_number(t, schema->skip),
            tables_directive_number(t, schema->include));
}


bool
tables_write(FILE *out, prompt_arena_t *arena, const gql_schema_t *schema,
    const char *symbol, const char *header)
{
    uint32_t  i;
    tables_t  t;

    t.out = out;
    t.arena = arena;
    t.schema = schema;
    t.nvalues = 0;
    t.nomem = false;

    gql_names_init(&t.refs, arena);
    tables_know_refs(&t);

    if (t.nomem) {
        return false;
    }

    fprintf(out, "/* made by tools/schema: do not edit */\n\n"
            "#include \"%s\"\n\n\n"
            "static const gql_type_t      types[%u];\n"
            "static const gql_type_ref_t  refs[%u];\n",
            header, (unsigned) schema->ntypes, (unsigned) t.refs.count);

    for (i = 0; i < schema->ntypes; i++) {
        tables_members(&t, i, schema->types[i]);
    }

    tables_fields(&t, "typename_field", schema->typename_field, 1);
    tables_fields(&t, "schema_field", schema->schema_field, 1);
    tables_fields(&t, "type_field", schema->type_field, 1);

    tables_directives(&t);
    tables_refs(&t);

    fprintf(out, "\nstatic const gql_type_t  types[%u] = {\n",
            (unsigned) schema->ntypes);

    for (i = 0; i < schema->ntypes; i++) {
        tables_type(&t, i, schema->types[i]);
    }

    fputs("};\n", out);

    tables_types_of(&t, "types", 0, schema->types, schema->ntypes);
    tables_index_of_types(&t, "types_by_name", &schema->by_name);
    tables_schema(&t, symbol);

    return true;
}
