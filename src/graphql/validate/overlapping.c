/*
 * Field Selection Merging (specification, 5.3.2): the rule
 * OverlappingFieldsCanBeMerged.
 * https://spec.graphql.org/September2025/#sec-Field-Selection-Merging
 *
 *     good:  { dog { name name nickname: name } }
 *     bad:   { dog { name: nickname name } }
 *     bad:   { dog { doesKnowCommand(dogCommand: SIT)
 *                    doesKnowCommand(dogCommand: HEEL) } }
 *
 * Every two fields that answer under the same response key must be the same
 * field with the same arguments, unless their parents are different objects,
 * and must have types of the same shape; so must the fields below them.  For
 * each selection set
 *
 *   A  its own fields are compared with each other,
 *   B  then with those of each fragment that it spreads, D, and of those that
 *      the fragment spreads, E,
 *   C  then each of these fragments with each other one, F, and with what
 *      that spreads, G.
 *
 * Where two fields have selection sets, the two are compared in the same way:
 * fields with fields, H, fields with fragments, I, fragments with fragments,
 * J.  What is compared is remembered: two fragments once, fields and a
 * fragment once, or twice where the first time they could not both apply.
 *
 * Still n fields of one key are n * n / 2 pairs.  As in graphql-js there is a
 * budget of comparisons, and a document that needs more is refused with
 * "Validation aborted.", after some milliseconds.  The accounts are the same,
 * so that the same documents are refused: in comments below, "paid as".  Who
 * serves strangers allows less (gql_validate_within()).
 */

#include "graphql/validate/overlapping_impl.h"


/* stack that a fragment takes, and a level of nested fields */
#define OVERLAP_STEP       1
#define OVERLAP_LEVEL      4

/* bits in gql_overlap_t.compared: what was paid for two sets */
#define OVERLAP_PAID_KEYS       1
#define OVERLAP_PAID_ARGUMENTS  2

/* bits in with_fragment and fragments: compared as never both, as both */
#define OVERLAP_EXCLUSIVE       1
#define OVERLAP_COMMON          2


/* what two collections of fields are compared for */
typedef struct {
    gql_conflict_sink_t   *sink;
    gql_conflict_level_t  *level;    /* for what is below their fields */
    bool                   exclusive;          /* they cannot both apply */
} overlap_pass_t;


static void overlap_fragments_of(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *set);
static void overlap_fields_and_fragment(gql_overlap_t *o,
    overlap_pass_t *pass, gql_overlap_set_t *set, gql_fragment_t *fragment);
static void overlap_fragments(gql_overlap_t *o, overlap_pass_t *pass,
    gql_fragment_t *a, gql_fragment_t *b);
static bool overlap_known(gql_overlap_t *o, gql_pairs_t *pairs, uint32_t a,
    uint32_t b, bool exclusive);
static void overlap_between(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *a, gql_overlap_set_t *b);
static void overlap_groups(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_group_t *a, gql_overlap_group_t *b, bool paid);
static void overlap_fields(gql_overlap_t *o, overlap_pass_t *pass,
    prompt_str_t key, gql_overlap_field_t *a, gql_overlap_field_t *b,
    bool paid);
static bool overlap_fields_conflict(gql_overlap_t *o, bool exclusive,
    gql_overlap_field_t *a, gql_overlap_field_t *b, bool paid,
    gql_conflict_t *conflict);
static bool overlap_same_type(const gql_field_def_t *a,
    const gql_field_def_t *b);
static bool overlap_same_arguments(gql_overlap_t *o, gql_overlap_field_t *a,
    gql_overlap_field_t *b, bool paid);
static bool overlap_types_conflict(gql_overlap_t *o,
    const gql_field_def_t *a, const gql_field_def_t *b);
static void overlap_below(gql_overlap_t *o, overlap_pass_t *pass,
    prompt_str_t key, bool exclusive, gql_overlap_field_t *a,
    gql_overlap_field_t *b);
