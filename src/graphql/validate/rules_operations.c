/*
 * Rules on operations (specification, 5.2): LoneAnonymousOperation,
 * SingleFieldSubscriptions.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Lone Anonymous Operation
 * https://spec.graphql.org/September2025/#sec-Lone-Anonymous-Operation
 *
 *     good:  { a }
 *     bad:   { a }  query B { b }
 */
static bool
lone_anonymous_operation_document(gql_validation_t *v, const gql_node_t *node)
{
    uint32_t          *count;
    const gql_node_t  *definition;

    count = v->state;

    gql_list_each(definition, &((const gql_document_t *) node)->definitions) {
        if (definition->kind == GQL_OPERATION_DEFINITION) {
            (*count)++;
        }
    }

    return true;
}


static bool
lone_anonymous_operation_operation(gql_validation_t *v, const gql_node_t *node)
{
    const uint32_t  *count;

    count = v->state;

    if (((const gql_operation_definition_t *) node)->name == NULL
        && *count > 1)
    {
        gql_refuse_at(v, node, "This anonymous operation must be the only "
                               "defined operation.");
    }

    return true;
}


const gql_rule_t  gql_rule_lone_anonymous_operation = {
    .state_size = sizeof(uint32_t),
    .hooks = {
        { gql_kind_bit(GQL_DOCUMENT), lone_anonymous_operation_document,
          NULL },
        { gql_kind_bit(GQL_OPERATION_DEFINITION),
          lone_anonymous_operation_operation, NULL },
    }
};


/*
 * Single Root Field
 * https://spec.graphql.org/September2025/#sec-Single-Root-Field
 *
 *     good:  subscription { newMessage { body } }
 *     bad:   subscription { newMessage { body } disallowed }
 *
 * Fields are collected as for execution without variables.  A condition of
 * @skip or @include that cannot be evaluated so, be it for a variable, is the
 * only error of the document then: graphql-js throws there.
 */

typedef struct subscribed_s  subscribed_t;

/* a field node, in a list for its response key */
struct subscribed_s {
    const gql_field_t  *field;
    subscribed_t       *next;
};


typedef struct {
    subscribed_t       *first;
    subscribed_t       *last;
} subscribed_key_t;


typedef struct {
    gql_validation_t   *v;
    const gql_type_t   *type;
    gql_names_t         keys;        /* value: subscribed_key_t */
    uint32_t            mark;        /* of fragments that were looked at */
    uint32_t            total;
} subscription_t;


static bool subscription_includes(subscription_t *s, const gql_node_t *node);
static bool subscription_condition(subscription_t *s,
    const gql_list_t *directives, prompt_str_t name, bool otherwise);
static bool subscription_evaluate(subscription_t *s,
    const gql_directive_t *directive);
static bool subscription_collect(subscription_t *s,
    const gql_selection_set_t *set);
static bool subscription_pay(subscription_t *s,
    const gql_selection_set_t *set);
static bool subscription_field(subscription_t *s, const gql_field_t *field);
static bool subscription_spread(subscription_t *s,
    const gql_fragment_spread_t *spread);
static void subscription_report(subscription_t *s,
    const gql_operation_definition_t *operation);
static void subscription_report_nodes(subscription_t *s,
    const gql_operation_definition_t *operation,
    const gql_name_entry_t *first, bool all, const char *what);


static bool
subscription_includes(subscription_t *s, const gql_node_t *node)
{
    const gql_list_t  *directives;

    directives = gql_node_directives(node);

    return !subscription_condition(s, directives, prompt_str("skip"), false)
           && subscription_condition(s, directives, prompt_str("include"),
                                     true);
}


/* what the first directive of that name says; otherwise where there is none */
static bool
subscription_condition(subscription_t *s, const gql_list_t *directives,
    prompt_str_t name, bool otherwise)
{
    const gql_directive_t  *directive;

    gql_list_each(directive, directives) {
        if (prompt_str_eq(directive->name->value, name)) {
            return subscription_evaluate(s, directive);
        }
    }

    return otherwise;
}


/* CoerceArgumentValues of "if: Boolean!" without variables */
static bool
subscription_evaluate(subscription_t *s, const gql_directive_t *directive)
{
    prompt_str_t        text;
    const gql_value_t  *value;

    value = gql_argument_value(&directive->arguments, prompt_str("if"));

    if (value == NULL) {
        gql_refuse_all(s->v, directive->node.start,
                       "Argument \"if\" of required type \"Boolean!\" was "
                       "not provided.");
        return false;
    }

    switch (value->node.kind) {

    case GQL_BOOLEAN:
        return value->boolean;

    case GQL_VARIABLE:
        gql_refuse_all(s->v, value->node.start,
                       "Argument \"if\" of required type \"Boolean!\" was "
                       "provided the variable \"$%.*s\" which was not "
                       "provided a runtime value.",
                       gql_error_arg(value->text));
        break;

    case GQL_NULL:
        gql_refuse_all(s->v, value->node.start,
                       "Argument \"if\" of non-null type \"Boolean!\" must "
                       "not be null.");
        break;

    default:
        text = gql_printed(s->v, &value->node);
        gql_refuse_all(s->v, value->node.start,
                       "Argument \"if\" has invalid value %.*s.",
                       gql_error_arg(text));
        break;
    }

    return false;
}


