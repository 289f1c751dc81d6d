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
 * so that the same documents are refused: in comments below, "paid as".
 */

#include <stdio.h>

#include "graphql/overlapping.h"


#define OVERLAP_BUDGET     500000
#define OVERLAP_MAX_TEXT   1000      /* characters of a name, of a reason */
#define OVERLAP_MAX_NODES  20        /* places on either side of a conflict */

/* stack that a fragment takes, and a level of nested fields */
#define OVERLAP_STEP       1
#define OVERLAP_LEVEL      4

/* bits in gql_overlap_t.compared: what was paid for two sets */
#define OVERLAP_PAID_KEYS       1
#define OVERLAP_PAID_ARGUMENTS  2

/* bits in with_fragment and fragments: compared as never both, as both */
#define OVERLAP_EXCLUSIVE       1
#define OVERLAP_COMMON          2


/* why two fields conflict, as pieces of text, and where, on either side */
typedef struct {
    prompt_str_t      pieces[8];
    uint32_t          npieces;
    const uint32_t   *places[2];
    uint32_t          nplaces[2];
} overlap_conflict_t;


/*
 * A depth of nested fields: the conflicts among what is below two fields,
 * put together into one.  A level is used for one pair of fields at a time.
 */
typedef struct overlap_level_s  overlap_level_t;

struct overlap_level_s {
    bool              any;
    size_t            len;           /* of text */
    char              text[OVERLAP_MAX_TEXT + sizeof("...")];
    uint32_t          places[2][OVERLAP_MAX_NODES];
    uint32_t          nplaces[2];
    overlap_level_t  *below;         /* NULL: not yet needed */
};


/* a conflict in the selection set at hand, to be reported when it is done */
typedef struct overlap_found_s  overlap_found_t;

struct overlap_found_s {
    prompt_str_t      message;
    uint32_t         *places;
    uint32_t          nplaces;
    overlap_found_t  *next;
};


/* where conflicts go: found, where level is NULL */
typedef struct {
    overlap_level_t  *level;
    overlap_found_t  *first;
    overlap_found_t  *last;
    uint32_t          count;
    uint32_t          max;
} overlap_sink_t;


/* what two collections of fields are compared for */
typedef struct {
    overlap_sink_t   *sink;
    overlap_level_t  *level;         /* for what is below their fields */
    bool              exclusive;     /* they cannot both apply */
} overlap_pass_t;


static void overlap_within(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *set);
static void overlap_fragments_of(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *set);
static void overlap_fields_and_fragment(gql_overlap_t *o,
    overlap_pass_t *pass, gql_overlap_set_t *set, gql_fragment_t *fragment);
static void overlap_fragments(gql_overlap_t *o, overlap_pass_t *pass,
    gql_fragment_t *a, gql_fragment_t *b);
static bool overlap_fragments_known(gql_overlap_t *o, gql_fragment_t *a,
    gql_fragment_t *b, bool exclusive);
static void overlap_between(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_set_t *a, gql_overlap_set_t *b);
static void overlap_groups(gql_overlap_t *o, overlap_pass_t *pass,
    gql_overlap_group_t *a, gql_overlap_group_t *b, bool paid);
static void overlap_fields(gql_overlap_t *o, overlap_pass_t *pass,
    prompt_str_t key, gql_overlap_field_t *a, gql_overlap_field_t *b,
    bool paid);
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
static overlap_level_t *overlap_level(gql_overlap_t *o,
    overlap_level_t **level);
static void overlap_name(overlap_conflict_t *conflict, prompt_str_t name);
static void overlap_piece(overlap_conflict_t *conflict, prompt_str_t piece);
static void overlap_simple_conflict(overlap_conflict_t *conflict,
    const gql_overlap_field_t *a, const gql_overlap_field_t *b);
static void overlap_conflict(gql_overlap_t *o, overlap_sink_t *sink,
    prompt_str_t key, const overlap_conflict_t *conflict);
static void overlap_append(overlap_level_t *level, prompt_str_t s);
static void overlap_add(overlap_level_t *level, prompt_str_t key,
    const overlap_conflict_t *conflict);
static void overlap_keep(gql_overlap_t *o, overlap_sink_t *sink,
    prompt_str_t key, const overlap_conflict_t *conflict);
static bool overlap_spend(gql_overlap_t *o, int32_t cost);
static bool overlap_descend(gql_overlap_t *o, unsigned cost);
static void overlap_exhausted(gql_overlap_t *o);


