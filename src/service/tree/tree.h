/*
 * Prompts with what hangs below them: versions, executions, labels, people.
 *
 * Any root field that returns prompts asks for them in the same way.  When
 * its plan is compiled, the selection becomes a projection: which statements,
 * with which columns.  When it runs, a range (which prompts) and the projection
 * become one query.  When the rows are there they become a tree of records that
 * resolvers walk: one pass over each set of rows, which all come in the same
 * order, so joining them is a walk side by side.
 */

#ifndef NGX_HTTP_PROMPT_TREE_H
#define NGX_HTTP_PROMPT_TREE_H

#include "service/tree/people.h"
#include "store/execution.h"
#include "store/label.h"
#include "store/prompt.h"
#include "store/range.h"
#include "store/version.h"


#define NGX_HTTP_PROMPT_DEFAULT_EXECUTIONS  100
#define NGX_HTTP_PROMPT_DEFAULT_MOVES       50


/*
 * What a selection on Execution asks for: its columns, and those of `prompt`.
 * refused: a field below `prompt` that is answered by Query.prompt only.
 */
typedef struct {
    prompt_mask_t  columns;
    ngx_uint_t    large;             /* columns of values that may be large */
    prompt_mask_t  prompt_columns;
    prompt_str_t  refused;           /* absent: none */
    bool          prompt;
    bool          creator;           /* of that */
    bool          people;            /* who ran it */
} ngx_http_prompt_project_execution_t;


/* one `executions` field of a selection; aliases make several */
typedef struct {
    const gql_plan_field_t  *field;
    ngx_uint_t               versions;       /* the one it is below */
    prompt_mask_t            columns;
} ngx_http_prompt_project_executions_t;


/*
 * One `versions`, `version`, `labels` or `labelHistory` field.  form, of
 * versions: equal where all that can be selected below is, and so what is
 * written of them; absent where that is not known by the versions alone.
 */
typedef struct {
    const gql_plan_field_t  *field;
    prompt_mask_t            columns;
    prompt_str_t             form;
} ngx_http_prompt_project_list_t;


/* What a selection on Prompt asks for.  Lives in the plan. */
typedef struct {
    prompt_mask_t                          prompt_columns;
    ngx_uint_t                             nversions;    /* `version`, too */
    ngx_uint_t                             nexecutions;
    ngx_uint_t                             nlabels;
    ngx_uint_t                             nmoves;
    ngx_uint_t                             nlists;       /* all of these */
    ngx_uint_t                             large;        /* columns of values
                                                            that may be so */
    ngx_http_prompt_project_list_t        *versions;
    ngx_http_prompt_project_executions_t  *executions;
    ngx_http_prompt_project_list_t        *labels;
    ngx_http_prompt_project_list_t        *moves;
    prompt_str_t                           refused;      /* below
                                                            Execution.prompt;
                                                            absent: none */
    bool                                   people;       /* any of them */
} ngx_http_prompt_projection_t;


/* versions that a reading may take from the worker: tree_kept.h */
typedef struct ngx_http_prompt_kept_s  ngx_http_prompt_kept_t;

/* rows on their way to an answer */
typedef struct ngx_http_prompt_tree_s  ngx_http_prompt_tree_t;


typedef struct {
    prompt_version_t         record;
    ngx_http_prompt_by_t     by;
    ngx_http_prompt_tree_t  *tree;           /* NULL: never executed yet */
} ngx_http_prompt_version_node_t;


typedef struct {
    prompt_label_t           record;
    ngx_http_prompt_by_t     by;
} ngx_http_prompt_label_node_t;


typedef struct {
    prompt_label_move_t      record;
    ngx_http_prompt_by_t     by;
} ngx_http_prompt_move_node_t;


typedef struct {
    prompt_record_t          record;
    ngx_http_prompt_by_t     by;
    ngx_http_prompt_tree_t  *tree;
} ngx_http_prompt_prompt_node_t;


typedef struct {
    prompt_execution_t              record;
    ngx_http_prompt_by_t            by;
    ngx_http_prompt_prompt_node_t  *prompt;
} ngx_http_prompt_execution_node_t;


/*
 * Makes field->data of a field that returns Prompt (or a list of them) its
 * projection.  A compile hook of root fields; false: memory is short.
 */
bool ngx_http_prompt_project_compile(gql_plan_t *plan, gql_plan_field_t *field);

/* the same of a field that returns Execution (or a list of them) */
void ngx_http_prompt_project_execution(
    ngx_http_prompt_project_execution_t *proj, const gql_plan_field_t *field);

/* True where nothing was refused below Execution.prompt. */
bool ngx_http_prompt_project_allowed(ngx_http_prompt_root_t *root,
    prompt_str_t refused) PROMPT_WARN_UNUSED;
/* whether a field of that name is selected */
bool ngx_http_prompt_selects(const gql_plan_selection_t *selection,
    const char *name);

/*
 * Appends to query what root's field projects of the prompts of the
 * range: the prompts themselves unless record has the one there is, then
 * versions, executions, labels and their moves, people.  kept: NULL, or of
 * which it may leave out the versions.
 * False: an argument is wrong, or memory is short.
 */
