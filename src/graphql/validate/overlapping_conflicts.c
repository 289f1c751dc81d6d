/*
 * What OverlappingFieldsCanBeMerged says of fields that do not go together:
 * reason and places, from the fields themselves up to the selection set that
 * is reported.
 *
 * As in graphql-js names and reasons end after a thousand characters, places
 * after twenty on either side; what is beyond is not even put together.
 */

#include "graphql/validate/overlapping_impl.h"


/* pieces are cut to a thousand characters, or are types of the schema */
#define GQL_CONFLICT_MAX_MESSAGE  (1024 * 1024)


static void gql_conflict_append(gql_conflict_level_t *level, prompt_str_t s);
static void gql_conflict_add(gql_conflict_level_t *level, prompt_str_t key,
    const gql_conflict_t *conflict);
static void gql_conflict_keep(gql_overlap_t *o, gql_conflict_sink_t *sink,
    prompt_str_t key, const gql_conflict_t *conflict);
static prompt_str_t gql_conflict_message(gql_overlap_t *o, prompt_str_t key,
    const gql_conflict_t *conflict);


void
gql_conflict_start(gql_conflict_t *conflict, const gql_overlap_field_t *a,
    const gql_overlap_field_t *b)
{
    conflict->npieces = 0;
    conflict->places[0] = &a->node->node.start;
    conflict->places[1] = &b->node->node.start;
    conflict->nplaces[0] = 1;
    conflict->nplaces[1] = 1;
}


void
gql_conflict_piece(gql_conflict_t *conflict, prompt_str_t piece)
{
    conflict->pieces[conflict->npieces++] = piece;
}


/* Cuts a name that is too long; returns what stands behind it. */
static prompt_str_t
gql_conflict_cut(prompt_str_t *name)
{
    if (name->len <= GQL_CONFLICT_MAX_TEXT) {
        return prompt_str("");
    }

    name->len = GQL_CONFLICT_MAX_TEXT;

    return prompt_str("...");
}


void
gql_conflict_name(gql_conflict_t *conflict, prompt_str_t name)
{
    prompt_str_t  more;

    more = gql_conflict_cut(&name);
    gql_conflict_piece(conflict, name);
    gql_conflict_piece(conflict, more);
}


void
gql_conflict_put(gql_overlap_t *o, gql_conflict_sink_t *sink,
    prompt_str_t key, const gql_conflict_t *conflict)
{
    if (o->v->stopped) {
        return;
    }

    if (sink->level != NULL) {
        gql_conflict_add(sink->level, key, conflict);

    } else if (sink->count < sink->max) {
        gql_conflict_keep(o, sink, key, conflict);
    }
}


gql_conflict_level_t *
gql_conflict_level(gql_overlap_t *o, gql_conflict_level_t **level)
{
    if (*level == NULL) {
        *level = gql_validation_array(o->v, 1, sizeof(gql_conflict_level_t));
    }

    return *level;
}


void
gql_conflict_open(gql_conflict_level_t *level, const gql_overlap_field_t *a,
    const gql_overlap_field_t *b)
{
    level->any = false;
    level->len = 0;
    level->places[0][0] = a->node->node.start;
    level->places[1][0] = b->node->node.start;
    level->nplaces[0] = 1;
    level->nplaces[1] = 1;
}


bool
gql_conflict_close(gql_conflict_level_t *level, gql_conflict_t *conflict)
{
    if (!level->any) {
        return false;
    }

    if (level->len > GQL_CONFLICT_MAX_TEXT) {
        memcpy(level->text + GQL_CONFLICT_MAX_TEXT, "...", 3);
        level->len = GQL_CONFLICT_MAX_TEXT + 3;
    }

    conflict->pieces[0] = prompt_str_of(level->text, level->len);
    conflict->npieces = 1;
    conflict->places[0] = level->places[0];
    conflict->places[1] = level->places[1];
    conflict->nplaces[0] = level->nplaces[0];
    conflict->nplaces[1] = level->nplaces[1];

    return true;
}


/* That text is beyond its limit is told by its length alone. */
static void
gql_conflict_append(gql_conflict_level_t *level, prompt_str_t s)
{
    size_t  n;

    if (level->len > GQL_CONFLICT_MAX_TEXT) {
        return;
    }

    n = GQL_CONFLICT_MAX_TEXT + 1 - level->len;
    if (n > s.len) {
        n = s.len;
    }

    memcpy(level->text + level->len, s.data, n);
    level->len += n;
}


/* Adds a conflict below two fields to the one of these fields. */
static void
gql_conflict_add(gql_conflict_level_t *level, prompt_str_t key,
    const gql_conflict_t *conflict)
{
    uint32_t      i, n, side, *to;
    prompt_str_t  more;

    if (level->any) {
        gql_conflict_append(level, prompt_str(" and "));
    }

    level->any = true;

    gql_conflict_append(level, prompt_str("subfields \""));

    more = gql_conflict_cut(&key);
    gql_conflict_append(level, key);
    gql_conflict_append(level, more);
    gql_conflict_append(level, prompt_str("\" conflict because "));

    for (i = 0; i < conflict->npieces; i++) {
        gql_conflict_append(level, conflict->pieces[i]);
    }

    /* the last places of a conflict are the deepest: those, if not all */

    for (side = 0; side < 2; side++) {
        n = GQL_CONFLICT_MAX_PLACES - level->nplaces[side];
        if (n > conflict->nplaces[side]) {
            n = conflict->nplaces[side];
        }

        to = level->places[side] + level->nplaces[side];

        memcpy(to, conflict->places[side] + conflict->nplaces[side] - n,
               n * sizeof(uint32_t));
        level->nplaces[side] += n;
    }
}


/* Keeps a conflict of the selection set at hand. */
static void
gql_conflict_keep(gql_overlap_t *o, gql_conflict_sink_t *sink,
    prompt_str_t key, const gql_conflict_t *conflict)
{
    uint32_t               n;
    gql_conflict_found_t  *found;

    n = conflict->nplaces[0] + conflict->nplaces[1];
    found = gql_validation_array(o->v, 1, sizeof(gql_conflict_found_t));

    if (found == NULL) {
        return;
    }

    found->message = gql_conflict_message(o, key, conflict);
    found->places = gql_validation_array(o->v, n, sizeof(uint32_t));

    if (found->message.data == NULL || found->places == NULL) {
        gql_validation_nomem(o->v);
        return;
    }

    memcpy(found->places, conflict->places[0],
           conflict->nplaces[0] * sizeof(uint32_t));
    memcpy(found->places + conflict->nplaces[0], conflict->places[1],
           conflict->nplaces[1] * sizeof(uint32_t));

    found->nplaces = n;

    prompt_link(sink, found, next);
    sink->count++;
}


/* absent where memory is short */
static prompt_str_t
gql_conflict_message(gql_overlap_t *o, prompt_str_t key,
    const gql_conflict_t *conflict)
{
    uint32_t      i;
    prompt_buf_t  buf;
    prompt_str_t  more;

    more = gql_conflict_cut(&key);

    prompt_buf_init(&buf, GQL_CONFLICT_MAX_MESSAGE);
    prompt_buf_literal(&buf, "Fields \"");
    prompt_buf_str(&buf, key);
    prompt_buf_str(&buf, more);
    prompt_buf_literal(&buf, "\" conflict because ");

    for (i = 0; i < conflict->npieces; i++) {
        prompt_buf_str(&buf, conflict->pieces[i]);
    }

    prompt_buf_literal(&buf, ". Use different aliases on the fields to fetch "
                             "both if this was intentional.");

    return prompt_arena_take(o->v->arena, &buf);
}