static bool
overlapping_fields_init(gql_validation_t *v, void *state)
{
    gql_overlap_t  *o;

    o = state;

    o->v = v;
    o->budget = OVERLAP_BUDGET;

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
overlapping_fields_selection_set(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    gql_overlap_t              *o;
    const gql_list_t           *selections;
    overlap_pass_t              pass;
    overlap_sink_t              sink;
    overlap_found_t            *found;
    gql_overlap_set_t          *set;
    const gql_visit_frame_t    *parent;
    const gql_selection_set_t  *selection_set;

    o = state;
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

    memset(&sink, 0, sizeof(overlap_sink_t));
    sink.max = v->max_errors - v->errors->count + 1;

    pass.sink = &sink;
    pass.exclusive = false;
    pass.level = overlap_level(o, &o->levels);

    if (pass.level == NULL) {
        return true;
    }

    overlap_within(o, &pass, set);
    overlap_fragments_of(o, &pass, set);

    for (found = sink.first; found != NULL && !v->stopped; found = found->next)
    {
        gql_refuse_pieces(v, found->places, found->nplaces, &found->message,
                          1);
    }

    return true;
}


/* A: each two fields of a response key */
static void
overlap_within(gql_overlap_t *o, overlap_pass_t *pass, gql_overlap_set_t *set)
{
    gql_overlap_field_t  *a, *b;
    gql_overlap_group_t  *group;

    for (group = set->first; group != NULL; group = group->next) {
        for (a = group->first; a != NULL; a = a->next) {
            for (b = a->next; b != NULL; b = b->next) {
                overlap_fields(o, pass, group->key, a, b, false);

                if (o->v->stopped) {
                    return;
                }
            }
        }
    }
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
    unsigned            before;
    uint32_t            i;
    gql_overlap_set_t  *other;

    if (!overlap_spend(o, 1) || set->ngroups == 0) {
        return;
    }

    if (!gql_pairs_add(&o->with_fragment, set->id, fragment->id,
                       pass->exclusive ? OVERLAP_EXCLUSIVE : OVERLAP_COMMON,
                       &before))
    {
        overlap_exhausted(o);
        return;
    }

    if ((before & OVERLAP_COMMON) != 0
        || (before != 0 && pass->exclusive))
    {
        return;
    }

    if (fragment->definition == NULL) {
        return;
    }

    other = gql_overlap_collect_fragment(o, fragment);

    if (other == NULL || other == set || !overlap_descend(o, OVERLAP_STEP)) {
        return;
    }

    overlap_between(o, pass, set, other);

    for (i = 0; i < other->nfragments && !o->v->stopped; i++) {
        overlap_fields_and_fragment(o, pass, set, other->fragments[i]);
    }

    o->depth -= OVERLAP_STEP;
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
        || overlap_fragments_known(o, a, b, pass->exclusive)
        || a->definition == NULL
        || b->definition == NULL)
    {
        return;
    }

    first = gql_overlap_collect_fragment(o, a);
    second = gql_overlap_collect_fragment(o, b);

    if (first == NULL || second == NULL
        || !overlap_descend(o, OVERLAP_STEP))
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

    o->depth -= OVERLAP_STEP;
}


