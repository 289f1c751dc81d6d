/*
 * All statements of the store, and those made on demand.
 *
 * Ids are dense: 0 to PROMPT_STATEMENT_MAX - 1, so a connection can remember
 * in a bitmap what it has prepared.  There are
 *
 *   - fixed statements: each is put together once, where it is first wanted;
 *   - families: statements that read, of the large columns, only those that a
 *     selection asks for.  Each combination that comes up is made once and
 *     kept for the life of the process; PROMPT_STATEMENT_VARIANTS are more
 *     than there are, and what were beyond them would get all columns.
 *
 * What was made is the only state of the store, one a process; no threads.
 */

#ifndef PROMPT_STORE_STATEMENT_H
#define PROMPT_STORE_STATEMENT_H

#include "store/column.h"


#define PROMPT_STATEMENT_VARIANTS  2048


/*
 * The fixed statements.  Each is prompt_sql_<name> in the file of its
 * resource.
 */
#define PROMPT_STATEMENTS(statement)                                         \
    statement(SCHEMA_VERSION, schema_version)                                \
    statement(SNAPSHOT, snapshot)                                            \
    statement(POSITION, position)                                            \
    statement(POSITION_HERE, position_here)                                  \
    statement(POSITION_PLACE, position_place)                                \
    statement(API_KEY_BY_HASH, api_key_by_hash)                              \
    statement(API_KEY_LIST, api_key_list)                                    \
    statement(API_KEY_LIST_ANY, api_key_list_any)                            \
    statement(API_KEY_PROJECTS, api_key_projects)                            \
    statement(API_KEY_CREATE, api_key_create)                                \
    statement(API_KEY_LOCK, api_key_lock)                                    \
    statement(API_KEY_DELETE, api_key_delete)                                \
    statement(API_KEY_USED, api_key_used)                                    \
    statement(SESSION_ASK, session_ask)                                      \
    statement(SESSION_ASK_AGAIN, session_ask_again)                          \
    statement(SESSION_CREATE, session_create)                                \
    statement(SESSION_CROWD, session_crowd)                                  \
    statement(SESSION_SHOW, session_show)                                    \
    statement(SESSION_LIST, session_list)                                    \
    statement(SESSION_END, session_end)                                      \
    statement(SESSION_END_OTHERS, session_end_others)                        \
    statement(SESSION_PASSWORD, session_password)                            \
    statement(SESSION_PASSWORD_ANY, session_password_any)                    \
    statement(SESSION_SWEEP, session_sweep)                                  \
    statement(BUDGET_SET, budget_set)                                        \
    statement(BUDGET_REMOVE, budget_remove)                                  \
    statement(BUDGET_LIST, budget_list)                                      \
    statement(BUDGET_HASHES, budget_hashes)                                  \
    statement(CLOCK, clock)                                                  \
    statement(USER_BY_ID, user_by_id)                                        \
    statement(USER_BY_EMAIL, user_by_email)                                  \
    statement(USER_OF_PROJECT, user_of_project)                              \
    statement(USER_OF_PROMPT, user_of_prompt)                                \
    statement(USER_ADD, user_add)                                            \
    statement(USER_LIST, user_list)                                          \
    statement(PROJECT_READ, project_read)                                    \
    statement(PROJECT_MEMBERS, project_members)                              \
    statement(PROJECT_INVITATIONS, project_invitations)                      \
    statement(PROJECT_BUDGETS, project_budgets)                              \
    statement(PROJECT_CREATE, project_create)                                \
    statement(USER_DISABLE, user_disable)                                    \
    statement(USER_ENABLE, user_enable)                                      \
    statement(USER_LEAVE, user_leave)                                        \
    statement(PROJECT_UPDATE, project_update)                                \
    statement(PROJECT_DELETE, project_delete)                                \
    statement(PROJECT_LIST, project_list)                                    \
    statement(MEMBER_LOCK, member_lock)                                      \
    statement(MEMBER_LOCK_INVITED, member_lock_invited)                      \
    statement(MEMBER_LOCK_ALL, member_lock_all)                              \
    statement(MEMBER_SET, member_set)                                        \
    statement(MEMBER_ACCEPT, member_accept)                                  \
    statement(MEMBER_INVITE, member_invite)                                  \
    statement(MEMBER_UNINVITE, member_uninvite)                              \
    statement(MEMBER_SIGN_UP, member_sign_up)                                \
    statement(INVITATION_ASK, invitation_ask)                                \
    statement(PROMPT_TRANSFER, prompt_transfer)                              \
    statement(PROMPT_TRANSFERRED, prompt_transferred)                        \
    statement(PROMPT_CREATE, prompt_create)                                  \
    statement(PROMPT_UPDATE, prompt_update)                                  \
    statement(PROMPT_FORK, prompt_fork)                                      \
    statement(PROMPT_FORK_STEP, prompt_fork_step)                            \
    statement(PROMPT_FORK_END, prompt_fork_end)                              \
    statement(PROMPT_FORK_ABANDON, prompt_fork_abandon)                      \
    statement(PROMPT_DELETE, prompt_delete)                                  \
    statement(PROMPT_REMOVE, prompt_remove)                                  \
    statement(PROMPT_SWEEP, prompt_sweep)                                    \
    statement(PROMPT_SEARCH, prompt_search)                                  \
    statement(VERSION_CREATE, version_create)                                \
    statement(LABEL_LOCK, label_lock)                                        \
    statement(LABEL_SET, label_set)                                          \
    statement(LABEL_REMOVE, label_remove)                                    \
    statement(LABEL_GUARD, label_guard)                                      \
    statement(LABEL_SWEEP, label_sweep)                                      \
    statement(IMPORT_LOCK, import_lock)                                      \
    statement(IMPORT, import)                                                \
    statement(EXECUTION_TARGET, execution_target)                            \
    statement(EXECUTION_NAMED, execution_named)                              \
    statement(EXECUTION_LABELLED, execution_labelled)                        \
    statement(EXECUTION_NAMED_LABELLED, execution_named_labelled)            \
    statement(EXECUTION_START, execution_start)                              \
    statement(EXECUTION_START_LABELLED, execution_start_labelled)            \
    statement(EXECUTION_START_DRAFT, execution_start_draft)                  \
    statement(EXECUTION_RESERVE, execution_reserve)                          \
    statement(EXECUTION_RESERVE_LABELLED, execution_reserve_labelled)        \
    statement(EXECUTION_RESERVE_DRAFT, execution_reserve_draft)              \
    statement(EXECUTION_FINISH, execution_finish)                            \
    statement(EXECUTION_SETTLE, execution_settle)                            \
    statement(EXECUTION_RECORD, execution_record)                            \
    statement(EXECUTION_RECORD_DRAFT, execution_record_draft)                \
    statement(EXECUTION_RECORD_SETTLE, execution_record_settle)              \
    statement(EXECUTION_RECORD_SETTLE_DRAFT, execution_record_settle_draft)  \
    statement(EXECUTION_SWEEP, execution_sweep)                              \
    statement(EXECUTION_DELETE, execution_delete)                            \
    statement(EXECUTION_NEWEST, execution_newest)                            \
    statement(LOG_PEOPLE_PAGE, log_people_page)                              \
    statement(LOG_PEOPLE_ONE, log_people_one)                                \
    statement(LOG_PROMPT_ALLOWED, log_prompt_allowed)                        \
    statement(LOG_ONE_ALLOWED, log_one_allowed)                              \
    statement(LOG_SWEEP, log_sweep)                                          \
    statement(DATASET_SEEN, dataset_seen)                                    \
    statement(DATASET_READ, dataset_read)                                    \
    statement(DATASET_ITEMS, dataset_items)                                  \
    statement(DATASET_CREATE, dataset_create)                                \
    statement(DATASET_UPDATE, dataset_update)                                \
    statement(DATASET_DELETE, dataset_delete)                                \
    statement(DATASET_ADD, dataset_add)                                      \
    statement(DATASET_ADD_EXECUTION, dataset_add_execution)                  \
    statement(DATASET_REMOVE, dataset_remove)                                \
    statement(RUN_ALLOWED, run_allowed)                                      \
    statement(RUN_READ, run_read)                                            \
    statement(RUN_LIST, run_list)                                            \
    statement(RUN_CELLS, run_cells)                                          \
    statement(RUN_TOLD, run_told)                                            \
    statement(RUN_VERSIONS, run_versions)                                    \
    statement(RUN_MAKE, run_make)                                            \
    statement(RUN_UPDATE, run_update)                                        \
    statement(RUN_CANCEL, run_cancel)                                        \
    statement(RUN_STEP, run_step)                                            \
    statement(SCORE_SET, score_set)                                          \
    statement(SCORE_REMOVE, score_remove)                                    \
    statement(PROJECT_USAGE, project_usage)                                  \
    statement(STATISTICS, statistics)                                        \
    statement(AUDIT_READ, audit_read)                                        \
    statement(AUDIT_ADD, audit_add)                                          \
    statement(AUDIT_REFUSED, audit_refused)                                  \
    statement(IDEMPOTENCY_EXPIRE, idempotency_expire)                        \
    statement(IDEMPOTENCY_INHERIT, idempotency_inherit)                      \
    statement(IDEMPOTENCY_TAKE, idempotency_take)                            \
    statement(IDEMPOTENCY_READ, idempotency_read)                            \
    statement(IDEMPOTENCY_MARK, idempotency_mark)                            \
    statement(IDEMPOTENCY_RENEW, idempotency_renew)                          \
    statement(IDEMPOTENCY_FINISH, idempotency_finish)                        \
    statement(IDEMPOTENCY_RELEASE, idempotency_release)                      \
    statement(IDEMPOTENCY_LOOK, idempotency_look)                            \
    statement(IDEMPOTENCY_SWEEP, idempotency_sweep)

