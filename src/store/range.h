/*
 * Range: which prompts a root field is about, and for whom.
 *
 * The root's statement and those of the nested levels (versions, executions,
 * people) are all derived from the same range, so that they can be sent as
 * one pipeline, without waiting for the root's rows.
 *
 * Each statement sees the database at its own moment, so that prompts may come
 * and go between root and nested level, unless prompt_snapshot() went first.
 * Rows of all levels come in the same order, prompt id descending, so a walk
 * side by side that skips what has no counterpart joins them.
 */

#ifndef PROMPT_STORE_RANGE_H
#define PROMPT_STORE_RANGE_H

#include "store/value.h"


typedef enum {
    PROMPT_RANGE_ID = 0,             /* the prompt of that id, any owner's */
    PROMPT_RANGE_NAME,               /* the caller's own of that name */
    PROMPT_RANGE_LIST,               /* the caller's own, newest first */
    PROMPT_RANGE_IDS                 /* the caller's own among these */
} prompt_range_kind_t;


typedef struct {
    prompt_range_kind_t  kind;
    prompt_str_t         caller;     /* the user's id, 16 bytes */
    prompt_str_t         id;         /* ID: 16 bytes */
    bool                 own;        /* ID: known to be the caller's own */
    prompt_str_t         name;       /* NAME: as stored (kebab-case) */

    /* LIST: absent or 0 where not given */
    uint32_t             first;
    prompt_str_t         after;      /* 16 bytes: ids below it */
    prompt_str_t         category;   /* GENERAL, … */

    prompt_str_t         ids;        /* IDS: 16 bytes each, in any order */

    /*
     * What a first attempt may bring; 0: no limit.  A set of rows that has
     * max_rows of them may have been cut there, and values beyond max_bytes
     * are left out: prompt_rows_cut().
     */
    uint32_t             max_rows;
    uint32_t             max_bytes;
} prompt_range_t;


/* Which versions of each prompt; absent or 0 where not given. */
typedef struct {
    uint32_t             first;      /* not with last */
    uint32_t             last;
    prompt_str_t         after;      /* id of a version, 16 bytes; one of
                                        another prompt has none behind it */

    /* one of each: that of a label, else that of a number, else the latest */
    bool                 one;        /* none of the above is looked at */
    prompt_maybe_t       number;
    prompt_str_t         label;
} prompt_versions_t;

#define prompt_versions_all(versions)                                        \
    ((versions) == NULL                                                      \
     || ((versions)->first == 0 && (versions)->last == 0                     \
         && (versions)->after.data == NULL && !(versions)->one))


/*
 * Before all others of a query that only reads: they then see the database at
 * one moment, as if they were one statement.  Has no rows.  False: memory is
 * short, or the query is not empty.
 */
bool prompt_snapshot(prompt_query_t *query) PROMPT_WARN_UNUSED;

/*
 * Whether it went first.  The query's transaction must then begin with it:
 * nothing may be prepared before it in the same one.
 */
bool prompt_snapshot_first(const prompt_query_t *query);

/*
 * Whether a set of rows that was read for the range is not all that there is:
 * rows or values are missing.
 */
bool prompt_rows_cut(const prompt_range_t *range,
    const prompt_statement_t *statement, const prompt_rows_t *rows);

/*
 * For the store's own use: which statement of a family serves the range, and
 * its parameters, behind which stand max_rows and max_bytes:
 *
 *     0 by id:    $1 id, $2 caller
 *     1 by name:  $1 caller, $2 name
 *     2 all:      $1 caller
 *     3 page:     $1 caller, $2 after, $3 category, $4 first
 *     4 ids:      $1 caller, $2 ids
 *
 * Where only some versions are wanted, 5 to 8 are 0, 1, 3 and 4 with the
 * parameters of the versions behind these: after, first, last.  Where one is,
 * 9 to 12 are the same with: number, label.
 *
 * Of executions, 13 to 15 are 0, 5 and 9 where the prompt is the caller's own.
 *
 * A first attempt reads no more prompts than it may bring rows, whether or not
 * anything hangs below them.
 */
#define PROMPT_RANGE_STATEMENTS      5
#define PROMPT_VERSIONS_STATEMENTS   13
#define PROMPT_EXECUTIONS_STATEMENTS 16

/* the parameters of each, as statement_impl.h has them */
extern const char *const  prompt_range_params[PROMPT_EXECUTIONS_STATEMENTS];

unsigned prompt_range_index(const prompt_range_t *range);
unsigned prompt_versions_index(const prompt_range_t *range,
    const prompt_versions_t *versions);
unsigned prompt_executions_index(const prompt_range_t *range,
    const prompt_versions_t *versions);
void prompt_range_bind(prompt_bind_t *bind, const prompt_range_t *range,
    const prompt_versions_t *versions);
void prompt_guard_bind(prompt_bind_t *bind, const prompt_range_t *range);

/* an id that rows must be below (absent: none), a LIMIT (0: none) */
void prompt_bind_id_below(prompt_bind_t *bind, prompt_str_t after);
void prompt_bind_limit(prompt_bind_t *bind, uint32_t first);