bool ngx_http_prompt_tree_query(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range, bool with_prompts,
    ngx_http_prompt_kept_t *kept) PROMPT_WARN_UNUSED;

/*
 * Sets what a first attempt for root may bring (max_rows, max_bytes), so that
 * all attempts of its request together stay small.  Completes nothing.
 */
void ngx_http_prompt_tree_guard(ngx_http_prompt_root_t *root,
    prompt_range_t *range);

/* The versions that the query left out are these; NULL: none were. */
void ngx_http_prompt_tree_take(ngx_http_prompt_tree_t *tree,
    const ngx_http_prompt_kept_t *kept);

/* a tree for the rows of root's field; NULL: memory */
ngx_http_prompt_tree_t *ngx_http_prompt_tree_create(
    ngx_http_prompt_root_t *root);

/*
 * Opens the sets of rows that ngx_http_prompt_tree_query() asked for, the
 * first of which is number `first` of the result.  Where the statement before
 * brought the prompt, record is it, otherwise NULL.  The tree is then walked
 * once, in order, and gives back the rows that were written.
 */
void ngx_http_prompt_tree_open(ngx_http_prompt_tree_t *tree, ngx_uint_t first,
    const prompt_record_t *record);

/* whether something is missing in what a first attempt brought */
bool ngx_http_prompt_tree_cut(const ngx_http_prompt_tree_t *tree,
    const prompt_range_t *range);

/* how many prompts there are, the id of the last one, and all as a list */
ngx_uint_t ngx_http_prompt_tree_count(const ngx_http_prompt_tree_t *tree);
prompt_str_t ngx_http_prompt_tree_last(const ngx_http_prompt_tree_t *tree);
void ngx_http_prompt_tree_list(ngx_http_prompt_tree_t *tree,
    gql_result_t *out);

/* the row of one, by its place in the list; nothing is walked */
void ngx_http_prompt_tree_record(const ngx_http_prompt_tree_t *tree,
    ngx_uint_t i, prompt_record_t *record);

/* the only prompt; NULL: there is none */
ngx_http_prompt_prompt_node_t *ngx_http_prompt_tree_prompt(
    ngx_http_prompt_tree_t *tree);

/* resolvers of the lists below Prompt, and of PromptVersion.executions */
ngx_http_prompt_resolve_t
    ngx_http_prompt_resolve_versions,
    ngx_http_prompt_resolve_version,
    ngx_http_prompt_resolve_labels,
    ngx_http_prompt_resolve_moves,
    ngx_http_prompt_resolve_executions;

/* The arguments of a field below a root field, coerced and checked. */
bool ngx_http_prompt_nested_arguments(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, const prompt_json_t **arguments)
    PROMPT_WARN_UNUSED;

/* `first` and `after` of an `executions` field */
bool ngx_http_prompt_executions_page(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, uint32_t *first, prompt_str_t *after)
    PROMPT_WARN_UNUSED;


/*
 * Reading: from a range to the answer.
 *
 * A first attempt is bounded in rows and bytes.  Where that cut something, the
 * same is read again as LONG: within the memory that an answer may have, and
 * a list window by window.  Writing takes turns with all else that the worker
 * has to do.
 */

/* looks at the only prompt, or NULL; may complete root */
typedef bool (*ngx_http_prompt_reading_pt)(ngx_http_prompt_root_t *root,
    const prompt_record_t *prompt);

/* the caller's prompts of a LIST; search: absent, or a text to look for */
void ngx_http_prompt_read_list(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, prompt_str_t search);

/* one prompt */
void ngx_http_prompt_read_one(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, ngx_http_prompt_reading_pt check);

/*
 * The prompt that a change in the same query brought, with what was asked for
 * behind it (set number first and following): range is what that was read by.
 */
void ngx_http_prompt_read_changed(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, ngx_uint_t first,
    const prompt_record_t *record);

/*
 * The same for rows that are no prompts.  ask begins the query with
 * ngx_http_prompt_other_query(), sends it, and completes root by what is below;
 * where is_long is true, in its turn.  What is given as other comes back by
 * ngx_http_prompt_other().  ..._changed(): what a change has made, which is
 * done whatever becomes of reading it.  later() takes root over and has ask
 * called again in the next round of the event loop.
 */
void ngx_http_prompt_read_other(ngx_http_prompt_root_t *root, void *other,
    bool is_long, ngx_http_prompt_root_pt ask);
void ngx_http_prompt_read_other_changed(ngx_http_prompt_root_t *root,
    void *other, ngx_http_prompt_root_pt ask);
void ngx_http_prompt_other_later(ngx_http_prompt_root_t *root);
void *ngx_http_prompt_other(ngx_http_prompt_root_t *root);
bool ngx_http_prompt_other_query(ngx_http_prompt_root_t *root,
    prompt_query_t **query) PROMPT_WARN_UNUSED;
bool ngx_http_prompt_other_succeeded(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
void ngx_http_prompt_write_other(ngx_http_prompt_root_t *root,
    const gql_result_t *result);

#endif /* NGX_HTTP_PROMPT_TREE_H */