static bool
single_field_subscriptions_operation(gql_validation_t *v,
    const gql_node_t *node)
{
    bool                              *paid;
    subscription_t                     s;
    const gql_operation_definition_t  *operation;

    operation = (const gql_operation_definition_t *) node;

    if (operation->operation != GQL_SUBSCRIPTION
        || v->schema->subscription == NULL)
    {
        return true;
    }

    paid = v->state;

    if (!*paid) {
        *paid = true;
        if (!gql_spend(v, v->document->definitions.count)) {
            return true;
        }
    }

    memset(&s, 0, sizeof(subscription_t));

    s.v = v;
    s.type = v->schema->subscription;
    s.mark = ++v->mark;
    gql_names_init(&s.keys, v->arena);

    if (subscription_collect(&s, operation->selection_set)) {
        subscription_report(&s, operation);
    }

    return true;
}


static bool
subscription_collect(subscription_t *s, const gql_selection_set_t *set)
{
    bool               ok;
    const gql_node_t  *node;

    if (!gql_descend(s->v, 1) || !subscription_pay(s, set)) {
        return false;
    }

    ok = true;

    gql_list_each(node, &set->selections) {

        if (node->kind == GQL_FRAGMENT_SPREAD) {
            ok = subscription_spread(s, (const gql_fragment_spread_t *) node);

        } else if (!subscription_includes(s, node)) {
            ok = !s->v->stopped;

        } else if (node->kind == GQL_FIELD) {
            ok = subscription_field(s, (const gql_field_t *) node);

        } else if (gql_schema_applies(s->v->schema,
                                      gql_selection_condition(node), s->type))
        {
            ok = subscription_collect(s, gql_selection_below(node));
        }

        if (!ok) {
            return false;
        }
    }

    s->v->depth--;

    return true;
}


/* graphql-js pays for what collecting a selection set looks at */
static bool
subscription_pay(subscription_t *s, const gql_selection_set_t *set)
{
    const gql_node_t       *node;
    const gql_list_t       *directives;
    const gql_directive_t  *directive;

    if (!gql_spend(s->v, set->selections.count)) {
        return false;
    }

    gql_list_each(node, &set->selections) {
        directives = gql_node_directives(node);

        if (!gql_spend(s->v, directives->count)) {
            return false;
        }

        gql_list_each(directive, directives) {
            if ((prompt_str_eq(directive->name->value, prompt_str("skip"))
                 || prompt_str_eq(directive->name->value,
                                  prompt_str("include")))
                && !gql_spend(s->v, directive->arguments.count))
            {
                return false;
            }
        }
    }

    return true;
}


static bool
subscription_field(subscription_t *s, const gql_field_t *field)
{
    subscribed_t      *item;
    subscribed_key_t  *key;
    gql_name_entry_t  *entry;

    entry = gql_validation_name(s->v, &s->keys, gql_field_key(field));
    item = gql_validation_array(s->v, 1, sizeof(subscribed_t));

    if (entry == NULL || item == NULL) {
        return false;
    }

    if (entry->value == NULL) {
        entry->value = gql_validation_array(s->v, 1, sizeof(subscribed_key_t));
        if (entry->value == NULL) {
            return false;
        }
    }

    key = entry->value;
    item->field = field;

    prompt_link(key, item, next);
    s->total++;

    return true;
}


static bool
subscription_spread(subscription_t *s, const gql_fragment_spread_t *spread)
{
    gql_fragment_t  *fragment;

    fragment = gql_fragment_of(s->v, spread->fragment);

    /* the conditions of one that was looked at before are not evaluated */

    if (fragment->mark == s->mark) {
        return true;
    }

    if (!subscription_includes(s, &spread->node)) {
        return !s->v->stopped;
    }

    fragment->mark = s->mark;

    if (fragment->definition == NULL
        || !gql_schema_applies(s->v->schema,
                               fragment->definition->type_condition, s->type))
    {
        return true;
    }

    return subscription_collect(s, fragment->definition->selection_set);
}


static void
subscription_report(subscription_t *s,
    const gql_operation_definition_t *operation)
{
    const gql_name_entry_t  *entry;
    const subscribed_key_t  *key;

    if (s->keys.count > 1) {
        subscription_report_nodes(s, operation, s->keys.first->next, true,
                                  "must select only one top level field.");
    }

    for (entry = s->keys.first; entry != NULL; entry = entry->next) {
        key = entry->value;

        if (key->first->field->name->value.len >= 2
            && memcmp(key->first->field->name->value.data, "__", 2) == 0)
        {
            subscription_report_nodes(s, operation, entry, false,
                     "must not select an introspection top level field.");
        }
    }
}


/* of one response key, or of it and all behind it */
static void
subscription_report_nodes(subscription_t *s,
    const gql_operation_definition_t *operation,
    const gql_name_entry_t *first, bool all, const char *what)
{
    uint32_t                 n, *offsets;
    const subscribed_t      *item;
    const gql_name_entry_t  *entry;

    offsets = gql_validation_array(s->v, s->total, sizeof(uint32_t));
    if (offsets == NULL) {
        return;
    }

    n = 0;

    for (entry = first; entry != NULL; entry = all ? entry->next : NULL) {
        item = ((const subscribed_key_t *) entry->value)->first;

        for ( /* void */ ; item != NULL; item = item->next) {
            offsets[n++] = item->field->node.start;
        }
    }

    if (operation->name != NULL) {
        gql_refuse(s->v, offsets, n, "Subscription \"%.*s\" %s",
                   gql_error_arg(operation->name->value), what);

    } else {
        gql_refuse(s->v, offsets, n, "Anonymous Subscription %s", what);
    }
}


const gql_rule_t  gql_rule_single_field_subscriptions = {
    .state_size = sizeof(bool),
    .hooks = gql_rule_enter(GQL_OPERATION_DEFINITION,
                            single_field_subscriptions_operation)
};