/* Of them, those that are made for several rows as well, from few to many. */
#define PROMPT_STATEMENTS_MANY(statement)                                    \
    statement(USER_BY_ID_4, user_by_id, 4)                                   \
    statement(USER_BY_ID_8, user_by_id, 8)                                   \
    statement(USER_BY_ID_16, user_by_id, 16)                                 \
    statement(EXECUTION_START_4, execution_start, 4)                         \
    statement(EXECUTION_START_8, execution_start, 8)                         \
    statement(EXECUTION_START_16, execution_start, 16)                       \
    statement(EXECUTION_START_LABELLED_4, execution_start_labelled, 4)       \
    statement(EXECUTION_START_LABELLED_8, execution_start_labelled, 8)       \
    statement(EXECUTION_START_LABELLED_16, execution_start_labelled, 16)     \
    statement(EXECUTION_RESERVE_4, execution_reserve, 4)                     \
    statement(EXECUTION_RESERVE_8, execution_reserve, 8)                     \
    statement(EXECUTION_RESERVE_16, execution_reserve, 16)                   \
    statement(EXECUTION_RESERVE_LABELLED_4, execution_reserve_labelled, 4)   \
    statement(EXECUTION_RESERVE_LABELLED_8, execution_reserve_labelled, 8)   \
    statement(EXECUTION_RESERVE_LABELLED_16, execution_reserve_labelled, 16) \
    statement(EXECUTION_SETTLE_4, execution_settle, 4)                       \
    statement(EXECUTION_SETTLE_8, execution_settle, 8)                       \
    statement(EXECUTION_SETTLE_16, execution_settle, 16)                     \
    statement(EXECUTION_FINISH_4, execution_finish, 4)                       \
    statement(EXECUTION_FINISH_8, execution_finish, 8)                       \
    statement(EXECUTION_FINISH_16, execution_finish, 16)

