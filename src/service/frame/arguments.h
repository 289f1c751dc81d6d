/*
 * Arguments of root fields: reading them, and what is asked of every value.
 *
 * What is bool and is given a root field completes it where it finds a fault:
 * root.h has the contract.
 */

#ifndef NGX_HTTP_PROMPT_ARGUMENTS_H
#define NGX_HTTP_PROMPT_ARGUMENTS_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/fault.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/frame/root.h"
#include "store/outcome.h"
#include "store/value.h"


/* items of a page at most */
#define NGX_HTTP_PROMPT_MAX_PAGE  1000


/* a member that was given and is not null, or NULL */
const prompt_json_t *ngx_http_prompt_argument(const prompt_json_t *arguments,
    prompt_str_t name);

/* the text of a string, an id or an enum value; absent: not given, or null */
prompt_str_t ngx_http_prompt_argument_text(const prompt_json_t *arguments,
    prompt_str_t name);

/* those of the root field itself, whose names are literals */
#define ngx_http_prompt_root_argument(root, name)                            \
    ngx_http_prompt_argument((root)->arguments, prompt_str(name))
#define ngx_http_prompt_root_text(root, name)                                \
    ngx_http_prompt_argument_text((root)->arguments, prompt_str(name))
#define ngx_http_prompt_root_id(root, name, kind, id)                        \
    ngx_http_prompt_argument_id(root, (root)->arguments, prompt_str(name),   \
                                kind, id)
#define ngx_http_prompt_root_time(root, name, time)                          \
    ngx_http_prompt_value_time(root,                                         \
                               ngx_http_prompt_root_argument(root, name),    \
                               prompt_str(name), time)

/* given as null, explicitly */
bool ngx_http_prompt_argument_is_null(const prompt_json_t *arguments,
    prompt_str_t name);

/*
 * The id of `kind` ("Prompt") in an argument, 16 bytes in the request's
 * arena.  What is no UUID names nothing: NOT_FOUND.
 */
bool ngx_http_prompt_argument_id(ngx_http_prompt_root_t *root,
    const prompt_json_t *arguments, prompt_str_t name, const char *kind,
    prompt_str_t *id) PROMPT_WARN_UNUSED;

/*
 * What they are read into: so many zeroed bytes of the request's arena, which
 * become root->data.  NULL: memory, and root was completed.
 */
void *ngx_http_prompt_root_data(ngx_http_prompt_root_t *root, size_t size)
    PROMPT_WARN_UNUSED;

/* a statement about what has this id, of a project: of the store */
typedef bool (*ngx_http_prompt_of_id_pt)(prompt_query_t *query,
    prompt_str_t id, prompt_str_t project);

/* Sends it about the argument `id`, of that kind: a change of the caller's. */
void ngx_http_prompt_change_id(ngx_http_prompt_root_t *root, const char *kind,
    ngx_http_prompt_of_id_pt statement, ngx_http_prompt_root_pt done);

/* NOT_FOUND and FORBIDDEN, in the words that name kind and id: false */
bool ngx_http_prompt_fail_not_found(ngx_http_prompt_root_t *root,
    const char *kind, prompt_str_t id);
bool ngx_http_prompt_fail_forbidden(ngx_http_prompt_root_t *root,
    prompt_str_t id);

/* FORBIDDEN of a label that the project protects: false */
bool ngx_http_prompt_fail_protected(ngx_http_prompt_root_t *root,
    prompt_str_t label);

/* FORBIDDEN: what a quota is of, as prompt_quota names it: false */
bool ngx_http_prompt_fail_quota(ngx_http_prompt_root_t *root,
    const char *name);

/*
 * NOT_FOUND of a label, of a version's number, and of what the arguments ask
 * for by either, the latter being called `number`.  NULL of the last one: they
 * ask for the latest, and there is none yet.  id is the prompt's, as text.
 */
gql_error_t *ngx_http_prompt_no_label(ngx_http_prompt_job_t *job,
    prompt_str_t label, prompt_str_t id);