/* "FROM " of a statement with values that may be left out */
#define PROMPT_GUARD(bytes)                                                  \
    "FROM (SELECT " bytes "::int8 AS bytes) g CROSS JOIN "

/*
 * "prompts p WHERE …" of a page.  The owner's range stands as it does so that
 * only the index that begins with the owner has this order: with that of the
 * ids, a page would be looked for among everybody's newer prompts.  Both ends
 * are named, though the pair says the upper one: else PostgreSQL expects fewer
 * rows of the index of names, and sorts all of an owner's for each page.  ANY
 * says that it is one owner; an equality would say so, too, and lead to that
 * other order.
 */
#define PROMPT_RANGE_PAGE_SQL                                                \
    "prompts p WHERE p.owner_id = ANY (ARRAY[$1])"                           \
    " AND p.owner_id BETWEEN $1 AND $1"                                      \
    " AND (p.owner_id, p.id) < ($1, $2) AND p.state = 0"                     \
    " AND ($3::text IS NULL OR p.category = $3)"                             \
    " ORDER BY p.owner_id DESC, p.id DESC LIMIT $4"

/* the same of all, as many as a first attempt may bring */
#define PROMPT_RANGE_ALL_SQL(rows)                                           \
    "prompts p WHERE p.owner_id = ANY (ARRAY[$1]) AND p.state = 0"           \
    " ORDER BY p.owner_id DESC, p.id DESC LIMIT " rows

#define PROMPT_RANGE_IDS_SQL                                                 \
    "prompts p WHERE p.owner_id = $1 AND p.id = ANY ($2) AND p.state = 0"

/*
 * What belongs to a prompt names the prompt's owner, too: $1 where that is the
 * caller, else p.owner_id.  So it is in one place where owners are kept apart.
 *
 * What joins versions v to the prompts p of a page: one after the other, since
 * a page is short, whatever PostgreSQL expects of a LIMIT that it cannot see.
 */
#define PROMPT_VERSIONS_OF_EACH(owner, rows)                                 \
    " CROSS JOIN LATERAL (SELECT v.* FROM prompt_versions v"                 \
    " WHERE v.owner_id = " owner " AND v.prompt_id = p.id"                   \
    " ORDER BY v.version LIMIT " rows ") v"

/*
 * What joins versions v to prompts p where some are wanted.  Numbers have no
 * gaps, so that a page is a range of them.  It is looked up for each prompt:
 * joined as a table, with a prompt that PostgreSQL knows, all of its versions
 * were read and then compared.  That is what OFFSET is for.
 */
#define PROMPT_VERSIONS_SQL(owner, after, first, last)                       \
    " CROSS JOIN LATERAL (SELECT v.* FROM prompt_versions v"                 \
    " WHERE v.owner_id = " owner " AND v.prompt_id = p.id"                   \
    " AND v.version > CASE WHEN " last "::int8 IS NULL THEN 0 ELSE"          \
    " (SELECT max(m.version) FROM prompt_versions m"                         \
    " WHERE m.owner_id = " owner " AND m.prompt_id = p.id)"                  \
    " - " last "::int8 END"                                                  \
    " AND v.version > " PROMPT_VERSIONS_AFTER(owner, after)                  \
    " AND v.version <= " PROMPT_VERSIONS_AFTER(owner, after)                 \
    " + coalesce(" first "::int8, 2147483647)"                               \
    " ORDER BY v.version OFFSET 0) v "

#define PROMPT_VERSIONS_AFTER(owner, after)                                  \
    "CASE WHEN " after "::uuid IS NULL THEN 0 ELSE"                          \
    " (SELECT a.version FROM prompt_versions a"                              \
    " WHERE a.id = " after "::uuid AND a.owner_id = " owner                  \
    " AND a.prompt_id = p.id) END"

/* The one version of prompts p, which have id and last_version. */
#define PROMPT_VERSION_ONE_SQL(owner, number, label)                         \
    " CROSS JOIN LATERAL (SELECT x.* FROM prompt_versions x"                 \
    " WHERE x.owner_id = " owner " AND x.prompt_id = p.id"                   \
    " AND x.version = CASE WHEN " label "::text IS NULL"                     \
    " THEN coalesce(" number "::integer, p.last_version)"                    \
    " ELSE (SELECT l.version FROM prompt_labels l"                           \
    " WHERE l.owner_id = " owner " AND l.prompt_id = p.id"                   \
    " AND l.label = " label ") END LIMIT 1) v"

/*
 * Of a level below all prompts of $1, which does not look at their rows: that
 * the prompt is not hidden.  There is hardly ever one.
 */
#define PROMPT_RANGE_SHOWN_SQL(id)                                           \
    id " <> ALL (ARRAY(SELECT h.id FROM prompts h"                           \
    " WHERE h.owner_id = $1 AND h.state <> 0))"

#endif /* PROMPT_STORE_RANGE_H */