static void overlap_selection_sets(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *a, gql_overlap_set_t *b);
static bool overlap_spend(gql_overlap_t *o, int32_t cost);
static void overlap_exhausted(gql_overlap_t *o);


static bool
overlapping_fields_init(gql_validation_t *v, void *state)
{
    gql_overlap_t  *o;

    o = state;

    o->v = v;
    o->budget = (int32_t) v->comparisons;

    gql_names_init(&o->keys, v->arena);
    gql_names_init(&o->values, v->arena);
    gql_memo_init(&o->value_ids, v->arena);
    gql_memo_init(&o->sets, v->arena);
    gql_pairs_init(&o->compared, v->arena);
    gql_pairs_init(&o->with_fragment, v->arena);
    gql_pairs_init(&o->fragments, v->arena);

    return true;
}


static bool
overlapping_fields_selection_set(gql_validation_t *v, const gql_node_t *node)
{
    gql_overlap_t              *o;
    const gql_list_t           *selections;
    overlap_pass_t              pass;
    gql_conflict_sink_t         sink;
    gql_conflict_found_t       *found;
    gql_overlap_set_t          *set;
    gql_overlap_group_t        *group;
    const gql_visit_frame_t    *parent;
    const gql_selection_set_t  *selection_set;

    o = v->state;
    selection_set = (const gql_selection_set_t *) node;
    selections = &selection_set->selections;
    parent = v->visitor.frame->parent;

    /* inline fragments are of the level around them */

    if (parent != NULL && parent->node->kind == GQL_INLINE_FRAGMENT) {
        return true;
    }

    if (selections->count == 0
        || (selections->count == 1
            && selections->first->kind != GQL_INLINE_FRAGMENT))
    {
        return true;
    }

    set = gql_overlap_collect(o, v->info->parent_type, selection_set);
    if (set == NULL) {
        return true;
    }

    /* no more are reported, and one more stops the run */

    memset(&sink, 0, sizeof(gql_conflict_sink_t));
    sink.max = v->max_errors - v->errors->count + 1;

    pass.sink = &sink;
    pass.exclusive = false;
    pass.level = gql_conflict_level(o, &o->levels);

    if (pass.level == NULL) {
        return true;
    }

    /* A: each two fields of a response key */

    for (group = set->first; group != NULL && !v->stopped; group = group->next)
    {
        overlap_groups(o, &pass, group, group, false);
    }

    overlap_fragments_of(o, &pass, set);

    for (found = sink.first; found != NULL && !v->stopped; found = found->next)
    {
        gql_refuse_pieces(v, found->places, found->nplaces, &found->message,
                          1);
    }

    return true;
}


/* B and C */
static void
overlap_fragments_of(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *set)
{
    uint32_t  i, j;

    if (set->ngroups == 0 && set->nfragments < 2) {
        return;
    }

    for (i = 0; i < set->nfragments; i++) {
        overlap_fields_and_fragment(o, pass, set, set->fragments[i]);

        for (j = i + 1; j < set->nfragments; j++) {
            overlap_fragments(o, pass, set->fragments[i], set->fragments[j]);

            if (o->v->stopped) {
                return;
            }
        }
    }
}


/* D and E; paid as 1 for each try */
static void
overlap_fields_and_fragment(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *set, gql_fragment_t *fragment)
{
    uint32_t            i;
    gql_overlap_set_t  *other;

    if (!overlap_spend(o, 1)
        || set->ngroups == 0
        || fragment->definition == NULL
        || overlap_known(o, &o->with_fragment, set->id, fragment->id,
                         pass->exclusive))
    {
        return;
    }

    other = gql_overlap_collect_fragment(o, fragment);

    if (other == NULL || other == set || !gql_descend(o->v, OVERLAP_STEP)) {
        return;
    }

    overlap_between(o, pass, set, other);

    for (i = 0; i < other->nfragments && !o->v->stopped; i++) {
        overlap_fields_and_fragment(o, pass, set, other->fragments[i]);
    }

    o->v->depth -= OVERLAP_STEP;
}