gql_error_t *ngx_http_prompt_no_number(ngx_http_prompt_job_t *job,
    prompt_str_t number, prompt_str_t id);
gql_error_t *ngx_http_prompt_no_version(ngx_http_prompt_job_t *job,
    const prompt_json_t *arguments, prompt_str_t number, prompt_str_t id);

/*
 * True where outcome is DONE, else NOT_FOUND or FORBIDDEN of the prompt id, or
 * of a quota.
 */
bool ngx_http_prompt_outcome_done(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, prompt_str_t id) PROMPT_WARN_UNUSED;

/*
 * Whether the query that ended, whose first row is an outcome, is to be done
 * again: since room of the project is to be shared out anew, which the next one
 * may do, or since another transaction was faster.
 */
ngx_uint_t ngx_http_prompt_outcome_anew(ngx_http_prompt_root_t *root);

/* a number of items, 1 to 1000; *count stays where it is not given */
bool ngx_http_prompt_argument_count(ngx_http_prompt_root_t *root,
    const prompt_json_t *arguments, prompt_str_t name, uint32_t *count)
    PROMPT_WARN_UNUSED;

/* `first` (1 to 1000) and `after` (the id of a kind, or absent) */
bool ngx_http_prompt_argument_page(ngx_http_prompt_root_t *root,
    const prompt_json_t *arguments, const char *kind, uint32_t default_first,
    uint32_t *first, prompt_str_t *after) PROMPT_WARN_UNUSED;

/* A moment; unknown where value is NULL.  name: of the error's field. */
bool ngx_http_prompt_value_time(ngx_http_prompt_root_t *root,
    const prompt_json_t *value, prompt_str_t name, prompt_maybe_t *time)
    PROMPT_WARN_UNUSED;

/*
 * A page of what has its time in its id: `since`, `until`, `first` and `after`.
 * From lower on and below upper; the newest may be among it where it is open.
 */
typedef struct {
    uint32_t  first;
    bool      open;
    char      lower[PROMPT_UUID_LEN];
    char      upper[PROMPT_UUID_LEN];
} ngx_http_prompt_times_t;

bool ngx_http_prompt_argument_times(ngx_http_prompt_root_t *root,
    const char *kind, uint32_t default_first, ngx_http_prompt_times_t *times)
    PROMPT_WARN_UNUSED;

/*
 * Who asks, 16 bytes each.  The caller is the project in which the request
 * acts: it owns prompts and executions.  The person is a user; the author is
 * the same as it is stored: absent where the project is their personal one.
 */
prompt_str_t ngx_http_prompt_caller(ngx_http_prompt_root_t *root);
prompt_str_t ngx_http_prompt_person(ngx_http_prompt_root_t *root);
prompt_str_t ngx_http_prompt_author(ngx_http_prompt_root_t *root);

/* On whose behalf its queries are: for query->actor.  In the root field. */
const prompt_actor_t *ngx_http_prompt_actor(ngx_http_prompt_root_t *root);

/* a new id, 16 bytes in the request's arena; it is root->id, too */
bool ngx_http_prompt_new_id(ngx_http_prompt_root_t *root, prompt_str_t *id)
    PROMPT_WARN_UNUSED;

/* an id as JSON: a string; NULL: memory */
prompt_json_t *ngx_http_prompt_uuid_json(prompt_arena_t *arena,
    prompt_str_t id) PROMPT_WARN_UNUSED;

/*
 * No U+0000 in any text argument of a field; the field of the error is the
 * member of an input object, else the argument.
 */
bool ngx_http_prompt_arguments_check(ngx_http_prompt_root_t *root,
    const gql_field_def_t *def, const prompt_json_t *arguments)
    PROMPT_WARN_UNUSED;

/* True where a check of the subject (src/prompt) passed. */
bool ngx_http_prompt_passed(ngx_http_prompt_root_t *root, prompt_check_t check,
    const prompt_fault_t *fault) PROMPT_WARN_UNUSED;

#endif /* NGX_HTTP_PROMPT_ARGUMENTS_H */