/* whether two fragments were compared already; from now on they were */
static bool
overlap_fragments_known(gql_overlap_t *o, gql_fragment_t *a,
    gql_fragment_t *b, bool exclusive)
{
    unsigned  before;

    if (!gql_pairs_add(&o->fragments, a->id < b->id ? a->id : b->id,
                       a->id < b->id ? b->id : a->id,
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


static void
overlap_groups(gql_overlap_t *o, overlap_pass_t *pass, gql_overlap_group_t *a,
    gql_overlap_group_t *b, bool paid)
{
    gql_overlap_field_t  *first, *second;

    for (first = a->first; first != NULL; first = first->next) {
        for (second = b->first; second != NULL; second = second->next) {
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
    bool                exclusive, same_field;
    overlap_conflict_t  conflict;

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

    same_field = prompt_str_eq(a->node->name->value, b->node->name->value);

    if (a->simple && b->simple && same_field
        && overlap_same_type(a->def, b->def))
    {
        return;
    }

    overlap_simple_conflict(&conflict, a, b);

    if (!exclusive && !same_field) {
        overlap_piece(&conflict, prompt_str("\""));
        overlap_name(&conflict, a->node->name->value);
        overlap_piece(&conflict, prompt_str("\" and \""));
        overlap_name(&conflict, b->node->name->value);
        overlap_piece(&conflict, prompt_str("\" are different fields"));

        overlap_conflict(o, pass->sink, key, &conflict);
        return;
    }

    if (!exclusive && !overlap_same_arguments(o, a, b, paid)) {
        overlap_piece(&conflict,
                      prompt_str("they have differing arguments"));

        overlap_conflict(o, pass->sink, key, &conflict);
        return;
    }

    if (a->def != NULL && b->def != NULL
        && overlap_types_conflict(o, a->def, b->def))
    {
        overlap_piece(&conflict,
                      prompt_str("they return conflicting types \""));
        overlap_piece(&conflict, a->def->type->text);
        overlap_piece(&conflict, prompt_str("\" and \""));
        overlap_piece(&conflict, b->def->type->text);
        overlap_piece(&conflict, prompt_str("\""));

        overlap_conflict(o, pass->sink, key, &conflict);
        return;
    }

    if (a->node->selection_set != NULL && b->node->selection_set != NULL
        && !o->v->stopped)
    {
        overlap_below(o, pass, key, exclusive, a, b);
    }
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
    overlap_pass_t       below;
    overlap_sink_t       sink;
    overlap_level_t     *level;
    gql_overlap_set_t   *first, *second;
    overlap_conflict_t   conflict;

    level = pass->level;

    first = gql_overlap_collect(o, a->def != NULL
                                   ? gql_ref_named(a->def->type) : NULL,
                                a->node->selection_set);
    second = gql_overlap_collect(o, b->def != NULL
                                    ? gql_ref_named(b->def->type) : NULL,
                                 b->node->selection_set);

    if (first == NULL || second == NULL
        || overlap_level(o, &level->below) == NULL
        || !overlap_descend(o, OVERLAP_LEVEL))
    {
        return;
    }

    level->any = false;
    level->len = 0;
    level->places[0][0] = a->node->node.start;
    level->places[1][0] = b->node->node.start;
    level->nplaces[0] = 1;
    level->nplaces[1] = 1;

    memset(&sink, 0, sizeof(overlap_sink_t));
    sink.level = level;

    below.sink = &sink;
    below.level = level->below;
    below.exclusive = exclusive;

    overlap_selection_sets(o, &below, first, second);

    o->depth -= OVERLAP_LEVEL;

    if (!level->any || o->v->stopped) {
        return;
    }

    if (level->len > OVERLAP_MAX_TEXT) {
        memcpy(level->text + OVERLAP_MAX_TEXT, "...", 3);
        level->len = OVERLAP_MAX_TEXT + 3;
    }

    conflict.npieces = 1;
    conflict.pieces[0] = prompt_str_of(level->text, level->len);
    conflict.places[0] = level->places[0];
    conflict.places[1] = level->places[1];
    conflict.nplaces[0] = level->nplaces[0];
    conflict.nplaces[1] = level->nplaces[1];

    overlap_conflict(o, pass->sink, key, &conflict);
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


static overlap_level_t *
overlap_level(gql_overlap_t *o, overlap_level_t **level)
{
    if (*level == NULL) {
        *level = prompt_arena_zalloc(o->v->arena, sizeof(overlap_level_t));

        if (*level == NULL) {
            gql_validation_nomem(o->v);
        }
    }

    return *level;
}


/* a conflict of two fields themselves, its reason still to be said */
static void
overlap_simple_conflict(overlap_conflict_t *conflict,
    const gql_overlap_field_t *a, const gql_overlap_field_t *b)
{
    conflict->npieces = 0;
    conflict->places[0] = &a->node->node.start;
    conflict->places[1] = &b->node->node.start;
    conflict->nplaces[0] = 1;
    conflict->nplaces[1] = 1;
}


static void
overlap_piece(overlap_conflict_t *conflict, prompt_str_t piece)
{
    conflict->pieces[conflict->npieces++] = piece;
}


static void
overlap_name(overlap_conflict_t *conflict, prompt_str_t name)
{
    if (name.len > OVERLAP_MAX_TEXT) {
        overlap_piece(conflict, prompt_str_of(name.data, OVERLAP_MAX_TEXT));
        overlap_piece(conflict, prompt_str("..."));
        return;
    }

    overlap_piece(conflict, name);
}


static void
overlap_conflict(gql_overlap_t *o, overlap_sink_t *sink, prompt_str_t key,
    const overlap_conflict_t *conflict)
{
    if (o->v->stopped) {
        return;
    }

    if (sink->level != NULL) {
        overlap_add(sink->level, key, conflict);

    } else if (sink->count < sink->max) {
        overlap_keep(o, sink, key, conflict);
    }
}


/* what is beyond the limit is told by the length alone */
static void
overlap_append(overlap_level_t *level, prompt_str_t s)
{
    size_t  n;

    if (level->len > OVERLAP_MAX_TEXT) {
        return;
    }

    n = OVERLAP_MAX_TEXT + 1 - level->len;
    if (n > s.len) {
        n = s.len;
    }

    memcpy(level->text + level->len, s.data, n);
    level->len += n;
}


/* Adds a conflict below two fields to the one of these fields. */
static void
overlap_add(overlap_level_t *level, prompt_str_t key,
    const overlap_conflict_t *conflict)
{
    uint32_t         i, n, side;
    const uint32_t  *from;

    if (level->any) {
        overlap_append(level, prompt_str(" and "));
    }

    level->any = true;

    overlap_append(level, prompt_str("subfields \""));

    if (key.len > OVERLAP_MAX_TEXT) {
        overlap_append(level, prompt_str_of(key.data, OVERLAP_MAX_TEXT));
        overlap_append(level, prompt_str("..."));

    } else {
        overlap_append(level, key);
    }

    overlap_append(level, prompt_str("\" conflict because "));

    for (i = 0; i < conflict->npieces; i++) {
        overlap_append(level, conflict->pieces[i]);
    }

    /* the last places of a conflict are the deepest: those, if not all */

    for (side = 0; side < 2; side++) {
        n = OVERLAP_MAX_NODES - level->nplaces[side];
        if (n > conflict->nplaces[side]) {
            n = conflict->nplaces[side];
        }

        from = conflict->places[side] + conflict->nplaces[side] - n;

        memcpy(&level->places[side][level->nplaces[side]], from,
               n * sizeof(uint32_t));
        level->nplaces[side] += n;
    }
}


/* Keeps a conflict of the selection set at hand. */
static void
overlap_keep(gql_overlap_t *o, overlap_sink_t *sink, prompt_str_t key,
    const overlap_conflict_t *conflict)
{
    uint32_t          i;
    prompt_buf_t      buf;
    overlap_found_t  *found;

    /* two names of a thousand characters at most, or types of the schema */

    prompt_buf_init(&buf, SIZE_MAX / 2);

    prompt_buf_literal(&buf, "Fields \"");

    if (key.len > OVERLAP_MAX_TEXT) {
        prompt_buf_append(&buf, key.data, OVERLAP_MAX_TEXT);
        prompt_buf_literal(&buf, "...");

    } else {
        prompt_buf_str(&buf, key);
    }

    prompt_buf_literal(&buf, "\" conflict because ");

    for (i = 0; i < conflict->npieces; i++) {
        prompt_buf_str(&buf, conflict->pieces[i]);
    }

    prompt_buf_literal(&buf, ". Use different aliases on the fields to fetch "
                             "both if this was intentional.");

    found = prompt_arena_zalloc(o->v->arena, sizeof(overlap_found_t));

    if (found != NULL && buf.status == PROMPT_BUF_OK) {
        found->message = prompt_arena_copy(o->v->arena, prompt_buf_view(&buf));
        found->nplaces = conflict->nplaces[0] + conflict->nplaces[1];
        found->places = prompt_arena_array(o->v->arena, found->nplaces,
                                           sizeof(uint32_t));
    }

    prompt_buf_free(&buf);

    if (found == NULL || found->message.data == NULL || found->places == NULL)
    {
        gql_validation_nomem(o->v);
        return;
    }

    memcpy(found->places, conflict->places[0],
           conflict->nplaces[0] * sizeof(uint32_t));
    memcpy(found->places + conflict->nplaces[0], conflict->places[1],
           conflict->nplaces[1] * sizeof(uint32_t));

    if (sink->last != NULL) {
        sink->last->next = found;

    } else {
        sink->first = found;
    }

    sink->last = found;
    sink->count++;
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
        gql_validation_abort(o->v);
        return false;
    }

    o->budget -= cost;

    return true;
}


/* deeper in the recursion; the caller takes cost from depth again */
static bool
overlap_descend(gql_overlap_t *o, unsigned cost)
{
    if (o->depth + cost > GQL_VALIDATE_MAX_RECURSION) {
        gql_validation_abort(o->v);
        return false;
    }

    o->depth += cost;

    return true;
}


/* what is compared needs more memory than there may be: as the budget */
static void
overlap_exhausted(gql_overlap_t *o)
{
    if (prompt_arena_exhausted(o->v->arena)) {
        gql_validation_abort(o->v);

    } else {
        gql_validation_nomem(o->v);
    }
}


static const gql_rule_hook_t  overlapping_fields_hooks[] = {
    { GQL_SELECTION_SET, overlapping_fields_selection_set, NULL },
};

const gql_rule_t  gql_rule_overlapping_fields_can_be_merged = {
    prompt_str_init("OverlappingFieldsCanBeMergedRule"),
    sizeof(gql_overlap_t),
    overlapping_fields_init,
    gql_rule_hooks(overlapping_fields_hooks)
};