/* F and G; paid as 2 for each try */
static void
overlap_fragments(gql_overlap_t *o, overlap_pass_t *pass, gql_fragment_t *a,
    gql_fragment_t *b)
{
    uint32_t            i;
    gql_overlap_set_t  *first, *second;

    if (!overlap_spend(o, 2)
        || a == b
        || a->definition == NULL
        || b->definition == NULL
        || overlap_known(o, &o->fragments, a->id < b->id ? a->id : b->id,
                         a->id < b->id ? b->id : a->id, pass->exclusive))
    {
        return;
    }

    first = gql_overlap_collect_fragment(o, a);
    second = gql_overlap_collect_fragment(o, b);

    if (first == NULL || second == NULL
        || !gql_descend(o->v, OVERLAP_STEP))
    {
        return;
    }

    overlap_between(o, pass, first, second);

    for (i = 0; i < second->nfragments && !o->v->stopped; i++) {
        overlap_fragments(o, pass, a, second->fragments[i]);
    }

    for (i = 0; i < first->nfragments && !o->v->stopped; i++) {
        overlap_fragments(o, pass, first->fragments[i], b);
    }

    o->v->depth -= OVERLAP_STEP;
}


/* whether two were compared already; from now on they were */
static bool
overlap_known(gql_overlap_t *o, gql_pairs_t *pairs, uint32_t a, uint32_t b,
    bool exclusive)
{
    unsigned  before;

    if (!gql_pairs_add(pairs, a, b,
                       exclusive ? OVERLAP_EXCLUSIVE : OVERLAP_COMMON,
                       &before))
    {
        overlap_exhausted(o);
        return true;
    }

    return (before & OVERLAP_COMMON) != 0 || (before != 0 && exclusive);
}


/*
 * The fields of two sets under the same key; paid as 1 for each key of the
 * first, once for these two sets.
 */
static void
overlap_between(gql_overlap_t *o, overlap_pass_t *pass, gql_overlap_set_t *a,
    gql_overlap_set_t *b)
{
    unsigned              paid;
    gql_overlap_group_t  *group, *other;

    if (a->ngroups == 0 || b->ngroups == 0) {
        return;
    }

    if (!gql_pairs_add(&o->compared, a->id, b->id,
                       OVERLAP_PAID_KEYS
                       | (pass->exclusive ? 0 : OVERLAP_PAID_ARGUMENTS),
                       &paid))
    {
        overlap_exhausted(o);
        return;
    }

    if (paid == 0 && !overlap_spend(o, (int32_t) a->ngroups)) {
        return;
    }

    for (group = a->first; group != NULL; group = group->next) {
        o->v->steps++;

        if (!gql_overlap_find(o, b, group->id, &other)) {
            return;
        }

        if (other != NULL) {
            overlap_groups(o, pass, group, other,
                           (paid & OVERLAP_PAID_ARGUMENTS) != 0);

            if (o->v->stopped) {
                return;
            }
        }
    }
}


/* b: the same group, each two fields of it, or one of another set */
static void
overlap_groups(gql_overlap_t *o, overlap_pass_t *pass, gql_overlap_group_t *a,
    gql_overlap_group_t *b, bool paid)
{
    gql_overlap_field_t  *first, *second;

    for (first = a->first; first != NULL; first = first->next) {
        for (second = a == b ? first->next : b->first;
             second != NULL;
             second = second->next)
        {
            overlap_fields(o, pass, a->key, first, second, paid);

            if (o->v->stopped) {
                return;
            }
        }
    }
}


/*
 * Two fields of the same response key; paid as 2.  paid: their arguments are
 * paid for.
 */