#define PROMPT_STATEMENT_ID(id, name)             PROMPT_STATEMENT_##id,
#define PROMPT_STATEMENT_MANY_ID(id, name, rows)  PROMPT_STATEMENT_##id,

typedef enum {
    PROMPT_STATEMENTS(PROMPT_STATEMENT_ID)
    PROMPT_STATEMENTS_MANY(PROMPT_STATEMENT_MANY_ID)
    PROMPT_STATEMENT_FIXED
} prompt_statement_id_t;

#define PROMPT_STATEMENT_MANY_FIRST  PROMPT_STATEMENT_USER_BY_ID_4


/* of a resource, by the kinds of ranges: a list of all is a page of some */
#define PROMPT_FAMILIES_SOME(what)                                           \
    PROMPT_FAMILY_##what##_BY_ID,                                            \
    PROMPT_FAMILY_##what##_BY_NAME,                                          \
    PROMPT_FAMILY_##what##_PAGE,                                             \
    PROMPT_FAMILY_##what##_IDS
#define PROMPT_FAMILIES(what)                                                \
    PROMPT_FAMILY_##what##_BY_ID,                                            \
    PROMPT_FAMILY_##what##_BY_NAME,                                          \
    PROMPT_FAMILY_##what##_ALL,                                              \
    PROMPT_FAMILY_##what##_PAGE,                                             \
    PROMPT_FAMILY_##what##_IDS