static void
overlap_fields(gql_overlap_t *o, overlap_pass_t *pass, prompt_str_t key,
    gql_overlap_field_t *a, gql_overlap_field_t *b, bool paid)
{
    bool            exclusive;
    gql_conflict_t  conflict;

    /*
     * Different objects are never the same object; interfaces and unions
     * may have an object in common some day, if not today.
     */

    exclusive = pass->exclusive
                || (a->parent_type != b->parent_type
                    && a->parent_type != NULL
                    && a->parent_type->kind == GQL_TYPE_OBJECT
                    && b->parent_type != NULL
                    && b->parent_type->kind == GQL_TYPE_OBJECT);

    if (!overlap_spend(o, 2)) {
        return;
    }

    if (a->simple && b->simple
        && prompt_str_eq(a->node->name->value, b->node->name->value)
        && overlap_same_type(a->def, b->def))
    {
        return;
    }

    gql_conflict_start(&conflict, a, b);

    if (overlap_fields_conflict(o, exclusive, a, b, paid, &conflict)) {
        gql_conflict_put(o, pass->sink, key, &conflict);

    } else if (a->node->selection_set != NULL
               && b->node->selection_set != NULL
               && !o->v->stopped)
    {
        overlap_below(o, pass, key, exclusive, a, b);
    }
}


/* whether two fields do not go together themselves, and the reason */
static bool
overlap_fields_conflict(gql_overlap_t *o, bool exclusive,
    gql_overlap_field_t *a, gql_overlap_field_t *b, bool paid,
    gql_conflict_t *conflict)
{
    prompt_str_t  first, second;

    first = a->node->name->value;
    second = b->node->name->value;

    if (!exclusive && !prompt_str_eq(first, second)) {
        gql_conflict_piece(conflict, prompt_str("\""));
        gql_conflict_name(conflict, first);
        gql_conflict_piece(conflict, prompt_str("\" and \""));
        gql_conflict_name(conflict, second);
        gql_conflict_piece(conflict, prompt_str("\" are different fields"));

        return true;
    }

    if (!exclusive && !overlap_same_arguments(o, a, b, paid)) {
        gql_conflict_piece(conflict,
                           prompt_str("they have differing arguments"));
        return true;
    }

    if (a->def != NULL && b->def != NULL
        && overlap_types_conflict(o, a->def, b->def))
    {
        gql_conflict_piece(conflict,
                           prompt_str("they return conflicting types \""));
        gql_conflict_piece(conflict, a->def->type->text);
        gql_conflict_piece(conflict, prompt_str("\" and \""));
        gql_conflict_piece(conflict, b->def->type->text);
        gql_conflict_piece(conflict, prompt_str("\""));

        return true;
    }

    return false;
}


/* the very same type, for which graphql-js compares objects */
static bool
overlap_same_type(const gql_field_def_t *a, const gql_field_def_t *b)
{
    return a == b
           || (a != NULL && b != NULL
               && a->type->kind == GQL_REF_NAMED
               && b->type->kind == GQL_REF_NAMED
               && a->type->type == b->type->type);
}


/* paid as 1 for each argument that is looked at, once for these two fields */
static bool
overlap_same_arguments(gql_overlap_t *o, gql_overlap_field_t *a,
    gql_overlap_field_t *b, bool paid)
{
    uint32_t                       i, n;
    const gql_overlap_argument_t  *other;

    n = a->node->arguments.count;

    if (n != b->node->arguments.count) {
        return false;
    }

    if (n == 0) {
        return true;
    }

    /* where the run is stopped the answer does not matter */

    if (!gql_overlap_arguments(o, a) || !gql_overlap_arguments(o, b)) {
        return true;
    }

    for (i = 0; i < n; i++) {
        if (!paid && !overlap_spend(o, 1)) {
            return true;
        }

        other = gql_overlap_argument(b, a->arguments[i].name);

        if (other == NULL || other->value != a->arguments[i].value) {
            return false;
        }
    }

    return true;
}


/*
 * Whether two types cannot both be the type of one answer: lists and non-null
 * must match, leaves must be the same; composite types are compared by their
 * fields.  Paid as 1 for each wrapper and name where they are not one type.
 */
static bool
overlap_types_conflict(gql_overlap_t *o, const gql_field_def_t *a,
    const gql_field_def_t *b)
{
    const gql_type_ref_t  *first, *second;

    first = a->type;
    second = b->type;

    if (a == b) {
        return false;
    }

    while (first->kind != GQL_REF_NAMED || second->kind != GQL_REF_NAMED) {
        if (!overlap_spend(o, 1)) {
            return false;
        }

        if (first->kind != second->kind) {
            return true;
        }

        first = first->of;
        second = second->of;
    }

    if (first->type == second->type || !overlap_spend(o, 1)) {
        return false;
    }

    return gql_type_is_leaf(first->type) || gql_type_is_leaf(second->type);
}


/* the selection sets of two fields, whose conflicts are one of the fields */
static void
overlap_below(gql_overlap_t *o, overlap_pass_t *pass, prompt_str_t key,
    bool exclusive, gql_overlap_field_t *a, gql_overlap_field_t *b)
{
    overlap_pass_t         below;
    gql_conflict_t         conflict;
    gql_overlap_set_t     *first, *second;
    gql_conflict_sink_t    sink;
    gql_conflict_level_t  *level;

    level = pass->level;

    first = gql_overlap_collect(o, a->def != NULL
                                   ? gql_ref_named(a->def->type) : NULL,
                                a->node->selection_set);
    second = gql_overlap_collect(o, b->def != NULL
                                    ? gql_ref_named(b->def->type) : NULL,
                                 b->node->selection_set);

    if (first == NULL || second == NULL
        || gql_conflict_level(o, &level->below) == NULL
        || !gql_descend(o->v, OVERLAP_LEVEL))
    {
        return;
    }

    gql_conflict_open(level, a, b);

    memset(&sink, 0, sizeof(gql_conflict_sink_t));
    sink.level = level;

    below.sink = &sink;
    below.level = level->below;
    below.exclusive = exclusive;

    overlap_selection_sets(o, &below, first, second);

    o->v->depth -= OVERLAP_LEVEL;

    if (!o->v->stopped && gql_conflict_close(level, &conflict)) {
        gql_conflict_put(o, pass->sink, key, &conflict);
    }
}


/* H, I and J */
static void
overlap_selection_sets(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *a, gql_overlap_set_t *b)
{
    uint32_t  i, j;

    overlap_between(o, pass, a, b);

    for (i = 0; i < b->nfragments && !o->v->stopped; i++) {
        overlap_fields_and_fragment(o, pass, a, b->fragments[i]);
    }

    for (i = 0; i < a->nfragments && !o->v->stopped; i++) {
        overlap_fields_and_fragment(o, pass, b, a->fragments[i]);
    }

    for (i = 0; i < a->nfragments; i++) {
        for (j = 0; j < b->nfragments; j++) {
            if (o->v->stopped) {
                return;
            }

            overlap_fragments(o, pass, a->fragments[i], b->fragments[j]);
        }
    }
}


static bool
overlap_spend(gql_overlap_t *o, int32_t cost)
{
    if (o->v->stopped) {
        return false;
    }

    o->v->steps += (uint32_t) cost;

    if (cost > o->budget) {
        o->budget = 0;
        gql_validation_abort(o->v, o->v->comparisons,
                             "comparisons of fields");
        return false;
    }

    o->budget -= cost;

    return true;
}


/*
 * What is compared needs more memory than there may be: as the budget, where
 * nobody else says so.
 */
static void
overlap_exhausted(gql_overlap_t *o)
{
    if (prompt_arena_exhausted(o->v->arena) && !o->v->explains) {
        gql_validation_abort(o->v, o->v->comparisons,
                             "comparisons of fields");

    } else {
        gql_validation_nomem(o->v);
    }
}


const gql_rule_t  gql_rule_overlapping_fields_can_be_merged = {
    .state_size = sizeof(gql_overlap_t),
    .init = overlapping_fields_init,
    .hooks = gql_rule_enter(GQL_SELECTION_SET,
                            overlapping_fields_selection_set)
};