/* SOME: not all versions of each prompt; ONE: one */
typedef enum {
    PROMPT_FAMILIES(PROMPT),
    PROMPT_FAMILIES(VERSION),
    PROMPT_FAMILIES_SOME(VERSION_SOME),
    PROMPT_FAMILIES_SOME(VERSION_ONE),
    PROMPT_FAMILIES(EXECUTION),
    PROMPT_FAMILIES_SOME(EXECUTION_SOME),
    PROMPT_FAMILIES_SOME(EXECUTION_ONE),
    PROMPT_FAMILY_EXECUTION_OWN,
    PROMPT_FAMILY_EXECUTION_SOME_OWN,
    PROMPT_FAMILY_EXECUTION_ONE_OWN,
    PROMPT_FAMILIES(LABEL),
    PROMPT_FAMILIES(MOVE),
    PROMPT_FAMILY_LOG_PAGE,
    PROMPT_FAMILY_LOG_ONE,
    PROMPT_FAMILY_LOG_PROMPTS_PAGE,
    PROMPT_FAMILY_LOG_PROMPTS_ONE,
    PROMPT_FAMILY_RUN_CELLS,
    PROMPT_FAMILY_RUN_TOLD,
    PROMPT_FAMILY_COUNT
} prompt_family_id_t;


#define PROMPT_STATEMENT_MAX                                                 \
    (PROMPT_STATEMENT_FIXED + PROMPT_FAMILY_COUNT + PROMPT_STATEMENT_VARIANTS)


/*
 * The statement of that family for the columns of mask, made where it is new.
 * Its `columns` member says which columns it has: at least those asked for,
 * and the small ones.  NULL when memory is short.
 */
const prompt_statement_t *prompt_statement_family(prompt_family_id_t id,
    prompt_mask_t mask) PROMPT_WARN_UNUSED;

/* a fixed statement, by PROMPT_STATEMENT_…; NULL when memory is short */
const prompt_statement_t *prompt_statement_fixed(prompt_statement_id_t id);

/*
 * How one for several says that what it changes is not there any more, of one
 * of them: SQLSTATE invalid_text_representation, in place of a change.
 */
#define PROMPT_STATEMENT_GONE  "22P02"

/*
 * The smallest statement that does for count rows, or more, what that one does
 * for one.  NULL: there is none for so many, or so few that it would not pay.
 * Rows that it has too many are given as NULL, and nothing is done for them.
 */
const prompt_statement_t *prompt_statement_many(
    const prompt_statement_t *statement, unsigned count) PROMPT_WARN_UNUSED;

/* mask of the columns of its result of which values may be left out */
prompt_mask_t prompt_statement_guarded(const prompt_statement_t *statement);

/* Frees what was made; for the end of the process. */
void prompt_statement_free_all(void);

#endif /* PROMPT_STORE_STATEMENT_H */
